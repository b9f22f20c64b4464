// A server that is killed and started again under an open page.
import assert from "node:assert/strict";
import { join } from "node:path";
import { answered, folder, number, open, serve, test, turn, visitor } from "../support.mjs";

test("a server that is killed and comes back costs nothing but a moment", async () => {
  const data = ["--data", join(folder, "tables.db")];
  const first = await serve("--port", "0", ...data);
  const page = await visitor();
  await open(page, "carcassonne", { "agent.0": "me", "agent.1": "greedy", seed: "4" }, first.address);
  for (let move = 0; move < 3; move += 1) {
    await turn(page);
    const before = await number(page);
    await page.locator("#ask button[name=action]").first().dispatchEvent("click");
    await answered(page, before);
  }
  await turn(page);
  const log = await page.locator("#log").textContent();
  await first.end("SIGKILL");
  const again = await serve("--port", new URL(first.address).port, ...data);
  const before = await number(page);
  // Pressed while nobody listens, perhaps: it is sent when somebody does.
  await page.locator("#ask button[name=action]").first().dispatchEvent("click");
  await answered(page, before);
  await turn(page);
  assert.ok((await page.locator("#log").textContent()).startsWith(log), "what had happened has happened");
  assert.equal(await again.end("SIGTERM"), 0);
});
