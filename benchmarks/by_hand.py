"""The rows of `benchmarks/questions.py` made without the pipeline: by numpy and pyarrow, by DuckDB, and one by one.

Each way begins with the same table of films and the same plan, binds the same pairs, and writes all columns of the
table `questions`. None of them lints or sorts, and what a template says is laid out for them already.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from everwhen.families.complextempqa.arrays import Unions, one_each, where
from everwhen.families.complextempqa.write import DICTIONARIES, ROWS_A_GROUP, TEXTS

Words = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.integer]

WORD = (1 << 64) - 1
P1, P2, P3, P4, P5 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
"""The primes of xxHash64, which is what Spark's choices and ids are made by."""

SEED = 42
"""Where Spark begins."""


@dataclass(frozen=True)
class Said:
    """What one template says of the pairs that are drawn for it.

    Attributes:
        template: Its id.
        drawn: How many steps all seats take together, some of them beyond the last film.
        choice: Whether the answer is one of the two.
        form: The column of the films' names.
        salts: What salts the ids, by coin.
        pieces: By wording, and in it by coin, what stands before, between and after the names.
    """

    template: str
    drawn: int
    choice: bool
    form: str
    salts: list[int]
    pieces: list[list[list[str]]]


@dataclass(frozen=True)
class Plan:
    """What is to be made.

    Attributes:
        seats: How many films there are.
        property: The property that is compared.
        coin_salt: What salts the tosses.
        rows_per_file: Pairs of a file.
        said: The templates.
    """

    seats: int
    property: int
    coin_salt: int
    rows_per_file: int
    said: list[Said]

    @staticmethod
    def read(path: Path) -> Plan:
        """The plan of a run."""
        told = json.loads(path.read_text())
        return Plan(**(told | {"said": [Said(**each) for each in told["said"]]}))


# xxHash64 of one 64-bit value: a round over the state and the value's own part, then the end.
def own_part(value: int) -> int:
    """What a value brings into a round."""
    value = value * P2 & WORD
    return ((value << 31 | value >> 33) & WORD) * P1 & WORD


def hashed(state: int, value: int) -> int:
    """The hash of a value with a state, which is what the next value's begins with."""
    state = (state + P5 + 8 & WORD) ^ own_part(value)
    state = ((state << 27 | state >> 37) & WORD) * P1 + P4 & WORD
    state = (state ^ state >> 33) * P2 & WORD
    state = (state ^ state >> 29) * P3 & WORD
    return state ^ state >> 32


def all_hashed(state: Words | np.uint64, part: Words | np.uint64) -> Words:
    """The same for many, of their parts."""
    state = (state + np.uint64(P5 + 8)) ^ part
    state = (state << np.uint64(27) | state >> np.uint64(37)) * np.uint64(P1) + np.uint64(P4)
    state = (state ^ state >> np.uint64(33)) * np.uint64(P2)
    state = (state ^ state >> np.uint64(29)) * np.uint64(P3)
    return state ^ state >> np.uint64(32)


def seat_ranges(plan: Plan, said: Said, rows: int) -> Iterator[tuple[int, int]]:
    """Ranges of seats that bring about so many pairs."""
    each = max(1, rows * plan.seats // said.drawn)
    for start in range(0, plan.seats, each):
        yield start, min(plan.seats, start + each)


class Films:
    """The films as arrays by place in the order of their values, and what is made of them once."""

    def __init__(self, path: Path) -> None:
        """Read them."""
        self.table = pq.read_table(path)
        column = {name: self.table[name].combine_chunks() for name in self.table.column_names}
        at = np.argsort(column["place"].to_numpy())
        self.entity = column["entity"].to_numpy()[at]
        self.gap = column["gap"].to_numpy()[at]
        self.part = np.array([own_part(n) for n in self.entity.tolist()], dtype=np.uint64)
        self.popular = column["popular"].to_numpy(zero_copy_only=False)[at]
        self.first, self.last = (column[name].cast(pa.int32()).to_numpy()[at] for name in ("first_day", "last_day"))
        self.year = self.first.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int32) + 1970
        self.names = {form: column[form].take(pa.array(at)) for form in ("name", "long_name", "label")}
        self.answers = pa.concat_arrays([pa.array(["no", "yes"]), self.names["label"]])
        self.countries = Unions(column["countries"].take(pa.array(at)).to_pylist())
        self.topic = column["topic"][0].as_py()


def bound(films: Films, plan: Plan, said: Said, start: int, end: int) -> dict[str, npt.NDArray[Any]]:
    """The pairs of some seats: places in the order of the question, coin and id."""
    steps, rest = divmod(said.drawn, plan.seats)
    seats = np.arange(start, end)
    gap = films.gap[seats]
    most = np.maximum(0, np.minimum(steps + (seats < rest), plan.seats - seats - gap))
    x = np.repeat(seats, most)
    step = np.arange(len(x)) - np.repeat(np.cumsum(most) - most, most) + 1
    y = x + films.gap[x] + step - 1
    with np.errstate(over="ignore"):
        salted = np.uint64(hashed(SEED, plan.coin_salt))
        toss = all_hashed(all_hashed(salted, films.part[x]), films.part[y])
        swap, coin = (toss & np.uint64(1)).astype(bool), (toss >> np.uint64(1) & np.uint64(1)).astype(np.int8)
        a, b = np.where(swap, y, x), np.where(swap, x, y)
        none = np.uint64(own_part(0))
        salts = np.array([hashed(SEED, salt) for salt in said.salts], dtype=np.uint64)
        state = all_hashed(all_hashed(salts[coin], films.part[a]), none)
        ids = all_hashed(all_hashed(state, films.part[b]), none) & np.uint64(WORD >> 1)
    return {"a": a, "b": b, "coin": coin, "id": ids.astype(np.int64)}


def texts(films: Films, said: Said, a: Ints, b: Ints, kind: Ints) -> pa.Array:
    """The questions of pairs that lie together by wording and coin."""
    names, made = films.names[said.form], []
    for each in range(2 * len(said.pieces)):
        start, end = np.searchsorted(kind, (each, each + 1))
        before, between, after = said.pieces[each // 2][each % 2]
        one, two = names.take(pa.array(a[start:end])), names.take(pa.array(b[start:end]))
        made.append(pc.binary_join_element_wise(before, one, between, two, after, ""))
    return pa.chunked_array(made, pa.string()).combine_chunks()


def same(value: str, rows: int) -> pa.DictionaryArray:
    """One text in each row."""
    return pa.DictionaryArray.from_arrays(np.zeros(rows, dtype=np.int32), pa.array([value]))


def columns(films: Films, plan: Plan, said: Said, pairs: dict[str, npt.NDArray[Any]]) -> dict[str, pa.Array]:
    """All columns of some pairs of one template."""
    kind = (pairs["id"] % len(said.pieces) * 2 + pairs["coin"]).astype(np.int8)
    order = np.argsort(kind, kind="stable")
    a, b, coin, ids = (pairs[name][order] for name in ("a", "b", "coin", "id"))
    kind, rows = kind[order], len(order)
    earlier = films.last[a] < films.first[b]
    chosen = np.where(earlier, a, b)
    answer = chosen + 2 if said.choice else (earlier == (coin == 0)).astype(np.int64)
    choice = np.full(rows, said.choice)
    start, end = np.minimum(films.first[a], films.first[b]), np.maximum(films.last[a], films.last[b])
    days = [pa.array(day.astype("datetime64[D]"), pa.date32()) for day in (start, end)]
    none = np.zeros(rows + 1, dtype=np.int32)
    described = pa.array([], pa.struct([("entity", pa.int64()), ("key", pa.string())]))
    return {
        "question_id": pa.array(ids),
        "question": texts(films, said, a, b, kind),
        "answer": one_each(films.answers.take(pa.array(answer)), 1),
        "type": same("2bc", rows),
        "question_entity": one_each(pa.array(np.stack([films.entity[a], films.entity[b]], axis=1).ravel()), 2),
        "answer_entity": where(choice, pa.array(films.entity[chosen] if said.choice else films.entity[:0])),
        "question_country_entity": films.countries.lists(films.countries.together([a, b])),
        "answer_country_entity": films.countries.lists(
            films.countries.of[chosen] if said.choice else np.full(rows, films.countries.none)
        ),
        "hops": pa.ListArray.from_arrays(none, pa.array([], pa.int32())),
        "descriptions": pa.ListArray.from_arrays(none, described),
        "rating": pa.array((~(films.popular[a] & films.popular[b])).astype(np.int8)),
        "is_unnamed": pa.array(np.zeros(rows, dtype=bool)),
        "timeframe": pa.StructArray.from_arrays(days, ["start", "end"]),
        "template_id": same(said.template, rows),
        "template_version": pa.array(np.ones(rows, dtype=np.int32)),
        "wording": pa.array((kind // 2).astype(np.int32)),
        "property": pa.array(np.full(rows, plan.property, dtype=np.int32)),
        "threshold": pa.nulls(rows, pa.decimal128(38, 9)),
        "counted_over": pa.nulls(rows, pa.string()),
        "topic": same(films.topic, rows),
        "split": same("train", rows),
        "year": pa.array(np.minimum(films.year[a], films.year[b])),
        "head_entity": pa.array(films.entity[a]),
    }


_FILMS: Films
_PLAN: Plan


def _begin(folder: Path) -> None:
    """Read films and plan in a process of the pool."""
    global _FILMS, _PLAN
    _FILMS, _PLAN = Films(folder / "films.parquet"), Plan.read(folder / "plan.json")


def _file(target: Path, schema: pa.Schema, number: int, start: int, end: int) -> float:
    """Write the pairs of some seats of one template as one file; the seconds that binding took."""
    said, binding = _PLAN.said[number], 0.0
    texts = pa.dictionary(pa.int32(), pa.string())
    held = pa.schema([f.with_type(texts) if f.name in TEXTS else f for f in schema])
    writer = pq.ParquetWriter(
        target / f"{number}-{start:06d}.parquet",
        held,
        compression="zstd",
        compression_level=3,
        use_dictionary=list(DICTIONARIES),
        store_schema=False,
    )
    group = max(1, ROWS_A_GROUP * _PLAN.seats // said.drawn)
    with writer:
        for at in range(start, end, group):
            began = time.perf_counter()
            pairs = bound(_FILMS, _PLAN, said, at, min(end, at + group))
            binding += time.perf_counter() - began
            made = columns(_FILMS, _PLAN, said, pairs)
            writer.write_table(pa.table([made[name] for name in schema.names], schema=held), ROWS_A_GROUP)
    return binding


def _ready(number: int) -> int:
    time.sleep(0.5)  # so that each process of the pool takes one
    return os.getpid()


def by_numpy(folder: Path, target: Path, schema: pa.Schema, cores: int) -> Callable[[], dict[str, float]]:
    """Two processes, each a file at a time."""
    plan = Plan.read(folder / "plan.json")
    pool = ProcessPoolExecutor(cores, multiprocessing.get_context("spawn"), _begin, (folder,))
    assert len(set(pool.map(_ready, range(cores)))) == cores

    def run() -> dict[str, float]:
        work = [
            pool.submit(_file, target, schema, number, start, end)
            for number, said in enumerate(plan.said)
            for start, end in seat_ranges(plan, said, plan.rows_per_file)
        ]
        return {"binding_s": sum(each.result() for each in work) / cores}

    return run


def hashed_in_sql(rows: str, state: str, part: str, name: str) -> str:
    """The same in SQL: rows with their hash as one more column.

    DuckDB's integers do not wrap around, so that products take 128 bits. Each step is a column of its own: a macro
    would have what it is given computed as often as it names it.
    """
    steps = [
        f"xor((({state})::UHUGEINT + {P5 + 8} & {WORD}::UHUGEINT)::UBIGINT, {part})",
        f"((h & {(1 << 37) - 1}) << 27) | (h >> 37)",
        f"(h::UHUGEINT * {P1} + {P4} & {WORD}::UHUGEINT)::UBIGINT",
        f"(xor(h, h >> 33)::UHUGEINT * {P2} & {WORD}::UHUGEINT)::UBIGINT",
        f"(xor(h, h >> 29)::UHUGEINT * {P3} & {WORD}::UHUGEINT)::UBIGINT",
    ]
    rows = f"SELECT *, {steps[0]} AS h FROM ({rows})"
    for step in steps[1:]:
        rows = f"SELECT * REPLACE ({step} AS h) FROM ({rows})"
    return f"SELECT * EXCLUDE (h), xor(h, h >> 32) AS {name} FROM ({rows})"


ROWS = """
    SELECT p.id AS question_id,
      concat(w.before, a.name, w.between, b.name, w.after) AS question,
      [CASE WHEN NOT p.choice THEN CASE WHEN (a.last_day < b.first_day) = (p.coin = 0) THEN 'yes' ELSE 'no' END
            WHEN a.last_day < b.first_day THEN a.label ELSE b.label END] AS answer,
      '2bc' AS type,
      [a.entity, b.entity] AS question_entity,
      CASE WHEN p.choice THEN [CASE WHEN a.last_day < b.first_day THEN a.entity ELSE b.entity END]
           ELSE []::BIGINT[] END AS answer_entity,
      u.countries AS question_country_entity,
      CASE WHEN NOT p.choice THEN []::BIGINT[] WHEN a.last_day < b.first_day THEN a.countries ELSE b.countries END
        AS answer_country_entity,
      []::INTEGER[] AS hops, []::STRUCT(entity BIGINT, "key" VARCHAR)[] AS descriptions,
      (CASE WHEN a.popular AND b.popular THEN 0 ELSE 1 END)::TINYINT AS rating, false AS is_unnamed,
      {'start': least(a.first_day, b.first_day), 'end': greatest(a.last_day, b.last_day)} AS timeframe,
      p.template AS template_id, 1 AS template_version, w.wording, p.property, NULL::DECIMAL(38, 9) AS threshold,
      NULL::VARCHAR AS counted_over,
      a.topic, 'train' AS split, year(least(a.first_day, b.first_day))::INTEGER AS year, a.entity AS head_entity
    FROM pairs p JOIN films a ON a.place = p.a JOIN films b ON b.place = p.b
    JOIN wordings w ON w.template = p.template AND w.wording = (p.id % p.wordings)::INTEGER AND w.coin = p.coin
    JOIN unions u ON u.one = a.countries_at AND u.two = b.countries_at"""
"""All columns of `questions`. A join with the unions of countries costs less than making one in each row."""


def by_duckdb(folder: Path, target: Path, schema: pa.Schema, cores: int) -> Callable[[], dict[str, float]]:
    """SQL on two threads: a table of pairs from range(), joins to the films, COPY."""
    plan = Plan.read(folder / "plan.json")
    base = duckdb.connect(config={"threads": cores, "preserve_insertion_order": False})
    films = pq.read_table(folder / "films.parquet")
    parts = pa.array([own_part(n) for n in films["entity"].to_pylist()], pa.uint64())
    films = films.append_column("part", parts)
    base.register("read", films)
    base.execute(
        "CREATE TABLE films AS SELECT *, (dense_rank() OVER (ORDER BY countries))::INTEGER AS countries_at FROM read"
    )
    base.execute(
        """CREATE TABLE unions AS WITH sets AS (SELECT DISTINCT countries, countries_at FROM films)
        SELECT x.countries_at AS one, y.countries_at AS two,
          list_sort(list_distinct(list_concat(x.countries, y.countries))) AS countries FROM sets x, sets y"""
    )
    wordings = [
        {"template": s.template, "wording": w, "coin": coin, "before": before, "between": between, "after": after}
        for s in plan.said
        for w, coins in enumerate(s.pieces)
        for coin, (before, between, after) in enumerate(coins)
    ]
    base.register("told", pa.Table.from_pylist(wordings))
    base.execute(
        "CREATE TABLE wordings AS SELECT * REPLACE (wording::INTEGER AS wording, coin::TINYINT AS coin) FROM told"
    )

    def pairs(said: Said) -> str:
        """The pairs of one template."""
        steps, rest = divmod(said.drawn, plan.seats)
        first, second = (hashed(SEED, salt) for salt in said.salts)
        none = f"{own_part(0)}::UBIGINT"
        rows = f"""
            SELECT x, step FROM (SELECT (i // {steps + 1})::INTEGER AS x, (i % {steps + 1} + 1)::INTEGER AS step
              FROM numbers{plan.said.index(said)})
            WHERE step <= {steps} + (x < {rest})::INTEGER"""
        rows = f"""
            SELECT x, g.place AS y, f.part AS px, g.part AS py
            FROM ({rows}) JOIN films f ON f.place = x JOIN films g ON g.place = x + f.gap + step - 1"""
        rows = hashed_in_sql(rows, f"{hashed(SEED, plan.coin_salt)}::UBIGINT", "px", "toss")
        rows = hashed_in_sql(rows, "toss", "py", "tossed")
        rows = f"""
            SELECT CASE WHEN swap THEN y ELSE x END AS a, CASE WHEN swap THEN x ELSE y END AS b, coin,
              CASE WHEN swap THEN py ELSE px END AS pa, CASE WHEN swap THEN px ELSE py END AS pb,
              CASE WHEN coin = 0 THEN {first}::UBIGINT ELSE {second}::UBIGINT END AS h0
            FROM (SELECT *, tossed & 1 = 1 AS swap, ((tossed >> 1) & 1)::TINYINT AS coin FROM ({rows}))"""
        for number, part in enumerate(("pa", none, "pb", none)):
            rows = hashed_in_sql(rows, f"h{number}", part, f"h{number + 1}")
        return f"""
            SELECT '{said.template}' AS template, {said.choice} AS choice, {plan.property} AS property,
              {len(said.pieces)} AS wordings, coin, a, b, (h4 & {WORD >> 1})::BIGINT AS id FROM ({rows})"""

    def run() -> dict[str, float]:
        # range() itself runs on one core; what reads a table of its numbers runs on both.
        began = time.perf_counter()
        for number, said in enumerate(plan.said):
            most = plan.seats * (said.drawn // plan.seats + 1)
            base.execute(f"CREATE TABLE numbers{number} AS SELECT range AS i FROM range({most})")
        base.execute(f"CREATE TABLE pairs AS {' UNION ALL '.join(map(pairs, plan.said))}")
        binding = time.perf_counter() - began
        base.execute(
            f"COPY ({ROWS}) TO '{target}' (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 3,"
            f" ROW_GROUP_SIZE {ROWS_A_GROUP}, PER_THREAD_OUTPUT true, OVERWRITE_OR_IGNORE true)"
        )
        return {"binding_s": binding}

    return run


def by_rows(folder: Path, target: Path, schema: pa.Schema, cores: int) -> Callable[[], dict[str, float]]:
    """Plain Python, a row at a time, on one core, as JSON lines; tosses and ids are given, and pairs kept alike."""
    plan, films = Plan.read(folder / "plan.json"), Films(folder / "films.parquet")
    forms = {form: names.to_pylist() for form, names in films.names.items()}
    entity, first, last = films.entity.tolist(), films.first.tolist(), films.last.tolist()
    popular, year = films.popular.tolist(), films.year.tolist()
    dates = [day.isoformat() for day in np.arange("1900-01-01", "2100-01-01", dtype="datetime64[D]").tolist()]
    zero = int(np.datetime64("1900-01-01", "D").astype(int))
    order = np.argsort(films.table["place"].to_numpy())
    countries = films.table["countries"].combine_chunks().take(pa.array(order)).to_pylist()
    given = []
    for said in plan.said:
        seats = max(1, SLICE // 2 * plan.seats // said.drawn)
        pairs = bound(films, plan, said, 0, min(plan.seats, seats))
        given.append((said, list(zip(*(pairs[name].tolist() for name in ("a", "b", "coin", "id")), strict=True))))

    def row(said: Said, a: int, b: int, coin: int, number: int) -> dict[str, object]:
        wording = number % len(said.pieces)
        before, between, after = said.pieces[wording][coin]
        earlier = last[a] < first[b]
        chosen = a if earlier else b
        names = forms[said.form]
        start, end = min(first[a], first[b]), max(last[a], last[b])
        return {
            "question_id": number,
            "question": f"{before}{names[a]}{between}{names[b]}{after}",
            "answer": [forms["label"][chosen] if said.choice else "yes" if earlier == (coin == 0) else "no"],
            "type": "2bc",
            "question_entity": [entity[a], entity[b]],
            "answer_entity": [entity[chosen]] if said.choice else [],
            "question_country_entity": sorted({*countries[a], *countries[b]}),
            "answer_country_entity": countries[chosen] if said.choice else [],
            "hops": [],
            "descriptions": [],
            "rating": 0 if popular[a] and popular[b] else 1,
            "is_unnamed": False,
            "timeframe": {"start": dates[start - zero], "end": dates[end - zero]},
            "template_id": said.template,
            "template_version": 1,
            "wording": wording,
            "property": plan.property,
            "threshold": None,
            "counted_over": None,
            "topic": films.topic,
            "split": "train",
            "year": min(year[a], year[b]),
            "head_entity": entity[a],
        }

    def run() -> dict[str, float]:
        rows = 0
        with (target / "rows.jsonl").open("w") as file:
            for said, pairs in given:
                for pair in pairs:
                    file.write(json.dumps(row(said, *pair), ensure_ascii=False) + "\n")
                rows += len(pairs)
        return {"rows": rows}

    return run


SLICE = 200_000
"""Pairs that plain Python makes."""
