"""Answer queries from documents by a reader that needs no model.

A query is asked with its document among others of the set, as `everwhen ask --context oracle` asks it. The reader
`parser` reads all of them by rules and takes the one that implies what is asked; `first` takes the first. Writes
predictions for `everwhen evaluate`, those of several K one after the other: what a model scores lies between both.

example:
  everwhen impliret read build/demo/dataset/demo --reader parser --k 1 10 20 30
  everwhen impliret read build/demo/dataset/demo --reader first --k 10 --out first.jsonl
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from everwhen.core.arguments import read_count
from everwhen.core.counted import count_noun
from everwhen.core.errors import InputError
from everwhen.core.files import require_writable_files, write_atomically
from everwhen.families.impliret.config import NAME

READERS = ("parser", "first")
NUMBER = re.compile(r"\[\d+\] ")
"""What a document of a prompt begins with."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add = parser.add_argument
    add("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    add("--reader", choices=READERS, required=True, help="parser: what fits by rules; first: the first document")
    add("--k", type=read_count, nargs="+", default=[10], metavar="K", help="documents of a query (10)")
    add("--split", metavar="NAME", help="only queries of this split: train, validation or test")
    add("--out", type=Path, default=Path("predictions.jsonl"), metavar="FILE", help="predictions (predictions.jsonl)")


def run(arguments: argparse.Namespace) -> None:
    """Answer the queries."""
    require_writable_files({"--out": arguments.out}, [])
    rows = list(_iter_predictions(arguments))
    write_atomically(arguments.out, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    if not arguments.quiet:
        print(f"{arguments.out}: {count_noun(len(rows), 'prediction')}", file=sys.stderr)


def _iter_predictions(arguments: argparse.Namespace) -> Iterator[Mapping[str, Any]]:
    """Iterate over the predictions, one condition after the other."""
    from everwhen.evaluate.ask.context import Condition, read_oracle
    from everwhen.evaluate.conditions import ORACLE
    from everwhen.evaluate.gold import read_gold, select_rows
    from everwhen.families.impliret.evaluation import CANDIDATES, EVALUATION
    from everwhen.families.impliret.evaluation.facts import LANDMARKS, FactReader, fold_countries

    gold = read_gold(arguments.dataset, NAME, EVALUATION, split=arguments.split)
    questions = {item.item_id: item.question for item in gold.iter_items()}
    reader = FactReader(fold_countries(select_rows(arguments.dataset, NAME, LANDMARKS)))
    source = {"finish_reason": "stop", "model": arguments.reader, "dataset": gold.content_hash, "family": NAME}
    for count in dict.fromkeys(arguments.k):
        settings = Condition(ORACLE, count=count).describe()
        found = read_oracle(arguments.dataset, NAME, CANDIDATES, list(questions), count)
        most = max(map(len, found.values()), default=count)
        if count > most:
            raise InputError(f"--k {count}: a set has {most} documents; a number from 1 to {most} is expected")
        for item, documents in found.items():
            texts = [NUMBER.sub("", document, count=1) for document in documents]
            answer = reader.write_answer(questions[item], texts, is_first=arguments.reader == "first")
            yield {"item_id": item, "response": f"Answer: {answer}", **source, "settings": settings}
