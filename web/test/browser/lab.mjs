// The laboratory: runs, questions and sweeps.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { complaints, everywhere, program, server, test, visitor } from "../support.mjs";
import { until } from "../waits.mjs";

test("figures grow while a run is played, and axe finds nothing on its pages", async () => {
  const page = await visitor();
  await page.goto(`${server.address}/lab/incan-gold`);
  const told = await complaints(page, "the form");
  await page.locator("#episodes").fill("50000");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForFunction(() => /Done: 50000/.test(document.querySelector("#status").textContent));
  assert.ok((await page.locator(".report figure svg").count()) >= 4);
  assert.deepEqual([...told, ...(await complaints(page, "the run"))], []);
});

test("a question is a button, its answer is marked, and its command gives the same", async () => {
  const page = await visitor();
  await page.goto(`${server.address}/lab/incan-gold/ask`);
  for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
  await page.locator("#others").fill("turn:7\nturn:3\nhazards:2");
  await page.locator("#episodes").fill("6000");
  await page.getByRole("button", { name: /What is a seat/ }).click();
  await page.waitForURL("**/lab/job/*");
  await page.waitForFunction(() => /Done: /.test(document.querySelector("#status").textContent));
  assert.deepEqual(await page.locator("h3.asked").allTextContents(), ["What is a seat worth?"]);
  const command = (await page.locator(".report pre code").textContent()).replace(/^meeple /, '"$0" ');
  const ran = spawnSync("sh", ["-c", `${command} --json --quiet`, program], { encoding: "utf8" });
  const shown = await (await page.request.get(`${page.url().split("#")[0]}/result.json`)).json();
  assert.deepEqual(shown.sentences, JSON.parse(ran.stdout).sentences, ran.stderr);
  // The one button that asks for something else.
  await page.goto(`${server.address}/lab/privateers`);
  const names = await page.locator("form[action$='/ask'] button").allTextContents();
  assert.equal(names.length, 5);
});

test("a sweep is walked through by a slider and by its points, to the replay of a game", async () => {
  const page = await visitor();
  await page.goto(`${server.address}/lab/incan-gold`);
  await page.locator("[id='agent.0']").fill("turn:1..12");
  await page.locator("[id='agent.1']").fill("hazards:2");
  await page.locator("[id='seat.2']").selectOption("nobody");
  await page.locator("#episodes").fill("2000");
  await page.getByRole("button", { name: /Walk through/ }).click();
  await page.waitForURL("**/walk?*");
  const done = (cell) => page.waitForFunction((cell) => document.querySelector("#cell > h2").textContent === cell && /Done/.test(document.querySelector("#status")?.textContent), cell);
  // Whoever comes wants to see the first cell.
  await done("turn 1");
  const slider = page.getByRole("slider");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await done("turn 2");
  await page.keyboard.press("End");
  await done("turn 12");
  assert.equal(await slider.getAttribute("aria-valuetext"), "12");
  await page.waitForFunction(() => document.querySelectorAll("#visited tbody th").length === 3);
  assert.match(page.url(), /&cell=11$/);
  // The address alone leads there, and tells where one has been.
  await page.reload();
  await done("turn 12");
  assert.deepEqual(await page.locator("#visited tbody th").allTextContents(), ["turn 1", "turn 2", "turn 12"]);
  // A point tells what it is, and leads there.
  const point = page.locator("#visited figure svg circle[r='8']").first();
  await point.scrollIntoViewIfNeeded();
  const { x, y } = await point.boundingBox();
  await page.mouse.move(x + 10, y + 10);
  assert.match(await page.locator(".tip").textContent(), /^turn 1, turn: [\d.]+ ± [\d.]+$/);
  await page.mouse.click(x + 10, y + 10);
  await page.waitForURL(/&cell=0$/);
  await done("turn 1");
  await page.getByRole("link", { name: "First games" }).click();
  await page.waitForURL("**/games");
  const told = (await page.locator("tbody tr").nth(5).locator("td").first().textContent()).match(/with (\d+)/g);
  await page.getByRole("link", { name: "Watch 5", exact: true }).click();
  await page.waitForURL("**/r/*.5*");
  await page.locator("#end").click();
  const scores = await page.locator("#players .number").allTextContents();
  assert.deepEqual(scores.map((score) => `with ${score}`), told);
});

test("a sweep's points lead to its cells, and every plot is there as picture and numbers", async () => {
  const page = await visitor();
  await page.goto(`${server.address}/lab/incan-gold`);
  await page.locator("[id='agent.0']").fill("turn:3..6");
  await page.locator("[id='agent.1']").fill("hazards:1..3");
  await page.locator("[id='seat.2']").selectOption("nobody");
  await page.locator("#episodes").fill("200");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.waitForURL("**/lab/job/*");
  await page.waitForFunction(() => /Done: 200 episodes of every cell/.test(document.querySelector("#status").textContent));
  const run = page.url();
  const figures = page.locator(".report figure");
  for (let index = 0; index < (await figures.count()); index += 1) {
    const [name, links] = [await figures.nth(index).getAttribute("id"), await figures.nth(index).locator(".files a").allTextContents()];
    assert.deepEqual(links, ["SVG", "Data", "PNG"], name);
  }
  const [picture] = await Promise.all([page.waitForEvent("download"), figures.first().locator("a.png").click()]);
  const png = readFileSync(await picture.path());
  const [width, height] = await figures.first().locator("svg").evaluate((svg) => [svg.viewBox.baseVal.width, svg.viewBox.baseVal.height]);
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [2 * width, 2 * height]);
  assert.equal(`plot-${picture.suggestedFilename()}`, `${await figures.first().getAttribute("id")}.png`);
  // The third row and the second column.
  const cell = figures.first().locator("svg circle[r='8']").filter({ has: page.locator("title", { hasText: "turn 5, hazards 2" }) }).first();
  await cell.scrollIntoViewIfNeeded();
  const { x, y } = await cell.boundingBox();
  await page.mouse.click(x + 8, y + 8);
  await page.waitForURL(/&cell=7$/);
  await page.waitForFunction(() => /Done/.test(document.querySelector("#status")?.textContent));
  assert.equal(await page.locator("#cell > h2").textContent(), "turn 5, hazards 2");
  const walk = new URL(page.url());
  const games = await page.getByRole("link", { name: "First games" }).getAttribute("href");
  assert.deepEqual(await everywhere([walk.pathname + walk.search, "/lab/incan-gold/ask", new URL(run).pathname, games]), []);
});

test("a walk and a question need no script", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(`${server.address}/lab/incan-gold`);
  await page.locator("[id='agent.0']").fill("turn:3..5");
  await page.locator("[id='seat.1']").selectOption("nobody");
  await page.locator("[id='seat.2']").selectOption("nobody");
  await page.locator("#episodes").fill("300");
  await page.getByRole("button", { name: /Walk through/ }).click();
  assert.match(await page.locator("#unplayed").textContent(), /has not been played/);
  await page.getByRole("radio", { name: "4" }).check();
  await page.getByRole("button", { name: "Show this cell" }).click();
  await until("a run that is done", async () => /Done/.test(await page.locator("#status").textContent()), () => page.reload());
  assert.equal(await page.locator("#cell > h2").textContent(), "turn 4");
  await page.goto(`${server.address}/lab/incan-gold/ask`);
  for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
  await page.locator("#others").fill("turn:7\nturn:3");
  await page.locator("#episodes").fill("200");
  await page.getByRole("button", { name: /How much is luck/ }).click();
  await until("a run that is done", async () => /Done/.test(await page.locator("#status").textContent()), () => page.reload());
  assert.match(await page.locator("#how-much-is-luck").textContent(), /luck/);
});
