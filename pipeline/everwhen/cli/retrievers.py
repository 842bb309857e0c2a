"""The retriever that a command line asks for."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from everwhen.core.argument_values import read_count
from everwhen.core.errors import InputError
from everwhen.core.progress import Progress

if TYPE_CHECKING:
    from everwhen.evaluate.retrieval.collection import Collection
    from everwhen.evaluate.retrieval.evaluation import Context
    from everwhen.evaluate.retrieval.ranking import Ranking, Run
    from everwhen.evaluate.retrieval.retriever import Retriever

DEFAULT = "bm25"
FUSION = "several --run"
OWN = "a retriever of the family"

_BM25, _DENSE = ("bm25", "hybrid"), ("dense", "hybrid")
SETTINGS: Mapping[str, tuple[Any, tuple[str, ...]]] = {
    "method": ("lucene", _BM25),
    "k1": (1.5, _BM25),
    "b": (0.75, _BM25),
    "stopwords": ("en", _BM25),
    "stemmer": ("none", _BM25),
    "base_url": (None, _DENSE),
    "model": (None, _DENSE),
    "vectors": (None, _DENSE),
    "batch": (64, _DENSE),
    "similarity": ("cosine", _DENSE),
    "query_prefix": ("", _DENSE),
    "document_prefix": ("", _DENSE),
    "rrf_k": (60, ("hybrid", FUSION)),
    "seed": (0, ("random", OWN)),
    "top": (100, ("bm25", "dense", "hybrid", "random", "oracle", OWN, FUSION)),
}
"""By setting, its default and where it has an effect: retrievers, or several run files."""


def add_retriever_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the settings of the retrievers."""
    bm25 = parser.add_argument_group("bm25 and hybrid")
    bm25.add_argument("--method", help="lucene (default), robertson, atire, bm25l or bm25+")
    bm25.add_argument("--k1", type=float, help="how slowly a term's frequency saturates; 1.5 by default")
    bm25.add_argument("--b", type=float, help="how much length counts, 0 to 1; 0.75 by default")
    bm25.add_argument("--stopwords", metavar="LIST", help="a list of bm25s or none; en by default")
    bm25.add_argument("--stemmer", metavar="NAME", help="one of PyStemmer or none; none by default")
    dense = parser.add_argument_group("dense and hybrid")
    dense.add_argument("--base-url", metavar="URL", help="OpenAI-compatible endpoint, such as http://localhost:8000/v1")
    dense.add_argument("--model", metavar="NAME", help="its model; the environment's EVERWHEN_API_KEY may have a key")
    dense.add_argument(
        "--vectors", type=Path, metavar="FILE", help="keeps all vectors, so that none is asked for twice"
    )
    dense.add_argument("--batch", type=read_count, metavar="N", help="texts a request; 64 by default")
    dense.add_argument("--similarity", choices=("cosine", "dot"), help="cosine by default")
    dense.add_argument("--query-prefix", metavar="TEXT", help='text before each query, such as "query: "')
    dense.add_argument("--document-prefix", metavar="TEXT", help='likewise, such as "passage: "')
    other = parser.add_argument_group("other settings")
    other.add_argument("--rrf-k", type=read_count, metavar="N", help="constant of fusions; 60 by default")
    other.add_argument("--seed", type=int, metavar="N", help="seed of random; 0 by default")


def fill_settings(arguments: argparse.Namespace) -> None:
    """Set the defaults of settings that were not given.

    Raises:
        InputError: A setting was given that has no effect on the results.
    """
    used = arguments.retriever or DEFAULT
    used = used if used in RETRIEVERS else OWN
    if arguments.runs:
        used = FUSION if len(arguments.runs) > 1 else "one --run"
    for name, (default, users) in SETTINGS.items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, default)
        elif used not in users:
            option = f"--{name.replace('_', '-')}"
            raise InputError(f"{option}: has no effect with {used}; leave it out (it belongs to {', '.join(users)})")


def find_run(
    arguments: argparse.Namespace, collection: Collection, context: Context, progress: Progress
) -> tuple[Run, Mapping[str, Any]]:
    """Retrieve a run, or read run files and fuse them.

    Returns:
        The run, and the settings of what made it.

    Raises:
        InputError: A setting or a file cannot be used.
    """
    if arguments.runs:
        return _read_runs(arguments, collection)
    retriever = _build_retriever(arguments, collection, context, progress)
    queries = collection.select_queries()
    found: dict[str, Ranking] = {}
    for query_id, ranking in retriever.retrieve(queries, arguments.top):
        found[query_id] = ranking
        progress("queries", len(found), len(queries))
    return found, {**retriever.settings, "top": arguments.top}


def _build_retriever(
    arguments: argparse.Namespace, collection: Collection, context: Context, progress: Progress
) -> Retriever:
    from everwhen.evaluate.retrieval.published import Published

    own = context.declaration.retrievers if isinstance(context, Published) else {}
    name = arguments.retriever or DEFAULT
    if name in own:
        return own[name](collection.documents, arguments.seed)
    if name not in RETRIEVERS:
        raise InputError(f"--retriever {name}: no such retriever; there are {', '.join((*RETRIEVERS, *own))}")
    return RETRIEVERS[name](arguments, collection, progress)


def _read_runs(arguments: argparse.Namespace, collection: Collection) -> tuple[Run, Mapping[str, Any]]:
    from everwhen.evaluate.retrieval.hybrid import fuse_runs
    from everwhen.evaluate.retrieval.run_file import Dropped, read_run

    read = [read_run(path, collection.queries, collection.documents) for path in arguments.runs]
    runs, dropped = [run for run, _ in read], sum((each for _, each in read), Dropped())
    files = [str(path) for path in arguments.runs]
    if len(runs) == 1:
        return runs[0], {"name": "run", "files": files, "dropped": asdict(dropped)}
    settings = {"name": "fused", "fusion": "reciprocal rank", "k": arguments.rrf_k, "files": files}
    settings["dropped"] = asdict(dropped)
    return fuse_runs(runs, arguments.top, arguments.rrf_k), {**settings, "top": arguments.top}


def _build_bm25(arguments: argparse.Namespace, collection: Collection, progress: Progress) -> Retriever:
    from everwhen.evaluate.retrieval.bm25 import BM25, BM25Settings

    settings = BM25Settings(arguments.method, arguments.k1, arguments.b, arguments.stopwords, arguments.stemmer)
    progress("index", 0, 1)
    return BM25(collection.documents, settings)


def _build_dense(arguments: argparse.Namespace, collection: Collection, progress: Progress) -> Retriever:
    from everwhen.evaluate.retrieval.dense import Dense, DenseSettings
    from everwhen.evaluate.retrieval.embeddings import EmbeddingEndpoint
    from everwhen.evaluate.retrieval.vectors import embed_texts

    _require_endpoint(arguments)
    endpoint = EmbeddingEndpoint(arguments.base_url, arguments.model)
    settings = DenseSettings(arguments.model, arguments.similarity, arguments.query_prefix, arguments.document_prefix)
    return Dense(
        collection.documents,
        lambda texts: embed_texts(
            texts,
            endpoint,
            arguments.vectors,
            batch=arguments.batch,
            report=lambda done, of: progress("vectors", done, of),
        ),
        settings,
    )


def _require_endpoint(arguments: argparse.Namespace) -> None:
    for name in ("base_url", "model", "vectors"):
        if not getattr(arguments, name):
            raise InputError(f"--{name.replace('_', '-')} is missing; --retriever {arguments.retriever} needs it")


def _build_hybrid(arguments: argparse.Namespace, collection: Collection, progress: Progress) -> Retriever:
    from everwhen.evaluate.retrieval.hybrid import Hybrid

    _require_endpoint(arguments)  # before an index is built
    parts = [build(arguments, collection, progress) for build in (_build_bm25, _build_dense)]
    return Hybrid(parts, arguments.rrf_k)


def _build_oracle(arguments: argparse.Namespace, collection: Collection, progress: Progress) -> Retriever:
    from everwhen.evaluate.retrieval.oracle import Oracle

    if collection.qrels is None:
        raise InputError("the oracle reads qrels, and nothing is judged; name --qrels")
    return Oracle(collection.qrels)


def _build_random(arguments: argparse.Namespace, collection: Collection, progress: Progress) -> Retriever:
    from everwhen.evaluate.retrieval.random import Random

    return Random(collection.documents, arguments.seed)


RETRIEVERS: Mapping[str, Callable[[argparse.Namespace, Collection, Progress], Retriever]] = {
    "bm25": _build_bm25,
    "dense": _build_dense,
    "hybrid": _build_hybrid,
    "random": _build_random,
    "oracle": _build_oracle,
}
"""What builds each retriever."""
