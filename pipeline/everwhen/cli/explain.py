"""Show the facts and the rule behind one question.

Prints the question, its answer and what the facts give, what each part of the text stands for, the statements with
their addresses, how descriptions and thresholds follow, the rule, the row in words, and the SQL with its views; with
--json the same as one JSON object. Ends with 1 where the facts disagree with the answer, the text, a description or a
threshold; `everwhen verify` derives all columns again.

example:
  everwhen explain build/demo/dataset/demo 4469056277241532985
"""

from __future__ import annotations

import argparse
import json

from everwhen.core.errors import ExitCode


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    parser.add_argument("item_id", metavar="ID", help="id of the item, such as its question_id")
    parser.add_argument("--family", metavar="NAME", help="the family of the item; by default the first that has it")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(args: argparse.Namespace) -> int:
    """Explain one row."""
    from everwhen.validate.explain import explain

    found = explain(args.dataset, args.item_id, args.family)
    data = json.dumps(found.as_json(), indent=1, ensure_ascii=False)
    print(data if args.json else found.render())
    return ExitCode.DONE if found.agrees else ExitCode.CHECK_FAILED
