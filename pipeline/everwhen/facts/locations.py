"""Where a row was read: the file as its user knows it."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F


def to_file_name(uri: Column) -> Column:
    """A local file's path without scheme and percent signs; the address of any other file unchanged."""
    decoded = F.try_url_decode(F.regexp_replace(uri, r"\+", "%2B"))
    return F.when(uri.startswith("file:"), F.concat(F.lit("/"), F.regexp_replace(decoded, "^file:/*", ""))).otherwise(
        uri
    )


def split_location() -> Column:
    """Locate a line in its file as Spark's text source does: by the byte at which the line's split begins."""
    return F.concat(F.lit("split at byte "), F.col("_metadata.file_block_start").cast("string"))
