// Several people at one table: joining, watching, advice, notifications, rematches.
import assert from "node:assert/strict";
import { answered, number, open, test, turn, visitor } from "../support.mjs";
import { until } from "../waits.mjs";

test("what has happened since is told in a line, its lines light the board, and whoever wants it is told by a notification", async () => {
  const page = await visitor({ permissions: ["notifications"] });
  // What the page tells the system, and whether the page is seen.
  await page.addInitScript(() => {
    window.told = [];
    window.Notification = class extends EventTarget {
      static permission = "granted";
      static requestPermission = async () => "granted";
      constructor(title, { body }) {
        super();
        window.told.push([title, body]);
      }
    };
    Object.defineProperty(document, "hidden", { get: () => true });
    document.hasFocus = () => false;
  });
  await open(page, "carcassonne", { "agent.0": "me", "agent.1": "greedy", seed: "3" });
  await turn(page);
  assert.equal(await page.locator("#since").textContent(), "");
  await page.locator("summary", { hasText: "Notify me when it is my turn" }).click();
  for (const box of await page.locator("[name^=tell-]").all()) await box.check();
  for (let move = 0; move < 4; move += 1) {
    await turn(page);
    const before = await number(page);
    await page.locator("#ask button[name=action]").first().dispatchEvent("click");
    await answered(page, before);
  }
  await turn(page);
  const since = await page.locator("#since").textContent();
  assert.match(since, /^Since your last move: .*seat 1 (lays|claims)/);
  const told = await page.evaluate(() => window.told);
  assert.deepEqual(told.at(-1), [await page.title(), since]);
  const line = page.locator("#log li.new").filter({ hasText: "seat 1 lays" }).last();
  await line.hover();
  assert.ok((await page.locator("#board .lit").count()) > 0);
  await page.locator("#status").hover();
  assert.equal(await page.locator("#board .lit").count(), 0);
  // The choice stays with the browser.
  await page.reload();
  await turn(page);
  for (const box of await page.locator("[name^=tell-]").all()) assert.ok(await box.isChecked());
  await page.context().close();
});

test("two people play each other, and one watches", async () => {
  const [host, friend, watcher] = [await visitor(), await visitor(), await visitor()];
  await open(host, "incan-gold", { "seat.0": "me", "seat.1": "friend", name: "Ann", seed: "4" });
  // Words that are being typed, and what is marked in them, outlast the news that somebody sits down.
  await host.locator("#typed").fill("stay");
  await host.evaluate(() => document.querySelector("#typed").setSelectionRange(1, 3));
  await friend.goto(`${host.url()}/join/1`);
  await friend.locator("#name").fill("Ben");
  await friend.getByRole("button", { name: /Sit down/ }).click();
  await friend.waitForURL(/\/t\/\w+$/);
  await watcher.goto(host.url());
  await host.waitForFunction(() => /Ben/.test(document.querySelector("#players").textContent));
  const focused = () => [document.activeElement.id, document.activeElement.value, getSelection().toString()];
  assert.deepEqual(await host.evaluate(focused), ["typed", "stay", "ta"]);
  for (let round = 0; round < 4 && (await turn(host)) && (await turn(friend)); round += 1) {
    const numbers = [await number(host), await number(friend)];
    await host.locator("#ask").getByRole("button", { name: /^stay/ }).click();
    await friend.locator("#ask").getByRole("button", { name: /^stay/ }).click();
    await Promise.all([answered(host, numbers[0]), answered(friend, numbers[1])]);
  }
  const lines = await host.locator("#log li").count();
  await watcher.waitForFunction((lines) => document.querySelectorAll("#log li").length >= lines, lines);
  assert.equal(await watcher.locator("#ask button[name=action]").count(), 0);
});

test("advice stays while the question is the same", async () => {
  const [host, friend] = [await visitor(), await visitor()];
  await open(host, "incan-gold", { "seat.0": "me", "seat.1": "friend", name: "Ann", seed: "4" });
  const table = host.url();
  await friend.goto(`${table}/join/1`);
  await friend.locator("#name").fill("Ben");
  await friend.getByRole("button", { name: /Sit down/ }).click();
  await friend.waitForURL(/\/t\/\w+$/);
  await host.goto(`${table}?as=0&hint=1`);
  await host.waitForSelector(".advice");
  const before = await number(host);
  // Somebody else leaves: the page is renewed, and the question is the same.
  await friend.getByText("Leave the table").click();
  await friend.getByRole("button", { name: "Leave", exact: true }).click();
  await host.waitForFunction(() => !/Ben/.test(document.querySelector("#players").textContent));
  assert.equal(await number(host), before);
  assert.equal(await host.locator(".advice").count(), 1);
  await host.locator("#ask button[name=action]").first().click();
  await answered(host, before);
  assert.equal(await host.locator(".advice").count(), 0);
});

test("everybody is led to a rematch", async () => {
  const [host, friend, watcher] = [await visitor(), await visitor(), await visitor()];
  await open(host, "incan-gold", { "seat.0": "me", "seat.1": "friend", name: "Ann", seed: "4" });
  await friend.goto(`${host.url()}/join/1`);
  await friend.getByRole("button", { name: /Sit down/ }).click();
  await friend.waitForURL(/\/t\/\w+$/);
  const table = host.url();
  await watcher.goto(table);
  const over = (page) => page.evaluate(() => /is over/.test(document.querySelector("#status").textContent));
  await until("the end of the game", () => over(host), async () => {
    for (const page of [host, friend]) {
      if (!(await turn(page))) break;
      const before = await number(page);
      await page.locator("#ask").getByRole("button", { name: /^leave with/ }).click();
      await answered(page, before);
    }
  });
  // With other people at the table, nobody chooses the seed of the rematch.
  await host.route(/\/rematch$/, (route) => route.continue());
  await host.getByRole("button", { name: /^Rematch/ }).click();
  await friend.waitForURL((url) => url.href !== table && /\/t\/\w+$/.test(url.pathname));
  assert.equal(friend.url(), host.url());
  await watcher.getByRole("link", { name: "Watch the rematch" }).click();
  await watcher.waitForURL(host.url());
  await turn(friend);
  assert.equal(await friend.locator("#ask input[name=seat]").first().getAttribute("value"), "0");
});
