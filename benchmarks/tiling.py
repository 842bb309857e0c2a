"""Repeat the rows of a declared table until there are enough, under keys of their own.

    python benchmarks/tiling.py benchmarks/patients.yaml --rows 300000 --out build/patients

The first copy is the table. In every other one, the first column of each key has the number of the copy behind it: Ada
Albani, Ada Albani 2. So a table of n copies has n times the rows, keys, open rows and broken keys of the first, and
`everwhen tdbench check` finds n times as many of each. Copies are whole: there may be some more rows than wanted.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import duckdb

from everwhen.families.tdbench.source.load import load_declaration

COPIES = """
COPY (
    SELECT * EXCLUDE (copy, place) REPLACE ({columns})
    FROM (SELECT *, row_number() OVER () AS place FROM read_csv('{table}', header = true, all_varchar = true)),
        range(1, {copies} + 1) AS copies(copy)
    ORDER BY copy, place
) TO '{out}' (HEADER)
"""


def tile_table(declared: Path, rows: int, out: Path) -> int:
    """Write a declaration and so many copies of its CSV file to a new folder that it has the rows wanted.

    Returns:
        The number of copies.
    """
    declaration = load_declaration(declared)
    table = declared.parent / str(declaration.source.file)
    keys = {tfd.given[0] for tfd in declaration.tfds}
    columns = ", ".join(f"\"{key}\" || if(copy = 1, '', ' ' || copy) AS \"{key}\"" for key in sorted(keys))
    with duckdb.connect() as db:
        (held,) = db.execute(
            "SELECT count(*) FROM read_csv($1, header = true, all_varchar = true)", [str(table)]
        ).fetchone()
        copies = -(-rows // held)
        out.mkdir(parents=True)
        db.execute(COPIES.format(columns=columns, table=table, copies=copies, out=out / table.name))
    shutil.copy(declared, out)
    return int(copies)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("declaration", type=Path, help="declaration of a CSV file (YAML)")
    parser.add_argument("--rows", type=int, required=True, help="rows wanted")
    parser.add_argument("--out", type=Path, required=True, help="folder to write to; must not exist")
    arguments = parser.parse_args()
    print(f"{tile_table(arguments.declaration, arguments.rows, arguments.out):,} copies")


if __name__ == "__main__":
    main()
