"""What symmetries make of a property that they do not keep: as long as these meanings are few, they can be followed."""

from __future__ import annotations

from asset.analysis.symmetry.described_program import DescribedProgram
from asset.analysis.symmetry.summaries import TermSummary
from asset.analysis.symmetry.terms import Beyond, Term, TermImage, Terms
from asset.ir.groups import Group, Meanings, Permutation, identity
from asset.ir.requirements import Predicate

MOST_MEANINGS = 64
"""Of one property: a set of them is a word (native/product.h)."""

_Claim = tuple[Term, Term]
"""That a property holds, and that evaluating it is a model error."""


def meanings_of(described: DescribedProgram, group: Group, predicate: Predicate) -> Meanings | None:
    """All that the group makes of the predicate; None if that is too much to tell apart."""
    written = described.predicates[predicate]
    if not isinstance(written, TermSummary):
        return None
    try:
        return _meanings(described.terms, group, (written.guard, written.fault))
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
    guard, fault = image.of(claim[0]), image.of(claim[1])
    if guard is None or fault is None:
        raise Beyond
    return guard, fault
