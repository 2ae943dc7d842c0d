"use strict";
// Running `asset` in a process of its own, whose end is awaited and which can be ended.
Object.defineProperty(exports, "__esModule", { value: true });
exports.wordsOf = wordsOf;
exports.checkFile = checkFile;
exports.verdictsOf = verdictsOf;
exports.addressIn = addressIn;
const node_child_process_1 = require("node:child_process");
const promises_1 = require("node:fs/promises");
const node_os_1 = require("node:os");
const node_path_1 = require("node:path");
const outcome_1 = require("./outcome");
function wordsOf(tool, model, json, html) {
    return [...tool.command, "check", model, ...tool.further, "--quiet", "--json", json, "--html", html];
}
/** Checks a file: its only model, or each of its models. */
async function checkFile(tool, file, control) {
    const first = await checkModel(tool, file, file, control);
    if (first.outcome.kind !== "models")
        return { outcomes: [first.outcome], pages: [first.page] };
    const all = { outcomes: [], pages: [] };
    for (const name of first.outcome.names) {
        if (control.signal.aborted)
            break;
        const { outcome, page } = await checkModel(tool, `${file}:${name}`, file, control);
        all.outcomes.push(outcome);
        all.pages.push(page);
    }
    return all;
}
async function checkModel(tool, model, file, control) {
    const folder = await (0, promises_1.mkdtemp)((0, node_path_1.join)((0, node_os_1.tmpdir)(), "asset-"));
    try {
        const [json, html] = [(0, node_path_1.join)(folder, "verdict.json"), (0, node_path_1.join)(folder, "report.html")];
        const { status, stderr } = await ended(wordsOf(tool, model, json, html), (0, node_path_1.dirname)(file), control);
        const ending = { status, stderr, json: await textOf(json) };
        return { outcome: (0, outcome_1.outcomeOf)(ending, file), page: await textOf(html) };
    }
    finally {
        await (0, promises_1.rm)(folder, { recursive: true, force: true });
    }
}
function ended(words, folder, control) {
    return new Promise((resolve) => {
        const { signal, started } = control;
        const streams = ["ignore", "ignore", "pipe"];
        const child = (0, node_child_process_1.spawn)(words[0], words.slice(1), { cwd: folder, stdio: streams, env: plainEnvironment(), signal });
        let stderr = "";
        child.stderr?.setEncoding("utf-8").on("data", (part) => (stderr += part));
        child.on("error", (error) => resolve({ status: null, stderr: `error: ${words[0]} cannot be run: ${error.message}` }));
        child.on("close", (status) => resolve({ status, stderr }));
        started(child);
    });
}
/** Messages are read by a program: no colours, and in UTF-8. */
function plainEnvironment() {
    const environment = { ...process.env, NO_COLOR: "1", PYTHONUTF8: "1" };
    delete environment["FORCE_COLOR"];
    return environment;
}
async function textOf(file) {
    return (0, promises_1.readFile)(file, "utf-8").catch(() => "");
}
function verdictsOf(checks) {
    return checks.outcomes.flatMap((outcome) => (outcome.kind === "verdict" ? [outcome.verdict] : []));
}
/** The address that `asset explore` prints. */
function addressIn(printed) {
    return /http:\/\/127\.0\.0\.1:\d+\/\S*/.exec(printed)?.[0] ?? null;
}
