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

/** The root of the drawing. Its children are the pieces that patches count. */
function root(): SVGSVGElement {
  const found = board.querySelector("svg");
  if (!found) throw new Error("the board has no drawing");
  return found;
}

/** Line breaks between pieces are not counted. */
export function tidy(): void {
  for (const node of Array.from(root().childNodes)) if (node.nodeType === Node.TEXT_NODE) node.remove();
}

export function draw(drawing: string): void {
  board.innerHTML = drawing;
  tidy();
}

/** Changes pieces of the drawing. The others stay as they are: they keep the focus, and cost nothing. */
export function redraw(head: string | undefined, changes: Change[]): void {
  const svg = root();
  if (head !== undefined) {
    const tag = parse(`${head}</svg>`).content.firstElementChild;
    for (const { name, value } of Array.from(tag?.attributes ?? [])) svg.setAttribute(name, value);
  }
  for (const [at, gone, come] of changes) {
    const old = Array.from(svg.childNodes).slice(at, at + gone);
    const after = svg.childNodes[at + gone] ?? null;
    for (const piece of come) svg.insertBefore(fresh(piece), after);
    for (const node of old) node.remove();
  }
}

function fresh(piece: string): ChildNode {
  const holder = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  holder.innerHTML = piece;
  const node = holder.firstChild;
  if (!node) throw new Error("a drawing has an empty piece");
  return node;
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
