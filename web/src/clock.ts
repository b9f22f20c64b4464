/** Players' remaining time, counted down from the server's last message. */

let told = performance.now();

/** Marks the times on the page as received just now. */
export function toldTimes(): void {
  told = performance.now();
}

function count(): void {
  for (const clock of document.querySelectorAll<HTMLElement>("#players .clock[data-runs]")) {
    const left = Math.max(0, Number(clock.dataset.left) - (performance.now() - told));
    const seconds = Math.ceil(left / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

setInterval(count, 500);
