from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import requests

import servers
from everwhen.catalog.load import load_entity_lists
from everwhen.core.config import Config, Pull
from everwhen.core.errors import InputError
from everwhen.core.retries import RefusedError
from everwhen.sources.client import open_client
from everwhen.sources.entity_lists import select_pulled_lists
from everwhen.sources.list_pages import ListQuery, ListReader, list_query
from everwhen.sources.pull import pull
from everwhen.sources.pull_manifest import Log
from servers import Asked, FaultyServer

FILMS = list_query(next(entry for entry in load_entity_lists() if entry.id == "films"))
MOUNTAINS = list_query(next(entry for entry in load_entity_lists() if entry.id == "mountains"))


@pytest.fixture
def read(pull: Callable[..., Pull], tmp_path: Path) -> Callable[..., list[int]]:
    """Reads a list from an endpoint; what arrives is logged in the test's folder."""

    def members(endpoint: str, query: ListQuery, **more: Any) -> list[int]:
        settings = pull(sparql_endpoint=endpoint, backoff=0, **more)
        items, others = ListReader(open_client(settings), settings, query, Log(tmp_path / "log")).read()
        assert not others
        return items

    return members


@pytest.fixture
def proxy(faulty: Callable[..., FaultyServer], sparql_endpoint: str) -> FaultyServer:
    """A server before the real endpoint."""

    def answer(asked: Asked) -> tuple[int, bytes]:
        got = requests.post(sparql_endpoint, asked.form, timeout=10, headers={"Accept": "application/json"})
        return got.status_code, got.content

    return faulty(answer)


def answer(numbers: list[int], total: int | None = None) -> bytes:
    """What an endpoint answers."""
    rows = [{"item": {"type": "uri", "value": f"http://www.wikidata.org/entity/Q{n}"}} for n in numbers]
    counted = {"total": {"type": "literal", "value": str(len(numbers) if total is None else total)}}
    return json.dumps({"head": {"vars": ["total", "item"]}, "results": {"bindings": [*rows, counted]}}).encode()


def rows_of(body: bytes) -> list[Any]:
    rows: list[Any] = json.loads(body)["results"]["bindings"]
    return rows


@pytest.mark.parametrize("query", [FILMS, MOUNTAINS], ids=["dated", "undated"])
@pytest.mark.parametrize("page", [7, 30])
def test_parts_of_any_size_give_the_same_members(
    proxy: FaultyServer, read: Callable[..., list[int]], tmp_path: Path, query: ListQuery, page: int
) -> None:
    complete = read(proxy.url("/query"), query, sparql_page=1_000)
    assert len(proxy.asked) == 1
    assert len(complete) > 40 - page
    (tmp_path / "log").unlink()
    asked: list[int] = []
    ask = proxy.answer

    def count(request: Asked) -> tuple[int, bytes]:
        status, body = ask(request)
        asked.append(len(rows_of(body)) - 1)
        return status, body

    proxy.answer = count
    assert read(proxy.url("/query"), query, sparql_page=page) == complete
    assert max(asked) <= page + 1
    assert len(asked) <= 12 * len(complete) / page


class ByYear:
    """An endpoint with a list whose members have a year each; it counts the members that each query looks at."""

    def __init__(self, year_of: dict[int, int], most: int = 10**9) -> None:
        self._year_of = year_of
        self._most = most
        self.looked_at: list[int] = []

    def __call__(self, asked: Asked) -> tuple[int, bytes]:
        query = asked.form["query"]
        first = max(map(int, re.findall(r"YEAR\(\?when\) >= (-?\d+)", query)), default=-9999)
        last = min(map(int, re.findall(r"YEAR\(\?when\) <= (-?\d+)", query)), default=9999)
        fit = [] if "NOT EXISTS" in query else [n for n, year in self._year_of.items() if first <= year <= last]
        self.looked_at.append(len(fit))
        if len(fit) > self._most:
            return 200, answer(fit)[: len(fit)] + servers.TRACE
        if paged := re.search(r"LIMIT (\d+) OFFSET (\d+)", query):
            limit, offset = map(int, paged.groups())
            return 200, answer(fit[offset : offset + limit], len(fit))
        limit = int(re.findall(r"LIMIT (\d+)", query)[0])
        return 200, answer(fit[:limit])


def test_a_year_with_many_members_is_asked_for_in_pages(
    faulty: Callable[..., FaultyServer], read: Callable[..., list[int]]
) -> None:
    server = faulty(ByYear({n: 1999 if n <= 100 else 2000 + n % 20 for n in range(1, 201)}))
    assert read(server.url("/sparql"), FILMS, sparql_page=30) == list(range(1, 201))
    offsets = [found for asked in server.asked for found in re.findall(r"OFFSET (\d+)", asked.form["query"])]
    assert offsets == ["0", "0", "0", "29", "59", "89"]  # without a date, in 1998 and in 1999


def test_too_large_queries_are_divided(faulty: Callable[..., FaultyServer], read: Callable[..., list[int]]) -> None:
    endpoint = ByYear({n: 1900 + n % 125 for n in range(1, 5001)}, most=200)
    server = faulty(endpoint)
    assert read(server.url("/sparql"), FILMS) == list(range(1, 5001))
    answered = [n for n in endpoint.looked_at if n <= 200]
    assert sum(answered) == 5_000  # nothing is looked at twice once it was answered
    assert (len(answered), len(endpoint.looked_at)) == (45, 88)


def test_rows_that_an_endpoint_leaves_out_are_missed(
    proxy: FaultyServer, read: Callable[..., list[int]], tmp_path: Path
) -> None:
    complete = read(proxy.url("/query"), FILMS)
    (tmp_path / "log").unlink()
    proxy.asked.clear()
    ask = proxy.answer

    def capped(request: Asked) -> tuple[int, bytes]:
        status, body = ask(request)
        rows = rows_of(body)
        return status, json.dumps({"results": {"bindings": rows[-20:] if len(rows) > 20 else rows}}).encode()

    proxy.answer = capped
    assert read(proxy.url("/query"), FILMS) == complete
    assert 1 < len(proxy.asked) < 60


def test_an_endpoint_that_always_omits_rows_is_reported(
    faulty: Callable[..., FaultyServer], read: Callable[..., list[int]], tmp_path: Path
) -> None:
    server = faulty(lambda _: (200, answer([1, 2, 3], total=4)))
    with pytest.raises(InputError, match=r"films, undated: no answer after 3 attempts: 3 rows in place of 4"):
        read(server.url("/sparql"), FILMS, sparql_page=400)
    # In one piece, without a date in pages of 400, 200 and 100, and twice more.
    assert len(server.asked) == 1 + 3 + 2
    assert [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()[1:]] == [
        {"part": "all", "divided": True}
    ]


def test_a_list_that_changes_while_it_is_read_is_read_anew(
    faulty: Callable[..., FaultyServer], read: Callable[..., list[int]]
) -> None:
    members = list(range(1, 251))

    def endpoint(asked: Asked) -> tuple[int, bytes]:
        [(limit, offset)] = re.findall(r"LIMIT (\d+) OFFSET (\d+)", asked.form["query"])
        if len(server.asked) == 2:
            members.remove(5)  # what was the first of the second page is on the first now
            members.append(999)
        return 200, answer(members[int(offset) : int(offset) + int(limit)], len(members))

    server = faulty(endpoint)
    assert read(server.url("/sparql"), MOUNTAINS, sparql_page=100) == members
    assert len(server.asked) == 2 + 3


def test_rows_of_another_query_do_not_count(
    faulty: Callable[..., FaultyServer], read: Callable[..., list[int]], tmp_path: Path
) -> None:
    log = Log(tmp_path / "log")
    log.append({"query": "of another"})
    log.append({"part": "all", "items": [1], "others": [], "total": 1})
    server = faulty(lambda _: (200, answer([3])))
    assert read(server.url("/sparql"), FILMS) == [3]
    assert read(server.url("/sparql"), FILMS) == [3]
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "fault",
    [servers.status(504), servers.status(500, b"x" + servers.TRACE), servers.cut_with_trace, servers.bomb],
    ids=["504", "500-with-trace", "200-with-trace", "too-large"],
)
def test_a_query_that_takes_too_long_is_asked_in_parts(
    proxy: FaultyServer, read: Callable[..., list[int]], tmp_path: Path, fault: servers.Fault
) -> None:
    complete = read(proxy.url("/query"), FILMS)
    (tmp_path / "log").unlink()
    proxy.asked.clear()
    proxy.faults = [fault]
    assert read(proxy.url("/query"), FILMS) == complete
    assert len(proxy.asked) == 1 + 3


def test_pull_from_a_real_endpoint(sparql_endpoint: str, config: Callable[..., Config], tmp_path: Path) -> None:
    lists = {"lists": ["films", "heads_of_state"]}
    settings = config({"sparql_endpoint": sparql_endpoint}, world=lists)
    pull(settings, "entity-lists", tmp_path)
    folder = tmp_path / "entity_lists"
    assert sorted(path.name for path in folder.iterdir()) == ["films.jsonl", "heads_of_state.jsonl", "pull.json"]
    members = [json.loads(line)["item"] for line in (folder / "heads_of_state.jsonl").read_text().splitlines()]
    assert members
    manifest = json.loads((folder / "pull.json").read_text())
    assert (manifest["asked"], manifest["stored"], manifest["failed"]) == (2, 2, 0)
    assert manifest["items"][1]["rows"] == len(members)


def test_lists_that_lie_there_are_not_asked_again(
    faulty: Callable[..., FaultyServer], config: Callable[..., Config], tmp_path: Path
) -> None:
    server = faulty(lambda _: (200, answer([5, 6])))
    for lists in (["films"], ["films"], ["films", "books"]):
        pull(config({"sparql_endpoint": server.url("/sparql")}, world={"lists": lists}), "entity-lists", tmp_path)
    assert len(server.asked) == 2
    assert (tmp_path / "entity_lists" / "films.jsonl").read_text() == '{"item": 5}\n{"item": 6}\n'


def test_what_is_pulled_and_what_is_built_are_two_settings(config: Callable[..., Config]) -> None:
    def select(pulled: list[str], built: list[str]) -> list[str]:
        return [entry.id for entry in select_pulled_lists(config({"lists": pulled}, world={"lists": built}))]

    every = {entry.id for entry in load_entity_lists()}
    assert set(select([], [])) == every - {"persons"}
    assert select([], ["persons", "films"]) == ["films"]
    assert select(["persons"], ["persons", "films"]) == ["persons"]
    with pytest.raises(InputError, match=r"pull\.lists\[1\]: books: is not built; world\.lists says which lists are"):
        select(["books"], ["films"])


def test_the_user_agent_goes_along(faulty: Callable[..., FaultyServer], read: Callable[..., list[int]]) -> None:
    server = faulty(lambda _: (200, answer([3])))
    read(server.url("/sparql"), FILMS)
    [asked] = server.asked
    assert "(tests@example.org)" in asked.headers["User-Agent"]
    assert "application/sparql-results+json" in asked.headers["Accept"]
    assert asked.form.keys() == {"query"}


def test_a_wrong_query_is_refused_once(proxy: FaultyServer, read: Callable[..., list[int]]) -> None:
    with pytest.raises(RefusedError) as error:
        read(proxy.url("/query"), ListQuery("x", "nonsense SELECT DISTINCT ?item WHERE { }", ()))
    assert "\n" not in str(error.value)
    assert len(proxy.asked) == 1


def test_a_refused_list_is_accounted_for(
    faulty: Callable[..., FaultyServer], config: Callable[..., Config], tmp_path: Path
) -> None:
    def endpoint(asked: Asked) -> tuple[int, bytes]:
        return (400, b"Films are not served.") if "Q11424" in asked.form["query"] else (200, answer([3]))

    server = faulty(endpoint)
    server_config = config({"sparql_endpoint": server.url("/sparql")}, world={"lists": ["films", "books"]})
    pull(server_config, "entity-lists", tmp_path)
    manifest = json.loads((tmp_path / "entity_lists" / "pull.json").read_text())
    assert (manifest["asked"], manifest["stored"], manifest["failed"]) == (2, 1, 1)
    assert "Films are not served." in manifest["items"][1]["reason"]
    server.answer = lambda _: (403, b"Go away.")
    with pytest.raises(RefusedError, match="status 403: Go away"):
        pull(server_config, "entity-lists", tmp_path)
    assert len(server.asked) == 2 + 1


def test_values_that_are_not_items_are_left_out(
    faulty: Callable[..., FaultyServer], config: Callable[..., Config], tmp_path: Path
) -> None:
    body = json.loads(answer([3], total=3))
    body["results"]["bindings"].append({"item": {"type": "uri", "value": "http://www.wikidata.org/entity/P31"}})
    body["results"]["bindings"].append({"item": {"type": "bnode", "value": "b0"}})
    server = faulty(lambda _: (200, json.dumps(body).encode()))
    settings = config({"sparql_endpoint": server.url("/sparql")}, world={"lists": ["films"]})
    pull(settings, "entity-lists", tmp_path)
    manifest = json.loads((tmp_path / "entity_lists" / "pull.json").read_text())
    assert manifest["items"][0]["rows"] == 1
    assert manifest["items"][0]["left_out"] == {"rows": 2, "examples": ["b0", "http://www.wikidata.org/entity/P31"]}


def test_wikidata_is_not_asked_without_a_contact(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"pull\.contact: query\.wikidata\.org asks for"):
        pull(Config(version="t", snapshot="t"), "entity-lists", tmp_path)
    assert list(tmp_path.iterdir()) == []
