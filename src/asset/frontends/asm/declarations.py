"""From declarations to a signature: every name gets its sort, and every sort its values."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import product
from typing import cast

from asset.errors import Diagnostic
from asset.frontends.asm import tree as t
from asset.frontends.asm.comparing import Comparing
from asset.frontends.asm.finiteness import (
    all_parts,
    argument_values,
    bounded,
    is_finite,
    kind_of_all,
    require_finite,
    restricted,
    with_elements,
)
from asset.frontends.asm.kinds import (
    NUMBERS,
    TRUTHS,
    UNDEFINED,
    AnySort,
    Bagged,
    BagSort,
    Element,
    Elements,
    Listed,
    Mapped,
    MapSort,
    ScalarSort,
    SequenceSort,
    SetSort,
    Sort,
    Static,
    TupleSort,
    code_of,
    list_elements,
    scalars_of,
    values_of,
)
from asset.frontends.asm.left_open import INPUTS, left_open
from asset.frontends.asm.problems import Poisoned, Problems, Rejected, wrong_number
from asset.frontends.asm.signature import Allowed, ConstructorInfo, FunctionInfo, Growing, Signature
from asset.frontends.asm.statics import NotStatic, StaticEvaluator, unknown
from asset.frontends.asm.texts import makes_text

_BASIC: Mapping[str, Sort] = {
    "Boolean": ScalarSort(TRUTHS, (0, 1)),
    "BOOL": ScalarSort(TRUTHS, (0, 1)),
    "Integer": ScalarSort(NUMBERS),
    "Natural": ScalarSort(NUMBERS),
    "Real": ScalarSort(NUMBERS),
    "INT": ScalarSort(NUMBERS),
    "FLOAT": ScalarSort(NUMBERS),
}
"""Which of the numbers are no fractions is not asked for: what a function gets is what its constraint lists."""
_TEXTS = {"String": "String", "Char": "Char", "STRING": "String"}
_UNSUPPORTED = frozenset({"Complex", "Undef"})
_ANY = "Any"
_BOUNDS = {"length": "sequences", "count": "bags"}


def signature_of(machine: t.Machine, problems: Problems, sizes: Mapping[str, int]) -> Signature:
    """What the machine declares. `sizes` are the numbers of elements of abstract domains that are asked for."""
    return _Declarations(machine, problems, sizes).signature()


class _Declarations:
    def __init__(self, machine: t.Machine, problems: Problems, sizes: Mapping[str, int]) -> None:
        self._machine = machine
        self._problems = problems
        self._sizes = sizes
        self._found = Signature(machine, dict(_BASIC))
        self._evaluator = StaticEvaluator(self._found)
        self._definitions = {each.name: each for each in machine.definitions}
        self._roots: dict[str, Elements] = {}
        """The domains whose elements are declared one by one, and those that they are part of."""
        self._members: dict[str, set[int]] = {}
        self._left_open = left_open(machine)

    def signature(self) -> Signature:
        self._reject_twice()
        self._texts()
        self._kinds()
        self._functions_without_sorts()
        self._elements()
        self._domains()
        self._list_elements()
        self._list_texts()
        self._unread = {each.name for each in self._machine.functions if self._is_unread(each)}
        self._mentioned = _mentioned(self._machine, self._unread)
        for function in self._machine.functions:
            self._found.faulty.add(function.name)
            with self._problems.gathered():
                self._function(function)
                self._found.faulty.discard(function.name)
        for name in self._found.faulty:
            self._found.functions.pop(name, None)
        self._found.rules.update((rule.name, rule) for rule in self._machine.rules)
        self._reject_undeclared()
        return self._found

    def _reject_twice(self) -> None:
        machine = self._machine
        kinds: tuple[tuple[t.Domain | t.Function | t.RuleDefinition, ...], ...]
        kinds = (machine.domains, machine.functions, machine.rules)
        for declared in kinds:
            first: dict[str, t.Node] = {}
            for each in declared:
                if each.name in first:
                    message = f"{each.name} is declared twice, first in line {first[each.name].span.line}"
                    self._problems.add(Diagnostic(message, each.span, "give one of them another name"))
                first.setdefault(each.name, each)

    def _reject_undeclared(self) -> None:
        known = {*self._found.functions, *self._found.domains, *(each.name for each in self._machine.functions)}
        known |= self._found.faulty
        initially = (each for one in self._machine.initials for each in (*one.functions, *one.domains))
        used: tuple[t.Definition | t.Constraint, ...]
        used = (*self._machine.definitions, *self._machine.constraints, *initially)
        for each in used:
            if each.name not in known and each.name not in (*_BOUNDS, "size"):
                self._problems.add(unknown(self._found, each.name, each.span).diagnostic)

    # --- domains --------------------------------------------------------------------------------------------------

    def _texts(self) -> None:
        """The strings, characters and rules that the machine mentions as values."""
        machine = self._machine
        parts = (*machine.definitions, *machine.constraints, *machine.rules, *machine.specifications)
        for node in t.walk(*parts, *machine.initials):
            if isinstance(node, t.Text | t.RuleTerm):
                element = self._found.text(node) if isinstance(node, t.Text) else self._found.rule_value(node)
                element.kind.listed.add(element.code)

    def _kinds(self) -> None:
        """The domains that have elements of their own."""
        for name in ("Agent", "Reserve"):
            self._roots[name] = Elements(name, alike=True)
        for domain in self._machine.domains:
            if domain.kind == "enum":
                self._enumeration(domain)
            elif domain.kind == "abstract":
                self._roots[domain.name] = Elements(domain.name, alike=True)
            elif domain.kind == "any":
                self._found.domains[domain.name] = AnySort()
            elif self._is_part_of_abstract(domain) and isinstance(domain.of, t.TypeName):
                self._roots[domain.name] = self._roots[domain.of.name]

    def _is_part_of_abstract(self, domain: t.Domain) -> bool:
        """Whether its elements are declared one by one, too."""
        of = domain.of.name if isinstance(domain.of, t.TypeName) else None
        return of in self._roots and domain.name not in self._definitions

    def _enumeration(self, domain: t.Domain) -> None:
        kind = Elements(domain.name)
        for constructor in domain.constructors:
            if constructor.of is None:
                element = kind.element(constructor.name)
                self._found.constants[constructor.name] = element
                kind.listed.add(element.code)
            else:
                arity = len(constructor.of.parts) if isinstance(constructor.of, t.TypeOf) else 1
                self._found.constructors[constructor.name] = ConstructorInfo(kind, arity)
        self._members[domain.name] = kind.listed
        self._found.domains[domain.name] = ScalarSort(kind, tuple(sorted(kind.listed)))

    def _functions_without_sorts(self) -> None:
        """Enough of the functions to evaluate domains with them."""
        for function in self._machine.functions:
            definition = self._definitions.get(function.name)
            self._found.functions[function.name] = FunctionInfo(
                function.name, function.category, function.span, (), None, definition
            )

    def _elements(self) -> None:
        """A static function without arguments and without a definition is an element of its domain."""
        for function in self._machine.functions:
            of = function.result
            if function.category != "static" or function.args or function.name in self._definitions:
                continue
            if isinstance(of, t.TypeName) and of.name in self._roots:
                del self._found.functions[function.name]
                self._found.constants[function.name] = self._member(of.name, function.name)
        extended = self._extended()
        for name in self._roots:
            size, present = self._size(name), len(self._members.get(name, ()))
            new = [self._member(name, f"{name}!{number + 1}") for number in range(max(0, (size or 0) - present))]
            if name in extended:
                with self._problems.gathered():
                    self._growing(name, new, extended[name], size)
        for name, kind in self._roots.items():
            self._found.domains[name] = ScalarSort(kind, tuple(sorted(self._members.get(name, ()))))

    def _extended(self) -> dict[str, t.ExtendRule]:
        """The domains that rules extend."""
        return {each.domain: each for each in t.walk(*self._machine.rules) if isinstance(each, t.ExtendRule)}

    def _size(self, domain: str) -> int | None:
        """How many elements the domain has at most: what is asked for, or `//@ size(D) in {0 : 3}`."""
        if domain in self._sizes:
            return self._sizes[domain]
        for each in self._machine.constraints:
            if each.name == "size" and argument_of(each) == domain:
                return self._most(each.values)
        return None

    def _growing(self, domain: str, new: list[Element], rule: t.ExtendRule, size: int | None) -> None:
        if size is None:
            self._found.faulty.add(domain)
            raise Rejected(
                f"extend makes new elements of {domain}, and nothing says how many there may be",
                rule.span,
                f"say it: -p {domain}=3, or //@ size({domain}) in {{0 : 3}}",
            )
        self._found.growing[domain] = growing = Growing(domain, new[0].code if new else 0, len(new))
        self._found.functions[growing.counter] = FunctionInfo(
            growing.counter, "controlled", rule.span, (), ScalarSort(NUMBERS, tuple(range(len(new) + 1)))
        )

    def _member(self, domain: str, name: str) -> Element:
        """A new element of the domain, and of all that it is part of."""
        element = self._roots[domain].element(name)
        element.kind.listed.add(element.code)
        above: str | None = domain
        while above is not None and above in self._roots:
            self._members.setdefault(above, set()).add(element.code)
            declared = next((each for each in self._machine.domains if each.name == above), None)
            of = declared.of if declared is not None and declared.kind == "subset" else None
            above = of.name if isinstance(of, t.TypeName) else None
        return element

    def _domains(self) -> None:
        for domain in self._machine.domains:
            if domain.name not in self._found.domains and domain.of is not None:
                with self._problems.gathered():
                    self._found.domains[domain.name] = self._part(domain, self._sort(domain.of))
                if domain.name not in self._found.domains:
                    self._found.faulty.add(domain.name)

    def _part(self, domain: t.Domain, whole: Sort) -> Sort:
        """The domain, of which its definition says the elements."""
        definition = self._definitions.get(domain.name) or self._initial_definition(domain.name)
        if definition is None:
            return whole
        values = self._static_elements(definition.body)
        if isinstance(whole, AnySort):
            whole = kind_of_all(values, definition.span)
        return restricted(whole, values, definition.span)

    def _initial_definition(self, name: str) -> t.Definition | None:
        initials = self._machine.initials
        return next((each for initial in initials for each in initial.domains if each.name == name), None)

    def _static_elements(self, term: t.Term, env: Mapping[str, Static] | None = None) -> frozenset[Static]:
        try:
            return frozenset(self._evaluator.elements(term, env or {}))
        except NotStatic as reason:
            raise Rejected(
                f"this set depends on the state: {reason} changes", term.span, "use constants and static functions"
            ) from None

    def _list_elements(self) -> None:
        """The elements with arguments that a set of the machine has: those of static sets and of constraints."""
        sets = [function.definition.body for function in self._found.functions.values() if function.definition]
        for term in (*sets, *(constraint.values for constraint in self._machine.constraints)):
            try:
                value = self._evaluator.value(term, {})
            except (NotStatic, Rejected):
                continue  # it has parameters, or is wrong, which is said elsewhere
            if isinstance(value, frozenset):
                list_elements(value)
        enums = {each.name for each in self._machine.domains if each.kind == "enum"}
        for name, sort in self._found.domains.items():
            if isinstance(sort, ScalarSort) and isinstance(sort.kind, Elements) and name in enums:
                self._found.domains[name] = ScalarSort(sort.kind, tuple(sorted(sort.kind.listed)))
        for each in self._machine.domains:
            if each.kind == "alias" and each.of is not None and each.name in self._found.domains:
                self._found.domains[each.name] = self._sort(each.of)

    def _list_texts(self) -> None:
        """The texts that functions of constants give."""
        machine = self._machine
        for term in t.walk(*machine.definitions, *machine.constraints, *machine.rules, *machine.initials):
            if makes_text(term):
                with suppress(NotStatic, Rejected):
                    self._evaluator.value(cast(t.Term, term), {})
        self._found.complete = True

    def _sort(self, type_: t.TypeExpr) -> Sort:
        if isinstance(type_, t.TypeName):
            return self._named_sort(type_)
        if type_.maker == "Rule":
            return self._rules_with(len(type_.parts))
        parts = tuple(map(self._sort, type_.parts))
        match type_.maker:
            case "Prod":
                return TupleSort(parts)
            case "Powerset":
                return SetSort(parts[0])
            case "Seq":
                return SequenceSort(parts[0])
            case "Bag":
                return BagSort(parts[0])
            case "Map" if len(parts) == 2:
                return MapSort(parts[0], parts[1])
        raise Rejected(f"{type_.maker} is not part of what is read", type_.span, "use a function with arguments")

    def _rules_with(self, params: int | None) -> Sort:
        """The rules that are values, if that is asked for those with so many parameters."""
        counts = {rule.name: len(rule.params) for rule in self._machine.rules}
        names = [name for name in self._found.rule_values if params is None or counts.get(name) == params]
        return ScalarSort(self._found.rules_as_values, tuple(sorted(map(self._found.rule_code, names))))

    def _named_sort(self, type_: t.TypeName) -> Sort:
        if type_.name in self._found.domains:
            return self._found.domains[type_.name]
        if type_.name in _BASIC:
            return _BASIC[type_.name]
        if type_.name == _ANY:
            return AnySort()
        if type_.name == "Rule":
            return self._rules_with(None)
        if type_.name in _TEXTS:
            kind = self._found.texts[_TEXTS[type_.name]]
            return ScalarSort(kind, tuple(sorted(kind.listed)) or None)
        if type_.name in _UNSUPPORTED:
            raise Rejected(
                f"the domain {type_.name} is not part of what is read", type_.span, "use integers or an enum domain"
            )
        if type_.name in self._found.faulty:
            raise Poisoned(f"{type_.name} is wrong", type_.span)
        later = next((each for each in self._machine.domains if each.name == type_.name and each.of is not None), None)
        if later is not None and later.of is not None:
            self._found.domains[type_.name] = found = self._part(later, self._sort(later.of))
            return found
        raise unknown(self._found, type_.name, type_.span)

    # --- functions ------------------------------------------------------------------------------------------------

    def _function(self, function: t.Function) -> None:
        known = self._found.functions.get(function.name)
        if known is None:
            return  # an element of a domain
        if function.name in self._unread:
            del self._found.functions[function.name]
            self._found.unread[function.name] = function
            return
        if function.name not in self._mentioned and function.category not in ("static", "derived"):
            del self._found.functions[function.name]
            return  # nothing reads it and nothing changes it
        args = declared = tuple(map(self._sort, function.args))
        result = None if function.result is None else self._sort(function.result)
        constraints = self._constraints(function.name)
        for constraint in constraints:
            if constraint.params and constraint.name not in _BOUNDS:
                args = self._restricted_arguments(constraint, args)
        args = self._arguments_of_initial(function, args)
        known = replace(known, args=args, result=result, bounded=_infinite(declared), elsewhere=_elsewhere(function))
        known = replace(known, left_open=known.category in INPUTS and known.name in self._left_open)
        for constraint in constraints:
            known = self._constrained(known, constraint)
        if known.category == "monitored" and not constraints and self._is_any_text(function.result):
            known = replace(known, result=self._texts_told_apart(function))
        if known.is_dynamic:
            require_finite(known, {self._roots[each].name for each in self._found.faulty if each in self._roots})
        self._found.functions[function.name] = known

    def _texts_told_apart(self, function: t.Function) -> Sort:
        """The texts of the machine and one that it does not mention, if the input is only compared with others."""
        texts = {each.name for each in self._machine.functions if each.category in INPUTS}

        def values(term: t.Term) -> frozenset[int] | None:
            named = {each.name for each in t.walk(term) if isinstance(each, t.Name | t.Apply)}
            return None if named & texts else frozenset()

        sort = None if function.result is None else self._sort(function.result)
        if not isinstance(sort, ScalarSort) or not Comparing(self._machine, values).is_only_compared(function.name):
            raise Rejected(
                f"{function.name} can be any text",
                function.span,
                f'say which texts it can be: a finiteness constraint {function.name} in {{"a", "b"}}',
            )
        assert isinstance(sort.kind, Elements)
        another = sort.kind.element("another text")
        return ScalarSort(sort.kind, (*(sort.codes or ()), another.code))

    def _is_any_text(self, type_: t.TypeExpr | None) -> bool:
        """Whether nothing says which texts there are."""
        if not isinstance(type_, t.TypeName):
            return False
        part = next((each for each in self._machine.domains if each.name == type_.name and each.kind != "enum"), None)
        if part is None or part.name in self._definitions or self._initial_definition(part.name) is not None:
            return part is None and type_.name in _TEXTS
        return self._is_any_text(part.of)

    def _is_unread(self, function: t.Function) -> bool:
        """Whether it is not finite, and nothing reads it: an output, or a function to `Any`."""
        anything = isinstance(function.result, t.TypeName) and function.result.name == _ANY
        if self._constraints(function.name) or not (anything or function.category == "out"):
            return False
        machine = self._machine
        parts = (*machine.definitions, *machine.rules, *machine.specifications, *machine.initials)
        updates = [each for each in t.walk(*parts) if isinstance(each, t.Update)]
        if not anything and function.result is not None and self._has_finite(function.result):
            values = (each.value for each in updates if each.location.name == function.name)
            if all(map(self._is_finite_text, values)):
                return False
        written = {id(each.location) for each in updates}
        named = (each for each in t.walk(*parts) if isinstance(each, t.Name | t.Apply) and each.name == function.name)
        return all(id(each) in written for each in named)

    def _has_finite(self, type_: t.TypeExpr) -> bool:
        """Whether there are finitely many values; also if the type is wrong, which is said elsewhere."""
        try:
            return is_finite(self._sort(type_))
        except Rejected:
            return True

    def _is_finite_text(self, value: t.Term) -> bool:
        """Whether the term makes no texts but those that are known."""
        for each in t.walk(value):
            if makes_text(each):
                try:
                    self._evaluator.value(cast(t.Term, each), {})
                except (NotStatic, Rejected):
                    return False
        return True

    def _constraints(self, name: str) -> list[t.Constraint]:
        return [each for each in self._machine.constraints if name in (each.name, _length_of(each))]

    def _restricted_arguments(self, constraint: t.Constraint, args: tuple[Sort, ...]) -> tuple[Sort, ...]:
        if len(constraint.params) != len(args):
            raise wrong_number(constraint.name, len(args), len(constraint.params), constraint.span)
        return tuple(
            arg
            if isinstance(param.domain, t.Wildcard)
            else restricted(arg, self._static_elements(param.domain), param.span)
            for param, arg in zip(constraint.params, args, strict=True)
        )

    def _arguments_of_initial(self, function: t.Function, args: tuple[Sort, ...]) -> tuple[Sort, ...]:
        """If the arguments are not finite, they are those for which there is an initial value."""
        if all(values_of(arg) is not None for arg in args):
            return args
        for initial in self._machine.initials:
            for definition in initial.functions:
                if definition.name == function.name:
                    return self._keys(definition, args)
        return args

    def _keys(self, definition: t.Definition, args: tuple[Sort, ...]) -> tuple[Sort, ...]:
        if definition.params:
            domains = [param.domain for param in definition.params]
            sets = [None if self._is_endless(each) else self._static_elements(each) for each in domains]
        else:
            value = self._evaluator.value(definition.body, {})
            keys = [k if len(args) > 1 else (k,) for k, _ in value.pairs] if isinstance(value, Mapped) else []
            sets = [frozenset(key[k] for key in keys if isinstance(key, tuple)) or None for k in range(len(args))]
        return tuple(
            arg if found is None or values_of(arg) is not None else restricted(arg, found, definition.span)
            for arg, found in zip(args, sets, strict=True)
        )

    def _is_endless(self, domain: t.Term) -> bool:
        """Whether the domain does not tell which elements it has."""
        if isinstance(domain, t.Name) and domain.name in self._found.domains:
            return values_of(self._found.domains[domain.name]) is None
        return isinstance(domain, t.Wildcard)

    def _constrained(self, function: FunctionInfo, constraint: t.Constraint) -> FunctionInfo:
        """The function with the values that the constraint leaves it, if it is about values."""
        if function.result is None or isinstance(constraint.values, t.Wildcard):
            return function
        if constraint.name in _BOUNDS and constraint.name != function.name:
            return replace(function, result=self._bounded(function.result, constraint))
        allowed = self._allowed(function, constraint)
        every = frozenset[Static]().union(*allowed.values())
        collection = _COLLECTIONS.get(type(function.result))
        if isinstance(function.result, SequenceSort | SetSort | BagSort | MapSort) and not (
            collection is not None and every and all(isinstance(each, collection) for each in every)
        ):
            values = self._static_elements(constraint.values)  # the same for all arguments
            return replace(function, result=with_elements(function.result, values, constraint.span))
        result = restricted(function.result, every, constraint.span)
        total = values_of(result)
        uniform = total is not None and all(len(each) == len(total) for each in allowed.values())
        return replace(function, result=result, allowed=None if uniform else allowed)

    def _most(self, sizes: t.Term) -> int:
        """The greatest of the numbers."""
        found = self._static_elements(sizes)
        if not all(type(each) is int for each in found):
            raise Rejected("these are to be numbers, and no fractions", sizes.span, "write {0 : 3}")
        return max(map(code_of, found), default=0)

    def _bounded(self, result: Sort, constraint: t.Constraint) -> Sort:
        most = self._most(constraint.values)
        kind = SequenceSort if constraint.name == "length" else BagSort
        if not any(isinstance(part, kind) for part in all_parts(result)):
            raise Rejected(f"{constraint.name} bounds {_BOUNDS[constraint.name]}", constraint.span)
        return bounded(result, kind, most)

    def _allowed(self, function: FunctionInfo, constraint: t.Constraint) -> Allowed:
        patterns = t.Definition(constraint.span, function.name, constraint.params, constraint.values)
        found: dict[tuple[Static, ...], frozenset[Static]] = {}
        for args in product(*argument_values(function)):
            env = self._evaluator.bound(patterns, args, constraint.span) if constraint.params else {}
            found[args] = self._static_elements(constraint.values, env)
            if not constraint.params:
                return dict.fromkeys(product(*argument_values(function)), found[args])
        return found


_COLLECTIONS: Mapping[type[Sort], type] = {
    SequenceSort: Listed,
    SetSort: frozenset,
    BagSort: Bagged,
    MapSort: Mapped,
}
"""What the values of a constraint are if it lists sequences, sets, bags or maps, and not the elements of these."""


def _mentioned(machine: t.Machine, unread: set[str]) -> set[str]:
    """The names that rules, definitions and properties use, but for updates of what nothing reads."""

    def without(node: t.Node) -> t.Node:
        return t.Skip(node.span) if isinstance(node, t.Update) and node.location.name in unread else node

    parts = t.changed((*machine.definitions, *machine.rules, *machine.specifications), without)
    found = {each.name for each in t.walk(*parts) if isinstance(each, t.Name | t.Apply)}
    return found | {each.name for initial in machine.initials for each in initial.functions}


def _infinite(args: tuple[Sort, ...]) -> frozenset[int]:
    """The scalar parts of the arguments whose domains are not finite."""
    parts = scalars_of(TupleSort(args)) or ()
    return frozenset(number for number, part in enumerate(parts) if part.codes is None)


def _elsewhere(function: t.Function) -> Static:
    """A relation of ASM-SL is false where it was not said to be true."""
    relation = isinstance(function.result, t.TypeName) and function.result.name == "BOOL" and bool(function.args)
    return False if relation else UNDEFINED


def _length_of(constraint: t.Constraint) -> str | None:
    """The function whose sequences are bounded by `length(f)`, or whose bags are by `count(f)`."""
    return argument_of(constraint) if constraint.name in _BOUNDS else None


def argument_of(constraint: t.Constraint) -> str | None:
    """What `length` or `size` is said of."""
    pattern = constraint.params[0].pattern if constraint.params else None
    return pattern.name if isinstance(pattern, t.Name) else None
