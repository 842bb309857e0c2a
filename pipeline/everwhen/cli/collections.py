"""The collection that a command line names: corpus, queries and qrels, and questions of a dataset as queries."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from everwhen.core.errors import InputError

if TYPE_CHECKING:
    from everwhen.evaluate.retrieval.collection import Collection
    from everwhen.evaluate.retrieval.evaluation import Context, Questions
    from everwhen.evaluate.retrieval.published import Published


def add_collection_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what names a collection."""
    _add_file_arguments(parser.add_argument_group("collection"))
    _add_dataset_arguments(parser.add_argument_group("a collection of a dataset, or its questions over --corpus"))


def _add_file_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--corpus", type=Path, metavar="PATH", help="JSONL file, or BEIR folder")
    group.add_argument("--queries", type=Path, metavar="FILE", help="queries as JSONL; of a BEIR folder queries.jsonl")
    group.add_argument("--qrels", type=Path, metavar="FILE", help="qrels of TREC or BEIR; of a folder qrels/test.tsv")
    for name, text in (
        ("id", "field with the id of a document; doc_id by default"),
        ("text", "field with the text of a document; text by default"),
        ("title", "field with the title of a document, if it has one; title by default"),
        ("query", "field with the text of a query: in --queries, else in the corpus; its document is then relevant"),
        ("query-id", "field with the id of a query; by default query_id in --queries, in the corpus the document's"),
    ):
        group.add_argument(f"--{name}-field", metavar="FIELD", help=text)


def _add_dataset_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--dataset", metavar="DATASET", help="a collection that it publishes; with --corpus its questions are queries"
    )
    group.add_argument("--family", metavar="NAME", help="whose; by default the first family that has some")
    group.add_argument("--collection", metavar="NAME", help="which collection, where the family publishes several")
    group.add_argument("--variant", metavar="NAME", help="another wording of the collection's queries")
    group.add_argument("--set", dest="item_set", metavar="NAME", help="those of a set, such as lite-1000")
    group.add_argument("--split", metavar="NAME", help="those of a split: train, validation or test")
    group.add_argument("--ids", type=Path, metavar="FILE", help="those with these ids, one a line")


def read_context(arguments: argparse.Namespace) -> Context:
    """Read what a dataset says of the queries, if one is named: a collection that it publishes, or questions.

    Raises:
        InputError: It cannot be read, or options contradict each other.
    """
    if arguments.corpus is not None:
        if arguments.collection or arguments.variant:
            raise InputError("--collection and --variant: belong to a dataset's own documents; leave out --corpus")
        return read_questions(arguments)
    if not arguments.dataset:
        raise InputError("--corpus is missing; name documents, or with --dataset a dataset that publishes some")
    if any(getattr(arguments, f"{name}_field") for name in ("id", "text", "title", "query", "query_id")):
        raise InputError("--id-field and the like name fields of --corpus; a dataset's collection has fixed ones")
    if arguments.queries or arguments.qrels or arguments.item_set or arguments.split or arguments.ids:
        raise InputError("--queries, --qrels, --set, --split and --ids choose queries for --corpus; name that, too")
    return read_collection_of_dataset(arguments.dataset, arguments.family, arguments.collection, arguments.variant)


def read_collection_of_dataset(
    dataset: str, family: str | None, collection: str | None, variant: str | None = None
) -> Published:
    """Read a collection that a dataset publishes.

    Raises:
        InputError: There is no such collection, or this release does not know how it is measured.
    """
    from everwhen.evaluate.retrieval.published import choose_collection, read_published
    from everwhen.families import load_collections
    from everwhen.validate.manifest import load_manifest

    manifest = load_manifest(dataset)
    of, name = choose_collection(dataset, manifest, family, collection)
    declared = load_collections(of)
    if name not in declared:
        raise InputError(f"{dataset}: {of} {name}: this release does not know how rankings of it are measured")
    return read_published(dataset, manifest, (of, name), declared[name], variant)


def read_questions(arguments: argparse.Namespace) -> Questions | None:
    """Read the questions of a dataset, if one is named.

    Raises:
        InputError: They cannot be read, or options contradict each other.
    """
    from everwhen.evaluate.ask.selection import read_ids
    from everwhen.evaluate.gold import choose_family, read_gold
    from everwhen.evaluate.retrieval.evaluation import Questions
    from everwhen.families import load_evaluations
    from everwhen.validate.manifest import load_manifest

    if not arguments.dataset:
        if arguments.family or arguments.item_set or arguments.split or arguments.ids:
            raise InputError("--family, --set, --split and --ids choose questions of a dataset; name it with --dataset")
        return None
    if arguments.queries:
        raise InputError("--queries and --dataset: name one of them")
    family = choose_family(arguments.dataset, load_manifest(arguments.dataset), arguments.family)
    evaluations = load_evaluations()
    if family not in evaluations:
        raise InputError(f"{arguments.dataset}: {family}: this release does not know its questions")
    ids = read_ids(arguments.ids) if arguments.ids else None
    evaluation = evaluations[family]
    gold = read_gold(arguments.dataset, family, evaluation, ids=ids, split=arguments.split, item_set=arguments.item_set)
    return Questions(gold, evaluation.scheme.slices)


def read_named_collection(arguments: argparse.Namespace, context: Context) -> Collection:
    """Read the collection; questions of a dataset are its queries where there are some.

    Raises:
        InputError: A file cannot be used, or fields are named of a folder that has its own.
    """
    from everwhen.evaluate.retrieval.collection import Fields, read_beir, read_collection
    from everwhen.evaluate.retrieval.published import Published

    if isinstance(context, Published):
        return context.collection
    named = {
        "doc_id": arguments.id_field,
        "text": arguments.text_field,
        "title": arguments.title_field,
        "query_id": arguments.query_id_field,
        "query": arguments.query_field,
    }
    named = {name: value for name, value in named.items() if value is not None}
    queries = context.queries if context else arguments.queries
    if not arguments.corpus.is_dir():
        return read_collection(arguments.corpus, Fields(**named), queries, arguments.qrels)
    if named:
        raise InputError(f"{arguments.corpus}: BEIR's layout names the fields; leave out the options that name some")
    return read_beir(arguments.corpus, queries, arguments.qrels)
