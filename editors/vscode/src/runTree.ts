// A counterexample as a tree: a node for each step, with what it changed below it.

import { Step, Verdict, headline, shown } from "./verdict";

export interface Node {
  label: string;
  description: string;
  /** Where it leads in the model's file, counted from 1. */
  line: number | null;
  icon: "initial" | "step" | "change" | "cycle" | "wrong" | "holds";
  children: Node[];
}

/** The verdicts of a file: each is a node, and the steps of its run are below it. */
export function treeOf(verdicts: readonly Verdict[]): Node[] {
  return verdicts.map((verdict) => ({
    label: headline(verdict),
    description: "",
    line: verdict.violation?.place?.line ?? null,
    icon: verdict.verdict === "holds" ? "holds" : "wrong",
    children: verdict.counterexample?.steps.map((step, at) => nodeOf(step, at, verdict)) ?? [],
  }));
}

function nodeOf(step: Step, at: number, verdict: Verdict): Node {
  const run = verdict.counterexample!;
  const notes: string[] = [];
  if (run.cycle_starts_at === at) notes.push("the cycle starts here");
  if (run.progress_lost_at === at) notes.push("progress is lost here");
  const changes = step.changes.map((change) => `${change.cell}: ${shown(change.before)} → ${shown(change.after)}`);
  return {
    label: step.transition === null ? "initial state" : `${at}  ${step.transition}`,
    description: [...changes, ...notes].join(", "),
    line: step.line,
    icon: run.cycle_starts_at === at ? "cycle" : step.transition === null ? "initial" : "step",
    children: [...changes.map((label) => leaf(label, step, "change")), ...state(step)],
  };
}

/** All variables after the step, those that did not change included. */
function state(step: Step): Node[] {
  const variables = Object.entries(step.state).map(([name, value]) => leaf(`${name} = ${shown(value)}`, step, "initial"));
  if (step.transition === null) return variables;
  return [{ label: "state", description: "", line: null, icon: "initial", children: variables }];
}

function leaf(label: string, step: Step, icon: Node["icon"]): Node {
  return { label, description: "", line: step.line, icon, children: [] };
}
