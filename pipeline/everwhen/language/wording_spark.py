"""Choice of wordings, and their pieces joined to sentences, in Spark columns (`everwhen.language.wording`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pyspark.sql import Column
from pyspark.sql import functions as F

from everwhen.language.wording import MARK, split_wording


def choose_wordings(hashes: Mapping[int, Column], count: int = 1) -> Column:
    """Choose wordings, array<tinyint>: those of the least hashes, the least first.

    Args:
        hashes: The hash of a row's key and the number of each wording, by number.
        count: How many are chosen.
    """
    numbered = [
        F.struct(value.alias("hash"), F.lit(number).cast("tinyint").alias("number")) for number, value in hashes.items()
    ]
    return F.slice(F.sort_array(F.array(*numbered)), 1, count)["number"]


def join_pieces(pieces: Column, fill: Callable[[Column], Column]) -> Column:
    """Join pieces, texts and names of slots in turn; a slot without a text becomes `MARK`.

    Texts are concatenated and never scanned for slots: a label may contain braces.

    Args:
        pieces: The pieces, array<string>, beginning with a text.
        fill: Returns the text of a slot by its name.
    """

    def write(piece: Column, position: Column) -> Column:
        return F.when(position % 2 == 0, piece).otherwise(F.coalesce(fill(piece), F.lit(MARK)))

    return F.array_join(F.transform(pieces, write), "")


def fill_wording(wording: str, **slots: Column) -> Column:
    """Fill the slots of one wording for all rows; null where the text of a slot is null."""
    pieces = enumerate(split_wording(wording))
    return F.concat(*(slots[piece] if place % 2 else F.lit(piece) for place, piece in pieces))


def capitalize(text: Column) -> Column:
    """Write the first letter as a capital."""
    return F.concat(F.upper(F.substring(text, 1, 1)), F.substr(text, F.lit(2)))
