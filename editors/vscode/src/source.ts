// What can be seen in the text of a model without running it: whether it is one, its classes and its properties.

import { Answer, MARKS, Verdict, headline, stepsOf } from "./verdict";

const PROPERTIES = ["invariant", "terminal", "may_progress", "must_progress", "recurrent", "temporal"];
const DECORATOR = new RegExp(`^\\s*@(?:asset\\.)?(?:${PROPERTIES.join("|")})\\b`);
const IMPORT = /^\s*(?:from\s+asset(?:\.\w+)*\s+import|import\s+asset)\b/m;

export interface Property {
  /** Of the first decorator, counted from 0. */
  line: number;
  name: string;
}

export interface Lens {
  line: number;
  title: string;
  verdict: Answer | null;
}

export function isModel(path: string, text: string): boolean {
  return path.endsWith(".model") || (path.endsWith(".py") && IMPORT.test(text) && classLines(text).size > 0);
}

/** The properties with the line that their decorators begin in. */
export function properties(text: string): Property[] {
  const found: Property[] = [];
  let begun: number | null = null;
  let declares = false;
  text.split(/\r?\n/).forEach((line, at) => {
    if (/^\s*@/.test(line)) {
      begun ??= at;
      declares ||= DECORATOR.test(line);
      return;
    }
    const defined = /^\s*def\s+(\w+)/.exec(line);
    if (defined && declares) found.push({ line: begun!, name: defined[1]! });
    if (defined || /^\s*class\s/.test(line)) {
      begun = null;
      declares = false;
    }
  });
  return found;
}

/** The lines of the classes that have a base, by name: a model has one. */
export function classLines(text: string): Map<string, number> {
  const found = new Map<string, number>();
  text.split(/\r?\n/).forEach((line, at) => {
    const defined = /^class\s+(\w+)\s*\(/.exec(line);
    if (defined) found.set(defined[1]!, at);
  });
  return found;
}

/** A line above each class that was checked, and above each property: its verdict. */
export function lenses(text: string, verdicts: readonly Verdict[]): Lens[] {
  const classes = classLines(text);
  const found: Lens[] = [];
  for (const verdict of verdicts) {
    const line = classes.get(verdict.model);
    if (line !== undefined) found.push({ line, title: `${MARKS[verdict.verdict]} ${headline(verdict)}`, verdict: verdict.verdict });
  }
  for (const property of properties(text)) {
    const titles = verdicts.flatMap((verdict) => told(property, verdict, verdicts.length > 1));
    if (titles.length > 0) {
      const answers = titles.map((title) => title.answer);
      const worst = (["violated", "undecided", "holds"] as const).find((answer) => answers.includes(answer))!;
      found.push({ line: property.line, title: titles.map((title) => title.text).join(" · "), verdict: worst });
    }
  }
  return found;
}

function told(property: Property, verdict: Verdict, several: boolean): { text: string; answer: Answer }[] {
  const answers = verdict.checked.filter((each) => bare(each.name) === property.name).map((each) => each.verdict);
  const answer = (["violated", "undecided", "holds"] as const).find((each) => answers.includes(each));
  if (answer === undefined) return [];
  const shownHere = answer === "violated" && bare(verdict.violation?.property ?? null) === property.name;
  const steps = shownHere && verdict.counterexample ? ` after ${stepsOf(verdict.counterexample)}` : "";
  return [{ text: `${MARKS[answer]} ${several ? `${verdict.model}: ` : ""}${answer}${steps}`, answer }];
}

/** A property with its indices, `done(2)` or `done[2]`, is declared by its name. */
function bare(name: string | null): string {
  return (name ?? "").replace(/[([].*$/, "");
}
