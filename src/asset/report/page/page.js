"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  document.getElementById("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });
  if (!data.steps.length) return;

  const at = id => document.getElementById(id);
  const slider = at("step"), said = at("said"), last = data.steps.length - 1;
  const element = (tag, text, kind) => {
    const made = document.createElement(tag);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  const isRow = value => Array.isArray(value) && value.length > 0;

  // What a value becomes: an object has the elements of an array that changed, anything else is the value itself.
  function becomes(before, change) {
    if (typeof change === "string" || Array.isArray(change)) return change;
    const after = [...before];
    for (const [index, inner] of Object.entries(change)) after[index] = becomes(before[index], inner);
    return after;
  }

  // The states: the first as it is, each further one by the variables that its step changed.
  const states = [data.initial];
  for (const step of data.steps.slice(1)) {
    const before = states[states.length - 1], after = { ...before };
    for (const [name, change] of Object.entries(step.becomes)) after[name] = becomes(before[name], change);
    states.push(after);
  }

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

  function showState(number) {
    const step = data.steps[number], before = states[Math.max(0, number - 1)];
    const rows = Object.entries(states[number]).map(([name, value]) => {
      const row = element("tr"), box = element("td", undefined, "value");
      const head = element("th", name);
      head.scope = "row";
      cells(name, value, before[name], box);
      row.append(head, box);
      return row;
    });
    at("state").replaceChildren(...rows);
    at("words").hidden = step.shown === undefined;
    at("words").textContent = step.shown ?? "";
  }

  function showProperties(number) {
    // What need not hold in each state, as progress, is not wrong if it does not hold in this one.
    const rows = Object.entries(data.steps[number].holds).map(([name, holds]) => {
      const row = element("tr"), required = data.required.includes(name);
      const shown = holds ? ["✓ true", "holds-mark"] : required ? ["✗ false", "violated-mark"] : ["○ not now", "not-now"];
      row.append(element("th", name), element("td", ...shown));
      return row;
    });
    at("properties").replaceChildren(...rows);
    at("properties-card").hidden = !rows.length;
  }

  function showSource(number) {
    for (const line of document.querySelectorAll(".source .body, .source .ran")) line.classList.remove("body", "ran");
    const { file, body, lines } = data.steps[number];
    if (file === undefined) return;
    const line = wanted => at(`f${file}-${wanted}`);
    for (let each = body[0]; each <= body[1]; each++) line(each)?.classList.add("body");
    for (const each of lines) line(each)?.classList.add("ran");
    const first = line(lines.length ? lines[0] : body[0]), box = first?.parentElement;
    if (box) box.scrollTop = first.offsetTop - box.offsetTop - box.clientHeight / 3;
  }

  function showRow(number) {
    for (const now of document.querySelectorAll(".now")) now.classList.remove("now");
    const row = document.querySelector(`.row[data-step="${number}"]`), told = document.querySelector(`tr[data-step="${number}"]`);
    row?.classList.add("now");
    told?.classList.add("now");
    const box = document.querySelector(".lanes"), picture = box.querySelector("svg.steps");
    const scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
    const y = row ? Number(row.dataset.y) * scale : 0;
    if (y < box.scrollTop + 40 || y > box.scrollTop + box.clientHeight - 40) box.scrollTop = y - box.clientHeight / 2;
  }

  let current = -1;
  function show(number) {
    number = Math.max(0, Math.min(last, number));
    if (number === current) return;
    current = number;
    slider.value = number;
    const step = data.steps[number];
    said.textContent = `Step ${number} of ${last}: ${step.said}`;
    slider.setAttribute("aria-valuetext", said.textContent);
    at("first").disabled = at("previous").disabled = number === 0;
    at("next").disabled = number === last && data.cycle === null;
    at("last").disabled = number === last;
    showState(number); showProperties(number); showSource(number); showRow(number);
    history.replaceState(null, "", `#step-${number}`);
  }
  // If the run ends in a cycle, the state after the last one is the second state of the cycle.
  const next = () => show(current === last && data.cycle !== null ? data.cycle + 1 : current + 1);

  at("first").addEventListener("click", () => show(0));
  at("previous").addEventListener("click", () => show(current - 1));
  at("next").addEventListener("click", next);
  at("last").addEventListener("click", () => show(last));
  slider.addEventListener("input", () => show(Number(slider.value)));
  for (const row of document.querySelectorAll("[data-step]")) row.addEventListener("click", () => show(Number(row.dataset.step)));
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === slider || event.target.closest(".source, .lanes")) return;
    const does = {
      ArrowRight: next, j: next, ArrowLeft: () => show(current - 1), k: () => show(current - 1),
      Home: () => show(0), End: () => show(last),
    }[event.key];
    if (does) { event.preventDefault(); does(); }
  });
  const asked = location.hash.match(/^#step-(\d+)$/);
  show(asked ? Number(asked[1]) : data.start);
})();
