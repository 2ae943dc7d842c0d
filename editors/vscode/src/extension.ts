// The parts that need the editor: they show what the other modules make of a check.

import { ChildProcess, spawn } from "node:child_process";
import { dirname } from "node:path";
import * as vscode from "vscode";

import { Finding, findingsOf } from "./outcome";
import { Node, treeOf } from "./runTree";
import { isModel, lenses } from "./source";
import { Checks, Tool, addressIn, checkFile, verdictsOf } from "./tool";
import { Verdict } from "./verdict";

interface Checked {
  verdicts: Verdict[];
  checks: Checks;
}

interface Running {
  control: AbortController;
  child: ChildProcess | undefined;
}

class RunTree implements vscode.TreeDataProvider<Node> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private roots: Node[] = [];
  private file: vscode.Uri | undefined;

  show(file: vscode.Uri, verdicts: Verdict[]): void {
    this.file = file;
    this.roots = treeOf(verdicts);
    this.changed.fire();
  }

  getChildren(node?: Node): Node[] {
    return node ? node.children : this.roots;
  }

  getTreeItem(node: Node): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const open = this.roots.includes(node) ? Expanded : Collapsed;
    const item = new vscode.TreeItem(node.label, node.children.length > 0 ? open : None);
    item.description = node.description;
    item.tooltip = node.description ? `${node.label}\n${node.description}` : node.label;
    item.iconPath = new vscode.ThemeIcon(ICONS[node.icon]);
    if (node.line !== null && this.file) {
      const at = new vscode.Position(node.line - 1, 0);
      const options: vscode.TextDocumentShowOptions = { selection: new vscode.Range(at, at), preserveFocus: true };
      item.command = { command: "vscode.open", title: "Show in the model", arguments: [this.file, options] };
    }
    return item;
  }
}

const ICONS: Record<Node["icon"], string> = {
  initial: "circle-outline",
  step: "arrow-down",
  change: "edit",
  cycle: "sync",
  wrong: "error",
  holds: "pass",
};

class Extension implements vscode.CodeLensProvider {
  private readonly diagnostics = vscode.languages.createDiagnosticCollection("asset");
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly tree = new RunTree();
  private readonly status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  private readonly checked = new Map<string, Checked>();
  private readonly running = new Map<string, Running>();
  private readonly explorers = new Set<ChildProcess>();
  private panel: vscode.WebviewPanel | undefined;

  register(context: vscode.ExtensionContext): void {
    const selector: vscode.DocumentSelector = [{ language: "python", scheme: "file" }, { pattern: "**/*.model", scheme: "file" }];
    context.subscriptions.push(
      this.diagnostics,
      this.status,
      vscode.window.registerTreeDataProvider("asset.run", this.tree),
      vscode.languages.registerCodeLensProvider(selector, this),
      vscode.commands.registerCommand("asset.check", () => this.withModel((document) => this.check(document))),
      vscode.commands.registerCommand("asset.report", (file?: string) => this.report(file)),
      vscode.commands.registerCommand("asset.explore", () => this.withModel((document) => this.explore(document))),
      vscode.commands.registerCommand("asset.stop", () => this.stop()),
      vscode.workspace.onDidSaveTextDocument((document) => this.saved(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.diagnostics.delete(document.uri)),
      { dispose: () => this.end() },
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const known = this.checked.get(document.uri.fsPath);
    if (!known) return [];
    return lenses(document.getText(), known.verdicts).map((lens) => {
      const range = new vscode.Range(lens.line, 0, lens.line, 0);
      return new vscode.CodeLens(range, { title: lens.title, command: "asset.report", arguments: [document.uri.fsPath] });
    });
  }

  private async withModel(act: (document: vscode.TextDocument) => Promise<void>): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !isModel(document.uri.fsPath, document.getText())) {
      void vscode.window.showInformationMessage("ASSET: open a model first, a Python file with a class made from asset.Model.");
      return;
    }
    if (document.isDirty) await document.save();
    await act(document);
  }

  private saved(document: vscode.TextDocument): void {
    const wanted = vscode.workspace.getConfiguration("asset", document.uri).get("checkOnSave", true);
    const file = document.uri.fsPath;
    if (wanted && document.uri.scheme === "file" && isModel(file, document.getText())) void this.check(document);
  }

  /** The editor shows what a check of the file says; a check of it that still runs is ended. */
  private async check(document: vscode.TextDocument): Promise<void> {
    const file = document.uri.fsPath;
    this.running.get(file)?.control.abort();
    this.tell("$(sync~spin) checking", "asset.stop");
    const mine: Running = { control: new AbortController(), child: undefined };
    this.running.set(file, mine);
    const { signal } = mine.control;
    const checks = await checkFile(toolFor(document.uri), file, { signal, started: (child) => (mine.child = child) });
    if (signal.aborted) return; // another check of the file has begun since
    this.running.delete(file);
    const verdicts = verdictsOf(checks);
    this.checked.set(file, { verdicts, checks });
    this.showFindings(file, checks);
    this.tree.show(document.uri, verdicts);
    this.lensesChanged.fire();
    void vscode.commands.executeCommand("setContext", "asset.checked", verdicts.length > 0);
    if (this.panel) await this.report(file);
    const wrong = checks.outcomes.some((outcome) => outcome.kind !== "verdict" || outcome.verdict.verdict !== "holds");
    this.tell(wrong ? "$(error) ASSET" : "$(pass) ASSET: holds", "asset.report");
  }

  private showFindings(file: string, checks: Checks): void {
    const findings = checks.outcomes.flatMap((outcome) => {
      if (outcome.kind === "rejected") return outcome.findings;
      return outcome.kind === "verdict" ? findingsOf(outcome.verdict, file) : [];
    });
    const byFile = new Map<string, vscode.Diagnostic[]>([[file, []]]);
    for (const finding of findings) {
      byFile.set(finding.place.file, [...(byFile.get(finding.place.file) ?? []), diagnosticOf(finding)]);
    }
    this.diagnostics.clear();
    byFile.forEach((found, each) => this.diagnostics.set(vscode.Uri.file(each), found));
  }

  private tell(text: string, command: string): void {
    this.status.text = text;
    this.status.command = command;
    this.status.show();
  }

  /** As Ctrl-C: the checks end with what they have found. */
  private stop(): void {
    this.running.forEach((each) => each.child?.kill("SIGINT"));
  }

  private end(): void {
    this.running.forEach((each) => each.control.abort());
    this.explorers.forEach((child) => child.kill());
  }

  /** The report page is shown beside the model. It has a policy of its own that lets it load nothing. */
  private async report(file?: string): Promise<void> {
    const path = file ?? vscode.window.activeTextEditor?.document.uri.fsPath ?? "";
    const pages = this.checked.get(path)?.checks.pages.filter((page) => page !== "") ?? [];
    const verdicts = this.checked.get(path)?.verdicts ?? [];
    const at = Math.max(0, verdicts.findIndex((verdict) => verdict.verdict === "violated"));
    const page = pages[at];
    if (page === undefined) {
      void vscode.window.showInformationMessage("ASSET: there is no report yet; check the model first.");
      return;
    }
    if (!this.panel) {
      const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel("asset.report", "ASSET", beside, { enableScripts: true, localResourceRoots: [] });
      this.panel.onDidDispose(() => (this.panel = undefined));
    }
    this.panel.title = `ASSET: ${verdicts[at]?.model ?? ""}`;
    this.panel.webview.html = page;
  }

  /** `asset explore` serves its page until the editor is closed. */
  private async explore(document: vscode.TextDocument): Promise<void> {
    const file = document.uri.fsPath;
    const tool = toolFor(document.uri);
    const model = await chosenModel(file, this.checked.get(file)?.verdicts ?? []);
    if (model === undefined) return;
    const words = [...tool.command, "explore", model, ...parametersOf(tool.further)];
    const child = spawn(words[0]!, words.slice(1), { cwd: dirname(file), stdio: ["ignore", "pipe", "pipe"] });
    this.explorers.add(child);
    let printed = "";
    let opened = false;
    const read = (part: Buffer): void => {
      printed += part.toString("utf-8");
      const address = addressIn(printed);
      if (address && !opened) {
        opened = true;
        void vscode.env.openExternal(vscode.Uri.parse(address, true));
      }
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("error", (error) => void vscode.window.showErrorMessage(`ASSET: ${error.message}`));
    child.on("close", () => {
      this.explorers.delete(child);
      if (!opened && printed.trim()) void vscode.window.showErrorMessage(`ASSET: ${printed.trim()}`);
    });
  }
}

async function chosenModel(file: string, verdicts: Verdict[]): Promise<string | undefined> {
  if (verdicts.length < 2) return file;
  const name = await vscode.window.showQuickPick(verdicts.map((verdict) => verdict.model), { title: "Which model?" });
  return name === undefined ? undefined : `${file}:${name}`;
}

/** Of the words of a check, those that every command takes: -p NAME=VALUE and -D NAME=VALUE. */
function parametersOf(words: readonly string[]): string[] {
  return words.flatMap((word, at) => (word === "-p" || word === "-D" ? [word, words[at + 1] ?? ""] : []));
}

function toolFor(file: vscode.Uri): Tool {
  const settings = vscode.workspace.getConfiguration("asset", file);
  return { command: settings.get("command", ["asset"]), further: settings.get("arguments", []) };
}

function diagnosticOf(finding: Finding): vscode.Diagnostic {
  const { line, column } = finding.place;
  const from = new vscode.Position(line - 1, Math.max(0, column - 1));
  const to = finding.width > 0 ? from.translate(0, finding.width) : new vscode.Position(line - 1, Number.MAX_SAFE_INTEGER);
  const severities = {
    error: vscode.DiagnosticSeverity.Error,
    warning: vscode.DiagnosticSeverity.Warning,
    information: vscode.DiagnosticSeverity.Information,
  };
  const diagnostic = new vscode.Diagnostic(new vscode.Range(from, to), finding.message, severities[finding.severity]);
  diagnostic.source = "ASSET";
  return diagnostic;
}

export function activate(context: vscode.ExtensionContext): void {
  new Extension().register(context);
}
