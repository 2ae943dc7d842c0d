"use strict";
// A counterexample as a tree: a node for each step, with what it changed below it.
Object.defineProperty(exports, "__esModule", { value: true });
exports.treeOf = treeOf;
const verdict_1 = require("./verdict");
/** The verdicts of a file: each is a node, and the steps of its run are below it. */
function treeOf(verdicts) {
    return verdicts.map((verdict) => ({
        label: (0, verdict_1.headline)(verdict),
        description: "",
        line: verdict.violation?.place?.line ?? null,
        icon: verdict.verdict === "holds" ? "holds" : "wrong",
        children: verdict.counterexample?.steps.map((step, at) => nodeOf(step, at, verdict)) ?? [],
    }));
}
function nodeOf(step, at, verdict) {
    const run = verdict.counterexample;
    const notes = [];
    if (run.cycle_starts_at === at)
        notes.push("the cycle starts here");
    if (run.progress_lost_at === at)
        notes.push("progress is lost here");
    const changes = step.changes.map((change) => `${change.cell}: ${(0, verdict_1.shown)(change.before)} → ${(0, verdict_1.shown)(change.after)}`);
    return {
        label: step.transition === null ? "initial state" : `${at}  ${step.transition}`,
        description: [...changes, ...notes].join(", "),
        line: step.line,
        icon: run.cycle_starts_at === at ? "cycle" : step.transition === null ? "initial" : "step",
        children: [...changes.map((label) => leaf(label, step, "change")), ...state(step)],
    };
}
/** All variables after the step, those that did not change included. */
function state(step) {
    const variables = Object.entries(step.state).map(([name, value]) => leaf(`${name} = ${(0, verdict_1.shown)(value)}`, step, "initial"));
    if (step.transition === null)
        return variables;
    return [{ label: "state", description: "", line: null, icon: "initial", children: variables }];
}
function leaf(label, step, icon) {
    return { label, description: "", line: step.line, icon, children: [] };
}
