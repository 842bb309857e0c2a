"""How a source is parsed into tables of facts, on a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pyspark.sql import DataFrame

from everwhen.core.build import Build
from everwhen.core.table import Table


@dataclass(frozen=True)
class Parsed:
    """What comes of a source.

    Attributes:
        rows: Rows of its table; of several tables those of the last.
        record_counts: The columns of `record_counts`: input equals kept plus rejected.
        rejects: The columns of `REJECTS`, for what is malformed.
        redirects: The columns of `REDIRECTS`; None where the source has none.
    """

    rows: DataFrame
    record_counts: DataFrame
    rejects: DataFrame
    redirects: DataFrame | None = None


@dataclass(frozen=True)
class Parser:
    """How a source is parsed.

    Attributes:
        parse: Reads its files, and writes all tables but the last, whose rows it returns. It raises InputError for a
            path without a file.
        tables: Its tables; they are empty where no file is named.
        is_required: Whether nothing can be built without its files.
    """

    parse: Callable[[Build], Parsed]
    tables: Sequence[Table]
    is_required: bool = False
