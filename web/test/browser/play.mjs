// A person at a table: spots, buttons, keys, typed moves, and turns that are confirmed.
import assert from "node:assert/strict";
import { answered, complaints, games, number, open, server, test, turn, visitor } from "../support.mjs";
import { TEST_MS, until } from "../waits.mjs";

test("every game is played by pressing spots of the board and buttons", async () => {
  for (const game of games) {
    const page = await visitor();
    await open(page, game, { "agent.0": "me", "agent.1": "random", seed: "3" });
    for (let move = 0; move < 12 && (await turn(page)); move += 1) {
      const before = await number(page);
      const spots = page.locator("#board .spot[data-action]:not([aria-hidden]), #board .place.spot");
      if (move % 2 === 0 && (await spots.count()) > 0) {
        await spots.first().dispatchEvent("click");
        const here = page.locator("#here button");
        if ((await here.count()) > 0) await here.first().dispatchEvent("click");
      } else await page.locator("#ask button[name=action]").first().dispatchEvent("click");
      await answered(page, before);
      assert.equal(await page.locator("#notice").textContent(), "");
    }
    // The page that was renewed piece by piece shows what a fresh one does.
    await turn(page);
    const shown = () => page.evaluate(() => ({
      board: window.drawn(),
      log: document.querySelector("#log").textContent,
      ask: document.querySelector("#ask").textContent,
    }));
    const renewed = await shown();
    await page.reload();
    assert.deepEqual(renewed, await shown(), game);
    await page.context().close();
  }
});

test("a turn is tried, undone and confirmed, and nobody else sees it before", async () => {
  const [host, watcher] = [await visitor(), await visitor()];
  await open(host, "carcassonne", { "agent.0": "me", "agent.1": "me", seed: "4" });
  await watcher.goto(`${host.url()}?as=watch`);
  // Two seats of one browser that know different things: it is asked to whom it is to be given.
  await host.goto(`${host.url()}?as=0`);
  if (!(await host.locator("#ask button[name=action]").count())) await host.goto(host.url().replace("as=0", "as=1"));
  const seen = (page) => page.evaluate(() => window.drawn() + document.querySelector("#log").textContent + document.querySelector("#status").textContent);
  const steps = (page) => page.locator("#ask .draft .lines li").count();
  const tried = (count) => host.waitForFunction((count) => document.querySelectorAll("#ask .draft .lines li").length === count, count);
  const press = () => host.locator("#ask button[name=action]").first().dispatchEvent("click");
  const [own, others, question] = [await seen(host), await seen(watcher), await number(host)];
  await press();
  await tried(1);
  assert.match(await host.locator("#status").textContent(), /your turn.*1 step to confirm/s);
  assert.ok(await host.evaluate(() => document.querySelector("#board").classList.contains("drafted")));
  assert.notEqual(await seen(host), own);
  await host.keyboard.press("u");
  await tried(0);
  assert.equal(await seen(host), own, "as if nothing had been tried");
  await press();
  await tried(1);
  const draft = await seen(host);
  await host.reload();
  assert.equal(await seen(host), draft, "a draft outlasts the page");
  // The rest of the turn, until nothing is left but to confirm.
  const nothingLeft = async () => (await host.locator("#ask button[name=action]").count()) === 0;
  await until("the end of a turn", nothingLeft, async () => {
    const before = await steps(host);
    await press();
    await tried(before + 1);
  });
  assert.ok((await steps(host)) >= 2);
  assert.equal(await seen(watcher), others, "nobody else has seen anything");
  assert.deepEqual(await complaints(host, "a draft"), []);
  await host.keyboard.press("c");
  await host.waitForFunction((before) => document.querySelector("#ask input[name=number]")?.value !== before, question);
  await watcher.waitForFunction((log) => document.querySelector("#log").children.length > log, others.length === 0 ? 0 : 1);
  assert.notEqual(await seen(watcher), others);
});

test("who confirms nothing plays at once", async () => {
  const page = await visitor();
  await open(page, "carcassonne", { "agent.0": "me", "agent.1": "greedy", seed: "4" });
  await turn(page);
  await page.getByText("Confirming: on").click();
  await page.getByRole("button", { name: "Play every step at once" }).click();
  await page.getByText("Confirming: off").waitFor({ state: "attached" });
  const before = await number(page);
  await page.locator("#ask button[name=action]").first().dispatchEvent("click");
  await page.waitForFunction((before) => document.querySelector("#ask input[name=number]")?.value !== before, before);
  assert.equal(await page.locator("#ask .draft").count(), 0);
});

test("a tile is laid by choosing its place and how it is turned", async () => {
  const page = await visitor();
  await open(page, "carcassonne", { "agent.0": "me", "agent.1": "greedy", seed: "4" });
  let opened = 0;
  for (let answer = 0; answer < 16 && opened < 3 && (await turn(page)); answer += 1) {
    const before = await number(page);
    // The first part of every question, until there is a button in it.
    const closed = page.locator("#ask details.part:not([open]) > summary").filter({ visible: true });
    const inside = page.locator("#ask details.part[open] button").filter({ visible: true });
    for (let part = 0; part < 3 && (await closed.count()) > 0 && (await inside.count()) === 0; part += 1) {
      const within = page.locator("#ask details.part[open] details.part > summary").filter({ visible: true });
      await ((await within.count()) > 0 ? within : closed).first().click();
    }
    const buttons = (await inside.count()) > 0 ? inside : page.locator("#ask button[name=action]").filter({ visible: true });
    // While a part is open, the board shows what belongs to it: the spots of its actions, and no other.
    if ((await inside.count()) > 0) {
      opened += 1;
      const bright = page.locator("#board .spot[data-action]:not(.aside)");
      const offered = await page.locator("#ask details.part[open] button").evaluateAll((all) => all.map((button) => button.value));
      for (const spot of await bright.all()) assert.ok(offered.includes(await spot.getAttribute("data-action")));
      assert.ok((await page.locator("#board .spot.aside").count()) > 0);
    }
    await buttons.first().click();
    await answered(page, before);
    assert.equal(await page.locator("#notice").textContent(), "");
  }
  assert.ok(opened > 0, "something was asked part by part");
});

test("a game is played to its end by keys alone", async () => {
  const page = await visitor();
  await open(page, "incan-gold", { "agent.0": "me", "agent.1": "turn:4", seed: "2" });
  await until("the end of the game", async () => !(await turn(page)), async () => {
    const before = await number(page);
    await page.locator("#board .spot[tabindex='0']").focus();
    await page.keyboard.press("ArrowRight");
    const name = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
    assert.ok(name, "a spot has a name");
    await page.keyboard.press("Enter");
    await answered(page, before);
  }, TEST_MS);
  assert.match(await page.locator("#ask").textContent(), /Ended by/);
});

test("moves are typed, and what is wrong is said without losing the words", async () => {
  const page = await visitor();
  await open(page, "incan-gold", { "agent.0": "me", "agent.1": "turn:9", seed: "2" });
  await turn(page);
  await page.keyboard.press("/");
  await page.keyboard.type("fly");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /fly/.test(document.querySelector("#notice").textContent));
  const before = await number(page);
  await page.locator("#typed").fill("y");
  await page.keyboard.press("Enter");
  await answered(page, before);
  assert.equal(await page.locator("#notice").textContent(), "");
  // The clause that forbids it is a link to it, with a script and without.
  for (const javaScriptEnabled of [true, false]) {
    const other = javaScriptEnabled ? page : await visitor({ javaScriptEnabled });
    if (javaScriptEnabled) await open(other, "game17", { "agent.0": "me", "agent.1": "hunter", seed: "2" });
    else {
      await other.goto(`${server.address}/new/game17`);
      await other.getByRole("button", { name: "Open the table" }).click();
      // Others may decide before.
      await until("a question", async () => (await other.locator("#typed").count()) > 0, () => other.reload());
    }
    await other.locator("#typed").fill("99,99:n4");
    await other.getByRole("button", { name: "Play move" }).click();
    await other.locator("#notice a").first().click();
    await other.waitForURL("**/rules/game17#R3.4");
    assert.equal(await other.locator("[id='R3.4']").count(), 1);
  }
});
