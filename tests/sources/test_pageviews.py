from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from pipeline.config import Config
from pipeline.errors import InputError
from pipeline.sources.pull import pull

VIEWS = {"Titanic_%281997_film%29": [100, 23], "AC%2FDC": [5], "Caf%C3%A9": [7]}


@pytest.fixture
def asked(httpserver: HTTPServer) -> list[str]:
    """Answers as the REST API does; collects the addresses that were asked."""
    addresses: list[str] = []

    def answer(request: Request) -> Response:
        address = request.environ["REQUEST_URI"]
        addresses.append(address)
        title = address.split("/")[7]
        if title == "Bad":
            return Response(status=400)
        if title not in VIEWS:
            return Response('{"title": "Not found."}', status=404, content_type="application/json")
        items = [{"article": title, "views": views} for views in VIEWS[title]]
        return Response(json.dumps({"items": items}), content_type="application/json")

    httpserver.expect_request(re.compile("/metrics/pageviews/.*")).respond_with_handler(answer)
    return addresses


@pytest.fixture
def titles(tmp_path: Path) -> str:
    path = tmp_path / "titles.txt"
    path.write_text("Titanic (1997 film)\nAC/DC\n\nCafé\nNobody reads this\nBad\n", encoding="utf-8")
    return str(path)


def lines(folder: Path) -> dict[str, int]:
    rows = [json.loads(line) for line in (folder / "pageviews.jsonl").read_text(encoding="utf-8").splitlines()]
    return {row["title"]: row["views"] for row in rows}


def test_views_of_titles(asked: list[str], config: Callable[..., Config], titles: str, tmp_path: Path) -> None:
    pull(config(), "pageviews", tmp_path, titles)
    folder = tmp_path / "pageviews"
    assert lines(folder) == {"AC/DC": 5, "Café": 7, "Nobody reads this": 0, "Titanic (1997 film)": 123}
    assert "/metrics/pageviews/per-article/en.wikipedia/all-access/user/AC%2FDC/monthly/20230601/20230630" in asked
    manifest = json.loads((folder / "pull.json").read_text())
    assert (manifest["asked"], manifest["stored"], manifest["missing"], manifest["failed"]) == (5, 4, 0, 1)
    assert [entry["item"] for entry in manifest["items"]] == ["Bad"]
    assert sorted(path.name for path in folder.iterdir()) == ["pageviews.jsonl", "pull.json"]


def test_parts_of_months_are_asked_by_day(
    asked: list[str], config: Callable[..., Config], titles: str, tmp_path: Path
) -> None:
    views = {"start": "2023-06-10", "end": "2023-06-12", "agent": "all-agents"}
    pull(config(views=views), "pageviews", tmp_path, titles)
    assert all("/all-access/all-agents/" in address for address in asked)
    assert all(address.endswith("/daily/20230610/20230612") for address in asked)


def test_titles_that_lie_there_are_not_asked_again(
    asked: list[str], config: Callable[..., Config], titles: str, tmp_path: Path
) -> None:
    folder = tmp_path / "pageviews"
    folder.mkdir()
    (folder / ".pageviews.part").write_text('{"title": "AC/DC", "views": 4}\n{"title": "Caf', encoding="utf-8")
    pull(config(), "pageviews", tmp_path, titles)
    assert lines(folder)["AC/DC"] == 4
    assert not any("AC%2FDC" in address for address in asked)
    asked.clear()
    more = tmp_path / "more.txt"
    more.write_text("AC/DC\nSomething else\n")
    pull(config(), "pageviews", tmp_path, str(more))
    assert len(asked) == 1
    assert len(lines(folder)) == 5


def test_another_period_needs_another_folder(
    asked: list[str], config: Callable[..., Config], titles: str, tmp_path: Path
) -> None:
    pull(config(), "pageviews", tmp_path, titles)
    with pytest.raises(InputError, match="another period"):
        pull(config(views={"start": "2023-05-01", "end": "2023-05-31"}), "pageviews", tmp_path, titles)


def test_titles_are_needed(config: Callable[..., Config], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--titles"):
        pull(config(), "pageviews", tmp_path)
    with pytest.raises(InputError, match=r"nowhere\.txt"):
        pull(config(), "pageviews", tmp_path, str(tmp_path / "nowhere.txt"))
