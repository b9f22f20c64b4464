/**
 * Updates of laboratory and competition pages: live results, tooltips of plots, and walks through
 * the cells of a sweep. The pages also work without this script.
 */

/** Pause after a failed request, in milliseconds. */
const PAUSE = 2_000;
/** Maximal distance of a tooltip's point from the pointer, in pixels. */
const NEAR = 30;

/** Aborted when the page starts to follow another job. */
let following = new AbortController();
/** Aborted when another cell is selected before the server has answered. */
let going = new AbortController();

async function follow(place: HTMLElement, signal: AbortSignal): Promise<void> {
  let seen = "0";
  let running = place.dataset.running !== undefined;
  while (running) {
    try {
      const answer = await fetch(`${place.dataset.part}?seen=${seen}`, { signal });
      if (!answer.ok) throw new Error(answer.statusText);
      const html = await answer.text();
      const before = seen;
      seen = answer.headers.get("x-version") ?? "";
      running = answer.headers.get("x-running") === "true";
      if (seen !== before) renew(place, html);
    } catch {
      if (signal.aborted) return;
      await new Promise((done) => setTimeout(done, PAUSE));
    }
  }
  if (seen !== "0") await tellVisited(signal);
}

/** Reloads the list of visited cells, to which a played cell now belongs. */
async function tellVisited(signal: AbortSignal): Promise<void> {
  const now = document.getElementById("visited");
  const page = now && (await fetch(location.href, { signal }).then((answer) => answer.text()).catch(() => undefined));
  const then = page && new DOMParser().parseFromString(page, "text/html").getElementById("visited");
  if (then && !signal.aborted) now.replaceWith(then);
}

/** Replaces the results of a job. If a button had the focus, the new first button gets it. */
function renew(place: HTMLElement, html: string): void {
  const next = document.createElement("div");
  next.innerHTML = html;
  for (const link of next.querySelectorAll(".unscripted")) link.remove();
  const [now, then] = [place.querySelector(".report"), next.querySelector(".report")];
  const same = now !== null && then !== null && now.innerHTML === then.innerHTML;
  if (same) {
    // The tables are unchanged, so they stay for people who are reading them.
    then.replaceWith(now);
  }
  const button = document.activeElement?.tagName === "BUTTON";
  place.replaceChildren(...next.childNodes);
  if (button) place.querySelector<HTMLElement>("button")?.focus();
  showAnswer(now === null);
}

/** Marks the answer that the address names. If `leads`, also scrolls to it. */
function showAnswer(leads: boolean): void {
  if (location.hash.length < 2) return;
  const answer = document.querySelector<HTMLElement>(`.report h3[id^="${CSS.escape(location.hash.slice(1))}"]`);
  answer?.classList.add("asked");
  if (leads) answer?.scrollIntoView({ block: "nearest" });
}

function begin(): void {
  following.abort();
  following = new AbortController();
  const place = document.getElementById("job");
  if (place) void follow(place, following.signal);
}

/** The title of a plot's point that is nearest to a point of the window, if one is near enough. */
function told(figure: Element, x: number, y: number): { title: string; box: DOMRect } | null {
  let nearest: { title: string; box: DOMRect } | null = null;
  let least = NEAR;
  // The first title belongs to the whole plot, not to a point.
  for (const title of [...figure.querySelectorAll("svg title")].slice(1)) {
    const box = title.parentElement?.getBoundingClientRect();
    if (!box) continue;
    const away = Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y);
    if (away < least) [nearest, least] = [{ title: title.textContent ?? "", box }, away];
  }
  return nearest;
}

const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;

/** The address of the sweep's cell that the title of a plot's point names. */
function cellOf(figure: Element, title: string): string | null {
  const place = figure.closest<HTMLElement>("[data-walk]");
  if (!place) return null;
  const axes = JSON.parse(place.dataset.axes ?? "[]") as [string, string[]][];
  let labels = [""];
  for (const [name, values] of axes) labels = labels.flatMap((label) => values.map((value) => `${label}${label && ", "}${name} ${value}`));
  const cell = labels.findIndex((label) => title.startsWith(`${label}:`) || title.startsWith(`${label},`));
  return cell < 0 ? null : `${place.dataset.walk}&cell=${cell}`;
}

function hover(event: PointerEvent): void {
  const figure = (event.target as Element).closest?.("figure");
  const found = figure && told(figure, event.clientX, event.clientY);
  tip.hidden = !found;
  if (!figure || !found) return;
  tip.textContent = found.title;
  figure.classList.toggle("leads", cellOf(figure, found.title) !== null);
  // The tooltip stands beside the point, but within the window.
  const left = Math.min(found.box.left + found.box.width / 2 + 10, innerWidth - tip.offsetWidth - 8);
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${Math.max(8, found.box.top - tip.offsetHeight - 4)}px`;
}

/** Opens the cell of a pressed point, or saves the plot of a pressed PNG link. */
function press(event: MouseEvent): void {
  const target = event.target as Element;
  const figure = target.closest("figure");
  const found = figure && !target.closest("a") && told(figure, event.clientX, event.clientY);
  const cell = figure && found && cellOf(figure, found.title);
  if (cell) location.href = cell;
  const link = target.closest<HTMLAnchorElement>(".files a.png");
  const svg = link?.closest("figure")?.querySelector("svg");
  const file = link?.parentElement?.querySelector("a");
  if (link && svg && file) {
    event.preventDefault();
    void save(svg, file.href, link.download);
  }
}

/** Saves a plot as PNG, at twice its natural size. */
async function save(svg: SVGSVGElement, file: string, name: string): Promise<void> {
  const { width, height } = svg.viewBox.baseVal;
  const picture = new Image(2 * width, 2 * height);
  picture.src = file;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [2 * width, 2 * height];
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const bytes = await new Promise<Blob | null>((done) => canvas.toBlob(done));
  if (!bytes) return;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(bytes);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Adds a PNG download to every plot that has none. */
function offerPictures(): void {
  for (const files of document.querySelectorAll("figure .files:not(:has(.png))")) {
    const link = document.createElement("a");
    link.className = "png";
    link.href = "#";
    link.download = `${files.closest("figure")?.id.replace(/^plot-/, "")}.png`;
    link.textContent = "PNG";
    files.append(" ", link);
  }
}

/** Goes to the selected cell. The run of the previous cell stops. */
async function go(form: HTMLFormElement): Promise<void> {
  going.abort();
  going = new AbortController();
  following.abort();
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  try {
    const answer = await fetch(form.action, { method: "POST", body: fields, signal: going.signal });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const id of ["wrong", "cell", "visited"]) {
      const [now, then] = [document.getElementById(id), page.getElementById(id)];
      if (now && then) now.replaceWith(then);
    }
    const left = page.querySelector<HTMLInputElement>("#walk [name=leave]");
    const own = form.querySelector<HTMLInputElement>("[name=leave]");
    if (left && own) own.value = left.value;
    if (answer.ok) history.replaceState(null, "", answer.url);
    begin();
  } catch {
    // The request was aborted, because another cell was selected meanwhile, or it failed.
  }
}

/** Adds a slider to a list of values. */
function addSlider(list: HTMLSelectElement, form: HTMLFormElement): void {
  const slider = document.createElement("input");
  Object.assign(slider, { type: "range", min: "0", max: String(list.options.length - 1), value: String(list.selectedIndex) });
  const label = list.labels?.[0]?.textContent ?? "";
  slider.setAttribute("aria-label", label);
  const say = (): void => slider.setAttribute("aria-valuetext", list.options[list.selectedIndex]?.text ?? "");
  say();
  slider.addEventListener("input", () => {
    list.selectedIndex = Number(slider.value);
    say();
    void go(form);
  });
  list.addEventListener("input", () => {
    slider.value = String(list.selectedIndex);
    say();
  });
  list.after(slider);
}

document.documentElement.classList.add("scripted");
begin();
showAnswer(true);
document.body.append(tip);
document.addEventListener("pointermove", hover);
document.addEventListener("pointerdown", hover);
document.addEventListener("click", press);
const main = document.getElementById("main");
if (main) new MutationObserver(offerPictures).observe(main, { childList: true, subtree: true });
offerPictures();

const walk = document.querySelector<HTMLFormElement>("form#walk");
if (walk) {
  walk.querySelector("button")?.parentElement?.remove();
  for (const list of walk.querySelectorAll("select")) addSlider(list, walk);
  walk.addEventListener("input", (event) => {
    if (!(event.target instanceof HTMLInputElement && event.target.type === "range")) void go(walk);
  });
  walk.addEventListener("submit", (event) => {
    event.preventDefault();
    void go(walk);
  });
  // A cell that is not yet played is played when the page opens.
  if (document.getElementById("unplayed")) void go(walk);
}

export {};
