from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import combinations
from unittest.mock import ANY

import pytest
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema

from comparison_blocks import SCHEMA, Asked, ask, build_template, plan_all_pairs
from everwhen.core.errors import InputError
from everwhen.families.complextempqa.bind.world import World
from everwhen.families.complextempqa.block_members import BlockMembers, arrange_members
from everwhen.families.complextempqa.blocks import Turn
from everwhen.families.complextempqa.budget import plan_quotas
from everwhen.families.complextempqa.comparable import _find_shared
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.contexts import build_contexts
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.stage import prepare_forecasts
from everwhen.families.complextempqa.tables.questions import QUESTIONS
from everwhen.families.complextempqa.template import COMPARED_SUBJECTS, SUBJECT_DESCRIPTIONS
from everwhen.tables.descriptions import DESCRIPTIONS
from everwhen.tables.statements import STATEMENTS
from table_rows import ACCIDENTS, BISHOP, PRESIDENT, QUAKES, build_statement, parse_day

pytestmark = pytest.mark.spark

KINDS, BY = ("event", "item"), ("time", "times", "amounts", "hop times", "hop amounts")
TEMPLATES = [
    build_template(f"{relation} of {kind} by {by}", relation, kind, by)
    for relation in ("pair", "triple")
    for kind in KINDS
    for by in BY
]
FEW = [t for t in TEMPLATES if t.params["kind"] == "event" and t.params["by"] in ("time", "amounts")]
"""Pairs and triples by both sorts of values, for what does not differ from one value to another."""
DEATHS, SURVIVORS, PARTICIPANTS, RELEASE, LENGTH, HEIGHT, BIRTH = 1120, 1561, 1132, 577, 2047, 2044, 569

ANY_ORDER = ANY
"""Of values that tie a hash says which stands first."""

Sets = Counter[tuple[str, int | None, tuple[int, ...]]]


@pytest.fixture(scope="module")
def named(world: World, but: Callable[..., World]) -> World:
    """The small world with names for the battles of the split validation."""
    forms = ("name", "long_name", "label")
    battles = world.spark.range(30, 34).selectExpr(
        "id AS entity", *(f"concat('battle of ', chr(id + 60)) AS {form}" for form in forms)
    )
    return but(named_texts=world.named_texts.unionByName(battles))


@pytest.fixture(scope="module")
def asked(named: World) -> Asked:
    """All that the small world gives to be compared."""
    return ask(named, TEMPLATES, all_pairs=True)


def blocks_of(members: BlockMembers) -> dict[tuple[str, ...], list[int]]:
    """Who is in which block."""
    entities = members.rows["entity"].to_pylist()
    assert len(entities) == sum(block.size for block in members.blocks)
    return {
        (block.kind, block.by, block.key, block.list or block.grouping, block.split): entities[
            block.offset : block.offset + block.size
        ]
        for block in members.blocks
    }


def sets(asked: Asked, relation: str, unnamed: bool = False) -> Sets:
    """Who is compared with whom, by what and by which property; however often."""
    return Counter(
        (
            row["template"].removeprefix(f"{relation} of "),
            asked.contexts[row["context"]].property,
            tuple(sorted(row[f"entity_{x}"] for x in COMPARED_SUBJECTS if row[x] >= 0)),
        )
        for row in asked.bound
        if row["template"].startswith(relation) and asked.contexts[row["context"]].unnamed == unnamed
    )


def once(*found: tuple[str, int | None, tuple[int, ...]]) -> Sets:
    return Counter(found)


@pytest.mark.full
def test_everything_that_can_be_compared_is_in_a_block(asked: Asked) -> None:
    assert blocks_of(asked.members) == {
        # Events are compared by time with those of a group of lists, all else in one list; in the order of values.
        ("event", "time", "time", "disaster", "train"): [3, 1, 2],
        ("event", "time", "time", "conflict", "validation"): [33, 32, 30, 31],
        ("event", "time", "time", "conflict", "test"): [4],
        ("event", "amounts", "deaths", "aviation_accidents", "train"): [2, 1],
        ("event", "amounts", "deaths", "earthquakes", "train"): [3],
        ("event", "amounts", "survivors", "aviation_accidents", "train"): [2, 1],
        ("event", "amounts", "participants", "aviation_accidents", "train"): ANY_ORDER,
        ("event", "amounts", "participants", "earthquakes", "train"): [3],
        ("event", "hop amounts", "height", "aviation_accidents", "train"): [2, 1],
        ("item", "times", "publication", "books", "train"): [15],
        ("item", "times", "release", "films", "train"): [10, 11],
        ("item", "times", "release", "films", "test"): [12],
        ("item", "amounts", "running_time", "films", "train"): [10, 11],
        ("item", "hop amounts", "film_height", "films", "train"): ANY_ORDER,
        ("item", "hop amounts", "film_height", "films", "test"): [12],
        ("item", "hop times", "film_birth", "films", "train"): [10, 11],
    }


def test_like_subjects_share_the_value_that_most_members_have(world: World) -> None:
    # 60 has two occupations; an occupation that only one has is still what it has. 64 has no citizenship to share.
    rows = _find_shared(world).collect()
    people = {60: "20 500", 61: "20 500", 63: "21 500", 65: "20 300"}
    assert {row.of_subject: row.shared for row in rows} == people | {10: "60", 11: "60", 12: "61"}


COMPARE_ALIKE = {"compare_alike": True}


def test_subjects_are_compared_with_like_subjects(named: World, but: Callable[..., World]) -> None:
    birth = named.values.where("subject.entity = 10 AND value.key = 'release'").select("value", "words")
    people = named.subjects.where("subject.list = 'persons'").crossJoin(birth)
    members = arrange_members(but(settings=COMPARE_ALIKE, values=people, named_texts=named.named_texts), TEMPLATES)
    blocks = {(block.grouping, block.split): block.size for block in members.blocks if block.kind == "item"}
    assert blocks == {
        ("20 500 1980 to 1999", "train"): 2,
        ("21 500 1980 to 1999", "train"): 1,
        ("20 300 1980 to 1999", "test"): 1,
    }


DIRECTED = [(100, 101), (100, 102), (101, 102)]
"""Films of one director."""


@pytest.mark.parametrize(
    ("compare_alike", "by_release", "by_birth", "unseated"),
    [
        # Of each other film there is no director, or it is the only one of its director.
        (True, DIRECTED, [*DIRECTED, (100, 103), (101, 103), (102, 103)], {104}),
        (False, list(combinations(range(100, 105), 2)), list(combinations(range(100, 105), 2)), set()),
    ],
)
def test_films_of_one_director_meet_only_each_other(
    named: World,
    but: Callable[..., World],
    compare_alike: bool,
    by_release: list[tuple[int, int]],
    by_birth: list[tuple[int, int]],
    unseated: set[int],
) -> None:
    """By what they reach over their directors they meet those of others, too."""
    directors = {100: 60, 101: 60, 102: 60, 103: 61}
    rows = named.values.where("subject.entity = 10 AND value.key IN ('release', 'film_birth')").crossJoin(
        named.spark.range(100, 105)
    )
    its_day = F.make_date((F.col("id") + 1890).cast("int"), F.lit(1), F.lit(1))
    values = rows.select(
        F.col("subject").withField("entity", F.col("id")).alias("subject"),
        F.col("value").withField("first_day", its_day).withField("last_day", its_day).alias("value"),
        "words",
    )
    name = "concat('film ', chr(id - 3))"
    films = but(
        settings={"compare_alike": compare_alike},
        tables={STATEMENTS: [build_statement(film, 57, director) for film, director in directors.items()]},
        subjects=values.select("subject").distinct(),
        values=values,
        named_texts=named.spark.range(100, 105).selectExpr(
            "id AS entity", *(f"{name} AS {form}" for form in ("name", "long_name", "label"))
        ),
    )
    found = ask(films, [t for t in TEMPLATES if t.relation == "pair"], all_pairs=True)
    assert sets(found, "pair") == once(
        *(("item by times", RELEASE, two) for two in by_release),
        *(("item by hop times", BIRTH, two) for two in by_birth),
    )
    judged = {(row.entity, row.key): row.reason for row in found.members.judged.collect()}
    assert judged == {
        (n, key): BindingReason.NOTHING_SHARED if n in unseated else None
        for n in range(100, 105)
        for key in ("release", "film_birth")
    }


def test_events_are_compared_within_their_group(named: World, but: Callable[..., World]) -> None:
    lists = ["battles", "wars", "battles", QUAKES, QUAKES, ACCIDENTS, ACCIDENTS, "battles"]
    events = named.spark.createDataFrame(
        [(200 + n, name, parse_day(f"{1900 + n}-01-01")) for n, name in enumerate(lists)],
        "id bigint, of string, its_day date",
    )
    subject = F.col("subject").withField("entity", F.col("id")).withField("list", F.col("of"))
    subject = subject.withField("first_day", F.col("its_day")).withField("last_day", F.col("its_day"))
    subjects = named.subjects.where("subject.entity = 1").crossJoin(events).select(subject.alias("subject"))
    shared = [(200, 17, 20), (201, 17, 20), (202, 17, 21), (205, 17, 20), (206, 17, 21)]
    # What their lists do not name is not shared: a crash's airline, a quake's country, a battle's place.
    other = [(203, 17, 20), (205, 137, 90), (206, 137, 90), (207, 276, 20)]
    world = but(
        settings=COMPARE_ALIKE,
        tables={STATEMENTS: [build_statement(*phrase) for phrase in [*shared, *other]]},
        subjects=subjects,
        values=named.values.where("false"),
        named_texts=events.selectExpr("id AS entity", *(f"'x' AS {form}" for form in ("name", "long_name", "label"))),
    )
    members = arrange_members(world, FEW)
    assert blocks_of(members) == {
        ("event", "time", "time", "conflict 20 1900 to 1919", "train"): [200, 201],
        ("event", "time", "time", "conflict 21 1900 to 1919", "train"): [202],
        # Of quakes nothing is asked for that they share.
        ("event", "time", "time", "disaster 1900 to 1919", "train"): [203, 204],
        ("event", "time", "time", "disaster 20 1900 to 1919", "train"): [205],
        ("event", "time", "time", "disaster 21 1900 to 1919", "train"): [206],
    }
    assert {row.entity: row.reason for row in members.judged.collect() if row.reason} == {
        207: BindingReason.NOTHING_SHARED
    }


NEAR = {
    ("time", "disaster 1960 to 1979"): 1,
    ("time", "disaster 1980 to 1999"): 2,
    ("time", "disaster 2000 to 2019"): 1,
    ("amounts", "2^7 to 2^8"): 1,
    ("amounts", "2^8 to 2^9"): 2,
    ("amounts", "2^9 to 2^10"): 1,
}


@pytest.mark.parametrize(
    ("compare_alike", "sizes"), [(True, NEAR), (False, {("time", "disaster"): 4, ("amounts", ""): 4})]
)
def test_compared_values_are_near(
    named: World, but: Callable[..., World], compare_alike: bool, sizes: dict[tuple[str, str], int]
) -> None:
    quakes = named.spark.createDataFrame(
        [(300, 255, "1979-12-31"), (301, 256, "1980-01-01"), (302, 511, "1999-12-31"), (303, 512, "2000-01-01")],
        "id bigint, n int, day string",
    ).withColumn("its_day", F.to_date("day"))
    subject = F.col("subject").withField("entity", F.col("id"))
    subject = subject.withField("first_day", F.col("its_day")).withField("last_day", F.col("its_day"))
    deaths = named.values.where("subject.entity = 3 AND value.key = 'deaths'").crossJoin(quakes)
    amount = F.col("value").withField("amount", F.col("n").cast("decimal(38,9)"))
    values = deaths.select(subject.alias("subject"), amount.alias("value"), "words")
    world = but(
        settings={"compare_alike": compare_alike},
        subjects=values.select("subject"),
        values=values,
        named_texts=quakes.selectExpr("id AS entity", *(f"'x' AS {form}" for form in ("name", "long_name", "label"))),
    )
    assert {(block.by, block.grouping): block.size for block in arrange_members(world, TEMPLATES).blocks} == sizes


def test_what_has_no_name_leaves_no_gap(named: World, but: Callable[..., World]) -> None:
    few = but(named_texts=named.named_texts.where("entity NOT IN (30, 32, 2, 12)"))
    found = ask(few, FEW, all_pairs=True)
    blocks = blocks_of(found.members)
    assert blocks["event", "time", "time", "conflict", "validation"] == [33, 31]
    assert blocks["event", "amounts", "deaths", "aviation_accidents", "train"] == [1]
    assert ("item", "times", "release", "films", "test") not in blocks, "12 alone sat there"
    assert {two for by, _, two in sets(found, "pair") if by == "event by time"} == {(31, 33), (1, 3)}


def test_a_block_member_says_what_is_compared(asked: Asked) -> None:
    members = asked.members
    rows = members.rows.to_pylist()
    blocks = {(block.key, block.split): block for block in members.blocks if block.list != QUAKES}
    of = {
        key: {row["entity"]: row for row in rows[block.offset : block.offset + block.size]}
        for key, block in blocks.items()
    }
    heights = blocks["film_height", "train"]
    assert (heights.first.tolist(), heights.tied.tolist()) == ([2, 2], [0, 0]), "a tie"
    # 33 is of 1990, 32 of the last day of 1991, 30 of the next, 31 of two days in 1993.
    # What lies less than a month apart is not compared.
    battles = blocks["time", "validation"]
    assert list(of["time", "validation"]) == [33, 32, 30, 31]
    assert (battles.first.tolist(), battles.tied.tolist()) == ([1, 3, 3, 4], [0, 1, 2, 3])
    # A description that tells what is compared is none.
    numbers = {row.number: (row.entity, row.key) for row in members.descriptions.collect()}
    forms = {
        key: {n: [numbers[form["number"]] for form in row["forms"]] for n, row in of[key, "train"].items()}
        for key, split in of
        if split == "train"
    }
    assert forms["deaths"] == {1: [], 2: [(2, "injured")]}
    assert {n: sorted(each) for n, each in forms["survivors"].items()} == {
        1: [(1, "deaths")],
        2: [(2, "deaths"), (2, "injured")],
    }
    described = [blocks[key, "train"].described for key in ("deaths", "survivors", "time", "release")]
    assert described == [1, 2, 2, 0]


def test_a_sequel_is_not_described_as_such_where_times_are_compared(named: World, but: Callable[..., World]) -> None:
    sequel = {"entity": 10, "key": "film_sequel", "properties": [155], "mentions_year": False, "items": [11]}
    world = but(tables={DESCRIPTIONS: [sequel | {"description": "the sequel"}]}, named_texts=named.named_texts)
    described = {
        b.by: b.described for b in arrange_members(world, TEMPLATES).blocks if b.list == "films" and b.size == 2
    }
    assert described == {"times": 0, "amounts": 1, "hop times": 0, "hop amounts": 1}


def test_pairs_are_of_one_block(asked: Asked) -> None:
    assert sets(asked, "pair") == once(
        *(("event by time", None, two) for two in [(1, 2), (1, 3), (2, 3)]),
        # 30 and 32 are a day apart, and the films' heights and the flights' participants as many.
        *(("event by time", None, two) for two in [(30, 31), (30, 33), (31, 32), (31, 33), (32, 33)]),
        ("event by amounts", DEATHS, (1, 2)),
        ("event by amounts", SURVIVORS, (1, 2)),
        ("event by hop amounts", HEIGHT, (1, 2)),
        ("item by times", RELEASE, (10, 11)),
        ("item by amounts", LENGTH, (10, 11)),
        ("item by hop times", BIRTH, (10, 11)),
    )


@pytest.mark.full
def test_two_are_compared_in_one_of_the_blocks_in_which_they_meet(named: World, but: Callable[..., World]) -> None:
    pairs = [t for t in TEMPLATES if t.relation == "pair"]
    chosen: dict[tuple[int, ...], set[tuple[str, int | None]]] = defaultdict(set)
    for seed in map(str, range(3)):
        world = but(seed=seed, named_texts=named.named_texts)
        members = arrange_members(world, pairs)
        found = sets(
            ask(world, pairs, [d for d in plan_all_pairs(members, pairs) if not d.unnamed], members=members), "pair"
        )
        asked = [two for _, _, two in found]
        # A pair whose hash picks a block in which its values tie is not asked.
        assert len(asked) == len(set(asked))
        assert {(1, 3), (2, 3), (30, 31), (30, 33), (31, 32), (31, 33), (32, 33)} <= set(asked)
        for by, property_, two in found:
            chosen[two].add((by, property_))
    assert chosen[30, 31] == {("event by time", None)}
    assert chosen[1, 3] == {("event by time", None)}
    assert len(chosen[1, 2]) > 1, "the seed decides"
    assert len(chosen[10, 11]) > 1
    of = {block.key: block.own for block in members.blocks if block.split == "train" and block.list != QUAKES}
    # 1 and 2 meet in five blocks, each of them 3 in one; films meet in four.
    assert (of["time"], of["film_height"], of["survivors"]) == (pytest.approx(11 / 15), 0.25, 0.2)


def test_three_are_compared_at_once(asked: Asked) -> None:
    assert sets(asked, "triple") == once(
        ("event by time", None, (1, 2, 3)),
        ("event by time", None, (31, 32, 33)),
    )


def test_what_can_be_described_is_asked_without_its_name_too(asked: Asked) -> None:
    pairs = [
        *(("event by time", None, two) for two in [(1, 2), (1, 3), (2, 3)]),
        ("event by hop amounts", HEIGHT, (1, 2)),
    ]
    amounts = [(DEATHS, (1, 2)), (SURVIVORS, (1, 2))]
    assert sets(asked, "pair", unnamed=True) == once(*pairs, *(("event by amounts", *one) for one in amounts))
    assert sets(asked, "triple", unnamed=True) == once(("event by time", None, (1, 2, 3)))
    revealing = {
        row["question_id"]: [
            row[f"entity_{x}"] for x in COMPARED_SUBJECTS if row[x] >= 0 and row[SUBJECT_DESCRIPTIONS[x]] >= 0
        ]
        for row in asked.bound
        if asked.contexts[row["context"]].unnamed
    }
    for row in asked.bound:
        if row["question_id"] not in revealing:
            assert {row[name] for name in SUBJECT_DESCRIPTIONS.values()} == {-1}
        elif "by time" in row["template"]:
            # Of times only the first one that can be is described: two descriptions would tell two years.
            there = [row[f"entity_{x}"] for x in COMPARED_SUBJECTS if row[x] >= 0]
            assert revealing[row["question_id"]] == [n for n in there if n in (1, 2)][:1]
        elif asked.contexts[row["context"]].property == DEATHS:
            assert revealing[row["question_id"]] == [2]
        else:
            assert sorted(revealing[row["question_id"]]) == [1, 2]


def test_names_that_tell_all_years_are_not_compared(named: World, but: Callable[..., World]) -> None:
    names = {30: "the 1992 battle", 31: "the battle of 1993", 32: "the hijack of Flight 1991", 33: "Battle (1992)"}
    rows = named.spark.createDataFrame([(n, name, name, name) for n, name in names.items()], named.named_texts.schema)
    texts = named.named_texts.where("entity < 30").unionByName(rows)
    found = ask(but(named_texts=texts), FEW, all_pairs=True)
    revealing = {
        tuple(sorted(row[f"entity_{x}"] for x in COMPARED_SUBJECTS if row[x] >= 0))
        for row in found.bound
        if row["reveals_order"]
    }
    # Of 33 and 30 one cannot tell by their years; 32 has none; and amounts are not told by years.
    assert revealing == {(30, 31), (31, 33)}
    (block,) = (block for block in found.members.blocks if (block.key, block.split) == ("time", "validation"))
    forecasts = prepare_forecasts(found.members)
    rows = [forecasts(block, Turn(0, 1), size, False).count(block.size) for size in (2, 3)]
    assert rows == [5 - 2, 1], "what names tell is not counted"


def test_names_of_one_series_are_not_compared(named: World, but: Callable[..., World]) -> None:
    names = {30: "the 5th Battle of Ypres", 31: "Flight 31", 32: "Flight 32", 33: "the 11th Battle of Ypres"}
    rows = named.spark.createDataFrame([(n, name, name, name) for n, name in names.items()], named.named_texts.schema)
    found = ask(but(named_texts=named.named_texts.where("entity < 30").unionByName(rows)), FEW, all_pairs=True)
    revealing = {
        tuple(sorted(r[f"entity_{x}"] for x in COMPARED_SUBJECTS if r[x] >= 0))
        for r in found.bound
        if r["reveals_order"]
    }
    assert revealing == {(30, 33)}, "a flight's number tells no time"


def test_ids_are_of_their_own(asked: Asked) -> None:
    ids = [row["question_id"] for row in asked.bound]
    assert len(set(ids)) == len(ids)
    assert all(0 <= n < 2**63 for n in ids)


def test_the_answer_is_the_place_of_what_is_outermost(asked: Asked) -> None:
    order = {
        # The quake began and ended before the flights, and these in the order of their numbers.
        "event by time": [3, 1, 2, 33, 32, 30, 31],
        DEATHS: [2, 1],
        SURVIVORS: [2, 1],
        "event by hop amounts": [2, 1],
        "item by times": [10, 11],
        "item by amounts": [10, 11],
        "item by hop times": [10, 11],
    }
    seen = set()
    for row in asked.bound:
        shared = asked.contexts[row["context"]]
        of = row["template"].removeprefix("pair of ").removeprefix("triple of ")
        ranks = order.get(of) or order.get(shared.property)
        there = [row[f"entity_{x}"] for x in COMPARED_SUBJECTS if row[x] >= 0]
        if ranks:
            outermost = min if shared.polarity in ("lesser", "earlier") else max
            assert there[row["answer"]] == outermost(there, key=ranks.index), (of, there, shared.polarity)
            seen.add((row["answer"], shared.polarity))
    assert {(place, way) for place in (0, 1) for way in ("later", "earlier")} <= seen


def test_yes_is_where_the_first_is_further_in_the_direction(named: World) -> None:
    made = build_template("than", kind="event", by="time", answer={"comparison": "first"}, choice=False)
    found = ask(named, [made], all_pairs=True)
    order = [3, 1, 2, 33, 32, 30, 31]
    seen = set()
    for row in found.bound:
        way = found.contexts[row["context"]].polarity
        is_later = order.index(row["entity_first_subject"]) > order.index(row["entity_second_subject"])
        assert row["answer"] == (is_later == (way == "later"))
        seen.add((row["answer"], way))
    assert len(seen) > 2


def test_rows_say_who_was_asked_about(asked: Asked) -> None:
    rows = {
        (row["template_id"], frozenset(row["question_entity"])): row
        for row in asked.build_rows()
        if not row["is_unnamed"]
    }
    row = rows["pair of event by time", frozenset({1, 2})]
    assert (row["rating"], row["question_country_entity"], row["split"], row["type"]) == (1, [20, 21], "train", "2bc")
    assert row["timeframe"] == {"start": parse_day("1991-05-26"), "end": parse_day("1992-03-31")}
    assert (row["head_entity"], row["year"]) == (row["question_entity"][0], 1991)
    assert row["topic"] == "medtop:aviation_accidents"
    assert row["polarity"] in ("later", "earlier")
    answer = (["Flight 1"], [1], [20]) if row["polarity"] == "earlier" else (["Flight 2"], [2], [20, 21])
    assert (row["answer"], row["answer_entity"], row["answer_country_entity"]) == answer
    assert rows["pair of event by time", frozenset({1, 3})]["rating"] == 0
    assert rows["pair of event by time", frozenset({31, 33})]["split"] == "validation"
    hop = rows["pair of item by hop times", frozenset({10, 11})]
    assert (hop["property"], hop["hops"], hop["rating"]) == (BIRTH, [57, 569], 1)
    film = rows["pair of item by times", frozenset({10, 11})]
    assert (film["property"], film["hops"], film["rating"]) == (RELEASE, [], 0)
    (three,) = (r for r in asked.build_rows(3) if 1 in r["question_entity"] and not r["is_unnamed"])
    assert sorted(three["question_entity"]) == [1, 2, 3]
    assert three["timeframe"] == {"start": parse_day("1990-02-01"), "end": parse_day("1992-03-31")}
    (revealing,) = (r for r in asked.build_rows() if r["property"] == DEATHS and r["is_unnamed"])
    assert "the accident 2 of 7 injured" in revealing["question"]
    assert (revealing["descriptions"], revealing["rating"]) == ([{"entity": 2, "key": "injured"}], 1)


def test_the_schema_of_rows_is_spark_s(asked: Asked) -> None:
    assert to_arrow_schema(QUESTIONS.schema) == SCHEMA


SIDES = {"a": {"entity": "first_subject.entity"}, "b": {"entity": "second_subject.entity"}}


@pytest.mark.parametrize(
    ("change", "phrase"),
    [
        ({"slots": SIDES | {"way": {"text": "value.amount"}}}, "amount"),
        ({"slots": SIDES | {"way": {"text": "words['x']"}}}, "no text"),
        (
            {"slots": {"b": {"entity": "position"}, "a": {"entity": "first_subject.entity"}, "way": {"text": "'x'"}}},
            "position behind them",
        ),
        ({"hops": "value.way"}, "way"),
        ({"property": "words"}, "texts, property and hops"),
    ],
)
def test_a_template_that_cannot_be_compiled_is_named(
    named: World, asked: Asked, change: dict[str, object], phrase: str
) -> None:
    with pytest.raises(InputError) as caught:
        ask(named, [build_template("sound"), build_template("broken", **change)], members=asked.members, all_pairs=True)
    message = str(caught.value)
    assert message.startswith("template broken: ")
    assert phrase.lower() in message.lower()
    assert "\n" not in message


def test_a_world_without_comparisons_has_no_contexts(named: World, asked: Asked) -> None:
    members = asked.members
    other = build_template("won", "winner", answer={"entity": "recipient"})
    assert plan_quotas(members.blocks, [other], read_settings(named.config), prepare_forecasts(members)) == []
    assert build_contexts(named, members.words, members.blocks, [], [other]) == ([], {})


@pytest.mark.full
def test_order_and_direction_follow_the_seed_alone(named: World, but: Callable[..., World]) -> None:
    texts = named.named_texts

    def chosen(of: Asked) -> dict[str, set[tuple[object, ...]]]:
        """Ids, the order of subjects, directions, and what is described."""
        rows: dict[str, set[tuple[object, ...]]] = {"pair": set(), "triple": set()}
        for row in (row for row in of.bound if row["template"] in {t.id for t in FEW}):
            phrase = [row[key] for key in ("question_id", *COMPARED_SUBJECTS, *SUBJECT_DESCRIPTIONS.values(), "answer")]
            rows[row["template"].split()[0]].add((*phrase, of.contexts[row["context"]].polarity))
        return rows

    plain = chosen(ask(named, FEW, all_pairs=True))
    assert {row[-1] for row in plain["pair"]} >= {"later", "earlier"}
    spread = but(
        subjects=named.subjects.repartition(5), values=named.values.repartition(5), named_texts=texts.repartition(3)
    )
    assert chosen(ask(spread, FEW[::-1], rows_per_file=10, all_pairs=True)) == plain
    other = chosen(ask(but(seed="other", named_texts=texts), FEW, all_pairs=True))
    for relation, rows in plain.items():
        assert len(other[relation]) == len(rows)
        assert {row[0] for row in rows}.isdisjoint(row[0] for row in other[relation])
        assert {row[1:] for row in rows} != {row[1:] for row in other[relation]}


OFFICES = build_template(
    "held",
    by="terms",
    slots=SIDES | {"position": {"entity": "position", "text": "position_label"}},
    questions={0: "Who was {position} first, {a} or {b}?"},
    polarities=["earlier"],
    property=39,
    hops=None,
)


def test_who_held_an_office_first(world: World) -> None:
    found = ask(world, [OFFICES], all_pairs=True)
    rows = [row for row in found.build_rows() if not row["is_unnamed"]]
    assert Counter((row["question_entity"][2], *sorted(row["question_entity"][:2])) for row in rows) == Counter(
        (office, *two) for office in (PRESIDENT, BISHOP) for two in [(40, 41), (40, 42), (41, 42)]
    )
    for row in rows:
        # They took office in the order of their numbers.
        first, second, office = row["question_entity"]
        assert row["answer_entity"] == [min(first, second)]
        assert (row["polarity"], row["property"], row["head_entity"]) == ("earlier", 39, first)
        assert row["question"].startswith(f"Who was {'President' if office == PRESIDENT else 'Bishop'} first, ")
        assert row["rating"] == (0 if office == PRESIDENT and {first, second} == {40, 41} else 1)
