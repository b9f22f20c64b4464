/** The drawing of a table: how it is shown, changed piece by piece, and gone through by keys. It knows spots, not moves. */

import type { Change } from "./messages";

export function element(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/** Where the drawing is. */
export const board = element("board");

/** HTML as a browser holds it, which is how it can be compared with what the page shows. */
export function parse(html: string): HTMLTemplateElement {
  const holder = document.createElement("template");
  holder.innerHTML = html;
  return holder;
}

/** The root of the drawing. */
function root(): SVGSVGElement {
  const found = board.querySelector("svg");
  if (!found) throw new Error("the board has no drawing");
  return found;
}

/** Elements whose text has one line for where they begin, lines for what is in them, and one for where they end. */
const GROUPS = new Set(["svg", "g", "defs"]);

/** A line of the drawing's text, which patches count, as the page shows it: a whole element, or an end of a group. */
interface Line {
  kind: "whole" | "begin" | "end";
  node: Element;
}

/** What stands before the lines of a group: its tooltip belongs to the line where it begins. */
function inner(group: Element): ChildNode | null {
  const first = group.firstChild;
  return group.nodeName === "g" && first?.nodeName === "title" ? first.nextSibling : first;
}

/** Line breaks between lines of the drawing are nothing of their own. */
export function tidy(): void {
  for (const group of [root(), ...root().querySelectorAll("g, defs")]) {
    for (const node of Array.from(group.childNodes)) if (node.nodeType === Node.TEXT_NODE) node.remove();
  }
}

export function draw(drawing: string): void {
  board.innerHTML = drawing;
  tidy();
}

function linesOf(node: Element, found: Line[]): Line[] {
  if (!GROUPS.has(node.nodeName)) found.push({ kind: "whole", node });
  else {
    found.push({ kind: "begin", node });
    for (let child = inner(node); child !== null; child = child.nextSibling) linesOf(child as Element, found);
    found.push({ kind: "end", node });
  }
  return found;
}

/** Changes lines of the drawing. The others stay as they are: they keep the focus, and cost nothing. */
export function redraw(changes: Change[]): void {
  if (changes.length === 0) return;
  const svg = root();
  const lines = linesOf(svg, []);
  for (const [at, gone, come] of changes) {
    const old = lines.slice(at, at + gone);
    const groups = old.filter(({ kind, node }) => kind === "begin" && node !== svg).map(({ node }) => node);
    lines.splice(at, gone, ...come.map((text) => read(text, groups, svg)));
    for (const { kind, node } of old) if (kind === "whole") node.remove();
    for (const group of groups) group.remove();
  }
  build(lines);
}

/** Reads a line. Where a group began another way before, it is the same group, with what is in it; the root is always the same. */
function read(text: string, old: Element[], svg: SVGSVGElement): Line {
  const group = /^<(\w+)[ >]/.exec(text)?.[1] ?? "";
  const holder = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  if (text.startsWith("</")) return { kind: "end", node: holder };
  holder.innerHTML = GROUPS.has(group) ? `${text}</${group}>` : text;
  const node = holder.firstElementChild;
  if (!node) throw new Error("a drawing has an empty line");
  if (!GROUPS.has(group)) return { kind: "whole", node };
  const same = group === "svg" ? svg : old[0]?.nodeName === group ? old.shift() : undefined;
  if (same === undefined) return { kind: "begin", node };
  for (const { name } of Array.from(same.attributes)) same.removeAttribute(name);
  for (const { name, value } of Array.from(node.attributes)) same.setAttribute(name, value);
  const after = inner(same);
  while (same.firstChild !== after) same.firstChild?.remove();
  same.prepend(...node.childNodes);
  return { kind: "begin", node: same };
}

/** Puts what lines stand for where they say. What is there already is not touched. */
function build(lines: Line[]): void {
  const open: { group: Element; next: ChildNode | null }[] = [];
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
    // It may be what was expected next where it stood, further out.
    const after = node.nextSibling;
    for (const other of open) if (other.next === node) other.next = after;
    if (place && (node.parentNode !== place.group || after !== place.next)) place.group.insertBefore(node, place.next);
    if (kind === "begin") open.push({ group: node, next: inner(node) });
  }
}

/** The spots, each once: what is drawn of one at a second place can be pressed there, and is nothing of its own. */
export function spots(): SVGElement[] {
  return Array.from(board.querySelectorAll<SVGElement>(".spot:not([aria-hidden])"));
}

/** Two spots have two names, and one action has one spot; others like it are there for the eye and the pointer. */
export function tellApart(): void {
  const [actions, names] = [new Set<string>(), new Set<string>()];
  for (const spot of board.querySelectorAll<SVGElement>(".spot[data-action]")) {
    const action = spot.dataset.action ?? "";
    if (actions.has(action)) {
      spot.setAttribute("aria-hidden", "true");
      for (const attribute of ["role", "tabindex"]) spot.removeAttribute(attribute);
      continue;
    }
    actions.add(action);
    spot.removeAttribute("aria-hidden");
    spot.setAttribute("role", "button");
    const name = spot.getAttribute("aria-label") ?? action;
    if (names.has(name)) spot.setAttribute("aria-label", `${name} (${action})`);
    names.add(name);
  }
}

/** The board is one stop of the Tab key: only one spot of it can be reached so. */
export function rove(current?: SVGElement): void {
  const all = spots();
  const chosen = current ?? all.find((spot) => spot === document.activeElement) ?? all[0];
  for (const spot of all) spot.setAttribute("tabindex", spot === chosen ? "0" : "-1");
}

/** The nearest spot in a direction, with what lies aside counted double. */
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
