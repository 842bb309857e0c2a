"""Ask a model for other wordings of TDBench's questions, and keep those that name the same.

Each question is put to an OpenAI-compatible endpoint, which writes three phrasings. A phrasing is kept if all values,
dates and numbers of the question are in it, and no others; how it compares times is not proven. Where none is kept, the
question stays as it is. The dataset does not change: --out has a line for each phrasing that is kept, with the item's
id. Answers are in the journal beside it, so that the same command asks nothing twice.

example:
  everwhen tdbench paraphrase build/leaders/dataset/leaders --base-url http://localhost:8000/v1 --model my-model
  everwhen tdbench paraphrase DATASET --base-url URL --model NAME --split test --limit 500 --out wordings.jsonl
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from everwhen.core.arguments import (
    add_endpoint_arguments,
    add_journal_argument,
    locate_journal,
    read_count,
    require_outputs,
)
from everwhen.core.counted import count_noun
from everwhen.core.errors import ExitCode
from everwhen.families.tdbench.config import NAME

if TYPE_CHECKING:
    from everwhen.evaluate.items import Gold
    from everwhen.evaluate.messages import Message
    from everwhen.language.rewriting import Rewriting

TEMPERATURE = 0.3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("dataset", type=Path, metavar="DATASET", help="folder of the dataset")
    parser.add_argument("--split", metavar="NAME", help="only items of a split: train, validation or test")
    parser.add_argument("--limit", type=read_count, metavar="N", help="at most N items, chosen by hash")
    add_endpoint_arguments(parser, temperature=TEMPERATURE)
    parser.add_argument(
        "--out", type=Path, default=Path("wordings.jsonl"), metavar="FILE", help="phrasings kept (wordings.jsonl)"
    )
    parser.add_argument(
        "--rejects", type=Path, metavar="FILE", help="also write the phrasings that are not kept, with the reason"
    )
    add_journal_argument(parser)


def run(arguments: argparse.Namespace) -> int:
    """Ask, judge, and write what is kept."""
    from everwhen.core.files import write_atomically
    from everwhen.evaluate.ask.endpoint import open_endpoint
    from everwhen.evaluate.ask.run import ask_items, describe_failures
    from everwhen.families.tdbench.texts.paraphrase import Names, build_prompt, judge_phrasings, split_phrasings
    from everwhen.language.rewriting import Rewriter, rewrite_texts

    require_outputs(arguments, others={"--rejects": arguments.rejects})
    endpoint = open_endpoint(arguments)
    gold = _read_gold(arguments)
    questions = {item.item_id: item.question for item in gold.iter_items()}
    names = Names(gold.tables["values"]["value"].to_pylist())
    failures: Mapping[str, str] = {}

    def ask(prompts: Mapping[int, Sequence[Message]]) -> Mapping[int, str]:
        nonlocal failures
        answers, failures = ask_items(
            "tdbench paraphrase",
            prompts,
            endpoint,
            locate_journal(arguments),
            threads=arguments.threads,
            quiet=arguments.quiet,
        )
        return answers

    rewriter = Rewriter(build_prompt, split_phrasings, partial(judge_phrasings, names=names))
    phrasings = rewrite_texts(questions, ask, rewriter)
    kept, left = ([each for each in phrasings if (each.reason is None) == is_kept] for is_kept in (True, False))
    origin = {"model": arguments.model, "dataset": gold.content_hash, "family": NAME}
    for path, written in ((arguments.out, kept), (arguments.rejects, left)):
        if path:
            write_atomically(path, _write_lines(written, origin))
    if not arguments.quiet:
        _report(kept, left, len(questions))
        print(f"wordings: {arguments.out}", file=sys.stderr)
    if failures:
        print(describe_failures(failures, len(questions)), file=sys.stderr)
    return ExitCode.MAY_GO_ON if failures else ExitCode.DONE


def _report(kept: Sequence[Rewriting[int]], left: Sequence[Rewriting[int]], asked: int) -> None:
    """Print how many phrasings are kept, and why others are not."""
    items = len({each.key for each in kept})
    print(f"kept: {count_noun(len(kept), 'phrasing')} of {items:,} of {asked:,} items", file=sys.stderr)
    for reason, count in Counter(each.reason for each in left).most_common():
        print(f"not kept: {count:,}: {reason}", file=sys.stderr)


def _write_lines(phrasings: Sequence[Rewriting[int]], origin: Mapping[str, object]) -> str:
    """Write a line for each phrasing."""
    rows = (
        {"item_id": each.key, "question": each.text, **({"reason": each.reason} if each.reason else {}), **origin}
        for each in phrasings
    )
    return "".join(json.dumps(row) + "\n" for row in rows)


def _read_gold(arguments: argparse.Namespace) -> Gold:
    """Read the chosen items, and the values that they may name."""
    from everwhen.evaluate.ask.selection import Selection, select_ids
    from everwhen.evaluate.gold import read_gold
    from everwhen.families.tdbench.evaluation import EVALUATION
    from everwhen.families.tdbench.queries import write_query

    ids = select_ids(arguments.dataset, NAME, Selection(split=arguments.split, limit=arguments.limit))
    return read_gold(
        arguments.dataset, NAME, replace(EVALUATION, tables={"values": write_query("texts/values")}), ids=ids
    )
