// Pictures of pages: parts that were renewed against a fresh page, and pages against stored pictures.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compare, differing, MOST, store, surroundings } from "../pictures.mjs";
import { answered, browser, games, number, open, pictured, serve, server, still, test, turn, visitor, widths } from "../support.mjs";

test("what was renewed piece by piece looks like the same page opened anew, at three widths, light and dark", async () => {
  const told = [];
  const keep = process.env.PICTURES;
  for (const colorScheme of ["light", "dark"]) {
    for (const game of games) {
      const page = await visitor({ colorScheme, reducedMotion: "reduce" });
      await open(page, game, { "agent.0": "me", "agent.1": "random", seed: "5" });
      for (const moment of colorScheme === "light" ? ["early", "later"] : ["early"]) {
        for (let move = 0; move < 4 && (await turn(page)); move += 1) {
          const before = await number(page);
          await page.locator("#ask button[name=action]").first().dispatchEvent("click");
          await answered(page, before);
        }
        await turn(page);
        const renewed = [];
        for (const width of widths) renewed.push(await pictured(page, width));
        for (const [index, width] of widths.entries()) {
          await page.reload();
          const fresh = await pictured(page, width);
          const parts = differing(renewed[index], fresh);
          if (parts <= MOST) continue;
          const which = `${game}-${moment}-${width}-${colorScheme}`;
          told.push(`${which}: ${parts.toFixed(2)} of 1000 pixels`);
          if (keep) for (const [name, picture] of [["renewed", renewed[index]], ["fresh", fresh]]) writeFileSync(join(keep, `${name}-${which}.png`), picture);
        }
      }
      await page.context().close();
    }
  }
  assert.deepEqual(told, []);
});

test("pages and boards look like the stored pictures", async () => {
  // Nobody else's tables are on the first page of a server of its own.
  const own = await serve("--port", "0", "--forget");
  const pictures = [];
  for (const [colorScheme, width] of [["light", 390], ["dark", 1280]]) {
    const page = await visitor({ colorScheme, reducedMotion: "reduce" });
    const take = async (name, element) => pictures.push([`${name}-${width}-${colorScheme}`, await still(page, element)]);
    await page.setViewportSize({ width, height: 844 });
    for (const [name, path] of [["home", "/"], ["new", "/new/incan-gold"], ["lab", "/lab/incan-gold"], ["replays", "/replays"]]) {
      await page.goto(own.address + path);
      // The example game is there or not, as the program was built.
      await page.locator("li.game", { has: page.locator('a[href$="/coin-game"]') }).evaluateAll((cards) => cards.forEach((card) => card.remove()));
      await take(name, page);
    }
    for (const game of games) {
      await open(page, game, { "agent.0": "me", "agent.1": "random", seed: "5" }, own.address);
      for (let move = 0; move < 2 && (await turn(page)); move += 1) {
        const before = await number(page);
        await page.locator("#ask button[name=action]").first().dispatchEvent("click");
        await answered(page, before);
      }
      await turn(page);
      await page.reload();
      await turn(page);
      await take(game, page.locator("#board"));
    }
    await page.context().close();
  }
  await own.end("SIGINT");
  const made = surroundings(browser.version());
  if (process.env.STORE) store(pictures, made);
  if (process.env.PICTURES) for (const [name, picture] of pictures) writeFileSync(join(process.env.PICTURES, `${name}.png`), picture);
  assert.deepEqual(compare(pictures, made), []);
});

test("pages see the fonts of the tests, and none of the machine", async () => {
  const listed = spawnSync("fc-list", [":", "family"], { encoding: "utf8" }).stdout ?? "";
  const families = listed.split("\n").flatMap((line) => line.split(",")).filter((family) => family !== "" && !family.startsWith("DejaVu Sans"));
  families.push("Arial", "Times New Roman", "Courier New", "Liberation Sans", "Noto Sans", "serif", "sans-serif");
  const page = await visitor();
  await page.goto(`${server.address}/help`);
  const widthsOf = (families) => page.evaluate((families) => families.map((family) => {
    const text = document.body.appendChild(document.createElement("span"));
    text.style.cssText = `font: 40px ${/^[a-z-]+$/.test(family) ? family : JSON.stringify(family)}; white-space: pre`;
    text.textContent = "How many Foxes? 0123456789";
    return text.getBoundingClientRect().width;
  }), families);
  const [fallback, sans] = await widthsOf(["no such font", "DejaVu Sans"]);
  assert.equal(fallback, sans);
  const found = await widthsOf(families);
  assert.deepEqual(families.filter((_, index) => found[index] !== fallback), []);
});
