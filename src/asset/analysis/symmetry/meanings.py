"""What symmetries make of a requirement that they do not keep: if these meanings are few, they can be followed."""

from __future__ import annotations

from asset.analysis.symmetry.described_program import DescribedProgram
from asset.analysis.symmetry.summaries import TermSummary
from asset.analysis.symmetry.term_image import TermImage
from asset.analysis.symmetry.terms import Beyond, Term, Terms
from asset.ir.groups import Group, Meanings, Permutation, identity
from asset.ir.requirements import Requirement, command_sets

MOST_MEANINGS = 64
"""Of one requirement: a set of them is a word (native/product.h)."""

_Claim = tuple[tuple[Term, ...], tuple[frozenset[int], ...]]
"""That each predicate of a requirement holds, and that evaluating it is a model error; the sets of commands that the
requirement speaks of."""


def meanings_of(described: DescribedProgram, group: Group, requirement: Requirement) -> Meanings | None:
    """All that the group makes of the requirement; None if that is too much to tell apart."""
    terms: list[Term] = []
    for predicate in requirement.predicates:
        written = described.predicates[predicate]
        if not isinstance(written, TermSummary):
            return None
        terms += (written.guard, written.fault)
    try:
        return _meanings(described.terms, group, (tuple(terms), command_sets(requirement)))
    except (Beyond, RecursionError):
        return None


def _meanings(terms: Terms, group: Group, written: _Claim) -> Meanings | None:
    first = group.generators[0]
    made = [identity(len(first.cells), len(first.commands))]  # each makes its claim of what is written
    claims = [written]
    known = {written: 0}
    renamings = [(generator, TermImage(terms, generator, making=True)) for generator in group.generators]
    for claim, by in zip(claims, made, strict=True):  # both grow
        for generator, image in renamings:
            renamed = _renamed(claim, image)
            if renamed not in known:
                if len(claims) == MOST_MEANINGS:
                    return None
                known[renamed] = len(claims)
                claims.append(renamed)
                made.append(generator.after(by))
    images = tuple(_images(claims, known, terms, step) for step in group.chooser.steps)
    return Meanings(tuple(by.inverse() for by in made), images)


def _images(claims: list[_Claim], known: dict[_Claim, int], terms: Terms, step: Permutation) -> tuple[int, ...]:
    image = TermImage(terms, step, making=True)
    renamed = [_renamed(claim, image) for claim in claims]
    if any(claim not in known for claim in renamed):
        raise Beyond
    return tuple(known[claim] for claim in renamed)


def _renamed(claim: _Claim, image: TermImage) -> _Claim:
    terms = []
    for term in claim[0]:
        renamed = image.of(term)
        if renamed is None:
            raise Beyond
        terms.append(renamed)
    commands = image.permutation.commands
    return tuple(terms), tuple(frozenset(commands[command] for command in named) for named in claim[1])
