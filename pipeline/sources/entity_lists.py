"""Entity lists from a SPARQL endpoint, one query (`templates/entities/<id>.rq`) a list."""

from __future__ import annotations

import json
import re
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError

from SPARQLWrapper import JSON, POST, SPARQLWrapper
from SPARQLWrapper.SPARQLExceptions import EndPointInternalError, SPARQLWrapperException

from pipeline.catalogue import EntityList, entity_lists, templates_folder
from pipeline.config import Config, Pull
from pipeline.errors import InputError
from pipeline.sources.http import TRY_AGAIN, Attempts, RefusedError, user_agent
from pipeline.sources.progress import tracked
from pipeline.sources.raw import Manifest, write_file

ITEM = re.compile(r"https?://www\.wikidata\.org/entity/Q([1-9][0-9]*)")
LEAST_PAGE = 100


class CutOffError(Exception):
    """An answer that is no whole JSON: the endpoint has stopped at its time limit, with status 200 all the same."""


def pull_entity_lists(config: Config, folder: Path) -> None:
    """Fetch the members of the lists in use, each into `<list>.jsonl`.

    A list that lies there complete is not asked for again.

    Raises:
        InputError: The endpoint cannot be used or does not answer, or a list has no query.
    """
    chosen = [entry for entry in entity_lists() if not config.world.lists or entry.id in config.world.lists]
    manifest = Manifest(folder, {"what": "entity-lists", "source": config.pull.sparql_endpoint})
    for entry in tracked(chosen, len(chosen), "entity lists"):
        path = folder / f"{entry.id}.jsonl"
        query = list_query(entry)
        if manifest.holds(entry.id, path) and manifest.items[entry.id]["query"] == query:
            continue
        try:
            items = fetch_items(config.pull, query)
        except RefusedError as error:
            manifest.record(entry.id, "failed", reason=str(error))
            continue
        write_file(path, "".join(f'{{"item": {item}}}\n' for item in items))
        manifest.record(entry.id, "stored", path, rows=len(items), query=query)


def list_query(entry: EntityList) -> str:
    """The query of a list, without order and limit.

    Raises:
        InputError: There is none.
    """
    path = templates_folder() / "entities" / f"{entry.id}.rq"
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; the list {entry.id} needs a query") from None


def fetch_items(pull: Pull, query: str) -> list[int]:
    """The items that `query` selects as ?item, ascending, each once; asked for in pages.

    The endpoint stops a query after some time; a page whose answer is cut off is asked for again in halves.

    Raises:
        RefusedError: The endpoint refuses the query.
        InputError: It does not answer.
    """
    items: list[int] = []
    rows, limit = 0, pull.sparql_page
    attempts = Attempts(pull.sparql_endpoint, pull)
    while True:
        page = f"{query}\nORDER BY ?item\nLIMIT {limit}\nOFFSET {rows}\n"
        try:
            bindings = _ask(pull, page)
        except CutOffError as error:
            attempts.wait(str(error))
            limit = max(LEAST_PAGE, limit // 2) if limit > LEAST_PAGE else limit
            continue
        except HTTPError as error:
            if error.code not in TRY_AGAIN:
                raise RefusedError(f"{pull.sparql_endpoint}: status {error.code}") from None
            attempts.wait(f"status {error.code}", error.headers.get("Retry-After"))
            continue
        except (URLError, HTTPException, OSError, EndPointInternalError) as error:
            attempts.wait(" ".join(str(error).split())[:200])
            continue
        except SPARQLWrapperException as error:
            raise RefusedError(f"{pull.sparql_endpoint}: {' '.join(str(error).split())[:300]}") from None
        attempts = Attempts(pull.sparql_endpoint, pull)
        items += [int(found.group(1)) for b in bindings if (found := ITEM.fullmatch(b["item"]["value"]))]
        rows += len(bindings)
        if len(bindings) < limit:
            return sorted(set(items))


def _ask(pull: Pull, query: str) -> list[dict[str, Any]]:
    """The rows of one page.

    Raises:
        CutOffError: The answer is no whole SPARQL JSON.
    """
    endpoint = SPARQLWrapper(pull.sparql_endpoint, agent=user_agent(pull, pull.sparql_endpoint))
    endpoint.setTimeout(max(1, round(pull.timeout)))
    endpoint.setMethod(POST)
    endpoint.setReturnFormat(JSON)
    endpoint.setQuery(query)
    try:
        body = endpoint.query().response.read()
        bindings: list[dict[str, Any]] = json.loads(body)["results"]["bindings"]
    except (ValueError, KeyError, TypeError):
        raise CutOffError("an answer that is cut off or no JSON") from None
    except TimeoutError:
        raise CutOffError(f"no whole answer within {pull.timeout} seconds") from None
    return bindings
