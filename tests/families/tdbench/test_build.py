"""`everwhen tdbench build`: from a declaration to a dataset that is proven, without a world."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

import everwhen
from everwhen import stages
from everwhen.cli.main import build_parser, main
from everwhen.core.config import Config, override_section
from everwhen.core.errors import InputError
from everwhen.families.tdbench.aliases import read_aliases
from everwhen.families.tdbench.commands.build import configure
from everwhen.families.tdbench.config import read_settings
from everwhen.families.tdbench.inspection.tables import require_usable
from everwhen.families.tdbench.preflight import find_config_errors, list_files, needs_world
from everwhen.families.tdbench.source.load import load_declaration
from everwhen.families.tdbench.source.times import NO_SUCH_DAY
from everwhen.families.tdbench.tables import DECLARATIONS
from everwhen.validate.explain import explain
from everwhen.validate.verify import verify
from hostile_world import FillOnce

MANAGERS = Path(__file__).resolve().parent / "tables" / "managers.yaml"


def configure_build(*arguments: str) -> Config:
    parsed = build_parser().parse_args(["tdbench", "build", str(MANAGERS), "--out", "out", *arguments])
    return configure(parsed)


@pytest.fixture(scope="module")
def built(spark: SparkSession, folder_filled_once: FillOnce) -> Path:
    """A build of the managers."""

    def write(folder: Path) -> None:
        stages.run(configure_build("--items", "300"), str(folder / "out"), quiet=True)

    return folder_filled_once("managers", write) / "out"


def list_digests(out: Path) -> dict[str, str]:
    manifest = json.loads((out / "dataset" / "managers" / "manifest.json").read_text())
    return {name: table["content_hash"] for name, table in manifest["tables"].items()}


@pytest.mark.spark
@pytest.mark.full
def test_hugging_face_reads_every_configuration(built: Path, tmp_path: Path) -> None:
    import datasets

    folder = built / "dataset" / "managers"
    names = datasets.get_dataset_config_names(str(folder))
    read = {name: datasets.load_dataset(str(folder), name, cache_dir=str(tmp_path)) for name in names}
    rows = {name: sum(len(rows) for rows in splits.values()) for name, splits in read.items()}
    tables = json.loads((folder / "manifest.json").read_text())["tables"]
    named = {"tdbench": "items"} | {f"tdbench-{name}": name for name in ("declarations", "accepted_answers")}
    expected = {name: tables[f"tdbench/{table}"]["rows"] for name, table in named.items()}
    tested = len(read["tdbench"].get("test", ()))  # a set without items has no files
    assert rows == expected | ({"tdbench-lite-1000": tested, "tdbench-lite-10000": tested} if tested else {})


def test_a_build_is_configured_by_arguments() -> None:
    config = configure_build("--items", "50", "--wordings", "3", "--short", "--seed", "other")
    settings = read_settings(config)
    assert (settings.items, settings.wordings, settings.short) == (50, 3, True)
    assert (config.version, config.snapshot, config.seed) == ("managers", "2024-06-30", "other")
    assert not needs_world(config)
    assert [Path(name).name for name in list_files(config)] == ["managers.yaml", "managers.csv", "names.csv"]
    named = configure_build("--version", "v2", "--snapshot", "june")
    assert (named.version, named.snapshot) == ("v2", "june")


def test_the_hash_of_a_configuration_does_not_depend_on_folders(tmp_path: Path) -> None:
    for file in MANAGERS.parent.iterdir():
        shutil.copy(file, tmp_path)
    sections = [{"tdbench": {"declarations": [str(each / "managers.yaml")]}} for each in (MANAGERS.parent, tmp_path)]
    hashes = set()
    for section in sections:
        config = Config(version="v", snapshot="s", families=section)
        hashes.add(config.model_copy(update={"families": {"tdbench": read_settings(config)}}).hash)
    assert len(hashes) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.yaml",), "missing.yaml: no such declaration; a YAML file is expected"),
        (("offices",), "from: tables of Wikidata are read by `everwhen build`"),
        ((str(MANAGERS), "--wordings", "4"), "arguments: wordings: 3 or less is expected, found the number 4"),
        ((str(MANAGERS), "--items", "0"), "arguments: items: 1 or more is expected, found the number 0"),
        ((str(MANAGERS), "--version", "a/b"), "arguments: version: letters, digits"),
    ],
)
def test_wrong_arguments_end_in_one_line(
    arguments: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["tdbench", "build", *arguments, "--out", str(out)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert message in line
    assert not out.exists()


def test_a_table_that_cannot_be_asked_is_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in MANAGERS.parent.iterdir():
        shutil.copy(file, tmp_path)
    (tmp_path / "managers.csv").write_text("Shop,Region,Manager,From,Until\n")
    out = tmp_path / "out"
    assert main(["tdbench", "build", str(tmp_path / "managers.yaml"), "--out", str(out)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "managers.yaml:3: from: no rows" in line
    assert not out.exists()


def test_a_configuration_names_declarations_that_there_are() -> None:
    config = Config(version="v", snapshot="s", families={"tdbench": {"declarations": [str(MANAGERS), "ofices"]}})
    (error,) = find_config_errors(config)
    assert str(error) == "families.tdbench.declarations[2]: ofices: no such declaration; did you mean offices?"
    default = Config(version="v", snapshot="s", families={"tdbench": {}})
    assert find_config_errors(default) == []
    assert needs_world(default)


def test_aliases_are_read_with_their_lines(tmp_path: Path) -> None:
    declaration = load_declaration(MANAGERS)
    assert read_aliases([declaration]) == [
        ("Oona Fell", "managers/Manager", "alias", "Oona Fell-Brandt"),
        ("Vera Quill", "managers/Manager", "alias", "V. Quill"),
    ]
    for file in MANAGERS.parent.iterdir():
        shutil.copy(file, tmp_path)
    (tmp_path / "names.csv").write_text("column,value,alias\nBoss,Vera Quill,V.\n")
    with pytest.raises(InputError, match=r"names\.csv:2: the table has no column Boss"):
        read_aliases([load_declaration(tmp_path / "managers.yaml")])


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("Manager,Vera Quil,V.", "no row has Vera Quil as Manager"),
        ("Manager,Vera Quill,Oona Fell", "Oona Fell is another value of Manager, and no alias of Vera Quill"),
    ],
)
def test_an_alias_is_one_of_a_value(tmp_path: Path, line: str, reason: str) -> None:
    for file in MANAGERS.parent.iterdir():
        shutil.copy(file, tmp_path)
    (tmp_path / "names.csv").write_text(f"column,value,alias\n{line}\n")
    with pytest.raises(InputError, match=rf"names\.csv:2: {reason}"):
        require_usable([load_declaration(tmp_path / "managers.yaml")])


@pytest.mark.spark
def test_a_table_becomes_a_dataset_that_is_proven(built: Path) -> None:
    dataset = built / "dataset" / "managers"
    found = verify(dataset)
    assert (found.passed, found.wrong) == (True, 0)
    assert found.rows > 200
    manifest = json.loads((dataset / "manifest.json").read_text())
    entry = manifest["families"]["tdbench"]
    # No question is about all managers at once: nobody knows whom the rejected records name.
    assert set(entry["counts"]["task"]) == {"alignment", "counting", "reasoning"}
    assert entry["licences"] == {"managers": "CC0-1.0"}
    tables = ("accepted_answers", "declarations", "item_sets", "items", "rejects", "rows")
    assert set(manifest["tables"]) == {f"tdbench/{name}" for name in tables}
    assert [file["name"] for file in manifest["tables"]["tdbench/rows"]["files"]] == ["managers-00000-of-00001.parquet"]
    report = json.loads((dataset / "report.json").read_text())
    rows = {(r["status"], r["reason"]): r["records"] for r in report["record_counts"] if r["record_type"] == "row"}
    assert rows == {
        ("input", ""): 43,
        ("kept", ""): 40,
        ("rejected", "duplicate row"): 1,
        ("rejected", "no value in Manager"): 1,
        ("rejected", f"unreadable date 2031-31-31 in From: {NO_SUCH_DAY}"): 1,
    }


@pytest.mark.spark
def test_each_item_is_explained_by_its_rows(built: Path) -> None:
    dataset = built / "dataset" / "managers"
    tasks = everwhen.load(dataset).items("tdbench").aggregate("task, min(item_id)").fetchall()
    for task, item_id in tasks:
        found = explain(dataset, item_id)
        assert found.agrees, found.render()
        assert found.metadata["task"].split(":")[0] == task
        assert "Facts" not in found.render()


@pytest.mark.spark
def test_a_query_of_an_item_runs_in_spark_too(spark: SparkSession, built: Path) -> None:
    folder = built / "dataset" / "managers" / "tdbench"
    spark.read.parquet(str(folder / "rows")).createOrReplaceTempView("rows")
    items = pq.read_table(folder / "items", columns=["sql", "answer", "item_id", "task"]).to_pylist()
    chosen = {item["task"]: item for item in sorted(items, key=lambda item: item["item_id"])}
    for item in chosen.values():
        assert sorted({row[0] for row in spark.sql(item["sql"]).collect()}) == item["answer"]


@pytest.mark.spark
@pytest.mark.full
def test_a_killed_build_resumes_in_other_partitions_to_the_same_bytes(built: Path, tmp_path: Path) -> None:
    """All that depends on partitions is made anew; the table that there is stays."""
    out = tmp_path / "out"
    shutil.copytree(built, out)
    shutil.rmtree(out / "dataset")
    for table in (out / "tdbench").iterdir():
        if table.name != DECLARATIONS.name:
            shutil.rmtree(table)
    config = override_section(configure_build("--items", "300"), "spark", {"shuffle_partitions": 37})
    stages.run(config, str(out), quiet=True)
    assert list_digests(out) == list_digests(built)


ROLES = {"start": "from", "end": "until", "point": "on"}


def write_response(answer: list[str], references: list[dict[str, str]]) -> str:
    """Answer as an item does, each value with the dates that are its reason."""
    values = []
    for value in answer:
        dates = [f"{ROLES[each['role']]} {each['date']}" for each in references if each["answer"] == value]
        values.append(f"{value} ({', '.join(dates)})" if dates else value)
    return f"Answer: {'; '.join(values) or 'nobody'}"


@pytest.mark.spark
def test_the_answer_with_its_dates_is_scored_right(built: Path, tmp_path: Path) -> None:
    dataset = built / "dataset" / "managers"
    items = everwhen.load(dataset).items("tdbench").select('item_id, answer, "references"').fetchall()
    lines = [{"item_id": str(item), "response": write_response(answer, dates)} for item, answer, dates in items]
    (tmp_path / "right.jsonl").write_text("\n".join(map(json.dumps, lines)))
    command = ["evaluate", str(dataset), str(tmp_path / "right.jsonl"), "--json", str(tmp_path / "scores.json")]
    assert main(command) == 0
    scores = json.loads((tmp_path / "scores.json").read_text())
    found = scores["families"]["tdbench"]["runs"]["right.jsonl"]["tables"]["all"]["all"]
    assert (found["rows"], found["A"]["value"], found["AT"]["value"]) == (len(items), 1.0, 1.0)


CREW = {
    "crew.yaml": """table: crew
from: {file: crew.csv}
time: {start: Start, end: End, as_of: 2024-12-31, ask: [day]}
tfds: [{given: [Ship, Post], determines: [Person]}]
joins: [{with: storms.yaml, by: {Ship: Ship}}]
""",
    "crew.csv": """Ship,Post,Person,Start,End
Borealis,Captain,Bo Li,2000-01-01,2006-03-01
Borealis,Captain,Di Po,2006-03-01,2012-10-12
Dora,Captain,Val Xu,2006-01-01,2008-03-02
Dora,Captain,Wim Ye,2008-03-02,2012-07-07
""",
    "storms.yaml": """table: storms
from: {file: storms.csv}
time: {start: Start, end: End}
fds: [{given: [Storm], determines: [Ship, Post]}]
words: {values: {Storm: {B: Beryl}}}
""",
    "storms.csv": """Storm,Ship,Post,Start,End
Ada,Borealis,Deck,2005-01-01,2005-01-03
B,Dora,Deck,2007-05-05,2007-05-06
""",
}


@pytest.mark.spark
@pytest.mark.full
def test_events_without_a_phrase_are_named_by_their_columns(spark: SparkSession, tmp_path: Path) -> None:
    """The events have columns of the names of the table's own: Ship leads to a ship, Post is of another meaning."""
    for name, text in CREW.items():
        (tmp_path / name).write_text(text)
    command = ["tdbench", "build", str(tmp_path / "crew.yaml"), "--out", str(tmp_path / "out"), "--items", "60"]
    stages.run(configure(build_parser().parse_args(command)), str(tmp_path / "out"), quiet=True)
    dataset = tmp_path / "out" / "dataset" / "crew"
    items = pq.read_table(dataset / "tdbench" / "items").to_pylist()
    asked = {(item["task"], item["event"]) for item in items if item["event"]}
    events = {"the event of storms with storm Ada", "the event of storms with storm Beryl"}
    assert asked == {(task, event) for task in ("implicit", "multi_hop") for event in events}
    assert verify(dataset).wrong == 0
