"""Show the facts and the rule behind one question.

Prints the question, its answer and what the facts give, its metadata in words, the statements with their addresses,
the rule, and the SQL; with --json the same as one JSON object.

example:
  everwhen explain build/demo/dataset/demo 2331809757996325851
"""

from __future__ import annotations

import argparse
import json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    parser.add_argument("item_id", metavar="ID", help="id of the item, such as its question_id")
    parser.add_argument("--family", metavar="NAME", help="the family of the item; by default the first that has it")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> None:
    """Explain one row."""
    from everwhen.validate.explain import explain

    found = explain(arguments.dataset, arguments.item_id, arguments.family)
    data = json.dumps(found.as_json(), indent=1, ensure_ascii=False, default=str)
    print(data if arguments.json else found.render())
