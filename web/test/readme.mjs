// The picture of the README and of docs/reference/serve.md: a table of Carcassonne in the middle of a game. `npm run readme`; the deal and who plays are
// always the same, and so is the picture.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { chromium } from "playwright-core";
import { fontEnvironment } from "./fonts.mjs";
import { packed } from "./pictures.mjs";
import { until } from "./waits.mjs";

/** Where the game is gone on with. */
const MOMENT = 90;

const [program, picture] = process.argv.slice(2);
if (!picture) {
  console.error("expected the program and a file, found too little\nhint: node test/readme.mjs ../target/debug/meeple ../docs/serve.png");
  process.exit(2);
}
const server = spawn(resolve(program), ["serve", "--port", "0", "--forget"], { stdio: ["ignore", "pipe", "ignore"] });
const address = await new Promise((found) => server.stdout.on("data", (data) => found(String(data).trim().replace(/\/$/, ""))));
const folder = mkdtempSync(join(tmpdir(), "meeple-readme-"));
const browser = await chromium.launch({ env: fontEnvironment(folder), executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" })).newPage();
const order = { game: "carcassonne/towers", seed: 11, seats: [{ agent: "builder" }, { agent: "builder" }] };
const { id } = await (await page.request.post(`${address}/api/v1/tables`, { data: order })).json();
await until("the end of the game", async () => (await page.request.get(`${address}/api/v1/tables/${id}/replay`)).ok());
await page.goto(`${address}/r/${id}/at/${MOMENT}`);
await page.getByRole("button", { name: "Play on" }).click();
await page.waitForFunction(() => /your turn/.test(document.querySelector("#status")?.textContent ?? ""));
writeFileSync(picture, packed(await page.screenshot()));
await browser.close();
rmSync(folder, { recursive: true, force: true });
server.kill("SIGINT");
