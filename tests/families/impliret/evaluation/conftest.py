"""The family alone in the registry, a dataset with two documents a pool, and one of pools that the family composes."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from everwhen import families
from everwhen.families.impliret.commands import read
from everwhen.families.impliret.evaluation import EVALUATION
from everwhen.families.impliret.evaluation.collections import COLLECTIONS
from everwhen.families.impliret.tables import DOCUMENTS, QRELS, QUERIES, TUPLES
from impliret_dataset import SIZES, build_pool, find_schema, write_dataset
from tiny_dataset import write_checks, write_manifest, write_table

NAME = "impliret"


def write_chat(day: str, speaker: str, other: str, statement: str) -> str:
    """A chat of ten lines."""
    told = [
        "How are you?",
        "Fine, thanks.",
        "Any news?",
        "Hardly any.",
        "Go on.",
        statement,
        "Really?",
        "Yes.",
        "Well.",
    ]
    return "\n".join(
        f"{day} 10:{minute:02d}, {(other, speaker)[minute % 2]}: {text}" for minute, text in enumerate((*told, "Bye."))
    )


POSTS: Mapping[str, list[tuple[str, str, str, dict[str, Any]]]] = {
    "arithmetic_multi": [
        (
            "2024-03-01 09:10, Ann: I like it. The 2015 model from Zorvex costs $1,000. Its 2020 model costs 20% more"
            " than that. I bought the 2020 model. It works well.",
            "Which brand and model of kettles cost $1,200?",
            "Zorvex 2020",
            {"speaker": "Ann", "message_date": "2024-03-01", "base_price": 1000, "percent": 20, "direction": "higher"},
        ),
        (
            "2024-04-02 09:10, Bo: I like mine. The 2022 model from Quillon costs $900. The 2014 model from Quillon"
            " costs 10% less than that. I bought the 2014 model. It works, too.",
            "Which brand and model of kettles cost $810?",
            "Quillon 2014",
            {"speaker": "Bo", "message_date": "2024-04-02", "base_price": 900, "percent": 10, "direction": "lower"},
        ),
    ],
    "temporal_multi": [
        (
            "2024-02-29 09:01, Ann: Fine. I read a novel two days ago. It was good. I liked it. More soon.",
            "Who was reading a book on February 27, 2024?",
            "Ann",
            {"speaker": "Ann", "message_date": "2024-02-29", "offsets": [-2]},
        ),
        (
            "2024-03-07 12:15, Bo: Right. I read a play seven days ago. It was long. I liked it. More soon, I hope.",
            "Who was reading a book on February 29, 2024?",
            "Bo",
            {"speaker": "Bo", "message_date": "2024-03-07", "offsets": [-7]},
        ),
    ],
    "wknow_multi": [
        (
            "2024-02-29 09:01, Ann: Fine. I sketched outdoors at Zwinger Hall. It was good. I liked it. More soon.",
            "Who sketched outdoors in Germany?",
            "Ann",
            {
                "speaker": "Ann",
                "message_date": "2024-02-29",
                "landmark_name": "Zwinger Hall",
                "country_name": "Germany",
            },
        ),
        (
            "2024-03-07 12:15, Bo: Right. I sketched outdoors at Skeppet Inn. It was long. I liked it. More soon.",
            "Who sketched outdoors in the Netherlands?",
            "Bo",
            {
                "speaker": "Bo",
                "message_date": "2024-03-07",
                "landmark_name": "Skeppet Inn",
                "country_name": "Netherlands",
            },
        ),
    ],
    "arithmetic_uni": [
        (
            write_chat(
                "2024-05-01",
                "Cy",
                "Di",
                "I needed a kettle. Zorvex wanted $500 for it, and I left. I bought the Quillon, which cost 10% less.",
            ),
            "What did Cy buy for $450?",
            "Quillon kettle",
            {"speaker": "Cy", "message_date": "2024-05-01", "base_price": 500, "percent": 10, "direction": "lower"},
        ),
        (
            write_chat(
                "2024-05-02",
                "Cy",
                "Ed",
                "I needed a lamp. Brindlo asked $100 for it, but I chose the Fennock, which cost 2.5 times as much.",
            ),
            "What did Cy buy for $250?",
            "Fennock lamp",
            {"speaker": "Cy", "message_date": "2024-05-02", "base_price": 100, "direction": "higher"},
        ),
    ],
    "temporal_uni": [
        (
            write_chat(
                "2024-05-01",
                "Fay",
                "Gus",
                "I sorted the seed drawers three days ago from 9 in the morning for two hours.",
            ),
            "What was Fay scheduled to do at 10:00 on April 28, 2024?",
            "sort the seed drawers",
            {"speaker": "Fay", "message_date": "2024-05-01", "offsets": [-3]},
        ),
        (
            write_chat(
                "2024-05-02",
                "Fay",
                "Hal",
                "I will trim the hedge maze in two days from 2 in the afternoon for four hours.",
            ),
            "What was Fay scheduled to do at 16:00 on May 4, 2024?",
            "trim the hedge maze",
            {"speaker": "Fay", "message_date": "2024-05-02", "offsets": [2]},
        ),
    ],
    "wknow_uni": [
        (
            write_chat("2024-05-01", "Ida", "Jo", "I was at Zwinger Hall to sketch the stone carvings."),
            "What was Ida's reason for visiting Germany?",
            "to sketch the stone carvings",
            {
                "speaker": "Ida",
                "message_date": "2024-05-01",
                "landmark_name": "Zwinger Hall",
                "country_name": "Germany",
            },
        ),
        (
            write_chat("2024-05-02", "Ida", "Kim", "I was at Skeppet Inn to hear a choir."),
            "What was Ida's reason for visiting the Netherlands?",
            "to hear a choir",
            {
                "speaker": "Ida",
                "message_date": "2024-05-02",
                "landmark_name": "Skeppet Inn",
                "country_name": "Netherlands",
            },
        ),
    ],
}
"""By pool, of each tuple the document, the query, the answer, and columns of `tuples`; a pool is one set."""


def list_rows() -> list[dict[str, Any]]:
    """One row a tuple, with the columns of all tables; ids of queries are from 1, of documents from 101."""
    rows = []
    for set_id, (pool, tuples) in enumerate(POSTS.items(), 1):
        category, style = pool.split("_")
        for place, (document, question, answer, columns) in enumerate(tuples):
            number = len(rows) + 1
            row = {"query_id": number, "doc_id": 100 + number, "pool": pool, "set_id": set_id, "set_number": 0}
            row |= {"place": place, "category": category, "style": style, "document": document, "question": question}
            row |= {"answer": [answer], "has_lure": (pool, place) == ("temporal_multi", 1), "split": "test", "grade": 1}
            row |= {"opening": "What have you been up to?" if style == "multi" else None, "verbalised_by": "grammar"}
            day = dt.date.fromisoformat(columns["message_date"])
            rows.append(row | {"words": len(document.split()), "message_hour": 9} | columns | {"message_date": day})
    return rows


def write_fixed_dataset(folder: Path) -> Path:
    """Write the dataset of `POSTS`."""
    rows = list_rows()
    texts = {DOCUMENTS.name: "document", QUERIES.name: "question"}
    for table in (DOCUMENTS, QUERIES, QRELS, TUPLES):
        schema = find_schema(table)
        kept = [row | {"text": row[texts[table.name]]} if table.name in texts else row for row in rows]
        write_table(
            folder / NAME / table.name, [{name: row.get(name) for name in schema.names} for row in kept], schema
        )
    plan = {"items": {"table": "queries", "id": "query_id"}, "checks": []}
    write_checks(folder, {f"{NAME}/checks.json": json.dumps(plan)})
    window = {"start": "1980-01-01", "end": "2026-01-01"}
    write_manifest(folder, window=window, lists=[], version="v1", snapshot="2026-11-01", templates_hash="0" * 16)
    return publish_pools(folder)


def publish_pools(folder: Path) -> Path:
    """Have the manifest say that there are splits, and a collection."""
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    tables = {name: f"{NAME}/{name}" for name in ("documents", "queries", "qrels")}
    manifest["families"][NAME] |= {"counts": {"split": {"test": 1}}, "collections": {"pools": tables}}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    return folder


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the registry load this family alone."""
    monkeypatch.setattr(families, "load_evaluations", lambda: {NAME: EVALUATION})
    monkeypatch.setattr(families, "load_collections", lambda name: COLLECTIONS)
    monkeypatch.setattr(families, "load_commands", lambda: {NAME: {"read": read}})


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """A dataset with two documents a pool."""
    return write_fixed_dataset(tmp_path / "dataset")


@pytest.fixture(scope="session")
def composed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of pools that the family draws and composes."""
    return publish_pools(write_dataset(tmp_path_factory.mktemp("pools"), [build_pool(kind) for kind in SIZES]))


@pytest.fixture
def shared_pool(shared_data: Path) -> Path:
    """The temporal threads of the release."""
    path = shared_data / "impliret" / "multispeaker-temporal.jsonl.gz"
    if not path.exists():
        pytest.skip("no pool of the release")
    return path
