// The fonts that the browser of the tests sees: those that the pages ask for, of a package of fixed version, and no other. So no picture
// and no width depends on what a machine has installed.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const manifest = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json");
const FILES = ["DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"];

/** The name and version of the fonts. */
export const FONTS = `dejavu-fonts-ttf ${JSON.parse(readFileSync(manifest, "utf8")).version}`;

/** The environment of a browser that sees these fonts alone; its files are below this folder. */
export function fontEnvironment(folder) {
  const fonts = join(folder, "fonts");
  mkdirSync(fonts);
  for (const file of FILES) copyFileSync(join(dirname(manifest), "ttf", file), join(fonts, file));
  // How letters are drawn is said here, too: it is a setting of machines otherwise.
  const drawn = [["antialias", "<bool>true</bool>"], ["hinting", "<bool>true</bool>"], ["hintstyle", "<const>hintslight</const>"], ["rgba", "<const>none</const>"]];
  const edits = drawn.map(([name, value]) => `<edit name="${name}" mode="assign">${value}</edit>`).join("");
  const text = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>${fonts}</dir><cachedir>${join(folder, "font-cache")}</cachedir><match target="pattern">${edits}</match><match target="font">${edits}</match></fontconfig>
`;
  const settings = join(folder, "fonts.conf");
  writeFileSync(settings, text);
  return { ...process.env, FONTCONFIG_FILE: settings };
}
