/**
 * The sizes of the drawing's panels, and the visible piece of a board. At first the whole board is
 * shown. If it would be too small to read and press, a piece is shown: that of the question, or of
 * the last event. People can zoom.
 */

import { board, extent, PRESSABLE, spots } from "./drawing";

/** Minimal size of legible text, in pixels. */
const LEGIBLE = 12.05;
/** Factor by which one press of a button zooms. */
const STEP = 1.25;
/** A pointer that moves by at most this many pixels presses; one that moves farther drags. */
const SHAKY = 5;
/** Minimal share of the width for a board beside other panels, if the whole board can be legible. */
const LEAST = 0.5;
/** The same share for a board that cannot be legible as a whole. */
const MOST = 0.7;
/** Space between panels, in pixels. */
const GAP = 6;
/** Maximal size of a board at first, relative to its size in the whole drawing at the window's width. */
const LARGEST = 1.6;

type Point = readonly [number, number];

/** A part of the drawing. Lengths are in units of the drawing. */
interface Part {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Size of the part's smallest text; 0 without text. */
  text: number;
  /** Origin of the board's own coordinates. */
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
  /**
   * The zoom: chosen automatically, the whole board, or pixels per board unit, so that a growing
   * board keeps its scale.
   */
  private zoom: number | "first" | "fit" = "first";
  /** Pixels per board unit that the spots have needed so far. The number never shrinks. */
  private needed = 0;
  /** The board as it was last shown, and its pixels per unit of the drawing. */
  private shown: { part: Part; scale: number } | undefined;

  constructor(private readonly sized: () => void) {
    let width = board.clientWidth;
    new ResizeObserver(() => {
      if (board.clientWidth === width) return;
      width = board.clientWidth;
      this.settle();
    }).observe(board);
    this.pull();
  }

  /** Zooms `in` or `out`, or switches `fit` on and off. The middle stays in place. */
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

  /** True if people have chosen to see the whole board. */
  get whole(): boolean {
    return this.zoom === "fit";
  }

  /** Updates the panels after a change of the drawing or of the window. */
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

  /**
   * Scrolls to the question unless all its spots are visible. Without a question, scrolls to the
   * last event.
   */
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
    // The mean of spots at two ends of a map may show neither, so the spot nearest to it is used.
    const [x, y] = centres.reduce((best, centre) => (away(centre) < away(best) ? centre : best));
    pane.scrollBy({ left: x - pane.clientWidth / 2, top: y - pane.clientHeight / 2, behavior: "instant" });
  }

  private pane(): HTMLElement | null {
    return board.querySelector<HTMLElement>(".pan");
  }

  /** Pixels per unit of the drawing at which the whole board fits its panel. */
  private fitting(pane: HTMLElement): number {
    const { width, height } = read(pane);
    const { maxHeight, borderTopWidth } = getComputedStyle(pane);
    return Math.min(pane.clientWidth / width, (parseFloat(maxHeight) - 2 * parseFloat(borderTopWidth)) / height);
  }

  /** The first scale: that of the whole board, limited by `LARGEST`, but large enough to read and press. */
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

  /** Applies the board's size. The middle stays in place, even if the board grows. */
  private size(pane: HTMLElement): void {
    const part = read(pane);
    const exact = part.width * this.scale(pane);
    // The width is in whole pixels, and a board that fits must not exceed its panel by one.
    const width = exact <= part.width * this.fitting(pane) + 1e-6 ? Math.floor(exact + 1e-6) : Math.ceil(exact);
    const scale = width / part.width;
    const was = this.shown ?? { part, scale };
    const middle = (axis: 0 | 1): number => {
      const [scrolled, seen, start] = axis === 0 ? [pane.scrollLeft, pane.clientWidth, was.part.left] : [pane.scrollTop, pane.clientHeight, was.part.top];
      // A board that is narrower than its panel is centred.
      const before = axis === 0 ? Math.max(0, (seen - was.part.width * was.scale) / 2) : 0;
      const own = ((scrolled + seen / 2 - before) / was.scale + start - was.part.origin[axis]) / was.part.unit;
      return (own * part.unit + part.origin[axis] - (axis === 0 ? part.left : part.top)) * scale;
    };
    const [x, y] = [middle(0), middle(1)];
    pane.style.setProperty("--width", `${width}px`);
    pane.scrollTo({ left: x - pane.clientWidth / 2, top: y - pane.clientHeight / 2, behavior: "instant" });
    this.shown = { part, scale };
  }

  /** Factor by which the smallest spot would have to grow to be pressed; 0 without spots. */
  private lack(within: Element): number {
    let lack = 0;
    for (const spot of spots(within)) {
      const size = extent(spot.closest(".place") ?? spot);
      if (size > 0) lack = Math.max(lack, PRESSABLE / size);
    }
    return lack;
  }

  /** Sets the panels' sizes, and decides if they stand beside the board. */
  private arrange(): void {
    const [, , whole = 1, high = 1] = (board.querySelector(".sheet")?.getAttribute("viewBox") ?? "").split(" ").map(Number);
    const pane = this.pane();
    const panels = Array.from(board.querySelectorAll<HTMLElement>(".panel:not(.pan)"));
    const lines: HTMLElement[] = [];
    // The largest width that a panel needs, and the width that the whole drawing would then need.
    let [widest, all] = [0, 0];
    let before: Part | undefined;
    for (const panel of panels) {
      const part = read(panel);
      const set = (name: string, value: string): void => panel.style.setProperty(`--${name}`, value);
      set("share", (part.width / whole).toFixed(4));
      set("left", `${(100 * part.left) / whole}%`);
      set("top", `${(100 * part.top) / high}%`);
      // Spots can be measured only once their panel has some width.
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

  /** Makes panels that scroll, and only these, reachable by keyboard. */
  private reach(): void {
    for (const panel of board.querySelectorAll<HTMLElement>(".panel")) {
      const scrolls = panel.scrollWidth > panel.clientWidth + 1 || panel.scrollHeight > panel.clientHeight + 1;
      if (scrolls) panel.tabIndex = 0;
      else panel.removeAttribute("tabindex");
    }
  }

  /** Drags the board with a mouse. Fingers and keys scroll it without this. */
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
      // The flag is reset later, because the click of this press comes first.
      setTimeout(() => (pulled = false));
    };
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, letGo);
    // The click at the end of a drag does not press a spot.
    board.addEventListener("click", (event) => pulled && event.stopImmediatePropagation(), true);
  }
}
