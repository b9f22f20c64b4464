/**
 * The drawing of a table: shown in panels, patched line by line, and navigated by keys. The code
 * knows spots that can be pressed, but no moves of a game.
 * The drawing is one picture whose parts (board, players, …) are groups. Each part is shown in a
 * panel of its own. Patches count the lines of the whole picture.
 */

import type { Change } from "./messages";

const SVG = "http://www.w3.org/2000/svg";
/** Minimal size at which a spot can be pressed, in pixels. */
export const PRESSABLE = 24;

export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

export const board = element("board");

/** HTML as the browser normalises it, for comparison with that of the page. */
export function parse(html: string): HTMLTemplateElement {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder;
}

/** The whole picture. It keeps the elements that belong to no part, and is not shown. */
let sheet: SVGSVGElement;
/** The picture's elements in order: parts stand in their panels, all others in the sheet. */
let top: Element[] = [];

/** Elements that take several lines: one for the begin, those of the content, and one for the end. */
const GROUPS = new Set(["svg", "g", "defs"]);

/** A line of the drawing as patches count it: a whole element, or the begin or end of a group. */
interface Line {
  kind: "whole" | "begin" | "end";
  node: Element;
}

/** The first child of a group that has a line of its own. A tooltip belongs to the group's first line. */
function inner(group: Element): ChildNode | null {
  const first = group.firstChild;
  return group.nodeName === "g" && first?.nodeName === "title" ? first.nextSibling : first;
}

/** Shows the given drawing, or without one that of the page. */
export function draw(drawing?: string): void {
  const fresh = (drawing === undefined ? board : parse(drawing).content).querySelector("svg");
  if (!fresh) throw new Error("the board has no drawing");
  // Line breaks of the text would be nodes, but are none of the drawing's lines.
  for (const group of [fresh, ...fresh.querySelectorAll("g, defs")]) {
    for (const node of Array.from(group.childNodes)) if (node.nodeType === Node.TEXT_NODE) node.remove();
  }
  if (drawing !== undefined) sheet.remove();
  sheet = fresh;
  sheet.classList.add("sheet");
  board.classList.add("panels");
  board.tabIndex = -1;
  board.prepend(sheet);
  show(Array.from(sheet.children));
}

const isPart = (node: Element): boolean => node.classList.contains("part");

/** Shows these elements, with each part in a panel. A part that is shown already stays in place. */
function show(nodes: Element[]): void {
  top = nodes;
  for (const between of board.querySelectorAll(".break")) between.remove();
  const rest = nodes.filter((node) => !isPart(node));
  if (rest.some((node, index) => sheet.children[index] !== node)) sheet.append(...rest);
  const told = rest.find((node) => node.nodeName === "desc");
  if (told) {
    told.id = "board-told";
    board.setAttribute("aria-describedby", told.id);
  }
  const old = Array.from(board.querySelectorAll<HTMLElement>(".panel"));
  const name = (node: Element): string => node.getAttribute("aria-label") ?? "";
  const parts = nodes.filter(isPart);
  const ground = sheet.querySelector(":scope > rect")?.getAttribute("fill") ?? "none";
  board.style.setProperty("--ground", ground);
  const kept = parts.map((part) => old.find((panel) => panel.contains(part)));
  let last: Element = sheet;
  parts.forEach((part, index) => {
    // A panel without its part takes the next part of the same name, and keeps its scroll position.
    const named = old.find((panel) => !kept.includes(panel) && name(panel) === name(part));
    const panel = kept[index] ?? named ?? document.createElement("div");
    kept[index] = panel;
    panel.className = part.hasAttribute("data-board") ? "panel pan" : "panel";
    panel.setAttribute("role", "region");
    panel.setAttribute("aria-label", name(part));
    const svg = panel.querySelector("svg") ?? panel.appendChild(document.createElementNS(SVG, "svg"));
    svg.setAttribute("viewBox", part.getAttribute("data-view") ?? "");
    svg.setAttribute("font-family", sheet.getAttribute("font-family") ?? "");
    if (part.parentNode !== svg) svg.replaceChildren(part);
    if (last.nextElementSibling !== panel) last.after(panel);
    last = panel;
  });
  for (const panel of old) if (!kept.includes(panel)) panel.remove();
}

function linesOf(node: Element, found: Line[]): Line[] {
  if (!GROUPS.has(node.nodeName)) found.push({ kind: "whole", node });
  else {
    found.push({ kind: "begin", node });
    if (node === sheet) for (const child of top) linesOf(child, found);
    else for (let child = inner(node); child !== null; child = child.nextSibling) linesOf(child as Element, found);
    found.push({ kind: "end", node });
  }
  return found;
}

/**
 * Changes lines of the drawing. Returns the new elements on the board, or on the whole drawing if
 * no part is a board. All other lines stay untouched, so they keep the focus.
 */
export function redraw(changes: Change[]): Element[] {
  if (changes.length === 0) return [];
  const lines = linesOf(sheet, []);
  const known = new Set(lines.map(({ node }) => node));
  const fresh = new Set<Element>();
  for (const [at, gone, come] of changes) {
    const old = lines.slice(at, at + gone);
    const groups = old.filter(({ kind, node }) => kind === "begin" && node !== sheet).map(({ node }) => node);
    const read_lines = come.map((text) => read(text, groups));
    lines.splice(at, gone, ...read_lines);
    for (const { kind, node } of read_lines) if (kind !== "end" && !known.has(node)) fresh.add(node);
    for (const { kind, node } of old) if (kind === "whole") node.remove();
    for (const group of groups) group.remove();
  }
  build(lines);
  const within = board.querySelector(".pan") ? ".pan" : ".panel";
  // A titled group counts as one element. Texts and possible actions do not count as new.
  const isNews = (node: Element): boolean => node.nodeName !== "text" && node.closest(".spot, .target, .place") === null && node.querySelector(".spot") === null;
  const named = [...fresh].filter((node) => node.closest(within) && isNews(node)).map((node) => node.closest("g:has(> title)") ?? node);
  const news = new Set(named);
  return [...news].filter((node) => !news.has(node.parentElement as Element));
}

/**
 * Parses a line of the drawing. A group whose first line changes keeps its content. The root is
 * never replaced.
 */
function read(text: string, old: Element[]): Line {
  const group = /^<(\w+)[ >]/.exec(text)?.[1] ?? "";
  const holder = document.createElementNS(SVG, "svg");
  if (text.startsWith("</")) return { kind: "end", node: holder };
  holder.innerHTML = GROUPS.has(group) ? `${text}</${group}>` : text;
  const node = holder.firstElementChild;
  if (!node) throw new Error("a drawing has an empty line");
  if (!GROUPS.has(group)) return { kind: "whole", node };
  const same = group === "svg" ? sheet : old[0]?.nodeName === group ? old.shift() : undefined;
  if (same === undefined) return { kind: "begin", node };
  for (const { name } of Array.from(same.attributes)) same.removeAttribute(name);
  for (const { name, value } of Array.from(node.attributes)) same.setAttribute(name, value);
  if (same === sheet) sheet.classList.add("sheet");
  else {
    const after = inner(same);
    while (same.firstChild !== after) same.firstChild?.remove();
    same.prepend(...node.childNodes);
  }
  return { kind: "begin", node: same };
}

/** Puts the lines' nodes in place. Nodes that are in place already stay untouched. */
function build(lines: Line[]): void {
  const open: { group: Element; next: ChildNode | null }[] = [];
  const nodes: Element[] = [];
  for (const { kind, node } of lines) {
    const place = open.at(-1);
    if (kind === "end") {
      for (let rest = place?.next ?? null; rest !== null; ) {
        const after: ChildNode | null = rest.nextSibling;
        rest.remove();
        rest = after;
      }
      open.pop();
      continue;
    }
    // The node may be the next expected one of an outer group.
    const after = node.nextSibling;
    for (const other of open) if (other.next === node) other.next = after;
    if (place?.group === sheet) nodes.push(node);
    else if (place && (node.parentNode !== place.group || after !== place.next)) place.group.insertBefore(node, place.next);
    if (kind === "begin") open.push({ group: node, next: node === sheet ? null : inner(node) });
  }
  show(nodes);
}

/** The spots, one for each action. A second drawing of a spot can be pressed, but is not among them. */
export function spots(within: Element = board): SVGElement[] {
  return Array.from(within.querySelectorAll<SVGElement>(".spot:not([aria-hidden])"));
}

/** The spots at a place of the board, without spots of another part of the question. */
export function inPlace(place: Element): SVGElement[] {
  const found = new Map<string, SVGElement>();
  for (const spot of place.querySelectorAll<SVGElement>("[data-action]:not(.aside)")) {
    if (!found.has(spot.dataset.action ?? "")) found.set(spot.dataset.action ?? "", spot);
  }
  return Array.from(found.values());
}

/** The shorter side of a spot on the screen, in pixels. */
export function extent(spot: Element): number {
  const { width, height } = spot.getBoundingClientRect();
  return Math.min(width, height);
}

/** Makes a place one spot, if its spots are too small to be pressed one by one. */
function gather(): void {
  const places = Array.from(board.querySelectorAll<SVGElement>(".place"));
  const small = places.map((place) => Array.from(place.querySelectorAll("[data-action]")).some((spot) => extent(spot) < PRESSABLE));
  places.forEach((place, index) => {
    const within = inPlace(place);
    const name = place.dataset.place ?? "";
    place.classList.toggle("spot", small[index]);
    place.classList.toggle("aside", within.length === 0);
    if (small[index]) {
      place.setAttribute("aria-label", within.length === 1 ? (within[0]?.getAttribute("aria-label") ?? name) : `${name}: ${within.length} moves`);
      place.setAttribute("role", "button");
    } else for (const attribute of ["role", "aria-label", "tabindex"]) place.removeAttribute(attribute);
  });
}

/**
 * Gives spots distinct names, and keeps one spot per action. Copies can be seen and pressed, but
 * assistive technology does not get them.
 */
export function tellApart(): void {
  gather();
  const [actions, names] = [new Set<string>(), new Set<string>()];
  for (const spot of board.querySelectorAll<SVGElement>(".spot[data-action]")) {
    const action = spot.dataset.action ?? "";
    const name = spot.getAttribute("aria-label") ?? action;
    if (actions.has(action) || spot.closest(".place.spot")) {
      spot.setAttribute("aria-hidden", "true");
      for (const attribute of ["role", "tabindex"]) spot.removeAttribute(attribute);
      continue;
    }
    actions.add(action);
    spot.removeAttribute("aria-hidden");
    spot.setAttribute("role", "button");
    if (names.has(name)) spot.setAttribute("aria-label", `${name} (${action})`);
    names.add(name);
  }
}

/** Makes the board one stop of the Tab key, by giving a single spot a place in the tab order. */
export function rove(current?: SVGElement): void {
  const all = spots();
  const chosen = current ?? all.find((spot) => spot === document.activeElement) ?? all[0];
  for (const spot of all) spot.setAttribute("tabindex", spot === chosen ? "0" : "-1");
}

/** The nearest spot in the direction (`dx`, `dy`). Distance to the side counts double. */
export function neighbour(from: SVGElement, dx: number, dy: number): SVGElement | undefined {
  const centre = (spot: SVGElement): [number, number] => {
    const { left, top, width, height } = spot.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = centre(from);
  let best: SVGElement | undefined;
  let least = Infinity;
  for (const spot of spots()) {
    const [u, v] = centre(spot);
    const ahead = (u - x) * dx + (v - y) * dy;
    const aside = Math.abs((u - x) * dy) + Math.abs((v - y) * dx);
    if (spot !== from && ahead > 1 && ahead + 2 * aside < least) {
      least = ahead + 2 * aside;
      best = spot;
    }
  }
  return best;
}
