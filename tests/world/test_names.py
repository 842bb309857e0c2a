from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from everwhen.catalog.load import load_entity_lists
from everwhen.tables.facts import ENTITIES, STATEMENTS
from everwhen.tables.world import MEMBERS
from everwhen.world.members import assign_primary_lists
from everwhen.world.names import name_entities
from table_rows import Row, build_statement, build_table, build_times

pytestmark = pytest.mark.spark

DISAMBIGUATION = 4167410
NONE = "And Then There Were None"

# entity: label, list (or none), time, what comes of it (name, long name, method) or None for no name.
CASES: dict[int, tuple[str | None, str | None, Row, tuple[str, str, str] | None]] = {
    1: ("Forrest Gump", "films", build_times("1994"), ("Forrest Gump", "the film Forrest Gump", "label")),
    2: ("Titanic", "films", build_times("1997"), ("the 1997 film Titanic", "the 1997 film Titanic", "year")),
    3: ("Titanic", "films", build_times("1953-04"), ("the 1953 film Titanic", "the 1953 film Titanic", "year")),
    4: ("TITANIC", None, {}, None),
    5: ("Dracula", "books", build_times("1897"), ("the 1897 book Dracula",) * 2 + ("year",)),
    40: ("Shell", "companies", build_times("1907"), ("the company Shell",) * 2 + ("class",)),
    41: ("shell", None, {}, None),
    # A title without a year has its class.
    42: ("Emma", "books", {"reason": "no time stated"}, ("the book Emma",) * 2 + ("class",)),
    43: ("Emma", "films", build_times("2020"), ("the 2020 film Emma",) * 2 + ("year",)),
    6: ("dracula", None, {}, None),
    # A third of unknown year could be any of them.
    7: ("Hamlet", "films", build_times("1990"), None),
    8: ("Hamlet", "films", build_times("1996"), None),
    9: ("Hamlet", "films", {"reason": "no time stated"}, None),
    # Same year.
    10: ("Crash", "films", build_times("2004-01-01"), None),
    11: ("crash", "films", build_times("2004-05"), None),
    # A time that spans years may lie in either.
    12: ("Heat", "films", build_times("1995"), None),
    13: ("Heat", "films", build_times("1990s"), None),
    # An alias of another one of the list is taken, one of another list or of its own is not.
    50: ("The Outsider", "books", build_times("1942"), ("the 1942 book The Outsider",) * 2 + ("year",)),
    51: ("L'Étranger", "books", build_times("1950"), ("L'Étranger", "the book L'Étranger", "label")),
    52: ("Stranger", "films", build_times("1967"), ("Stranger", "the film Stranger", "label")),
    53: ("The Ocean", "films", build_times("2000"), None),
    54: ("Sea", "films", build_times("2000"), ("Sea", "the film Sea", "label")),
    # A head of state is a person too.
    55: ("Bush", "heads_of_state", build_times("1924", extent="open"), ("Bush (born 1924)",) * 2 + ("year",)),
    56: ("Vannevar", "persons", build_times("1890", extent="open"), ("Vannevar", "Vannevar", "label")),
    57: ("Vannevar Bush", None, {}, ("Vannevar Bush", "Vannevar Bush", "label")),
    # Former states have the names of those of today.
    58: ("France", "countries", build_times("1958"), ("France", "France", "label")),
    59: ("Kingdom of France", "countries", build_times("0987"), ("the Kingdom of France",) * 2 + ("label",)),
    # A list without a class form: with the year at once.
    14: ("John Smith", "persons", build_times("1950", extent="open"), ("John Smith (born 1950)",) * 2 + ("year",)),
    15: ("John Smith", "persons", build_times("1960", extent="open"), ("John Smith (born 1960)",) * 2 + ("year",)),
    # Wikimedia's own page bears the label, but is no thing.
    16: ("Mercury", "films", build_times("2018"), ("Mercury", "the film Mercury", "label")),
    17: ("Mercury", None, {}, None),
    # Articles.
    18: ("1988 Summer Olympics", "olympic_games", build_times("1988"), ("the 1988 Summer Olympics",) * 2 + ("label",)),
    19: ("The Hague", None, {}, ("The Hague", "The Hague", "label")),
    20: ("United States", "countries", build_times("1776"), ("the United States", "the United States", "label")),
    83: ("Battle of Raqqa (2017)", "battles", build_times("2017"), ("the 2017 Battle of Raqqa",) * 2 + ("label",)),
    84: ("Gaza War (2008–2009)", "wars", build_times("2008"), ("the 2008–2009 Gaza War",) * 2 + ("label",)),
    80: ("University of Oslo", "universities", build_times("1811"), ("the University of Oslo",) * 2 + ("label",)),
    81: ("School of Rock", "films", build_times("2003"), ("School of Rock", "the film School of Rock", "label")),
    82: ("National Bank of Fiji", "companies", build_times("1974"), ("the National Bank of Fiji",) * 2 + ("label",)),
    21: (
        "Lauda Air Flight 004",
        "aviation_accidents",
        build_times("1991"),
        ("the crash of Lauda Air Flight 004",) * 2 + ("label",),
    ),
    39: (
        "Ramstein air show disaster",
        "aviation_accidents",
        build_times("1988"),
        ("the Ramstein air show disaster",) * 2 + ("label",),
    ),
    22: ("Chernobyl disaster", "disasters", build_times("1986"), ("the Chernobyl disaster",) * 2 + ("label",)),
    23: ("2000 AD", "companies", build_times("1977"), ("2000 AD", "2000 AD", "label")),
    # No label to speak of.
    24: ("", "films", build_times("1999"), None),
    25: (None, "films", build_times("1999"), None),
    26: ("  ", "films", build_times("1999"), None),
    # Labels that read as a missing value or an id.
    30: ("None", "films", build_times("1999"), None),
    31: ("Q42", "films", build_times("1999"), None),
    32: (NONE, "books", build_times("1939"), (NONE, f"the book {NONE}", "label")),
    # Labels that would end a line, or move a terminal's cursor; what is written from right to left does neither.
    33: ("Hat\nDate", "films", build_times("1999"), None),
    34: ("Hat\tDate", "films", build_times("1999"), None),
    35: ("\x1b[31mHat", "films", build_times("1999"), None),
    36: ("Hat\u2028Date", "films", build_times("1999"), None),
    37: ("Hat\x85Date", "films", build_times("1999"), None),
    38: ("\u200fשלום 💥", "films", build_times("1999"), ("\u200fשלום 💥", "the film \u200fשלום 💥", "label")),
    # What templates write with is no more than a label here.
    27: (
        "{year} $1 \\1 {label}",
        "films",
        build_times("2001"),
        ("{year} $1 \\1 {label}", "the film {year} $1 \\1 {label}", "label"),
    ),
    28: ("{year}", "films", build_times("2001"), ("the 2001 film {year}",) * 2 + ("year",)),
    29: ("{year}", "films", build_times("2002"), ("the 2002 film {year}",) * 2 + ("year",)),
}


ALIASES = {
    51: ["the outsider"],
    52: ["Stranger", "STRANGER"],
    54: ["the Ocean"],
    56: ["Bush"],
    57: ["Vannevar"],
    59: ["France"],
    1: ["L'étranger"],
}


def test_one_name_fits_one_subject(spark: SparkSession) -> None:
    lists = load_entity_lists()
    entities = [{"item": n, "label": label, "aliases": ALIASES.get(n, [])} for n, (label, *_) in CASES.items()]
    in_lists = [{"list": name, "entity": n} | time for n, (_, name, time, _) in CASES.items() if name]
    in_lists += [{"list": "persons", "entity": 55} | build_times("1924", extent="open")]
    members = build_table(spark, MEMBERS, in_lists)
    wikimedia = build_table(spark, STATEMENTS, [build_statement(17, 31, DISAMBIGUATION), build_statement(1, 31, 11424)])
    found = name_entities(
        build_table(spark, ENTITIES, entities), members, assign_primary_lists(members, lists), wikimedia, lists
    ).collect()
    assert {row.entity: (row.name, row.long_name, row.method) for row in found} == {
        n: expected for n, (*_, expected) in CASES.items() if expected
    }
    assert all(row.label == CASES[row.entity][0] for row in found)
    spoken = [row.name.lower() for row in found]
    assert len(spoken) == len(set(spoken)) == len(found)
