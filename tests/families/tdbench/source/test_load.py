"""Declarations: what is read, and what is refused with file, line and key."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from everwhen.core.errors import InputError
from everwhen.families.tdbench.source.load import SHIPPED, load_declaration, load_declarations

GOOD = """table: leaders
from: {file: leaders.csv}
time:
  start: Start
  end: End
  as_of: 2025-01-02
tfds: [{given: [Country, Role], determines: [Name]}]
"""


def write(folder: Path, text: str, header: str = "Country,Role,Name,Start,End") -> Path:
    (folder / "leaders.csv").write_text(header + "\n", encoding="utf-8")
    path = folder / "leaders.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_declaration_knows_its_file_and_the_columns_of_values(tmp_path: Path) -> None:
    declaration = load_declaration(write(tmp_path, GOOD))
    assert declaration.path == tmp_path / "leaders.yaml"
    assert declaration.columns == ("Country", "Role", "Name")
    assert declaration.used_columns == ("Country", "Role", "Name")


def test_an_end_is_a_handover_and_an_empty_one_open_by_default(tmp_path: Path) -> None:
    time = load_declaration(write(tmp_path, GOOD)).time
    assert (time.ends, time.empty_end, time.precision) == ("handover", "ongoing", "by_form")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("  as_of", "  asof", ":6: time.asof: unknown key; did you mean as_of?"),
        (
            "[Country, Role]",
            "[Contry, Role]",
            r":7: tfds[1].given[1]: the table has no column Contry; did you mean Country?",
        ),
        ("start: Start", "start: Begin", ":4: time.start: the table has no column Begin; there are Country,"),
        ("leaders.csv", "rulers.csv", "/rulers.csv: no such file"),
        ("table: leaders", "table: ../leaders", ":1: table: letters, digits, - and _ are expected"),
        ("2025-01-02", "2025", ":6: time.as_of: a day is expected, such as 2025-01-02, found 2025"),
        ("determines: [Name]", "determines: [Start]", "Start is a column of times"),
        ("determines: [Name]", "determines: []", "1 or more entries are expected"),
        ("determines: [Name]", "determines: [Role]", "determines: Role is given, too"),
        ("as_of: 2025-01-02", "since: 2026-01-01\n  as_of: 2025-01-02", "since: 2026-01-01 is after as_of, 2025-01-02"),
        ("end: End", "end: Start", "start and end are the same column"),
        ("{file: leaders.csv}", "{file: leaders.csv, world: 39}", "found file and world"),
        ("{file: leaders.csv}", "{database: x.duckdb}", "database needs either table or query"),
        ("as_of: 2025-01-02", "since: 2000-06-01", ":3: time: since: the first of January of a year is expected"),
        ("{file: leaders.csv}", "{file: leaders.csv, complete: true}", "complete needs world: 39 or 166"),
        ("as_of: 2025-01-02", "padded: decade", "time.padded: month or year is expected"),
        ("tfds: [{given", "rejected: line\ntfds: [{given", "rejected: key or row is expected"),
        ("as_of: 2025-01-02", "precision: hour", "time.precision: by_form, day, month or year is expected, or columns"),
        ("as_of: 2025-01-02", "precision: {colum: P}", "time.precision.colum: unknown key; did you mean column?"),
        ("as_of: 2025-01-02", "formats: ['%d/%m/%y']", "%y, a year of two digits, says no century"),
        ("as_of: 2025-01-02", "formats: ['%d %Y']", "time.formats: %d %Y: a year is expected (%Y), or"),
        ("as_of: 2025-01-02", "formats: ['%Q%Y']", "%Q is unknown; there are %d, %m, %Y"),
        ("as_of: 2025-01-02", "formats: ['%Y%Y']", "time.formats: %Y%Y: a directive is given twice"),
        ("as_of: 2025-01-02", "open_words: [a]\n  empty_words: [A]", "empty_words: a is in open_words, too"),
        ("{file: leaders.csv}", "{file: leaders.csv, delimiter: '\"'}", "a quotation mark or a line break separates"),
    ],
)
def test_a_fault_is_named_with_file_line_and_key(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = write(tmp_path, GOOD.replace(old, new))
    with pytest.raises(InputError, match=re.escape(message)) as raised:
        load_declaration(path)
    assert str(raised.value).startswith(f"{path}:")
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("key", "line", "wrong"), [("time", 3, "tiem"), ("from", 2, "form")])
def test_a_key_that_is_nearly_right_is_suggested(tmp_path: Path, key: str, line: int, wrong: str) -> None:
    path = write(tmp_path, GOOD.replace(f"{key}:", f"{wrong}:"))
    with pytest.raises(InputError) as raised:
        load_declaration(path)
    assert f"{path}:{line}: {wrong}: unknown key; did you mean {key}?" in str(raised.value).splitlines()


def test_each_fault_has_a_line_in_the_order_of_the_file(tmp_path: Path) -> None:
    text = GOOD.replace("start: Start", "start: Strat").replace("[Name]", "[Nam]")
    with pytest.raises(InputError) as raised:
        load_declaration(write(tmp_path, text))
    assert [line.split(": ")[1] for line in str(raised.value).splitlines()] == ["time.start", "tfds[1].determines[1]"]


def test_a_slot_of_a_phrase_is_a_column(tmp_path: Path) -> None:
    words = "words: {begin: 'became {Rol}', end: 'x', is: 'y', was: 'z'}\n"
    with pytest.raises(InputError, match=re.escape("words.begin: the table has no column Rol; did you mean Role?")):
        load_declaration(write(tmp_path, GOOD + words))


@pytest.mark.parametrize(("header", "fault"), [("Country,Country", "occurs twice"), ("Country,,Role", "has no name")])
def test_each_column_has_a_name_of_its_own(tmp_path: Path, header: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        load_declaration(write(tmp_path, GOOD, header))


def test_a_byte_order_mark_is_no_part_of_the_first_column(tmp_path: Path) -> None:
    assert load_declaration(write(tmp_path, GOOD, "\ufeffCountry,Role,Name,Start,End")).columns[0] == "Country"


def test_a_table_of_a_database_gives_its_columns(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "x.duckdb")) as db:
        db.execute('CREATE TABLE "a table" ("Country" TEXT, "Role" TEXT, "Name" TEXT, "Start" DATE, "End" DATE)')
    text = GOOD.replace("{file: leaders.csv}", "{database: x.duckdb, table: a table}")
    assert load_declaration(write(tmp_path, text)).columns == ("Country", "Role", "Name")


def test_a_query_reads_no_other_file(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "x.duckdb")) as db:
        db.execute("CREATE TABLE t (Country TEXT)")
    query = f"SELECT * FROM read_csv('{tmp_path}/leaders.csv')"
    text = GOOD.replace("{file: leaders.csv}", f'{{database: x.duckdb, query: "{query}"}}')
    with pytest.raises(InputError, match="cannot be read"):
        load_declaration(write(tmp_path, text))


def write_games(folder: Path) -> None:
    (folder / "games.csv").write_text("Game,Host,Start\n")
    (folder / "games.yaml").write_text(
        "table: games\nfrom: {file: games.csv}\ntime: {start: Start}\nfds: [{given: [Game], determines: [Host]}]\n"
    )


def test_a_join_brings_the_other_declaration_once(tmp_path: Path) -> None:
    write(tmp_path, GOOD + "joins: [{with: games.yaml, by: {Country: Host}}]\n")
    write_games(tmp_path)
    loaded = load_declarations([tmp_path / "leaders.yaml", tmp_path / "games.yaml"])
    assert [declaration.name for declaration in loaded] == ["leaders", "games"]


@pytest.mark.parametrize(
    ("join", "message"),
    [
        ("{with: nothing.yaml, by: {Country: Host}}", "joins[1].with: nothing.yaml: no such declaration"),
        ("{with: games.yaml, by: {Country: Hots}}", "joins[1].by.Country: the table games has no column Hots"),
        ("{with: leaders.yaml, by: {Country: Country}}", "joins[1].with: this is the declaration itself"),
    ],
)
def test_a_join_names_columns_of_a_declaration(tmp_path: Path, join: str, message: str) -> None:
    write_games(tmp_path)
    path = write(tmp_path, f"{GOOD}joins: [{join}]\n")
    with pytest.raises(InputError, match=re.escape(message)):
        load_declarations([path])


def test_two_declarations_have_two_names(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD)
    (tmp_path / "other.yaml").write_text(GOOD)
    with pytest.raises(InputError, match="leaders is the name of"):
        load_declarations([path, tmp_path / "other.yaml"])


@pytest.mark.parametrize("path", sorted(SHIPPED.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_declaration_that_everwhen_brings_is_found_by_its_name(path: Path) -> None:
    declaration = load_declaration(path.stem)
    assert (declaration.name, declaration.path) == (path.stem, path)


def test_a_name_that_is_nearly_right_is_suggested() -> None:
    with pytest.raises(InputError, match="ofices: no such declaration; did you mean offices"):
        load_declaration("ofices")
