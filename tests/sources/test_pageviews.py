from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from everwhen.cli.main import main
from everwhen.core.config import Config
from everwhen.core.errors import InputError
from everwhen.sources.pull import pull

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


def capitalize(title: str) -> str:
    return title[:1].upper() + title[1:]


def test_views_of_titles(asked: list[str], config: Callable[..., Config], titles: str, tmp_path: Path) -> None:
    pull(config({"titles": titles}), "pageviews", tmp_path)
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
    pull(config({"titles": titles}, views=views), "pageviews", tmp_path)
    assert all("/all-access/all-agents/" in address for address in asked)
    assert all(address.endswith("/daily/20230610/20230612") for address in asked)


def test_titles_that_lie_there_are_not_asked_again(
    asked: list[str], config: Callable[..., Config], titles: str, tmp_path: Path
) -> None:
    folder = tmp_path / "pageviews"
    folder.mkdir()
    (folder / ".pageviews.part").write_text('{"title": "AC/DC", "views": 4}\n{"title": "Caf', encoding="utf-8")
    pull(config({"titles": titles}), "pageviews", tmp_path)
    assert lines(folder)["AC/DC"] == 4
    assert not any("AC%2FDC" in address for address in asked)
    asked.clear()
    more = tmp_path / "more.txt"
    more.write_text("AC/DC\nSomething else\n")
    pull(config({"titles": str(more)}), "pageviews", tmp_path)
    assert len(asked) == 1
    assert len(lines(folder)) == 5


def test_another_period_needs_another_folder(
    asked: list[str], config: Callable[..., Config], titles: str, tmp_path: Path
) -> None:
    pull(config({"titles": titles}), "pageviews", tmp_path)
    with pytest.raises(InputError, match="another period"):
        pull(config({"titles": titles}, views={"start": "2023-05-01", "end": "2023-05-31"}), "pageviews", tmp_path)


def test_a_title_is_never_a_way_up_or_a_path(asked: list[str], config: Callable[..., Config], tmp_path: Path) -> None:
    refused = ["..", ".", "nul\0", "x" * 256, "é" * 128]
    fine = ["../..", "/etc/passwd", "a/../b", "~root", "x" * 255, "a%2F..%2Fb", "?a=b#c", "AC/DC"]
    path = tmp_path / "titles"
    path.write_text("\n".join(refused + fine), encoding="utf-8")
    pull(config({"titles": str(path)}), "pageviews", tmp_path / "raw")
    assert len(asked) == len(fine)
    # The slashes of the address itself: none of a title, and none is lost to a way up.
    assert {address.count("/") for address in asked} == {10}
    folder = tmp_path / "raw" / "pageviews"
    assert lines(folder) == {capitalize(title): 5 if title == "AC/DC" else 0 for title in fine}
    manifest = json.loads((folder / "pull.json").read_text())
    assert (manifest["asked"], manifest["stored"], manifest["failed"]) == (13, 8, 5)
    assert {entry["item"] for entry in manifest["items"]} == set(map(capitalize, refused))
    files = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file())
    assert files == ["raw/pageviews/pageviews.jsonl", "raw/pageviews/pull.json", "titles"]


def test_a_finished_pull_survives_a_kill_of_the_next(
    asked: list[str], config: Callable[..., Config], titles: str, tmp_path: Path
) -> None:
    pull(config({"titles": titles}), "pageviews", tmp_path)
    folder = tmp_path / "pageviews"
    (folder / ".pageviews.part").write_text('{"title": "Next", "views": 1}\n{"title": "Ot')
    asked.clear()
    more = tmp_path / "more.txt"
    more.write_text("Next\nOther\n")
    pull(config({"titles": str(more)}), "pageviews", tmp_path)
    assert len(asked) == 1
    assert set(lines(folder)) == {"AC/DC", "Café", "Nobody reads this", "Titanic (1997 film)", "Next", "Other"}


def test_who_is_not_let_in_stops(
    httpserver: HTTPServer, config: Callable[..., Config], titles: str, tmp_path: Path
) -> None:
    httpserver.expect_request(re.compile("/metrics/.*")).respond_with_data("Go away.", status=403)
    with pytest.raises(InputError, match=r"status 403: Go away\."):
        pull(config({"titles": titles}), "pageviews", tmp_path)
    assert len(httpserver.log) == 1


def test_a_file_of_titles_must_have_some(config: Callable[..., Config], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"told\.txt: cannot be read"):
        pull(config({"titles": "told.txt"}), "pageviews", tmp_path)
    with pytest.raises(InputError, match=r"nowhere\.txt"):
        pull(config({"titles": str(tmp_path / "nowhere.txt")}), "pageviews", tmp_path)
    (tmp_path / "empty.txt").write_text("\ufeff\n  \n", encoding="utf-8")
    with pytest.raises(InputError, match=r"empty\.txt: has no title"):
        pull(config({"titles": str(tmp_path / "empty.txt")}), "pageviews", tmp_path)


def test_titles_are_asked_for_as_mediawiki_writes_them(
    asked: list[str], config: Callable[..., Config], tmp_path: Path
) -> None:
    path = tmp_path / "titles"
    path.write_text("\ufeffAC/DC\naC/DC\ncafé\n_Café_\nTitanic__(1997 film)\n", encoding="utf-8")
    pull(config({"titles": str(path)}), "pageviews", tmp_path)
    assert len(asked) == 3
    assert lines(tmp_path / "pageviews") == {"AC/DC": 5, "Café": 7, "Titanic (1997 film)": 123}


def test_no_views_of_any_title_are_not_zero_views(
    asked: list[str], config: Callable[..., Config], tmp_path: Path
) -> None:
    path = tmp_path / "titles"
    path.write_text("Nobody\nNothing\n", encoding="utf-8")
    for _ in range(2):  # nothing of it is kept
        with pytest.raises(InputError, match=r"has no views of any of 2 titles from 2023-06-01 to 2023-06-30"):
            pull(config({"titles": str(path)}), "pageviews", tmp_path)
    assert len(asked) == 4
    assert [file.name for file in (tmp_path / "pageviews").iterdir()] == ["pull.json"]
    assert json.loads((tmp_path / "pageviews" / "pull.json").read_text())["stored"] == 0


@pytest.mark.parametrize(
    ("start", "end", "message"),
    [
        ("2014-01-01", "2014-01-31", r"views\.start: 2014-01-01: there are views from 2015-07-01 on"),
        ("2015-06-30", "2015-07-31", r"views\.start: 2015-06-30: there are views from 2015-07-01 on"),
        ("2023-06-01", "today", "there are views up to yesterday, "),
        ("2999-01-01", "2999-01-31", r"views\.end: 2999-01-31: there are views up to yesterday, "),
    ],
)
@pytest.mark.parametrize("by_title", [True, False])
def test_days_without_views_are_refused(
    config: Callable[..., Config], titles: str, tmp_path: Path, start: str, end: str, message: str, by_title: bool
) -> None:
    if end == "today":
        end = str(dt.datetime.now(dt.UTC).date())
    undated = config({"titles": titles if by_title else ""}, views={"start": start, "end": end})
    with pytest.raises(InputError, match=message):
        pull(undated, "pageviews", tmp_path / "raw")
    assert not (tmp_path / "raw").exists()


def test_quiet_prints_nothing(
    asked: list[str], config: Callable[..., Config], titles: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.yaml"
    settings = config().model_dump(mode="json", exclude_unset=True, exclude={"families"})
    path.write_text(json.dumps({**settings, "families": {"complextempqa": {}}}))
    arguments = ["pull", "pageviews", "--config", str(path), "--titles", titles]
    assert main([*arguments, "--raw", str(tmp_path / "quiet"), "-q"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main([*arguments, "--raw", str(tmp_path / "raw")]) == 0
    assert "pageviews: 5 asked, 4 stored" in capsys.readouterr().err
