from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from pipeline.catalogue import EntityList, entity_lists
from pipeline.config import Config, Pull
from pipeline.errors import InputError
from pipeline.sources.entity_lists import fetch_items, list_query
from pipeline.sources.http import RefusedError
from pipeline.sources.pull import pull

QUERY = "SELECT DISTINCT ?item WHERE { ?item ?p ?o }"


def answer(numbers: list[int]) -> str:
    bindings = [{"item": {"type": "uri", "value": f"http://www.wikidata.org/entity/Q{n}"}} for n in numbers]
    return json.dumps({"head": {"vars": ["item"]}, "results": {"bindings": bindings}})


def served(body: str, **more: object) -> Response:
    return Response(body, content_type="application/sparql-results+json", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("entry", entity_lists(), ids=lambda entry: entry.id)
def test_a_query_says_what_its_list_says(entry: EntityList) -> None:
    query = list_query(entry)
    [roots] = re.findall(r"VALUES \?root \{ (.*?) \}", query)
    assert roots.split() == [f"wd:Q{root}" for root in entry.roots]
    if entry.ranks == "best":
        assert f"?item wdt:P{entry.via}/wdt:P279* ?root ." in query
    else:
        assert f"ps:P{entry.via}/wdt:P279* ?root" in query
        assert "FILTER(?rank != wikibase:DeprecatedRank)" in query


@pytest.mark.parametrize("page", [1_000, 7])
def test_pages_of_any_size_give_the_same_members(sparql_endpoint: str, pull: Callable[..., Pull], page: int) -> None:
    films = next(entry for entry in entity_lists() if entry.id == "films")
    items = fetch_items(pull(sparql_endpoint=sparql_endpoint, sparql_page=page), list_query(films))
    assert 44578 in items
    assert items == sorted(set(items))
    assert len(items) > 50


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
    httpserver: HTTPServer, config: Callable[..., Config], tmp_path: Path
) -> None:
    httpserver.expect_request("/sparql").respond_with_response(served(answer([5, 6])))
    for lists in (["films"], ["films"], ["films", "books"]):
        pull(config(world={"lists": lists}), "entity-lists", tmp_path)
    assert len(httpserver.log) == 2
    assert (tmp_path / "entity_lists" / "films.jsonl").read_text() == '{"item": 5}\n{"item": 6}\n'


def test_a_cut_off_answer_is_asked_again_in_halves(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    asked: list[tuple[str, str]] = []

    def endpoint(request: Request) -> Response:
        [(limit, offset)] = re.findall(r"LIMIT (\d+)\nOFFSET (\d+)", request.form["query"])
        asked.append((limit, offset))
        whole = answer(list(range(1, 301))[int(offset) : int(offset) + int(limit)])
        if int(limit) > 150:
            return served(whole[: len(whole) // 2] + "\njava.util.concurrent.TimeoutException\n\tat java.base/...")
        return served(whole)

    httpserver.expect_request("/sparql").respond_with_handler(endpoint)
    assert fetch_items(pull(sparql_page=400, attempts=4), QUERY) == list(range(1, 301))
    assert asked == [("400", "0"), ("200", "0"), ("100", "0"), ("100", "100"), ("100", "200"), ("100", "300")]


@pytest.mark.parametrize(
    "first",
    [
        Response(status=429, headers={"Retry-After": "0"}),
        Response(status=503),
        Response("error", status=500),
        served("<html>proxy</html>"),
    ],
    ids=["too-many", "unavailable", "internal", "html"],
)
def test_a_query_is_asked_again(httpserver: HTTPServer, pull: Callable[..., Pull], first: Response) -> None:
    httpserver.expect_ordered_request("/sparql").respond_with_response(first)
    httpserver.expect_ordered_request("/sparql").respond_with_response(served(answer([3])))
    assert fetch_items(pull(sparql_page=100), QUERY) == [3]
    assert "(tests@example.org)" in httpserver.log[0][0].headers["User-Agent"]


def test_no_answer_is_one_clear_line(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    httpserver.expect_request("/sparql").respond_with_response(served('{"head": {"vars": ["item"]}, "results": {"bi'))
    with pytest.raises(InputError, match="no answer after 3 attempts: an answer that is cut off"):
        fetch_items(pull(), QUERY)


def test_a_wrong_query_is_refused_once(sparql_endpoint: str, pull: Callable[..., Pull]) -> None:
    with pytest.raises(RefusedError) as error:
        fetch_items(pull(sparql_endpoint=sparql_endpoint), "SELECT nonsense")
    assert "\n" not in str(error.value)


def test_what_is_no_item_is_left_out(httpserver: HTTPServer, pull: Callable[..., Pull]) -> None:
    body = json.loads(answer([3]))
    body["results"]["bindings"].append({"item": {"type": "uri", "value": "http://www.wikidata.org/entity/P31"}})
    body["results"]["bindings"].append({"item": {"type": "bnode", "value": "b0"}})
    httpserver.expect_request("/sparql").respond_with_response(served(json.dumps(body)))
    assert fetch_items(pull(), QUERY) == [3]


def test_wikidata_is_not_asked_without_a_contact() -> None:
    with pytest.raises(InputError, match=r"pull\.contact"):
        fetch_items(Pull(), QUERY)
