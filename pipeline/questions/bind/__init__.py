"""Relations: what binds the slots of a template. One module for each family, and pairing for comparisons.

A relation is a DataFrame with the columns that templates refer to, and with these, which every binding carries:

| column | meaning |
|---|---|
| popular | whether every constituent is popular |
| countries | countries of the entities asked about, ascending |
| span | struct<start, end>: the days that the question is about |
| topic, split, head | IPTC topic, split, and the first asked entity |
| reason | why the relation itself gives no question here; null where it does |
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pyspark.sql import DataFrame

from pipeline.questions.bind.attribute import became, described, hop_chain, lifetime, reign, single_value
from pipeline.questions.bind.comparison import pair
from pipeline.questions.bind.counting import count_events, count_holders, count_works, count_years
from pipeline.questions.bind.world import World

RELATIONS: Mapping[str, Callable[[World, Mapping[str, Any]], DataFrame]] = {
    "lifetime": lifetime,
    "single_value": single_value,
    "described": described,
    "hop_chain": hop_chain,
    "became": became,
    "reign": reign,
    "pair": pair,
    "count_events": count_events,
    "count_years": count_years,
    "count_holders": count_holders,
    "count_works": count_works,
}
"""The relations by the name that templates give them."""
