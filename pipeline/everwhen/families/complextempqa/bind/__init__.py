"""Relations: what binds the slots of a template, one module for each family.

`pair` and `trio` are none of these: comparisons are drawn from blocks (`complextempqa/pairs.py`).

A relation is a DataFrame with the columns that templates refer to, and with these, which every binding carries:

| column | meaning |
|---|---|
| popular | whether every constituent is popular |
| countries | countries of the entities asked about, ascending |
| span | struct<start, end>: the days that the question is about |
| topic, split, head | IPTC topic, split, and the first asked entity |
| counted_over | of counts alone: "complete" or "known facts" |
| reason | why the relation itself gives no question here; null where it does |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pyspark.sql import DataFrame

from everwhen.families.complextempqa.bind import attribute, award, counting, holders, office, works
from everwhen.families.complextempqa.bind.world import World

RELATIONS: Mapping[str, Callable[[World, Mapping[str, Any]], DataFrame]] = {
    "lifetime": attribute.lifetime,
    "single_value": attribute.single_value,
    "hop_value": attribute.hop_value,
    "stated_country": attribute.stated_country,
    "claimed_country": attribute.claimed_country,
    "term": office.term,
    "reign": office.reign,
    "neighbour": office.neighbour,
    "during": office.during,
    "won": award.won,
    "winner": award.winner,
    "count": counting.count,
    "count_during_term": counting.count_during_term,
    "count_holders": holders.count_holders,
    "count_handovers": holders.count_handovers,
    "count_works": works.count_works,
    "count_costars": works.count_costars,
    "wins": award.wins,
    "recipients": award.recipients,
}
"""The relations by the name that templates give them."""
