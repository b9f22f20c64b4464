/**
 * How large the panels of the drawing are, and which piece of a board is seen: at first all of it, or if that could not be
 * read and pressed, so large that it can, where something is asked or has happened last. Whoever wants sees more of it, or
 * less.
 */

import { board, extent, PRESSABLE, spots } from "./drawing";

/** The least size of a text, in pixels. */
const LEGIBLE = 12.05;
/** One step of the buttons. */
const STEP = 1.25;
/** A pointer that moves less than this was a press. */
const SHAKY = 5;
/** Others stand beside a board that can still be read as a whole, and keeps this share of the width; */
const LEAST = 0.5;
/** or beside one that cannot in any case, and keeps this; */
const MOST = 0.7;
/** with so much between them. */
const GAP = 6;
/** A board in a wide window is no larger than so many times what it would be in the drawing as a whole. */
const LARGEST = 1.6;

type Point = readonly [number, number];

/** What a part of the drawing says of itself, in units of the drawing. */
interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Of its smallest text; 0 without text. */
  text: number;
  /** Where the board's own origin lies, and how large its unit is. */
  origin: Point;
  unit: number;
  focus: Point | undefined;
}

function read(panel: Element): Part {
  const { view = "", text = "0", board: own = "", focus } = panel.querySelector<SVGElement>("g.part")?.dataset ?? {};
  const numbers = (list: string): number[] => list.split(" ").map(Number);
  const [left = 0, top = 0, width = 1, height = 1] = numbers(view);
  const [x = 0, y = 0, unit = 1] = own === "" ? [] : numbers(own);
  const [u = 0, v = 0] = numbers(focus ?? "");
  return { left, top, width, height, text: Number(text), origin: [x, y], unit, focus: focus === undefined ? undefined : [u, v] };
}

const least = (part: Part): number => (part.text > 0 ? LEGIBLE / part.text : 0);

export class Camera {
  /** As at first, all of it at once, or so many pixels of the board's own unit: a board that grows stays as large. */
  private zoom: number | "first" | "fit" = "first";
  /** Pixels of the board's own unit that its spots need: it does not become smaller between two questions. */
  private needed = 0;
  /** The board as it was shown last, and how many pixels a unit of the drawing had. */
  private shown: { part: Part; scale: number } | undefined;

  /** `sized` is called when sizes have changed. */
  constructor(private readonly sized: () => void) {
    let width = board.clientWidth;
    new ResizeObserver(() => {
      if (board.clientWidth === width) return;
      width = board.clientWidth;
      this.settle();
    }).observe(board);
    this.pull();
  }

  /** Larger, smaller, or all of it: `in`, `out`, `fit`. What was in the middle stays there. */
  change(how: string): void {
    const pane = this.pane();
    if (!pane) return;
    const [first, now] = [this.open(pane), this.scale(pane) * (how === "in" ? STEP : 1 / STEP)];
    if (how === "fit") this.zoom = this.zoom === "fit" ? "first" : "fit";
    else this.zoom = Math.min(8 * first, Math.max(first / 4, now)) * read(pane).unit;
    this.size(pane);
    this.sized();
    this.reach();
  }

  /** Whether all of the board is shown on purpose. */
  get whole(): boolean {
    return this.zoom === "fit";
  }

  /** After the drawing has changed. */
  settle(): void {
    this.arrange();
    const pane = this.pane();
    if (pane) {
      this.size(pane);
      const { unit } = read(pane);
      const [scale, lack] = [this.scale(pane), this.lack(pane)];
      if (lack > 1) {
        this.needed = Math.max(this.needed, scale * lack * unit);
        this.size(pane);
      }
    }
    this.sized();
    this.reach();
  }

  /** Moves the board to where something is asked, if not all of that is to be seen, else to what has happened last. */
  show(): void {
    const pane = this.pane();
    if (!pane) return;
    const frame = pane.getBoundingClientRect();
    const centres = spots(pane).map((spot): Point => {
      const { left, top, width, height } = spot.getBoundingClientRect();
      return [left + width / 2 - frame.left, top + height / 2 - frame.top];
    });
    const { part, scale } = this.shown ?? { part: read(pane), scale: 1 };
    if (centres.length === 0 && part.focus) {
      const [x, y] = part.focus;
      centres.push([(x - part.left) * scale - pane.scrollLeft, (y - part.top) * scale - pane.scrollTop]);
    }
    const inside = ([x, y]: Point): boolean => x > 0 && y > 0 && x < pane.clientWidth && y < pane.clientHeight;
    if (centres.length === 0 || centres.every(inside)) return;
    const mean = (axis: 0 | 1): number => centres.reduce((sum, centre) => sum + centre[axis], 0) / centres.length;
    const away = ([x, y]: Point): number => Math.hypot(x - mean(0), y - mean(1));
    // The middle of two ends of a map may show neither: the spot that is nearest to it does.
    const [x, y] = centres.reduce((best, centre) => (away(centre) < away(best) ? centre : best));
    pane.scrollBy({ left: x - pane.clientWidth / 2, top: y - pane.clientHeight / 2, behavior: "instant" });
  }

  /** The panel of the board, of which a piece is seen. */
  private pane(): HTMLElement | null {
    return board.querySelector<HTMLElement>(".pan");
  }

  /** Pixels of a unit of the drawing at which all of the board is to be seen. */
  private fitting(pane: HTMLElement): number {
    const { width, height } = read(pane);
    const { maxHeight, borderTopWidth } = getComputedStyle(pane);
    return Math.min(pane.clientWidth / width, (parseFloat(maxHeight) - 2 * parseFloat(borderTopWidth)) / height);
  }

  /** The same at first: all of it if that is legible, and not larger than it is drawn. */
  private open(pane: HTMLElement): number {
    const part = read(pane);
    const whole = Number(board.querySelector(".sheet")?.getAttribute("viewBox")?.split(" ")[2]);
    const largest = whole > 0 ? (LARGEST * board.clientWidth) / whole : Infinity;
    return Math.max(Math.min(this.fitting(pane), largest), least(part), this.needed / part.unit);
  }

  private scale(pane: HTMLElement): number {
    if (this.zoom === "fit") return this.fitting(pane);
    return this.zoom === "first" ? this.open(pane) : this.zoom / read(pane).unit;
  }

  /** Shows the board in its size. What was in the middle stays there, also when the board grows. */
  private size(pane: HTMLElement): void {
    const part = read(pane);
    const exact = part.width * this.scale(pane);
    // Whole pixels; what is to be seen as a whole does not stand out by one.
    const width = exact <= part.width * this.fitting(pane) + 1e-6 ? Math.floor(exact + 1e-6) : Math.ceil(exact);
    const scale = width / part.width;
    const was = this.shown ?? { part, scale };
    const middle = (axis: 0 | 1): number => {
      const [scrolled, seen, start] = axis === 0 ? [pane.scrollLeft, pane.clientWidth, was.part.left] : [pane.scrollTop, pane.clientHeight, was.part.top];
      // One that is narrower than the panel stands in its middle.
      const before = axis === 0 ? Math.max(0, (seen - was.part.width * was.scale) / 2) : 0;
      const own = ((scrolled + seen / 2 - before) / was.scale + start - was.part.origin[axis]) / was.part.unit;
      return (own * part.unit + part.origin[axis] - (axis === 0 ? part.left : part.top)) * scale;
    };
    const [x, y] = [middle(0), middle(1)];
    pane.style.setProperty("--width", `${width}px`);
    pane.scrollTo({ left: x - pane.clientWidth / 2, top: y - pane.clientHeight / 2, behavior: "instant" });
    this.shown = { part, scale };
  }

  /** How many times larger spots would have to be to be pressed. */
  private lack(within: Element): number {
    let lack = 0;
    for (const spot of spots(within)) {
      const size = extent(spot.closest(".place") ?? spot);
      if (size > 0) lack = Math.max(lack, PRESSABLE / size);
    }
    return lack;
  }

  /** The panels' widths, and how they stand to each other. */
  private arrange(): void {
    const [, , whole = 1, high = 1] = (board.querySelector(".sheet")?.getAttribute("viewBox") ?? "").split(" ").map(Number);
    const pane = this.pane();
    const panels = Array.from(board.querySelectorAll<HTMLElement>(".panel:not(.pan)"));
    const lines: HTMLElement[] = [];
    // The widest panel, and how wide the drawing as a whole would have to be.
    let [widest, all] = [0, 0];
    let before: Part | undefined;
    for (const panel of panels) {
      const part = read(panel);
      const set = (name: string, value: string): void => panel.style.setProperty(`--${name}`, value);
      set("share", (part.width / whole).toFixed(4));
      set("left", `${(100 * part.left) / whole}%`);
      set("top", `${(100 * part.top) / high}%`);
      // Its spots are measured at some width.
      set("least", `${Math.ceil(part.width * least(part))}px`);
      const [lack, shown] = [this.lack(panel), panel.querySelector("svg")?.getBoundingClientRect().width ?? 0];
      const needed = Math.max(part.width * least(part), lack * shown);
      set("least", `${Math.ceil(needed)}px`);
      widest = Math.max(widest, needed);
      all = Math.max(all, (needed / part.width) * whole);
      if (before && part.top + 1e-3 >= before.top + before.height && part.left + 1e-3 < before.left) lines.push(panel);
      before = part;
    }
    const room = board.clientWidth;
    const part = pane && read(pane);
    const left = room - widest - GAP;
    board.classList.toggle("whole", part === null && all <= room);
    const legible = part ? least(part) * part.width : 0;
    board.classList.toggle("beside", part !== null && widest > 0 && left >= (room < legible ? MOST * room : Math.max(legible, LEAST * room)));
    board.style.setProperty("--ratio", `${whole} / ${high}`);
    for (const between of board.querySelectorAll(".break")) between.remove();
    if (part === null) for (const panel of lines) panel.before(Object.assign(document.createElement("div"), { className: "break" }));
  }

  /** What can be scrolled can be reached by keyboard, and nothing else is in the way. */
  private reach(): void {
    for (const panel of board.querySelectorAll<HTMLElement>(".panel")) {
      const scrolls = panel.scrollWidth > panel.clientWidth + 1 || panel.scrollHeight > panel.clientHeight + 1;
      if (scrolls) panel.tabIndex = 0;
      else panel.removeAttribute("tabindex");
    }
  }

  /** Whoever has a mouse pulls the board; fingers and keys scroll it by themselves. */
  private pull(): void {
    let from: { pane: HTMLElement; x: number; y: number; left: number; top: number } | undefined;
    let pulled = false;
    board.addEventListener("pointerdown", (event) => {
      pulled = false;
      const pane = (event.target as Element).closest<HTMLElement>(".pan");
      if (!pane || event.pointerType !== "mouse" || event.button !== 0) return;
      from = { pane, x: event.clientX, y: event.clientY, left: pane.scrollLeft, top: pane.scrollTop };
    });
    addEventListener("pointermove", (event) => {
      if (!from) return;
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      pulled ||= Math.hypot(x, y) > SHAKY;
      from.pane.classList.toggle("pulled", pulled);
      if (pulled) from.pane.scrollTo({ left: from.left - x, top: from.top - y, behavior: "instant" });
    });
    const letGo = (): void => {
      from?.pane.classList.remove("pulled");
      from = undefined;
      // The click of this very press comes first.
      setTimeout(() => (pulled = false));
    };
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, letGo);
    // What was pulled was not pressed.
    board.addEventListener("click", (event) => pulled && event.stopImmediatePropagation(), true);
  }
}
