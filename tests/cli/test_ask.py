"""`everwhen ask` against a server on loopback: what it writes, prints and refuses, and what it never shows."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import servers
from asked import write_split_dataset
from chat import answer_chats, find_prompt
from everwhen.cli.main import main
from everwhen.evaluate.predictions import read_predictions as read_predictions_of_a_file
from servers import FaultyServer
from tiny_dataset import SOUND

KEY = "sk-very-secret-0123456789"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_split_dataset(tmp_path_factory.mktemp("ask") / "tiny", test=[2, 5])


@pytest.fixture
def server(faulty: Callable[..., FaultyServer]) -> FaultyServer:
    return faulty(answer_chats(lambda prompt: (f"Answer: {len(prompt)}", "stop")))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, and no key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EVERWHEN_API_KEY", raising=False)
    return tmp_path


def ask(dataset: Path, server: FaultyServer, *more: str) -> int:
    return main(["ask", str(dataset), "--base-url", server.url("/v1"), "--model", "m", *more])


def read_predictions(path: Path) -> dict[int, dict[str, Any]]:
    return {row["item_id"]: row for row in map(json.loads, path.read_text().splitlines())}


def test_predictions(dataset: Path, server: FaultyServer, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = dt.datetime.now(dt.UTC).date().isoformat()
    assert ask(dataset, server) == 0
    predictions = read_predictions(here / "predictions.jsonl")
    assert list(predictions) == [1, 2, 3, 4, 5, 6]
    manifest = json.loads((dataset / "manifest.json").read_text())
    row = predictions[4]
    assert row.pop("latency") > 0
    assert row.pop("response").startswith("Answer: ")
    assert len(row.pop("prompt")) == 64
    date = row["settings"].pop("date")
    assert before <= date <= dt.datetime.now(dt.UTC).date().isoformat()
    assert row == {
        "item_id": 4,
        "finish_reason": "stop",
        "model": "m",
        "answered_by": "rules",
        "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
        "dataset": manifest["content_hash"],
        "family": "complextempqa",
        "settings": {"temperature": 0.0, "max_tokens": 1024, "shots": 0, "context": "none"},
    }
    assert all(json.loads(asked.body)["temperature"] == 0 for asked in server.asked)
    lines = capsys.readouterr().err.splitlines()
    assert lines[:2] == ["6 answers, by finish reason: stop 6", "tokens: 42 in prompts, 12 in answers"]
    assert lines[3:] == [
        "answers came from rules; asked was m",
        "predictions: 6, in predictions.jsonl",
        f"next: everwhen evaluate {dataset} predictions.jsonl",
    ]


def test_the_same_command_asks_nothing_again(dataset: Path, server: FaultyServer, here: Path) -> None:
    assert ask(dataset, server, "--out", "a/b.jsonl") == 0
    before = (here / "a" / "b.jsonl").read_bytes()
    assert ask(dataset, server, "--out", "a/b.jsonl") == 0
    assert len(server.asked) == 6
    assert (here / "a" / "b.jsonl").read_bytes() == before
    assert ask(dataset, server, "--out", "c.jsonl", "--journal", "a/b.journal.jsonl", "--split", "test") == 0
    assert len(server.asked) == 6
    assert list(read_predictions(here / "c.jsonl")) == [2, 5]


@pytest.mark.parametrize(
    "other", [["--model", "n"], ["--temperature", "0.5"], ["--parameters", '{"seed": 1}'], ["--context", "evidence"]]
)
def test_another_prompt_model_or_parameter_is_asked(dataset: Path, server: FaultyServer, other: list[str]) -> None:
    assert ask(dataset, server, "--limit", "1") == 0
    assert ask(dataset, server, "--limit", "1", "--overwrite", *other) == 0
    assert len(server.asked) == 2


def test_what_is_asked(dataset: Path, server: FaultyServer, here: Path) -> None:
    (here / "ids.txt").write_text("2\n")
    parameters = '{"max_tokens": null, "max_completion_tokens": 9}'
    arguments = ["--ids", "ids.txt", "--shots", "1", "--context", "evidence", "--parameters", parameters]
    assert ask(dataset, server, *arguments) == 0
    body = json.loads(server.asked[0].body)
    assert body.keys() == {"model", "messages", "temperature", "max_completion_tokens"}
    first, answer, last = (message["content"] for message in body["messages"])
    assert first.endswith("Question: Who directed Forrest Gump?")
    assert answer == "Answer: Robert Zemeckis"
    assert last == (
        "Question: Who was mayor throughout 1994?\nContext:\n"
        "Robert Zemeckis, position held: mayor (start time 1993-01-20, end time 2001-01)."
    )


def test_predictions_say_how_they_were_asked(dataset: Path, server: FaultyServer, here: Path) -> None:
    parameters = '{"max_tokens": null, "max_completion_tokens": 9, "seed": 7, "stop": ["x"]}'
    arguments = ["--shots", "1", "--context", "evidence-mixed", "--temperature", "0.5", "--parameters", parameters]
    assert ask(dataset, server, "--where", "question_type=1b", *arguments) == 0
    content_hash = json.loads((dataset / "manifest.json").read_text())["content_hash"]
    found = read_predictions_of_a_file(here / "predictions.jsonl", content_hash=content_hash, family="complextempqa")
    settings = {item: dict(row.settings) for item, row in found.rows.items()}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", each.pop("date")) for each in settings.values())
    assert (
        settings[2]
        == settings[4]
        == {
            "temperature": "0.5",
            "max_completion_tokens": "9",
            "seed": "7",
            "shots": "1",
            "context": "evidence-mixed",
            "others": "8",
        }
    )


def test_the_date_is_that_of_the_run_that_asked(dataset: Path, server: FaultyServer, here: Path) -> None:
    assert ask(dataset, server) == 0
    journal, predictions = here / "predictions.journal.jsonl", here / "predictions.jsonl"
    lines = [json.dumps({**json.loads(line), "date": "2025-01-31"}) for line in journal.read_text().splitlines()]
    journal.write_text("\n".join(lines) + "\n")
    assert ask(dataset, server) == 0
    assert {row["settings"]["date"] for row in read_predictions(predictions).values()} == {"2025-01-31"}


def test_the_cost_is_said_before_and_after(
    dataset: Path, server: FaultyServer, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "prices.yaml").write_text("m: {input: 1000, output: 2000}\n")
    prices = ["--prices", "prices.yaml", "--max-tokens", "10"]
    assert main(["ask", str(dataset), "--dry-run", "--model", "m", *prices]) == 0
    out = capsys.readouterr().out
    (estimate,) = re.findall(r"^cost: about \$\d\.\d\d for 6 prompts, at most \$0\.12 for answers$", out, re.MULTILINE)
    assert ask(dataset, server, *prices) == 0
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == estimate
    assert "cost: $0.07 for 54 tokens" in lines
    assert ask(dataset, server, *prices) == 0
    assert [line for line in capsys.readouterr().err.splitlines() if "cost" in line] == ["cost: $0.07 for 54 tokens"]


def test_empty_answers_are_warned_of(
    faulty: Callable[..., FaultyServer], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{**SOUND["start"], "question_id": n, "question": f"When did war {n} start?"} for n in range(1, 31)]
    many = write_split_dataset(tmp_path / "many", questions=rows)
    server = faulty(answer_chats(lambda _: (None, "length")))
    assert ask(many, server, "--quiet") == 0
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("everwhen: 20 answers in a row have no text (finish reason length): ")


def test_filters_choose_what_is_asked(dataset: Path, server: FaultyServer, here: Path) -> None:
    assert ask(dataset, server, "--where", "question_type=1b,1ac", "--where", "year=1994", "--split", "train") == 0
    assert list(read_predictions(here / "predictions.jsonl")) == [4]


def test_passages_are_asked_with(dataset: Path, server: FaultyServer, here: Path) -> None:
    (here / "bm25.run").write_text("2 Q0 a 1 1.0 x\n2 Q0 b 2 0.5 x\n")
    (here / "corpus.jsonl").write_text('{"doc_id": "a", "text": "One."}\n{"doc_id": "b", "text": "Two."}\n')
    for context in ("passage", "passages"):
        arguments = ["--context", context, "--run", "bm25.run", "--corpus", "corpus.jsonl", "--split", "test"]
        assert ask(dataset, server, "--threads", "1", "--overwrite", *arguments) == 0
    first, without, both = (find_prompt(asked) for asked in server.asked)
    assert first.endswith("\nContext:\n[1] One.")
    assert "Context" not in without
    assert both.endswith("\nContext:\n[1] One.\n[2] Two.")


def test_a_dry_run_needs_no_endpoint(dataset: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", str(dataset), "--dry-run", "--max-tokens", "10"]) == 0
    out = capsys.readouterr().out
    assert out.count("--- item ") == 3
    assert "[user] " in out
    assert "Question: When did the Gulf War start?\n" in out
    assert "6 prompts of complextempqa\ntokens: about " in out
    assert out.endswith("at most 60 in answers\n")
    assert list(here.iterdir()) == []


def test_one_is_singular(dataset: Path, server: FaultyServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", str(dataset), "--dry-run", "--limit", "1"]) == 0
    assert "\n1 prompt of complextempqa\n" in capsys.readouterr().out
    server.always = servers.status(503)
    assert ask(dataset, server, "--limit", "1", "--attempts", "1") == 3
    err = capsys.readouterr().err
    assert "no answer to 1 prompt of 1; the same command" in err
    assert "no answer after 1 attempt: status 503" in err


def test_a_prompt_without_an_answer_is_reported(
    dataset: Path, server: FaultyServer, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.faults = [None, servers.status(400, b"too many tokens")]
    assert ask(dataset, server, "--threads", "1") == 3
    assert "no answer to 1 prompt of 6; the same command asks again; the first: " in capsys.readouterr().err
    row = read_predictions(here / "predictions.jsonl")[2]
    assert (row["response"], row["finish_reason"]) == (None, "error")
    assert "too many tokens" in row["error"]
    assert ask(dataset, server) == 0
    assert read_predictions(here / "predictions.jsonl")[2]["finish_reason"] == "stop"
    assert len(server.asked) == 7


def test_ten_refusals_in_a_row_keep_what_was_answered(
    faulty: Callable[..., FaultyServer], tmp_path: Path, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [{**SOUND["start"], "question_id": n, "question": f"When did war {n} start?"} for n in range(1, 15)]
    dataset = write_split_dataset(tmp_path / "wars", questions=rows)
    server = faulty(answer_chats(lambda _: ("1990", "stop")))
    server.faults, server.always = [None, None], servers.status(400, b"too many tokens")
    assert ask(dataset, server, "--threads", "1") == 3
    err = capsys.readouterr().err
    assert re.search(r"everwhen: 10 prompts, .* got no answer; the last: .*too many tokens.*; the run ends", err)
    assert "no answer to 12 prompts of 14; the same command asks again; the first: " in err
    found = read_predictions(here / "predictions.jsonl")
    assert [row["response"] for row in found.values()] == ["1990"] * 2 + [None] * 12
    assert [row["error"] for row in found.values() if "error" in row][-2:] == ["not asked"] * 2


def test_refusals_alone_write_no_predictions(dataset: Path, server: FaultyServer, here: Path) -> None:
    server.always = servers.status(400, b"too many tokens")
    assert ask(dataset, server, "--threads", "1") == 2
    assert not (here / "predictions.jsonl").exists()


def test_the_key_is_sent_and_shown_nowhere(
    dataset: Path,
    faulty: Callable[..., FaultyServer],
    here: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("EVERWHEN_API_KEY", KEY)
    server = faulty(answer_chats(lambda _: (f"Your key is {KEY}", "stop")))
    server.faults = [servers.status(400, f"Not with {KEY}".encode()), servers.status(500, KEY.encode())]
    assert ask(dataset, server, "--verbose", "--threads", "1") == 3
    server.always = servers.status(401, f"Wrong key {KEY}".encode())
    assert ask(dataset, server, "--verbose") == 2
    assert {asked.headers["Authorization"] for asked in server.asked} == {f"Bearer {KEY}"}
    files = [path for path in here.rglob("*") if path.is_file()]
    assert {path.name for path in files} == {"predictions.jsonl", "predictions.journal.jsonl"}
    streams = capsys.readouterr()
    for text in (streams.out, streams.err, *(path.read_text() for path in files)):
        assert KEY not in text
    assert "the endpoint refuses the key in EVERWHEN_API_KEY" in streams.err
    assert "Your key is ***" in (here / "predictions.jsonl").read_text()


def test_an_endpoint_that_demands_a_key(
    dataset: Path, server: FaultyServer, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server.always = servers.status(401, b'{"error": {"message": "Missing bearer"}}')
    assert ask(dataset, server, "--threads", "1") == 2
    err = capsys.readouterr().err
    assert err.startswith("everwhen: the endpoint asks for a key; set the environment variable EVERWHEN_API_KEY (http")
    assert err.count("\n") == 1
    assert not (here / "predictions.jsonl").exists()


REQUIRED = ["--base-url", "http://127.0.0.1:9/v1", "--model", "m"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--shots", "5"], "--shots: 0 to 4 examples are expected, not 5", id="shots-above"),
        pytest.param(["--shots", "-1"], "--shots: 0 to 4 examples are expected, not -1", id="shots-below"),
        pytest.param(["--shots", "nan"], "--shots: 0 to 4 examples are expected, not nan", id="shots-nan"),
        pytest.param(["--prompt", "cot"], "--prompt cot: complextempqa has one prompt, without a name", id="prompt"),
        pytest.param(
            ["--context", "dataset"],
            "--context dataset: complextempqa has no such context; it has none, evidence",
            id="own",
        ),
        pytest.param(["--others", "0"], "--others: a number from 1 is expected, not 0", id="others"),
        pytest.param(["--limit", "0"], "--limit: a number from 1 is expected, not 0", id="limit"),
        pytest.param(["--threads", "65"], "--threads: 1 to 64 threads are expected, not 65", id="threads"),
        pytest.param(["--temperature", "nan"], "--temperature: a finite number from 0 is expected, not nan", id="nan"),
        pytest.param(["--temperature", "inf"], "--temperature: a finite number from 0", id="infinite"),
        pytest.param(["--temperature=-1"], "--temperature: a finite number from 0", id="cold"),
        pytest.param(["--temperature", "hot"], "--temperature: a finite number from 0", id="hot"),
        pytest.param(["--parameters", '{"top_p": NaN}'], "--parameters: a JSON object is expected: NaN", id="json-nan"),
        pytest.param(["--parameters", '{"top_p": 1e999}'], "--parameters: a JSON object is expected: 1e9", id="1e999"),
        pytest.param(["--parameters", "[]"], "--parameters: a JSON object is expected, not []", id="json-list"),
        pytest.param(["--parameters", "[" * 100_000], "--parameters: a JSON object is expected: ", id="deep-json"),
        pytest.param(["--timeout", "86401"], "--timeout: 1 to 86400 seconds are expected, not 86401", id="timeout"),
        pytest.param(["--timeout", "0"], "--timeout: 1 to 86400 seconds are expected, not 0", id="no-timeout"),
        pytest.param(["--parameters", "{"], "--parameters: a JSON object is expected: ", id="no-json"),
        pytest.param(["--parameters", '{"stream": true}'], "--parameters: stream is not a parameter", id="stream"),
        pytest.param(["--base-url", "localhost:8000"], "an address that begins with http:// or https://", id="url"),
        pytest.param(["--base-url", ""], "--base-url is missing", id="no-url"),
        pytest.param(["--model", ""], "--model is missing", id="no-model"),
        pytest.param(["--key-variable", "NO_KEY_HERE"], "NO_KEY_HERE: this environment variable is not set", id="key"),
        pytest.param(["--prices", "none.yaml"], "none.yaml: ", id="no-prices"),
        pytest.param(["--prices", "notes.txt"], "notes.txt: names of models with their prices", id="prices"),
        pytest.param(["--family", "tempo"], "no family tempo; there are complextempqa", id="family"),
        pytest.param(["--split", "dev"], "no split dev; it has", id="split"),
        pytest.param(["--set", "lite-7"], "no set lite-7", id="set"),
        pytest.param(["--where", "task=sets"], "--where task: ", id="filter"),
        pytest.param(["--where", "year=1850"], "--where year=1850: ", id="filter-value"),
        pytest.param(
            ["--where", "year"], "--where: NAME=VALUE is expected, such as task=sets, not year", id="no-value"
        ),
        pytest.param(["--where", "year=1990,"], "--where: NAME=VALUE is expected", id="empty-value"),
        pytest.param(["--ids", "none.txt"], "none.txt: No such file", id="no-ids"),
        pytest.param(["--out", "."], "--out .: a folder; the name of a file is expected", id="out"),
        pytest.param(["--journal", "predictions.jsonl"], "written by the same command", id="journal-is-out"),
        pytest.param(["--journal", "notes.txt"], "notes.txt: line 1: not a line of a journal", id="no-journal"),
        pytest.param(["--shots", "3"], "--shots 3: train has", id="too-few-examples"),
        pytest.param(["--passages", "0"], "--passages: a number from 1 is expected, not 0", id="passages"),
        pytest.param(["--context", "passage"], "--run is missing; --context passage needs it", id="no-run"),
        pytest.param(["--context", "passages", "--run", "x"], "--corpus is missing; --context pas", id="no-corpus"),
        pytest.param(["--run", "x"], "--run: has an effect with --context passages only", id="run-alone"),
        pytest.param(
            ["--passages", "3"], "--passages: has an effect with --context passages or oracle only", id="no-passages"
        ),
        pytest.param(["--others", "3"], "--others: has an effect with --context evidence-mixed only", id="no-others"),
        pytest.param(["--id-field", "x"], "--id-field: has an effect with --context passages only", id="no-fields"),
        pytest.param(
            ["--context", "passage", "--run", "x", "--corpus", "x", "--passages", "2"],
            "--passages: has an effect with --context passages or oracle only",
            id="one-passage",
        ),
        pytest.param(
            ["--context", "passages", "--run", "x", "--corpus", ".", "--id-field", "x"],
            "--id-field: has an effect with a --corpus that is a JSONL file only",
            id="fields-of-beir",
        ),
        pytest.param(["--out", "notes.txt"], "notes.txt:1: not a prediction of this run; name another --out", id="own"),
        pytest.param(["--out", "notes.txt/x"], "notes.txt is a file and no folder", id="out-below-file"),
        pytest.param(
            ["--context", "passage", "--run", "notes.txt", "--corpus", "x"], "notes.txt:1: six fields are", id="run"
        ),
    ],
)
def test_what_cannot_be_used_is_one_line(
    dataset: Path, here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (here / "notes.txt").write_text("Buy milk.\n")
    try:
        code = main(["ask", str(dataset), *REQUIRED, *arguments])
    except SystemExit as ended:
        code = int(str(ended.code))
    streams = capsys.readouterr()
    assert (code, streams.out) == (2, "")
    assert message in streams.err
    assert streams.err.count("\n") == 1
    assert [path.name for path in here.iterdir()] == ["notes.txt"]
    assert (here / "notes.txt").read_text() == "Buy milk.\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(["--split", "train"], ["--split", "test"], id="items"),
        pytest.param([], ["--limit", "1"], id="fewer-items"),
        pytest.param([], ["--model", "n"], id="model"),
    ],
)
def test_predictions_of_another_run_are_not_replaced(
    dataset: Path,
    server: FaultyServer,
    here: Path,
    capsys: pytest.CaptureFixture[str],
    before: list[str],
    after: list[str],
) -> None:
    assert ask(dataset, server, "--quiet", *before) == 0
    kept, asked = (here / "predictions.jsonl").read_bytes(), len(server.asked)
    assert ask(dataset, server, "--quiet", *after) == 2
    err = capsys.readouterr().err
    assert re.fullmatch(r"everwhen: predictions\.jsonl:\d: not a prediction of this run; .* --overwrite\n", err)
    assert ((here / "predictions.jsonl").read_bytes(), len(server.asked)) == (kept, asked)
    assert ask(dataset, server, "--quiet", "--overwrite", *after) == 0
    assert (here / "predictions.jsonl").read_bytes() != kept


def test_a_run_may_add_items_to_its_own_file(dataset: Path, server: FaultyServer, here: Path) -> None:
    assert ask(dataset, server, "--limit", "2") == 0
    assert ask(dataset, server) == 0
    assert len(read_predictions(here / "predictions.jsonl")) == 6


def test_an_unknown_dataset(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ask", "none", *REQUIRED]) == 2
    assert capsys.readouterr().err == "everwhen: none: no such folder\n"


def test_no_endpoint_is_there(
    dataset: Path, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everwhen.core.retries.time.sleep", lambda _: None)
    assert main(["ask", str(dataset), *REQUIRED, "--threads", "1"]) == 3
    assert capsys.readouterr().err == (
        "everwhen: http://127.0.0.1:9/v1/chat/completions: no connection: Failed to establish a new connection:"
        " [Errno 111] Connection refused; start the server, or check --base-url\n"
    )
    assert not (here / "predictions.jsonl").exists()


def test_prompts_are_complete(dataset: Path, server: FaultyServer) -> None:
    assert ask(dataset, server, "--quiet") == 0
    assert all("{" not in find_prompt(asked) for asked in server.asked)
