/**
 * What moves at a table: a socket renews the parts of the page that the server makes, and takes answers. The page is whole
 * without it. It holds no rules: it knows drawings, buttons and texts.
 */

import { Camera } from "./camera";
import { toldTimes } from "./clock";
import { board, draw, element, inPlace, neighbour, parse, redraw, rove, spots, tellApart } from "./drawing";
import { offerToTell, tellTurn } from "./tell";
import type { Act, Asked, Draft, Frame, Parts, Patch, Told } from "./messages";

/** How often the server hears that the page is there, in milliseconds. */
const HEARTBEAT = 10_000;
/** The first wait before the page tries again, and the longest. */
const RETRY = 500;
const LONGEST_RETRY = 8_000;

const table = element("table");
const ask = element("ask");
const log = element("log");
const title = document.title;

let socket: WebSocket | undefined;
let version = Number(table.dataset.version);
/** Which revision of the draft is shown; 0 for none. */
let revision = Number(table.dataset.revision);
let lines = Number(table.dataset.log);
/** How many lines the log had when we decided last; for who only watches, before what is new. */
let decided = Number(table.dataset.log);
/** The question that was open when we were told last, if one was. */
let owed = ask.querySelector<HTMLInputElement>("input[name=number]")?.value;
/** What has changed on the board with a line of the log. */
const changed = new WeakMap<Element, Element[]>();
/** Lines with more than so many changes light nothing: it would be all. */
const MOST_LIT = 24;
let wait = RETRY;
/** The answer that was sent and is not acknowledged. It is sent again when the socket is back. */
let pending: Act | Draft | undefined;

/** Whether long messages may come packed. */
const packed = "DecompressionStream" in window;
/** What is told is heard in order, though it takes a moment to unpack it. */
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

/** A word, as a link if it names a clause of the rules: `(R3.4)`, `5.1:`. */
function clause(word: string): (string | Node)[] {
  const [, before = "", name = "", after = ""] = /^(\(?)(R\d[\d.]*\d|R\d|\d[\d.]*\.\d+)(.*)$/s.exec(word) ?? [];
  const rules = document.querySelector('a[href^="/rules/"]')?.getAttribute("href");
  if (!rules || !(name.startsWith("R") || before || (name && after.trim() === ":"))) return [word];
  const link = document.createElement("a");
  [link.href, link.textContent] = [`${rules}#${name}`, name];
  return [before, link, after];
}

// ---- What is chosen part by part, or put together ----

/** The buttons that stand for targets of the drawing, by the targets' names. */
function pointed(): Map<string, HTMLButtonElement> {
  const found = new Map<string, HTMLButtonElement>();
  for (const button of ask.querySelectorAll<HTMLButtonElement>("#composer button[data-target]")) {
    const name = button.dataset.target ?? "";
    if (!found.has(name)) found.set(name, button);
  }
  return found;
}

/** Makes spots of the drawing's targets that can be chosen now, and marks those that are. */
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

/** While a part is open, spots that do not belong to it step back. */
function narrow(): void {
  const open = Array.from(ask.querySelectorAll("details.part[open]"));
  const inner = open.find((part) => !part.querySelector("details.part[open]"));
  const values = Array.from(inner?.querySelectorAll<HTMLButtonElement>("button[name=action]") ?? [], (button) => button.value);
  for (const spot of board.querySelectorAll<SVGElement>(".spot[data-action]")) {
    spot.classList.toggle("aside", values.length > 0 && !values.includes(spot.dataset.action ?? ""));
  }
  sort();
}

/** What is a spot at this size of the board, and has which name. */
function sort(): void {
  tellApart();
  rove();
}

ask.addEventListener("toggle", narrow, true);

/** Counts the steps that were asked for: only the last one is shown. */
let steps = 0;

/** Asks the server how the action goes on from here, and shows that instead of the step before. */
async function compose(soFar: string): Promise<void> {
  const composer = element("composer");
  const spot = board.contains(document.activeElement) ? (document.activeElement as SVGElement) : undefined;
  const step = (steps += 1);
  const query = new URLSearchParams({ as: table.dataset.as ?? "", "so-far": soFar });
  const answer = await fetch(`/t/${table.dataset.table}/compose?${query}`).catch(() => undefined);
  const html = await answer?.text().catch(() => undefined);
  // The question may be another one meanwhile.
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

/** The number of the question that is open, if one is. */
const askNumber = (): string | undefined => ask.querySelector<HTMLInputElement>("input[name=number]")?.value;

/** What a field of the question says that nobody sees. */
function hidden(name: string): number | undefined {
  const value = ask.querySelector<HTMLInputElement>(`input[name=${name}]`)?.value;
  return value === undefined ? undefined : Number(value);
}

const freshId = (): string => crypto.randomUUID?.() ?? String(Math.random());

function act(action: string): void {
  const [number, steps] = [hidden("number"), hidden("steps")];
  if (number === undefined) notice("It is not your turn.");
  else if (steps === undefined) send({ type: "act", number, id: freshId(), action });
  // Whoever confirms tries it out first.
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

/** A spot stands for an action, for several at one place, or for a button of what is put together. */
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

/** What a spot stands for: spots with the same are one. */
const meaning = (spot: SVGElement): string => spot.dataset.action ?? spot.dataset.place ?? `target ${spot.dataset.target}`;

/** The spot that something on the board belongs to: its place, where that is pressed as a whole. */
const spotOf = (node: Element): SVGElement | null => node.closest<SVGElement>(".place.spot") ?? node.closest<SVGElement>(".spot");

/** Asks which of several spots was meant that lie upon each other. */
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

/** What is drawn of a spot, for those who see it. */
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
  // Without a place, as from a program that reads the screen, it is the spot itself.
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

// ---- What is told ----

/** The question as the server has made it: what is open in it, or put together, is no other question. */
let question = ask.innerHTML;

/** What was told last while the table waited for us, in pieces, which changes of it count. */
let pieces: string[] = [];

/** The question that is told, whole or as what changes of the last one; nothing if it stays. A piece begins where an element does. */
function asked(frame: Frame | Patch): string | undefined {
  const { ask, ask_changes: changes }: Asked = frame.parts ?? {};
  if (changes) for (const [at, gone, come] of changes) pieces.splice(at, gone, ...come);
  else if (ask !== undefined && frame.asked) pieces = ask.split(/(?=<(?!\/))/);
  return changes ? pieces.join("") : ask;
}

/** Shows another question, without losing where somebody is or what is being typed. */
function renewAsk(html: string): void {
  const had = document.activeElement;
  const inside = had !== null && ask.contains(had);
  const typed = ask.querySelector<HTMLInputElement>("#typed");
  closeChoice();
  const asked = parse(html);
  // The same question stays as it is, with what is marked in it and where the cursor stands.
  const same = question === asked.innerHTML;
  if (!same) {
    question = asked.innerHTML;
    ask.replaceChildren(asked.content);
    // Advice was for the question before.
    document.querySelector(".advice")?.remove();
  }
  const again = ask.querySelector<HTMLInputElement>("#typed");
  if (inside && !ask.contains(document.activeElement)) {
    // With nothing left to choose, what is next is to confirm.
    const confirm = ask.querySelector<HTMLButtonElement>(".draft .primary");
    if (had === typed && again) again.focus();
    else if (confirm && !again) confirm.focus();
    else element("ask-title").focus();
  }
  // Words that were being typed are not lost when somebody else moves, nor is the place in them.
  if (typed && again && !same && !pending) {
    again.value = typed.value;
    again.setSelectionRange(typed.selectionStart, typed.selectionEnd, typed.selectionDirection ?? "none");
  }
}

/** The lines of the log from this one on, with what they have changed on the board. Those since our last decision are marked. */
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

/** What has happened since our last decision, in a line. */
function tellSince(): string {
  const news = Array.from(log.children).slice(decided).map((line) => line.textContent?.trim() ?? "");
  const told = news.slice(-3).join("; ");
  const text = news.length === 0 ? "" : news.length > 3 ? `Since your last move: … ${told} (${news.length - 3} more in the log)` : `Since your last move: ${told}`;
  element("since").textContent = text;
  return text;
}

/** Shows where on the board a line of the log has happened. */
function light(line: Element | null): void {
  for (const lit of board.querySelectorAll(".lit")) lit.classList.remove("lit");
  for (const node of (line && changed.get(line)) ?? []) if (node.closest(".panel")) node.classList.add("lit");
}
for (const kind of ["pointerover", "pointerdown"]) log.addEventListener(kind, (event) => light((event.target as Element).closest("li")));
log.addEventListener("pointerleave", () => light(null));

/** What a frame and the last of some patches have in common. */
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
  // Another patch follows at once.
  if (frame.asked === undefined) return;
  document.title = frame.asked ? `Your turn · ${title}` : title;
  const number = frame.asked ? askNumber() : undefined;
  if (number !== undefined && number !== owed) {
    const since = tellSince();
    // Whoever is at it sees that the table goes on.
    if (owed === undefined || !document.hasFocus()) tellTurn(document.title, since);
  }
  owed = number;
  camera.settle();
  if (ask !== undefined) camera.show();
}

/** Shows something new of the board. Who was on it stays there: at the same spot, if it is still one. */
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
  // It changes what is shown, or nothing that could be relied on: then the server is asked for everything.
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
    // Another seat of this browser is waited for: the server says through whose eyes it looks.
    location.replace(location.pathname);
  } else if (told.type === "rematch") {
    // Who sits here goes along; who watches is shown the link.
    if (table.dataset.as !== "watch") location.assign(told.address);
  } else if (told.type === "leaving") notice("The server restarts. The table waits, and nothing is lost.");
}

/** The text of a message that came packed. */
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
    // One that cannot be read is a fault, and those after it are heard all the same.
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

/** Links for friends, to be read and copied. */
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

/** Whether the link is in the clipboard now; it is marked if not. */
async function copy(field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // Without https pages have no clipboard, and some browsers forbid it: what is marked is copied as by a person.
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

/** Shows the board larger, smaller or as a whole. */
function zoom(how: string): void {
  camera.change(how);
  bar?.querySelector("[data-zoom=fit]")?.setAttribute("aria-pressed", String(camera.whole));
}

document.addEventListener("keydown", (event) => {
  const typing = (event.target as Element).closest("input, select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  // What is being put together comes after what was tried.
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
