// Pages without a script.
import assert from "node:assert/strict";
import { number, open, server, test, visitor } from "../support.mjs";
import { until } from "../waits.mjs";

test("a turn is tried, undone and confirmed without a script", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(server.address);
  await page.getByRole("button", { name: /Play now Carcassonne/ }).click();
  const actions = page.locator("#ask button[name=action]");
  await until("a question", async () => (await actions.count()) > 0, () => page.reload());
  const question = await number(page);
  const lines = page.locator("#ask .draft .lines li");
  // The page comes anew, on a busy machine some time after the button was pressed.
  const wait = (count) => lines.nth(count - 1).waitFor();
  const steps = () => lines.count();
  const choose = async () => {
    // The questions before the button are opened one after the other.
    const closed = actions.first().locator("xpath=ancestor::details[not(@open)]/summary");
    await until("the parts to open", async () => (await closed.count()) === 0, () => closed.first().click());
    await actions.first().click();
  };
  await choose();
  await wait(1);
  assert.equal(await steps(), 1);
  assert.match(await page.locator("#status").textContent(), /1 step to confirm/);
  await page.getByRole("button", { name: /^Undo the last step/ }).click();
  await lines.first().waitFor({ state: "detached" });
  assert.equal(await steps(), 0);
  assert.equal(await number(page), question);
  // The whole turn.
  let tried = 0;
  await until("the end of a turn", async () => (await actions.count()) === 0, async () => {
    await choose();
    tried += 1;
    await wait(tried);
    assert.equal(await steps(), tried);
  });
  assert.ok(tried >= 2);
  await page.getByRole("button", { name: `Confirm ${tried} steps` }).click();
  assert.equal(await page.locator("#notice").textContent(), "");
  await until("a question", async () => (await actions.count()) > 0, () => page.reload());
  assert.equal(await steps(), 0);
  assert.ok(Number(await number(page)) >= Number(question) + tried);
});

test("everything works without a script", async () => {
  const page = await visitor({ javaScriptEnabled: false });
  await page.goto(server.address);
  await page.getByRole("button", { name: /Play now Incan Gold/ }).click();
  for (let move = 0; move < 5; move += 1) {
    const stay = page.locator("#ask").getByRole("button", { name: /^stay/ });
    if ((await stay.count()) === 0) break;
    await stay.click();
  }
  await page.getByRole("link", { name: "Step back through the game" }).click();
  await page.getByRole("link", { name: "Back", exact: true }).click();
  assert.match(await page.locator("h1").textContent(), /moment/);
  // A move is put together by a form that goes round.
  // With this seed its square is not taken before its first turn, after which nothing would be asked.
  await open(page, "game17", { "agent.0": "me", "agent.1": "hunter", "set.size": "4", "set.rounds": "5", seed: "3" });
  await until("a question", async () => (await page.locator("#composer").count()) > 0, () => page.reload());
  const choose = (name) => page.locator("#composer").getByRole("button", { name }).last().click();
  await choose(/^row \d+, column \d+/);
  await choose(/, north to/);
  await choose(/, 1 piece:/);
  assert.match(await page.locator("#composer .lines").textContent(), /^1 piece from row/);
  await page.getByRole("button", { name: "Make this move" }).click();
  assert.equal(await page.locator("#notice").textContent(), "");
});
