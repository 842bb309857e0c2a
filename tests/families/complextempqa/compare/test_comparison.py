from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import ANY

import pytest
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_schema

from comparison_blocks import SCHEMA, Asked, ask, build_template, plan_all_pairs
from everwhen.core.errors import InputError
from everwhen.families.complextempqa.bind.world import WorldTables
from everwhen.families.complextempqa.compare.block_members import arrange_members
from everwhen.families.complextempqa.compare.blocks import Turn
from everwhen.families.complextempqa.compare.contexts import build_contexts
from everwhen.families.complextempqa.compare.quotas import plan_quotas
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.stage import prepare_forecasts
from everwhen.families.complextempqa.tables import QUESTIONS
from everwhen.families.complextempqa.template import COMPARED_SUBJECTS, SUBJECT_DESCRIPTIONS
from everwhen.tables.world import DESCRIPTIONS
from table_rows import ABBOT, BISHOP, COARSE_OFFICE, PRESIDENT, QUAKES, parse_day

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
def named(world: WorldTables, but: Callable[..., WorldTables]) -> WorldTables:
    """The small world with names for the battles of the split validation."""
    forms = ("name", "long_name", "label")
    battles = world.spark.range(30, 34).selectExpr(
        "id AS entity", *(f"concat('battle of ', chr(id + 60)) AS {form}" for form in forms)
    )
    return but(named_texts=world.named_texts.unionByName(battles))


SIDES = {"a": {"entity": "first_subject.entity"}, "b": {"entity": "second_subject.entity"}}
OFFICES = build_template(
    "held",
    by="terms",
    slots=SIDES | {"position": {"entity": "position", "text": "position_label"}},
    questions={0: "Who was {position} first, {a} or {b}?"},
    polarities=["earlier"],
    property=39,
    hops=None,
)
YES_OR_NO = build_template("yes or no by time", kind="event", by="time", answer={"comparison": "first"}, choice=False)


YEARS = {1: "the crash of 1991", 2: "the crash of 1992"}
YEARS |= {30: "the 1992 battle", 31: "the battle of 1993", 32: "the hijack of Flight 1991", 33: "Battle (1992)"}
SERIES = {130: "the 5th Battle of Ypres", 131: "Flight 31", 132: "Flight 32", 133: "the 11th Battle of Ypres"}
GAPS = {231: "a battle", 233: "the other battle"}
FILMS = {10: "Forrest Gump", 11: "The Piano"}
"""Other names: of two crashes, of the battles of the split validation, of like ones in other splits, of which two have
none, and of films. Nothing else has a name: neither the quake nor the film of the split test."""

APART, OTHER = 1000, "renamed "
"""What has other names has other numbers, and splits of its own, too: it never meets what has not."""


@pytest.fixture(scope="module")
def both(named: WorldTables, but: Callable[..., WorldTables]) -> Asked:
    """All that the small world gives to be compared, as it is and with other names; one of the films is a sequel."""
    spark = named.spark
    copies = spark.createDataFrame([(0, None), (100, "test"), (200, "train")], "more int, its_split string")
    split = F.concat(F.lit(OTHER), F.coalesce("its_split", "subject.split"))
    renamed = F.col("subject").withField("entity", F.col("subject.entity") + APART + F.coalesce("more", F.lit(0)))
    renamed = renamed.withField("split", split).alias("subject")
    wanted = F.col("subject.entity").isin(1, 2, 3, 10, 11, 12) & (F.col("more") == 0)
    wanted |= F.col("subject.entity").between(30, 33)
    subjects = named.subjects.crossJoin(copies).where(wanted).select(renamed)
    values = named.values.crossJoin(copies).where(wanted).select(renamed, "value", "words")
    names = [(APART + n, name, name, name) for n, name in (YEARS | SERIES | GAPS | FILMS).items()]
    sequel = {"entity": APART + 10, "key": "film_sequel", "properties": [155], "mentions_year": False, "items": [11]}
    descriptions = [row.asDict() for row in named.build.read(DESCRIPTIONS).collect()]
    world = but(
        tables={DESCRIPTIONS: [*descriptions, sequel | {"description": "the sequel"}]},
        subjects=named.subjects.unionByName(subjects).localCheckpoint(),
        values=named.values.unionByName(values).localCheckpoint(),
        named_texts=named.named_texts.unionByName(spark.createDataFrame(names, named.named_texts.schema)),
    )
    return ask(world, [*TEMPLATES, YES_OR_NO, OFFICES], all_pairs=True)


def keep_half(both: Asked, apart: int) -> Asked:
    """Keep what is compared of things as they are, or of those with other names; with their numbers as they are."""
    sides = [f"entity_{x}" for x in COMPARED_SUBJECTS]
    rows = [row for row in both.bound if (row[sides[0]] >= APART) == bool(apart)]
    return replace(both, bound=[row | {side: row[side] - apart for side in sides if side in row} for row in rows])


@pytest.fixture(scope="module")
def asked(both: Asked) -> Asked:
    """All that the small world gives to be compared."""
    return keep_half(both, 0)


@pytest.fixture(scope="module")
def renamed(both: Asked) -> Asked:
    """What is compared if things have other names."""
    return keep_half(both, APART)


def blocks_of(asked: Asked, apart: int = 0) -> dict[tuple[str, ...], list[int]]:
    """Who is in which block: of things as they are, or of those with other names."""
    entities = asked.members.rows["entity"].to_pylist()
    assert len(entities) == sum(block.size for block in asked.members.blocks)
    return {
        (block.kind, block.by, block.key, block.list or block.grouping, block.split.removeprefix(OTHER)): [
            entity - apart for entity in entities[block.offset : block.offset + block.size]
        ]
        for block in asked.members.blocks
        if block.split.startswith(OTHER) == bool(apart)
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
    assert blocks_of(asked) == {
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
        # They took office in the order of their numbers.
        ("item", "terms", "term", str(BISHOP), "train"): [40, 41, 42],
        ("item", "terms", "term", str(PRESIDENT), "train"): [40, 41, 42],
        ("item", "terms", "term", str(ABBOT), "train"): [41],
        ("item", "terms", "term", str(COARSE_OFFICE), "train"): [41],
    }


def test_what_has_no_name_leaves_no_gap(renamed: Asked) -> None:
    blocks = blocks_of(renamed, APART)
    assert blocks["event", "time", "time", "conflict", "train"] == [233, 231]
    assert blocks["event", "time", "time", "disaster", "train"] == [1, 2]
    assert ("event", "amounts", "deaths", "earthquakes", "train") not in blocks, "3 alone sat there"
    assert blocks["item", "times", "release", "films", "train"] == [10, 11]
    assert ("item", "times", "release", "films", "test") not in blocks, "12 alone sat there"
    pairs = {two for by, _, two in sets(renamed, "pair") if by == "event by time"}
    assert {(231, 233), (1, 2)} == {(x, y) for x, y in pairs if not 30 <= x < 200}


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


def test_a_sequel_is_not_described_as_such_where_times_are_compared(renamed: Asked) -> None:
    described = {b.by: b.described for b in renamed.members.blocks if b.list == "films" and b.split == f"{OTHER}train"}
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
def test_two_are_compared_in_one_of_the_blocks_in_which_they_meet(
    named: WorldTables, but: Callable[..., WorldTables]
) -> None:
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


BY_TIME = ("pair of event by time", YES_OR_NO.id)


def find_revealing(asked: Asked) -> set[tuple[str, tuple[int, ...]]]:
    """Who is compared, and by what, though the names tell the order."""
    return {
        (row["template"], tuple(sorted(row[f"entity_{x}"] for x in COMPARED_SUBJECTS if row[x] >= 0)))
        for row in asked.bound
        if row["reveals_order"]
    }


def test_names_that_tell_all_years_are_not_compared(renamed: Asked) -> None:
    # Of 33 and 30 one cannot tell by their years; 32 has none; and amounts are not told by years.
    told = {found for found in find_revealing(renamed) if SERIES.keys().isdisjoint(found[1])}
    assert told == {(name, two) for name in BY_TIME for two in [(1, 2), (30, 31), (31, 33)]}
    assert ("event by amounts", DEATHS, (1, 2)) in sets(renamed, "pair")
    (block,) = (block for block in renamed.members.blocks if (block.key, block.split) == ("time", f"{OTHER}validation"))
    forecasts = prepare_forecasts(renamed.members)
    rows = [forecasts(block, Turn(0, 1), size, False).count(block.size) for size in (2, 3)]
    assert rows == [5 - 2, 1], "what names tell is not counted"


def test_names_of_one_series_are_not_compared(renamed: Asked) -> None:
    told = {found for found in find_revealing(renamed) if not SERIES.keys().isdisjoint(found[1])}
    assert told == {(name, (130, 133)) for name in BY_TIME}, "a flight's number tells no time"


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


def test_yes_is_where_the_first_is_further_in_the_direction(asked: Asked) -> None:
    order = [3, 1, 2, 33, 32, 30, 31]
    seen = set()
    for row in (row for row in asked.bound if row["template"] == YES_OR_NO.id):
        way = asked.contexts[row["context"]].polarity
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
    named: WorldTables, asked: Asked, change: dict[str, object], phrase: str
) -> None:
    with pytest.raises(InputError) as caught:
        ask(named, [build_template("sound"), build_template("broken", **change)], members=asked.members, all_pairs=True)
    message = str(caught.value)
    assert message.startswith("template broken: ")
    assert phrase.lower() in message.lower()
    assert "\n" not in message


def test_a_world_without_comparisons_has_no_contexts(named: WorldTables, asked: Asked) -> None:
    members = asked.members
    other = build_template("won", "winner", answer={"entity": "recipient"})
    assert plan_quotas(members.blocks, [other], read_settings(named.config), prepare_forecasts(members)) == []
    assert build_contexts(named, members.words, members.blocks, [], [other]) == ([], {})


@pytest.mark.full
def test_order_and_direction_follow_the_seed_alone(named: WorldTables, but: Callable[..., WorldTables]) -> None:
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


def test_who_held_an_office_first(asked: Asked) -> None:
    rows = [row for row in asked.build_rows() if row["template_id"] == OFFICES.id]
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
