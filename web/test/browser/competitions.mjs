// Competitions: growing, watched, stopped and resumed.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { everywhere, program, server, test, visitor } from "../support.mjs";
import { until } from "../waits.mjs";

test("a competition grows, its games are watched, and its command gives the same", async () => {
  const page = await visitor();
  await page.goto(`${server.address}/competitions/incan-gold`);
  await page.locator("#others").fill("turn:7\nbold=turn:9");
  await page.getByRole("checkbox", { name: /^never/ }).check();
  await page.locator("#deals").fill("400");
  await page.getByRole("button", { name: "Start" }).click();
  await page.waitForURL("**/c/*");
  const competition = page.url();
  await page.waitForFunction(() => /Done: /.test(document.querySelector("#status").textContent));
  assert.ok((await page.locator(".report figure svg").count()) >= 3);
  assert.match(await page.getByRole("region", { name: /Who finished before whom/ }).textContent(), /bold/);
  // As a shell reads it: words may be in quotes.
  const command = (await page.locator(".report pre code").textContent()).replace(/^meeple /, '"$0" ');
  const ran = spawnSync("sh", ["-c", `${command} --json --quiet`, program], { encoding: "utf8" });
  assert.equal(ran.stdout, await (await page.request.get(`${competition}/standings.json`)).text(), ran.stderr);
  const address = new URL(competition).pathname;
  assert.deepEqual(await everywhere(["/competitions", "/competitions/carcassonne", address, `${address}/episodes`]), []);
  await page.getByRole("link", { name: "The games" }).click();
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByRole("link", { name: "Watch 51" }).click();
  await page.waitForURL("**/r/*.51*");
  const first = await page.locator("#number").inputValue();
  await page.locator("#end").click();
  assert.notEqual(await page.locator("#number").inputValue(), first);
});

test("a competition is set up, stopped and gone on with without a script", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(`${server.address}/competitions`);
  await page.getByRole("link", { name: /of Cartolan/ }).click();
  await page.locator("#deals").fill("4000");
  await page.locator("#table").fill("2");
  await page.getByRole("button", { name: "Start" }).click();
  await until("the first standings", async () => (await page.locator(".report table").count()) > 0, () => page.getByRole("link", { name: "Refresh" }).click());
  await page.getByRole("button", { name: "Stop and keep" }).click();
  await until("the competition to stop", async () => /Stopped after/.test(await page.locator("#status").textContent()), () => page.reload());
  await page.getByRole("button", { name: "Go on" }).click();
  assert.match(await page.locator("#status").textContent(), /Waiting|of \d+ episodes|Paused/);
  await page.getByRole("button", { name: "Stop and keep" }).click();
});
