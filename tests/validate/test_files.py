"""Files that are missing, changed or more than the manifest lists are found before any row is derived."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import everwhen
from everwhen.core.errors import InputError, ValidationFailed
from everwhen.validate.explain import explain
from everwhen.validate.files import FileComparison, compare_files, require_readable
from everwhen.validate.manifest import load_manifest
from everwhen.validate.verify import verify
from tiny_dataset import FAMILY, SOUND, write_dataset, write_manifest

QUESTIONS = f"{FAMILY}/questions/part-00000.parquet"
STATEMENTS = "facts/statements/part-00000.parquet"
CARD = "README.md"
PAGE = "report/index.html"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A dataset with a card and a page of the report."""
    return write_complete(tmp_path / "dataset")


def write_complete(folder: Path) -> Path:
    """Write the tiny dataset with a card and a page of the report."""
    write_dataset(folder)
    (folder / CARD).touch()
    (folder / "report").mkdir()
    (folder / PAGE).touch()
    empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    write_manifest(folder, files={CARD: empty, PAGE: empty})
    return folder


def append_byte(path: Path) -> None:
    """Append a byte to a file."""
    with path.open("ab") as stream:
        stream.write(b"\n")


def flip_byte(path: Path, place: int) -> None:
    """Change one byte of a file."""
    data = bytearray(path.read_bytes())
    data[place] ^= 0xFF
    path.write_bytes(data)


def copy_beside(name: str, other: str) -> Callable[[Path], object]:
    """Copy a file of a dataset to another name in it."""

    def copy(folder: Path) -> None:
        (folder / other).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / name, folder / other)

    return copy


def write_other_questions(folder: Path) -> None:
    """Put a file of other texts in the place of the questions."""
    other = write_dataset(folder.parent / "other", [{**row, "topic": "medtop:2"} for row in SOUND.values()])
    shutil.copy(other / QUESTIONS, folder / QUESTIONS)


@pytest.mark.parametrize(
    ("change", "missing", "changed", "extra"),
    [
        pytest.param(lambda folder: None, [], [], [], id="nothing"),
        pytest.param(lambda f: (f / STATEMENTS).unlink(), [STATEMENTS], [], [], id="facts-missing"),
        pytest.param(lambda f: (f / CARD).unlink(), [CARD], [], [], id="card-missing"),
        pytest.param(lambda f: shutil.rmtree(f / "report"), [PAGE], [], [], id="report-missing"),
        pytest.param(lambda f: append_byte(f / CARD), [], [CARD], [], id="card-changed"),
        pytest.param(lambda f: append_byte(f / PAGE), [], [PAGE], [], id="report-changed"),
        pytest.param(lambda f: append_byte(f / STATEMENTS), [], [STATEMENTS], [], id="facts-changed"),
        pytest.param(write_other_questions, [], [QUESTIONS], [], id="questions-changed"),
        pytest.param(
            lambda f: append_byte(f / f"checks/{FAMILY}/hops.sql"), [], [f"checks/{FAMILY}/hops.sql"], [], id="check"
        ),
        *(
            pytest.param(copy_beside(STATEMENTS, name), [], [], [name], id=name.replace("/", "-"))
            for name in (
                *("facts/statements/more.parquet", f"{FAMILY}/questions/part-00001.parquet", "x/y/z.parquet"),
                *(
                    f"{FAMILY}/questions/._part-00000.parquet",
                    "._README.md",
                    "notes.txt",
                    "checks/x.sql",
                    "report/x.html",
                ),
            )
        ),
        *(
            pytest.param(copy_beside(STATEMENTS, name), [], [], [], id=name.replace("/", "-"))
            for name in (
                *(".DS_Store", "facts/.DS_Store", ".gitattributes", ".gitignore", ".git/config"),
                ".cache/huggingface/download/x.metadata",
            )
        ),
    ],
)
def test_files_are_compared_with_the_manifest(
    folder: Path, change: Callable[[Path], object], missing: list[str], changed: list[str], extra: list[str]
) -> None:
    change(folder)
    found = compare_files(folder, load_manifest(folder))
    assert found == FileComparison(tuple(missing), tuple(changed), tuple(extra))


def copy_extra(folder: Path) -> None:
    """Put a hidden file beside the facts, and beside the questions another table, they themselves, and no parquet."""
    copy_beside(STATEMENTS, "facts/statements/._x.parquet")(folder)
    for source, name in ((STATEMENTS, "another"), (QUESTIONS, "twice"), (CARD, "no")):
        copy_beside(source, f"{FAMILY}/questions/{name}.parquet")(folder)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        pytest.param(lambda f: (f / CARD).unlink(), "1 file missing: README.md", id="missing"),
        pytest.param(write_other_questions, f"1 file changed: {QUESTIONS}", id="changed"),
        pytest.param(
            copy_extra,
            f"4 files not in the manifest: {FAMILY}/questions/another.parquet, {FAMILY}/questions/no.parquet,"
            f" {FAMILY}/questions/twice.parquet and 1 more",
            id="extra",
        ),
    ],
)
def test_a_difference_is_reported_first_and_the_rest_is_checked(
    folder: Path, change: Callable[[Path], object], line: str
) -> None:
    change(folder)
    reported: list[str] = []
    found = verify(folder, progress=lambda step, *_: reported.append(step), warn=reported.append)
    assert reported[0] == line
    assert reported[-1] == "done"
    assert (found.rows, found.checked, found.wrong, found.passed) == (6, 6, 0, False)
    assert found.summarize().splitlines()[0] == f"6 of 6 right; {line}"
    with pytest.raises(ValidationFailed, match=line):
        found.raise_on_failure()


def test_every_reader_leaves_out_what_the_manifest_does_not_list(folder: Path) -> None:
    copy_beside(STATEMENTS, f"{FAMILY}/questions/x.parquet")(folder)
    copy_beside(STATEMENTS, "facts/statements/more.parquet")(folder)
    copy_beside(CARD, "facts/statements/torn.parquet")(folder)
    assert explain(folder, 1).answer == ["1990-08-02"]
    assert everwhen.load(folder).items(FAMILY).aggregate("count(*)").fetchall() == [(6,)]
    (folder / QUESTIONS).unlink()
    for read in (lambda: explain(folder, 1), lambda: everwhen.load(folder).items(FAMILY)):
        with pytest.raises(InputError, match=f"{QUESTIONS}: missing"):
            read()


@pytest.mark.parametrize(
    "name",
    [STATEMENTS, QUESTIONS, "facts/popularity/part-00000.parquet", "checks/facts.sql", f"checks/{FAMILY}/hops.sql"],
)
def test_a_file_that_the_checks_read_must_be_there(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(InputError, match=rf"{folder / name}: missing; without it nothing can be checked"):
        verify(folder, progress=lambda *step: pytest.fail("a check was run"))


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.write_bytes(b"PAR1" + path.read_bytes()[:-80]), id="torn"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: flip_byte(path, 40), id="value"),
        pytest.param(lambda path: flip_byte(path, -5), id="footer"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(folder: Path, damage: Callable[[Path], object]) -> None:
    damage(folder / STATEMENTS)
    with pytest.raises(InputError, match=rf"{folder / STATEMENTS}: changed: "):
        verify(folder, progress=lambda *step: pytest.fail("a check was run"))


def test_another_table_in_the_place_of_one_is_named(folder: Path) -> None:
    shutil.copy(folder / STATEMENTS, folder / QUESTIONS)
    with pytest.raises(InputError, match=rf"{folder / QUESTIONS}: changed since it was published: "):
        verify(folder)


def test_files_of_a_family_that_is_not_checked_may_be_missing(folder: Path) -> None:
    found = FileComparison(missing=("other/items/part-00000.parquet", "checks/other/checks.json", "checks/README.md"))
    require_readable(folder, load_manifest(folder), [FAMILY], found)
    with pytest.raises(InputError, match="and 1 more file; without it"):
        require_readable(folder, load_manifest(folder), [FAMILY, "other"], found)


def test_few_names_are_shown() -> None:
    found = FileComparison(extra=tuple("abcde"), changed=("x",))
    assert found.describe() == ["1 file changed: x", "5 files not in the manifest: a, b, c and 2 more"]
