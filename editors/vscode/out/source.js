"use strict";
// What can be seen in the text of a model without running it: whether it is one, its classes and its properties.
Object.defineProperty(exports, "__esModule", { value: true });
exports.isModel = isModel;
exports.properties = properties;
exports.classLines = classLines;
exports.lenses = lenses;
const verdict_1 = require("./verdict");
const PROPERTIES = ["invariant", "terminal", "may_progress", "must_progress", "recurrent", "temporal"];
const DECORATOR = new RegExp(`^\\s*@(?:asset\\.)?(?:${PROPERTIES.join("|")})\\b`);
const IMPORT = /^\s*(?:from\s+asset(?:\.\w+)*\s+import|import\s+asset)\b/m;
function isModel(path, text) {
    return path.endsWith(".model") || (path.endsWith(".py") && IMPORT.test(text) && classLines(text).size > 0);
}
/** The properties with the line that their decorators begin in. */
function properties(text) {
    const found = [];
    let begun = null;
    let declares = false;
    text.split(/\r?\n/).forEach((line, at) => {
        if (/^\s*@/.test(line)) {
            begun ??= at;
            declares ||= DECORATOR.test(line);
            return;
        }
        const defined = /^\s*def\s+(\w+)/.exec(line);
        if (defined && declares)
            found.push({ line: begun, name: defined[1] });
        if (defined || /^\s*class\s/.test(line)) {
            begun = null;
            declares = false;
        }
    });
    return found;
}
/** The lines of the classes that have a base, by name: a model has one. */
function classLines(text) {
    const found = new Map();
    text.split(/\r?\n/).forEach((line, at) => {
        const defined = /^class\s+(\w+)\s*\(/.exec(line);
        if (defined)
            found.set(defined[1], at);
    });
    return found;
}
/** A line above each class that was checked, and above each property: its verdict. */
function lenses(text, verdicts) {
    const classes = classLines(text);
    const found = [];
    for (const verdict of verdicts) {
        const line = classes.get(verdict.model);
        if (line !== undefined)
            found.push({ line, title: `${verdict_1.MARKS[verdict.verdict]} ${(0, verdict_1.headline)(verdict)}`, verdict: verdict.verdict });
    }
    for (const property of properties(text)) {
        const titles = verdicts.flatMap((verdict) => told(property, verdict, verdicts.length > 1));
        if (titles.length > 0) {
            const answers = titles.map((title) => title.answer);
            const worst = ["violated", "undecided", "holds"].find((answer) => answers.includes(answer));
            found.push({ line: property.line, title: titles.map((title) => title.text).join(" · "), verdict: worst });
        }
    }
    return found;
}
function told(property, verdict, several) {
    const answers = verdict.checked.filter((each) => bare(each.name) === property.name).map((each) => each.verdict);
    const answer = ["violated", "undecided", "holds"].find((each) => answers.includes(each));
    if (answer === undefined)
        return [];
    const shownHere = answer === "violated" && bare(verdict.violation?.property ?? null) === property.name;
    const steps = shownHere && verdict.counterexample ? ` after ${(0, verdict_1.stepsOf)(verdict.counterexample)}` : "";
    return [{ text: `${verdict_1.MARKS[answer]} ${several ? `${verdict.model}: ` : ""}${answer}${steps}`, answer }];
}
/** A property with its indices, `done(2)` or `done[2]`, is declared by its name. */
function bare(name) {
    return (name ?? "").replace(/[([].*$/, "");
}
