"use strict";
// What a run of the tool means: a verdict, models to choose from, or what is wrong with the model.
Object.defineProperty(exports, "__esModule", { value: true });
exports.outcomeOf = outcomeOf;
exports.modelsToChoose = modelsToChoose;
exports.diagnostics = diagnostics;
exports.findingsOf = findingsOf;
const verdict_1 = require("./verdict");
const DIAGNOSTIC = /^(.+?):(\d+):(\d+): (error|warning|note): (.*)$/;
/** The outcome of a check of `file`. Exit statuses: 0 holds, 1 violated, 3 undecided; 2 has its reasons on stderr. */
function outcomeOf(ended, file) {
    if (ended.status !== null && [0, 1, 3].includes(ended.status) && ended.json.trim() !== "") {
        return { kind: "verdict", verdict: JSON.parse(ended.json) };
    }
    const names = modelsToChoose(ended.stderr);
    if (names.length > 0)
        return { kind: "models", names };
    return { kind: "rejected", findings: diagnostics(ended.stderr, file) };
}
/** The classes that `asset` lists if a file has several models. */
function modelsToChoose(stderr) {
    if (!/ defines \d+ models/.test(stderr))
        return [];
    return [...stderr.matchAll(/^\s+\S.*:(\w+)$/gm)].map((match) => match[1]);
}
/** What the compiler says, `file:line:col: error: what`, with the source line, a caret and a remedy below. */
function diagnostics(stderr, file) {
    const findings = [];
    let rest = [];
    const close = () => {
        const last = findings.at(-1);
        if (last === undefined)
            return;
        const caret = rest.find((line) => /^\s*\^+\s*$/.test(line));
        if (caret !== undefined)
            last.width = caret.trim().length;
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
        const place = found ? { file: found[1], line: Number(found[2]), column: Number(found[3]) } : { file, line: 1, column: 1 };
        const severity = found && found[4] !== "error" ? "warning" : "error";
        findings.push({ place, width: 0, severity, message: found ? found[5] : unplaced[1] });
    }
    close();
    if (findings.length === 0) {
        const message = stderr.trim() || "asset ended without an answer";
        return [{ place: { file, line: 1, column: 1 }, width: 0, severity: "error", message }];
    }
    return findings;
}
/** What a verdict says at a line of a model: a violation is an error, and what was not decided is a warning. */
function findingsOf(verdict, file) {
    const top = { file, line: 1, column: 1 };
    if (verdict.violation) {
        const why = reasons(verdict.violation.why).map((reason) => `because ${reason}`);
        const message = [(0, verdict_1.headline)(verdict), ...why].join("\n");
        return [{ place: verdict.violation.place ?? top, width: 0, severity: "error", message }];
    }
    if (verdict.verdict === "undecided") {
        const message = [(0, verdict_1.headline)(verdict), ...verdict.caveats.map((caveat) => caveat.message)].join("\n");
        return [{ place: top, width: 0, severity: "warning", message }];
    }
    return [];
}
function reasons(why) {
    return why.flatMap((reason) => [reason.values ? `${reason.text}, that is ${reason.values}` : reason.text, ...reasons(reason.parts)]);
}
