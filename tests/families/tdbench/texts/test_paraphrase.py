"""`everwhen tdbench paraphrase` against a server on loopback: what is kept, and why the rest is not."""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from chat import answer_chats
from everwhen.core.errors import InputError
from everwhen.families.tdbench.commands import paraphrase
from everwhen.families.tdbench.declaration.model import Declaration
from everwhen.families.tdbench.texts.paraphrase import Names, PhrasingReason, judge_phrasings
from everwhen.language.rewriting import NOTHING_WRITTEN
from servers import FaultyServer
from tdbench_dataset import build_item, write_dataset
from tdbench_words import GAMES, LEADERS

RULERS = Declaration.model_validate({**LEADERS.model_dump(mode="json", by_alias=True), "table": "rulers"})
GIVEN = [{"column": "Country", "value": "Ardonia"}, {"column": "Role", "value": "President"}]
BEFORE = build_item(
    1,
    "Who stopped being president of Ardonia before 1 June 2000?",
    ["Mira Holt", "Tomas Vale"],
    b_start=dt.date(2000, 6, 1),
    b_end=dt.date(2001, 6, 1),
)
MEETS = build_item(
    2,
    "Who stopped being president of Ardonia exactly four months before 1 May 1999?",
    ["Tomas Vale"],
    relation="meets",
    b_start=dt.date(1999, 1, 1),
    b_end=dt.date(1999, 5, 1),
    offset_months=4,
)
HOSTED = build_item(
    3,
    "Who was president of the host country during the Northport 1992 Olympics?",
    ["Jo Marsh"],
    task="multi_hop",
    relation="joined",
    given=[{"column": "Game", "value": "Northport 1992"}, {"column": "Role", "value": "President"}],
    event="the Northport 1992 Olympics",
    evidence=[5, 50],
    b_start=None,
    b_end=None,
)
RESPONSES = {
    "2000": "Q: Which person left office as president of Ardonia before June 1, 2000?\n"
    "Q: Who stopped being president of Ardonia before June 2000?\n"
    "Q: Who stopped being the Ardonian president before 1 June 2000?\n"
    "Q: Who was the fourth?",
    "1999": "Here you are.\n"
    "Q1: Whose term as president of Ardonia ended four months prior to May 1, 1999?\n"
    "Q2: Who stopped being president of Ardonia on 1 January 1999?\n"
    "Q3: Who stopped being president of Ardonia exactly four years before 1 May 1999?",
    "1992": "Nothing comes to mind.",
}


def answer(prompt: str) -> tuple[str, str]:
    return next(text for mark, text in RESPONSES.items() if mark in prompt), "stop"


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    texts = {each.name: each.model_dump(mode="json", by_alias=True) for each in (RULERS, GAMES)}
    return write_dataset(tmp_path_factory.mktemp("paraphrase") / "tiny", [BEFORE, MEETS, HOSTED], texts)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("EVERWHEN_API_KEY", raising=False)
    return tmp_path


def run(dataset: Path, server: FaultyServer, *more: str) -> int:
    parser = argparse.ArgumentParser()
    paraphrase.add_arguments(parser)
    given = [str(dataset), "--base-url", server.url("/v1"), "--model", "m", "--attempts", "1", *more]
    arguments = parser.parse_args(given, argparse.Namespace(quiet=False))
    return paraphrase.run(arguments)


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_only_what_asks_the_same_is_kept(
    dataset: Path, faulty: Callable[..., FaultyServer], here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = faulty(answer_chats(answer))
    assert run(dataset, server, "--rejects", "rejects.jsonl") == 0
    kept = read_lines(here / "wordings.jsonl")
    assert [(row["item_id"], row["question"]) for row in kept] == [
        (1, "Which person left office as president of Ardonia before June 1, 2000?"),
        (2, "Whose term as president of Ardonia ended four months prior to May 1, 1999?"),
    ]
    assert {(row["model"], row["family"]) for row in kept} == {("m", "tdbench")}
    assert [row["reason"] for row in read_lines(here / "rejects.jsonl")] == [
        PhrasingReason.DATE_MISSING,
        PhrasingReason.VALUE_MISSING,
        PhrasingReason.DATE_MISSING,
        PhrasingReason.OTHER_NUMBER,
        NOTHING_WRITTEN,
    ]
    assert capsys.readouterr().err.splitlines() == [
        "kept: 2 phrasings of 2 of 3 items",
        "not kept: 2: a date is missing, or written more or less exactly",
        "not kept: 1: a value is missing",
        "not kept: 1: a number or a length of time is missing, or another is in it",
        "not kept: 1: the model wrote no text",
        "wordings: wordings.jsonl",
    ]
    before = (here / "wordings.jsonl").read_bytes()
    assert run(dataset, server) == 0
    assert len(server.asked) == 3
    assert (here / "wordings.jsonl").read_bytes() == before


def test_an_endpoint_that_is_down_can_be_asked_again(
    dataset: Path, faulty: Callable[..., FaultyServer], here: Path
) -> None:
    broken = faulty(lambda asked: (503, b"busy"))
    assert run(dataset, broken) == 3
    assert read_lines(here / "wordings.jsonl") == []
    assert run(dataset, faulty(answer_chats(answer))) == 0
    assert len(read_lines(here / "wordings.jsonl")) == 2


@pytest.mark.parametrize("more", [("--out", "."), ("--base-url", ""), ("--rejects", "wordings.jsonl")])
def test_arguments_that_cannot_be_meant(
    dataset: Path, faulty: Callable[..., FaultyServer], more: tuple[str, str]
) -> None:
    server = faulty(answer_chats(answer))
    with pytest.raises(InputError, match=more[0]):
        run(dataset, server, *more)
    assert server.asked == []


NAMES = Names(
    ["Ardonia", "Ardonia Minor", "President", "president", "Mira Holt", "AB+", "AB-", "-", "The Hague", "legal"]
)
BOTH = "Who became president of Ardonia before 1 May 1990 and left office after 1 May 1990 but before 3 May 1992?"
HALF = "In a term that ended exactly half a year before May 1999, who was president of Ardonia?"


@pytest.mark.parametrize(
    ("question", "phrasing", "reason"),
    [
        (
            BOTH,
            "Whose time as Ardonia's President began before May 1, 1990, to end after 1990-05-01, before 3 May 1992?",
            None,
        ),
        (
            BOTH,
            "Who became president of Ardonia before 1 May 1990 and left office before 3 May 1992?",
            PhrasingReason.DATE_MISSING,
        ),
        (BOTH, BOTH.replace("3 May 1992", "May 1992"), PhrasingReason.DATE_MISSING),
        (BOTH, BOTH.replace("1992", "1992, as in 1994"), PhrasingReason.OTHER_DATE),
        (BOTH, BOTH.replace("Ardonia", "the Ardonian people"), PhrasingReason.VALUE_MISSING),
        (BOTH, BOTH.replace("Ardonia", "Ardonia Minor"), PhrasingReason.OTHER_VALUE),
        (BOTH, BOTH.replace("Who", "Who, like Mira Holt,"), PhrasingReason.OTHER_VALUE),
        (BOTH, BOTH.replace("became", "was the second who in June became"), PhrasingReason.OTHER_NUMBER),
        (BOTH, BOTH.replace("became", "was the 2nd who became"), PhrasingReason.OTHER_NUMBER),
        (HALF, "Who was president of Ardonia for a term that ended half a year before May 1999?", None),
        (
            HALF,
            "Who was president of Ardonia for a term that ended half a month before May 1999?",
            PhrasingReason.OTHER_NUMBER,
        ),
        (
            HALF,
            "Who was president of Ardonia for a term that ended six months before May 1999?",
            PhrasingReason.OTHER_NUMBER,
        ),
        ("Who has blood type AB+?", "Whose blood type is AB+?", None),
        ("Who has blood type AB+?", "Whose blood type is AB-?", PhrasingReason.VALUE_MISSING),
        ("Is it legal in The Hague?", "Is it in The Hague that this is legal?", None),
        ("Is it legal in The Hague?", "Is it permitted in The Hague?", PhrasingReason.VALUE_MISSING),
        ("Who was it?", "Who was it?", PhrasingReason.REPEATED),
    ],
)
def test_reasons(question: str, phrasing: str, reason: PhrasingReason | None) -> None:
    assert list(judge_phrasings(question, [phrasing], NAMES)) == [reason]


def test_what_says_the_same_as_another_phrasing_is_not_kept() -> None:
    said = ["When was it?", "when was it"]
    assert list(judge_phrasings("Who was it?", said, NAMES)) == [None, PhrasingReason.REPEATED]
