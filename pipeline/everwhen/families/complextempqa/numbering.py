"""The id of a question: a hash of what it asks, of no word that it asks with (docs/reference/stability.md).

An id is a chain of hashes (`everwhen.core.hashing`) over

    seed, template id, template version,
    property or -1, the number of hops, each hop,
    the polarity's text, or the empty one,
    the first and the last year of the period that the question names, or -1 and -1,
    the threshold's text as the row has it, without needless zeros, or the empty one,
    the number of subjects, and of each in slot order its item id and the key of its description, or 0,

of which the lowest 63 bits are the id.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.core.config import Config
from everwhen.core.hash_chains import Hashes, extend_hashes
from everwhen.core.hashing import MAX_ID

NONE = -1
"""The number of what there is not: a property, a year."""

NAMED = 0
"""The number of a subject's description where it is named."""

Numbers = npt.NDArray[np.int64] | np.int64
"""One number for all chains, or one each."""


def list_first_numbers(
    config: Config, version: Column, subjects: Column, years: Column | None = None, threshold: Column | None = None
) -> Column:
    """Return what is hashed before the subjects, an array of bigint.

    Reads the columns template_id, property and hops, and polarity.

    Args:
        config: Its seed.
        version: The template's version.
        subjects: How many subjects are asked about.
        years: Of a question that names a period, a struct of its first day and its last (start, end); null for none.
        threshold: What is counted has more than this, as text; null for none.
    """
    start, end = (F.lit(None) if years is None else F.year(years[bound]) for bound in ("start", "end"))
    hops = F.transform("hops", lambda property_: property_.cast("bigint"))
    return F.concat(
        F.array(
            F.xxhash64(F.lit(config.seed)),
            F.xxhash64("template_id"),
            version.cast("bigint"),
            F.coalesce(F.col("property").cast("bigint"), F.lit(NONE).cast("bigint")),
            F.size("hops").cast("bigint"),
        ),
        hops,
        F.array(
            F.xxhash64(F.coalesce("polarity", F.lit(""))),
            *(F.coalesce(year.cast("bigint"), F.lit(NONE).cast("bigint")) for year in (start, end)),
            F.xxhash64(F.lit("") if threshold is None else F.coalesce(threshold, F.lit(""))),
            subjects.cast("bigint"),
        ),
    )


def add_subjects(hashes: Hashes, entities: Sequence[Numbers], description_hashes: Sequence[Numbers]) -> Hashes:
    """Take each chain further by its subjects, in a worker.

    Args:
        hashes: What the chains have come to before the subjects.
        entities: The item ids of the first subjects, of the second ones, and so on.
        description_hashes: The hashes of the keys of their descriptions, or NAMED.
    """
    for entity, description in zip(entities, description_hashes, strict=True):
        hashes = extend_hashes(extend_hashes(hashes, entity), description)
    return hashes


def end_ids(hashes: Hashes) -> npt.NDArray[np.int64]:
    """Return the ids that finished chains give, in a worker."""
    ids: npt.NDArray[np.int64] = (hashes & np.uint64(MAX_ID)).astype(np.int64)
    return ids
