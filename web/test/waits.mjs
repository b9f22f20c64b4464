// Waits with bounds. Each says what it has waited for when it gives up.

/** Time limit of a wait for something that a page or a server does at once, on a busy machine. */
export const WAIT_MS = 120_000;
/** Time limit of a test. */
export const TEST_MS = 600_000;
/** Time limit of the tests of a file. */
export const FILE_MS = 1_200_000;
/** Time limit of all files together. */
export const TOTAL_MS = 2_700_000;

/** An error that says what was waited for in vain. */
const inVain = (what, ms) => new Error(`waited ${ms / 1000} s for ${what}, in vain`);

/** Does something again and again until something holds. */
export async function until(what, holds, again = async () => {}, ms = WAIT_MS) {
  const end = performance.now() + ms;
  for (let held = await holds(); !held; held = await holds()) {
    if (performance.now() > end) throw inVain(what, ms);
    await again();
  }
}

/** What a promise gives, or an error if that takes longer. */
export async function within(what, ms, promise) {
  let timer;
  const late = new Promise((_, refuse) => (timer = setTimeout(() => refuse(inVain(what, ms)), ms)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
