"use strict";
// The answer of `asset check --json`, as far as the editor shows it.
Object.defineProperty(exports, "__esModule", { value: true });
exports.MARKS = void 0;
exports.headline = headline;
exports.stepsOf = stepsOf;
exports.shown = shown;
exports.MARKS = { holds: "✓", violated: "✗", undecided: "?" };
/** `Room(n=3): violated — at_most_one_inside is false after 4 steps`. */
function headline(verdict) {
    const parameters = Object.entries(verdict.parameters).map(([name, value]) => `${name}=${shown(value)}`);
    const model = parameters.length > 0 ? `${verdict.model}(${parameters.join(", ")})` : verdict.model;
    return `${model}: ${verdict.verdict} — ${summary(verdict)}`;
}
function summary(verdict) {
    if (verdict.violation) {
        return verdict.violation.message + (verdict.counterexample ? ` after ${stepsOf(verdict.counterexample)}` : "");
    }
    return `${verdict.states.toLocaleString("en")} states`;
}
function stepsOf(run) {
    const count = run.steps.filter((step) => step.transition !== null).length;
    return count === 1 ? "1 step" : `${count} steps`;
}
/** A value of the model, as the reports show it. */
function shown(value) {
    if (value === true)
        return "True";
    if (value === false)
        return "False";
    if (value === null)
        return "None";
    if (Array.isArray(value))
        return `[${value.map(shown).join(", ")}]`;
    if (typeof value === "object") {
        return `{${Object.entries(value).map(([name, part]) => `${name}: ${shown(part)}`).join(", ")}}`;
    }
    return String(value);
}
