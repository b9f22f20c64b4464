// Members and the operator: accounts, clocks, and the operator's page.
import assert from "node:assert/strict";
import { answered, complaints, number, open, serve, test, turn, visitor } from "../support.mjs";
import { until } from "../waits.mjs";

test("a member finds its seat at another browser, time runs for it, and axe finds nothing on members' pages", async () => {
  const own = await serve("--port", "0", "--forget", "--accounts");
  const told = [];
  const look = async (page, where) => {
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      told.push(...(await complaints(page, `${where} at ${width}`)));
    }
  };
  const enter = async (page, action, password) => {
    await page.goto(`${own.address}/login`);
    const form = page.locator(`form[action='${action}']`);
    await form.locator("[name=name]").fill("Ann");
    await form.locator("[name=password]").fill(password);
    await form.getByRole("button").click();
  };
  const [home, away] = [await visitor(), await visitor({ colorScheme: "dark" })];
  await home.goto(`${own.address}/login`);
  await look(home, "the login");
  await enter(home, "/register", "four long words here");
  await home.getByRole("link", { name: "Ann", exact: true }).waitFor();
  await open(home, "incan-gold", { "agent.0": "me", "agent.1": "turn:9", seed: "2", time: "10m+5s" }, own.address);
  await turn(home);
  assert.match(await home.locator("#players .clock").first().textContent(), /^\d+:\d\d$/);
  const table = new URL(home.url()).pathname;
  await enter(away, "/login", "four long words here");
  await away.getByRole("link", { name: "Ann", exact: true }).click();
  await look(away, "a member's page");
  await away.locator(`a[href='${table}']`).click();
  await turn(away);
  const before = await number(away);
  await away.locator("#ask button[name=action]").first().click();
  await answered(away, before);
  // It plays at home, too: the page there has heard of it.
  await home.waitForFunction((before) => document.querySelector("#ask input[name=number]")?.value !== before, before);
  await home.goto(`${own.address}/me`);
  await home.getByRole("button", { name: "Log out all others" }).click();
  await home.waitForFunction(() => document.querySelectorAll("ul.desk li").length === 1);
  await away.goto(`${own.address}/me`);
  assert.match(away.url(), /\/login/);
  for (const page of [home, away]) await page.context().close();
  await own.end("SIGINT");
  assert.deepEqual(told, []);
});

test("the operator sees the tables, ends one and locks a member out, and axe finds nothing", async () => {
  const own = await serve("--port", "0", "--forget", "--accounts", "--operator");
  const told = [];
  const [player, operator] = [await visitor(), await visitor()];
  await player.goto(`${own.address}/login`);
  const form = player.locator("form[action='/register']");
  await form.locator("[name=name]").fill("Ann");
  await form.locator("[name=password]").fill("four long words here");
  await form.getByRole("button").click();
  await player.getByRole("link", { name: "Ann", exact: true }).waitFor();
  await open(player, "incan-gold", { "agent.0": "me", "agent.1": "turn:9", seed: "2" }, own.address);
  await turn(player);
  const table = new URL(player.url()).pathname.slice(3);
  // The link is told at the beginning, perhaps a moment after the address.
  let link = null;
  await until("the operator's link", () => (link = /http\S+\/operator\/\S+/.exec(own.said())), () => operator.waitForTimeout(20));
  for (const colorScheme of ["light", "dark"]) {
    await operator.emulateMedia({ colorScheme });
    for (const width of [1280, 390]) {
      await operator.setViewportSize({ width, height: 844 });
      await operator.goto(link[0]);
      told.push(...(await complaints(operator, `the operator's page at ${width}, ${colorScheme}`)));
    }
  }
  await operator.getByLabel(`Why ${table} is ended`).fill("the server moves");
  await operator.getByRole("button", { name: /^End table/ }).click();
  await player.waitForFunction(() => /the server moves/.test(document.body.textContent));
  await operator.getByLabel("Name").fill("ann");
  await operator.getByRole("button", { name: "Lock the account" }).click();
  await operator.getByRole("button", { name: /^Unban.*Ann/ }).waitFor();
  await player.goto(`${own.address}/me`);
  assert.match(player.url(), /\/login/);
  for (const page of [player, operator]) await page.context().close();
  await own.end("SIGINT");
  assert.deepEqual(told, []);
});
