/**
 * Live updates of a table's page: a socket replaces parts that the server renders, and sends
 * answers. The page also works without this script, which knows drawings, buttons and texts, but no
 * rules.
 */

import { Camera } from "./camera";
import { toldTimes } from "./clock";
import { board, draw, element, inPlace, neighbour, parse, redraw, rove, spots, tellApart } from "./drawing";
import { offerToTell, tellTurn } from "./tell";
import type { Act, Asked, Draft, Frame, Parts, Patch, Told } from "./messages";

/** Interval of heartbeats, in milliseconds. */
const HEARTBEAT = 10_000;
/** The first pause before reconnecting, in milliseconds. It doubles up to `LONGEST_RETRY`. */
const RETRY = 500;
const LONGEST_RETRY = 8_000;

const table = element("table");
const ask = element("ask");
const log = element("log");
const title = document.title;

let socket: WebSocket | undefined;
let version = Number(table.dataset.version);
/** The revision of the draft that is shown; 0 for none. */
let revision = Number(table.dataset.revision);
let lines = Number(table.dataset.log);
/** Number of log lines at our last decision; for spectators, before the last news. */
let decided = Number(table.dataset.log);
/** The number of the last question that waited for us, if any. */
let owed = ask.querySelector<HTMLInputElement>("input[name=number]")?.value;
/** By log line: the elements on the board that the line's message has changed. */
const changed = new WeakMap<Element, Element[]>();
/** Maximal number of elements that a log line highlights; with more, nearly everything would be. */
const MOST_LIT = 24;
let wait = RETRY;
/** The answer that is not yet acknowledged. It is sent again after a reconnection. */
let pending: Act | Draft | undefined;

/** True if the browser can decompress messages. */
const packed = "DecompressionStream" in window;
/** The queue of messages. Decompression is asynchronous, so the queue keeps them in order. */
let heard: Promise<void> = Promise.resolve();

function say(message: object): boolean {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(JSON.stringify(message));
  return true;
}

function notice(text: string): void {
  const place = element("notice");
  if (place.textContent !== text) place.replaceChildren(...text.split(/(?<= )/).flatMap(clause));
}

/** The nodes of a word. If it names a clause of the rules, as in `(R3.4)` or `5.1:`, one is a link. */
function clause(word: string): (string | Node)[] {
  const [, before = "", name = "", after = ""] = /^(\(?)(R\d[\d.]*\d|R\d|\d[\d.]*\.\d+)(.*)$/s.exec(word) ?? [];
  const rules = document.querySelector('a[href^="/rules/"]')?.getAttribute("href");
  if (!rules || !(name.startsWith("R") || before || (name && after.trim() === ":"))) return [word];
  const link = document.createElement("a");
  [link.href, link.textContent] = [`${rules}#${name}`, name];
  return [before, link, after];
}

// ---- Choices part by part, and composed actions ----

function pointed(): Map<string, HTMLButtonElement> {
  const found = new Map<string, HTMLButtonElement>();
  for (const button of ask.querySelectorAll<HTMLButtonElement>("#composer button[data-target]")) {
    const name = button.dataset.target ?? "";
    if (!found.has(name)) found.set(name, button);
  }
  return found;
}

/** Turns those targets of the drawing into spots that can be chosen now, and marks the chosen ones. */
function offer(): void {
  const buttons = pointed();
  const { chosen = "", used = "" } = document.getElementById("composer")?.dataset ?? {};
  const names = { chosen: new Set(chosen.split(" ")), used: new Set(used.split(" ")) };
  for (const target of board.querySelectorAll<SVGElement>(".target")) {
    const name = target.dataset.target ?? "";
    const button = buttons.get(name);
    target.classList.toggle("spot", button !== undefined);
    target.classList.toggle("chosen", names.chosen.has(name));
    target.classList.toggle("used", names.used.has(name));
    const label = button?.getAttribute("aria-label") ?? button?.textContent;
    if (label) {
      target.setAttribute("role", "button");
      target.setAttribute("aria-label", label);
    } else for (const attribute of ["role", "aria-label", "tabindex"]) target.removeAttribute(attribute);
  }
  narrow();
}

/** Dims the spots that do not belong to the open part of the question. */
function narrow(): void {
  const open = Array.from(ask.querySelectorAll("details.part[open]"));
  const inner = open.find((part) => !part.querySelector("details.part[open]"));
  const values = Array.from(inner?.querySelectorAll<HTMLButtonElement>("button[name=action]") ?? [], (button) => button.value);
  for (const spot of board.querySelectorAll<SVGElement>(".spot[data-action]")) {
    spot.classList.toggle("aside", values.length > 0 && !values.includes(spot.dataset.action ?? ""));
  }
  sort();
}

/** Decides which elements are spots at the board's current size, and names them. */
function sort(): void {
  tellApart();
  rove();
}

ask.addEventListener("toggle", narrow, true);

/** Number of requested steps. Only the answer to the latest request is shown. */
let steps = 0;

/** Requests the continuations of a composed action from the server, and shows them. */
async function compose(soFar: string): Promise<void> {
  const composer = element("composer");
  const spot = board.contains(document.activeElement) ? (document.activeElement as SVGElement) : undefined;
  const step = (steps += 1);
  const query = new URLSearchParams({ as: table.dataset.as ?? "", "so-far": soFar });
  const answer = await fetch(`/t/${table.dataset.table}/compose?${query}`).catch(() => undefined);
  const html = await answer?.text().catch(() => undefined);
  // The question may have changed while the server answered.
  if (step !== steps || !composer.isConnected) return;
  if (!answer?.ok || html === undefined) {
    notice(html ?? "The server does not answer. Try again in a moment.");
    return;
  }
  notice("");
  composer.replaceWith(parse(html).content);
  offer();
  const again = spot?.classList.contains("spot") ? spot : spots()[0];
  if (spot && again) {
    rove(again);
    again.focus();
  } else (ask.querySelector<HTMLElement>("#composer .compose [name=so-far]:not([data-undo])") ?? ask.querySelector<HTMLElement>("#composer button"))?.focus();
}

// ---- Answers ----

function send(answer: Act | Draft): void {
  notice("");
  decided = log.children.length;
  pending = answer;
  if (!say(pending)) notice("The server does not answer. Your move is sent as soon as it does.");
}

const askNumber = (): string | undefined => ask.querySelector<HTMLInputElement>("input[name=number]")?.value;

/** The number in a hidden field of the question. */
function hidden(name: string): number | undefined {
  const value = ask.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value;
  return value === undefined ? undefined : Number(value);
}

const freshId = (): string => crypto.randomUUID?.() ?? String(Math.random());

function act(action: string): void {
  const [number, steps] = [hidden("number"), hidden("steps")];
  if (number === undefined) notice("It is not your turn.");
  else if (steps === undefined) send({ type: "act", number, id: freshId(), action });
  // At tables with confirmation, an action is a step of a draft.
  else send({ type: "draft", number, steps, id: freshId(), do: "step", action });
}

ask.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement;
  const button = event.submitter as HTMLButtonElement | null;
  if (form.classList.contains("compose") && button) {
    event.preventDefault();
    void compose(button.value);
    return;
  }
  if (form.classList.contains("draft") && button) {
    event.preventDefault();
    const [number, steps] = [hidden("number"), hidden("steps")];
    if (number !== undefined && steps !== undefined) send({ type: "draft", number, steps, id: freshId(), do: button.value as Draft["do"] });
    return;
  }
  if (!form.classList.contains("ask")) return;
  event.preventDefault();
  if (button?.name === "action") act(button.value);
  else {
    const typed = form.querySelector<HTMLInputElement>("#typed")?.value.trim();
    if (typed) act(typed);
    else notice("Type a move, or press a button.");
  }
});

/** Presses a spot. It stands for an action, for several at one place, or for a button of the composer. */
function press(spot: SVGElement): void {
  if (spot.classList.contains("place")) {
    const found = inPlace(spot);
    if (found.length > 1) chooseFrom(found);
    else if (found[0]) press(found[0]);
  } else if (spot.dataset.action !== undefined) act(spot.dataset.action);
  else {
    const button = pointed().get(spot.dataset.target ?? "");
    if (button) void compose(button.value);
  }
}

/** The effect of pressing a spot, as a text: copies of a spot have the same. */
const meaning = (spot: SVGElement): string => spot.dataset.action ?? spot.dataset.place ?? `target ${spot.dataset.target}`;

/** The spot that an element of the board belongs to. It is the place, if that is pressed as a whole. */
const spotOf = (node: Element): SVGElement | null => node.closest<SVGElement>(".place.spot") ?? node.closest<SVGElement>(".spot");

/** Asks which of several overlapping spots is meant. */
function chooseFrom(found: SVGElement[]): void {
  closeChoice();
  const menu = document.createElement("div");
  menu.id = "here";
  menu.setAttribute("role", "group");
  menu.setAttribute("aria-label", "Choose a move");
  for (const spot of found) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(picture(spot), spot.getAttribute("aria-label") ?? meaning(spot));
    button.addEventListener("click", () => {
      closeChoice();
      press(spot);
    });
    menu.append(button);
  }
  board.before(menu);
  menu.querySelector("button")?.focus();
}

function picture(spot: SVGElement): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const copy = spot.cloneNode(true) as SVGElement;
  const { a, b, c, d, e, f } = (spot as SVGGraphicsElement).getCTM() ?? new DOMMatrix();
  const { x, y, width, height } = (spot as SVGGraphicsElement).getBBox();
  const corners = [[x, y], [x + width, y], [x, y + height], [x + width, y + height]] as const;
  const [us, vs] = [corners.map(([x, y]) => a * x + c * y + e), corners.map(([x, y]) => b * x + d * y + f)];
  const [left, top] = [Math.min(...us), Math.min(...vs)];
  svg.setAttribute("viewBox", `${left} ${top} ${Math.max(...us) - left} ${Math.max(...vs) - top}`);
  svg.setAttribute("aria-hidden", "true");
  copy.setAttribute("transform", `matrix(${[a, b, c, d, e, f].join(" ")})`);
  for (const attribute of ["class", "role", "tabindex", "aria-label", "data-action"]) copy.removeAttribute(attribute);
  copy.querySelector("title")?.remove();
  svg.append(copy);
  return svg;
}

function closeChoice(): void {
  document.getElementById("here")?.remove();
}

board.addEventListener("click", (event) => {
  const spot = spotOf(event.target as Element);
  closeChoice();
  if (!spot) return;
  const here = new Map<string, SVGElement>();
  for (const found of document.elementsFromPoint(event.clientX, event.clientY)) {
    const other = board.contains(found) ? spotOf(found) : null;
    if (other) here.set(meaning(other), spots().find((first) => meaning(first) === meaning(other)) ?? other);
  }
  // A click without a position, as from a screen reader, means the spot itself.
  if (here.size > 1 && here.has(meaning(spot))) chooseFrom([...here.values()]);
  else press(spot);
});

board.addEventListener("keydown", (event) => {
  const spot = spotOf(event.target as Element);
  if (!spot) return;
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (way) {
    event.preventDefault();
    const next = neighbour(spot, way[0] ?? 0, way[1] ?? 0);
    if (next) {
      rove(next);
      next.focus();
    }
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    press(spot);
  }
});

// ---- Messages of the server ----

/** The question as the server has rendered it, without later changes by this script. */
let question = ask.innerHTML;

/** The pieces of the last question's HTML, which changes refer to. */
let pieces: string[] = [];

/**
 * The question of a message: whole, or made from changes of the last one. Undefined if the question
 * stays.
 */
function asked(frame: Frame | Patch): string | undefined {
  const { ask, ask_changes: changes }: Asked = frame.parts ?? {};
  if (changes) for (const [at, gone, come] of changes) pieces.splice(at, gone, ...come);
  else if (ask !== undefined && frame.asked) pieces = ask.split(/(?=<(?!\/))/);
  return changes ? pieces.join("") : ask;
}

/** Shows another question. The focus and typed text stay. */
function renewAsk(html: string): void {
  const had = document.activeElement;
  const inside = had !== null && ask.contains(had);
  const typed = ask.querySelector<HTMLInputElement>("#typed");
  closeChoice();
  const asked = parse(html);
  // An unchanged question stays on the page, with its marks and the cursor.
  const same = question === asked.innerHTML;
  if (!same) {
    question = asked.innerHTML;
    ask.replaceChildren(asked.content);
    // Shown advice belongs to the previous question.
    document.querySelector(".advice")?.remove();
  }
  const again = ask.querySelector<HTMLInputElement>("#typed");
  if (inside && !ask.contains(document.activeElement)) {
    // If nothing is left to choose, the button that confirms gets the focus.
    const confirm = ask.querySelector<HTMLButtonElement>(".draft .primary");
    if (had === typed && again) again.focus();
    else if (confirm && !again) confirm.focus();
    else element("ask-title").focus();
  }
  // Typed text and the cursor survive other players' moves.
  if (typed && again && !same && !pending) {
    again.value = typed.value;
    again.setSelectionRange(typed.selectionStart, typed.selectionEnd, typed.selectionDirection ?? "none");
  }
}

/** Replaces the log from line `from` on. Lines since our last decision are marked. */
function renewLog(from: number, html: string, fresh: Element[]): void {
  for (const line of Array.from(log.children).slice(from)) line.remove();
  const before = log.children.length;
  log.insertAdjacentHTML("beforeend", html);
  lines = log.children.length;
  if (table.dataset.as === "watch") decided = before;
  for (const [index, line] of Array.from(log.children).entries()) {
    line.classList.toggle("new", index >= decided);
    if (index >= before && fresh.length <= MOST_LIT) changed.set(line, fresh);
  }
  showLast();
}

/** Shows and returns a sentence with the last events since our last decision. */
function tellSince(): string {
  const news = Array.from(log.children).slice(decided).map((line) => line.textContent?.trim() ?? "");
  const told = news.slice(-3).join("; ");
  const text = news.length === 0 ? "" : news.length > 3 ? `Since your last move: … ${told} (${news.length - 3} more in the log)` : `Since your last move: ${told}`;
  element("since").textContent = text;
  return text;
}

/** Highlights the elements on the board that a log line has changed; null for none. */
function light(line: Element | null): void {
  for (const lit of board.querySelectorAll(".lit")) lit.classList.remove("lit");
  for (const node of (line && changed.get(line)) ?? []) if (node.closest(".panel")) node.classList.add("lit");
}
for (const kind of ["pointerover", "pointerdown"]) log.addEventListener(kind, (event) => light((event.target as Element).closest("li")));
log.addEventListener("pointerleave", () => light(null));

/** Applies what frames and patches have in common: question, players, title and notification. */
function renew(frame: Frame | Patch, parts: Partial<Parts>): void {
  ({ version, revision } = frame);
  board.classList.toggle("drafted", revision > 0);
  const ask = asked(frame);
  if (ask !== undefined) renewAsk(ask);
  offer();
  if (parts.status !== undefined) element("status").innerHTML = parts.status;
  if (parts.players !== undefined) {
    element("players").innerHTML = parts.players;
    toldTimes();
    invite();
  }
  // A patch without this field is followed at once by another one, which does the rest.
  if (frame.asked === undefined) return;
  document.title = frame.asked ? `Your turn · ${title}` : title;
  const number = frame.asked ? askNumber() : undefined;
  if (number !== undefined && number !== owed) {
    const since = tellSince();
    // People who are answering on this page already need no notification.
    if (owed === undefined || !document.hasFocus()) tellTurn(document.title, since);
  }
  owed = number;
  camera.settle();
  if (ask !== undefined) camera.show();
}

/** Applies a change of the board. If a spot had the focus, it or another one keeps it. */
function onBoard(show: () => void): void {
  const had = document.activeElement as SVGElement | null;
  const spot = had !== null && board.contains(had) ? had : undefined;
  show();
  if (spot === undefined || board.contains(document.activeElement)) return;
  const same = spots().find((other) => meaning(other) === meaning(spot));
  (same ?? spots()[0] ?? board).focus();
}

function showFrame(frame: Frame): void {
  draw(frame.drawing);
  element("text").textContent = frame.text;
  renewLog(0, frame.log, []);
  renew(frame, frame.parts);
}

function showPatch(patch: Patch): void {
  // This patch belongs to another version, so a whole frame is requested.
  if (patch.since !== version) {
    say({ type: "hello", since: 0, log: lines, packed, pieces: true });
    return;
  }
  const fresh = redraw(patch.drawing);
  const text = element("text");
  if (patch.text.length > 0) {
    const list = (text.textContent ?? "").split("\n");
    for (const [at, gone, come] of patch.text) list.splice(at, gone, ...come);
    text.textContent = list.join("\n");
  }
  if (patch.log_from < log.children.length || patch.log !== "") renewLog(patch.log_from, patch.log, fresh);
  renew(patch, patch.parts ?? {});
}

function hear(told: Told): void {
  if (told.type === "frame") onBoard(() => showFrame(told));
  else if (told.type === "patch") onBoard(() => showPatch(told));
  else if (told.type === "ack") {
    if (pending?.id === told.id) pending = undefined;
    notice(told.stopped === undefined ? "" : `Only ${told.stopped} of these steps were played, because something new came to light. Choose again.`);
  } else if (told.type === "bad") {
    if (told.id === undefined || pending?.id === told.id) pending = undefined;
    notice(told.message);
  } else if (told.type === "elsewhere") {
    // Another seat of this browser must decide, and the server selects its view.
    location.replace(location.pathname);
  } else if (told.type === "rematch") {
    // The browsers of players go to the rematch; spectators get a link.
    if (table.dataset.as !== "watch") location.assign(told.address);
  } else if (told.type === "leaving") notice("The server restarts. The table waits, and nothing is lost.");
}

/** The text of a compressed message. */
async function unpacked(data: ArrayBuffer): Promise<string> {
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

function connect(): void {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const address = `${scheme}//${location.host}/t/${table.dataset.table}/socket?as=${table.dataset.as}`;
  const fresh = new WebSocket(address);
  fresh.binaryType = "arraybuffer";
  socket = fresh;
  fresh.addEventListener("open", () => {
    wait = RETRY;
    notice("");
    say({ type: "hello", since: version, revision, log: lines, packed, pieces: true });
    if (pending) say(pending);
  });
  fresh.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
    const next = async (): Promise<void> => hear(JSON.parse(typeof data === "string" ? data : await unpacked(data)) as Told);
    // An error in a message is reported, and later messages are handled all the same.
    heard = heard.then(next).catch(reportError);
  });
  fresh.addEventListener("close", () => {
    if (wait > RETRY) notice("The server does not answer. Trying again …");
    setTimeout(connect, wait + Math.random() * RETRY);
    wait = Math.min(wait * 2, LONGEST_RETRY);
  });
}

// ---- The rest ----

function showLast(): void {
  const pane = log.parentElement;
  if (pane) pane.scrollTop = pane.scrollHeight;
}

/** Turns places for invitations into links with a button to copy them. */
function invite(): void {
  for (const place of document.querySelectorAll<HTMLElement>(".invite[data-seat]")) {
    const seat = place.dataset.seat ?? "";
    place.removeAttribute("data-seat");
    const field = document.createElement("input");
    [field.readOnly, field.value] = [true, new URL(`/t/${table.dataset.table}/join/${seat}`, location.href).href];
    field.setAttribute("aria-label", `The link for a friend at seat ${seat}`);
    field.addEventListener("focus", () => field.select());
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy link";
    button.addEventListener("click", async () => {
      button.textContent = (await copy(field)) ? "Link copied" : "Not copied: copy the marked link";
    });
    place.replaceChildren(field, button);
  }
}

/** Copies the link. Returns false if that failed; the link is then selected for copying by hand. */
async function copy(field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Without HTTPS there is no clipboard API, and some browsers forbid its use.
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}

draw();
const camera = new Camera(sort);
const bar = document.querySelector<HTMLElement>(".zoom");
if (bar) bar.hidden = !board.querySelector(".pan");
bar?.addEventListener("click", (event) => {
  const how = (event.target as HTMLElement).closest("button")?.dataset.zoom;
  if (how) zoom(how);
});

function zoom(how: string): void {
  camera.change(how);
  bar?.querySelector("[data-zoom=fit]")?.setAttribute("aria-pressed", String(camera.whole));
}

document.addEventListener("keydown", (event) => {
  const typing = (event.target as Element).closest("input, select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  // A composed action is undone before steps of the draft.
  const undo = ask.querySelector<HTMLElement>("#composer [data-undo]") ?? ask.querySelector<HTMLElement>("[data-undo]");
  if (event.key === "u") undo?.click();
  if (event.key === "c") ask.querySelector<HTMLElement>(".draft .primary")?.click();
  if (event.key === "Escape" && document.getElementById("here")) {
    closeChoice();
    board.focus();
  }
  const how = { "+": "in", "=": "in", "-": "out", "0": "fit" }[event.key];
  if (how) zoom(how);
  const place = { m: "ask-title", b: "board-title", l: "log-title", "/": "typed" }[event.key];
  const target = place === undefined ? null : document.getElementById(place);
  if (target) {
    event.preventDefault();
    target.focus();
  }
});

const more = document.querySelector("section.more");
if (more && table.dataset.as !== "watch") offerToTell(more);
setInterval(() => say({ type: "ping" }), HEARTBEAT);
invite();
offer();
camera.settle();
camera.show();
showLast();
connect();
