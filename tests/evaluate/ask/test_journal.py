"""The journal survives what ends a run."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from everwhen.core.errors import InputError, NotNowError
from everwhen.evaluate.ask.completion import Completion
from everwhen.evaluate.ask.endpoint import Model
from everwhen.evaluate.ask.journal import hash_prompt, open_journal, read_journal

ANSWER = Completion("Kraków\n\ud83d", "stop", "m-1", {"total_tokens": 7}, "because\u2028", 0.125)
PROMPT = [{"role": "user", "content": "When?"}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A journal with the answers a and b."""
    path = tmp_path / "new" / "journal.jsonl"
    with open_journal(path) as journal:
        journal.append("a", ANSWER)
        journal.append("b", replace(ANSWER, response=None))
    return path


def test_answers_are_read_again(path: Path) -> None:
    with open_journal(path) as journal:
        assert len(journal) == 2
        assert journal.find("a") == ANSWER
        assert journal.find("b") == replace(ANSWER, response=None)
        assert journal.find("c") is None
    assert read_journal(path) == {"a": ANSWER, "b": replace(ANSWER, response=None)}


def test_an_answer_has_the_date_of_its_run(path: Path) -> None:
    with open_journal(path, "2026-11-01") as journal:
        journal.append("c", ANSWER)
    with open_journal(path, "2026-11-02") as journal:
        dates = {key: answer.date for key in "abc" if (answer := journal.find(key)) is not None}
    assert dates == {"a": "", "b": "", "c": "2026-11-01"}


def test_lines_without_a_date_are_read(path: Path) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps({k: v for k, v in line.items() if k != "date"}) + "\n" for line in lines))
    assert read_journal(path)["a"] == ANSWER


def test_a_journal_that_is_not_there_has_no_answers(tmp_path: Path) -> None:
    assert read_journal(tmp_path / "none.jsonl") == {}


def test_any_line_without_its_end_is_cut_off(path: Path) -> None:
    first, second = path.read_bytes().splitlines(keepends=True)
    for length in (*range(1, 16), *range(16, len(second), 17), len(second) - 1):
        path.write_bytes(first + second[:length])
        assert read_journal(path).keys() == {"a"}
        with open_journal(path) as journal:
            assert journal.find("b") is None
            journal.append("b", ANSWER)
        assert read_journal(path) == {"a": ANSWER, "b": ANSWER}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"notes\n", "line 1: not a line of a journal", id="text"),
        pytest.param(b"notes", "the last line is of another kind of file", id="text-without-end"),
        pytest.param(b'{"item_id": 1, "response": "x"}\n', "line 1: not a line of a journal", id="predictions"),
        pytest.param(b"[]\n", "line 1: not a line of a journal", id="list"),
        pytest.param(b"\xff\xfe\n", "line 1: not a line of a journal", id="bytes"),
    ],
)
def test_another_file_is_refused_and_kept(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"notes\.txt: {message}"), open_journal(path):
        pass
    assert path.read_bytes() == content


def test_a_wrong_type_names_its_line(path: Path) -> None:
    first, second = path.read_text().splitlines()
    path.write_text(f"{first}\n{json.dumps({**json.loads(second), 'usage': 3})}\n")
    with pytest.raises(InputError, match="line 2: not a line of a journal"):
        read_journal(path)


def test_one_run_at_a_time(path: Path) -> None:
    with (
        open_journal(path),
        pytest.raises(NotNowError, match="another process writes this file"),
        open_journal(path),
    ):
        pass
    with open_journal(path) as journal:
        assert len(journal) == 2


def test_an_answer_that_comes_after_the_end_is_dropped(path: Path) -> None:
    with open_journal(path) as journal:
        pass
    journal.append("late", ANSWER)
    assert read_journal(path).keys() == {"a", "b"}


def test_a_full_disk_leaves_complete_lines(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, write = path.read_bytes(), os.write

    def write_half(descriptor: int, line: bytes) -> int:
        if len(line) < 40:
            raise OSError(28, "No space left on device")
        return write(descriptor, line[: len(line) // 2])

    with open_journal(path) as journal:
        monkeypatch.setattr("everwhen.evaluate.append_only.os.write", write_half)
        with pytest.raises(OSError, match="No space left"):
            journal.append("c", ANSWER)
        assert journal.find("c") is None
    assert path.read_bytes() == before


TEXTS = st.text(max_size=8)


@given(TEXTS, TEXTS, st.floats(allow_nan=False, allow_infinity=False))
def test_the_key_depends_on_prompt_model_and_parameters(text: str, name: str, temperature: float) -> None:
    key = hash_prompt(Model(name, {"temperature": temperature, "seed": 1}), [{"role": "user", "content": text}])
    assert key == hash_prompt(Model(name, {"seed": 1, "temperature": temperature}), [{"content": text, "role": "user"}])
    others = [
        hash_prompt(Model(name, {"temperature": temperature}), [{"role": "user", "content": text}]),
        hash_prompt(Model(name + "x", {"temperature": temperature, "seed": 1}), [{"role": "user", "content": text}]),
        hash_prompt(Model(name, {"temperature": temperature, "seed": 1}), [{"role": "user", "content": text + "x"}]),
        hash_prompt(Model(name, {"temperature": temperature, "seed": 1}), [{"role": "system", "content": text}]),
    ]
    assert key not in others


def test_a_key_is_known() -> None:
    """It must not change: journals that people have paid for depend on it."""
    key = hash_prompt(Model("m", {"temperature": 0.0}), PROMPT)
    assert key == "0a88ad36ed34865cd8a0717ece4ab348ee56ea9184ff8f2d61f2e9c247390987"
