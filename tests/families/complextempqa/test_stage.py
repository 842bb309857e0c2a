from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from comparison_blocks import SCHEMA
from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.families.complextempqa import bindings, stage
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.stage import run_questions
from everwhen.families.complextempqa.tables.bindings import BINDINGS
from everwhen.families.complextempqa.tables.questions import QUESTIONS
from everwhen.families.complextempqa.write import write_comparisons
from everwhen.tables.record_counts import record_counts

pytestmark = pytest.mark.spark


def copied(small_build: Build, root: Path, **questions: Any) -> Build:
    """The small world in a folder of its own, with these keys of the family's section."""
    for name in ("facts", "world"):
        shutil.copytree(Path(small_build.root) / name, root / name)
    chosen = {"complextempqa": {**read_settings(small_build.config).model_dump(), **questions}}
    return Build(small_build.spark, small_build.config.model_copy(update={"families": chosen}), str(root))


@pytest.fixture
def of(small_build: Build, tmp_path: Path) -> Callable[..., Build]:
    """Copies the small world, with these keys of the family's section."""
    return lambda **questions: copied(small_build, tmp_path / f"build-{len(list(tmp_path.iterdir()))}", **questions)


COMPARED = ["comparison.event.value", "comparison.event.first_of_three", "comparison.entity.value"]
ASKED = {"templates": [*COMPARED, "attribute.event.country"], "rows_per_file": 1000}


@pytest.fixture(scope="module")
def compared(small_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The small world with the questions of ASKED made."""
    build = copied(small_build, tmp_path_factory.mktemp("compared") / "build", **ASKED)
    run_questions(build)
    return build


def count_records(build: Build) -> dict[tuple[str, str, str], int]:
    rows = build.read(record_counts("complextempqa")).collect()
    counts = {(r.record_type, r.status, r.reason): r.records for r in rows}
    for record_type in ("binding", "question"):
        out = sum(n for (of, status, _), n in counts.items() if of == record_type and status != "input")
        assert counts[record_type, "input", ""] == out, "what came in was kept or rejected"
    return counts


UNNAMED = "an entity has no unambiguous name"


def bound_and_asked(counts: dict[tuple[str, str, str], int]) -> dict[tuple[str, str, str], int]:
    """The books of bindings and questions alone."""
    return {key: records for key, records in counts.items() if key[0] != "seat"}


@pytest.mark.full
def test_no_description_mentions_what_is_asked(of: Callable[..., Build], monkeypatch: pytest.MonkeyPatch) -> None:
    # Balance would take half of so few rows.
    monkeypatch.setattr(bindings, "balance_answers", lambda bound, by, of: bound)
    build = of(templates=["attribute.event.value"])
    run_questions(build)
    questions = build.read(QUESTIONS).collect()
    # Of two that have descriptions one tells deaths, which is what is asked: only the second one's other form is left.
    described = [r for r in questions if r.is_unnamed and r.property == 1120]
    assert [(r.question_entity, [tuple(d) for d in r.descriptions], r.answer, r.rating) for r in described] == [
        ([2], [(2, "injured")], ["100"], 1)
    ]
    assert "the accident 2 of 7 injured" in described[0].question


def test_every_binding_and_every_question_is_counted(of: Callable[..., Build]) -> None:
    build = of(templates=["attribute.event.value", "attribute.event.in_country", "attribute.entity.became"])
    run_questions(build)
    bindings, questions = build.read(BINDINGS).collect(), build.read(QUESTIONS).collect()
    assert {"223"} == {r.answer[0] for r in questions if "Flight 1" in r.question and r.property == 1120}
    assert len({r.question_id for r in bindings}) == len(bindings)
    assert {r.question_id for r in questions} <= {r.question_id for r in bindings}
    assert bound_and_asked(count_records(build)) == {
        # Eight values, one country, ten terms, and five of the values unnamed.
        ("binding", "input", ""): 24,
        ("binding", "kept", ""): 13,
        ("binding", "rejected", "the answer is given often enough"): 7,
        ("binding", "rejected", "sources count its dead differently"): 1,
        ("binding", "rejected", "held the position more than once"): 1,
        ("binding", "rejected", "the position has no unambiguous name"): 1,
        ("binding", "rejected", "all events of the list are of one country"): 1,
        ("question", "input", ""): 13,
        ("question", "kept", ""): 13,
    }


def test_comparisons_are_counted(compared: Build) -> None:
    build = compared
    rows = build.read(QUESTIONS).collect()
    asked = Counter((r.template_id, r.property, r.is_unnamed, tuple(sorted(r.question_entity))) for r in rows)
    assert asked == Counter(
        [
            ("attribute.event.country", 17, False, (1,)),
            ("attribute.event.country", 17, True, (1,)),
            # Each pair is asked once, or not: a hash has the two flights compared by what ties.
            ("comparison.entity.value", 2047, False, (10, 11)),
        ]
    )
    counts = count_records(build)
    # What has no unambiguous name, the four battles for one, takes no seat.
    assert counts["seat", "input", ""] == counts["seat", "kept", ""] + counts["seat", "rejected", UNNAMED]
    assert counts["seat", "rejected", UNNAMED] >= 4
    assert bound_and_asked(counts) == {
        ("binding", "input", ""): 3,
        ("binding", "kept", ""): 3,
        ("question", "input", ""): 3,
        ("question", "kept", ""): 3,
    }
    # Bindings are those that are bound whole; comparisons never stand in a table.
    assert {r.template_id for r in build.read(BINDINGS).collect()} == {"attribute.event.country"}
    manifest = QUESTIONS.read_manifest(build.spark, build.root)
    assert manifest is not None
    folder = Path(build.root) / "complextempqa" / "questions"
    for part in manifest["parts"]:
        (path,) = folder.glob(f"*/{part['name']}")
        assert hashlib.sha256(path.read_bytes()).hexdigest() == part["sha256"]
        assert pq.read_schema(path).equals(SCHEMA)
        assert set(pq.read_table(path)["split"].to_pylist()) == {part["name"].split("-")[0]}
    assert sum((Counter(part["templates"]) for part in manifest["parts"]), Counter()) == Counter(
        r.template_id for r in rows
    )
    # Made once: the tables are there.
    run_questions(build)
    assert QUESTIONS.read_manifest(build.spark, build.root) == manifest


def test_only_what_shares_something_is_compared(of: Callable[..., Build]) -> None:
    build = of(templates=["comparison.event.before_after", "comparison.entity.before_after"], compare_alike=True)
    run_questions(build)
    asked = Counter((r.template_id, tuple(sorted(r.question_entity))) for r in build.read(QUESTIONS).collect())
    # Two films are of one director.
    assert asked == Counter([("comparison.entity.before_after", (10, 11))])
    counts = count_records(build)
    # Of the one battle with a name and of the two flights, with four values each, no country is known; of the one book
    # no author.
    assert counts["seat", "rejected", BindingReason.NOTHING_SHARED] == 10
    assert counts["seat", "input", ""] == sum(
        n for (of, status, _), n in counts.items() if (of, status) != ("seat", "input") and of == "seat"
    )


@pytest.mark.full
def test_the_same_world_gives_the_same_files(compared: Build, of: Callable[..., Build]) -> None:
    again = of(**ASKED)
    again.config = compared.config
    again.spark.conf.set("spark.sql.shuffle.partitions", "5")
    try:
        run_questions(again)
    finally:
        again.spark.conf.set("spark.sql.shuffle.partitions", "2")
    found = []
    for build in (compared, again):
        manifest = QUESTIONS.read_manifest(build.spark, build.root)
        assert manifest is not None
        found.append((manifest["content_hash"], manifest["counted"], [p["sha256"] for p in manifest["parts"]]))
    assert found[0] == found[1]


def test_a_template_named_by_two_budgets_ends_the_build(of: Callable[..., Build]) -> None:
    build = of(
        templates=["*"], budgets=[{"templates": ["comparison.*"], "rows": 1}, {"templates": ["*.value"], "rows": 1}]
    )
    message = r"families\.complextempqa\.budgets: comparison\.entity\.value is in two of them"
    with pytest.raises(InputError, match=message):
        run_questions(build)
    assert not (Path(build.root) / "complextempqa").exists()


def test_a_task_that_is_tried_again_counts_once(of: Callable[..., Build], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each task writes twice, as where Spark loses the worker after the file is closed; the last attempt answers."""
    build = of(templates=["comparison.event.before_after"])
    written: list[str] = []

    def done(rows: Any, work: Any) -> list[Any]:
        if rows.columns != ["id"]:
            return plainly(rows, work)
        shared, (task,), folder, name, schema = work.args
        binder, make = shared.value
        for _ in range(2):
            lines = list(write_comparisons(binder.bind(task), make, folder, name, schema))
            written.extend(line["name"] for line in lines if line["kind"] == "file")
        return lines

    plainly = stage._run_tasks
    monkeypatch.setattr(stage, "_run_tasks", done)
    run_questions(build)
    last = sorted(written[1::2])
    assert len(set(written)) == 2 * len(last)
    manifest = QUESTIONS.read_manifest(build.spark, build.root)
    assert manifest is not None
    assert [part["name"] for part in manifest["parts"]] == last
    left = [path.name for path in (Path(build.root) / "complextempqa" / "questions").glob("*/*.parquet")]
    assert sorted(left) == last
    ids = [r.question_id for r in build.read(QUESTIONS).collect()]
    assert len(ids) == len(set(ids)) == manifest["rows"] == 3
    assert count_records(build)["question", "kept", ""] == 3
