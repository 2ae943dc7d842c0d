"use strict";
// What pages with runs share: values, properties, the lines of the source that a step ran, its row in the lanes.

const byId = id => document.getElementById(id);

function element(tag, text, kind) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

const isRow = value => Array.isArray(value) && value.length > 0;

// `before` is the value in the state before; undefined if it had no such part.
function cells(name, value, before, into) {
  if (isRow(value)) {
    value.forEach((item, index) => cells(`${name}[${index}]`, item, isRow(before) ? before[index] : undefined, into));
    if (isRow(value[0])) into.append(element("br"));
    return;
  }
  const text = Array.isArray(value) ? "[]" : value, changed = String(before) !== String(value);
  const box = element("span", text, changed ? "changed" : "");
  box.dataset.cell = name;
  if (changed && typeof before === "string") box.append(element("span", ` was ${before}`, "was"));
  const index = name.match(/\[.*/);
  if (index) box.prepend(element("span", `${index[0]} `, "index"));
  into.append(box);
}

// The rows of a table: each variable by its texts, what differs from the state before marked.
function stateRows(state, before) {
  return Object.entries(state).map(([name, value]) => {
    const row = element("tr"), box = element("td", undefined, "value"), head = element("th", name);
    head.scope = "row";
    cells(name, value, before[name], box);
    row.append(head, box);
    return row;
  });
}

// What need not hold in each state, as progress, is not wrong if it does not hold in this one.
function propertyRows(holds, required) {
  return Object.entries(holds).map(([name, true_now]) => {
    const row = element("tr");
    const wrong = required.includes(name) ? ["✗ false", "violated-mark"] : ["○ not now", "not-now"];
    row.append(element("th", name), element("td", ...(true_now ? ["✓ true", "holds-mark"] : wrong)));
    return row;
  });
}

// `body` is the first and the last line of the transition, `lines` those that were run.
function markSource({ file, body, lines }) {
  for (const line of document.querySelectorAll(".source .body, .source .ran")) line.classList.remove("body", "ran");
  if (file === undefined) return;
  const line = wanted => byId(`f${file}-${wanted}`);
  for (let each = body[0]; each <= body[1]; each++) line(each)?.classList.add("body");
  for (const each of lines) line(each)?.classList.add("ran");
  const first = line(lines.length ? lines[0] : body[0]), box = first && scrolling(first);
  if (box) box.scrollTop += first.getBoundingClientRect().y - box.getBoundingClientRect().y - box.clientHeight / 3;
}

// The panel that scrolls, if it can be any; the page itself stays where it is.
function scrolling(inner) {
  let box = inner.parentElement;
  while (box !== document.body && !(box.scrollHeight > box.clientHeight && getComputedStyle(box).overflowY === "auto")) box = box.parentElement;
  return box === document.body ? null : box;
}

function markRow(number) {
  for (const now of document.querySelectorAll(".now")) now.classList.remove("now");
  for (const row of document.querySelectorAll(`[data-step="${number}"]`)) row.classList.add("now");
  const band = document.querySelector(`.row[data-step="${number}"] .band`), box = band && scrolling(band.closest("svg"));
  if (!box) return;
  const y = band.getBoundingClientRect().y - box.getBoundingClientRect().y;
  if (y < 60 || y > box.clientHeight - 60) box.scrollTop += y - box.clientHeight / 2;
}
