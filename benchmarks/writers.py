"""The same comparisons by everwhen, by numpy and by DuckDB: how many rows a second each makes.

    python benchmarks/writers.py --folder build/comparisons

All comparison templates of `configs/scale.yaml`; `benchmarks/comparisons.py` makes the world and measures everwhen. The
other two are given what everwhen binds, and which wording each row has; they join names, texts and columns and write
them, in two processes or two threads. They neither lint nor sort, and take no checksums. Each size runs in a process of
its own; the rate is that of the rows between the least and the most. Counts and sums of hashes must agree.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from comparisons import build_world, load_small_config, open_build
from pyspark.sql.pandas.types import to_arrow_schema

from everwhen.families.complextempqa.compare.contexts import locate_subjects
from everwhen.families.complextempqa.compare.quotas import divide_into_tasks
from everwhen.families.complextempqa.render.write import take_rows
from everwhen.families.complextempqa.stage import plan_questions, prepare_comparisons
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.families.complextempqa.template import COMPARED_SUBJECTS, SUBJECT_DESCRIPTIONS

GROUP = 1 << 16
DICTIONARIES = (
    *("type", "template_id", "template_version", "wording", "property", "topic", "split", "year", "rating"),
    *("is_unnamed", "polarity", "question_country_entity.list.element", "answer_country_entity.list.element"),
    *("hops.list.element", "answer.list.element", "descriptions.list.element.key", "threshold", "counted_over"),
    *("question_entity.list.element", "answer_entity.list.element", "head_entity"),
    *("timeframe.start", "timeframe.end"),
)
"""Those of commit 23d19ce, which do not follow what everwhen does today; and the columns that came later."""


def prepare(folder: Path, target: Path, rows: int) -> None:
    """Write the input of the others as parquet: bindings, subjects, descriptions, contexts and pieces of wordings."""
    with tempfile.TemporaryDirectory(dir=folder) as root:
        build = open_build(folder, load_small_config(folder, rows), Path(root))
        world, plan = plan_questions(build)
        binder, make = prepare_comparisons(world, plan.members, plan.quotas, plan.templates)
        forms = sorted({slot.form for t in make.templates for slot in t.slots.values() if slot.entity})
        texts = [make.subjects[form].combine_chunks().cast(pa.string()) for form in forms]
        texts.append(make.descriptions["description"].combine_chunks().cast(pa.string()))
        every = pa.concat_arrays(texts)
        pq.write_table(pa.table({"id": pa.array(range(len(every))), "text": every}), target / "texts.parquet")
        pq.write_table(make.subjects, target / "things.parquet")
        pq.write_table(make.descriptions, target / "told.parquet")
        contexts, words = [], []
        for number, frame in enumerate(make.contexts):
            template = make.templates[frame.template]
            contexts.append(
                {
                    "context": number,
                    "template_id": template.id,
                    "version": template.version,
                    "type": template.type.value,
                }
                | {"choice": template.choice, "unnamed": frame.unnamed, "split": frame.split}
                | {"polarity": frame.polarity, "property": frame.property, "hops": list(frame.hops)}
                | {"office": frame.office[0] if frame.office else None}
                | {"hard": frame.unnamed or bool(frame.hops) or bool(frame.office and not frame.office[1])}
            )
            for wording in template.questions:
                pieces, order = template.split_wording(wording)
                between, who = [""], []
                for slot, piece in zip(order, pieces, strict=False):
                    between[-1] += piece + (frame.texts[slot] or "")
                    if frame.texts[slot] is None:
                        between.append("")
                        who.append((locate_subjects(template)[slot], list(template.slots.values())[slot].form))
                between[-1] += pieces[-1]
                words.append((number, wording, between, who))
        pq.write_table(pa.Table.from_pylist(contexts), target / "frames.parquet")
        named = {"context": [w[0] for w in words], "wording": [w[1] for w in words]}
        named |= {f"p{n}": [w[2][n] if n < len(w[2]) else None for w in words] for n in range(4)}
        pq.write_table(pa.table(named), target / "words.parquet")
        place = {(frame, wording): n for n, (frame, wording, *_) in enumerate(words)}
        for size in (2, 3):
            for number, task in enumerate(divide_into_tasks(plan.quotas, plan.members.blocks, 4_000_000, size=size)):
                bound = binder.bind(task)
                if not bound:
                    continue
                bound = take_rows(bound, np.flatnonzero(bound["reveals_order"] == 0))
                bound["wording"] = make.choose_wordings(bound)
                rows_ = len(bound["context"])
                word = np.array(
                    [place[f, w] for f, w in zip(bound["context"].tolist(), bound["wording"].tolist(), strict=True)]
                )
                none = np.full(rows_, -1, dtype=np.int32)
                columns = {name: bound.get(name, none) for name in (*COMPARED_SUBJECTS, *SUBJECT_DESCRIPTIONS.values())}
                for n in range(size):
                    mentioned = [w[3][n] if n < len(w[3]) else (0, forms[0]) for w in words]
                    side = np.array([side for side, _ in mentioned])[word]
                    form = np.array([forms.index(form) for _, form in mentioned])[word]
                    at = np.choose(side, [columns[s] for s in COMPARED_SUBJECTS[:size]])
                    told = np.choose(side, [columns[SUBJECT_DESCRIPTIONS[s]] for s in COMPARED_SUBJECTS[:size]])
                    named_at = form * len(make.subjects) + at
                    columns[f"at{n}"] = np.where(told >= 0, len(forms) * len(make.subjects) + told, named_at)
                fields = {"question_id": bound["question_id"], "context": bound["context"], "wording": bound["wording"]}
                table = pa.table(fields | {"answer": bound["answer"]} | columns)
                pq.write_table(table, target / f"bound-{size}-{number:03d}.parquet")
        pq.write_table(to_arrow_schema(QUESTIONS.schema).empty_table(), target / "schema.parquet")
        build.spark.stop()


def write_by_duckdb(given: Path, out: Path) -> None:
    """Join and write by DuckDB."""
    connection = duckdb.connect()
    connection.execute("SET threads = 2; SET memory_limit = '4GB'; SET preserve_insertion_order = false")
    for name in ("texts", "things", "told", "frames", "words"):
        connection.execute(f"CREATE TABLE {name} AS SELECT * FROM '{given}/{name}.parquet'")
    out.mkdir()
    for size in (2, 3):
        if not list(given.glob(f"bound-{size}-*.parquet")):
            continue
        at = COMPARED_SUBJECTS[:size]
        text = " || ".join(["w.p0", *(f"t{n}.text || w.p{n + 1}" for n in range(size))])
        joins = "\n".join(
            [f"JOIN texts t{n} ON t{n}.id = g.at{n}" for n in range(size)]
            + [f"JOIN things {s} ON {s}.number = g.{s}" for s in at]
            + [f"LEFT JOIN told told_{s} ON told_{s}.number = g.{SUBJECT_DESCRIPTIONS[s]}" for s in at]
        )
        every = ", ".join(f"{s}.entity" for s in at)
        picked = {
            name: f"CASE g.answer {' '.join(f'WHEN {n} THEN {s}.{name}' for n, s in enumerate(at))} END"
            for name in ("entity", "label", "countries")
        }
        countries = " || ".join(f"{s}.countries" for s in at)
        starts, ends = (", ".join(f"{s}.{day}_day" for s in at) for day in ("first", "last"))
        missing = {day: " OR ".join(f"{s}.{day}_day IS NULL" for s in at) for day in ("first", "last")}
        described = " || ".join(
            f"CASE WHEN g.{SUBJECT_DESCRIPTIONS[s]} >= 0 "
            f"THEN [{{'entity': told_{s}.entity, 'key': told_{s}.key}}] ELSE [] END"
            for s in at
        )
        connection.execute(f"""
            COPY (
                WITH made AS (
                    SELECT g.*, f.*, {text} AS said, [{every}] AS subjects, {picked["entity"]} AS chosen,
                        {picked["label"]} AS label, {picked["countries"]} AS chosen_countries,
                        list_sort(list_distinct({countries})) AS countries, {described} AS described,
                        CASE WHEN NOT ({missing["first"]}) THEN least({starts}) END AS start,
                        CASE WHEN NOT ({missing["last"]}) THEN greatest({ends}) END AS "end",
                        {" AND ".join(f"{s}.popular" for s in at)} AS popular,
                        first_subject.topic AS topic, first_subject.entity AS head
                    FROM '{given}/bound-{size}-*.parquet' g JOIN frames f USING (context)
                    JOIN words w ON w.context = g.context AND w.wording = g.wording
                    {joins}
                )
                SELECT question_id, upper(said[1]) || said[2:] AS question,
                    [CASE WHEN choice THEN label WHEN answer = 1 THEN 'yes' ELSE 'no' END] AS answer, type,
                    CASE WHEN office IS NULL THEN subjects ELSE list_append(subjects, office) END AS question_entity,
                    CASE WHEN choice THEN [chosen] ELSE [] END AS answer_entity, countries AS question_country_entity,
                    CASE WHEN choice THEN chosen_countries ELSE [] END AS answer_country_entity, hops,
                    described AS descriptions, (hard OR NOT popular)::TINYINT AS rating, unnamed AS is_unnamed,
                    {{'start': start, 'end': "end"}} AS timeframe, template_id, version AS template_version,
                    wording::INT AS wording, polarity, property, NULL::DECIMAL(38, 9) AS threshold,
                    NULL::VARCHAR AS counted_over, topic, split, year(start)::INT AS year, head AS head_entity
                FROM made
            ) TO '{out}/{size}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 3, ROW_GROUP_SIZE {GROUP},
                PER_THREAD_OUTPUT true)
        """)


class Given:
    """What a process of numpy holds."""

    def __init__(self, given: Path) -> None:
        """Read it."""
        self.texts = pq.read_table(given / "texts.parquet")["text"].combine_chunks()
        self.things = {
            name: pq.read_table(given / "things.parquet")[name].combine_chunks()
            for name in ("entity", "label", "countries", "earliest_start", "latest_end", "popular", "topic")
        }
        told = pq.read_table(given / "told.parquet")
        self.told = pa.StructArray.from_arrays(
            [told["entity"].combine_chunks(), told["key"].combine_chunks()], ["entity", "key"]
        )
        self.contexts = pq.read_table(given / "frames.parquet")
        self.words = pq.read_table(given / "words.parquet")
        sets = [tuple(sorted(each)) for each in self.things["countries"].to_pylist()]
        self.sets = sorted(set(sets))
        number = {each: n for n, each in enumerate(self.sets)}
        self.set_of = np.array([number[each] for each in sets])
        self.both: dict[int, tuple[int, ...]] = {}


def render_columns(given: Given, part: pa.Table, schema: pa.Schema) -> pa.Table:
    """The rows of some bindings."""
    side = [name for name in COMPARED_SUBJECTS if pc.max(part[name]).as_py() >= 0]
    at = [part[name].to_numpy() for name in side]
    frame = part["context"].combine_chunks()
    said = {name: given.contexts[name].combine_chunks().take(frame) for name in given.contexts.column_names}
    n = len(part)
    # Texts: rows of one frame and wording have the same pieces.
    word = frame.to_numpy().astype(np.int64) * 16 + part["wording"].to_numpy()
    known = given.words["context"].to_numpy().astype(np.int64) * 16 + given.words["wording"].to_numpy()
    order = np.argsort(known)
    place = pa.array(order[np.searchsorted(known, word, sorter=order)])
    pieces = [given.words[f"p{k}"].combine_chunks().take(place) for k in range(len(side) + 1)]
    parts: list[Any] = [pieces[0]]
    for k in range(len(side)):
        parts += [given.texts.take(part[f"at{k}"].combine_chunks()), pieces[k + 1]]
    text = pc.binary_join_element_wise(*parts, "")
    text = pc.binary_join_element_wise(
        pc.utf8_upper(pc.utf8_slice_codeunits(text, 0, 1)), pc.utf8_slice_codeunits(text, 1), ""
    )
    choice = said["choice"].to_numpy(zero_copy_only=False)
    answer = part["answer"].to_numpy()
    chosen = np.choose(np.where(choice, answer, 0), at)
    yes = pa.array(["no", "yes"]).take(pa.array(np.where(choice, 0, answer)))
    answers = pc.if_else(said["choice"], given.things["label"].take(pa.array(chosen)).cast(pa.string()), yes)
    entity = given.things["entity"].to_numpy()
    ones = pa.array(np.arange(n + 1, dtype=np.int32))
    some = pa.array(np.concatenate(([0], np.cumsum(choice))).astype(np.int32))
    office = said["office"].fill_null(0).to_numpy()
    every = np.stack([entity[one] for one in at] + [office], axis=1)
    there = np.ones(every.shape, dtype=bool)
    there[:, -1] = office > 0
    asked = pa.ListArray.from_arrays(
        pa.array(np.concatenate(([0], np.cumsum(there.sum(axis=1)))).astype(np.int32)), pa.array(every[there])
    )
    sets = np.stack([given.set_of[one] for one in at])
    key = np.zeros(n, dtype=np.int64)
    for row in np.sort(sets, axis=0):
        key = key * len(given.sets) + row
    unique, where = np.unique(key, return_inverse=True)
    for one in unique.tolist():
        if one not in given.both:
            ids, rest = [], one
            for _ in side:
                rest, last = divmod(rest, len(given.sets))
                ids.append(last)
            given.both[one] = tuple(sorted({country for n in ids for country in given.sets[n]}))
    countries = pa.array([given.both[one] for one in unique.tolist()], pa.list_(pa.int64())).take(pa.array(where))
    own = pa.array([(), *given.sets], pa.list_(pa.int64())).take(
        pa.array(np.where(choice, given.set_of[chosen] + 1, 0))
    )
    days = {}
    for day, outer in (("earliest_start", pc.min_element_wise), ("latest_end", pc.max_element_wise)):
        days[day] = outer(*(given.things[day].take(pa.array(one)) for one in at), skip_nulls=False)
    popular = np.logical_and.reduce([given.things["popular"].to_numpy(zero_copy_only=False)[one] for one in at])
    told = np.stack([part[SUBJECT_DESCRIPTIONS[name]].to_numpy() for name in side], axis=1)
    offsets = np.concatenate(([0], np.cumsum((told >= 0).sum(axis=1)))).astype(np.int32)
    hard = said["hard"].to_numpy(zero_copy_only=False)
    columns = {
        "question_id": part["question_id"],
        "question": text,
        "answer": pa.ListArray.from_arrays(ones, answers),
        "type": said["type"],
        "question_entity": asked,
        "answer_entity": pa.ListArray.from_arrays(some, pa.array(entity[chosen[choice]])),
        "question_country_entity": countries,
        "answer_country_entity": own,
        "hops": said["hops"],
        "descriptions": pa.ListArray.from_arrays(pa.array(offsets), given.told.take(pa.array(told[told >= 0]))),
        "rating": pa.array((hard | ~popular).astype(np.int8)),
        "is_unnamed": said["unnamed"],
        "timeframe": pa.StructArray.from_arrays([days["earliest_start"], days["latest_end"]], ["start", "end"]),
        "template_id": said["template_id"],
        "template_version": said["version"],
        "wording": part["wording"],
        "polarity": said["polarity"],
        "property": said["property"],
        "threshold": pa.nulls(n, pa.decimal128(38, 9)),
        "counted_over": pa.nulls(n, pa.string()),
        "topic": given.things["topic"].take(pa.array(at[0])),
        "split": said["split"],
        "year": pc.year(days["earliest_start"]),
        "head_entity": pa.array(entity[at[0]]),
    }
    return pa.table([columns[name] for name in schema.names], names=schema.names).cast(schema)


@cache
def read_given(folder: Path) -> Given:
    """Read what a process of numpy holds, once."""
    return Given(folder)


def _write_file(work: tuple[str, str]) -> None:
    """One file of one process of numpy."""
    path, out = Path(work[0]), Path(work[1])
    given = read_given(path.parent)
    schema = pq.read_schema(path.parent / "schema.parquet")
    table = pq.read_table(path)
    settings: dict[str, Any] = {"compression": "zstd", "compression_level": 3, "use_dictionary": list(DICTIONARIES)}
    with pq.ParquetWriter(out / path.name, schema, store_schema=False, **settings) as writer:
        for start in range(0, len(table), GROUP):
            writer.write_table(
                render_columns(given, table.slice(start, GROUP).combine_chunks(), schema), row_group_size=GROUP
            )


def write_by_numpy(given: Path, out: Path) -> None:
    """Make and write the rows in two processes."""
    out.mkdir()
    files = sorted(given.glob("bound-*.parquet"))
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(_write_file, [(str(path), str(out)) for path in files]))


WAYS = {"duckdb": write_by_duckdb, "numpy": write_by_numpy}


def sum_columns(out: Path) -> tuple[int, ...]:
    """Rows, and sums of hashes over the columns."""
    columns = ", ".join(f"sum(hash({c.name}) % 1000000007)" for c in QUESTIONS.columns)
    row = duckdb.sql(f"SELECT count(*), {columns} FROM read_parquet('{out}/**/*.parquet')").fetchall()[0]
    return tuple(int(value) for value in row)


def main(folder: Path, scale: float, sizes: list[int], way: str | None, given: Path | None, out: Path | None) -> None:
    """Measure every size; print a table and one line of JSON."""
    if way and given and out:
        began = time.perf_counter()
        WAYS[way](given, out)
        print(json.dumps({"seconds": round(time.perf_counter() - began, 1)}))
        return
    folder = folder.resolve()
    build_world(folder, scale)
    seconds: dict[str, list[float]] = {name: [] for name in WAYS}
    rows = []
    for size in sizes:
        with tempfile.TemporaryDirectory(dir=folder) as root:
            inputs = Path(root) / "given"
            inputs.mkdir()
            ready = multiprocessing.get_context("spawn").Process(target=prepare, args=(folder, inputs, size))
            ready.start()
            ready.join()
            if ready.exitcode:
                sys.exit(ready.exitcode)
            found = set()
            for name in WAYS:
                target = Path(root) / name
                again = [sys.executable, __file__, "--way", name, "--given", str(inputs), "--out", str(target)]
                done = subprocess.run(again, stdout=subprocess.PIPE, text=True, check=True)
                seconds[name].append(json.loads(done.stdout.splitlines()[-1])["seconds"])
                found.add(sum_columns(target))
                shutil.rmtree(target)
            assert len(found) == 1, "the ways make different rows"
            rows.append(found.pop()[0])
            print({"rows": rows[-1]} | {name: took[-1] for name, took in seconds.items()}, file=sys.stderr, flush=True)
    said: dict[str, Any] = {"rows": rows}
    for name, took in seconds.items():
        more, longer = (rows[-1] - rows[0], took[-1] - took[0]) if len(rows) > 1 else (rows[0], took[0])
        rate = more / longer if more > 0 and longer > 0 else None
        said[name] = {"seconds": took, "rows_per_s": rate and round(rate)}
        print(f"{name}: {f'{rate:,.0f} rows/s' if rate else 'too few rows for a rate'}")
    print(json.dumps(said))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How fast others make the same comparisons.")
    parser.add_argument("--folder", type=Path, default=Path("build/comparisons"), help="where the world is, or is made")
    parser.add_argument("--scale", type=float, default=1.0, help="size of the world; 1 is the paper's (default 1)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000_000, 40_000_000], help="rows of each run")
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--given", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    main(**vars(parser.parse_args()))
