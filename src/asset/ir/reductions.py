"""The reductions that a search uses: which stubborn set rules and which symmetries, as one value.

`asset.checks.reductions` makes it. Code generation, both engines and every command are given it, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # few checks need these, and they take a while to load
    from asset.ir.derived import DerivedRules
    from asset.ir.groups import Group


@dataclass(frozen=True, slots=True)
class Reductions:
    """In each state only a stubborn set is fired: by the program's own rules (`hand_rules`) or by `derived` ones. Each
    state is replaced by its representative: that of the program (`hand_symmetry`) or that of the `group`.

    Requirements that the group has meanings of are followed through these.
    """

    hand_rules: bool = False
    derived: DerivedRules | None = None
    hand_symmetry: bool = False
    group: Group | None = None

    @property
    def stubborn(self) -> bool:
        return self.hand_rules or self.derived is not None

    @property
    def symmetry(self) -> bool:
        return self.hand_symmetry or self.group is not None

    def without_progress(self) -> Reductions:
        """With smaller sets, which do not take progress into account."""
        return self if self.derived is None else replace(self, derived=self.derived.without_progress())

    def of_all_commands(self) -> Reductions:
        """With sets of all commands, also of those that do not matter."""
        return self if self.derived is None else replace(self, derived=replace(self.derived, cone=None))

    def without_stubborn_sets(self) -> Reductions:
        return replace(self, hand_rules=False, derived=None)

    def without_symmetry(self) -> Reductions:
        return replace(self, hand_symmetry=False, group=None)


NO_REDUCTIONS = Reductions()
HAND_WRITTEN = Reductions(hand_rules=True, hand_symmetry=True)
