"""Files of predictions: ours, those of harnesses, and what is wrong with them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from everwhen.core.errors import InputError
from everwhen.evaluate.archive import ZSTANDARD
from everwhen.evaluate.finish_reasons import CUT_OFF
from everwhen.evaluate.predictions import Predictions, read_conditions, read_predictions
from zip_archives import LZ77, write_archive


def read(path: Path, *lines: object) -> Predictions:
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return read_predictions(path, content_hash="abc", family="complextempqa")


def row(item_id: object = 7, response: object = "1971", **others: object) -> dict[str, object]:
    return {"item_id": item_id, "response": response, **others}


def test_lines_are_read_with_what_they_say(tmp_path: Path) -> None:
    found = read(tmp_path / "p.jsonl", row(finish_reason="length", model="m", dataset="abc"), "", row("8", None))
    assert found.models == ("m",)
    assert (found.rows[7].response, found.rows[7].finish_reason) == ("1971", "length")
    assert (found.rows[8].response, found.rows[8].place) == (None, f"{tmp_path}/p.jsonl:3")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (row(), "p.jsonl:2: item 7 is there twice, first in .*p.jsonl:1"),
        ("{", "p.jsonl:2: not JSON: .*; one JSON object a line is expected"),
        ('{"item_id": 8, "response": NaN}', "p.jsonl:2: not JSON.*NaN is no JSON, write null"),
        ("[]", r"p.jsonl:2: not a JSON object but an array; jq -c '\.\[\]' FILE writes its objects a line each"),
        ("7", "p.jsonl:2: not a JSON object; one JSON object a line is expected"),
        (row("x"), "p.jsonl:2: item_id: a whole number is expected, not 'x'"),
        (row(True), "item_id: a whole number"),
        ('{"item_id": 4469056277241532985.5, "response": ""}', "p.jsonl:2: item_id: a whole .* without point and exp"),
        (row(8, 1971), "p.jsonl:2: response: a text or null is expected, not 1971"),
        ({"item_id": 8}, "p.jsonl:2: no response"),
        (row(8, dataset="abd"), "p.jsonl:2: dataset: these are predictions for abd, not for abc"),
        ({"doc": {"item_id": 8, "dataset": "abd"}, "resps": [["1"]]}, "dataset: these are predictions for abd"),
        (row(8, family="tempo"), "p.jsonl:2: family: these are predictions for tempo"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(tmp_path: Path, line: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path / "p.jsonl", row(), line)


@pytest.mark.parametrize("name", ["p.jsonl", "p.json", "p.parquet"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "no text in UTF-8, perhaps a binary file; give JSON", id="image"
        ),
        pytest.param(b"PAR1\x15\x04\x15\0", "no text in UTF-8", id="parquet"),
        pytest.param('{"item_id": 7}'.encode("utf-16-le"), "no text in UTF-8", id="utf-16"),
        pytest.param(b'[\n{"item_id": 7}\n]\n', "not a JSON object but an array; jq", id="lines-of-an-array"),
        pytest.param(b'[{"item_id": 7}]', "not a JSON object but an array; jq", id="array"),
    ],
)
def test_a_file_of_another_kind_is_named(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=rf"{name}(:1)?: {message}"):
        read_predictions(tmp_path / name, content_hash="abc", family="complextempqa")


@pytest.mark.parametrize("name", ["p.jsonl", "p.json"])
def test_a_byte_order_mark_is_skipped(tmp_path: Path, name: str) -> None:
    sample = {"id": 7, "output": {"choices": [{"message": {"content": "1971"}}]}}
    text = json.dumps({"samples": [sample]} if name == "p.json" else row())
    (tmp_path / name).write_text(text, encoding="utf-8-sig")
    assert read_predictions(tmp_path / name, content_hash="abc", family="complextempqa").rows[7].response == "1971"


def test_half_an_emoji_spoils_no_other_line(tmp_path: Path) -> None:
    found = read(tmp_path / "p.jsonl", row(), row(8, "Cher \ud83d", finish_reason="length"), row(9))
    assert [prediction.response for prediction in found.rows.values()] == ["1971", "Cher \ufffd", "1971"]


def test_an_empty_or_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"p.jsonl: no predictions"):
        read(tmp_path / "p.jsonl")
    with pytest.raises(InputError, match="no such file"):
        read_predictions(tmp_path / "none.jsonl", content_hash="abc", family="complextempqa")


def test_samples_of_lm_eval_count_once_for_all_filters(tmp_path: Path) -> None:
    sample = {"doc_id": 0, "doc": {"item_id": 7}, "resps": [["1971"]], "filtered_resps": ["1971"], "target": "1971"}
    found = read(tmp_path / "samples.jsonl", {**sample, "filter": "none"}, {**sample, "filter": "strict"})
    assert {item: prediction.response for item, prediction in found.rows.items()} == {7: "1971"}


def test_a_sample_of_lm_eval_that_its_task_scored_as_cut_off_is_cut_off(tmp_path: Path) -> None:
    samples = [{"doc": {"item_id": item}, "resps": [["1971"]], "cut_off": cut} for item, cut in ((7, 1.0), (8, 0.0))]
    found = read(tmp_path / "samples.jsonl", *samples)
    assert [row.finish_reason in CUT_OFF for row in found.rows.values()] == [True, False]


@pytest.mark.parametrize(
    ("sample", "message"),
    [
        ({"output": "text"}, "output: a JSON object is expected"),
        ({"output": {"choices": [None]}}, "choices: a list of JSON objects is expected"),
        ({"output": {"choices": [{"message": "1971"}]}}, "message: a JSON object is expected"),
        ({"output": {"choices": [{"message": {"content": ["1971"]}}]}}, "content: a text or a list of JSON objects"),
        ({"output": {}, "metadata": "none"}, "metadata: a JSON object is expected"),
    ],
)
def test_a_broken_sample_of_inspect_is_refused(tmp_path: Path, sample: dict[str, Any], message: str) -> None:
    (tmp_path / "log.json").write_text(json.dumps({"samples": [{"id": 7, **sample}]}))
    with pytest.raises(InputError, match=f"log.json: sample 1: {message}"):
        read_predictions(tmp_path / "log.json", content_hash="abc", family="complextempqa")


def test_a_document_of_lm_eval_that_is_a_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="doc: a JSON object is expected"):
        read(tmp_path / "samples.jsonl", {"doc": "text", "resps": [["1971"]]})


def make_sample() -> dict[str, Any]:
    parts = [{"type": "reasoning", "reasoning": "1970?"}, {"type": "text", "text": "1971"}]
    choice = {"message": {"role": "assistant", "content": parts}, "stop_reason": "max_tokens"}
    return {"id": "7", "epoch": 1, "output": {"model": "m", "choices": [choice]}, "metadata": {"dataset": "abc"}}


def write_log(path: Path, *samples: dict[str, Any], method: int = zipfile.ZIP_DEFLATED) -> None:
    """Write a log of inspect_ai, as the name says: JSON, or an archive whose entries are compressed by a method."""
    if path.suffix == ".json":
        path.write_text(json.dumps({"version": 2, "samples": samples}))
        return
    entries = {f"samples/{number}_epoch_1.json": sample for number, sample in enumerate(samples)}
    write_archive(path, {"header.json": b"{}", **{n: json.dumps(s).encode() for n, s in entries.items()}}, method)


@pytest.mark.parametrize(
    ("name", "method"), [("log.json", 0), ("log.eval", zipfile.ZIP_DEFLATED), ("log.eval", ZSTANDARD)]
)
def test_logs_of_inspect_are_read(tmp_path: Path, name: str, method: int) -> None:
    write_log(tmp_path / name, make_sample(), method=method)
    found = read_predictions(tmp_path / name, content_hash="abc", family="complextempqa")
    assert (found.rows[7].response, found.rows[7].finish_reason, found.models) == ("1971", "max_tokens", ("m",))


def test_a_log_that_cannot_be_unpacked_names_another_way(tmp_path: Path) -> None:
    write_log(tmp_path / "log.eval", make_sample(), method=LZ77)
    with pytest.raises(InputError, match=r"log.eval: cannot be unpacked .*`inspect log convert --to json` may help"):
        read_predictions(tmp_path / "log.eval", content_hash="abc", family="complextempqa")


def test_a_sample_that_failed_is_no_prediction(tmp_path: Path) -> None:
    failed = {"id": 8, "output": {"choices": []}, "error": {"message": "no connection"}}
    write_log(tmp_path / "log.json", failed, make_sample())
    assert list(read_predictions(tmp_path / "log.json", content_hash="abc", family="complextempqa").rows) == [7]


def test_a_sample_that_reached_its_own_limit_is_cut_off(tmp_path: Path) -> None:
    write_log(tmp_path / "log.json", {"id": 8, "output": {}, "limit": {"type": "time", "limit": 5}})
    row = read_predictions(tmp_path / "log.json", content_hash="abc", family="complextempqa").rows[8]
    assert (row.response, row.finish_reason in CUT_OFF) == (None, True)


def test_an_item_may_be_there_in_several_conditions(tmp_path: Path) -> None:
    lines = [
        {"item_id": item, "response": "x", "settings": {"context": context, "shots": 0, "date": f"2026-11-0{item}"}}
        for context in ("none", "evidence")
        for item in (7, 8)
    ]
    path = tmp_path / "both.jsonl"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    found = read_conditions(path, content_hash="abc")
    assert {name: list(each.rows) for name, each in found.items()} == {
        "context none": [7, 8],
        "context evidence": [7, 8],
    }
    with pytest.raises(InputError, match=r"several conditions \(context none, context evidence\); give a file of one"):
        read_predictions(path, content_hash="abc")
    path.write_text("".join(f"{json.dumps(line)}\n" for line in [*lines, lines[1]]))
    with pytest.raises(InputError, match=r"both\.jsonl:5: item 8 is there twice, first in .*both\.jsonl:2"):
        read_conditions(path, content_hash="abc")


def test_figures_that_a_sample_of_inspect_lacks_are_read_over(tmp_path: Path) -> None:
    text = '{"samples": [{"id": 7, "scores": {"AT": NaN, "H": -Infinity}, "output": {"choices": [{"message": '
    (tmp_path / "log.json").write_text(text + '{"content": "\\"NaN\\", or NaN"}}]}}]}')
    found = read_predictions(tmp_path / "log.json", content_hash="abc")
    assert found.rows[7].response == '"NaN", or NaN'
