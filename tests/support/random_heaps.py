"""Random models with heaps: two kinds of objects that refer to each other, from variables, arrays, queues and records.

Each statement follows, compares, assigns, makes or frees something, whatever is there: what it does wrong is a model
error that all ways of running the model must agree on. What is read goes to `out`.
"""

from __future__ import annotations

from textwrap import indent

from hypothesis import strategies as st

HEAD = """\
from asset import Array, Heap, Int, Model, Queue, Record, Ref, invariant, transition, when


class Node(Record):
    value: Int(0, 2)
    next: Ref("Node")
    tag: Ref("Tag")

    def second(self):
        return self.next

    def is_before(self, other):
        return self.next is other


class Tag(Record):
    owner: Ref("Node")
    both: (bool, Ref("Tag"))


class Box(Record):
    number: Int(0, 2)
    ref: Ref("Node")


class Random(Model):
    def state(self):
        self.heap = Heap(Node(value=Int(0, 2, {first})), at_most={nodes})
        self.tags = Heap(Tag, at_most={tags})
        self.a = self.heap.new(next=self.heap.new(1))
        self.b = Ref(Node)
        self.hand = Array(2, Ref(Node))
        self.mail = Queue(2, Ref(Node))
        self.box = Box()
        self.tag = Ref(Tag)
        self.out = Int(0, 9)

    def after(self, ref):
        if ref is None:
            return None
        return ref.next

    def length(self, ref):
        count = 0
        while ref is not None and count < 5:
            count += 1
            ref = ref.next
        return count

"""

TAIL = """\
    @transition
    def touch(self):
        self.b = self.b

    @invariant
    def short(self):
        return self.length(self.a) < 5

    @invariant
    def apart(self):
        return self.a is None or self.a.tag is None or self.a is not self.b
"""

NODES = (
    "self.a",
    "self.b",
    "self.hand[i]",
    "self.hand[1]",
    "self.box.ref",
    "x",
    "x.next",
    "self.a.next",
    "self.tag.owner",
)
TAGS = ("self.tag", "self.a.tag", "x.tag", "self.tag.both[1]", "None")
STATEMENTS = (
    "{place} = {node}",
    "{place} = None",
    "{place} = self.heap.new({number}, {node})",
    "x = self.heap.new(next={node}, tag={tag})",
    "x = {node}",
    "x = self.mail.get()",
    "x = self.after({node})",
    "x = {node} if {node} is not None else self.b",
    "x = {node}.second()",
    "self.out = {node}.value",
    "self.out = self.length({node})",
    "self.out = len(self.heap) + int({node} is {node})",
    "self.out = sum(h is None for h in self.hand) + sum(h is {node} for h in self.mail)",
    "{node}.value = {number}",
    "{node}.next = {node}",
    "{node}.tag = {tag}",
    "self.tag = {tag}",
    "self.tag = self.tags.new(owner={node})",
    "self.tag.both = (True, {tag})",
    "self.tag.owner = {node}",
    "self.mail.put({node})",
    "self.box = Box({number}, {node})",
    "self.a, self.b = self.b, {node}",
    "self.hand[i], x = x, self.hand[1]",
    "self.heap.free({node})",
    "self.tags.free({tag})",
    "self.out = int({node} in (self.a, self.b)) + int({node} in self.hand)",
    "self.out = int({node} == {node}) + int({tag} != {tag})",
)
TESTS = (
    "{node} is not None",
    "{node}",
    "not {node}",
    "{node} is {node}",
    "{node} is not None and {node}.value < 2",
    "{node}.is_before({node})",
    "not self.heap.full() and {tag} is None",
    "self.mail and self.mail.peek() is {node}",
)


@st.composite
def models(draw: st.DrawFn) -> str:
    head = HEAD.format(first=draw(st.integers(0, 2)), nodes=draw(st.integers(2, 4)), tags=draw(st.integers(1, 2)))
    bodies = [_transition(k, draw(_block())) for k in range(draw(st.integers(2, 4)))]
    return head + "\n".join(bodies) + "\n" + TAIL


def _transition(number: int, body: str) -> str:
    return f"    @transition(i=2)\n    def step{number}(self, i):\n        x = self.b\n{indent(body, ' ' * 8)}"


@st.composite
def _block(draw: st.DrawFn, depth: int = 2) -> str:
    lines = []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 5)) if depth else 0
        if kind == 4:
            lines.append(f"if {draw(_filled(TESTS))}:\n{indent(draw(_block(depth - 1)), '    ')}")
        elif kind == 5:
            lines.append(f"when({draw(_filled(TESTS))})\n")
        else:
            lines.append(draw(_filled(STATEMENTS)) + "\n")
    return "".join(lines)


@st.composite
def _filled(draw: st.DrawFn, templates: tuple[str, ...]) -> str:
    text = draw(st.sampled_from(templates))
    choices = {"{node}": NODES, "{tag}": TAGS, "{place}": NODES[:5], "{number}": ("0", "2", "i", "self.out")}
    for hole, words in choices.items():
        while hole in text:
            text = text.replace(hole, draw(st.sampled_from(words)), 1)
    return text
