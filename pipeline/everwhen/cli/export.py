"""Export items of a dataset for other programs.

Formats: jsonl and csv (a row an item, with all that is accepted as its answer), complextempqa (JSON Lines in the field
layout of ComplexTempQA's own release), and tasks for two harnesses, lm-eval and inspect, whose answers everwhen's own
scorer scores; and beir, a collection that the dataset publishes, with its qrels in TREC's format, too. OUT is a folder;
it appears when it is complete. Each export has a file export.json with the dataset's
SHA-256, the licences of its tables, and a canary GUID. Items of private tables, which have no licence, are left out
unless --private names the table. Tasks are of lite-1000, or of a set that the family names, unless --set, --split or
--ids says otherwise; of a family without sets, name one of these.

example:
  everwhen export jsonl build/demo/dataset/demo lite --set lite-1000
  everwhen export lm-eval build/demo/dataset/demo tasks
  everwhen export lm-eval build/demo/dataset/demo rows --family tdbench --split test --context dataset
  everwhen export jsonl dataset folder --family FAMILY --layout NAME
  everwhen export beir dataset folder --family FAMILY --collection NAME
  everwhen export inspect build/demo/dataset/demo task --split validation
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from everwhen.cli.arguments import choose_evaluation, refuse_unused
from everwhen.cli.contexts import add_context_arguments, read_conditions
from everwhen.core.counted import count_noun
from everwhen.core.errors import ExitCode, InputError

if TYPE_CHECKING:
    from everwhen.evaluate.ask.prepare import Additions
    from everwhen.evaluate.declaration import Evaluation


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add = parser.add_argument
    add("format", metavar="FORMAT", help="jsonl, csv, beir, lm-eval, inspect or a layout of the family")
    add("dataset", metavar="DATASET", help="folder of the dataset, with manifest.json")
    add("out", metavar="OUT", help="folder to write; it must be empty or new")
    add("--family", metavar="NAME", help="the family; by default the first that has items")
    add("--layout", metavar="NAME", help="of jsonl: the keys of another release, as a format of this name has them")
    add("--collection", metavar="NAME", help="of beir: which collection, where there are several")
    add("--pool", metavar="NAME", help="of beir: only this pool; by default each has a folder below OUT")
    add("--set", metavar="NAME", dest="item_set", help="only this set, such as lite-1000")
    add("--split", metavar="NAME", help="only this split: train, validation or test; of beir only its queries")
    add("--ids", type=Path, metavar="FILE", help="only the ids of this file, one a line")
    add(
        "--private",
        metavar="TABLE",
        action="append",
        default=[],
        help="also items of this private table, which nobody may pass on; may be repeated",
    )
    tasks = parser.add_argument_group("tasks", "how items are asked, of lm-eval and inspect")
    tasks.add_argument("--prompt", metavar="NAME", help="a prompt of the family, such as cot, where it has several")
    add_context_arguments(tasks)


def run(args: argparse.Namespace) -> int:
    """Write the export; what was exported, and what was left out, is a line each on stderr."""
    from everwhen.evaluate.ask.selection import Selection, read_ids
    from everwhen.evaluate.export.collection import BEIR
    from everwhen.evaluate.export.write import HARNESSES, export_items, list_formats
    from everwhen.families import load_evaluations

    if args.format == BEIR:
        return _export_collection(args)
    refuse_unused({"--pool": args.pool, "--collection": args.collection}, BEIR)
    evaluations = load_evaluations()
    formats = (*list_formats(evaluations), BEIR)
    if args.format not in formats:
        raise InputError(f"{args.format}: no such format; there are {', '.join(formats)}")
    form = args.format if args.layout is None else _choose_layout(args, evaluations)
    family, evaluation = choose_evaluation(args.dataset, args.family, "what is right of its items")
    ids = read_ids(args.ids) if args.ids else None
    selection = Selection(ids=ids, split=args.split, item_set=args.item_set)
    if form in HARNESSES and selection == Selection():
        selection = Selection(item_set=evaluation.default_set or _refuse_all_items(args, family))
    selection = replace(selection, private=args.private, additions=_read_additions(args))
    origin = export_items(args.dataset, family, evaluation, selection, form, args.out)
    lines = [f"{args.out}: {count_noun(origin.items, 'item')} of {family}, version {origin.version}"]
    for table, count in origin.left_out.items():
        left = f"left out: {count_noun(count, 'item')} of the private table {table}"
        lines.append(f"{left}; --private {table} exports them")
    if not args.quiet:
        print(*lines, *origin.remarks, sep="\n", file=sys.stderr)
    return ExitCode.DONE


def _choose_layout(args: argparse.Namespace, evaluations: Mapping[str, Evaluation]) -> str:
    """Choose the layout that is named, which is a format, too."""
    layouts = sorted({name for evaluation in evaluations.values() for name in evaluation.layouts})
    if args.format != "jsonl":
        raise InputError(f"--layout {args.layout}: {args.format} has keys of its own; layouts are of jsonl")
    if args.layout not in layouts:
        raise InputError(f"--layout {args.layout}: no such layout; there are {', '.join(layouts)}")
    return str(args.layout)


def _refuse_all_items(args: argparse.Namespace, family: str) -> NoReturn:
    """Refuse tasks of a family without item sets where nothing chooses its items; name the splits that can be tasks."""
    from everwhen.validate.manifest import load_manifest

    counts = load_manifest(args.dataset)["families"][family]["counts"]
    splits = ", ".join(sorted(name for name in counts.get("split", {}) if name != "train")) or "none"
    raise InputError(f"{args.format}: {family} has no item sets; choose items by --split ({splits}) or --ids")


def _read_additions(args: argparse.Namespace) -> Additions | None:
    """Read how items are asked; None where nothing says so."""
    from everwhen.evaluate.ask.prepare import Additions

    condition, *others = read_conditions(args)
    if others:
        raise InputError(f"--context {others[0].name}: an export has one context; export each into a folder of its own")
    if not (args.prompt or args.manner or args.contexts):
        return None
    return Additions(0, condition, args.prompt, args.manner == "generation")


def _export_collection(args: argparse.Namespace) -> int:
    from everwhen.cli.rankings import read_collection_of_dataset
    from everwhen.evaluate.export.collection import export_collection
    from everwhen.validate.manifest import load_manifest

    for option in ("item_set", "ids", "layout"):
        if getattr(args, option) is not None:
            raise InputError(f"--{option.replace('item_', '')}: is of items, and beir is a collection; leave it out")
    published = read_collection_of_dataset(args)
    manifest = load_manifest(args.dataset)
    origin = export_collection(manifest, published, args.private, args.out, args.split)
    if not args.quiet:
        documents, queries = count_noun(origin.items, "document"), len(published.collection.queries)
        print(f"{args.out}: {documents}, {queries:,} queries, version {origin.version}", file=sys.stderr)
    return ExitCode.DONE
