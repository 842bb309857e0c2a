"""What the checks derive of uncertain timelines, compared with what holds for every day that their times may mean."""

from __future__ import annotations

import datetime as dt
import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import duckdb
import pytest

from everwhen.families.time_benchmark.build import FOLDER

FIRST = dt.date(2000, 1, 1)
DAYS = 8
CASES = 250
NONE = "There is no answer"

Reading = tuple[int, int]
Derive = Callable[[Sequence[str]], list[str] | None]


class Fact(NamedTuple):
    """A fact whose first time lies between two days, of a closed one the second time too."""

    kind: str
    first: tuple[int, int]
    second: tuple[int, int]

    def read(self) -> Iterator[Reading]:
        """All pairs of a begin and an end that it may have; days before and after all others stand for what is open."""
        for day in range(self.first[0], self.first[1] + 1):
            ends = range(day, DAYS + 3)
            begins = range(-1, day + 1)
            if self.kind == "closed":
                yield from ((day, end) for end in range(max(day, self.second[0]), self.second[1] + 1))
            elif self.kind == "begun":
                yield from ((day, end) for end in ends)
            elif self.kind == "ended":
                yield from ((begin, day) for begin in begins)
            else:
                yield from itertools.product(begins, ends)

    def list_bounds(self) -> list[str]:
        """The bounds of begin and end, as the table `intervals` has them."""
        (a, b), (c, d) = self.first, self.second
        bounds = {
            "closed": (a, min(b, d), max(a, c), d),
            "begun": (a, b, a, None),
            "ended": (None, b, a, b),
            "point": (None, b, a, None),
        }[self.kind]
        texts = [None if day is None else str(FIRST + dt.timedelta(day)) for day in bounds]
        return [texts[0] or "-infinity", str(texts[1]), str(texts[2]), texts[3] or "infinity"]


def draw(rng: random.Random, kinds: Sequence[str]) -> Fact:
    """Draw a fact that does not surely end before it begins."""
    while True:
        times = [
            (day, min(DAYS, day + rng.choice((0, 0, 1, 2)))) for day in (rng.randint(1, DAYS), rng.randint(1, DAYS))
        ]
        fact = Fact(rng.choice(kinds), times[0], times[1])
        if fact.kind != "closed" or any(fact.read()):
            return fact


class Case(NamedTuple):
    """A timeline, a fact outside it, and what is asked."""

    task: str
    members: list[Fact]
    anchor: Fact
    k: int
    direction: str

    def try_all(self) -> list[str] | None:
        """Try all days; None where what holds depends on them."""
        return self._try_days() if self.task == "co_temporality" else self._try_begins()

    def _try_days(self) -> list[str] | None:
        found = []
        for number, member in enumerate(self.members):
            pairs = itertools.product(member.read(), self.anchor.read())
            met = {a[0] <= b[1] and a[1] >= b[0] for a, b in pairs}
            if len(met) > 1:
                return None
            found += [f"f{number}"] if True in met else []
        return found or [NONE]

    def _try_begins(self) -> list[str] | None:
        begins = [sorted({begin for begin, _ in member.read()}) for member in self.members]
        anchors = sorted({begin for begin, _ in self.anchor.read()})
        answers: set[str | None] = set()
        for days in itertools.product(*begins):
            if self.task == "order_reasoning":
                answers.add(self._name(days, sorted(days)[self.k if self.k < 0 else self.k - 1]))
            else:
                answers |= {self._find_nearest(days, anchor) for anchor in anchors}
            if len(answers) > 1 or None in answers:
                return None
        return [str(answer) for answer in answers]

    def _find_nearest(self, days: Sequence[int], anchor: int) -> str | None:
        if self.direction == "before":
            beyond = [day for day in days if day < anchor]
            return self._name(days, max(beyond)) if beyond else NONE
        beyond = [day for day in days if day > anchor]
        return self._name(days, min(beyond)) if beyond else NONE

    def _name(self, days: Sequence[int], day: int) -> str | None:
        """Name the one that began on a day; None where several did."""
        return f"f{days.index(day)}" if days.count(day) == 1 else None


def draw_case(rng: random.Random, task: str) -> Case:
    """Draw what is asked; a second fact in four is as short as a day."""
    size = rng.choice((3, 4)) if task == "order_reasoning" else rng.randint(2, 4)
    members = [draw(rng, ("closed", "closed", "closed", "begun", "ended", "point")) for _ in range(size)]
    anchor = draw(rng, ("closed", "begun") if task == "relative_reasoning" else ("closed",))
    return Case(task, members, anchor, rng.choice((1, 2, 3, -1)), rng.choice(("before", "after")))


@pytest.mark.parametrize("task", ["relative_reasoning", "order_reasoning", "co_temporality"])
def test_the_sql_decides_what_every_reading_gives(task: str) -> None:
    rng = random.Random(task)
    cases = [draw_case(rng, task) for _ in range(CASES)]
    bounds = "s0 DATE, s1 DATE, e0 DATE, e1 DATE"
    with duckdb.connect() as db:
        db.execute(
            "CREATE TABLE members (source TEXT, item_id BIGINT, fact TEXT, other TEXT, name TEXT, is_usable BOOLEAN, "
            f"{bounds})"
        )
        db.execute(f"CREATE TABLE clear_terms (source TEXT, item_id BIGINT, role TEXT, fact TEXT, kind TEXT, {bounds})")
        db.execute("CREATE VIEW term_facts AS SELECT *, true AS is_usable FROM clear_terms")
        years = ", ".join(f"{name} INT" for name in ("first", "last", "moved_first", "moved_last", "span"))
        db.execute(f"CREATE TABLE asked (item_id BIGINT, task TEXT, k INT, direction TEXT, date TEXT, {years})")
        for item, case in enumerate(cases):
            named = [("stated", item, *[f"f{n}"] * 3, True, *each.list_bounds()) for n, each in enumerate(case.members)]
            db.executemany("INSERT INTO members VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", named)
            anchor = ["stated", item, "anchor", "x", case.anchor.kind, *case.anchor.list_bounds()]
            db.execute("INSERT INTO clear_terms VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", anchor)
            db.execute("INSERT INTO asked (item_id, task, k, direction) VALUES (?, ?, ?, ?)", [item, task, *case[3:]])
        db.execute((FOLDER / "checks/tasks/timelines.sql").read_text(encoding="utf-8"))
        derived = dict(db.execute(f"SELECT item_id, answer FROM derived_{task} WHERE source = 'stated'").fetchall())
    tried = {item: answer for item, case in enumerate(cases) if (answer := case.try_all()) is not None}
    assert derived == tried
    assert 20 < len(tried) < CASES - 20
