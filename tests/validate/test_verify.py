"""The independent check finds what is wrong, names it, and needs neither Spark nor the code that made the rows."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import tiny
from everwhen.core.errors import InputError, MachineFailed, ValidationFailed
from everwhen.validate.rules import Rule
from everwhen.validate.verification import CHECKS
from everwhen.validate.verify import verify
from everwhen.validate.views import MadeWith, opened
from tiny import CRASH, DESCRIPTIONS, FACTS, FLIGHT, RULES, SOUND, STRIKE, WAR, frame, statement, write_dataset


def check(folder: Path, **options: Any) -> Any:
    return verify(folder, RULES, DESCRIPTIONS, **options)


def changed(template: str, **changes: Any) -> list[dict[str, Any]]:
    """All sound rows, one of them changed."""
    return [{**row, **(changes if name == template else {})} for name, row in SOUND.items()]


def test_sound_rows_pass(tmp_path: Path) -> None:
    found = check(write_dataset(tmp_path))
    assert [str(row) for row in found.first] == []
    assert (found.rows, found.asked, found.checked, found.wrong) == (6, 6, 6, 0)
    assert found.by_check == dict.fromkeys(CHECKS, 0)
    assert found.templates == {name: {"rows": 1, "wrong": 0} for name in sorted(SOUND)}
    assert found.passed
    found.require()


def test_the_result_is_data(tmp_path: Path) -> None:
    data = json.loads(json.dumps(check(write_dataset(tmp_path, changed("start", answer=["1989"]))).as_json()))
    assert list(data) == [
        *("dataset", "rows", "asked", "checked", "wrong", "by_check", "templates", "seconds", "first", "changed_files"),
    ]
    assert data["first"] == [
        {
            "question_id": 1,
            "template": "start",
            "check": "answer",
            "question": "When did the Gulf War start?",
            "says": ["1989"],
            "gives": [["1990-08-02"]],
        }
    ]


@pytest.mark.parametrize(
    ("template", "changes", "name", "gives"),
    [
        pytest.param("start", {"answer": ["1989"]}, "answer", [["1990-08-02"]], id="another-answer"),
        pytest.param("director", {"answer": []}, "answer", [["Robert Zemeckis"]], id="empty-answer"),
        pytest.param("start", {"rating": 1}, "rating", 0, id="popular-called-hard"),
        pytest.param("holder", {"rating": 1}, "rating", 0, id="popular-position-called-hard"),
        pytest.param("first", {"rating": 0}, "rating", 1, id="one-of-two-not-popular"),
        pytest.param("peak", {"rating": 0}, "rating", 1, id="hops-called-popular"),
        pytest.param("country", {"rating": 0}, "rating", 1, id="unnamed-called-popular"),
        pytest.param("start", {"type": "3a"}, "rating", 1, id="counting-called-popular"),
        pytest.param("first", {"question_country_entity": []}, "question_countries", [869], id="no-country"),
        pytest.param("start", {"question_country_entity": [30]}, "question_countries", [], id="a-country-too-many"),
        pytest.param("director", {"answer_country_entity": []}, "answer_countries", [30], id="no-country-of-answer"),
        pytest.param("start", {"answer_country_entity": [1]}, "answer_countries", [], id="country-of-no-answer"),
        pytest.param(
            "start",
            {"timeframe": frame("1990-08-02", None)},
            "timeframe",
            {"start": "1990-08-02", "end": "1991-02-28"},
            id="open-timeframe",
        ),
        pytest.param(
            "first", {"timeframe": CRASH}, "timeframe", {"start": "1990-08-02", "end": "1991-05-26"}, id="of-one-alone"
        ),
        pytest.param(
            "holder",
            {"timeframe": frame("1994-01-01", "1995-12-31")},
            "timeframe",
            {"start": "1994-01-01", "end": "1994-12-31"},
            id="years-of-the-text",
        ),
        pytest.param("director", {"hops": [57, 31]}, "hops", "the template has none", id="hops-of-a-template-without"),
        pytest.param("peak", {"hops": [17, 36]}, "hops", "nothing is reached from Q11", id="no-value-at-the-end"),
        pytest.param("peak", {"hops": [27, 610]}, "hops", "nothing is reached from Q11", id="no-bridge"),
        pytest.param("country", {"is_unnamed": False}, "unnamed", "something is described", id="named-after-all"),
        pytest.param("start", {"is_unnamed": True}, "unnamed", "nothing is described", id="nothing-described"),
        pytest.param(
            "country",
            {"question": "In which country did the crash with 222 deaths happen?"},
            "unnamed",
            "the facts tell 223 deaths",
            id="another-number-told",
        ),
        pytest.param(
            "country",
            {"question": "Where did lauda air flight 004, with 223 deaths, happen?"},
            "unnamed",
            "its name stands in the question",
            id="name-in-the-question",
        ),
        pytest.param(
            "country",
            {"descriptions": [{"entity": STRIKE, "key": "deaths"}]},
            "unnamed",
            "it is not asked about",
            id="described-but-not-asked",
        ),
    ],
)
def test_a_wrong_row_is_named(tmp_path: Path, template: str, changes: dict[str, Any], name: str, gives: Any) -> None:
    found = check(write_dataset(tmp_path, changed(template, **changes)))
    faults = {row.check: row.gives for row in found.first}
    assert faults[name] == gives
    assert found.by_check[name] == 1
    assert found.wrong == found.templates[template]["wrong"] == 1
    with pytest.raises(ValidationFailed, match=rf"1 of 6 wrong[\s\S]*{name}"):
        found.require()


def test_an_answer_that_the_facts_do_not_give(tmp_path: Path) -> None:
    row = {**SOUND["start"], "question_entity": [FLIGHT], "question_country_entity": [869], "timeframe": CRASH}
    found = check(write_dataset(tmp_path, [row]))
    assert [(row.check, row.gives) for row in found.first] == [("answer", []), ("rating", 1)]
    assert "the facts give nothing" in str(found.first[0])


def test_two_derivations_are_wrong(tmp_path: Path) -> None:
    twice = {**RULES, "start": replace(RULES["start"], check=RULES["start"].check.replace("best s", "statements s"))}
    found = verify(write_dataset(tmp_path), twice, DESCRIPTIONS)
    assert found.by_check["answer"] == 1
    assert found.first[0].gives == [["1970-01-01"], ["1989"], ["1990-08-02"]]


def test_the_parts_of_an_answer_have_no_order(tmp_path: Path) -> None:
    both = "SELECT question_id, ['a', 'b'] AS answer, []::VARCHAR[] AS facts FROM q"
    rules = {**RULES, "start": replace(RULES["start"], check=both)}
    assert verify(write_dataset(tmp_path, changed("start", answer=["b", "a"])), rules, DESCRIPTIONS).passed


def test_a_rival_makes_a_description_wrong(tmp_path: Path) -> None:
    found = check(write_dataset(tmp_path, facts=[*FACTS, statement(15, 31, 744913)]))
    assert [(row.check, row.says, row.gives) for row in found.first] == [
        ("unnamed", "Q11 by deaths", "1 others may fit")
    ]


def test_a_description_that_the_facts_do_not_tell(tmp_path: Path) -> None:
    found = check(write_dataset(tmp_path, facts=[f for f in FACTS if f["property"] != 1120]))
    assert [row.gives for row in found.first] == ["the facts do not tell it so"]


@pytest.mark.parametrize(
    ("second", "gives"),
    [
        pytest.param("['224 deaths'] AS told, 9", [], id="a-choice-not-taken"),
        pytest.param("['deaths'] AS told, 0", [], id="another-that-fits"),
        pytest.param("['deaths'] AS told, 9", [], id="another-with-rivals"),
        pytest.param("['deaths'] AS told, NULL", ["who else may fit is not told"], id="rivals-unknown"),
    ],
)
def test_a_description_may_choose_what_it_tells(tmp_path: Path, second: str, gives: list[str]) -> None:
    both = {"deaths": f"{DESCRIPTIONS['deaths']} UNION ALL SELECT entity, {second} AS rivals FROM d"}
    found = verify(write_dataset(tmp_path), RULES, both)
    assert [row.gives for row in found.first] == gives


@pytest.mark.parametrize(
    ("deaths", "gives"),
    [pytest.param(223, [], id="told"), pytest.param(224, ["the facts do not tell it so"], id="not")],
)
def test_a_description_may_leave_out_what_stands_in_no_question(tmp_path: Path, deaths: int, gives: list[str]) -> None:
    said = "SEMI JOIN described q ON q.entity = t.entity AND q.form = 'deaths' AND contains(q.question, t.told[1])"
    question = f"In which country did the aviation accident in 1991 with {deaths} deaths happen?"
    dataset = write_dataset(tmp_path, changed("country", question=question))
    found = verify(dataset, RULES, {"deaths": f"FROM ({DESCRIPTIONS['deaths']}) t {said}"})
    assert [row.gives for row in found.first] == gives


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("How many wars happened between 1987 and 2023?", "1987-01-01", "2023-12-31"),
        ("How many 1990 films came out from 1992 to 1996?", "1992-01-01", "1996-12-31"),
        ("Who was mayor in 1994?", "1994-01-01", "1994-12-31"),
        ("How many sequels of the 1985 play in 1986 and 7 came out in 1994?", "1994-01-01", "1994-12-31"),
        ("Who was mayor?", None, None),
    ],
)
def test_years_come_from_the_text(tmp_path: Path, text: str, start: str | None, end: str | None) -> None:
    found = check(write_dataset(tmp_path, [{**SOUND["holder"], "question": text, "timeframe": frame(start, end)}]))
    assert found.by_check["timeframe"] == 0
    other = frame("1900-01-01", end)
    found = check(write_dataset(tmp_path / "other", [{**SOUND["holder"], "question": text, "timeframe": other}]))
    assert found.by_check["timeframe"] == 1


def test_an_unknown_day_leaves_its_bound_open(tmp_path: Path) -> None:
    """The strike has a start and no end: as an event it has no time at all."""
    row = {**SOUND["first"], "question_entity": [WAR, STRIKE], "question_country_entity": []}
    found = check(write_dataset(tmp_path, [{**row, "timeframe": frame("1990-08-02", "1991-02-28")}]))
    assert [row.gives for row in found.first if row.check == "timeframe"] == [{"start": None, "end": None}]


def test_hops_of_a_comparison_start_from_both(tmp_path: Path) -> None:
    row = {**SOUND["peak"], "type": "2a", "question_entity": [FLIGHT, WAR], "timeframe": SOUND["first"]["timeframe"]}
    found = check(write_dataset(tmp_path, [row]))
    assert [(row.check, row.gives) for row in found.first] == [("hops", "nothing is reached from Q10")]


def test_hops_of_a_count_lead_somewhere_from_one_of_its_members(tmp_path: Path) -> None:
    count = "SELECT question_id, answer, []::VARCHAR[] AS facts FROM q"
    rules = {"peak": Rule("peak", 1, count, timeframe="years", hops=True)}
    text = "How many accidents happened in 1991 in countries with a highest point above 2000 m?"
    row = {**SOUND["peak"], "type": "3a", "question": text, "question_entity": [744913], "question_country_entity": []}
    row["timeframe"] = frame("1991-01-01", "1991-12-31")
    assert verify(write_dataset(tmp_path, [row]), rules).passed
    found = verify(write_dataset(tmp_path / "none", [{**row, "hops": [17, 610, 31]}]), rules)
    assert [(r.check, r.gives) for r in found.first] == [("hops", "nothing is reached from anywhere")]


def test_a_threshold_is_the_mean_of_its_class(tmp_path: Path) -> None:
    """Of two accidents in the window with 223 and 20 deaths it is 121; the third lies before it."""
    facts = [
        *FACTS,
        *(
            fact
            for n, deaths, day in ((16, 20, "1995-01-01"), (17, 900, "1980-01-01"))
            for fact in (statement(n, 31, 744913), statement(n, 585, day), statement(n, 1120, Decimal(deaths)))
        ),
    ]
    count = "SELECT question_id, answer, []::VARCHAR[] AS facts FROM q"
    rules = {"holder": Rule("holder", 1, count, timeframe="years")}
    made = MadeWith(window=(dt.date(1987, 1, 1), dt.date(2023, 12, 31)))
    row = {**SOUND["holder"], "type": "3a", "rating": 1, "question_entity": [744913], "property": 1120}
    folder = write_dataset(tmp_path / "right", [{**row, "threshold": Decimal(121)}], facts=facts)
    assert verify(folder, rules, made=made).passed
    with pytest.raises(InputError, match=r"no manifest\.json"):
        verify(folder, rules)
    found = verify(
        write_dataset(tmp_path / "wrong", [{**row, "threshold": Decimal(120)}], facts=facts), rules, made=made
    )
    assert [(r.check, r.gives) for r in found.first] == [("threshold", 121)]


def test_some_templates_and_some_rows(tmp_path: Path) -> None:
    many = [{**SOUND["start"], "question_id": n, "answer": ["1989"] if n > 3 else ["1990-08-02"]} for n in range(1, 6)]
    folder = write_dataset(tmp_path, [*many, {**SOUND["director"], "question_id": 9, "rating": 1}])
    found = check(folder, patterns=["st*"])
    assert (found.rows, found.asked, found.checked, found.wrong) == (6, 5, 5, 2)
    assert check(folder, patterns=["st*"], limit=3).passed
    assert check(folder, limit=3).templates == {"director": {"rows": 1, "wrong": 1}, "start": {"rows": 3, "wrong": 0}}
    with pytest.raises(InputError, match="no template star in this dataset; there are director, start"):
        check(folder, patterns=["star"])


def test_only_the_first_wrong_rows_are_shown(tmp_path: Path) -> None:
    rows = [{**SOUND["start"], "question_id": n, "answer": ["1989"]} for n in range(9)]
    found = check(write_dataset(tmp_path, rows))
    assert (found.wrong, [row.question_id for row in found.first]) == (9, [0, 1, 2])


def test_progress_is_told(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    check(write_dataset(tmp_path), progress=lambda *step: told.append(step))
    steps = told[0][2]
    assert told[0] == ("country", 0, steps)
    assert told[-1] == ("done", steps, steps)
    assert [number for _, number, _ in told] == list(range(steps + 1))


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        pytest.param({}, "template country: not among the installed templates", id="unknown"),
        pytest.param({"start": {"version": 2}}, "template start: .* version 1, installed is 2", id="other-version"),
        pytest.param({"start": {"check": "SELEC 1"}}, "template start: check: .*syntax error", id="no-sql"),
        pytest.param({"start": {"check": "SELECT 1 AS question_id FROM q"}}, "it must yield", id="other-columns"),
        pytest.param(
            {"start": {"check": "SELECT question_id, ['x'] AS answer FROM q"}}, "facts VARCHAR", id="without-facts"
        ),
    ],
)
def test_a_template_that_cannot_check(tmp_path: Path, rules: dict[str, Any], message: str) -> None:
    mine = {name: replace(rule, **rules.get(name, {})) for name, rule in RULES.items()} if rules else {}
    with pytest.raises(InputError, match=message):
        verify(write_dataset(tmp_path), mine, DESCRIPTIONS)


@pytest.mark.parametrize(
    ("checks", "message"),
    [
        pytest.param({}, "no description deaths", id="unknown"),
        pytest.param({"deaths": "SELECT entity FROM d"}, "description deaths: check: ", id="other-columns"),
    ],
)
def test_a_description_that_cannot_be_checked(tmp_path: Path, checks: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        verify(write_dataset(tmp_path), RULES, checks)


@pytest.mark.parametrize("table", ["statements", "entities", "subclasses", "popularity"])
def test_a_table_that_is_missing(tmp_path: Path, table: str) -> None:
    (write_dataset(tmp_path) / "facts" / table / "part-00000.parquet").unlink()
    with pytest.raises(InputError, match=f"no parquet files in facts/{table}"):
        check(tmp_path)


def test_what_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none: no such folder"):
        check(tmp_path / "none")
    with pytest.raises(InputError, match="no parquet files in questions"):
        check(tmp_path)
    (write_dataset(tmp_path) / "questions" / "part-00000.parquet").write_bytes(b"torn")
    with pytest.raises(InputError, match="part-00000"):
        check(tmp_path)


def test_options_that_duckdb_does_not_take(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path)
    assert check(folder, memory="500MB", threads=1).passed
    with pytest.raises(InputError, match="memory much"):
        check(folder, memory="much")


def test_want_of_memory_is_the_machines(tmp_path: Path) -> None:
    """Another try may do better: exit code 3."""
    with pytest.raises(MachineFailed, match="spills to"):
        check(write_dataset(tmp_path), memory="1MB", threads=1)


def test_questions_are_streamed_however_few_they_are_taken_for(tmp_path: Path) -> None:
    """80 MB of texts, checked in 60: DuckDB took them for the smaller side of a join, and held them."""
    row = {**SOUND["director"], "question": "Who? " * 800}
    many = [{**row, "question_id": n, "answer_entity": [1_000_000 + n]} for n in range(20_000)]
    found = check(write_dataset(tmp_path, many), memory="60MB", threads=2)
    assert (found.checked, found.wrong) == (20_000, 20_000)


def test_the_lists_of_the_manifest_count(tmp_path: Path) -> None:
    """Made with films alone, a dataset knows no time of a war."""
    folder = write_dataset(tmp_path, [SOUND["start"]])
    (folder / "manifest.json").write_text('{"lists": ["films"]}')
    assert [row.gives for row in check(folder).first] == [{"start": None, "end": None}]
    assert check(folder, made=MadeWith()).passed


def test_missing_rows_are_told(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path, [SOUND["start"]])
    (folder / "manifest.json").write_text('{"rows": 1}')
    assert check(folder).passed
    (folder / "manifest.json").write_text('{"rows": 1234}')
    with pytest.raises(InputError, match=r"questions: 1 rows, and not the 1,234 of manifest\.json"):
        check(folder)


IMPORTED = """
import sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from tiny import DESCRIPTIONS, RULES
from everwhen.cli.main import main
from everwhen.validate.explain import explain
from everwhen.families.complextempqa.rules import description_checks, rules_of
from everwhen.validate.verify import verify
from everwhen.validate.views import MadeWith
assert verify({dataset!r}, RULES, DESCRIPTIONS).passed
explain({dataset!r}, 1, RULES)
print(*sorted(sys.modules))
"""


def test_nothing_that_binds_and_no_spark_is_imported(tmp_path: Path) -> None:
    tests = str(Path(tiny.__file__).parent)
    code = IMPORTED.format(tests=tests, dataset=str(write_dataset(tmp_path / "made")))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 0, run.stderr
    modules = run.stdout.split()
    assert "everwhen.validate.verify" in modules
    assert not {".".join(name.split(".")[:2]) for name in modules} & {"everwhen.world", "everwhen.tables"}
    assert not [name for name in modules if name.startswith("everwhen.families.complextempqa.bind")]
    assert not {name.split(".")[0] for name in modules} & {"pyspark", "py4j"}


def published(folder: Path) -> Path:
    """A dataset with the manifest that tells its files."""
    files = sorted(folder.rglob("*.parquet"))
    tables: dict[str, Any] = {}
    for path in files:
        table = tables.setdefault(str(path.parent.relative_to(folder)), {"files": []})
        table["files"].append({"name": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()})
    (folder / "manifest.json").write_text(json.dumps({"tables": tables}))
    return folder


def test_a_file_that_has_changed_does_not_pass(tmp_path: Path) -> None:
    """The text of a question is read by few checks: its file is held against the manifest."""
    folder = published(write_dataset(tmp_path / "published"))
    assert check(folder).passed
    other = write_dataset(tmp_path / "other", [{**row, "question": "Who?"} for row in SOUND.values()])
    shutil.copy(other / "questions/part-00000.parquet", folder / "questions")
    found = check(folder, patterns=["start"])
    assert (found.wrong, found.passed, found.changed_files) == (0, False, ("questions/part-00000.parquet",))
    with pytest.raises(ValidationFailed, match=r"changed since they were published: questions/part-00000\.parquet"):
        found.require()


@pytest.mark.parametrize("damage", [lambda path: path.write_bytes(b"PAR1" + path.read_bytes()[:-80]), Path.unlink])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, damage: Callable[[Path], object]) -> None:
    folder = published(write_dataset(tmp_path))
    damage(folder / "facts/statements/part-00000.parquet")
    with pytest.raises(InputError, match=r"facts/statements/part-00000\.parquet: missing or changed"):
        check(folder)


def test_a_query_is_interrupted_as_anything_else(tmp_path: Path) -> None:
    """By the words that DuckDB says then; no signal is sent, since a query does not look for one at all times."""
    folder = write_dataset(tmp_path)
    with pytest.raises(KeyboardInterrupt), opened(folder):
        raise RuntimeError("Query interrupted")
    with pytest.raises(RuntimeError, match="another"), opened(folder):
        raise RuntimeError("another")
