// Runs the tests in a browser, one file of `browser/` after the other.
// `node test/run.mjs PROGRAM [NAME]`: NAME is a file without its ending, or words in the name of a test.
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { FILE_MS, TOTAL_MS } from "./waits.mjs";

/** Time that a file has to end by itself after its time limit, in ms. */
const GRACE_MS = 30_000;

const [program, name = ""] = process.argv.slice(2);
const folder = new URL("browser/", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".mjs")).map((file) => file.slice(0, -4));
if (!program) {
  console.error("expected the program meeple, found nothing\nhint: node test/run.mjs ../target/debug/meeple");
  process.exit(2);
}
const isWhole = name === "" || files.includes(name);
/** The names of the tests in a file, as its text has them. */
const testsOf = (file) => [...readFileSync(new URL(`${file}.mjs`, folder), "utf8").matchAll(/^test\("(.*?)", /gm)].map(([, test]) => test);
const chosen = files.filter((file) => (isWhole ? name === "" || file === name : testsOf(file).some((test) => test.includes(name))));
if (chosen.length === 0) {
  console.error(`expected a file or words of a test's name, found '${name}'\nhint: the files are ${files.join(", ")}`);
  process.exit(2);
}

const began = performance.now();
const failed = [];
let running = null;
// A group of its own per file, so that browser and servers end with it.
const stop = (signal) => running && process.kill(-running.pid, signal);
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    stop("SIGKILL");
    process.exit(1);
  });
}
for (const file of chosen) {
  const left = TOTAL_MS - (performance.now() - began);
  if (left <= 0) {
    console.log(`FAILED: all files together took more than ${TOTAL_MS / 60_000} minutes, before ${file}`);
    failed.push(file);
    break;
  }
  console.log(`== ${file}`);
  const words = isWhole ? [] : [name];
  const path = new URL(`${file}.mjs`, folder).pathname;
  running = spawn(process.execPath, ["--test-reporter=spec", path, program, ...words], { detached: true, stdio: ["ignore", "inherit", "inherit"] });
  const limit = Math.min(left, FILE_MS + GRACE_MS);
  const timer = setTimeout(() => {
    const all = limit === left ? `, as all files together have ${TOTAL_MS / 60_000} minutes` : "";
    console.log(`FAILED: ${file} was ended after ${Math.round(limit / 1000)} s${all}`);
    stop("SIGKILL");
  }, limit);
  const code = await new Promise((done) => running.on("exit", done));
  clearTimeout(timer);
  running = null;
  if (code !== 0) failed.push(file);
}
if (failed.length > 0) console.log(`FAILED: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
