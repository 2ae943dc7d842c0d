// The parts that need no editor, on what the tool itself says: `node --test test/extension.test.mjs`, with ASSET naming the tool if it is
// not on the path (words separated by spaces).
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const require = createRequire(import.meta.url);
const { diagnostics, findingsOf, outcomeOf } = require("../out/outcome.js");
const { isModel, lenses, properties } = require("../out/source.js");
const { treeOf } = require("../out/runTree.js");
const { addressIn, checkFile, verdictsOf } = require("../out/tool.js");
const { shown } = require("../out/verdict.js");

const ROOM = `from asset import Array, Model, invariant, may_progress, transition, when


class Room(Model):
    n: int = 2

    def state(self):
        self.seen = Array(self.n, False)
        self.inside = Array(self.n, False)

    @transition(i="n")
    def look(self, i):
        when(not any(self.inside))
        self.seen[i] = True

    @transition(i="n")
    def enter(self, i):
        when(self.seen[i])
        self.inside[i] = True

    @invariant
    def at_most_one_inside(self):
        return sum(self.inside) <= 1


class Corridor(Room):
    def state(self):
        self.seen = Array(self.n, False)
        self.inside = Array(self.n, False)

    @invariant
    def at_most_one_inside(self):
        return sum(self.inside) <= 2
`;
const WRONG = ROOM.replace("self.inside[i] = True", "self.inside[i] = yes");

const folder = mkdtempSync(join(tmpdir(), "asset-editor-"));
after(() => rmSync(folder, { recursive: true }));
const tool = { command: (process.env.ASSET ?? "asset").split(" "), further: [] };

function written(name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

function check(file, control = new AbortController()) {
  return checkFile(tool, file, { signal: control.signal, started: () => {} });
}

test("a file is checked, and the editor shows what was found", async (t) => {
  const file = written("room.py", ROOM);
  const checks = await check(file);
  const verdicts = verdictsOf(checks);

  await t.test("each model of the file has a verdict", () => {
    assert.deepEqual(verdicts.map((each) => [each.model, each.verdict]), [["Room", "violated"], ["Corridor", "holds"]]);
  });
  await t.test("the violation is an error at the line of the property, with its reason", () => {
    const [finding] = findingsOf(verdicts[0], file);
    assert.equal(finding.severity, "error");
    assert.equal(finding.place.file, file);
    assert.match(ROOM.split("\n")[finding.place.line - 1] + ROOM.split("\n")[finding.place.line], /at_most_one_inside/);
    assert.match(finding.message, /^Room\(n=2\): violated — at_most_one_inside is false after 4 steps\nbecause .*2 <= 1/);
    assert.deepEqual(findingsOf(verdicts[1], file), []);
  });
  await t.test("a lens above each class and each property has the verdict", () => {
    const found = lenses(ROOM, [verdicts[0]]);
    const classLine = ROOM.split("\n").indexOf("class Room(Model):");
    assert.deepEqual(found[0], { line: classLine, title: "✗ Room(n=2): violated — at_most_one_inside is false after 4 steps", verdict: "violated" });
    assert.equal(found[1].title, "✗ violated after 4 steps");
    assert.equal(ROOM.split("\n")[found[1].line].trim(), "@invariant");
    assert.equal(lenses(ROOM, verdicts).at(-1).title, "✗ Room: violated after 4 steps · ✓ Corridor: holds");
    assert.deepEqual(lenses(ROOM, []), []);
  });
  await t.test("the counterexample is a tree of steps with what they changed, each of which leads to its line", () => {
    const [room, corridor] = treeOf(verdicts);
    assert.equal(corridor.children.length, 0);
    assert.equal(room.children.length, 5);
    const [initial, first] = room.children;
    assert.equal(initial.label, "initial state");
    assert.match(first.label, /^1  look\(\d\)$/);
    assert.match(first.description, /^seen\[\d\]: False → True$/);
    assert.equal(first.children[0].label, first.description);
    assert.match(ROOM.split("\n")[first.line - 1] + ROOM.split("\n")[first.line], /look/);
  });
  await t.test("there is a report page for the panel", () => {
    assert.match(checks.pages[0], /<!DOCTYPE html>[^]*at_most_one_inside/);
  });
});

test("what the compiler says is shown at the columns of its caret", async () => {
  const file = written("wrong.py", WRONG.split("\n\n\nclass Corridor")[0] + "\n");
  const { outcomes } = await check(file);
  assert.equal(outcomes[0].kind, "rejected");
  const [finding] = outcomes[0].findings;
  const line = WRONG.split("\n")[finding.place.line - 1];
  assert.equal(line.slice(finding.place.column - 1, finding.place.column - 1 + finding.width), "yes");
  assert.match(finding.message, /yes/);
});

test("a check that is no longer wanted is ended", async () => {
  const control = new AbortController();
  control.abort();
  const { outcomes } = await check(written("late.py", ROOM), control);
  assert.deepEqual(outcomes.map((outcome) => outcome.kind), ["rejected"]);
});

test("a tool that is missing is said so at the top of the file", async () => {
  const missing = { command: [join(folder, "no-such-tool")], further: [] };
  const { outcomes } = await checkFile(missing, join(folder, "room.py"), { signal: new AbortController().signal, started: () => {} });
  assert.match(outcomes[0].findings[0].message, /no-such-tool cannot be run/);
  assert.equal(outcomes[0].findings[0].place.line, 1);
});

test("several diagnostics are told apart, with their remedies", () => {
  const found = diagnostics("a.py:3:5: error: one\n    x = y\n        ^\n    try z\nb.py:1:1: note: two\n", "a.py");
  assert.deepEqual(found.map((each) => [each.place.file, each.place.line, each.severity, each.width, each.message]), [
    ["a.py", 3, "error", 1, "one\ntry z"],
    ["b.py", 1, "warning", 0, "two"],
  ]);
});

test("an undecided verdict is a warning that says why", () => {
  const verdict = { verdict: "undecided", model: "M", parameters: {}, violation: null, counterexample: null, states: 1000 };
  const json = JSON.stringify({ ...verdict, checked: [], caveats: [{ code: "limit", message: "a limit was reached" }] });
  const outcome = outcomeOf({ status: 3, json, stderr: "" }, "m.py");
  const [finding] = findingsOf(outcome.verdict, "m.py");
  assert.deepEqual([finding.severity, finding.message], ["warning", "M: undecided — 1,000 states\na limit was reached"]);
});

test("only files with a model are checked", () => {
  assert.ok(isModel("/a/room.py", ROOM));
  assert.ok(isModel("/a/ring.model", ""));
  assert.ok(!isModel("/a/room.py", "import os\n\nclass A(B):\n    pass\n"));
  assert.ok(!isModel("/a/test_room.py", "import asset\nfrom room import Room\n"));
});

test("properties are found under several decorators, and other methods are not", () => {
  const text = "class A(Model):\n    @may_progress\n    @invariant(i='n')\n    def a(self, i): ...\n\n    @transition\n    def b(self): ...\n";
  assert.deepEqual(properties(text), [{ line: 1, name: "a" }]);
});

test("values are shown as Python writes them", () => {
  assert.equal(shown([true, null, { a: 1 }, "IDLE"]), "[True, None, {a: 1}, IDLE]");
});

test("the explorer's address is found in what it prints", () => {
  assert.equal(addressIn("Room(n=2): http://127.0.0.1:4711/?token=a-b_c\n"), "http://127.0.0.1:4711/?token=a-b_c");
  assert.equal(addressIn("error: nothing"), null);
});
