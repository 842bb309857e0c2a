"""Tell every statement of a dump in prose, and read all sentences back by SQL.

    python benchmarks/prose.py DUMP.json.bz2 --folder build/prose [--month-first] [--share 20]

Prints how many statements have a sentence, why the others have none, the properties with 100 statements or more, and
what the check of `everwhen.language.prose_check` finds; any error makes the exit code 1. `--share 20` reads back one
sentence in twenty. The folder keeps the sentences (sentences.parquet) for reading.
"""

from __future__ import annotations

import argparse
import bz2
import re
import sys
import time
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from everwhen.catalog.load import load_units
from everwhen.core.config import Facts
from everwhen.language.prose import write_sentences
from everwhen.language.prose_check import PROSE_CHECK
from everwhen.wikidata.columns import SCHEMA, Batch
from everwhen.wikidata.entity import EntityReader

FACTS = Path(PROSE_CHECK).parents[2] / "validate" / "sql" / "facts.sql"

STATEMENTS = """
SELECT s.*, s.item AS subject, a.label AS subject_name, v.label AS value_name,
    (md5_number_lower(s.statement_id) >> 1)::BIGINT AS key, 0 AS nth
FROM rows s
LEFT JOIN rows a ON a.kind = 'entity' AND a.item = s.item
LEFT JOIN rows v ON v.kind = 'entity' AND v.item = s.value_item
WHERE s.kind = 'statement' ORDER BY s.statement_id
"""


def parse_dump(dump: Path, path: Path) -> None:
    """Parse the lines of a dump as a build does, to one file."""
    units = {unit.id: (unit.base, unit.factor) for unit in load_units().values()}
    reader = EntityReader(frozenset(Facts().skip_datatypes), units)
    with bz2.open(dump) as lines, pq.ParquetWriter(path, SCHEMA) as writer:
        for number, line in enumerate(lines, 1):
            reader.read(line, str(dump), f"line {number}", 0)
            if len(reader.batch) > 50_000:
                writer.write_table(pa.Table.from_batches(reader.batch.record_batches(), SCHEMA))
                reader.batch = Batch()
        writer.write_table(pa.Table.from_batches(reader.batch.record_batches(), SCHEMA))


def read_back(db: duckdb.DuckDBPyConnection, share: int) -> list[tuple[str, str]]:
    """Read the sentences back: the errors, each with its sentence."""
    db.execute(
        "CREATE TABLE prose_sentences AS SELECT statement_id AS id, statement_id, sentence, subject_name, value_name"
        " FROM statements WHERE sentence IS NOT NULL AND md5_number_lower(statement_id) % $1 = 0",
        [share],
    )
    for macro in re.findall(r"^CREATE MACRO (?:stated_date|day_text)\(.*?;\n", FACTS.read_text(), re.M | re.S):
        db.execute(macro)
    db.execute(PROSE_CHECK.read_text(encoding="utf-8"))
    return db.sql("SELECT error, sentence FROM prose_errors JOIN prose_sentences USING (id) ORDER BY 1, 2").fetchall()


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("dump", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("build/prose"))
    parser.add_argument("--month-first", action="store_true")
    parser.add_argument("--share", type=int, default=1)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    rows, sentences = arguments.folder / "rows.parquet", arguments.folder / "sentences.parquet"
    if not rows.exists():
        parse_dump(arguments.dump, rows)
    db = duckdb.connect()
    db.execute(f"CREATE VIEW rows AS FROM '{rows}'")
    statements = db.sql(STATEMENTS).to_arrow_table()
    started = time.process_time()
    written = write_sentences(statements, month_first=arguments.month_first)
    seconds = time.process_time() - started
    for name in written.column_names:
        column = pa.array(written[name].to_pylist()) if name == "kind" else written[name]
        statements = statements.drop_columns([name] if name in statements.column_names else []).append_column(
            name, column
        )
    pq.write_table(statements, sentences)
    print(f"{statements.num_rows:,} statements, {statements.num_rows / seconds:,.0f} a second of one core")
    db.execute(f"CREATE VIEW statements AS FROM '{sentences}'")
    for reason, count in db.sql("SELECT reason, count(*) FROM statements GROUP BY 1 ORDER BY 2 DESC").fetchall():
        print(f"{count:>9,} {reason or 'sentences'}")
    often = "SELECT property, count(sentence) AS sentences FROM statements GROUP BY 1 HAVING count(*) >= 100"
    ((number, covered),) = db.sql(f"SELECT count(*), count_if(sentences > 0) FROM ({often})").fetchall()
    print(f"{number} properties with 100 statements or more, {covered} of them with sentences")
    errors = read_back(db, arguments.share)
    ((read,),) = db.sql("SELECT count(*) FROM prose_sentences").fetchall()
    print(f"{len(errors)} errors in {read:,} sentences read back")
    for error, sentence in errors:
        print(f"  {error}: {sentence}")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
