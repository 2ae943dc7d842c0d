const token = new URLSearchParams(location.search).get("token");
let run = [], at = 0, start = 0, starts = 1, foundStart = 0, found = null, told = null, latest = 0, required = [];
let drawnRun = null; // a run is never changed in place, and a new one is set whenever the start or the model is another

async function ask(what, body = {}) {
  const response = await fetch(`api/${what}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Asset-Token": token },
    body: JSON.stringify(body),
  });
  const answer = response.status === 500 ? { error: "internal error; the terminal says more" } : await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

// Whatever goes wrong is said at the top; what was shown stays. What was begun before the last attempt says nothing more.
let attempts = 0;
async function attempt(work) {
  const own = ++attempts;
  byId("error").textContent = "";
  try { await work(); } catch (error) { if (own === attempts) byId("error").textContent = error.message; }
}

function put(into, tag, text, settings = {}) {
  const made = Object.assign(element(tag, text), settings);
  into.append(made);
  return made;
}

async function loadModel(parameters) {
  const about = await ask("model", parameters ? { parameters } : {});
  const form = byId("parameters");
  form.replaceChildren();
  for (const { name, takes, value } of about.parameters) {
    const label = put(form, "label", `${name} = `, { title: takes });
    put(label, "input", undefined, { name, value });
    form.append(" ");
  }
  put(form, "button", about.parameters.length ? "use these" : "load again", { title: "loads the file again" });
  byId("source").innerHTML = about.source; // made by the report's own code, which escapes the text
  run = []; at = 0; start = 0; found = null; starts = about.starts; required = about.required;
  byId("report").textContent = byId("progress").textContent = "";
  byId("follow").disabled = true;
  await show();
  byId("check").disabled = false;
  byId("title").textContent = document.title = about.title;
}

// Answers may come late: only the last one that was asked for is shown.
async function show() {
  const asked = ++latest, shown = run;
  const [drawn, answer] = await Promise.all([shown !== drawnRun ? ask("run", { run, start }) : null, ask("state", { run, at, start })]);
  if (asked !== latest) return;
  told = answer;
  if (drawn) showRun(drawn);
  drawnRun = shown;
  byId("where").textContent = at ? `State after step ${at}` : "Initial state";
  byId("state").replaceChildren(...stateRows(told.state, told.before));
  byId("words").hidden = told.shown === null;
  byId("words").textContent = told.shown ?? "";
  showSaid();
  showEnabled();
  showProperties();
  markSource(told.ran);
  markRow(at);
  byId("which").hidden = starts === 1;
  byId("start").value = start;
  byId("start").max = starts - 1;
  byId("starts").textContent = `of ${starts.toLocaleString("en")}`;
  for (const [id, off] of [["first", !at], ["back", !at], ["forward", at >= run.length], ["last", at >= run.length]])
    byId(id).disabled = off;
  byId("random").disabled = byId("walk").disabled = !told.enabled.length;
  if (byId("disabled").open) await showDisabled();
  await showPicture();
}

function showRun({ lanes, steps }) {
  byId("lanes").innerHTML = lanes; // made by the report's own code, which escapes the text
  byId("test").hidden = true;
  byId("steps").replaceChildren();
  [{ name: "initial state", changes: [] }, ...steps].forEach(({ name, changes }, number) => {
    const row = put(byId("steps"), "tr");
    row.dataset.step = number;
    for (const text of [number, name, changes.join(", ")]) put(row, "td", text);
  });
  for (const row of document.querySelectorAll("[data-step]")) row.addEventListener("click", () => go(Number(row.dataset.step)));
}

function showSaid() {
  const said = told.wrong.map(text => `✗ ${text}`);
  if (told.again < at) said.push(`the state of step ${told.again} again`);
  if (!told.enabled.length) said.push("no transition is enabled: the run ends here");
  byId("said").textContent = said.join("; ");
  byId("said").className = told.wrong.length ? "bad" : "";
  byId("still").replaceChildren();
  for (const text of told.still) put(byId("still"), "div", text);
}

function showEnabled() {
  byId("enabled").replaceChildren();
  told.enabled.forEach((choice, number) => {
    const button = put(put(byId("enabled"), "li"), "button", undefined, { disabled: Boolean(choice.error) });
    if (number < 9) put(button, "kbd", number + 1);
    button.append(choice.name);
    if (choice.error) put(button, "span", `  model error: ${choice.error}`, { className: "bad" });
    else put(button, "span", `  ${choice.changes.join(", ") || choice.code || "nothing changes"}`, { className: "changes" });
    button.dataset.command = choice.command;
    button.onclick = () => fire([choice.command]);
    button.onmouseenter = button.onfocus = () => markSource(choice.ran);
    button.onmouseleave = button.onblur = () => markSource(told.ran);
  });
}

async function showDisabled() {
  const asked = latest, { disabled, more } = await ask("disabled", { run: run.slice(0, at), start });
  if (asked !== latest) return;
  const list = document.querySelector("#disabled ul");
  list.replaceChildren();
  for (const { name, why, ran } of disabled) {
    const item = put(list, "li");
    put(item, "b", name);
    item.append(` waits at ${why}`);
    item.onmouseenter = () => markSource(ran);
    item.onmouseleave = () => markSource(told.ran);
  }
  if (more) put(list, "li", `and ${more} more`);
  if (!disabled.length) put(list, "li", "nothing that can be seen is disabled");
}

function showProperties() {
  const rows = propertyRows(told.holds, required);
  byId("properties").replaceChildren(...rows);
  byId("properties-card").hidden = !rows.length;
}

// The picture is as large as its place allows, but can be read; or as large as the reader made it.
const READABLE = 0.6;
let scale = null;
function fitting() {
  const { width, height } = byId("picture").querySelector("svg").viewBox.baseVal, frame = byId("picture");
  return Math.min(1, frame.clientWidth / width, frame.clientHeight / height);
}
function resize() {
  const picture = byId("picture").querySelector("svg"), shown = scale ?? Math.max(READABLE, fitting());
  picture.setAttribute("width", picture.viewBox.baseVal.width * shown);
  picture.setAttribute("height", picture.viewBox.baseVal.height * shown);
}
function zoom(factor) { scale = Math.min(4, Math.max(0.05, (scale ?? Math.max(READABLE, fitting())) * factor)); resize(); }

async function showPicture() {
  const asked = latest;
  const { svg, ways } = await ask("neighbourhood", { run: run.slice(0, at), start, steps: Number(byId("radius").value) });
  if (asked !== latest) return;
  const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  byId("picture").replaceChildren(document.importNode(picture, true));
  resize();
  const middle = byId("picture").querySelector(".here").getBoundingClientRect(), frame = byId("picture").getBoundingClientRect();
  byId("picture").scrollLeft += middle.x + middle.width / 2 - frame.x - frame.width / 2;
  for (const node of byId("picture").querySelectorAll("[data-n]")) {
    const way = ways[Number(node.dataset.n)];
    if (way?.length) node.addEventListener("click", () => fire(way));
  }
}

const go = number => attempt(async () => { at = Math.max(0, Math.min(number, run.length)); await show(); });
const fire = commands => attempt(async () => {
  run = [...run.slice(0, at), ...commands];
  at = run.length;
  await show();
});
const wander = steps => attempt(async () => {
  run = (await ask("random", { run: run.slice(0, at), start, steps })).run;
  at = run.length;
  await show();
});

// It is shown as well: not every browser lets a page write to the clipboard.
const copyTest = () => attempt(async () => {
  const { text } = await ask("test", { run: run.slice(0, at), start });
  byId("test").textContent = text;
  byId("test").hidden = false;
  byId("test").scrollIntoView({ block: "nearest" });
  await navigator.clipboard?.writeText(text).catch(() => getSelection().selectAllChildren(byId("test")));
});

async function watchCheck() {
  const now = await ask("progress");
  byId("check").disabled = now.running;
  byId("stop").disabled = !now.running;
  if (now.running) {
    byId("progress").textContent = `${now.states.toLocaleString("en")} states, ${now.seconds} s`;
    setTimeout(() => attempt(watchCheck), 150);
    return;
  }
  byId("progress").textContent = now.error || now.headline;
  byId("progress").className = now.error || now.verdict === "violated" ? "bad" : now.verdict === "holds" ? "good" : "";
  byId("report").textContent = now.report;
  found = now.run;
  foundStart = now.start;
  byId("follow").disabled = !found || !found.length && foundStart === start;
}

byId("parameters").addEventListener("submit", event => {
  event.preventDefault();
  attempt(() => loadModel(Object.fromEntries(new FormData(event.target))));
});
byId("start").onchange = event => attempt(async () => {
  start = Math.max(0, Math.min(Number(event.target.value) || 0, starts - 1));
  run = []; at = 0;
  await show();
});
byId("first").onclick = () => go(0);
byId("back").onclick = () => go(at - 1);
byId("forward").onclick = () => go(at + 1);
byId("last").onclick = () => go(run.length);
byId("random").onclick = () => wander(1);
byId("walk").onclick = () => wander(20);
byId("copy").onclick = copyTest;
byId("radius").onchange = () => attempt(showPicture);
byId("larger").onclick = () => zoom(1.25);
byId("smaller").onclick = () => zoom(0.8);
byId("fit").onclick = () => { scale = fitting(); resize(); };
byId("disabled").ontoggle = () => { if (byId("disabled").open) attempt(showDisabled); };
byId("check").onclick = () => attempt(async () => { byId("check").disabled = true; await ask("check"); await watchCheck(); });
byId("stop").onclick = () => attempt(async () => { await ask("stop"); });
byId("follow").onclick = () => attempt(async () => { run = found; start = foundStart; at = 0; await show(); });
addEventListener("resize", () => { if (byId("picture").firstChild) resize(); });
addEventListener("keydown", event => {
  if (/^(INPUT|SELECT)$/.test(event.target.tagName) || event.ctrlKey || event.metaKey || event.altKey) return;
  const choice = /^[1-9]$/.test(event.key) ? told?.enabled[Number(event.key) - 1] : undefined;
  const does = choice && !choice.error ? () => fire([choice.command]) : {
    ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(run.length), r: () => wander(1),
  }[event.key];
  if (does) { event.preventDefault(); does(); }
});
attempt(() => loadModel(null));
