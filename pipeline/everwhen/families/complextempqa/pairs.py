"""Bindings of comparisons: pairs and triples of a block, unique by construction, without a cross join.

A task reads its chunks of seats, gives each seat its partners by number, and looks both up in one broadcast table: no
row is shuffled, and which task binds what is decided by the draws alone. What does not differ from row to row, the
texts between the names above all, is a frame: it is made once, and rows carry its number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial, reduce
from itertools import combinations

from pyspark.errors import AnalysisException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from everwhen.core.errors import InputError
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.budget import DATED, Chunk, Draw, blocked, chunks
from everwhen.families.complextempqa.compile import LARGEST
from everwhen.families.complextempqa.frame import Frame, sides
from everwhen.families.complextempqa.reasons import YEARS_TOLD
from everwhen.families.complextempqa.seats import COMPARED_BY, Seats
from everwhen.families.complextempqa.template import Template

PAIRS = (
    "question_id bigint, frame int, a int, b int, c int, told_a int, told_b int, told_c int, answer tinyint,"
    " reason tinyint"
)
"""A comparison as it is bound: id, number of its frame, things in the order of the question (-1: none), the
descriptions that stand for them (-1: named), the answer (of a choice the place of the thing, else 1 for yes), and the
place of the first condition that is not met (0: none; YEARS_TOLD: all are, but the names tell the answer)."""

SEAT = ("entity", "thing", "amount", "first_day", "last_day", "year", "series", "forms")
"""What is looked up of each seat (`everwhen.families.complextempqa.seats.Seats`)."""

STEPS = ("place", "gap", "partners", "turn", "shift")
"""What of a seat says who its partners are."""

VALUE = ("amount", "first_day", "last_day")
"""What templates may compare."""


def frames(
    world: World, seats: Seats, found: Sequence[Draw], templates: Sequence[Template]
) -> tuple[list[Frame], DataFrame]:
    """The frames of all draws.

    Args:
        world: The world; its seed salts the ids.
        seats: The seats.
        found: The draws.
        templates: The templates.

    Returns:
        The frames, and for each draw (template, block, unnamed) the columns frame_0, frame_1, salt_0, salt_1 of its two
        coins.

    Raises:
        InputError: A text of a template cannot be told from words, coin and the list's words.
    """
    schema = (
        "template int, block int, unnamed boolean, frame_0 int, frame_1 int, salt_0 bigint, salt_1 bigint,"
        " coin_salt bigint"
    )
    if not found:
        return [], world.spark.createDataFrame([], schema)
    compared = blocked(templates)
    place = {t.id: number for number, t in enumerate(compared)}
    blocks = [(b.number, b.kind, b.by, b.key, b.list, b.alike, b.split) for b in seats.blocks]
    spark = world.spark
    each = spark.createDataFrame(
        blocks, "block int, kind string, by string, key string, on_list string, alike string, split string"
    )
    coins = spark.createDataFrame([(0,), (1,)], "coin int")
    words = seats.words.join(each, on=list(COMPARED_BY), how="inner").crossJoin(coins)
    drawn = {(d.template, d.block, d.unnamed) for d in found}
    wanted = spark.createDataFrame(
        sorted({(template, block) for template, block, _ in drawn}), "template_id string, block int"
    )
    said = reduce(DataFrame.unionByName, (_said(world, words, t) for t in compared))
    rows = said.join(F.broadcast(wanted), on=["template_id", "block"], how="inner").collect()
    made: list[Frame] = []
    lines = []
    by_draw = {(row["template_id"], row["block"], row["coin"]): row for row in rows}
    for template, block, unnamed in sorted(drawn):
        numbers, salts = [], []
        for coin in (0, 1):
            row = by_draw[template, block, coin]
            texts = tuple(row["texts"])
            if any(t is None for t, side in zip(texts, sides(compared[place[template]]), strict=True) if side is None):
                raise InputError(f"template {template}: a slot has no text for {seats.blocks[block].key}")
            numbers.append(len(made))
            salts.append(row["salt"])
            made.append(
                Frame(
                    len(made),
                    place[template],
                    unnamed,
                    seats.blocks[block].split,
                    texts,
                    row["property"],
                    tuple(row["hops"]),
                )
            )
        lines.append((place[template], block, unnamed, *numbers, *salts, row["coin_salt"]))
    return made, spark.createDataFrame(lines, schema)


def _said(world: World, words: DataFrame, template: Template) -> DataFrame:
    """Texts, property and hops of one template for every block and coin, and what salts the ids."""
    known = words.select(
        "block",
        "coin",
        "key",
        "words",
        F.struct("noun", "which").alias("a"),
        F.struct("property", "hops").alias("va"),
    )
    property_ = "NULL" if template.property is None else str(template.property)
    try:
        said = known.select(
            F.lit(template.id).alias("template_id"),
            "block",
            "coin",
            "key",
            world.hash_of("coin", "key").alias("coin_salt"),
            F.array(
                *((F.expr(s.text) if s.text else F.lit(None)).cast("string") for s in template.slots.values())
            ).alias("texts"),
            F.expr(property_).cast("int").alias("property"),
            (F.expr(template.hops) if template.hops else F.array()).cast("array<int>").alias("hops"),
        )
    except AnalysisException as error:
        first = str(error).strip().splitlines()[0]
        raise InputError(f"template {template.id}: texts, property and hops of a comparison: {first}") from None
    texts = F.transform("texts", lambda text: F.coalesce(text, F.lit("")))
    salt = F.xxhash64(F.lit(world.config.seed), F.lit(template.id), F.lit(template.version), "key", texts)
    return said.withColumn("salt", salt)


def comparisons(
    seats: Seats, found: Sequence[Draw], drawn: DataFrame, templates: Sequence[Template], rows_per_file: int
) -> dict[str, DataFrame]:
    """Bind all draws.

    Args:
        seats: The seats.
        found: The draws.
        drawn: The frames and salts of each draw, as `frames` returns them.
        templates: The templates.
        rows_per_file: Rows of a full file.

    Returns:
        Under "triples" and "pairs", where there are any: columns of PAIRS, one task a file.

    Raises:
        InputError: An expression of a template cannot be resolved.
    """
    place = {t.id: number for number, t in enumerate(blocked(templates))}
    # The one task of few triples first, or it would run alone in the end.
    parts = {}
    for name, size in (("triples", 3), ("pairs", 2)):
        shared = chunks(found, seats.blocks, rows_per_file, size=size)
        if shared:
            rows = _partners(seats, shared, drawn, place, size=size)
            parts[name] = _bound(rows, {place[t.id]: t for t in blocked(templates) if _size(t) == size}, size)
    return parts


def _size(template: Template) -> int:
    """How many things a template compares."""
    return 2 if template.relation == "pair" else 3


def _partners(
    seats: Seats, shared: Sequence[Chunk], drawn: DataFrame, place: Mapping[str, int], *, size: int
) -> DataFrame:
    """Each seat of the chunks with its partners: what the chunk says, and columns of seats as x_…, y_… (and z_…)."""
    rows = []
    for c in shared:
        draw, block = c.draw, seats.blocks[c.draw.block]
        rows.append(
            (
                *(c.task, place[draw.template], draw.block, draw.unnamed, c.start, c.end),
                *(draw.turn, draw.turns, draw.steps, draw.more, block.offset, block.seats),
            )
        )
    schema = (
        "task bigint, template int, block int, unnamed boolean, start int, end int, turn int, turns int, steps int,"
        " more int, offset bigint, n int"
    )
    spark = drawn.sparkSession
    work = spark.createDataFrame(rows, schema).join(
        F.broadcast(drawn), on=["template", "block", "unnamed"], how="inner"
    )
    tasks = max(c.task for c in shared) + 1

    def seated(rows: DataFrame, place: Column, name: str) -> DataFrame:
        """Look seats up by their place in the block."""
        columns = (F.col(c).alias(f"{name}_{c}") for c in (*SEAT, "own", "keys", *STEPS))
        looked_up = seats.rows.select(F.col("seat").alias("found_at"), *columns)
        at = F.col("offset") + place
        return rows.join(F.broadcast(looked_up), on=at == F.col("found_at"), how="inner").drop("found_at")

    def partner(of: str) -> Column:
        """The place of the partner at a step."""
        return F.col(f"{of}_place") + F.col(f"{of}_gap") + F.col("step") - 1

    # One task number a partition: which task binds what does not hang on Spark's settings.
    each = (
        spark.range(0, tasks, 1, tasks)
        .join(F.broadcast(work), on=F.col("id") == F.col("task"), how="inner")
        .withColumn("at", F.explode(F.sequence("start", "end")))
    )
    each = seated(each, F.col("at"), "x")
    first = F.pmod(F.col("turn") + F.col("x_shift"), F.col("turns")) + 1
    steps = F.col("steps") + (F.col("x_turn") < F.col("more")).cast("int")
    last = F.least("x_partners", F.col("first") + (steps - 1) * F.col("turns"))
    # Generated code holds back all that comes of one row that it reads until it is done with it. It reads tasks: with a
    # sort in between, that is the partners of one seat at a time, and not a file's millions of rows.
    each = each.withColumn("first", first).withColumn("last", last).where("first <= last")
    each = each.sortWithinPartitions("template", "block", "unnamed", "at")
    each = each.withColumn("step", F.explode(F.sequence("first", "last", "turns")))
    each = seated(each, partner("x"), "y")
    if size == 2:
        return each.where(_belongs())
    return seated(each.where(partner("y") < F.col("n")), partner("y"), "z")


def _belongs() -> Column:
    """Whether a pair belongs to this block: a hash picks one of the blocks in which its two things meet."""
    alone = (F.size("x_keys") == 1) | (F.size("y_keys") == 1)
    shared = F.array_intersect("x_keys", "y_keys")
    pair = F.xxhash64(F.least("x_entity", "y_entity"), F.greatest("x_entity", "y_entity"))
    return alone | (F.get(shared, F.pmod(pair, F.size(shared)).cast("int")) == F.col("x_own"))


def _bound(rows: DataFrame, templates: Mapping[int, Template], size: int) -> DataFrame:
    """Put partners in the order of the question and derive ids and answers: columns of PAIRS."""
    names, xs = "abc"[:size], "xyz"[:size]
    toss = F.xxhash64("coin_salt", *(F.col(f"{x}_entity") for x in xs))
    ordered = _in_question_order(rows.withColumn("toss", toss), names, xs)
    told = _told(names, templates)
    placed = ordered.select("*", *(column.alias(f"told_{name}") for name, column in told.items()))
    some = reduce(lambda p, q: p | q, (F.col(f"told_{name}").isNotNull() for name in names))
    placed = placed.where(~F.col("unnamed") | some)
    # Structs that are only taken apart again cost nothing: the planner sees through them.
    placed = placed.select(
        "*",
        *(F.struct(F.col(f"{name}_entity").alias("entity")).alias(name) for name in names),
        *(F.struct(*(F.col(f"{name}_{c}").alias(c) for c in VALUE)).alias(f"v{name}") for name in names),
    )
    salt = F.when(F.col("coin") == 0, F.col("salt_0")).otherwise(F.col("salt_1"))
    key = [
        part
        for name in names
        for part in (F.col(f"{name}_entity"), F.coalesce(F.col(f"told_{name}.form"), F.lit(0).cast("bigint")))
    ]
    answer, reason = partial(_answer, names=names), _unmet
    unmet = _by_template(templates, reason, lambda t: [r.keep for r in t.require])
    _require_resolved(placed, templates, (answer, reason))
    return placed.select(
        F.xxhash64(salt, *key).bitwiseAND(F.lit(LARGEST)).alias("question_id"),
        F.when(F.col("coin") == 0, F.col("frame_0")).otherwise(F.col("frame_1")).alias("frame"),
        *(_or_none(f"{name}_thing", name in names).alias(name) for name in "abc"),
        *(_or_none(f"told_{name}.number", name in names).alias(f"told_{name}") for name in "abc"),
        _by_template(templates, answer, lambda t: t.answer).cast("tinyint").alias("answer"),
        F.when((unmet == 0) & _years_told(names, templates), F.lit(YEARS_TOLD))
        .otherwise(unmet)
        .cast("tinyint")
        .alias("reason"),
    )


def _in_question_order(rows: DataFrame, names: str, xs: str) -> DataFrame:
    """The partners as a, b (and c): which comes first is decided by hash, so that yes and no are in balance."""
    if len(names) == 2:
        swap = F.pmod("toss", F.lit(2)) == 1
        put = {
            f"{name}_{c}": F.when(swap, F.col(f"{other}_{c}")).otherwise(F.col(f"{own}_{c}"))
            for name, own, other in (("a", "x", "y"), ("b", "y", "x"))
            for c in SEAT
        }
    else:
        each = (
            F.struct(F.xxhash64("toss", f"{x}_entity").alias("at"), *(F.col(f"{x}_{c}").alias(c) for c in SEAT))
            for x in xs
        )
        rows = rows.withColumn("order", F.array_sort(F.array(*each)))
        put = {f"{name}_{c}": F.col("order")[at][c] for at, name in enumerate(names) for c in SEAT}
    return rows.select(
        "template",
        "unnamed",
        *(f"{what}_{n}" for what in ("frame", "salt") for n in (0, 1)),
        "toss",
        F.pmod(F.shiftright("toss", 1), F.lit(2)).cast("int").alias("coin"),
        *(column.alias(name) for name, column in put.items()),
    )


def _require_resolved(
    rows: DataFrame, templates: Mapping[int, Template], parts: Sequence[Callable[[Template], Column]]
) -> None:
    """Refuse an expression that names what a comparison does not have.

    Later all templates make one column, and nobody could tell whose it is.
    """
    like = rows.sparkSession.createDataFrame([], rows.schema)
    for template in templates.values():
        try:
            like.select(*(part(template) for part in parts))
        except AnalysisException as error:
            raise InputError(f"template {template.id}: {str(error).strip().splitlines()[0]}") from None


def _or_none(column: str, there: bool) -> Column:
    """A number, or -1."""
    return F.coalesce(F.col(column), F.lit(-1)) if there else F.lit(-1)


def _told(names: str, templates: Mapping[int, Template]) -> dict[str, Column]:
    """The description that stands for each thing of an unnamed question, chosen by hash; null where it is named.

    Where times are compared only the first thing that has one is described: descriptions that tell years would tell
    which came first.
    """
    times = F.col("template").isin([place for place, t in templates.items() if t.type.asks_about_time])
    found: dict[str, Column] = {}
    before = F.lit(False)
    for name in names:
        forms = F.col(f"{name}_forms")
        at = F.pmod(F.xxhash64("toss", f"{name}_entity"), F.size(forms)).cast("int")
        has = F.size(forms) > 0
        found[name] = F.when(F.col("unnamed") & has & ~(times & before), F.get(forms, at))
        before = before | has
    return found


def _years_told(names: str, templates: Mapping[int, Template]) -> Column:
    """Whether names and descriptions tell which time comes first: by their years, or by their numbers in a series."""
    dated = F.col("template").isin([place for place, t in templates.items() if t.params["by"] in DATED])
    years = [F.coalesce(F.col(f"told_{name}.year"), F.col(f"{name}_year")) for name in names]
    all_told = reduce(lambda p, q: p & q, (year > 0 for year in years))
    differ = reduce(lambda p, q: p | q, (year != years[0] for year in years[1:]))
    # A described thing is not told by its name.
    series = {n: F.when(F.col(f"told_{n}").isNull(), F.col(f"{n}_series")).otherwise(0) for n in names}
    numbered = reduce(
        lambda p, q: p | q, ((series[n] != 0) & (series[n] == series[m]) for n, m in combinations(names, 2))
    )
    return dated & ((all_told & differ) | numbered)


def _by_template(
    templates: Mapping[int, Template], what: Callable[[Template], Column], alike: Callable[[Template], object]
) -> Column:
    """One column for all templates: what each of them says. Those that say the same share a branch."""
    groups: dict[str, list[int]] = {}
    for place, template in templates.items():
        groups.setdefault(repr(alike(template)), []).append(place)
    return reduce(
        lambda rest, places: F.when(F.col("template").isin(places), what(templates[places[0]])).otherwise(rest),
        groups.values(),
        F.lit(None).cast("int"),
    )


def _answer(template: Template, names: str) -> Column:
    """The place of the thing that is the answer, or whether it is yes."""
    answer = template.answer
    if answer.yes_no is not None:
        return F.expr(answer.yes_no).cast("int")
    if answer.entity is None:
        raise InputError(f"template {template.id}: answer: a comparison answers with an entity or with yes_no")
    chosen = F.expr(answer.entity)
    return reduce(
        lambda rest, place: F.when(chosen == F.col(f"{names[place]}.entity"), place).otherwise(rest),
        reversed(range(len(names) - 1)),
        F.lit(len(names) - 1),
    )


def _unmet(template: Template) -> Column:
    """The place, from 1, of the first condition that is not met; 0 where all are."""
    failures = [
        F.when(~F.coalesce(F.expr(r.keep), F.lit(False)), F.lit(place)) for place, r in enumerate(template.require, 1)
    ]
    return F.coalesce(*failures, F.lit(0))
