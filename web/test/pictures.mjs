// Pictures of pages: how two differ, and the stored ones that pages are held against.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import { FONTS } from "./fonts.mjs";

/** So many of a thousand pixels may be others. */
export const MOST = 1;
/** The same where pictures were made with another browser: letters have other edges then. */
const MOST_ELSEWHERE = 50;

/** How many of a thousand pixels differ; all of them if the sizes do. */
export function differing(one, other) {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)];
  if (a.width !== b.width || a.height !== b.height) return 1000;
  return (1000 * pixelmatch(a.data, b.data, null, a.width, a.height, { threshold: 0.1 })) / (a.width * a.height);
}

/** The same picture in fewer bytes. */
export function packed(picture) {
  const png = PNG.sync.read(picture);
  return PNG.sync.write(png, { colorType: 2, deflateLevel: 9, deflateStrategy: 0, filterType: 0 });
}

/** What pictures of pages depend on besides the pages: the browser's major version, and the fonts that it is given. */
export const surroundings = (version) => ({ browser: version.split(".")[0], fonts: FONTS });

/** The stored pictures. */
export const folder = fileURLToPath(new URL("pictures", import.meta.url));
const notes = join(folder, "made-with.json");

/** Stores pictures by name instead of those that there are. */
export function store(pictures, made) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(notes, `${JSON.stringify(made, null, 2)}\n`);
  for (const [name, picture] of pictures) writeFileSync(join(folder, `${name}.png`), packed(picture));
}

/** What is wrong with pictures of now. Where the stored ones were made with another browser or other fonts, that is said and nothing held against them; with
 * CI=true, where nothing may be skipped, they are held against each other less strictly. */
export function compare(pictures, made) {
  const stored = JSON.parse(readFileSync(notes, "utf8"));
  let most = MOST;
  if (JSON.stringify(stored) !== JSON.stringify(made)) {
    const other = `the stored pictures were made with ${JSON.stringify(stored)}, this is ${JSON.stringify(made)}. hint: npm run pictures, where they should be made with this`;
    if (process.env.CI !== "true") {
      console.log(`SKIPPED: ${other}`);
      return [];
    }
    console.log(`up to ${MOST_ELSEWHERE} of 1000 pixels may be others: ${other}`);
    most = MOST_ELSEWHERE;
  }
  const told = [];
  for (const [name, picture] of pictures) {
    const path = join(folder, `${name}.png`);
    const parts = existsSync(path) ? differing(readFileSync(path), picture) : 1000;
    if (parts > most) told.push(`${name}: ${parts.toFixed(2)} of 1000 pixels are others than stored. hint: look at it (PICTURES=folder); if it is meant, npm run pictures`);
  }
  const known = new Set(pictures.map(([name]) => `${name}.png`));
  for (const name of readdirSync(folder)) if (name.endsWith(".png") && !known.has(name)) told.push(`${name} is stored, and no page is held against it`);
  return told;
}
