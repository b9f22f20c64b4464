// The player of a page of an episode. It knows drawings as lines, and no rules.
"use strict";
const byId = id => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
const moments = data.moments, last = moments.length - 1;
let now = 0, timer = null, held = { at: -1, lines: [] };

// The numbers of a moment's lines: most moments are changes to the one before.
function linesOf(moment) {
  let at = moment;
  while (at !== held.at && !moments[at].lines) at--;
  const lines = at === held.at ? held.lines : [...moments[at].lines];
  while (at < moment)
    for (const [from, count, numbers] of moments[++at].changes || []) lines.splice(from, count, ...numbers);
  held = { at, lines };
  return lines;
}
// The latest value that was told at a moment or before.
function latest(key, moment) {
  while (moment > 0 && moments[moment][key] === undefined) moment--;
  return moments[moment][key];
}

// Draws a moment. Parts that are there stay, with what they are scrolled to and the focus; lines that the moment before
// has not are marked, so that the first part can be scrolled to what has happened, wherever one comes from.
function draw(moment) {
  const before = new Set(linesOf(Math.max(0, moment - 1)));
  const text = linesOf(moment).map(number => before.has(number)
    ? data.lines[number] : data.lines[number].replace(/^<(?!\/)([a-z]+)/, "<$1 data-new=\"\""));
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
function players(moment) {
  const scores = latest("scores", moment) || [], owing = moments[moment].owing || [];
  const over = moment === last && data.result;
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

function show(moment) {
  now = Math.max(0, Math.min(last, moment));
  draw(now);
  byId("log").replaceChildren(...moments[now].log.map(text => element("li", text)));
  players(now);
  byId("scrub").value = now;
  byId("scrub").setAttribute("aria-valuetext", `moment ${moments[now].at}`);
  byId("number").value = moments[now].at;
  if (now === last) pause();
  if (!timer) tell();
}
// The address names the moment, and so does what else on the page asks for it.
function tell() {
  const { at } = moments[now];
  if (location.hash || now > 0) history.replaceState(null, "", `#${at}`);
  for (const place of document.querySelectorAll("[data-moment]"))
    if (place.tagName === "A") place.href = place.dataset.moment.replace("MOMENT", at); else place.value = at;
}
function pause() {
  clearInterval(timer);
  if (timer) { timer = null; tell(); }
  byId("play").textContent = "play";
  byId("log").setAttribute("aria-live", "polite");
}
function play() {
  clearInterval(timer);
  timer = setInterval(() => show(now + 1), 700 / byId("speed").value);
  byId("play").textContent = "pause";
  byId("log").setAttribute("aria-live", "off");
}
function toggle() {
  if (timer) { pause(); return; }
  if (now === last) show(0);
  play();
}
// By its number: the moment that is shown last before it, if it has no picture of its own.
function go(number) {
  let moment = last;
  while (moment > 0 && moments[moment].at > number) moment--;
  pause();
  show(moment);
}
function step(by) { pause(); show(now + by); }

// Large marks are landmarks, and where there are none what the length counts; small ones what the length counts, or
// else whose turn it is.
const hasLandmarks = moments.some((moment, index) => index > 0 && moment.landmark);
const counted = moments.map((moment, index) => moment.length === undefined ? -1 : index).filter(index => index > 0);
const landmarks = moments.map((moment, index) => moment.landmark ? index : -1).filter(index => index > 0);
const large = hasLandmarks ? landmarks : counted;
const small = hasLandmarks ? counted : moments.map((moment, index) => index > 0 && moment.owing
  && `${moment.owing}` !== `${latest("owing", index - 1)}` ? index : -1).filter(index => index > 0);
function jump(forward) {
  const marks = [0, ...large, last];
  step((forward ? marks.find(mark => mark > now) ?? last : marks.findLast(mark => mark < now) ?? 0) - now);
}
function mark() {
  const room = byId("marks").clientWidth, place = index => index / Math.max(1, last);
  const items = [];
  let labelled = -Infinity;
  if (small.length * 6 < room)
    for (const index of small) items.push(element("i", "", { style: `--at:${place(index)}` }));
  for (const [number, index] of large.entries()) {
    if (large.length * 4 < room) items.push(element("i", "", { class: "large", style: `--at:${place(index)}` }));
    // What is counted begins at 0 or at 1; the mark is where the next begins.
    const text = `${hasLandmarks ? number + 1 : moments[index].length + 1 - (moments[0].length || 0)}`;
    if (place(index) * room - labelled < 30) continue;
    labelled = place(index) * room;
    items.push(element("span", text, { style: `--at:${place(index)}` }));
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
byId("scrub").oninput = event => { pause(); show(+event.target.value); };
byId("number").onchange = event => go(+event.target.value);
byId("speed").onchange = () => { if (timer) play(); };
byId("first").onclick = () => { pause(); show(0); };
byId("before").onclick = () => jump(false);
byId("back").onclick = () => step(-1);
byId("on").onclick = () => step(1);
byId("after").onclick = () => jump(true);
byId("end").onclick = () => show(last);
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
  const act = { ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => { pause(); show(0); },
    End: () => show(last), PageUp: () => jump(false), PageDown: () => jump(true), " ": toggle }[event.key];
  if (act) { event.preventDefault(); act(); }
};
onresize = () => { mark(); arrange(); };
onhashchange = () => go(+location.hash.slice(1));
mark();
if (/^#\d+$/.test(location.hash)) go(+location.hash.slice(1)); else show(0);
