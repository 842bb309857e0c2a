"""Scopes of declarations, and the dependencies that follow from joins."""

from __future__ import annotations

from pathlib import Path

import pytest

from everwhen.core.errors import InputError
from everwhen.families.tdbench.scopes import Scope, derive_scopes, find_steps
from everwhen.families.tdbench.source.load import load_declarations

EDITION = ({"edition", "season"}, ("name",))
HOST = ({"name"}, ("country", "city"))

LEADERS = """
table: leaders
from: {file: leaders.csv}
time: {start: Start}
tfds: [{given: [Country, Role], determines: [Name]}]
sets: [{given: [Role], asked: [Country, Name]}]
counts: [{given: [Country, Role], asked: Name}]
joins: [{with: games.yaml, by: {Country: Host}, same: {Great Britain: United Kingdom}}]
"""
GAMES = """
table: games
from: {file: games.csv}
time: {start: Start}
fds: [{given: [Game], determines: [Host, City]}, {given: [Edition], determines: [Game]}]
"""


def derive(folder: Path, leaders: str = LEADERS, games: str = GAMES) -> tuple[Scope, ...]:
    (folder / "leaders.yaml").write_text(leaders)
    (folder / "games.yaml").write_text(games)
    (folder / "leaders.csv").write_text("Country,Role,Name,Start\n")
    (folder / "games.csv").write_text("Game,Edition,Host,City,Role,Start\n")
    return derive_scopes(load_declarations([folder / "leaders.yaml"]))


@pytest.fixture
def scopes(tmp_path: Path) -> tuple[Scope, ...]:
    return derive(tmp_path)


def test_a_declaration_gives_its_own_scopes_first(scopes: tuple[Scope, ...]) -> None:
    assert [scope.kind for scope in scopes[:3]] == ["tfd", "set", "count"]
    assert scopes[0] == Scope("leaders/1", "leaders", "tfd", ("Country", "Role"), ("Name",))
    assert scopes[2].of == "stints"


def test_a_join_gives_a_dependency_of_two_hops_and_one_of_three(scopes: tuple[Scope, ...]) -> None:
    derived = [scope for scope in scopes if scope.kind == "derived"]
    assert [(each.join.event, each.join.hops, each.hops) for each in derived if each.join] == [
        (("Game",), (("Host",),), 2),
        (("Edition",), (("Game",), ("Host",)), 3),
    ]
    assert {each.given for each in derived} == {("Role",)}
    assert {each.key for each in derived} == {("Role", "Country")}


def test_an_event_can_be_the_time_of_a_question(scopes: tuple[Scope, ...]) -> None:
    joined = [scope for scope in scopes if scope.kind == "join"]
    assert [(each.given, each.join.hops) for each in joined if each.join] == [(("Country", "Role"), ())] * 2


def test_a_join_keeps_the_values_that_mean_the_same(scopes: tuple[Scope, ...]) -> None:
    assert scopes[-1].join is not None
    assert scopes[-1].join.same == (("Great Britain", "United Kingdom"),)
    assert scopes[-1].join.by == (("Country", "Host"),)


def test_ids_are_unique(scopes: tuple[Scope, ...]) -> None:
    assert len({scope.scope_id for scope in scopes}) == len(scopes) == 7


def test_an_event_that_names_the_country_itself_is_a_time_alone(tmp_path: Path) -> None:
    games = GAMES.replace("{given: [Game], determines: [Host, City]}", "{given: [Host], determines: [City]}")
    scopes = derive(tmp_path, games=games)
    assert [scope.kind for scope in scopes] == ["tfd", "set", "count", "join"]
    assert scopes[-1].join is not None
    assert scopes[-1].join.event == ("Host",)


def test_an_event_is_not_named_by_a_column_of_the_table_itself(tmp_path: Path) -> None:
    games = GAMES.replace("{given: [Edition], determines: [Game]}", "{given: [Game, Role], determines: [Edition]}")
    message = r"leaders.yaml:8: joins\[1\].with: events of games are named by Role, which is a column of leaders, too"
    with pytest.raises(InputError, match=message):
        derive(tmp_path, games=games)


@pytest.mark.parametrize(
    ("event", "hops"),
    [
        (["name"], (("country",),)),
        (["edition", "season"], (("name",), ("country",))),
        (["country"], ()),
        (["edition"], None),
    ],
)
def test_hops_are_the_shortest_way(event: list[str], hops: tuple[tuple[str, ...], ...] | None) -> None:
    assert find_steps(event, ["country"], [EDITION, HOST]) == hops


def test_hops_leave_out_what_leads_nowhere() -> None:
    assert find_steps(["name"], ["city"], [HOST, ({"country"}, ("continent",))]) == (("city",),)
