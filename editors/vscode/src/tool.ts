// Running `asset` in a process of its own, whose end is awaited and which can be ended.

import { ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { Ended, Outcome, outcomeOf } from "./outcome";
import { Verdict } from "./verdict";

export interface Tool {
  /** The program and its first words. */
  command: readonly string[];
  /** Further words of `asset check`. */
  further: readonly string[];
}

export interface Checks {
  outcomes: Outcome[];
  /** The report page of each verdict, in the same order. */
  pages: string[];
}

export interface Control {
  /** Given each process that is started, so that it can be asked to end with what it has found. */
  started: (child: ChildProcess) => void;
  /** Ends all of it: nobody wants to know any more. */
  signal: AbortSignal;
}

export function wordsOf(tool: Tool, model: string, json: string, html: string): string[] {
  return [...tool.command, "check", model, ...tool.further, "--quiet", "--json", json, "--html", html];
}

/** Checks a file: its only model, or each of its models. */
export async function checkFile(tool: Tool, file: string, control: Control): Promise<Checks> {
  const first = await checkModel(tool, file, file, control);
  if (first.outcome.kind !== "models") return { outcomes: [first.outcome], pages: [first.page] };
  const all: Checks = { outcomes: [], pages: [] };
  for (const name of first.outcome.names) {
    if (control.signal.aborted) break;
    const { outcome, page } = await checkModel(tool, `${file}:${name}`, file, control);
    all.outcomes.push(outcome);
    all.pages.push(page);
  }
  return all;
}

async function checkModel(tool: Tool, model: string, file: string, control: Control): Promise<{ outcome: Outcome; page: string }> {
  const folder = await mkdtemp(join(tmpdir(), "asset-"));
  try {
    const [json, html] = [join(folder, "verdict.json"), join(folder, "report.html")];
    const { status, stderr } = await ended(wordsOf(tool, model, json, html), dirname(file), control);
    const ending: Ended = { status, stderr, json: await textOf(json) };
    return { outcome: outcomeOf(ending, file), page: await textOf(html) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function ended(words: string[], folder: string, control: Control): Promise<{ status: number | null; stderr: string }> {
  return new Promise((resolve) => {
    const { signal, started } = control;
    const streams: ["ignore", "ignore", "pipe"] = ["ignore", "ignore", "pipe"];
    const child = spawn(words[0]!, words.slice(1), { cwd: folder, stdio: streams, env: plainEnvironment(), signal });
    let stderr = "";
    child.stderr?.setEncoding("utf-8").on("data", (part: string) => (stderr += part));
    child.on("error", (error) => resolve({ status: null, stderr: `error: ${words[0]} cannot be run: ${error.message}` }));
    child.on("close", (status) => resolve({ status, stderr }));
    started(child);
  });
}

/** Messages are read by a program: no colours, and in UTF-8. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const environment = { ...process.env, NO_COLOR: "1", PYTHONUTF8: "1" };
  delete (environment as NodeJS.ProcessEnv)["FORCE_COLOR"];
  return environment;
}

async function textOf(file: string): Promise<string> {
  return readFile(file, "utf-8").catch(() => "");
}

export function verdictsOf(checks: Checks): Verdict[] {
  return checks.outcomes.flatMap((outcome) => (outcome.kind === "verdict" ? [outcome.verdict] : []));
}

/** The address that `asset explore` prints. */
export function addressIn(printed: string): string | null {
  return /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(printed)?.[0] ?? null;
}
