"""The SQL of a dataset is data: it reads the tables of the dataset and does nothing else."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from everwhen.core.errors import InputError
from everwhen.validate.database import open_dataset
from everwhen.validate.explain import explain
from everwhen.validate.verify import verify
from tiny_dataset import FAMILY, SOUND, write_dataset, write_manifest

STATEMENTS = {
    "copy-inside": "COPY (SELECT 1) TO '{folder}/out.csv'",
    "copy-outside": "COPY (SELECT 1) TO '{outside}/out.csv'",
    "copy-over": "COPY (SELECT 1) TO '{folder}/facts/statements/part-00000.parquet'",
    "copy-in-with": "SELECT * FROM (WITH x AS (COPY (SELECT 1) TO '{folder}/out.csv') FROM x)",
    "copy-in-with-at-the-top": "WITH x AS (COPY (SELECT 1) TO '{folder}/out.csv') FROM x",
    "delete-in-with": "WITH x AS (DELETE FROM parameters RETURNING 1) FROM x",
    "insert-in-with": "CREATE TABLE y AS WITH x AS (INSERT INTO parameters DEFAULT VALUES RETURNING 1) FROM x",
    "query": "FROM query('WITH x AS (CO' || 'PY (SELECT 1) TO ''{folder}/out.csv'') FROM x')",
    "logging": "FROM enable_logging(storage='file', storage_config={{'path': '{folder}/log'}})",
    "profiling": "FROM enable_profiling(save_location='{folder}/profile.txt')",
    "attach-inside": "ATTACH '{folder}/new.duckdb'",
    "attach-outside": "ATTACH '{outside}/new.duckdb'",
    "install": "INSTALL httpfs",
    "load": "LOAD httpfs",
    "export": "EXPORT DATABASE '{folder}/export'",
    "set": "SET enable_external_access = true",
    "reset": "RESET enable_external_access",
    "pragma": "PRAGMA enable_profiling",
    "call": "CALL enable_logging()",
    "insert": "INSERT INTO parameters DEFAULT VALUES",
    "update": "UPDATE parameters SET window_start = NULL",
    "delete": "DELETE FROM parameters",
    "drop": "DROP TABLE parameters",
    "alter": "ALTER TABLE parameters ADD COLUMN x INT",
    "read-text": "SELECT * FROM read_text('/etc/passwd')",
    "read-text-inside": "SELECT * FROM read_text('{folder}/manifest.json')",
    "read-csv": "SELECT * FROM read_csv('/etc/passwd')",
    "read-blob": "CREATE TABLE y AS SELECT * FROM read_blob('/etc/passwd')",
    "by-name": "FROM '/etc/passwd.csv'",
    "glob": "SELECT * FROM glob('/etc/*')",
    "https": "SELECT * FROM read_csv('https://example.org/x.csv')",
    "https-parquet": "CREATE TABLE y AS FROM 'https://example.org/x.parquet'",
    "secret": "CREATE SECRET s (TYPE http)",
    "persistent-secret": "CREATE PERSISTENT SECRET s (TYPE http)",
    "python": "FROM dataset",
}


def list_files(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def replace_check(folder: Path, name: str, sql: str) -> None:
    """Write another check, as if it had been published."""
    (folder / "checks" / name).write_text(sql)
    write_manifest(folder)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset for tests that put it in order again."""
    return write_dataset(tmp_path_factory.mktemp("lock") / "dataset", [SOUND["start"]])


@pytest.mark.parametrize("statement", STATEMENTS.values(), ids=STATEMENTS)
def test_a_check_reads_and_derives_only(published: Path, tmp_path: Path, statement: str) -> None:
    """The file that is run first has the statement; the next test shows that all files are locked alike."""
    name = "catalog.sql"
    sound = (published / "checks" / name).read_text()
    sql = statement.format(folder=published, outside=tmp_path)
    try:
        replace_check(published, name, f"{sql};\n{sound}")
        before = list_files(published)
        with pytest.raises(InputError, match=rf"checks/{name}: "):
            verify(published)
        assert list_files(published) == before
    finally:
        replace_check(published, name, sound)
    assert list_files(tmp_path) == {}


RUNS: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "catalog": ("catalog.sql", verify),
    "facts": ("facts.sql", verify),
    "setup": (f"{FAMILY}/setup.sql", verify),
    "derivation": (f"{FAMILY}/answers/start.sql", verify),
    "check": (f"{FAMILY}/metadata.sql", verify),
    "catalog-of-explain": ("catalog.sql", lambda folder: explain(folder, 1)),
    "setup-of-explain": (f"{FAMILY}/setup.sql", lambda folder: explain(folder, 1)),
    "derivation-of-explain": (f"{FAMILY}/answers/start.sql", lambda folder: explain(folder, 1)),
    "show": (f"{FAMILY}/show.sql", lambda folder: explain(folder, 1)),
}


# One statement is refused by its kind, one by a word in it; the first file refuses all others in the test above.
@pytest.mark.parametrize(
    "statement",
    [
        *(pytest.param(STATEMENTS[name], id=name) for name in ("copy-inside", "read-text")),
        *(
            pytest.param(STATEMENTS[name], id=name, marks=pytest.mark.full)
            for name in ("copy-in-with-at-the-top", "https", "set")
        ),
    ],
)
@pytest.mark.parametrize(("name", "run"), RUNS.values(), ids=RUNS)
def test_every_file_of_the_checks_is_locked(
    published: Path, name: str, run: Callable[[Path], Any], statement: str
) -> None:
    sound = (published / "checks" / name).read_text()
    try:
        replace_check(published, name, statement.format(folder=published))
        before = list_files(published)
        with pytest.raises(InputError, match=rf"checks/{name}: "):
            run(published)
        assert list_files(published) == before
    finally:
        replace_check(published, name, sound)


def change_plan(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "checks" / FAMILY / "checks.json"
    plan = json.loads(path.read_text())
    change(plan)
    path.write_text(json.dumps(plan))
    write_manifest(folder)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param(lambda p: p["setup"].append("../../x.sql"), r"\.\./\.\./x\.sql: a check must", id="setup"),
        pytest.param(lambda p: p["checks"][0].update(file="../../x.sql"), r"x\.sql: a check must", id="check"),
        pytest.param(lambda p: p["derivations"]["start"].update(file="a/../../x"), "x: a check must", id="derivation"),
        pytest.param(lambda p: p["setup"].append("/etc/passwd"), "/etc/passwd: a check must", id="absolute"),
        pytest.param(lambda p: p.update(family="other"), "family: other instead of complextempqa", id="family"),
        pytest.param(lambda p: p["items"].update(table="../facts"), r"items\.table: .*match", id="table"),
        pytest.param(lambda p: p["items"].update(id='x"; COPY y'), r"items\.id: .*match", id="column"),
        pytest.param(lambda p: p["materialized"].append("(a+)+"), r"materialized\[\d+\]: .*match", id="view"),
        pytest.param(lambda p: p.update(names=[]), "names: ", id="no-names"),
        pytest.param(lambda p: p.update(mystery=1), "mystery: ", id="unknown-key"),
    ],
)
def test_a_plan_names_files_of_its_folder_and_plain_columns(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    folder = write_dataset(tmp_path, [SOUND["start"]])
    change_plan(folder, change)
    with pytest.raises(InputError, match=rf"checks\.json: {'.*' if message.startswith('x') else ''}.*{message}"):
        verify(folder)


def test_explain_shows_only_what_is_in_the_folder(tmp_path: Path) -> None:
    folder = write_dataset(tmp_path, [SOUND["start"]])
    change_plan(folder, lambda plan: plan.update(show="../../manifest.json"))
    with pytest.raises(InputError, match=r"\.\./\.\./manifest\.json: a check must be in the folder of its family"):
        explain(folder, 1)


def test_files_may_be_links(tmp_path: Path) -> None:
    """As in the cache of the Hugging Face Hub, where a dataset's files are links to blobs."""
    folder = write_dataset(tmp_path / "dataset")
    for number, path in enumerate(sorted(path for path in folder.rglob("*") if path.is_file())):
        blob = tmp_path / "blobs" / str(number)
        blob.parent.mkdir(exist_ok=True)
        path.rename(blob)
        path.symlink_to(os.path.relpath(blob, path.parent))
    assert verify(folder).passed
    assert explain(folder, 1).answer == ["1990-08-02"]


def test_files_may_lie_under_any_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_dataset(tmp_path / "größe it's [x] {a} *")
    assert verify(folder).passed
    assert explain(folder, 1).answer == ["1990-08-02"]
    monkeypatch.chdir(folder)
    assert verify(".").passed


def test_no_table_is_found_among_pythons_variables(tmp_path: Path) -> None:
    rows = pa.table({"a": [1]})
    with open_dataset(tmp_path, {}) as db, pytest.raises(duckdb.CatalogException, match="rows"):
        db.execute("FROM rows")
    assert rows.num_rows == 1


def test_duckdbs_advice_is_left_out(tmp_path: Path) -> None:
    """It is given in terms of settings that nobody can reach."""
    files = [tmp_path / "a.parquet", tmp_path / "b.parquet"]
    for path in files:
        pq.write_table(pa.table({path.stem: [1]}), path)
    with pytest.raises(InputError, match="schema mismatch") as caught, open_dataset(tmp_path, {"x": files}) as db:
        db.execute("FROM x").fetchall()
    assert "union_by_name" not in str(caught.value)
