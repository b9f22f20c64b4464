// Boards: sizes of texts and spots, spots that overlap, zoom, and growth.
import assert from "node:assert/strict";
import { join } from "node:path";
import { answered, complaints, games, geometry, number, open, test, turn, visitor } from "../support.mjs";

test("every text can be read and every spot pressed, early and late, at three widths", async () => {
  const told = [];
  for (const game of games) {
    const page = await visitor();
    await open(page, game, { "agent.0": "random", "agent.1": "random", seed: "3" });
    await page.waitForFunction(() => /is over/.test(document.querySelector("#status").textContent));
    const replay = page.url().replace("/t/", "/r/");
    await page.goto(`${replay}?as=0`);
    await page.locator("#end").click();
    const last = Number(await page.locator("#number").inputValue());
    for (const part of [0.05, 0.5, 0.9]) {
      await page.goto("about:blank");
      await page.setViewportSize({ width: 1280, height: 844 });
      await page.goto(`${replay}?as=0#${Math.round(last * part)}`);
      await page.getByRole("button", { name: "Play on" }).click();
      await page.waitForURL("**/t/*");
      await page.waitForFunction(() => /your turn|is over/.test(document.querySelector("#status").textContent));
      for (const width of [390, 768, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        // As the page opens it at this width.
        await page.reload();
        await page.waitForFunction(() => document.querySelector("#board.panels") !== null);
        const where = `${game} at ${part} of ${last}, ${width} pixels`;
        if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${game}-${part}-${width}.png`) });
        told.push(...(await geometry(page)).map((text) => `${where}: ${text}`));
      }
    }
    await page.context().close();
  }
  assert.deepEqual(told, []);
});

test("where spots lie upon each other, it is asked which is meant", async () => {
  const page = await visitor();
  await open(page, "carcassonne", { "agent.0": "me", "agent.1": "greedy", seed: "4" });
  await turn(page);
  // Two spots of different meaning are laid upon each other.
  const names = await page.evaluate(() => {
    const [first, second] = [...document.querySelectorAll("#board .spot[data-action]")].filter((spot, index, all) => all.findIndex((other) => other.dataset.action === spot.dataset.action) === index);
    const copy = second.cloneNode(true);
    first.after(copy);
    const [a, b] = [first.getBoundingClientRect(), copy.getBoundingClientRect()];
    const matrix = first.parentNode.getScreenCTM();
    copy.setAttribute("transform", `translate(${(a.left - b.left) / matrix.a} ${(a.top - b.top) / matrix.d}) ${copy.getAttribute("transform") ?? ""}`);
    first.scrollIntoView({ block: "center", inline: "center" });
    first.dataset.mine = "yes";
    return [first.getAttribute("aria-label"), second.getAttribute("aria-label")];
  });
  const before = await number(page);
  const box = await page.locator("#board [data-mine]").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForSelector("#here");
  assert.deepEqual((await page.locator("#here button").allTextContents()).sort(), names.sort());
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#here").count(), 0);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.locator("#here button").first().click();
  await answered(page, before);
});

test("the board is larger, smaller or seen as a whole, by buttons, keys and the mouse", async () => {
  const page = await visitor({ viewport: { width: 768, height: 844 } });
  await open(page, "carcassonne", { "agent.0": "me", "agent.1": "greedy", seed: "4" });
  await turn(page);
  const size = () => page.evaluate(() => [document.querySelector(".pan svg").getBoundingClientRect().width, document.querySelector(".pan").clientWidth]);
  const [opened] = await size();
  await page.getByRole("button", { name: "Larger" }).click();
  const [larger] = await size();
  assert.ok(Math.abs(larger / opened - 1.25) < 0.02, `${opened} ${larger}`);
  await page.keyboard.press("-");
  await page.keyboard.press("-");
  assert.ok((await size())[0] < opened);
  await page.keyboard.press("0");
  const [whole, room] = await size();
  assert.ok(whole <= room + 1, `${whole} in ${room}`);
  await page.keyboard.press("0");
  assert.equal((await size())[0], opened);
  // What is pulled is not pressed.
  for (let step = 0; step < 9; step += 1) await page.keyboard.press("+");
  const before = await number(page);
  const box = await page.locator(".pan").boundingBox();
  const at = () => page.evaluate(() => [document.querySelector(".pan").scrollLeft, document.querySelector(".pan").scrollTop]);
  const place = await at();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 - 60, box.y + box.height / 2 - 40, { steps: 4 });
  await page.mouse.up();
  assert.deepEqual(await at(), [place[0] + 60, place[1] + 40]);
  assert.equal(await number(page), before);
  assert.equal(await page.locator("#ask .draft").count(), 0);
});

test("a late board opens so large that it can be read, and can be played as a whole", async () => {
  const page = await visitor();
  await open(page, "carcassonne", { "agent.0": "random", "agent.1": "random", seed: "3" });
  await page.waitForFunction(() => /is over/.test(document.querySelector("#status").textContent));
  const replay = page.url().replace("/t/", "/r/");
  await page.goto(`${replay}?as=0`);
  await page.locator("#end").click();
  const last = Number(await page.locator("#number").inputValue());
  await page.goto("about:blank");
  await page.goto(`${replay}?as=0#${Math.round(last * 0.9)}`);
  await page.getByRole("button", { name: "Play on" }).click();
  await page.waitForURL("**/t/*");
  const places = page.locator("#board .place.spot");
  for (const width of [1280, 768, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.reload();
    await turn(page);
    assert.ok((await page.locator("#board .place").count()) > 10, "tiles can be laid in many places");
    const cell = () => page.evaluate(() => document.querySelector("#board .place").getBoundingClientRect().width);
    const seen = () => page.evaluate(() => [document.querySelector(".pan svg"), document.querySelector(".pan")].map((node) => [node.getBoundingClientRect().width, node.clientHeight]));
    const opened = await cell();
    assert.ok(opened > 40 && opened < 75, `a cell of ${opened} pixels at ${width}`);
    await page.getByRole("button", { name: "Fit" }).click();
    const [[whole], [room]] = await seen();
    assert.ok(whole <= room + 1, `${whole} of ${room}`);
    assert.equal(await page.getByRole("button", { name: "Fit" }).getAttribute("aria-pressed"), "true");
  }
  // All of the board on a phone: a place is pressed, and which of its moves is asked, with pictures of them.
  const place = places.filter({ hasNot: page.locator(".aside") }).and(page.locator("[aria-label$='moves']")).first();
  const [name, before] = [await place.getAttribute("aria-label"), await number(page)];
  await place.dispatchEvent("click");
  const here = page.locator("#here button");
  assert.equal(name.match(/(\d+) moves$/)[1], String(await here.count()));
  assert.equal(await page.locator("#here button svg").count(), await here.count());
  assert.deepEqual(await complaints(page, "which of a place's moves"), []);
  const said = await here.last().textContent();
  assert.ok(said.startsWith("place tile"), said);
  await here.last().click();
  await answered(page, before);
  assert.equal(await page.locator("#notice").textContent(), "");
});

test("a board that grows stays where it is, at the size that was chosen", async () => {
  const page = await visitor({ viewport: { width: 768, height: 844 } });
  await open(page, "carcassonne", { "agent.0": "me", "agent.1": "greedy", seed: "4" });
  await turn(page);
  for (let step = 0; step < 4; step += 1) await page.keyboard.press("+");
  const corner = () => page.evaluate(() => {
    const [tile, pane] = [document.querySelector("#board .pan g[transform] > g").getBoundingClientRect(), document.querySelector(".pan")];
    return { left: tile.left - pane.getBoundingClientRect().left, top: tile.top - pane.getBoundingClientRect().top, width: tile.width, view: pane.firstChild.getAttribute("viewBox") };
  });
  const first = await corner();
  let grown = 0;
  for (let move = 0; move < 8 && (await turn(page)); move += 1) {
    const before = await number(page);
    const was = await corner();
    await page.locator("#ask button[name=action]").first().dispatchEvent("click");
    await answered(page, before);
    await turn(page);
    const now = await corner();
    grown += was.view === now.view ? 0 : 1;
    assert.ok(Math.abs(now.width / first.width - 1) < 0.02, `${now.width} instead of ${first.width}`);
  }
  assert.ok(grown > 0, "the board has grown");
});
