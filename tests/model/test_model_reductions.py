"""Hand-written rules, symmetries, recurrences and termination, as a model that is a plain Python object has them."""

from __future__ import annotations

from enum import IntEnum

import pytest

from asset import Array, Int, Model, ModelRejected, obligations, recurrent, stb, stb_all, terminates, transition, when
from asset.frontends.python import PlainPython
from asset.ir.faults import Fault, FaultKind
from asset.ir.requirements import Recurrence, Termination

# The language is dynamic Python: state variables are declared by running state().
# mypy: ignore-errors


class Side(IntEnum):
    LEFT = 1
    RIGHT = 2


class Lamps(Model):
    n: int = 3

    def state(self):
        self.on = Array(self.n, False)
        self.moved = Int(0, 9)

    @transition(i="n")
    def light(self, i):
        when(not self.on[i])
        self.on[i] = True

    @transition(i="n", side=Side)
    def move(self, i, side):
        when(self.on[i])
        self.moved = (self.moved + side) % 10

    @transition
    def clear(self):
        for i in range(self.n):
            self.on[i] = False

    @obligations(light)
    def light_obliges(self, i):
        stb(self.clear)
        stb(self.move, i, Side.RIGHT)
        stb(self.light, (i + 1) % self.n)

    @obligations(move)
    def move_obliges(self, i, side):
        if self.on[i]:
            stb(self.move)
        else:
            stb(self.light, i + 2)

    settled = recurrent(move, then=(light, clear))


class Counter(Model):
    """The ASSET style."""

    def state(self):
        self.x = Int(0, 3)

    def nr_transitions(self):
        return 3

    def fire_transition(self, t):
        self.x = t
        return True

    def next_stubborn(self, t):
        if t == 0:
            stb(2, t + 1)
        elif t == 1:
            stb_all()
        else:
            stb(self.x, 2 + self.x)


def obliged(model, command, **cells):
    for name, value in cells.items():
        setattr(model, name, value)
    return PlainPython(model).obligations(model._snapshot(), command)


def test_a_rule_lists_numbers_in_the_order_in_which_it_names_transitions():
    assert obliged(Lamps(), 1) == (9, 6, 2)


def test_naming_a_transition_without_indices_obliges_all_of_it():
    lamps = Lamps()
    lamps.on[0] = True
    assert obliged(lamps, 3) == (3, 4, 5, 6, 7, 8)


def test_a_transition_without_a_rule_obliges_all():
    assert obliged(Lamps(), 9) == tuple(range(10))


def test_numbered_transitions_are_obliged_by_number():
    assert obliged(Counter(), 0) == (2, 1)
    assert obliged(Counter(), 1) == (0, 1, 2)
    assert obliged(Counter(), 2) == (0, 2)


@pytest.mark.parametrize(("model", "command", "cells"), [(Lamps(), 5, {}), (Counter(), 2, {"x": 1})])
def test_an_index_that_no_transition_has_is_a_fault(model, command, cells):
    with pytest.raises(Fault) as fault:
        obliged(model, command, **cells)
    assert fault.value.kind is FaultKind.INDEX


@pytest.mark.parametrize("word", [stb, stb_all])
def test_obliging_outside_of_a_rule_is_an_error(word):
    with pytest.raises(ModelRejected, match=r"outside of a rule"):
        word()


def test_calling_a_rule_like_a_method_is_an_error_too():
    with pytest.raises(ModelRejected, match=r"stb\(\) outside of a rule"):
        Lamps().light_obliges(0)


def test_a_rule_that_changes_the_state_is_at_fault():
    class Meddling(Lamps):
        @obligations(Lamps.light)
        def light_obliges(self, i):
            self.moved = 1

    with pytest.raises(Fault, match="changed the state") as fault:
        obliged(Meddling(), 0)
    assert fault.value.kind is FaultKind.CHANGED


def test_a_subclass_replaces_a_rule_by_one_of_the_same_name():
    class Quiet(Lamps):
        @obligations(Lamps.light)
        def light_obliges(self, i):
            pass

    assert obliged(Quiet(), 0) == ()


def test_a_rule_stays_in_force_where_a_subclass_replaces_its_transition():
    class Slow(Lamps):
        @transition(i="n")
        def light(self, i):
            when(not any(self.on))
            self.on[i] = True

    assert obliged(Slow(), 1) == (9, 6, 2)


def test_a_transition_has_one_rule():
    class Twice(Lamps):
        @obligations(Lamps.light)
        def another(self, i):
            stb_all()

    with pytest.raises(ModelRejected, match="light has two rules: light_obliges and another"):
        Twice()


def test_a_rule_has_the_indices_of_its_transition():
    with pytest.raises(ModelRejected, match="must have its indices"):

        class Wrong(Lamps):
            @obligations(Lamps.move)
            def moving(self, i):
                stb_all()


def test_next_stubborn_needs_numbered_transitions():
    class Mixed(Lamps):
        def next_stubborn(self, t):
            stb_all()

    with pytest.raises(ModelRejected, match="next_stubborn is for transitions with numbers"):
        Mixed()


def test_stb_names_transitions_where_they_have_names():
    class Numbers(Lamps):
        @obligations(Lamps.light)
        def light_obliges(self, i):
            stb(i)

    with pytest.raises(Fault, match="stb names a transition"):
        obliged(Numbers(), 0)


def test_a_representative_is_what_the_method_makes_of_the_state():
    class Sorted(Lamps):
        def symmetry_representative(self):
            for i in range(self.n - 1):
                if self.on[i] and not self.on[i + 1]:
                    self.on[i], self.on[i + 1] = self.on[i + 1], self.on[i]

    plain = PlainPython(Sorted())
    assert plain.program.representative is not None
    assert plain.representative((1, 0, 0, 5)) == (0, 0, 1, 5)


def test_without_a_symmetry_each_state_stands_for_itself():
    plain = PlainPython(Lamps())
    assert plain.program.representative is None
    assert plain.representative((1, 0, 0, 5)) == (1, 0, 0, 5)


def test_a_recurrence_is_named_by_its_attribute_and_means_all_instances():
    (settled,) = PlainPython(Lamps()).program.requirements
    assert isinstance(settled, Recurrence)
    assert (settled.name, settled.again, settled.then) == ("settled", frozenset(range(3, 9)), frozenset({0, 1, 2, 9}))


def test_a_recurrence_is_of_transitions():
    with pytest.raises(ModelRejected, match="recurrent takes transitions"):
        recurrent(3)


def test_termination_is_required_of_a_decorated_class_and_its_subclasses():
    @terminates
    class Ending(Lamps):
        pass

    class Child(Ending):
        pass

    required = [Termination() in PlainPython(cls()).program.requirements for cls in (Lamps, Ending, Child)]
    assert required == [False, True, True]
