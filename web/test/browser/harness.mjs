// The harness: every wait has a bound, and every table has a seed.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { answered, number, open, server, test, turn, visitor } from "../support.mjs";
import { until, within } from "../waits.mjs";

test("every wait has a bound, and says what it has waited for", async () => {
  const here = new URL(".", import.meta.url);
  const files = readdirSync(here).map((name) => new URL(name, here));
  const shared = readdirSync(new URL("..", here)).filter((name) => /\.mjs$/.test(name) && name !== "waits.mjs");
  // `until` of waits.mjs is the only loop without a visible end.
  const unbounded = /\bwhile\s?\(|\bfor\s?\(;|set(Default)?Timeout\(0/;
  for (const file of [...files, ...shared.map((name) => new URL(`../${name}`, here))]) {
    const lines = readFileSync(file, "utf8").split("\n").filter((line) => !line.includes("const unbounded"));
    assert.deepEqual(lines.filter((line) => unbounded.test(line)), [], file.pathname);
  }
  await assert.rejects(until("a thing that never comes", () => false, () => {}, 1), /waited 0.001 s for a thing that never comes/);
  await assert.rejects(within("an answer", 1, new Promise(() => {})), /waited 0.001 s for an answer/);
  const page = await visitor();
  await page.goto(`${server.address}/help`);
  await assert.rejects(page.waitForFunction(() => document.title === "nothing", null, { timeout: 1 }), /document.title === "nothing".*\/help, in vain/s);
});

test("no table is dealt by chance, whoever opens it", async () => {
  const deals = [];
  for (const press of ["Play now Incan Gold", "Play now Incan Gold", "Open the table"]) {
    const page = await visitor({ javaScriptEnabled: false });
    await page.goto(press === "Open the table" ? `${server.address}/new/incan-gold` : server.address);
    await page.getByRole("button", { name: press }).click();
    await page.waitForURL("**/t/*");
    deals.push(await page.locator("#board").innerHTML());
  }
  assert.equal(deals[0], deals[1]);
  assert.equal(deals[0], deals[2]);
  const rematches = [];
  for (let table = 0; table < 2; table += 1) {
    const page = await visitor();
    await open(page, "incan-gold", { "agent.0": "me", "agent.1": "turn:1" });
    await until("the end of the game", async () => !(await turn(page)), async () => {
      const before = await number(page);
      await page.locator("#ask").getByRole("button", { name: /^leave with/ }).click();
      await answered(page, before);
    });
    await page.getByRole("button", { name: /^Rematch/ }).click();
    await page.getByText("It is your turn.").waitFor();
    rematches.push(await page.locator("#board").innerHTML());
  }
  assert.equal(rematches[0], rematches[1]);
});
