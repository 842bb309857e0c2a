"""Dependencies and joins: by one pass over the rows, and by comparing every pair of them."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path

import pytest

from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.inspection.joins import join_events
from everwhen.families.tdbench.keys.dependencies import (
    Key,
    count_keys,
    find_broken_keys,
    find_contradictions,
    find_tfds,
    find_unclear_keys,
)
from everwhen.families.tdbench.keys.unasked import select_unasked_keys
from everwhen.families.tdbench.scopes import derive_scopes
from everwhen.families.tdbench.source.load import load_declaration, load_declarations
from everwhen.families.tdbench.source.open_table import open_table

Declare = Callable[..., Declaration]
HEADER = "Key,Value,Start,End\n"
SPAN = "start: Start, end: End, as_of: 2025-01-02"
DECLARATIONS = Path(__file__).parent.parent / "declarations"


def find(declaration: Declaration) -> tuple[list[Key], list[Key]]:
    with open_table(declaration) as table:
        return find_broken_keys(table, ["Key"], ["Value"]), find_unclear_keys(table, ["Key"], ["Value"])


@pytest.mark.parametrize(
    ("rows", "is_broken"),
    [
        ("k,a,2001-01-01,2002-01-01\nk,b,2002-01-01,2003-01-01", False),
        ("k,a,2001-01-01,2002-01-02\nk,b,2002-01-01,2003-01-01", True),
        ("k,a,2001-01-01,2002-01-02\nk,a,2002-01-01,2003-01-01", False),
        ("k,a,2001-01-01,2002-01-02\nm,b,2002-01-01,2003-01-01", False),
        ("k,a,2001-01-01,\nk,b,2010-01-01,2011-01-01", True),
        ("k,a,2001-01-01,2010-01-01\nk,a,2002-01-01,2003-01-01\nk,b,2005-01-01,2006-01-01", True),
        ("k,a,2001-01-01,2002-01-01\nk,b,2001-06-01,2001-06-01", False),
    ],
)
def test_a_key_is_broken_by_more_than_a_handover(declare: Declare, rows: str, is_broken: bool) -> None:
    assert find(declare(f"{HEADER}{rows}\n", SPAN)) == ([("k",)] if is_broken else [], [])


@pytest.mark.parametrize(
    ("rows", "is_broken", "is_unclear"),
    [
        ("k,a,2001,2005\nk,b,2005,2009", False, False),
        ("k,a,2001,2005\nk,b,2005-03,2009", False, True),
        ("k,a,2001,2005\nk,b,2004,2009", True, False),
        ("k,a,2001,2005-06\nk,b,2005,2009", False, True),
        ("k,a,2001,2005\nk,b,2006,2009", False, False),
    ],
)
def test_coarse_dates_may_break_a_key(declare: Declare, rows: str, is_broken: bool, is_unclear: bool) -> None:
    broken, unclear = find(declare(f"{HEADER}{rows}\n", SPAN))
    assert (bool(broken), bool(unclear)) == (is_broken, is_unclear)


def test_an_inclusive_end_is_shared_where_the_next_row_starts_on_it(declare: Declare) -> None:
    csv = f"{HEADER}k,a,2001-01-01,2001-12-31\nk,b,2001-12-31,2003-01-01\n"
    csv += "m,a,2001-01-01,2001-12-31\nm,b,2002-01-01,2003\n"
    assert find(declare(csv, f"{SPAN}, ends: inclusive")) == ([("k",)], [])


def test_points_of_one_day_break_their_key(declare: Declare) -> None:
    csv = "Key,Value,Start\nk,a,2001-01-01\nk,b,2001-01-01\nm,a,2001-01-01\nm,b,2001-01-02\nn,a,2001\nn,b,2001-05\n"
    assert find(declare(csv, "start: Start")) == ([("k",)], [("n",)])


def test_a_dependency_without_time_is_contradicted_at_any_time(declare: Declare) -> None:
    with open_table(declare(f"{HEADER}k,a,2001,2002\nk,b,2003,2004\nm,a,2001,2002\n", SPAN)) as table:
        assert find_contradictions(table, ["Key"], ["Value"]) == [("k",)]


def test_the_dependencies_that_hold_are_minimal(declare: Declare) -> None:
    csv = (
        "Country,Role,Name,Start,End\nA,King,x,2001-01-01,2003-01-01\nA,King,y,2003-01-01,2004-01-01\n"
        "A,Premier,z,2001-01-01,2004-01-01\nB,King,z,2001-01-01,2004-01-01\nB,Premier,y,2001-01-01,2002-01-01\n"
    )
    declaration = declare(csv, SPAN, "tfds: [{given: [Country, Role], determines: [Name]}]")
    with open_table(declaration) as table:
        found = {(tfd.given, tfd.determined): (tfd.keys, tfd.most_rows) for tfd in find_tfds(table)}
    assert found[("Country", "Role"), "Name"] == (4, 2)
    assert not [given for given, _ in found if set(given) > {"Country", "Role"}]
    assert (("Country",), "Name") not in found


def draw_table(seed: int) -> str:
    """Rows of forty keys at exact and coarse dates."""
    draw = random.Random(seed)
    lines = []
    for number in range(120):
        start = date(2000, 1, 1) + timedelta(draw.randrange(3000))
        end = start + timedelta(draw.randrange(600))
        width = draw.choice([4, 7, 10, 10, 10])
        stated = "" if draw.random() < 0.05 else end.isoformat()[:width]
        lines.append(f"{draw.randrange(40)},{draw.choice('abc')},{start.isoformat()[:width]},{stated},{number % 3}")
    return "Key,Value,Start,End,Note\n" + "\n".join(lines) + "\n"


def compare_pairs(declaration: Declaration) -> list[Key]:
    """The broken keys, by comparing every pair of rows."""
    with open_table(declaration) as table:
        rows = table.db.execute(
            "SELECT fields['Key'], fields['Value'], latest_start, coalesce(earliest_end, DATE '9999-12-31') FROM rows"
        ).fetchall()
    sure = [row for row in rows if row[2] < row[3]]
    return sorted(
        {
            (a[0],)
            for a, b in combinations(sure, 2)
            if a[0] == b[0] and a[1] != b[1] and max(a[2], b[2]) < min(a[3], b[3])
        }
    )


@pytest.mark.parametrize("seed", range(6))
def test_one_pass_finds_what_every_pair_of_rows_shows(declare: Declare, seed: int) -> None:
    declaration = declare(draw_table(seed), SPAN)
    broken, _ = find(declaration)
    assert broken == compare_pairs(declaration)
    assert 0 < len(broken) < 40


def test_a_column_without_values_determines_nothing(declare: Declare) -> None:
    csv = "Key,Value,Note,Start,End\nk,a,,2001,2005\nm,b,,2001,2005\nk,c,,2005,2009\n"
    with open_table(declare(csv, SPAN)) as table:
        assert {tfd.given for tfd in find_tfds(table)} == {("Key",)}


def find_unasked(declarations: list[Declaration], reason: str) -> set[tuple[str, Key]]:
    """The keys that scopes do not ask for a reason: ids of scopes with keys."""
    scopes, found = derive_scopes(declarations), set()
    for declaration in declarations:
        with open_table(declaration) as table:
            for query in select_unasked_keys(table, scopes):
                for scope, _, key, why, _ in table.db.execute(query).fetchall():
                    found |= {(scope, tuple(key))} if why == reason else set()
    return found


def test_keys_that_read_alike_are_found(declare: Declare) -> None:
    rows = "k,a,One,2001\nK,b,One,2002\nm,a,Two,2001\nn,b,two,2001\no,c,Three,2001\n"
    rows += "É,c,Two,2001\né,d,Two,2001\nE,e,Two,2001\n"
    rest = (
        "tfds: [{given: [Key], determines: [Value]}]\nsets: [{given: [Note], asked: [Key]}]\n"
        "words: {values: {Note: {Three: two}}}"
    )
    declarations = [declare(f"Key,Value,Note,Start\n{rows}", "start: Start", rest)]
    names = {scope.scope_id: ",".join(scope.key) for scope in derive_scopes(declarations)}
    assert {(names[scope], *key) for scope, key in find_unasked(declarations, "ambiguous")} == {
        *(("Key", key) for key in ("k", "K", "É", "é", "E")),
        *(("Note", note) for note in ("Two", "two", "Three")),
    }


def test_broken_keys_are_asked_for_sets_alone_and_others_by_the_dependency(declare: Declare) -> None:
    rest = "tfds: [{given: [Key], determines: [Value], broken: sets}, {given: [Key, Note], determines: [Value]}]"
    rest += "\ncounts: [{given: [Key], asked: Value, of: rows}, {given: [Key, Note], asked: Value, of: rows}]"
    declarations = [declare(draw_table(seed), SPAN, rest, f"t{seed}") for seed in range(3)]
    points = "Key,Value,Note,Start\nk,a,1,2001-01-01\nk,b,1,2001-01-01\nm,a,1,2001-01-01\nm,b,1,2001-01-02\n"
    declarations.append(declare(points, "start: Start", rest, "points"))
    expected = set()
    for declaration in declarations:
        with open_table(declaration) as table:
            keys = {tuple(row) for row in table.db.execute("SELECT DISTINCT fields['Key'] FROM rows").fetchall()}
            first = set(find_broken_keys(table, ["Key"], ["Value"]))
            second = find_broken_keys(table, ["Key", "Note"], ["Value"])
        expected |= {(f"{declaration.name}/1", key) for key in first}
        expected |= {(f"{declaration.name}/{scope}", key) for scope in (2, 5) for key in second}
        expected |= {(f"{declaration.name}/3", key) for key in keys - first}
    assert [scope.kind for scope in derive_scopes(declarations)[:5]] == ["tfd", "tfd", "set", "count", "count"]
    assert find_unasked(declarations, "broken") == expected


@pytest.mark.parametrize(("broken", "left_out"), [("sets", set()), ("drop", {("t/2", ("k",))})])
def test_keys_that_are_kept_for_sets_are_counted(declare: Declare, broken: str, left_out: set[tuple[str, Key]]) -> None:
    rest = f"tfds: [{{given: [Key], determines: [Value], broken: {broken}}}]\ncounts: [{{given: [Key], asked: Value}}]"
    declaration = declare("Key,Value,Start\nk,a,2001-01-01\nk,b,2001-01-01\nm,a,2001-01-01\n", "start: Start", rest)
    count = next(scope.scope_id for scope in derive_scopes([declaration]) if scope.kind == "count")
    assert {pair for pair in find_unasked([declaration], "broken") if pair[0] == count} == left_out


@pytest.fixture
def real(shared_data: Path, tmp_path: Path) -> Path:
    """Declarations of the tables in TDBench's release, beside the tables."""
    for folder in (shared_data / "temporal_tables", DECLARATIONS):
        for file in folder.iterdir():
            shutil.copy(file, tmp_path)
    return tmp_path


def test_leaders_has_78_keys_of_which_6_are_broken(real: Path) -> None:
    with open_table(load_declaration(real / "leaders.yaml")) as table:
        key = ["Country", "Role"]
        assert count_keys(table, key) == 78
        assert len(find_broken_keys(table, key, ["Name"])) == 6
        assert table.count("SELECT count(*) FROM rows WHERE latest_end IS NULL") == 78
        assert table.db.execute("SELECT reason FROM rejects").fetchall() == [("duplicate row",)]


def test_if_handovers_counted_70_keys_of_leaders_would_be_broken(real: Path) -> None:
    path = real / "leaders.yaml"
    path.write_text(path.read_text().replace("ends: handover", "ends: inclusive"))
    with open_table(load_declaration(path)) as table:
        assert len(find_broken_keys(table, ["Country", "Role"], ["Name"])) == 70


@pytest.mark.parametrize(("same", "keys", "rows"), [(True, 29, 30), (False, 21, 22)])
def test_leaders_joins_with_the_olympic_games(real: Path, same: bool, keys: int, rows: int) -> None:
    path = real / "leaders.yaml"
    if not same:
        text = path.read_text()
        start, end = text.index("    same:"), text.index("words:")
        path.write_text(text[:start] + text[end:])
    leaders, olympic = load_declarations([path])
    derived = [scope for scope in derive_scopes([leaders, olympic]) if scope.kind == "derived"]
    with open_table(leaders) as ours, open_table(olympic) as other:
        two, three = (join_events(ours, other, scope) for scope in derived)
    assert (two.keys, two.rows, two.changed) == (keys, rows, (("Sydney 2000", "monarch"),))
    assert (three.scope.hops, three.keys, three.rows) == (3, keys, rows)


def test_legal_has_one_open_row_a_key(real: Path) -> None:
    with open_table(load_declaration(real / "legal.yaml")) as table:
        rows = table.count("SELECT count(*) FROM rows WHERE latest_end IS NULL")
        assert count_keys(table, ["Country", "Law_type"]) == rows == table.input_count == 121
