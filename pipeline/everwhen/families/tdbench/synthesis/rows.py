"""Synthetic rows in columns of Arrow: numbers by numpy, texts by dictionaries. No loop over rows.

The rows of a key follow one another, most of them without a gap; their times are counted back from `AS_OF`. Every
choice is a hash of the seed, the domain, the key and the place of the row.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.hash_chains import START, extend_hashes
from everwhen.families.tdbench.synthesis import vocabulary as words
from everwhen.families.tdbench.synthesis.domains import DOMAINS, OLYMPIC, SyntheticColumn

Numbers = npt.NDArray[np.int64]

AS_OF = np.datetime64("2025-01-02")
MEAN_ROWS, LEAST_ROWS, MOST_ROWS = 6, 2, 10
"""Rows of a key."""

SHORTEST, LONGEST, LONGEST_GAP = 60, 2_200, 500
"""Days of a row, and between two rows that do not touch."""

GAP_SHARE, OPEN_SHARE, BROKEN_SHARE = 20, 60, 2
"""Of a hundred rows: those behind a gap; of a hundred keys: those whose last row is open, and those that are broken."""

(LENGTH, GAP, IS_OPEN, IS_BROKEN, END, COUNT, FIRST, STEP, OTHER, DAY) = range(10)
"""What a hash is drawn for."""


@dataclass(frozen=True)
class SyntheticTable:
    """Synthetic rows, and the truth about them.

    Attributes:
        rows: The columns of the domain, start and end; an open end is empty.
        keys: How many keys there are; of events none.
        open_rows: Rows without an end.
        broken: The numbers of the broken keys.
        broken_keys: Their values, in the order of the key columns.
    """

    rows: pa.Table
    keys: int
    open_rows: int
    broken: Numbers
    broken_keys: tuple[tuple[str, ...], ...]


def synthesize_rows(domain: str, count: int, seed: int) -> SyntheticTable:
    """Make the rows of a domain.

    Args:
        domain: Its name.
        count: How many.
        seed: Another seed gives other rows.
    """
    salt = extend_hashes(np.uint64(START), seed)
    salt = extend_hashes(salt, int.from_bytes(domain.encode()[:7], "big"))
    return _build_games(count, salt) if domain == OLYMPIC else _build_stints(domain, count, salt)


def _build_stints(domain: str, count: int, salt: npt.NDArray[np.uint64]) -> SyntheticTable:
    """Build rows of keys."""
    key, place, sizes = _share_out(count, salt)
    starts, ends, is_last = _date_rows(_Draw(salt, key, place), key, place, sizes)
    is_open = is_last & (_Draw(salt, key).draw(IS_OPEN, 100) < OPEN_SHARE)
    is_broken = (_Draw(salt, np.arange(len(sizes))).draw(IS_BROKEN, 100) < BROKEN_SHARE) & (sizes > LEAST_ROWS)
    ends = _overlap(starts, ends, (place == 0) & is_broken[key])
    columns = DOMAINS[domain]
    keys = {name: column for name, column in columns.items() if column.role == "key"}
    spelled = _spell_keys(keys, key)
    made: dict[str, pa.Array] = {}
    for number, (name, column) in enumerate(columns.items()):
        made[name] = spelled[name] if name in keys else _spell_value(column, _Draw(salt, key, np.int64(number)), place)
    made["start"] = _write_days(starts)
    made["end"] = pc.if_else(pa.array(is_open), "", _write_days(ends))
    broken = np.flatnonzero(is_broken)
    named = _spell_keys(keys, broken)
    values = zip(*(named[name].to_pylist() for name in keys), strict=True)
    return SyntheticTable(pa.table(made), len(sizes), int(is_open.sum()), broken, tuple(values))


class _Draw:
    """Draws numbers for rows, each by a hash of what identifies it and what it is drawn for."""

    def __init__(self, salt: npt.NDArray[np.uint64], *numbers: Numbers | np.int64) -> None:
        self._chain = salt
        for each in numbers:
            self._chain = extend_hashes(self._chain, each)

    def draw(self, what: int, below: int) -> Numbers:
        """Draw a number below a bound for each row."""
        drawn: Numbers = (extend_hashes(self._chain, what) % np.uint64(below)).astype(np.int64)
        return drawn


def _share_out(count: int, salt: npt.NDArray[np.uint64]) -> tuple[Numbers, Numbers, Numbers]:
    """Share rows out to keys: of each row its key and its place there; of each key how many rows it has."""
    enough = np.arange(count // LEAST_ROWS + 1)
    sizes = _Draw(salt, enough).draw(COUNT, MOST_ROWS - LEAST_ROWS + 1) + LEAST_ROWS
    last = int(np.searchsorted(np.cumsum(sizes), count))
    sizes = sizes[: last + 1]
    sizes[-1] -= int(sizes.sum()) - count
    key = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(count) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return key, place, sizes


def _date_rows(
    draw: _Draw, key: Numbers, place: Numbers, sizes: Numbers
) -> tuple[Numbers, Numbers, npt.NDArray[np.bool_]]:
    """Date rows, counted back from the end of the key's last: start, end, and whether a row is the last."""
    lengths = draw.draw(LENGTH, LONGEST - SHORTEST) + SHORTEST
    gaps = np.where(draw.draw(GAP, 100) < GAP_SHARE, draw.draw(GAP + 100, LONGEST_GAP) + 1, 0)
    is_last = place == sizes[key] - 1
    gaps[is_last] = draw.draw(END, 1_000)[is_last]
    total = np.cumsum(lengths + gaps)
    of_key = total[np.cumsum(sizes) - 1][key]
    ends = AS_OF.astype(int) - (of_key - total) - gaps
    return ends - lengths, ends, is_last


def _overlap(starts: Numbers, ends: Numbers, is_first: npt.NDArray[np.bool_]) -> Numbers:
    """Let the first row of broken keys last into the second, by half its length."""
    following = np.append(starts[1:] + (ends[1:] - starts[1:]) // 2, 0)
    moved: Numbers = np.where(is_first, following, ends)
    return moved


def _spell_keys(columns: dict[str, SyntheticColumn], key: Numbers) -> dict[str, pa.Array]:
    """Spell keys in their columns; beyond all combinations, the first column takes a number."""
    spelled, rest = {}, key
    for name, column in columns.items():
        spelled[name] = _look_up(column.words, rest % len(column.words))
        rest = rest // len(column.words)
    if len(rest) and rest.max() > 0:
        first = next(iter(columns))
        number = pa.array(rest + 1).cast(pa.string())
        numbered = pc.binary_join_element_wise(spelled[first], number, " ")
        spelled[first] = pc.if_else(pa.array(rest > 0), numbered, spelled[first])
    return spelled


def _spell_value(column: SyntheticColumn, of_key: _Draw, place: Numbers) -> pa.Array:
    """Spell a column that is no key: values differ from one row of a key to the next; others are of the key."""
    size = len(column.words)
    first = of_key.draw(FIRST, size)
    if column.role == "other":
        return _look_up(column.words, first)
    step = of_key.draw(STEP, max(size - 1, 1)) + 1
    return _look_up(column.words, (first + place * step) % size)


def _look_up(values: tuple[str, ...], places: Numbers) -> pa.Array:
    return pa.array(values, pa.string()).take(pa.array(places))


def _write_days(days: Numbers) -> pa.Array:
    return pa.array(days.astype("datetime64[D]")).cast(pa.string())


GAMES, FIRST_GAMES = 64, 1896
"""Games of a series, one every two years, and the year of its first."""


def _build_games(count: int, salt: npt.NDArray[np.uint64]) -> SyntheticTable:
    """Build games: summer and winter in turn; beyond the first series, editions and rounds are numbered by series."""
    number = np.arange(count)
    series, turn = number // GAMES, number % GAMES
    draw = _Draw(salt, number)
    year = FIRST_GAMES + 2 * turn
    starts = (year - 1970).astype("datetime64[Y]").astype("datetime64[D]").astype(np.int64) + draw.draw(DAY, 340)
    season = _look_up(("Summer", "Winter"), turn % 2)
    country = draw.draw(FIRST, len(words.COUNTRIES))
    city = _look_up(words.CITIES, draw.draw(STEP, len(words.CITIES)))
    years, numbered = pa.array(year).cast(pa.string()), pa.array(series + 1).cast(pa.string())
    is_first = pa.array(series == 0)
    of_series = pc.binary_join_element_wise(years, season, "Games of series", numbered, " ")
    place = pc.binary_join_element_wise(city, years, " ")
    made = {
        "game_round": pa.array(series * (GAMES // 2) + turn // 2 + 1).cast(pa.string()),
        "game_edition": pc.if_else(is_first, pc.binary_join_element_wise(years, season, "Olympics", " "), of_series),
        "city": city,
        "country": _look_up(words.COUNTRIES, country),
        "season": season,
        "game_name": pc.if_else(is_first, place, pc.binary_join_element_wise(place, numbered, " ")),
        "start": _write_days(starts),
        "end": _write_days(starts + 15),
    }
    return SyntheticTable(pa.table(made), 0, 0, np.array([], dtype=np.int64), ())
