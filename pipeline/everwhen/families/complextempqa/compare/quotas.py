"""How many pairs and triples of each block are asked, so that each template makes the rows that are wanted.

Who is compared with whom is `complextempqa/compare/blocks.py`'s, and how many comparisons come of it
`complextempqa/compare/forecast.py`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from everwhen.families.complextempqa.budget import list_wanted, select_comparisons
from everwhen.families.complextempqa.compare.blocks import Block, Turn
from everwhen.families.complextempqa.compare.forecast import Forecast
from everwhen.families.complextempqa.config import ComplexTempQASettings
from everwhen.families.complextempqa.template import BLOCK_RELATIONS, Template

MAX_WIDTH = 1e6
"""More partners than any subject is compared with."""


@dataclass(frozen=True)
class Quota:
    """What is drawn from one block for one template.

    Attributes:
        template: Its id.
        block: Number of the block.
        unnamed: Whether subjects are described and not named.
        size: 2 for pairs, 3 for triples.
        turn: Whose turn it is.
        steps: How many partners each subject is compared with.
        more: How many subjects, the first in the order of a hash, are compared with one more.
        rows: How many rows are expected.
    """

    template: str
    block: int
    unnamed: bool
    size: int
    turn: Turn
    steps: int
    more: int
    rows: float


Forecasts = Callable[[Block, Turn, int, bool], Forecast]
"""What a block gives in a turn, in sets of a size, with subjects described or named."""


def plan_quotas(
    blocks: Sequence[Block], templates: Sequence[Template], config: ComplexTempQASettings, forecasts: Forecasts
) -> list[Quota]:
    """What is drawn from each block for each template of comparisons.

    A budget is met by one width for all its templates and blocks: how many steps each subject takes, so that everything
    is asked about equally often. A block that is too small gives all it has, and the others more.

    A pair, or a triple, is drawn once: each template has its own turns in a block, for named and for unnamed rows.

    Args:
        templates: The templates; those that do not draw from blocks are passed over.
        config: Budgets, and the width without a budget.
        forecasts: How many rows come of a block.

    Raises:
        InputError: Two budgets name the same template.
    """
    by_id = {t.id: t for t in select_comparisons(templates)}
    wanted = [one for one in list_wanted(sorted(by_id), config) if one[0] != 0]
    claims = list(_list_claims(blocks, by_id, wanted))
    found: list[Quota] = []
    for rows, unnamed, names in wanted:
        drawn = partial(_fit_quotas, _forecast_rows(claims, names, unnamed, forecasts))
        width = float(config.pairs_per_entity) if rows is None else _solve_width(drawn, rows)
        found += [quota for quota in drawn(width) if quota.steps or quota.more]
    return sorted(found, key=lambda d: (d.template, d.unnamed, d.block))


class Claim(NamedTuple):
    """A template that draws from a block, for named or unnamed rows; the fields mean what those of `Quota` do."""

    block: Block
    size: int
    template: str
    unnamed: bool
    turn: Turn


def _list_claims(
    blocks: Sequence[Block], templates: Mapping[str, Template], wanted: Sequence[tuple[int | None, bool, list[str]]]
) -> Iterator[Claim]:
    """List who draws from each block, in the order of templates; each size has its own turns."""
    asked = sorted((name, unnamed) for _, unnamed, names in wanted for name in names)
    for block in blocks:
        for size in (2, 3):
            mine = [(name, unnamed) for name, unnamed in asked if _may_draw(templates[name], unnamed, block, size)]
            for number, (name, unnamed) in enumerate(mine):
                yield Claim(block, size, name, unnamed, Turn(number, len(mine)))


def _may_draw(template: Template, unnamed: bool, block: Block, size: int) -> bool:
    """Whether a template compares the subjects of a block by its key in sets of a size, and for such rows."""
    compared = (template.params["kind"], template.params["by"], BLOCK_RELATIONS[template.relation])
    return compared == (block.kind, block.by, size) and (not unnamed or block.described > 0)


def _forecast_rows(
    claims: Sequence[Claim], names: Sequence[str], unnamed: bool, forecasts: Forecasts
) -> list[tuple[Claim, Forecast]]:
    """Forecast how many rows come of each claim of some templates."""
    mine = [claim for claim in claims if claim.unnamed == unnamed and claim.template in names]
    return [(claim, forecasts(claim.block, claim.turn, claim.size, unnamed)) for claim in mine]


def compute_own_share(sets: Sequence[tuple[Sequence[int], int]]) -> float:
    """Compute the share of a block's pairs that are asked in it.

    Two subjects may meet in several blocks; a hash picks one of them.

    Args:
        sets: What the subjects of the block are compared by, as numbers, and how many subjects each set has.
    """
    n = np.array([subjects for _, subjects in sets], dtype=np.float64)
    numbers = sorted({number for keys, _ in sets for number in keys})
    has = np.array([[number in keys for number in numbers] for keys, _ in sets], dtype=np.float64)
    every = n.sum() * (n.sum() - 1)
    if not every:
        return 1.0
    pairs = np.outer(n, n) - np.diag(n)
    return float((pairs / (has @ has.T)).sum() / every)


def _fit_quotas(forecasts: Sequence[tuple[Claim, Forecast]], width: float) -> list[Quota]:
    """What a width means for claims, each with how many rows come of it."""
    return [_fit_quota(claim, forecast, width) for claim, forecast in forecasts]


def _fit_quota(claim: Claim, forecast: Forecast, width: float) -> Quota:
    """What a width means for one claim."""
    block = claim.block
    own = block.own if claim.size == 2 else 1.0
    cells = int(min(block.size * width / own, block.size * forecast.widest))
    steps, more = divmod(cells, block.size)
    rows = forecast.count(cells / block.size)
    return Quota(claim.template, block.number, claim.unnamed, claim.size, claim.turn, steps, more, rows)


def _solve_width(drawn: Callable[[float], list[Quota]], wanted: int) -> float:
    """The least width that gives the rows that are wanted, or the widest there is."""
    low, high = 0.0, MAX_WIDTH
    for _ in range(60):
        width = (low + high) / 2
        if sum(quota.rows for quota in drawn(width)) < wanted:
            low = width
        else:
            high = width
    return high


@dataclass(frozen=True)
class Chunk:
    """Members of one block that one task draws from, for one template.

    Attributes:
        quota: What is drawn.
        start: The first member.
        end: The last member.
    """

    quota: Quota
    start: int
    end: int


def divide_into_tasks(
    found: Sequence[Quota], blocks: Sequence[Block], rows_per_file: int, *, size: int
) -> list[list[Chunk]]:
    """Divide the quotas among tasks of about as many rows as a file shall have, each of one split.

    Args:
        found: The quotas.
        rows_per_file: Rows of a full file.
        size: 2 for pairs, 3 for triples.

    Returns:
        The chunks of each task, which writes one file.
    """
    tasks: list[list[Chunk]] = []
    room, last = 0.0, ""
    for quota in sorted(found, key=lambda d: (blocks[d.block].split, d.template, d.unnamed, d.block)):
        block = blocks[quota.block]
        if quota.size != size:
            continue
        if block.split != last:
            room, last = -1.0, block.split
        member, each = 0, quota.steps + quota.more / block.size
        while member < block.size:
            if room < each:
                tasks.append([])
                room = float(rows_per_file)
            end = min(block.size, member + max(1, int(room / each)))
            tasks[-1].append(Chunk(quota, member, end - 1))
            room -= (end - member) * each
            member = end
    return tasks
