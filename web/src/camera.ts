/**
 * How large the board is shown and which part of it: so large at first that every text of it can be read and every spot
 * pressed, and where something is asked. Whoever wants sees more of it, or less.
 */

/** The least size of a text and of what is pressed, in pixels. */
const LEGIBLE = 12;
const PRESSABLE = 24;
/** One step of the buttons. */
const STEP = 1.25;
/** A pointer that moves less than this was a press. */
const SHAKY = 5;

export class Camera {
  /** How much larger than at first; `fit` for all of it at once. */
  private zoom: number | "fit" = 1;
  /** How wide the drawing has to be, as long as it has this shape. */
  private least = 0;
  private shape = "";

  constructor(
    private readonly board: HTMLElement,
    private readonly spots: () => SVGElement[],
  ) {
    new ResizeObserver(() => this.size()).observe(board);
    this.pan();
  }

  /** Larger, smaller, or all of it: `in`, `out`, `fit`. What was in the middle stays there. */
  change(how: string): void {
    const { board } = this;
    const middle = [
      (board.scrollLeft + board.clientWidth / 2) / board.scrollWidth,
      (board.scrollTop + board.clientHeight / 2) / board.scrollHeight,
    ] as const;
    const now = this.width() / this.open();
    if (how === "fit") this.zoom = this.zoom === "fit" ? 1 : "fit";
    else this.zoom = Math.min(8, Math.max(0.25, how === "in" ? now * STEP : now / STEP));
    this.size();
    board.scrollLeft = middle[0] * board.scrollWidth - board.clientWidth / 2;
    board.scrollTop = middle[1] * board.scrollHeight - board.clientHeight / 2;
  }

  /** After the drawing has changed. */
  settle(): void {
    const svg = this.svg();
    if (!svg) return;
    const shape = svg.getAttribute("viewBox") ?? "";
    // Between two questions there are no spots: the board keeps its size.
    if (shape !== this.shape) this.least = 0;
    this.shape = shape;
    this.size();
    this.least = Math.max(this.least, svg.getBoundingClientRect().width * this.lack(svg));
    this.size();
  }

  /** Moves the board to where something is asked, if nothing of that is to be seen. */
  show(): void {
    const frame = this.board.getBoundingClientRect();
    const centres = this.spots().map((spot) => {
      const { left, top, width, height } = spot.getBoundingClientRect();
      return [left + width / 2 - frame.left, top + height / 2 - frame.top] as const;
    });
    const inside = ([x, y]: readonly [number, number]): boolean => x > 0 && y > 0 && x < frame.width && y < frame.height;
    if (centres.length === 0 || centres.every(inside)) return;
    const mean = (axis: 0 | 1): number => centres.reduce((sum, centre) => sum + centre[axis], 0) / centres.length;
    const away = ([x, y]: readonly [number, number]): number => Math.hypot(x - mean(0), y - mean(1));
    // The middle of two ends of a map may show neither: the spot that is nearest to it does.
    const [x, y] = centres.reduce((best, centre) => (away(centre) < away(best) ? centre : best));
    this.board.scrollBy({ left: x - frame.width / 2, top: y - frame.height / 2 });
  }

  private svg(): SVGSVGElement | null {
    return this.board.querySelector("svg");
  }

  /** The width at which all of the drawing is to be seen. */
  private fitting(): number {
    const [, , width = 1, height = 1] = this.shape.split(" ").map(Number);
    return Math.min(this.board.clientWidth, ((innerHeight * 0.75) / height) * width);
  }

  /** The width at first. */
  private open(): number {
    return Math.max(this.fitting(), this.least);
  }

  private width(): number {
    return this.zoom === "fit" ? this.fitting() : this.open() * this.zoom;
  }

  private size(): void {
    if (this.shape === "") return;
    this.board.classList.add("sized");
    this.board.style.setProperty("--width", `${Math.ceil(this.width())}px`);
  }

  /** How many times larger the drawing would have to be for its smallest text and spot. */
  private lack(svg: SVGSVGElement): number {
    let lack = 0;
    for (const text of svg.querySelectorAll("text")) {
      const place = text.getCTM();
      const size = Number(text.getAttribute("font-size"));
      if (place && size > 0 && text.textContent?.trim()) lack = Math.max(lack, LEGIBLE / (size * Math.hypot(place.a, place.b)));
    }
    for (const spot of this.spots()) {
      const { width, height } = spot.getBoundingClientRect();
      if (width > 0 && height > 0) lack = Math.max(lack, PRESSABLE / Math.min(width, height));
    }
    return lack;
  }

  /** Whoever has a mouse pulls the board; fingers and keys scroll it by themselves. */
  private pan(): void {
    const { board } = this;
    let from: [number, number, number, number] | undefined;
    let pulled = false;
    board.addEventListener("pointerdown", (event) => {
      pulled = false;
      if (event.pointerType === "mouse" && event.button === 0) from = [event.clientX, event.clientY, board.scrollLeft, board.scrollTop];
    });
    addEventListener("pointermove", (event) => {
      if (!from) return;
      const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
      pulled ||= Math.hypot(x, y) > SHAKY;
      board.classList.toggle("pulled", pulled);
      if (pulled) board.scrollTo({ left: from[2] - x, top: from[3] - y, behavior: "instant" });
    });
    const letGo = (): void => {
      from = undefined;
      board.classList.remove("pulled");
      // The click of this very press comes first.
      setTimeout(() => (pulled = false));
    };
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, letGo);
    // What was pulled was not pressed.
    board.addEventListener("click", (event) => pulled && event.stopImmediatePropagation(), true);
  }
}
