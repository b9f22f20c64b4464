// Shared parts of the tests in a browser: Chromium, servers, visitors, and what tests read of pages.
// `node test/browser/NAME.mjs PROGRAM [WORDS]` runs the tests of one file, or those with words in their names.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { after, test as register } from "node:test";
import { chromium } from "playwright-core";
import { fontEnvironment } from "./fonts.mjs";
import { FILE_MS, TEST_MS, WAIT_MS, within } from "./waits.mjs";

/** The program under test. */
export const program = process.argv[2] && resolve(process.argv[2]);
if (!program) {
  console.error("expected the program meeple, found nothing\nhint: node test/browser/play.mjs ../target/debug/meeple");
  process.exit(2);
}
/** Words that the name of each chosen test contains. */
const words = process.argv[3] ?? "";
/** A folder of this run, removed at its end. */
export const folder = mkdtempSync(join(tmpdir(), "meeple-web-"));
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Servers in operation. */
const servers = new Set();

/** Starts a server. `address` is its link, `said` its log so far. */
export async function serve(...flags) {
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

/** The name of the test in progress. */
let current = "none yet";
setTimeout(() => {
  console.log(`FAILED: ${basename(process.argv[1])} took more than ${FILE_MS / 60_000} minutes, in the test: ${current}`);
  for (const server of servers) server.kill("SIGKILL");
  process.exit(1);
}, FILE_MS).unref();

export const browser = await chromium.launch({
  env: fontEnvironment(folder),
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
/** The server of all tests that need none of their own. */
export const server = await serve("--port", "0", "--forget");
export const games = ["incan-gold", "game17", "carcassonne", "cartolan", "privateers"];

/** Errors that pages reported during the current test. */
let faults = [];
/** The seed of tables that a test opens without one. */
export const SEED = "3";
/** Addresses that open a table: of the form and *Play now*, of replays, of rematches. */
const OPENINGS = /\/new\/[^/]*$|\/r\/[^/]*\/play$|\/t\/[^/]*\/rematch$/;

/** Registers a test. It fails if it takes too long, or if a page reports an error. */
export function test(name, body) {
  if (!name.includes(words)) return;
  register(name, async () => {
    current = name;
    faults = [];
    try {
      await within("the end of this test", TEST_MS, body());
      assert.deepEqual(faults, []);
    } catch (error) {
      if (faults.length > 0) console.log(faults.join("\n"));
      throw error;
    } finally {
      // Pages that the test has left open, even if it still runs.
      for (const context of browser.contexts()) await within("a page to close", WAIT_MS, context.close()).catch(console.log);
    }
  });
}

after(async () => {
  await within("the browser to close", WAIT_MS, browser.close());
  await server.end("SIGINT");
  rmSync(folder, { recursive: true, force: true });
});

/** Opens a page in a browser context of its own. Errors of the page fail the test. Every table that it opens
 * has a fixed seed. */
export async function visitor(options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(WAIT_MS);
  await context.route(OPENINGS, (route) => {
    const [fields, method] = [route.request().postData() ?? "", route.request().method()];
    if (method !== "POST" || /(^|&)seed=\d/.test(fields)) return route.continue();
    return route.continue({ postData: `${fields.replace(/(^|&)seed=(?=&|$)/, "")}&seed=${SEED}` });
  });
  const page = await context.newPage();
  const waitForFunction = page.waitForFunction.bind(page);
  page.waitForFunction = async (holds, given, options) => {
    try {
      return await waitForFunction(holds, given, options);
    } catch (error) {
      const status = await page.locator("#status").textContent({ timeout: 1000 }).catch(() => "none");
      throw new Error(`waited for ${holds} with ${JSON.stringify(given)} at ${page.url()}, in vain; the page's status: ${status}`, { cause: error });
    }
  };
  // The drawing without attributes of the page, such as the focused spot.
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
export async function open(page, game, fields, address = server.address) {
  await page.goto(`${address}/new/${game}`);
  await page.evaluate((fields) => {
    const form = document.querySelector("form.sheet");
    for (const [name, value] of Object.entries(fields)) {
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name, value });
      form.prepend(input);
    }
    // The form's own fields come after those given here.
    for (const select of form.querySelectorAll("select[name^='seat.']")) select.value = "nobody";
    form.submit();
  }, fields);
  await page.waitForURL("**/t/*");
}

/** Waits until it is this page's turn; false if the game is over. */
export async function turn(page) {
  await page.waitForFunction(() => /your turn|is over/.test(document.querySelector("#status").textContent));
  return !/is over/.test(await page.locator("#status").textContent());
}

/** The number of the open question, or null. It works without a script, where nothing can be evaluated. */
export async function number(page) {
  const field = page.locator("#ask input[name=number]");
  return (await field.count()) > 0 ? field.first().getAttribute("value") : null;
}
/** Waits until the question of this number is closed. A step that became a draft is confirmed. */
export async function answered(page, before) {
  const moved = (before) => document.querySelector("#ask input[name=number]")?.value !== before;
  const tried = (before) => document.querySelector("#ask input[name=number]")?.value !== before || document.querySelector("#ask .draft") !== null;
  await page.waitForFunction(tried, before);
  if ((await number(page)) === before) await page.locator("#ask .draft .primary").click();
  await page.waitForFunction(moved, before);
}

/** Takes a step of a structured action, and waits until the page shows the next one. */
export async function step(page, press) {
  const before = await page.locator("#composer").evaluate((composer) => composer.outerHTML);
  await press();
  await page.waitForFunction((before) => document.querySelector("#composer")?.outerHTML !== before, before);
}

/** The complaints about a page: findings of axe, foreign fonts, and excess width. */
export async function complaints(page, where) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({
    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    // Best practices for users of screen readers.
    rules: { "landmark-unique": { enabled: true }, "empty-table-header": { enabled: true } },
  }));
  const told = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).slice(0, 3).join(" | ")}`);
  // Any other font comes from the system, so the page would look different elsewhere.
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

/** The complaints about these pages at three widths, light and dark. */
export async function everywhere(paths) {
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

/** The flaws of a board as it was opened: small texts, small or covered spots, duplicate names. */
export const geometry = (page) =>
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
      // In the whole drawing, empty margins of panels may overlap.
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
      // Where spots overlap the page asks which is meant. Each keeps the area of a circle of 24 pixels.
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

/** Widths of a phone, a tablet and a desktop, in pixels. */
export const widths = [390, 768, 1280];

/** A picture of an element, or of a page, at rest: without a cursor, after its layout has settled. */
export async function still(page, element) {
  await page.evaluate(async () => {
    document.activeElement?.blur();
    await document.fonts.ready;
    // A new size takes effect before the second frame after it.
    for (let frame = 0; frame < 2; frame += 1) await new Promise((done) => requestAnimationFrame(done));
  });
  return element.screenshot({ animations: "disabled", caret: "hide" });
}

/** A picture of the whole board of a table at a width. */
export async function pictured(page, width) {
  await page.setViewportSize({ width, height: 844 });
  await turn(page);
  const fit = page.locator("[data-zoom=fit]");
  if ((await fit.isVisible()) && (await fit.getAttribute("aria-pressed")) !== "true") await fit.dispatchEvent("click");
  return still(page, page.locator("#board"));
}
