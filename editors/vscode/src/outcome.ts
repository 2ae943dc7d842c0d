// What a run of the tool means: a verdict, models to choose from, or what is wrong with the model.

import { Place, Reason, Verdict, headline } from "./verdict";

export type Severity = "error" | "warning" | "information";

export interface Finding {
  place: Place;
  /** How many columns are at fault; 0 for the whole line. */
  width: number;
  severity: Severity;
  message: string;
}

export interface Ended {
  status: number | null;
  json: string;
  stderr: string;
}

export type Outcome =
  | { kind: "verdict"; verdict: Verdict }
  | { kind: "models"; names: string[] }
  | { kind: "rejected"; findings: Finding[] };

const DIAGNOSTIC = /^(.+?):(\d+):(\d+): (error|warning|note): (.*)$/;

/** The outcome of a check of `file`. Exit statuses: 0 holds, 1 violated, 3 undecided; 2 has its reasons on stderr. */
export function outcomeOf(ended: Ended, file: string): Outcome {
  if (ended.status !== null && [0, 1, 3].includes(ended.status) && ended.json.trim() !== "") {
    return { kind: "verdict", verdict: JSON.parse(ended.json) as Verdict };
  }
  const names = modelsToChoose(ended.stderr);
  if (names.length > 0) return { kind: "models", names };
  return { kind: "rejected", findings: diagnostics(ended.stderr, file) };
}

/** The classes that `asset` lists if a file has several models. */
export function modelsToChoose(stderr: string): string[] {
  if (!/ defines \d+ models/.test(stderr)) return [];
  return [...stderr.matchAll(/^\s+\S.*:(\w+)$/gm)].map((match) => match[1]!);
}

/** What the compiler says, `file:line:col: error: what`, with the source line, a caret and a remedy below. */
export function diagnostics(stderr: string, file: string): Finding[] {
  const findings: Finding[] = [];
  let rest: string[] = [];
  const close = (): void => {
    const last = findings.at(-1);
    if (last === undefined) return;
    const caret = rest.find((line) => /^\s*\^+\s*$/.test(line));
    if (caret !== undefined) last.width = caret.trim().length;
    const remedy = caret === undefined ? rest : rest.slice(rest.indexOf(caret) + 1);
    last.message = [last.message, ...remedy.map((line) => line.trim())].filter((line) => line !== "").join("\n");
  };
  for (const line of stderr.split(/\r?\n/)) {
    const found = DIAGNOSTIC.exec(line);
    const unplaced = /^(?:error|asset): (.*)$/.exec(line);
    if (!found && !unplaced) {
      rest.push(line);
      continue;
    }
    close();
    rest = [];
    const place = found ? { file: found[1]!, line: Number(found[2]), column: Number(found[3]) } : { file, line: 1, column: 1 };
    const severity = found && found[4] !== "error" ? "warning" : "error";
    findings.push({ place, width: 0, severity, message: found ? found[5]! : unplaced![1]! });
  }
  close();
  if (findings.length === 0) {
    const message = stderr.trim() || "asset ended without an answer";
    return [{ place: { file, line: 1, column: 1 }, width: 0, severity: "error", message }];
  }
  return findings;
}

/** What a verdict says at a line of a model: a violation is an error, and what was not decided is a warning. */
export function findingsOf(verdict: Verdict, file: string): Finding[] {
  const top = { file, line: 1, column: 1 };
  if (verdict.violation) {
    const why = reasons(verdict.violation.why).map((reason) => `because ${reason}`);
    const message = [headline(verdict), ...why].join("\n");
    return [{ place: verdict.violation.place ?? top, width: 0, severity: "error", message }];
  }
  if (verdict.verdict === "undecided") {
    const message = [headline(verdict), ...verdict.caveats.map((caveat) => caveat.message)].join("\n");
    return [{ place: top, width: 0, severity: "warning", message }];
  }
  return [];
}

function reasons(why: Reason[]): string[] {
  return why.flatMap((reason) => [reason.values ? `${reason.text}, that is ${reason.values}` : reason.text, ...reasons(reason.parts)]);
}
