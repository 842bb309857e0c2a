"""A dataset of TimE's kind: a text, and an item of each task, written without Spark."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from tiny_dataset import write_checks, write_manifest, write_table

NAME = "time_benchmark"
_TEXTS = pa.list_(pa.string())
ITEMS = pa.schema(
    [
        ("item_id", pa.int64()),
        ("level", pa.int8()),
        ("task", pa.string()),
        ("form", pa.string()),
        ("context_id", pa.int64()),
        ("question", pa.string()),
        ("options", _TEXTS),
        ("option_kinds", _TEXTS),
        ("answer", _TEXTS),
        ("accepted", pa.list_(_TEXTS)),
        ("answer_type", pa.string()),
        ("evidence", _TEXTS),
        ("parameters", pa.map_(pa.string(), pa.string())),
        ("wording", pa.int8()),
        ("is_refusal", pa.bool_()),
        ("split", pa.string()),
        ("words", pa.int32()),
    ]
)
CONTEXTS = pa.schema(
    [
        ("context_id", pa.int64()),
        ("text", pa.string()),
        ("rewriting", pa.string()),
        ("words", pa.int32()),
        ("split", pa.string()),
    ]
)
MENTIONS = pa.schema(
    [
        ("context_id", pa.int64()),
        ("statement_id", pa.string()),
        ("position", pa.int32()),
        ("sentence", pa.string()),
    ]
)

SENTENCES = {
    "Q1$a": "Mira Rau was mayor of Østby from May 1998 to 2001.",
    "Q1$b": "Alan Kerr has been mayor since 2004.",
    "Q1$c": "Kit Holt led the port from 3 May 1990 until 16 October 1996.",
}
TEXT = " ".join(SENTENCES.values())
NO_ANSWER = "There is no answer"


def build_context(number: int = 1, split: str = "test", text: str = TEXT) -> dict[str, Any]:
    """A text."""
    return {"context_id": number, "text": text, "rewriting": None, "words": len(text.split()), "split": split}


def list_mentions(context: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The facts that a text tells."""
    told = [(key, sentence) for key, sentence in SENTENCES.items() if sentence in context["text"]]
    return [
        {"context_id": context["context_id"], "statement_id": key, "position": place, "sentence": sentence}
        for place, (key, sentence) in enumerate(told)
    ]


def build_item(number: int, task: str, question: str, answer: list[str], **changes: Any) -> dict[str, Any]:
    """A row; by default free, of the first text and the second fact."""
    options = changes.get("options", [])
    form = changes.pop("form", None) or ("single" if options else "free")
    row = {
        "item_id": number,
        "level": 1,
        "task": task,
        "form": form,
        "context_id": 1,
        "question": question,
        "options": options,
        "option_kinds": ["right" if option in answer else "wrong" for option in options],
        "answer": answer,
        "accepted": [[] for _ in answer],
        "answer_type": "name",
        "evidence": ["Q1$b"],
        "parameters": [],
        "wording": 0,
        "is_refusal": answer == [NO_ANSWER],
        "split": "test",
        "words": 30,
    }
    return row | changes


ROWS = [
    build_item(
        1,
        "extract",
        "Which of these times does the text mention?",
        ["May 1998", "2001"],
        form="multiple",
        options=["May 1998", "1999", "2001", NO_ANSWER],
    ),
    build_item(
        2, "localization", "When was Mira Rau mayor of Østby?", ["From May 1998 to 2001"], evidence=["Q1$c", "Q1$a"]
    ),
    build_item(
        3,
        "computation",
        "How long did Kit Holt lead the port?",
        ["6 years 5 months 13 days"],
        accepted=[["6 years, 5 months and 13 days", "2358 days"]],
    ),
    build_item(
        4,
        "duration_compare",
        "Which lasted longer?",
        ["Kit Holt led the port"],
        options=["Mira Rau was mayor", "Kit Holt led the port", "Both lasted as long"],
    ),
    build_item(
        5, "explicit_reasoning", "Who was mayor in 2006?", ["Alan Kerr"], level=2, accepted=[["Alan R. Kerr", "Kerr"]]
    ),
    build_item(6, "relative_reasoning", "Who was mayor in 2003?", [NO_ANSWER], level=2, words=5000),
    build_item(7, "co_temporality", "Who led anything in 1999?", ["Mira Rau", "Kit Holt"], level=3, words=20_000),
    build_item(
        8,
        "timeline",
        "Order: (1) Alan Kerr became mayor. (2) Kit Holt led the port. (3) Mira Rau became mayor.",
        ["(2)(3)(1)"],
        level=3,
    ),
    build_item(9, "counterfactual", "When would it have begun?", ["Since 2005"], level=3, words=1000),
]


def write_time_dataset(
    folder: Path, rows: Iterable[Mapping[str, Any]] = tuple(ROWS), contexts: Iterable[Mapping[str, Any]] = ()
) -> Path:
    """Write a dataset of these items, by default of all tasks but two, and of one text."""
    rows = [*rows]
    write_table(folder / NAME / "items", rows, ITEMS)
    texts = [*contexts] or [build_context()]
    write_table(folder / NAME / "contexts", texts, CONTEXTS)
    write_table(folder / NAME / "fact_mentions", [row for text in texts for row in list_mentions(text)], MENTIONS)
    plan = {"items": {"table": "items", "id": "item_id"}, "checks": []}
    write_checks(folder, {f"{NAME}/checks.json": json.dumps(plan)})
    window = {"start": "1980-01-01", "end": "2026-01-01"}
    write_manifest(folder, window=window, lists=[], version="v1", snapshot="2026-11-01", templates_hash="0" * 16)
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["families"][NAME]["counts"]["split"] = Counter(row["split"] for row in rows)
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return folder


def write_predictions(path: Path, responses: Mapping[int, str | None], **settings: Any) -> Path:
    """Write predictions of items."""
    lines = [
        {"item_id": item, "response": response, "settings": settings, "family": NAME}
        for item, response in responses.items()
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
