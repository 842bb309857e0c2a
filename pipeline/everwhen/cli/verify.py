"""Derive every row of a dataset again from its own tables.

First compares all files with manifest.json, what it counts with the files, and all rows with totals.json. Then prints
one JSON object on stdout: files that are missing, changed or not listed, rows, checked and wrong as sums, and of each
family what is wrong by check and by template, with up to 20 examples and what the facts give. On stderr come differing
files and lost rows, at once, then the progress and a line for people. Ends with 1 where a row is wrong or lost or a
file is not what the manifest says, and with 2 where a file that is needed cannot be read.

example:
  everwhen verify build/demo/dataset/demo
  everwhen verify build/demo/dataset/demo --templates 'counting.*' --limit 100
"""

from __future__ import annotations

import argparse
import json
import sys

from everwhen.cli.arguments import read_memory
from everwhen.core.arguments import read_count, read_threads
from everwhen.core.errors import ExitCode
from everwhen.core.log import add_log_fields
from everwhen.core.progress import show_progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add = parser.add_argument
    add("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    add("--family", action="append", default=[], metavar="NAME", help="only this family; repeatable")
    add("--limit", type=read_count, metavar="N", help="check at most N rows of each template")
    add("--templates", action="append", default=[], metavar="PATTERN", help="only these, * for any text; repeatable")
    add(
        "--memory",
        type=read_memory,
        metavar="SIZE",
        help="memory limit, 256MB or more, such as 8GB; most of what is more goes to disk",
    )
    add("--threads", type=read_threads, metavar="N", help="threads, 1 to 64; all cores by default")


def run(args: argparse.Namespace) -> int:
    """Check a dataset; what came of it as JSON on stdout."""
    from everwhen.validate.database import MEMORY, Resources
    from everwhen.validate.verify import ItemSelection, verify

    with show_progress("verify", quiet=args.quiet) as progress:
        found = verify(
            args.dataset,
            ItemSelection(args.family, args.templates, args.limit),
            resources=Resources(args.memory or MEMORY, args.threads),
            progress=progress,
            warn=lambda line: _warn(f"{args.dataset}: {line}"),
        )
    print(json.dumps(found.as_json(), indent=1, ensure_ascii=False, default=str))
    if not args.quiet:
        print(found.summarize(), file=sys.stderr)
    for line in found.warn_of_unknown_checks():
        _warn(line)
    return ExitCode.DONE if found.passed else ExitCode.CHECK_FAILED


def _warn(line: str) -> None:
    with add_log_fields(level="warning"):
        print(line, file=sys.stderr, flush=True)
