/** What moves on the page of a run or a competition: its figures grow while it is played. The page is whole without it. */

const place = document.getElementById("job");
/** After a failure the page waits so long, in milliseconds. */
const PAUSE = 2_000;

async function follow(place: HTMLElement): Promise<void> {
  let seen = "0";
  let running = place.dataset.running !== undefined;
  while (running) {
    try {
      const answer = await fetch(`${place.dataset.part}?seen=${seen}`);
      if (!answer.ok) throw new Error(answer.statusText);
      const html = await answer.text();
      const before = seen;
      seen = answer.headers.get("x-version") ?? "";
      running = answer.headers.get("x-running") === "true";
      if (seen !== before) renew(place, html);
    } catch {
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
}

/** Puts new figures in place of the old; what has the focus keeps it if it is still there. */
function renew(place: HTMLElement, html: string): void {
  const next = document.createElement("div");
  next.innerHTML = html;
  for (const link of next.querySelectorAll(".unscripted")) link.remove();
  const [now, then] = [place.querySelector(".report"), next.querySelector(".report")];
  const same = now !== null && then !== null && now.innerHTML === then.innerHTML;
  if (same) {
    // Only the line above has changed: tables stay, where somebody reads.
    then.replaceWith(now);
  }
  const button = document.activeElement?.tagName === "BUTTON";
  place.replaceChildren(...next.childNodes);
  if (button) place.querySelector<HTMLElement>("button")?.focus();
}

if (place) void follow(place);

export {};
