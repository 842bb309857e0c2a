from __future__ import annotations

import hashlib
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import Row

from comparison_blocks import SCHEMA
from everwhen.core.build import Build
from everwhen.core.errors import InputError
from everwhen.families.complextempqa import stage
from everwhen.families.complextempqa.bind import bindings
from everwhen.families.complextempqa.config import read_settings
from everwhen.families.complextempqa.reasons import BindingReason
from everwhen.families.complextempqa.render.write import write_comparisons
from everwhen.families.complextempqa.stage import run_questions
from everwhen.families.complextempqa.tables import BINDINGS, QUESTIONS
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


WHOLE = ["attribute.event.value", "attribute.event.country", "attribute.event.in_country", "attribute.entity.became"]
COMPARED = [
    "comparison.event.value",
    "comparison.event.first_of_three",
    "comparison.event.before_after",
    "comparison.entity.value",
    "comparison.entity.before_after",
]
BUDGET = {"templates": ["attribute.entity.became"], "rows": 5}
ASKED = {"templates": [*WHOLE, *COMPARED], "budgets": [BUDGET], "rows_per_file": 1000, "compare_alike": True}


@dataclass(frozen=True)
class Made:
    """A build with the questions of ASKED.

    Attributes:
        build: The build.
        written: The names of the files that the attempts at its tasks wrote: of each task one attempt is given up.
        bindings: Its bindings.
        questions: Its questions.
        manifest: What the manifest of questions says.
        counts: Its records by type, status and reason.
    """

    build: Build
    written: list[str]
    bindings: list[Row]
    questions: list[Row]
    manifest: dict[str, Any]
    counts: dict[tuple[str, str, str], int]


@pytest.fixture(scope="module")
def made(small_build: Build, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The questions of ASKED.

    Each task writes twice, as where Spark loses the worker after the file is closed; the last attempt answers.
    """
    build = copied(small_build, tmp_path_factory.mktemp("made") / "build", **ASKED)
    written: list[str] = []

    def run_twice(rows: Any, work: Any) -> list[Any]:
        if rows.columns != ["id"]:
            return plainly(rows, work)
        shared, (task,), folder, name, schema = work.args
        binder, make = shared.value
        for _ in range(2):
            lines = list(write_comparisons(binder.bind(task), make, folder, name, schema))
            written.extend(line["name"] for line in lines if line["kind"] == "file")
        return lines

    plainly = stage._run_tasks
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage, "_run_tasks", run_twice)
        run_questions(build)
    manifest = QUESTIONS.read_manifest(build.spark, build.root)
    assert manifest is not None
    questions = build.read(QUESTIONS).collect()
    return Made(build, written, build.read(BINDINGS).collect(), questions, manifest, count_records(build))


def count_records(build: Build) -> dict[tuple[str, str, str], int]:
    rows = build.read(record_counts("complextempqa")).collect()
    return {(r.record_type, r.status, r.reason): r.records for r in rows}


UNNAMED = "an entity has no unambiguous name"


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


def test_every_binding_and_every_question_is_counted(made: Made) -> None:
    assert {"223"} == {r.answer[0] for r in made.questions if "Flight 1" in r.question and r.property == 1120}
    ids = {r.question_id for r in made.bindings}
    assert len(ids) == len(made.bindings)
    assert {r.question_id for r in made.questions if r.template_id not in COMPARED} <= ids
    assert {key: records for key, records in made.counts.items() if key[0] != "block member"} == {
        # Eight values and five of them unnamed, one country in two forms and one claimed, ten terms, and a comparison.
        ("binding", "input", ""): 27,
        ("binding", "kept", ""): 14,
        ("binding", "rejected", BindingReason.OVER_BUDGET): 2,
        ("binding", "rejected", "the answer exceeds its share of the template"): 7,
        ("binding", "rejected", "sources count its dead differently"): 1,
        ("binding", "rejected", "held the position more than once"): 1,
        ("binding", "rejected", "the position has no unambiguous name"): 1,
        ("binding", "rejected", "all events of the list are in one country"): 1,
        ("question", "input", ""): 14,
        ("question", "kept", ""): 14,
    }


def test_what_is_asked_is_what_no_reason_is_against(made: Made) -> None:
    assert len(made.bindings) == sum(r.template_id not in COMPARED for r in made.questions) == 13
    assert sum(r.template_id in BUDGET["templates"] for r in made.bindings) == BUDGET["rows"]


@pytest.mark.parametrize("of", ["block member", "binding", "question"])
def test_what_came_in_was_kept_or_rejected(made: Made, of: str) -> None:
    out = sum(n for (what, status, _), n in made.counts.items() if what == of and status != "input")
    assert made.counts[of, "input", ""] == out


def test_what_has_no_name_or_shares_nothing_is_in_no_block(made: Made) -> None:
    # The four battles without a name.
    assert made.counts["block member", "rejected", UNNAMED] == 4
    # Of the one battle with a name and of the two flights, with four values each, no country is known; of the one book
    # no author.
    assert made.counts["block member", "rejected", BindingReason.NOTHING_SHARED] == 10


def test_only_what_shares_something_is_compared(made: Made) -> None:
    asked = Counter(
        (r.template_id, r.property, r.is_unnamed, tuple(sorted(r.question_entity)))
        for r in made.questions
        if r.template_id in (*COMPARED, "attribute.event.country")
    )
    assert asked == Counter(
        [
            ("attribute.event.country", 17, False, (1,)),
            ("attribute.event.country", 17, True, (1,)),
            # Two films are of one director; a pair is asked once, by what a hash says.
            ("comparison.entity.before_after", 577, False, (10, 11)),
        ]
    )
    # Bindings are those that are bound whole; comparisons never stand in a table.
    assert {r.template_id for r in made.bindings} <= set(WHOLE)


def test_files_are_as_the_manifest_says(made: Made) -> None:
    folder = Path(made.build.root) / "complextempqa" / "questions"
    for part in made.manifest["parts"]:
        (path,) = folder.glob(f"*/{part['name']}")
        assert hashlib.sha256(path.read_bytes()).hexdigest() == part["sha256"]
        assert pq.read_schema(path).equals(SCHEMA)
        assert set(pq.read_table(path)["split"].to_pylist()) == {part["name"].split("-")[0]}
    assert sum((Counter(part["templates"]) for part in made.manifest["parts"]), Counter()) == Counter(
        r.template_id for r in made.questions
    )


def test_tables_that_are_there_are_not_made_again(made: Made) -> None:
    run_questions(made.build)
    assert QUESTIONS.read_manifest(made.build.spark, made.build.root) == made.manifest


@pytest.mark.full
def test_the_same_world_gives_the_same_files(made: Made, of: Callable[..., Build]) -> None:
    again = of(**ASKED)
    again.config = made.build.config
    again.spark.conf.set("spark.sql.shuffle.partitions", "5")
    try:
        run_questions(again)
    finally:
        again.spark.conf.set("spark.sql.shuffle.partitions", "2")
    found = []
    for build in (made.build, again):
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


def test_a_task_that_is_tried_again_counts_once(made: Made) -> None:
    names = [part["name"] for part in made.manifest["parts"]]
    last = sorted(made.written[1::2])
    assert len(set(made.written)) == 2 * len(last) > 0
    assert [name for name in names if name in made.written] == last
    left = [path.name for path in (Path(made.build.root) / "complextempqa" / "questions").glob("*/*.parquet")]
    assert sorted(left) == names
    ids = [r.question_id for r in made.questions]
    assert len(ids) == len(set(ids)) == made.manifest["rows"] == made.counts["question", "kept", ""]
