"""Entity lists from a SPARQL endpoint, one query (`templates/entities/<id>.rq`) a list."""

from __future__ import annotations

from pathlib import Path

from everwhen.catalog.load import load_entity_lists
from everwhen.core.config import Config
from everwhen.core.retries import RefusedError
from everwhen.sources.client import open_client
from everwhen.sources.list_pages import ListReader
from everwhen.sources.list_query import list_query
from everwhen.sources.progress import print_outcome, track_progress
from everwhen.sources.pull_manifest import Log, Manifest


def pull_entity_lists(config: Config, folder: Path) -> None:
    """Fetch the members of the lists in use, each into `<list>.jsonl`.

    A list that is complete is not asked for again, nor is any part of another that has arrived.

    Raises:
        InputError: The endpoint cannot be used or does not answer, or a list has no query.
    """
    chosen = [entry for entry in load_entity_lists() if not config.world.lists or entry.id in config.world.lists]
    queries = [list_query(entry) for entry in chosen]
    client = open_client(config.pull)
    client.require_allowed(config.pull.sparql_endpoint)
    manifest = Manifest(folder, {"what": "entity-lists", "source": config.pull.sparql_endpoint})
    for query in track_progress(queries, len(queries), "entity lists"):
        path = folder / f"{query.list_id}.jsonl"
        if manifest.has_stored(query.list_id, path) and manifest.items[query.list_id]["query"] == query.text:
            continue
        log = Log(folder / f".{query.list_id}.part")
        try:
            items, others = ListReader(client, config.pull, query, log).read()
        except RefusedError as error:
            manifest.fail(query.list_id, error)
            continue
        log.finish(path, [{"item": item} for item in items])
        left_out = {"rows": len(others), "examples": others[:10]}
        manifest.record(query.list_id, "stored", path, rows=len(items), left_out=left_out, query=query.text)
    print_outcome(f"entity lists: {manifest.summarize()}")
