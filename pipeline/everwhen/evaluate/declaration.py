"""What a family declares so that answers to its items can be asked for and scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

from everwhen.evaluate.conditions import Conditions
from everwhen.evaluate.predictions import Prediction
from everwhen.evaluate.prompts import Prompts
from everwhen.evaluate.scheme import CHOICE_OUTCOMES, TYPED_OUTCOMES, Scheme
from everwhen.evaluate.scorer import Scorer


@dataclass(frozen=True)
class Shortcuts:
    """What shortcuts (`everwhen.evaluate.shortcuts`) read beside the gold. SQL texts are as of `Evaluation`.

    Attributes:
        column: The column of the items with the values of `pool`. Shortcuts are measured, and learn, by the values of
            that slice, else by type of answer; they are tried on the first items of each value of the column.
        asks: Selects `item_id` BIGINT and what there is of: `asks` VARCHAR, what is asked for, where a pool asks for
            several things; `key` VARCHAR, of whom it is asked. Of items about entities of the facts, `entities`
            BIGINT[], those that the question names in their order; `answer_entities` BIGINT[]; `described` BIGINT[],
            those that stand in the text without their names; `countries` BIGINT[], those that names may contain;
            `property` INTEGER, which the answer compares or is a value of; `wording` INTEGER.
        observed: Selects `asks`, `key` and `text` VARCHAR, without nulls: what is known of a key at any time, a row for
            each time. None where nothing is.
        counts_hits: Whether the column trivial has the hits of the best shortcut of a pool on the items of each cell,
            as where a pool has many kinds of items; else what it scores in the pool.
    """

    column: str | None = None
    asks: str | None = None
    observed: str | None = None
    counts_hits: bool = False


@dataclass(frozen=True)
class LayoutFile:
    """A file of another release's layout that has responses beside what is right.

    Attributes:
        table: The columns of `Evaluation.gold`, by ascending item_id; `value_type`, too. An item has the same id in
            every file.
        rows: The predictions, by item.
    """

    table: pa.Table
    rows: Mapping[int, Prediction]


@dataclass(frozen=True)
class Evaluation:
    """How answers to a family's items are asked for, scored and summarised.

    SQL texts are one SELECT each, in DuckDB's SQL. They read the view `items` (the family's items, only those asked
    for), the family's other tables by name, the tables of facts as `facts_<table>`, and those of `checks/catalog.sql`.

    Attributes:
        gold: Selects one row an item, with the columns:
            `item_id` BIGINT; `question` VARCHAR; `answer` VARCHAR[], the published parts; `accepted` VARCHAR[][], for
            each part the other texts that are right; `answer_type` VARCHAR, one of `AnswerType`; `unit` VARCHAR, the
            unit's name in the singular, or null; `is_ordered` BOOLEAN, whether the order of the parts counts;
            `options` VARCHAR[], the texts that a choice question offers, else empty; `split` VARCHAR, null where there
            are no splits; and one VARCHAR column, without nulls, for each name in `slices`. A choice whose options are
            listed with letters has the type single_choice or multiple_choice, and `answer` has the options that are
            right.
        slices: Columns of `gold` by which scores are tabulated. The values of the first are tasks in exports to
            harnesses.
        filters: Selects `item_id` BIGINT and the columns by whose values items are chosen, among them the slices and
            `year` INTEGER where items have one; without what of `gold` takes long. None where the slices of `gold`
            are all.
        strata: The slices by which affordable sets of items are stratified.
        default_set: The item set that tasks of a harness are of where nothing else is asked for; None where there are
            no item sets, and something must be.
        pool: The slice whose items have answers of one kind: those of the others are candidates for each.
        shortcuts: What shortcuts read beside the gold; by default nothing.
        once: Selects `item_id` BIGINT and `text` VARCHAR: answers that were right at another time. None where no item
            has any.
        layouts: By the name of a format, a SELECT of the items as another release of such a dataset has them, in its
            order of rows and columns.
        readers: By the name of such a format, what reads a file of it that has responses, too. It raises InputError,
            with the line and the key, of what is no such file.
        prompts: The wording of prompts; None where the family's items cannot be asked.
        variants: The wordings of prompts by the name that `everwhen ask --prompt` takes, where there are several;
            `prompts` is one of them.
        conditions: With what items may be asked.
        scorer: The family's own scorer; None where responses are scored by their typed outcomes
            (`everwhen.evaluate.scoring.score`).
        has_choices: Whether some items are choices with letters. Then `gold` also has `value_type` VARCHAR: how the
            answer of such an item is compared where it is asked without its options; null where it cannot be.
        columns: Further columns of `gold` that the own scorer reads.
        tables: By name, SELECTs of further tables that it reads.
        sources: Selects `item_id` BIGINT and `source` VARCHAR: the tables that an item is made of, as `licences` of
            the manifest names them. None where each item is of all that it names.
    """

    gold: str
    slices: tuple[str, ...]
    filters: str | None = None
    strata: tuple[str, ...] = ()
    default_set: str | None = "lite-1000"
    pool: str | None = None
    shortcuts: Shortcuts = Shortcuts()
    once: str | None = None
    layouts: Mapping[str, str] = field(default_factory=dict)
    readers: Mapping[str, Callable[[Path], LayoutFile]] = field(default_factory=dict)
    prompts: Prompts | None = None
    variants: Mapping[str, Prompts] = field(default_factory=dict)
    conditions: Conditions = field(default_factory=Conditions)
    scorer: Scorer | None = None
    has_choices: bool = False
    columns: tuple[str, ...] = ()
    tables: Mapping[str, str] = field(default_factory=dict)
    sources: str | None = None

    @property
    def scheme(self) -> Scheme:
        """The figures of the scorer."""
        if self.scorer:
            return self.scorer.scheme
        return CHOICE_OUTCOMES if self.has_choices else TYPED_OUTCOMES
