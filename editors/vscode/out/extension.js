"use strict";
// The parts that need the editor: they show what the other modules make of a check.
var __createBinding = (this && this.__createBinding) || (Object.create ? (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    var desc = Object.getOwnPropertyDescriptor(m, k);
    if (!desc || ("get" in desc ? !m.__esModule : desc.writable || desc.configurable)) {
      desc = { enumerable: true, get: function() { return m[k]; } };
    }
    Object.defineProperty(o, k2, desc);
}) : (function(o, m, k, k2) {
    if (k2 === undefined) k2 = k;
    o[k2] = m[k];
}));
var __setModuleDefault = (this && this.__setModuleDefault) || (Object.create ? (function(o, v) {
    Object.defineProperty(o, "default", { enumerable: true, value: v });
}) : function(o, v) {
    o["default"] = v;
});
var __importStar = (this && this.__importStar) || (function () {
    var ownKeys = function(o) {
        ownKeys = Object.getOwnPropertyNames || function (o) {
            var ar = [];
            for (var k in o) if (Object.prototype.hasOwnProperty.call(o, k)) ar[ar.length] = k;
            return ar;
        };
        return ownKeys(o);
    };
    return function (mod) {
        if (mod && mod.__esModule) return mod;
        var result = {};
        if (mod != null) for (var k = ownKeys(mod), i = 0; i < k.length; i++) if (k[i] !== "default") __createBinding(result, mod, k[i]);
        __setModuleDefault(result, mod);
        return result;
    };
})();
Object.defineProperty(exports, "__esModule", { value: true });
exports.activate = activate;
const node_child_process_1 = require("node:child_process");
const node_path_1 = require("node:path");
const vscode = __importStar(require("vscode"));
const outcome_1 = require("./outcome");
const runTree_1 = require("./runTree");
const source_1 = require("./source");
const tool_1 = require("./tool");
class RunTree {
    changed = new vscode.EventEmitter();
    onDidChangeTreeData = this.changed.event;
    roots = [];
    file;
    show(file, verdicts) {
        this.file = file;
        this.roots = (0, runTree_1.treeOf)(verdicts);
        this.changed.fire();
    }
    getChildren(node) {
        return node ? node.children : this.roots;
    }
    getTreeItem(node) {
        const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
        const open = this.roots.includes(node) ? Expanded : Collapsed;
        const item = new vscode.TreeItem(node.label, node.children.length > 0 ? open : None);
        item.description = node.description;
        item.tooltip = node.description ? `${node.label}\n${node.description}` : node.label;
        item.iconPath = new vscode.ThemeIcon(ICONS[node.icon]);
        if (node.line !== null && this.file) {
            const at = new vscode.Position(node.line - 1, 0);
            const options = { selection: new vscode.Range(at, at), preserveFocus: true };
            item.command = { command: "vscode.open", title: "Show in the model", arguments: [this.file, options] };
        }
        return item;
    }
}
const ICONS = {
    initial: "circle-outline",
    step: "arrow-down",
    change: "edit",
    cycle: "sync",
    wrong: "error",
    holds: "pass",
};
class Extension {
    diagnostics = vscode.languages.createDiagnosticCollection("asset");
    lensesChanged = new vscode.EventEmitter();
    onDidChangeCodeLenses = this.lensesChanged.event;
    tree = new RunTree();
    status = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
    checked = new Map();
    running = new Map();
    explorers = new Set();
    panel;
    register(context) {
        const selector = [{ language: "python", scheme: "file" }, { pattern: "**/*.model", scheme: "file" }];
        context.subscriptions.push(this.diagnostics, this.status, vscode.window.registerTreeDataProvider("asset.run", this.tree), vscode.languages.registerCodeLensProvider(selector, this), vscode.commands.registerCommand("asset.check", () => this.withModel((document) => this.check(document))), vscode.commands.registerCommand("asset.report", (file) => this.report(file)), vscode.commands.registerCommand("asset.explore", () => this.withModel((document) => this.explore(document))), vscode.commands.registerCommand("asset.stop", () => this.stop()), vscode.workspace.onDidSaveTextDocument((document) => this.saved(document)), vscode.workspace.onDidCloseTextDocument((document) => this.diagnostics.delete(document.uri)), { dispose: () => this.end() });
    }
    provideCodeLenses(document) {
        const known = this.checked.get(document.uri.fsPath);
        if (!known)
            return [];
        return (0, source_1.lenses)(document.getText(), known.verdicts).map((lens) => {
            const range = new vscode.Range(lens.line, 0, lens.line, 0);
            return new vscode.CodeLens(range, { title: lens.title, command: "asset.report", arguments: [document.uri.fsPath] });
        });
    }
    async withModel(act) {
        const document = vscode.window.activeTextEditor?.document;
        if (!document || !(0, source_1.isModel)(document.uri.fsPath, document.getText())) {
            void vscode.window.showInformationMessage("ASSET: open a model first, a Python file with a class made from asset.Model.");
            return;
        }
        if (document.isDirty)
            await document.save();
        await act(document);
    }
    saved(document) {
        const wanted = vscode.workspace.getConfiguration("asset", document.uri).get("checkOnSave", true);
        const file = document.uri.fsPath;
        if (wanted && document.uri.scheme === "file" && (0, source_1.isModel)(file, document.getText()))
            void this.check(document);
    }
    /** The editor shows what a check of the file says; a check of it that still runs is ended. */
    async check(document) {
        const file = document.uri.fsPath;
        this.running.get(file)?.control.abort();
        this.tell("$(sync~spin) checking", "asset.stop");
        const mine = { control: new AbortController(), child: undefined };
        this.running.set(file, mine);
        const { signal } = mine.control;
        const checks = await (0, tool_1.checkFile)(toolFor(document.uri), file, { signal, started: (child) => (mine.child = child) });
        if (signal.aborted)
            return; // another check of the file has begun since
        this.running.delete(file);
        const verdicts = (0, tool_1.verdictsOf)(checks);
        this.checked.set(file, { verdicts, checks });
        this.showFindings(file, checks);
        this.tree.show(document.uri, verdicts);
        this.lensesChanged.fire();
        void vscode.commands.executeCommand("setContext", "asset.checked", verdicts.length > 0);
        if (this.panel)
            await this.report(file);
        const wrong = checks.outcomes.some((outcome) => outcome.kind !== "verdict" || outcome.verdict.verdict !== "holds");
        this.tell(wrong ? "$(error) ASSET" : "$(pass) ASSET: holds", "asset.report");
    }
    showFindings(file, checks) {
        const findings = checks.outcomes.flatMap((outcome) => {
            if (outcome.kind === "rejected")
                return outcome.findings;
            return outcome.kind === "verdict" ? (0, outcome_1.findingsOf)(outcome.verdict, file) : [];
        });
        const byFile = new Map([[file, []]]);
        for (const finding of findings) {
            byFile.set(finding.place.file, [...(byFile.get(finding.place.file) ?? []), diagnosticOf(finding)]);
        }
        this.diagnostics.clear();
        byFile.forEach((found, each) => this.diagnostics.set(vscode.Uri.file(each), found));
    }
    tell(text, command) {
        this.status.text = text;
        this.status.command = command;
        this.status.show();
    }
    /** As Ctrl-C: the checks end with what they have found. */
    stop() {
        this.running.forEach((each) => each.child?.kill("SIGINT"));
    }
    end() {
        this.running.forEach((each) => each.control.abort());
        this.explorers.forEach((child) => child.kill());
    }
    /** The report page is shown beside the model. It has a policy of its own that lets it load nothing. */
    async report(file) {
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
    async explore(document) {
        const file = document.uri.fsPath;
        const tool = toolFor(document.uri);
        const model = await chosenModel(file, this.checked.get(file)?.verdicts ?? []);
        if (model === undefined)
            return;
        const words = [...tool.command, "explore", model, ...parametersOf(tool.further)];
        const child = (0, node_child_process_1.spawn)(words[0], words.slice(1), { cwd: (0, node_path_1.dirname)(file), stdio: ["ignore", "pipe", "pipe"] });
        this.explorers.add(child);
        let printed = "";
        let opened = false;
        const read = (part) => {
            printed += part.toString("utf-8");
            const address = (0, tool_1.addressIn)(printed);
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
            if (!opened && printed.trim())
                void vscode.window.showErrorMessage(`ASSET: ${printed.trim()}`);
        });
    }
}
async function chosenModel(file, verdicts) {
    if (verdicts.length < 2)
        return file;
    const name = await vscode.window.showQuickPick(verdicts.map((verdict) => verdict.model), { title: "Which model?" });
    return name === undefined ? undefined : `${file}:${name}`;
}
/** Of the words of a check, those that every command takes: -p NAME=VALUE and -D NAME=VALUE. */
function parametersOf(words) {
    return words.flatMap((word, at) => (word === "-p" || word === "-D" ? [word, words[at + 1] ?? ""] : []));
}
function toolFor(file) {
    const settings = vscode.workspace.getConfiguration("asset", file);
    return { command: settings.get("command", ["asset"]), further: settings.get("arguments", []) };
}
function diagnosticOf(finding) {
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
function activate(context) {
    new Extension().register(context);
}
