from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from everwhen.core.build import describe_inputs
from everwhen.core.errors import InputError, ValidationFailed
from everwhen.core.files import compute_sha256
from everwhen.families.complextempqa.build import BUILD
from everwhen.publish.dataset import locate_dataset, publish
from everwhen.publish.manifest import read_manifest, select_published_inputs
from everwhen.publish.summary import print_summary
from everwhen.validate.dataset import SUITES
from everwhen.validate.files import FileComparison, compare_files
from everwhen.validate.suites import load_suite
from everwhen.validate.verify import verify

SOURCES = {"dump.json": "sha256:1"}
SQL = (
    "accepted_answers",
    "calendars",
    "days",
    "balance",
    "counted_over",
    "descriptions",
    "evidence",
    "hashes",
    "hops",
    "item_sets",
    "kept_together",
    "metadata",
    "rules",
    "setup",
    "show",
    "show_descriptions",
    "show_threshold",
    "texts",
    "thresholds",
    "unique",
    "wordings",
    "words",
)


@pytest.fixture(scope="module")
def build(build_of, once_staged):
    """The build that `published` publishes; its console has what was said."""
    return build_of(once_staged)


@pytest.fixture(scope="module")
def published(build, family):
    """A published dataset: folder, manifest, and what `publish` returned."""
    report = publish(build, [family], {})
    folder = Path(build.root) / "dataset" / "0.1"
    return folder, json.loads((folder / "manifest.json").read_text()), report


def test_dataset_has_stable_names_and_a_manifest(spark, config, published):
    folder, manifest, report = published
    assert locate_dataset(str(folder.parent.parent), config) == str(folder)
    found = (p for p in folder.rglob("*") if p.is_file() and p.name[0] != ".")
    files = sorted(str(p.relative_to(folder)) for p in found)
    assert files == [
        "README.md",
        "checks/README.md",
        "checks/catalog.sql",
        *sorted(
            f"checks/complextempqa/{name}"
            for name in ("answers/attribute.event.date.sql", "checks.json", *(f"{name}.sql" for name in SQL))
        ),
        "checks/facts.sql",
        "complextempqa/accepted_answers/part-00000-of-00001.parquet",
        "complextempqa/declarations/part-00000-of-00001.parquet",
        "complextempqa/item_sets/lite-1000-00000-of-00001.parquet",
        "complextempqa/item_sets/lite-10000-00000-of-00001.parquet",
        "complextempqa/questions/test-00000-of-00001.parquet",
        "complextempqa/questions/train-00000-of-00001.parquet",
        "croissant.json",
        "facts/entities/part-00000-of-00001.parquet",
        "facts/labels/part-00000-of-00001.parquet",
        "facts/list_members/part-00000-of-00001.parquet",
        "facts/popularity/part-00000-of-00001.parquet",
        "facts/statements/part-00000-of-00001.parquet",
        "facts/subclasses/part-00000-of-00001.parquet",
        "manifest.json",
        "report.json",
        "report.md",
        "report/index.html",
        "totals.json",
    ]
    assert pq.read_table(folder / "complextempqa" / "questions").num_rows == manifest["rows"] == 2
    assert manifest["families"]["complextempqa"]["rows"] == 2
    assert manifest["families"]["complextempqa"]["counts"] == {
        "type": {"1ac": 1, "1bc": 1},
        "split": {"test": 1, "train": 1},
        "template_id": {"attribute.event.date": 2},
    }
    assert (manifest["config_hash"], manifest["snapshot"], manifest["sources"]) == (config.hash, "2025-01-01", SOURCES)
    assert read_manifest(spark, str(folder)) == manifest
    assert select_published_inputs(manifest) == {**describe_inputs(config), "sources": SOURCES}
    assert json.loads((folder / "report.json").read_text()) == json.loads(json.dumps(report))


def test_the_manifest_lists_every_file(published):
    folder, manifest, _ = published
    for name, table in manifest["tables"].items():
        assert table["files"] == [
            {
                "name": path.name,
                "bytes": path.stat().st_size,
                "rows": pq.read_metadata(path).num_rows,
                "sha256": compute_sha256(path),
            }
            for path in sorted((folder / name).iterdir())
        ]
        assert {key: table[key] for key in ("rows", "bytes")} == {
            key: sum(file[key] for file in table["files"]) for key in ("rows", "bytes")
        }
    assert manifest["files"] == {
        name: compute_sha256(folder / name)
        for name in ("README.md", "croissant.json", "report.json", "report.md", "report/index.html", "totals.json")
    }
    assert set(manifest) == {
        *("version", "snapshot", "everwhen", "config_hash", "templates_hash", "seed", "splits", "lists", "window"),
        *("views", "rows", "content_hash", "families", "sources", "tables", "checks", "files"),
    }
    assert manifest["views"] == {"start": "2023-06-01", "end": "2023-06-30", "agent": "user"}
    assert compare_files(folder, manifest) == FileComparison()


def test_a_published_dataset_is_verified(published):
    folder, _, _ = published
    found = verify(folder)
    assert (found.passed, found.wrong_keys) == (True, ())


def test_the_card_says_what_is_inside(published):
    folder, _, _ = published
    card = (folder / "README.md").read_text()
    header = yaml.safe_load(card.split("---\n")[1])
    assert header["license"] == "cc0-1.0"
    assert header["size_categories"] == ["n<1K"]
    for entry in header["configs"]:
        paths = entry["data_files"]
        for path in [paths] if isinstance(paths, str) else [part["path"] for part in paths]:
            assert list(folder.glob(path)), entry
    assert [part["split"] for part in header["configs"][0]["data_files"]] == ["train", "test"]
    assert "| `question_id` | `bigint` |" in card
    assert "| `statement_id` | `string` |" in card
    assert "| days that questions are about | 1987-01-01 to 2023-12-31 |" in card
    assert "expectations met, 2 of 2 answers derived again |" in card
    assert '"question": "' in card.split("```json")[1].split("```")[0]
    assert "@misc{complextempqa," in card.split("```bibtex")[1]


def test_the_card_names_no_file_that_the_reader_does_not_have(published):
    folder, _, _ = published
    card = (folder / "README.md").read_text()
    named = re.findall(r"`((?:[\w-]+/)*[\w-]+\.(?:md|json|yaml|html|sql))`|`((?:[\w-]+/)+)`", card)
    assert {"checks/README.md", "report/index.html", "report.md", "manifest.json", "facts/", "checks/"} <= {
        path or inside for path, inside in named
    }
    assert [path or inside for path, inside in named if not (folder / (path or inside)).exists()] == []
    assert re.findall(r"(?:templates|docs|pipeline|configs)/", card) == []


def test_the_report_says_what_is_inside(published):
    folder, _, report = published
    facts = ("statements", "entities", "labels", "subclasses", "list_members", "popularity")
    suites = [*(SUITES / f"{name}.json" for name in facts), *BUILD.suites.glob("*.json")]
    declared = sum(len(load_suite(path).expectations) for path in suites)
    text = (folder / "report.md").read_text()
    assert f"{declared} of {declared} expectations met, 2 of 2 answers derived again" in text
    assert "| facts | line | rejected | no JSON \\| here | 1 | { |" in text
    assert [a["status"] for a in report["record_counts"]] == ["input", "kept", "rejected"] * 3


def test_the_published_scores_of_shortcuts(build, published):
    folder, _, report = published
    few = "1 have too few rows to be measured; of the other 0, 0 are answered above chance by a shortcut"
    line = f"f 1 templates, {few}"
    card = (folder / "README.md").read_text()
    assert "\n### Shortcuts\n\n" in card
    assert f"\nO{line}.\n" in card
    assert (
        "| `attribute.event.date` | commonest answer | 1 | 1 | 1.000 | 1.000 | 1.000 | 0.000 |"
        in (folder / "report.md").read_text()
    )
    (only,) = report["families"]["complextempqa"]["shortcuts"]["scores"]
    assert (only["shortcut"], only["rows"], only["hits"], only["is_above_chance"]) == ("commonest answer", 1, 1, False)
    assert f"  shortcuts: o{line}, " in build.console.file.getvalue()


def test_summary_shows_rows_checks_samples_and_commands(build_of, build, published, tmp_path):
    with pytest.raises(InputError, match="no published dataset"):
        print_summary(build_of(tmp_path), seconds=1)
    print_summary(build, seconds=12.3)
    text = build.console.file.getvalue()
    for part in (
        "ComplexTempQA: 2 rows",
        "│ 1ac  │ attribute, event, time  │    1 │",
        f"Rejected: 3 records; {build.root}/dataset/0.1/report.md counts them by reason",
        "expectations met, 2 of 2 answers derived again",
        "Seconds:  12",
        f"everwhen verify {build.root}/dataset/0.1",
        f"everwhen explain {build.root}/dataset/0.1 1",
        f'everwhen.load("{build.root}/dataset/0.1").items("complextempqa").select("type, question, answer").limit(5)',
        "When was [Flight] 2120?",
        "1991-07-11",
    ):
        assert part in text


@pytest.mark.full
def test_second_publication_is_refused_and_changes_nothing(spark, build_of, family, published):
    folder, _, _ = published
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    with pytest.raises(InputError, match=r"dataset/0\.1: version 0\.1 is published already"):
        publish(build_of(folder.parent.parent), [family], {})
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before


@pytest.mark.full
def test_wrong_answer_publishes_nothing(spark, build_of, family, staged):
    root = staged(answer=["1991-07-12"])
    with pytest.raises(ValidationFailed, match="2 of 2 wrong") as error:
        publish(build_of(root), [family], {})
    assert "Flight 2120? answer ['1991-07-12']; the facts give ['1991-07-11']" in str(error.value)
    assert read_manifest(spark, str(root / "dataset" / "0.1")) is None


@pytest.mark.full
def test_unmet_expectation_publishes_nothing(spark, build_of, family, staged):
    root = staged()
    lost = {
        "record_type": ["line"],
        "records_in": [3],
        "records_out": [2],
        "unexplained": [0],
        "unknown": [0],
        "least": [0],
    }
    with pytest.raises(ValidationFailed, match='"records_out": 2'):
        publish(build_of(root), [family], {"facts-record_counts": (SUITES / "record_counts.json", pa.table(lost))})
    assert read_manifest(spark, str(root / "dataset" / "0.1")) is None
    page = (root / "dataset" / "0.1" / "report" / "index.html").read_text()
    assert 'Status: <span class="failed">failed</span>' in page
    assert "&#34;records_out&#34;: 2" in page


@pytest.mark.full
def test_left_overs_of_a_killed_attempt_are_no_dataset_and_go(spark, build_of, family, staged):
    root = staged()
    folder = root / "dataset" / "0.1"
    questions = folder / "complextempqa" / "questions"
    questions.mkdir(parents=True)
    (questions / "part-00099.parquet").write_bytes(b"torn")
    (folder / "manifest.json").touch()  # created, and killed before its text was written
    assert read_manifest(spark, str(folder)) is None
    publish(build_of(root), [family], {})
    assert sorted(p.name for p in questions.glob("*.parquet")) == [
        "test-00000-of-00001.parquet",
        "train-00000-of-00001.parquet",
    ]
    assert read_manifest(spark, str(folder)) is not None


def test_missing_table_is_named(spark, build_of, family, tmp_path):
    with pytest.raises(InputError, match="no table questions; run the stage complextempqa first"):
        publish(build_of(tmp_path / "build"), [family], {})
