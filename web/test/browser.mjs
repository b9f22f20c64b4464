// The pages in a real browser: whole games by pointer and by keys, two people at one table, a server that restarts,
// and what axe says of every page. `node test/browser.mjs PROGRAM [WORDS OF A NAME]`, with Chromium from CHROMIUM or /usr/bin/chromium;
// pictures of tables go to the folder PICTURES, if it is given. `npm run pictures` stores those that pages are held against anew.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { fontEnvironment } from "./fonts.mjs";
import { compare, differing, MOST, store, surroundings } from "./pictures.mjs";
import { TEST_MS, TOTAL_MS, until, WAIT_MS, within } from "./waits.mjs";

const program = process.argv[2] && resolve(process.argv[2]);
if (!program) {
  console.error("expected the program meeple, found nothing\nhint: node test/browser.mjs ../target/debug/meeple");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "meeple-web-"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Servers that run. */
const servers = new Set();

/** A server; `address` is its link, `said` what it has told whoever started it. */
async function serve(...flags) {
  const child = spawn(program, ["serve", "--exempt", "127.0.0.0/8", ...flags], { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  const said = [];
  child.stderr.on("data", (data) => {
    said.push(String(data));
    process.stderr.write(data);
  });
  servers.add(child);
  const ended = new Promise((done) => child.on("exit", done));
  ended.then(() => servers.delete(child));
  const told = new Promise((found, failed) => {
    child.stdout.on("data", (data) => found(String(data).trim().replace(/\/$/, "")));
    ended.then((code) => failed(new Error(`the server ended with ${code}`)));
  });
  const address = await within("a server's address", WAIT_MS, told);
  const end = (signal) => (child.kill(signal), within("a server to end", WAIT_MS, ended));
  return { address, said: () => said.join(""), end };
}

// Whatever hangs, and wherever: it ends.
const testing = { name: "nothing yet" };
setTimeout(() => {
  console.log(`FAILED after ${TOTAL_MS / 60_000} minutes of all tests together, in: ${testing.name}`);
  for (const server of servers) server.kill("SIGKILL");
  browser.process?.()?.kill("SIGKILL");
  process.exit(1);
}, TOTAL_MS).unref();

const browser = await chromium.launch({
  env: fontEnvironment(folder),
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const server = await serve("--port", "0", "--forget");
const games = ["incan-gold", "game17", "carcassonne", "cartolan", "privateers"];

/** What pages have complained of in this test. */
let faults = [];
/** The deal of tables that are opened without saying which. */
const SEED = "3";

/** A page of a browser of its own; whatever it complains of fails the test. No table that it opens is dealt by chance. */
async function visitor(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  await page.route(/\/new\/[^/]*$|\/r\/[^/]*\/play$/, (route) => {
    const [fields, method] = [route.request().postData() ?? "", route.request().method()];
    if (method !== "POST" || /(^|&)seed=\d/.test(fields)) return route.continue();
    return route.continue({ postData: `${fields.replace(/(^|&)seed=(?=&|$)/, "")}&seed=${SEED}` });
  });
  const waitForFunction = page.waitForFunction.bind(page);
  page.waitForFunction = async (holds, given, options) => {
    try {
      return await waitForFunction(holds, given, options);
    } catch (error) {
      const status = await page.locator("#status").textContent({ timeout: 1000 }).catch(() => "none");
      throw new Error(`waited for ${holds} with ${JSON.stringify(given)} at ${page.url()}, in vain; the page's status: ${status}`, { cause: error });
    }
  };
  // The drawing, without what the page adds: which spot the keys are at, and where a place is pressed as a whole.
  await page.addInitScript(() => {
    window.drawn = () => {
      const own = / (class|role|tabindex|aria-hidden|aria-label|id)="[^"]*"/g;
      return [...document.querySelectorAll("#board .panel")].map((panel) => `${panel.getAttribute("aria-label")} ${panel.firstChild.innerHTML.replace(own, "")}`).join("\n");
    };
  });
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !/WebSocket|ERR_CONNECTION|status of 409/.test(message.text())) faults.push(`${page.url()}: ${message.text()}`);
  });
  return page;
}

/** Opens a table as the form does. */
async function open(page, game, fields, address = server.address) {
  await page.goto(`${address}/new/${game}`);
  await page.evaluate((fields) => {
    const form = document.querySelector("form.sheet");
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name, value });
      form.prepend(input);
    }
    // What the form says itself would come second.
    for (const select of form.querySelectorAll("select[name^='seat.']")) select.value = "nobody";
    form.submit();
  }, fields);
  await page.waitForURL("**/t/*");
}

/** Waits until it is this page's turn; false if the game is over. */
async function turn(page) {
  await page.waitForFunction(() => /your turn|is over/.test(document.querySelector("#status").textContent));
  return !/is over/.test(await page.locator("#status").textContent());
}

/** The number of the question that is open; also of pages without a script, in which nothing can be evaluated. */
async function number(page) {
  const field = page.locator("#ask input[name=number]");
  return (await field.count()) > 0 ? field.first().getAttribute("value") : null;
}
/** Waits until the question of this number is open no more; a step that is only tried is confirmed. */
async function answered(page, before) {
  const moved = (before) => document.querySelector("#ask input[name=number]")?.value !== before;
  const tried = (before) => document.querySelector("#ask input[name=number]")?.value !== before || document.querySelector("#ask .draft") !== null;
  await page.waitForFunction(tried, before);
  if ((await number(page)) === before) await page.locator("#ask .draft .primary").click();
  await page.waitForFunction(moved, before);
}

/** Presses what puts an action together, and waits until the next step is shown. */
async function step(page, press) {
  const before = await page.locator("#composer").evaluate((composer) => composer.outerHTML);
  await press();
  await page.waitForFunction((before) => document.querySelector("#composer")?.outerHTML !== before, before);
}

async function complaints(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    // Best practices that people who listen to pages need.
    rules: { "landmark-unique": { enabled: true }, "empty-table-header": { enabled: true } },
  }));
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(" | ")}`);
  // A font that pages do not ask for is the system's: the same page would look otherwise elsewhere.
  const foreign = await page.evaluate(() => {
    const families = [...document.querySelectorAll("body, body *")].flatMap((node) =>
      ["", "::file-selector-button", "::placeholder", "::before"].map((part) => [getComputedStyle(node, part || undefined).fontFamily, node.tagName.toLowerCase() + part]),
    );
    return [...new Set(families.filter(([family]) => !/^"?DejaVu Sans/.test(family)).map(([family, name]) => `${name} has the font ${family}`))];
  });
  told.push(...foreign);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) told.push(`${wide} pixels wider than the window`);
  return told.map((text) => `${where}: ${text}`);
}

/** The complaints about pages at three widths, light and dark. */
async function everywhere(paths) {
  const told = [];
  for (const colorScheme of ["light", "dark"]) {
    const page = await visitor({ colorScheme });
    for (const path of paths) {
      await page.goto(server.address + path);
      for (const width of [1280, 768, 390]) {
        await page.setViewportSize({ width, height: 844 });
        told.push(...(await complaints(page, `${path} at ${width}, ${colorScheme}`)));
      }
    }
    await page.context().close();
  }
  return told;
}

/** What is too small to be read or pressed, or covered, or has the name of another, on the board as it was opened. */
const geometry = (page) =>
  page.evaluate(() => {
    const told = [];
    const board = document.querySelector("#board");
    for (const text of board.querySelectorAll(".panel text")) {
      const place = text.getCTM();
      const size = Number(text.getAttribute("font-size")) * Math.hypot(place.a, place.b);
      if (text.textContent.trim() && size < 11.95) told.push(`text of ${size.toFixed(1)} pixels: ${text.textContent}`);
    }
    const spots = [...board.querySelectorAll(".spot:not([aria-hidden])")];
    const names = spots.map((spot) => spot.getAttribute("aria-label"));
    for (const [index, name] of names.entries()) if (!name || names.indexOf(name) !== index) told.push(`a name twice: ${name}`);
    const isSeen = (spot) => {
      const [{ left, right, top, bottom }, frame] = [spot.getBoundingClientRect(), spot.closest(".panel").getBoundingClientRect()];
      return (left + right) / 2 > frame.left && (left + right) / 2 < frame.right && (top + bottom) / 2 > frame.top && (top + bottom) / 2 < frame.bottom;
    };
    if (spots.length > 0 && !spots.some(isSeen)) told.push("no spot is to be seen at first");
    const spotOf = (found) => found?.closest(".place.spot") ?? found?.closest(".spot") ?? null;
    const panels = [...board.querySelectorAll(".panel")].map((panel) => [panel.getAttribute("aria-label"), panel.getBoundingClientRect()]);
    for (const [index, [name, one]] of panels.entries()) {
      if (!name || panels.findIndex(([other]) => other === name) !== index) told.push(`a panel's name twice: ${name}`);
      // As it is drawn, what is empty of one may lie on another.
      if (board.classList.contains("whole")) continue;
      for (const [other, { left, right, top, bottom }] of panels.slice(0, index)) {
        if (Math.min(right, one.right) - Math.max(left, one.left) > 1 && Math.min(bottom, one.bottom) - Math.max(top, one.top) > 1) told.push(`${name} lies on ${other}`);
      }
    }
    for (const spot of spots) {
      const { width, height } = spot.getBoundingClientRect();
      const name = spot.getAttribute("aria-label");
      if (Math.min(width, height) < 23.9) told.push(`a spot of ${width.toFixed(1)} by ${height.toFixed(1)}: ${name}`);
      spot.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
      const box = spot.getBoundingClientRect();
      // Where several lie upon each other the page asks which is meant: each has at least a circle of 24 pixels.
      let hits = 0;
      const others = new Set();
      for (let at = 0; at < 144; at += 1) {
        const [x, y] = [((at % 12) + 0.5) / 12, (Math.floor(at / 12) + 0.5) / 12];
        const here = document.elementsFromPoint(box.left + box.width * x, box.top + box.height * y);
        const same = (found) => found !== null && ["action", "target", "place"].every((key) => found.dataset[key] === spot.dataset[key]);
        if (here.some((found) => same(spotOf(found)))) hits += 1;
        else others.add(spotOf(here[0])?.getAttribute("aria-label") ?? "something else");
      }
      const area = (hits / 144) * box.width * box.height;
      if (area < Math.PI * 12 * 12 * 0.95) told.push(`${Math.round(area)} of ${Math.round(box.width * box.height)} square pixels are left of: ${name} (${[...others].slice(0, 2).join("; ")})`);
    }
    const list = [...new Set(told)];
    return list.length > 6 ? [...list.slice(0, 6), `and ${list.length - 6} more`] : list;
  });

const widths = [390, 768, 1280];

/** A picture of something on a page as it stays: without a cursor, and with what depends on its size in place. */
async function still(page, element) {
  await page.evaluate(async () => {
    document.activeElement?.blur();
    await document.fonts.ready;
    // What follows from a new size is done before the second frame after it.
    for (let frame = 0; frame < 2; frame += 1) await new Promise((done) => requestAnimationFrame(done));
  });
  return element.screenshot({ animations: "disabled", caret: "hide" });
}

/** The whole drawing of a table at a width. */
async function pictured(page, width) {
  await page.setViewportSize({ width, height: 844 });
  await turn(page);
  const fit = page.locator("[data-zoom=fit]");
  if ((await fit.isVisible()) && (await fit.getAttribute("aria-pressed")) !== "true") await fit.dispatchEvent("click");
  return still(page, page.locator("#board"));
}

const tests = {
  async "every wait has a bound, and says what it has waited for"() {
    for (const file of ["browser.mjs", "readme.mjs"]) {
      const text = readFileSync(new URL(file, import.meta.url), "utf8");
      // `until` is the one loop whose end is not seen.
      assert.deepEqual(text.split("\n").filter((line) => /\bwhile\s?\(|\bfor\s?\(;|set(Default)?Timeout\(0/.test(line) && !line.includes("/\\bwhile")), [], file);
    }
    await assert.rejects(until("a thing that never comes", () => false, () => {}, 1), /waited 0.001 s for a thing that never comes/);
    await assert.rejects(within("an answer", 1, new Promise(() => {})), /waited 0.001 s for an answer/);
    const page = await visitor();
    await page.goto(`${server.address}/help`);
    await assert.rejects(page.waitForFunction(() => document.title === "nothing", null, { timeout: 1 }), /document.title === "nothing".*\/help, in vain/s);
  },

  async "no table is dealt by chance, whoever opens it"() {
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
  },

  async "axe finds nothing on any page of any game, at three widths, light and dark"() {
    const told = [];
    for (const colorScheme of ["light", "dark"]) {
      const page = await visitor({ colorScheme });
      for (const game of games) {
        await open(page, game, { "agent.0": "me", "agent.1": "random" });
        await turn(page);
        const table = new URL(page.url()).pathname;
        const pages = [table, `${table}/at/0`, `/new/${game}`, `/guide/${game}`, `/rules/${game}`];
        if (game === "incan-gold") pages.push("/", "/help", "/replays", `${table}?as=watch`);
        for (const path of pages) {
          await page.goto(server.address + path);
          // Texts flow: the narrowest shows most. In the dark only colours differ.
          const widths = /^\/(guide|rules)/.test(path) ? [390] : colorScheme === "dark" ? [1280] : [1280, 768, 390];
          for (const width of widths) {
            await page.setViewportSize({ width, height: 844 });
            // The page hears of its new width with the next frame, which a busy machine draws late.
            await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
            told.push(...(await complaints(page, `${path} at ${width}, ${colorScheme}`)));
          }
          // In the middle of an action: a part that is open, a move without a direction.
          if (path === table) {
            const part = page.locator("#ask details.part > summary");
            if ((await part.count()) > 0) await part.first().click();
            const square = page.locator("#composer .compose button[data-target]");
            if ((await square.count()) > 0) await step(page, () => square.first().dispatchEvent("click"));
            told.push(...(await complaints(page, `${path} in the middle, ${colorScheme}`)));
          }
        }
      }
      await page.context().close();
    }
    assert.deepEqual(told, []);
  },

  async "every game is played by pressing spots of the board and buttons"() {
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
  },

  async "every text can be read and every spot pressed, early and late, at three widths"() {
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
  },

  async "what was renewed piece by piece looks like the same page opened anew, at three widths, light and dark"() {
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
  },

  async "pages and boards look like the stored pictures"() {
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
  },

  async "where spots lie upon each other, it is asked which is meant"() {
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
  },

  async "the board is larger, smaller or seen as a whole, by buttons, keys and the mouse"() {
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
  },

  async "a late board opens so large that it can be read, and can be played as a whole"() {
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
  },

  async "a board that grows stays where it is, at the size that was chosen"() {
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
  },

  async "a turn is tried, undone and confirmed, and nobody else sees it before"() {
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
  },

  async "what has happened since is told in a line, its lines light the board, and whoever wants it is told by a notification"() {
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
  },

  async "who confirms nothing plays at once"() {
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
  },

  async "a tile is laid by choosing its place and how it is turned"() {
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
  },

  async "a duel of game17 is put together by the mouse, square by square"() {
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
  },

  async "a duel of game17 is put together by keys alone"() {
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
  },

  async "a game is played to its end by keys alone"() {
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
  },

  async "moves are typed, and what is wrong is said without losing the words"() {
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
  },

  async "two people play each other, and one watches"() {
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
  },

  async "advice stays while the question is the same"() {
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
  },

  async "everybody is led to a rematch"() {
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
    await host.getByRole("button", { name: /^Rematch/ }).click();
    await friend.waitForURL((url) => url.href !== table && /\/t\/\w+$/.test(url.pathname));
    assert.equal(friend.url(), host.url());
    await watcher.getByRole("link", { name: "Watch the rematch" }).click();
    await watcher.waitForURL(host.url());
    await turn(friend);
    assert.equal(await friend.locator("#ask input[name=seat]").first().getAttribute("value"), "0");
  },

  async "replays are played, uploaded and played on from, and axe finds nothing on their pages"() {
    const told = [];
    for (const colorScheme of ["light", "dark"]) {
      const page = await visitor({ colorScheme });
      for (const game of games) {
        await open(page, game, { "agent.0": "random", "agent.1": "random", seed: "3" });
        await page.waitForFunction(() => /is over/.test(document.querySelector("#status").textContent));
        await page.getByRole("link", { name: "Watch the replay" }).click();
        await page.waitForURL("**/r/*");
        const at = () => page.locator("#number").inputValue();
        const first = await at();
        await page.locator("#end").click();
        const last = await at();
        assert.notEqual(first, last);
        assert.equal(new URL(page.url()).hash, `#${last}`);
        await page.keyboard.press("Home");
        await page.keyboard.press("ArrowRight");
        const second = await at();
        assert.ok(Number(second) > Number(first) && Number(second) < Number(last), `${first} ${second} ${last}`);
        assert.match(await page.getByRole("link", { name: /SVG/ }).getAttribute("href"), new RegExp(`/at/${second}\\.svg`));
        const picture = await page.request.get(server.address + (await page.getByRole("link", { name: /PNG/ }).getAttribute("href")));
        const png = await picture.body();
        assert.deepEqual([png.subarray(1, 4).toString(), png.readUInt32BE(16)], ["PNG", 1600]);
        const replay = page.url();
        for (const width of colorScheme === "dark" ? [1280] : [1280, 768, 390]) {
          await page.setViewportSize({ width, height: 844 });
          // Whatever stands beside it, a board has two fifths of the width, or all that it wants. The page hears of its width a frame later.
          const [seen, wanted] = await page.evaluate(async () => {
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            const part = document.querySelector("#table .board");
            return part ? [part.clientWidth, Math.min(part.scrollWidth, 0.4 * innerWidth)] : [1, 1];
          });
          if (seen < wanted) told.push(`${game} at ${width}: of the board ${seen} pixels are seen`);
          told.push(...(await complaints(page, `${game} at ${width}, ${colorScheme}`)));
        }
        await page.setViewportSize({ width: 1280, height: 844 });
        // The address alone leads to the same moment, seen by somebody else.
        await page.goto(replay.replace("#", "?as=0#"));
        assert.equal(await at(), second);
        await page.getByRole("button", { name: "Play on" }).click();
        await page.waitForURL("**/t/*");
        await turn(page);
        if (game === "incan-gold") {
          const text = await (await page.request.get(replay.replace(/#.*/, "/replay.json"))).text();
          await page.goto(`${server.address}/replays`);
          await page.locator("#file").setInputFiles({ name: "game.json", mimeType: "application/json", buffer: Buffer.from(text) });
          await page.getByRole("button", { name: "Upload" }).click();
          await page.waitForURL("**/r/*");
          assert.equal(await page.locator("#of").textContent(), `of ${JSON.parse(text).steps.length}`);
        }
      }
      await page.context().close();
    }
    assert.deepEqual(told, []);
  },

  async "a member finds its seat at another browser, time runs for it, and axe finds nothing on members' pages"() {
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
  },

  async "the operator sees the tables, ends one and locks a member out, and axe finds nothing"() {
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
  },

  async "a server that is killed and comes back costs nothing but a moment"() {
    const data = ["--data", join(folder, "tables.db")];
    const first = await serve("--port", "0", ...data);
    const page = await visitor();
    await open(page, "carcassonne", { "agent.0": "me", "agent.1": "greedy", seed: "4" }, first.address);
    for (let move = 0; move < 3; move += 1) {
      await turn(page);
      const before = await number(page);
      await page.locator("#ask button[name=action]").first().dispatchEvent("click");
      await answered(page, before);
    }
    await turn(page);
    const log = await page.locator("#log").textContent();
    await first.end("SIGKILL");
    const again = await serve("--port", new URL(first.address).port, ...data);
    const before = await number(page);
    // Pressed while nobody listens, perhaps: it is sent when somebody does.
    await page.locator("#ask button[name=action]").first().dispatchEvent("click");
    await answered(page, before);
    await turn(page);
    assert.ok((await page.locator("#log").textContent()).startsWith(log), "what had happened has happened");
    assert.equal(await again.end("SIGTERM"), 0);
  },

  async "figures grow while a run is played, and axe finds nothing on its pages"() {
    const page = await visitor();
    await page.goto(`${server.address}/lab/incan-gold`);
    const told = await complaints(page, "the form");
    await page.locator("#episodes").fill("50000");
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.waitForFunction(() => /Done: 50000/.test(document.querySelector("#status").textContent));
    assert.ok((await page.locator(".report figure svg").count()) >= 4);
    assert.deepEqual([...told, ...(await complaints(page, "the run"))], []);
  },

  async "a question is a button, its answer is marked, and its command gives the same"() {
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
  },

  async "a sweep is walked through by a slider and by its points, to the replay of a game"() {
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
  },

  async "a sweep's points lead to its cells, and every plot is there as picture and numbers"() {
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
  },

  async "a walk and a question need no script"() {
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
  },

  async "a competition grows, its games are watched, and its command gives the same"() {
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
  },

  async "a competition is set up, stopped and gone on with without a script"() {
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
  },

  async "every part of a moment is read without a script, at every width"() {
    const wrong = [];
    for (const game of games) {
      const reader = await visitor();
      const seats = game === "incan-gold" ? ["turn:7", "turn:9"] : game === "game17" ? ["hunter", "zombie"] : ["random", "random"];
      const settings = game === "game17" ? { size: "6", rounds: "6" } : {};
      const made = await reader.request.post(`${server.address}/api/v1/tables`, { data: { game, settings, seed: 7, seats: seats.map((agent) => ({ agent })) } });
      const { id: table } = await made.json();
      await until("the end of the game", async () => (await reader.request.get(`${server.address}/api/v1/tables/${table}/replay`)).ok());
      await reader.goto(`${server.address}/r/${table}#40`);
      const named = (page, part) => page.locator(part).evaluateAll((parts) => parts.map((part) => part.getAttribute("aria-label").replace(", scrolls", "")));
      const parts = await named(reader, "#table .part");
      await reader.context().close();
      for (const width of [1280, 768, 390]) {
        const page = await visitor({ viewport: { width, height: 844 } });
        for (const path of [`/r/${table}/at/40`, `/t/${table}/at/40`]) {
          await page.goto(server.address + path);
          const where = `${path} of ${game} at ${width}`;
          if (path.startsWith("/r/")) wrong.push(...(await complaints(page, where)));
          assert.deepEqual(await named(page, "#board .part"), parts, where);
          const small = await page.locator("#board text").evaluateAll((texts) =>
            texts.filter((text) => text.textContent.trim() && Number(text.getAttribute("font-size")) * Math.hypot(text.getCTM().a, text.getCTM().b) < 11.9).map((text) => text.textContent),
          );
          wrong.push(...small.map((text) => `${where}: too small: ${text}`));
        }
        await page.context().close();
      }
    }
    assert.deepEqual(wrong, []);
  },

  async "a turn is tried, undone and confirmed without a script"() {
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
  },

  async "everything works without a script"() {
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
  },
};

let failed = 0;
// Words of a name choose tests.
const chosen = process.argv[3] ?? "";
for (const [name, test] of Object.entries(tests).filter(([name]) => name.includes(chosen))) {
  const began = Date.now();
  testing.name = name;
  faults = [];
  try {
    await within("the end of this test", TEST_MS, test());
    assert.deepEqual(faults, []);
    console.log(`ok    ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED ${name}\n${[...faults, error.stack, error.cause?.message ?? ""].join("\n")}`);
  }
  // What a test has left open, or still does, is over with it.
  for (const context of browser.contexts()) await within("a page to close", WAIT_MS, context.close()).catch(console.log);
}
await browser.close();
await server.end("SIGINT");
rmSync(folder, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
