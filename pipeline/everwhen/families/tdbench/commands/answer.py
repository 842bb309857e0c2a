"""Answer questions on a declared table that a file asks for.

Each line of the file is a JSON object with `given` (columns with values), `asked` (columns), and either `relation` with
`b` (start and end), or `conditions`: before, after, on and within for start and end. Dates are days, months or years;
`granularity` says so again. `id` is copied. Each line of the answer has answer, references (the dates that are its
reason), evidence and SQL, or `not_asked`: why a build does not ask such a question.

example:
  everwhen tdbench answer leaders.yaml requests.jsonl --out answers.jsonl

  {"id": 1, "given": {"Country": "Brazil", "Role": "President"}, "asked": ["Name"],
   "relation": "before", "b": {"start": "1995-01", "end": "1996-01"}}
  {"id": 2, "given": {"Country": "Brazil", "Role": "President"}, "asked": ["Name"],
   "conditions": {"start": {"after": "1990"}, "end": {"within": ["1995", "2011"]}}}
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("declaration", metavar="DECLARATION", help="declaration of the table (YAML)")
    parser.add_argument("requests", metavar="REQUESTS", help="file of requests (JSON Lines)")
    parser.add_argument("--out", metavar="FILE", help="file to write to; by default, answers are printed")


def run(arguments: argparse.Namespace) -> None:
    """Answer the requests."""
    from everwhen.core.config import Spark
    from everwhen.core.errors import InputError
    from everwhen.core.files import write_atomically
    from everwhen.core.session import SHORT_RUN, start_session
    from everwhen.families.tdbench.requests.answer import find_answers
    from everwhen.families.tdbench.requests.read import read_requests
    from everwhen.families.tdbench.source.load import load_declaration

    declaration = load_declaration(arguments.declaration)
    if declaration.source.is_world:
        raise InputError(f"{declaration.path}: from: tables of Wikidata are read by `everwhen build` alone")
    requests = read_requests(Path(arguments.requests), declaration)
    session = start_session("tdbench answer", Spark(shuffle_partitions=2, settings=SHORT_RUN))
    answers = find_answers(session, declaration, requests)
    lines = "".join(json.dumps(answer, ensure_ascii=False) + "\n" for answer in answers)
    if arguments.out:
        write_atomically(Path(arguments.out), lines)
    else:
        sys.stdout.write(lines)
