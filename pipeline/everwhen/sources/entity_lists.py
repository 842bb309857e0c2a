"""Entity lists from a SPARQL endpoint, one query (`templates/entities/<id>.rq`) a list."""

from __future__ import annotations

from pathlib import Path

from everwhen.catalog.load import load_entity_lists
from everwhen.catalog.models import EntityList
from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError
from everwhen.core.errors import InputError
from everwhen.core.retries import RefusedError
from everwhen.sources.client import open_client, print_outcome, track_progress
from everwhen.sources.list_pages import ListReader, list_query
from everwhen.sources.pull import Source
from everwhen.sources.pull_manifest import Log, Manifest


def select_pulled_lists(config: Config) -> list[EntityList]:
    """Select the lists that are pulled: those that `pull.lists` names, else all that are built and not too long.

    A build takes any other list from the dump, by its classes.

    Raises:
        InputError: `pull.lists` names a list that is not built.
    """
    if found := find_unused_lists(config):
        raise InputError(str(found[0]))
    if not config.pull.lists:
        return [entry for entry in _select_built_lists(config) if not entry.too_long]
    return [entry for entry in _select_built_lists(config) if entry.id in config.pull.lists]


def find_unused_lists(config: Config) -> list[ConfigError]:
    """Find lists that are pulled and not built."""
    built = {entry.id for entry in _select_built_lists(config)}
    reason = "is not built; world.lists says which lists are"
    named = enumerate(config.pull.lists)
    return [ConfigError(("pull", "lists", number), f"{name}: {reason}") for number, name in named if name not in built]


def _select_built_lists(config: Config) -> list[EntityList]:
    return [entry for entry in load_entity_lists() if not config.world.lists or entry.id in config.world.lists]


def pull_entity_lists(config: Config, folder: Path) -> None:
    """Fetch the members of the lists that are pulled, each into `<list>.jsonl`.

    A list that is complete is not asked for again, nor is any part of another that has arrived.

    Raises:
        InputError: The endpoint cannot be used or does not answer, or a list has no query or is not
            in use.
    """
    queries = [list_query(entry) for entry in select_pulled_lists(config)]
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


SOURCE = Source(
    pull=pull_entity_lists,
    list_parts=lambda config: [entry.id for entry in select_pulled_lists(config)],
    choose_address=lambda config: config.pull.sparql_endpoint,
    pattern="*.jsonl",
    find_errors=find_unused_lists,
    is_of_today=True,
    has_file_per_part=True,
)
