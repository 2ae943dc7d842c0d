// The answer of `asset check --json`, as far as the editor shows it.

export type Answer = "holds" | "violated" | "undecided";

export interface Place {
  file: string;
  line: number;
  column: number;
}

export interface Reason {
  text: string;
  values: string;
  parts: Reason[];
}

export interface Violation {
  kind: string;
  property: string | null;
  message: string;
  place: Place | null;
  why: Reason[];
}

export interface Change {
  cell: string;
  before: unknown;
  after: unknown;
}

export interface Step {
  transition: string | null;
  process: string | null;
  line: number | null;
  lines: number[];
  changes: Change[];
  state: Record<string, unknown>;
}

export interface Run {
  steps: Step[];
  cycle_starts_at: number | null;
  progress_lost_at: number | null;
  failing: string | null;
}

export interface Checked {
  kind: string;
  name: string | null;
  verdict: Answer;
}

export interface Verdict {
  verdict: Answer;
  model: string;
  parameters: Record<string, unknown>;
  violation: Violation | null;
  counterexample: Run | null;
  states: number;
  checked: Checked[];
  caveats: { code: string; message: string }[];
}

export const MARKS: Record<Answer, string> = { holds: "✓", violated: "✗", undecided: "?" };

/** `Room(n=3): violated — at_most_one_inside is false after 4 steps`. */
export function headline(verdict: Verdict): string {
  const parameters = Object.entries(verdict.parameters).map(([name, value]) => `${name}=${shown(value)}`);
  const model = parameters.length > 0 ? `${verdict.model}(${parameters.join(", ")})` : verdict.model;
  return `${model}: ${verdict.verdict} — ${summary(verdict)}`;
}

function summary(verdict: Verdict): string {
  if (verdict.violation) {
    return verdict.violation.message + (verdict.counterexample ? ` after ${stepsOf(verdict.counterexample)}` : "");
  }
  return `${verdict.states.toLocaleString("en")} states`;
}

export function stepsOf(run: Run): string {
  const count = run.steps.filter((step) => step.transition !== null).length;
  return count === 1 ? "1 step" : `${count} steps`;
}

/** A value of the model, as the reports show it. */
export function shown(value: unknown): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (Array.isArray(value)) return `[${value.map(shown).join(", ")}]`;
  if (typeof value === "object") {
    return `{${Object.entries(value as object).map(([name, part]) => `${name}: ${shown(part)}`).join(", ")}}`;
  }
  return String(value);
}
