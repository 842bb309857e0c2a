"""What the columns of a table weigh."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq


def measure_columns(folder: Path) -> dict[str, int]:
    """Bytes of each column in the parquet files of a folder, as they are compressed, the largest first.

    Args:
        folder: On a local disk; what their footers say is read and no more.
    """
    sizes: Counter[str] = Counter()
    for path in sorted(folder.glob("*.parquet")):
        footer = pq.read_metadata(path)
        for group in map(footer.row_group, range(footer.num_row_groups)):
            for column in map(group.column, range(footer.num_columns)):
                sizes[column.path_in_schema.partition(".")[0]] += column.total_compressed_size
    return dict(sizes.most_common())
