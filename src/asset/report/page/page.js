(() => {
  const data = JSON.parse(byId("data").textContent);
  byId("theme").addEventListener("click", switchTheme);
  if (!data.steps.length) return;

  const slider = byId("step"), said = byId("said"), last = data.steps.length - 1;

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

  function showState(number) {
    const { shown, holds } = data.steps[number];
    byId("state").replaceChildren(...stateRows(states[number], states[Math.max(0, number - 1)]));
    byId("words").hidden = shown === undefined;
    byId("words").textContent = shown ?? "";
    const properties = propertyRows(holds, data.required);
    byId("properties").replaceChildren(...properties);
    byId("properties-card").hidden = !properties.length;
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
    byId("first").disabled = byId("previous").disabled = number === 0;
    byId("next").disabled = number === last && data.cycle === null;
    byId("last").disabled = number === last;
    showState(number); markSource(step); markRow(number);
    if (location.protocol !== "about:") history.replaceState(null, "", `#step-${number}`); // a frame has no address
  }
  // If the run ends in a cycle, the state after the last one is the second state of the cycle.
  const next = () => show(current === last && data.cycle !== null ? data.cycle + 1 : current + 1);

  byId("first").addEventListener("click", () => show(0));
  byId("previous").addEventListener("click", () => show(current - 1));
  byId("next").addEventListener("click", next);
  byId("last").addEventListener("click", () => show(last));
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
