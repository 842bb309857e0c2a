"""Relations: what binds the slots of a template, one module for each kind of question.

`pair` and `triple` are not among them: comparisons come from blocks (`complextempqa/compare/pairs.py`).

A relation takes the world and a template's `params`, if it has any. It is a DataFrame with the columns that templates
refer to, and with these, which every binding carries:

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
from everwhen.families.complextempqa.bind.world import WorldTables

RELATIONS: Mapping[str, Callable[[WorldTables, Mapping[str, Any]], DataFrame]] = {
    "lifetime": attribute.select_lifetimes,
    "single_value": attribute.select_single_values,
    "hop_value": attribute.select_path_values,
    "stated_country": attribute.select_stated_countries,
    "claimed_country": attribute.pick_claimed_countries,
    "term": office.select_terms,
    "reign": office.find_sole_holders,
    "neighbour": office.find_neighbours,
    "during": office.find_holders_during,
    "won": award.select_receipts,
    "winner": award.find_sole_recipients,
    "count": counting.count,
    "count_during_term": counting.count_during_term,
    "count_holders": holders.count_holders,
    "count_handovers": holders.count_handovers,
    "count_works": works.count_works,
    "count_costars": works.count_costars,
    "wins": award.count_receipts,
    "recipients": award.count_recipients,
}
"""The relations by the name that templates give them."""
