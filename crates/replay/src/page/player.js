// The player of a page of an episode. It knows drawings as lines, and no rules. Moments that the page has not are asked for.
"use strict";
const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const last = data.last;
// So many moments before the one that is wanted are asked for with it, and so many portions are kept.
const BEFORE = 20, MOST_PORTIONS = 40;
// What is here: moments by number, complete from `from` to before `until`.
let portions = [portion(0, data)], asking = new Map();
let current = null, wanted = 0, ticket = 0, timer = null, settling = null;

function portion(from, { lines, moments, until }) {
  return { from, until: until ?? last + 1, lines, moments, at: -1, numbers: [] };
}
const holds = number => portions.find(part => part.from <= number && number < part.until);

// The portion with what is known of this number. One that begins where another ends repeats its last moment, to which it is compared.
async function portionOf(number) {
  let from = Math.max(0, number - BEFORE);
  for (;;) {
    const part = holds(number);
    if (part) return part;
    const known = holds(from), end = known?.moments.at(-1)?.at;
    if (known) from = end > known.from ? end : known.until;
    const { until } = await load(from);
    from = until > (known?.until ?? 0) ? until - 1 : until;
  }
}
function load(from) {
  if (!asking.has(from)) asking.set(from, ask(from).finally(() => asking.delete(from)));
  return asking.get(from);
}
async function ask(from) {
  const answer = await fetch(data.source + from);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const part = portion(from, await answer.json());
  portions = [...portions.slice(0, 1), ...portions.slice(1).slice(1 - MOST_PORTIONS), part];
  return part;
}
// The moment of this number, or the last before it that has a picture.
async function momentAt(number) {
  for (;;) {
    const part = await portionOf(number), index = part.moments.findLastIndex(moment => moment.at <= number);
    if (index >= 0) return { part, index };
    number = part.from - 1;
  }
}
// The first moment after this number; nothing at the end.
async function momentAfter(number) {
  for (number++; number <= last;) {
    const part = await portionOf(number), index = part.moments.findIndex(moment => moment.at >= number);
    if (index >= 0) return { part, index };
    number = part.until;
  }
  return null;
}

// The numbers of a moment's lines: most moments are changes to the one before.
function linesOf(part, moment) {
  const { moments } = part;
  let at = moment;
  while (at !== part.at && !moments[at].lines) at--;
  const lines = at === part.at ? part.numbers : [...moments[at].lines];
  while (at < moment)
    for (const [from, count, numbers] of moments[++at].changes || []) lines.splice(from, count, ...numbers);
  [part.at, part.numbers] = [at, lines];
  return lines.map(number => part.lines[number]);
}
// The latest value that was told at a moment or before.
function latest(key, { part: { moments }, index }) {
  while (index > 0 && moments[index][key] === undefined) index--;
  return moments[index][key];
}

// Draws a moment. Parts that are there stay, with what they are scrolled to and the focus; lines that the moment before
// has not are marked, so that the first part can be scrolled to what has happened, wherever one comes from.
function draw({ part, index }) {
  const before = new Set(linesOf(part, Math.max(0, index - 1)));
  const text = linesOf(part, index).map(line => before.has(line) ? line : line.replace(/^<(?!\/)([a-z]+)/, "<$1 data-new=\"\""));
  const page = document.createElement("template");
  page.innerHTML = text.join("\n");
  const table = byId("table");
  const fresh = [...page.content.children], old = [...table.querySelectorAll(".part")];
  const named = parts => parts.map(part => part.getAttribute("aria-label")).join();
  if (named(fresh) !== named(old)) {
    table.replaceChildren(...fresh);
    for (const part of table.querySelectorAll(".line")) part.before(element("div", "", { class: "break" }));
  } else {
    old.forEach((part, index) => {
      part.setAttribute("style", fresh[index].getAttribute("style"));
      if (part.innerHTML !== fresh[index].innerHTML) part.replaceChildren(...fresh[index].childNodes);
    });
  }
  arrange();
  follow(table.firstElementChild);
}
// A board has the other parts beside it where that costs it little of its width.
function arrange() {
  const table = byId("table"), parts = [...table.querySelectorAll(".part")];
  const least = part => parseFloat(part.style.getPropertyValue("--least")) || 0;
  const [board, ...others] = parts;
  const needed = least(board) + Math.max(0, ...others.map(least)) + 6;
  table.classList.toggle("beside", board.classList.contains("board") && others.length > 0
    && needed < 1.1 * table.clientWidth);
  reach();
}
// What can be scrolled can be reached by keyboard, and nothing else is in the way.
function reach() {
  for (const area of document.querySelectorAll(".part, .scroll")) {
    const scrolls = area.scrollWidth > area.clientWidth + 1 || area.scrollHeight > area.clientHeight + 1;
    if (scrolls) area.tabIndex = 0; else area.removeAttribute("tabindex");
  }
}
function follow(part) {
  if (!part) return;
  const news = [...part.querySelectorAll("svg [data-new]")];
  // Where all is new, as when the round begins, nothing is news.
  if (news.length === 0 || news.length > 60) return;
  const view = part.getBoundingClientRect();
  // What is larger than what can be seen is no place to look at.
  const isPlace = box => box.width + box.height > 0 && box.width < view.width && box.height < view.height;
  const boxes = news.map(item => item.getBoundingClientRect()).filter(isPlace);
  if (boxes.length === 0) return;
  const left = Math.min(...boxes.map(box => box.left)), right = Math.max(...boxes.map(box => box.right));
  const top = Math.min(...boxes.map(box => box.top)), bottom = Math.max(...boxes.map(box => box.bottom));
  if (left < view.left || right > view.right) part.scrollLeft += (left + right - view.left - view.right) / 2;
  if (top < view.top || bottom > view.bottom) part.scrollTop += (top + bottom - view.top - view.bottom) / 2;
}

function element(name, text, attributes) {
  const item = document.createElement(name);
  item.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) item.setAttribute(key, value);
  return item;
}
function players(shown) {
  const moment = shown.part.moments[shown.index];
  const scores = latest("scores", shown) || [], owing = moment.owing || [];
  const over = moment.at === last && data.result;
  byId("players").replaceChildren(...data.players.map((player, index) => {
    const wins = over && player.wins;
    const row = element("tr", "", wins ? { class: "wins" } : {});
    const seat = element("td", "");
    seat.append(element("span", "", { class: "color", style: `background:${player.color}` }), " " + player.seats);
    const state = wins ? (data.winners > 1 ? "★ shares the win" : "★ winner") : owing.includes(index) ? "▸ to act" : "";
    row.append(seat, element("th", player.name, { scope: "row" }),
      element("td", scores[index] === null || scores[index] === undefined ? "?" : scores[index], { class: "number" }),
      element("td", state));
    return row;
  }));
  byId("result").textContent = over ? "★ " + data.result : "";
}

// Shows what is found, unless something else is wanted by then. `number` is told at once, however long it takes.
async function show(number, find = momentAt) {
  const mine = ++ticket;
  wanted = Math.max(0, Math.min(last, number));
  if (find === momentAt) place(wanted);
  let shown;
  try {
    shown = await find(wanted);
  } catch {
    pause();
    byId("result").textContent = "The server does not answer. Try again in a moment.";
    return;
  }
  if (mine !== ticket || !shown) return;
  const moment = shown.part.moments[shown.index];
  current = wanted = moment.at;
  place(current);
  draw(shown);
  byId("log").replaceChildren(...moment.log.map(text => element("li", text)));
  players(shown);
  if (current === last) pause();
  // What comes next is here when it is wanted.
  const { part, index } = shown;
  if (part.until <= last && part.moments.length - index < 5) momentAfter(part.until - 1).catch(() => {});
}
function place(number) {
  byId("scrub").value = number;
  byId("scrub").setAttribute("aria-valuetext", `moment ${number}`);
  byId("number").value = number;
  if (!timer) tell(number);
}
// The address names the moment, and so does what else on the page asks for it, also while it is not here yet.
function tell(number) {
  if (location.hash || number > 0) history.replaceState(null, "", `#${number}`);
  for (const place of document.querySelectorAll("[data-moment]"))
    if (place.tagName === "A") place.href = place.dataset.moment.replace("MOMENT", number); else place.value = number;
}
function pause() {
  clearInterval(timer);
  if (timer) { timer = null; tell(wanted); }
  byId("play").textContent = "play";
  byId("log").setAttribute("aria-live", "polite");
}
function play() {
  clearInterval(timer);
  timer = setInterval(() => show(current, momentAfter), 700 / byId("speed").value);
  byId("play").textContent = "pause";
  byId("log").setAttribute("aria-live", "off");
}
function toggle() {
  if (timer) { pause(); return; }
  if (current === last) show(0);
  play();
}
// By its number: the moment that is shown last before it, if it has no picture of its own.
function go(number) { pause(); show(number); }
function step(by) {
  pause();
  if (by > 0) show(wanted, momentAfter); else if (wanted > 0) show(wanted - 1);
}
// While the slider is pulled, only where it rests is asked for.
function pull(number) {
  clearTimeout(settling);
  if (holds(number)) go(number); else settling = setTimeout(() => go(number), 100);
}

// Large marks are landmarks, and where there are none what the length counts; small ones what the length counts, or
// else whose turn it is.
const { landmarks, lengths, turns } = data.marks;
const counted = lengths.map(([number]) => number).filter(number => number > 0), lengthAt = new Map(lengths);
const hasLandmarks = landmarks.length > 0;
const large = hasLandmarks ? landmarks : counted;
const small = hasLandmarks ? counted : turns;
function jump(forward) {
  const marks = [0, ...large, last];
  go(forward ? marks.find(mark => mark > wanted) ?? last : marks.findLast(mark => mark < wanted) ?? 0);
}
function mark() {
  const room = byId("marks").clientWidth, place = number => number / Math.max(1, last);
  const items = [];
  let labelled = -Infinity;
  if (small.length * 6 < room)
    for (const number of small) items.push(element("i", "", { style: `--at:${place(number)}` }));
  for (const [index, number] of large.entries()) {
    if (large.length * 4 < room) items.push(element("i", "", { class: "large", style: `--at:${place(number)}` }));
    // What is counted begins at 0 or at 1; the mark is where the next begins.
    const text = `${hasLandmarks ? index + 1 : lengthAt.get(number) + 1 - (lengthAt.get(0) || 0)}`;
    if (place(number) * room - labelled < 30) continue;
    labelled = place(number) * room;
    items.push(element("span", text, { style: `--at:${place(number)}` }));
  }
  byId("marks").replaceChildren(...items);
}

byId("scrub").max = last;
byId("number").max = data.last;
byId("of").textContent = `of ${data.last}`;
byId("unit").textContent = data.scoreUnit;
byId("legend").replaceChildren(...data.legend.map(key => {
  const line = document.createElement("li");
  line.innerHTML = key.picture;
  line.querySelector("svg").setAttribute("aria-hidden", "true");
  line.append(element("span", key.text));
  return line;
}));
byId("key").hidden = data.legend.length === 0;
byId("scrub").oninput = event => pull(+event.target.value);
byId("number").onchange = event => go(+event.target.value);
byId("speed").onchange = () => { if (timer) play(); };
byId("first").onclick = () => go(0);
byId("before").onclick = () => jump(false);
byId("back").onclick = () => step(-1);
byId("on").onclick = () => step(1);
byId("after").onclick = () => jump(true);
byId("end").onclick = () => go(last);
byId("play").onclick = toggle;
byId("fit").onclick = event => {
  const fits = byId("table").classList.toggle("fit");
  event.currentTarget.setAttribute("aria-pressed", fits);
  reach();
};
document.onkeydown = event => {
  const target = event.target, within = (...names) => names.includes(target.tagName);
  const types = within("SELECT", "TEXTAREA") || within("INPUT") && target !== byId("scrub");
  if (event.altKey || event.ctrlKey || event.metaKey || types) return;
  if (event.key === " " && within("INPUT", "BUTTON", "SUMMARY", "A")) return;
  // A part that is scrolled keeps its arrows.
  if (target.tabIndex === 0 && within("DIV", "UL") && event.key !== " ") return;
  const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => go(0),
    End: () => go(last), PageUp: () => jump(false), PageDown: () => jump(true), " ": toggle }[event.key];
  if (act) { event.preventDefault(); act(); }
};
onresize = () => { mark(); arrange(); };
onhashchange = () => go(+location.hash.slice(1));
mark();
show(/^#\d+$/.test(location.hash) ? +location.hash.slice(1) : 0);
