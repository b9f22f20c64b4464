// Structured actions, put together step by step by mouse and by keys.
import assert from "node:assert/strict";
import { answered, number, open, step, test, turn, visitor } from "../support.mjs";
import { TEST_MS, until } from "../waits.mjs";

test("a duel of game17 is put together by the mouse, square by square", async () => {
  const page = await visitor();
  await open(page, "game17", { "agent.0": "me", "agent.1": "hunter", "set.size": "4", "set.rounds": "5", seed: "3" });
  const spots = page.locator("#board .target.spot");
  let moves = 0;
  await until("the end of the game", async () => !(await turn(page)), async () => {
    const before = await number(page);
    for (let move = 0; move < 2 && (await spots.count()) > 0; move += 1) {
      // A square of mine, one next to it, and once more: all that is there.
      await step(page, () => spots.first().click());
      assert.equal(await page.locator("#board .target.chosen").count(), 1);
      await step(page, () => spots.nth(move).click());
      await step(page, () => (move === 0 ? spots.first().click() : page.locator("#composer .compose button[data-target]").first().click()));
      assert.equal(await page.locator("#composer .lines li").count(), move + 1);
      moves += 1;
    }
    if ((await page.locator("#composer [data-undo]").count()) > 0) {
      const lines = await page.locator("#composer .lines li").count();
      await step(page, () => page.getByRole("button", { name: "Take back the last step" }).click());
      assert.equal(await page.locator("#composer .lines li").count(), lines - 1);
    }
    await page.locator("#composer button[name=action]").click();
    await answered(page, before);
    assert.equal(await page.locator("#notice").textContent(), "");
  }, TEST_MS);
  assert.ok(moves >= 5, `${moves} moves`);
  assert.match(await page.locator("#ask").textContent(), /Ended by/);
});

test("a duel of game17 is put together by keys alone", async () => {
  const page = await visitor();
  await open(page, "game17", { "agent.0": "me", "agent.1": "hunter", "set.size": "4", "set.rounds": "4", seed: "3" });
  await until("the end of the game", async () => !(await turn(page)), async () => {
    const before = await number(page);
    const first = page.locator("#board .target.spot[tabindex='0']");
    if ((await first.count()) > 0) {
      await first.focus();
      await step(page, () => page.keyboard.press("Enter"));
      // The focus stays on the board: the arrows choose the direction.
      assert.ok(await page.evaluate(() => document.activeElement.closest("#board .target.spot") !== null));
      await page.keyboard.press("ArrowDown");
      await step(page, () => page.keyboard.press("Enter"));
      await step(page, () => page.keyboard.press("Enter"));
      await step(page, () => page.keyboard.press("u"));
      assert.equal(await page.locator("#composer .lines li").count(), 0);
      // And by the list: Tab and Enter.
      await page.keyboard.press("m");
      for (let part = 0; part < 3; part += 1) {
        await page.locator("#composer .compose button:not([data-undo])").last().focus();
        await step(page, () => page.keyboard.press("Enter"));
      }
      assert.equal(await page.locator("#composer .lines li").count(), 1);
    }
    await page.locator("#composer button[name=action]").focus();
    await page.keyboard.press("Enter");
    await answered(page, before);
  }, TEST_MS);
  assert.match(await page.locator("#ask").textContent(), /Ended by/);
});
