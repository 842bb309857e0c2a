"""`everwhen tdbench check`: what it prints, writes and refuses."""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from everwhen.core import progress
from everwhen.core.errors import InputError
from everwhen.families.tdbench.commands import check
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.source.times import NO_DIGIT

Declare = Callable[..., Declaration]
HEADER = "Key,Value,Start,End\n"
SPAN = "start: Start, end: End, as_of: 2025-01-02"
BROKEN = f"{HEADER}k,a,2001-01-01,2003-01-01\nk,b,2002-01-01,2003-01-01\nm,[red]c,2001-01-01,\nm,d,never,\n"
DECLARATIONS = Path(__file__).parent.parent / "declarations"


def run(*arguments: str) -> None:
    parser = argparse.ArgumentParser()
    check.add_arguments(parser)
    check.run(parser.parse_args([*arguments], argparse.Namespace(quiet=False)))


def test_it_prints_broken_keys_with_rows_and_rejects_with_lines(
    declare: Declare, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    run(str(declare(BROKEN, SPAN).path))
    printed = capsys.readouterr().out
    assert "TFD Key →T Value: 2 keys, 1 broken (not asked)" in printed
    assert "2002-01-01" in printed
    assert "unreadable date … in Start" in printed
    assert "3 of 4 records, 0 duplicates" in printed
    assert "1, as of 2025-01-02" in printed


def test_it_writes_all_that_was_found(declare: Declare, tmp_path: Path) -> None:
    run(str(declare(BROKEN, SPAN).path), "--json", str(tmp_path / "report.json"))
    found = json.loads((tmp_path / "report.json").read_text())["t"]
    assert (found["records"], found["rows"], found["open_rows"]) == (4, 3, 1)
    assert found["rejects"] == [
        {"line": 5, "reason": f"unreadable date never in Start: {NO_DIGIT}", "text": "m,d,never,"}
    ]
    ((key, rows),) = found["tfds"][0]["broken"]
    assert (key, [row["line"] for row in rows]) == (["k"], [2, 3])


def test_a_broken_key_has_the_rows_in_conflict_by_their_starts(declare: Declare, tmp_path: Path) -> None:
    csv = f"{HEADER}m,b,2002,2004\nk,b,2002,2004\nz,a,2001,2002\nm,a,2001,2003\nk,a,2001,2003\nm,c,1999,2000\n"
    run(str(declare(csv, SPAN).path), "--json", str(tmp_path / "report.json"))
    broken = json.loads((tmp_path / "report.json").read_text())["t"]["tfds"][0]["broken"]
    shown = ("line", "stated_start", "conflicts_with")
    assert [(key, [tuple(row[name] for name in shown) for row in rows]) for key, rows in broken] == [
        (["k"], [(6, "2001", 3), (3, "2002", 6)]),
        (["m"], [(5, "2001", 2), (2, "2002", 5)]),
    ]


def test_progress_names_the_next_step(
    declare: Declare, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    run(str(declare(BROKEN, SPAN).path))
    lines = capsys.readouterr().err.splitlines()
    stages = ["reading", "keys of Key", "what Key determines", "what Value determines", "what Key, Value determine"]
    assert len(lines) == len(stages)
    for done, (line, stage) in enumerate(zip(lines, stages, strict=True)):
        assert line.startswith(f"  tdbench check, t: {stage}: {done} of 5")


def test_it_ends_with_an_error_behind_its_report_where_no_key_can_be_asked(
    declare: Declare, capsys: pytest.CaptureFixture[str]
) -> None:
    declaration = declare(f"{HEADER}k,a,2001,\nk,b,never,\n", SPAN)
    with pytest.raises(InputError, match=r"no key is asked, .* belong to each of them; t\.csv:3: "):
        run(str(declaration.path))
    assert "1 of 1 keys may lack a rejected record" in capsys.readouterr().out


def test_keys_that_lack_one_record_are_in_one_line(declare: Declare, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"k{number},a,2001,\n" for number in range(10))
    with pytest.raises(InputError):
        run(str(declare(f'{HEADER}{rows}"k,b,2002,\n', SPAN).path))
    assert capsys.readouterr().out.count("a quotation mark that is opened and not closed: k0; k1; ") == 1


def test_a_narrow_screen_cuts_nothing_of_a_record(
    declare: Declare, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    run(str(declare(f"{HEADER}m,a,2001,\nk,{'q' * 60},2001-01-01,never\n", SPAN).path))
    table = capsys.readouterr().out.split("line    reason")[1]
    assert table.split("next:")[0].count("q") == 60


def test_markup_and_control_characters_do_nothing(declare: Declare, capsys: pytest.CaptureFixture[str]) -> None:
    run(str(declare(f'{HEADER}k,[red]a,2001,\nk,"\x1b[31mb",2002,\nk,"[/]",never,\nm,a,2001,\n', SPAN).path))
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert "[/]" in printed


def test_a_dependency_that_no_key_satisfies_is_refused(declare: Declare) -> None:
    declaration = declare(f"{HEADER}k,a,2001,2005\nk,b,2002,2007\n", SPAN)
    with pytest.raises(InputError, match=r"t\.yaml:4: tfds\[1\]: no key satisfies it: all 1 have rows"):
        run(str(declaration.path))


def test_a_broken_key_is_refused_behind_the_report_where_the_declaration_says_so(
    declare: Declare, capsys: pytest.CaptureFixture[str]
) -> None:
    declaration = declare(BROKEN, SPAN, "tfds: [{given: [Key], determines: [Value], broken: fail}]")
    reason = r"tfds\[1\].broken: 1 of 2 keys contradict it \(broken: fail\), such as k \(lines 2, 3\)"
    with pytest.raises(InputError, match=reason):
        run(str(declaration.path))
    assert "2 keys, 1 broken (not allowed)" in capsys.readouterr().out


def test_an_empty_join_is_refused_with_the_values_that_are_missing(declare: Declare, tmp_path: Path) -> None:
    declare(
        "Event,Place,Start\ne,elsewhere,2001-06-01\n",
        "start: Start",
        "fds: [{given: [Event], determines: [Place]}]",
        "e",
    )
    rest = "tfds: [{given: [Key], determines: [Value]}]\njoins: [{with: e.yaml, by: {Key: Place}}]"
    declaration = declare(f"{HEADER}k,a,2001,2003\n", SPAN, rest)
    with pytest.raises(InputError, match=r"joins\[1\].by: no row shares a day with a row of e: .* elsewhere; map"):
        run(str(declaration.path))


def test_a_declaration_that_reads_our_world_is_left_to_the_build(capsys: pytest.CaptureFixture[str]) -> None:
    run("awards")
    assert "awards reads our world" in capsys.readouterr().out


def test_a_real_table_is_reported(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in (shared_data / "temporal_tables", DECLARATIONS):
        for file in folder.iterdir():
            shutil.copy(file, tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    run(str(tmp_path / "leaders.yaml"))
    printed = capsys.readouterr().out
    assert "78 keys, 6 broken" in printed
    assert "29 keys, 30 rows, 2 hops; not asked, as hands changed: Sydney 2000, monarch" in printed
    assert "Israel,Prime Minister,Yitzhak Shamir,1986-10-20,1992-07-13" in printed


def test_it_names_the_values_that_the_scorer_does_not_recognise(
    declare: Declare, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    values = ("???", ".", "\u2014", "I don't know", "N/A", "Nobody", "Ines Kerr")
    rows = "".join(f"k{n},{value},200{n},2009\n" for n, value in enumerate(values))
    run(str(declare(HEADER + rows, SPAN).path))
    printed = capsys.readouterr().out
    expected = (
        "Value: not asked for, as the scorer does not recognise them as an answer (4): .; ???; I don't know; \u2014"
    )
    assert expected in printed


def test_it_says_nothing_of_values_that_are_all_recognised(
    declare: Declare, capsys: pytest.CaptureFixture[str]
) -> None:
    run(str(declare(f"{HEADER}k,Ines Kerr,2001,2002\n", SPAN).path))
    assert "recognise" not in capsys.readouterr().out
