"""Conditions: with what an item may be asked, as its family declares it."""

from __future__ import annotations

from dataclasses import dataclass

from everwhen.core.errors import InputError

NONE, OWN, EVIDENCE, MIXED, PASSAGE, PASSAGES, ORACLE = (
    *("none", "dataset", "evidence", "evidence-mixed"),
    *("passage", "passages", "oracle"),
)
"""The choices of `everwhen ask --context`: nothing, the context that an item has in the dataset, the statements of its
answer, these among others, one passage of a run file, several, and the relevant document among others of its group."""


@dataclass(frozen=True)
class Conditions:
    """With what a family's items may be asked. SQL texts are as those of `Evaluation`; passages suit every family.

    Attributes:
        has_statements: Whether answers are derived from statements of the facts: `evidence`, `evidence-mixed`.
        own: Selects `item_id` BIGINT, `position` INTEGER and `sentence` VARCHAR, the context that each item has in the
            dataset: `dataset`. None where items have none of their own.
        evidence: Selects the same columns: the sentences that an item's answer is derived from, of a family that knows
            them without statements of the facts: `evidence`. None where there are none, or statements.
        candidates: Selects `item_id` BIGINT, `doc_id`, `title` VARCHAR or null, `text` VARCHAR and `is_relevant`
            BOOLEAN: the documents of an item's group, which are relevant to it or not: `oracle`. None where there are
            no documents.
        needs_context: Selects `item_id` BIGINT: the items that mean nothing without a context. `none` leaves them out.
            None where each can be asked from memory alone.
    """

    has_statements: bool = True
    own: str | None = None
    evidence: str | None = None
    candidates: str | None = None
    needs_context: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The conditions that the family has."""
        found = {
            NONE: True,
            OWN: self.own is not None,
            EVIDENCE: self.has_statements or self.evidence is not None,
            MIXED: self.has_statements,
            PASSAGE: True,
            PASSAGES: True,
            ORACLE: self.candidates is not None,
        }
        return tuple(name for name, is_there in found.items() if is_there)

    def require(self, name: str, family: str) -> None:
        """Refuse a condition that the family does not have.

        Raises:
            InputError: The message lists those that it has.
        """
        if name not in self.names:
            raise InputError(f"--context {name}: {family} has no such context; it has {', '.join(self.names)}")
