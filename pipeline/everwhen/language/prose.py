"""Statements in prose: a statement with its times as an English sentence, many at a time.

Each property has several forms for each kind of statement (`templates/prose`); a hash chooses. A sentence says what
the statement says and no more: nothing of today, and of a start without an end not whether there was one.

`everwhen.language.prose_check` reads the sentences back by SQL that shares nothing with this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.hash_chains import extend_hashes
from everwhen.language.prose_templates import (
    TIME_SLOTS,
    Form,
    Kind,
    NameRule,
    PropertyProse,
    Prose,
    UnitWords,
    load_prose,
)
from everwhen.language.wording_arrow import join_pieces
from everwhen.temporal.phrases import MONTHS, SMALL_NUMBERS
from everwhen.temporal.phrases_arrow import write_dates, write_prepositions, write_same

KINDS: tuple[Kind, ...] = tuple(TIME_SLOTS)

MAX_DECIMALS = 4
"""Digits after the point of a written amount: 67.6078 years. With more it reads as a conversion, not a fact."""

MAX_WORDED = 12
"""The greatest number that is written in words where something is counted: twelve seats, 13 seats."""

APPOSITION = r"^[^,]+, [^,]+$"
"""Names with a part set off by a comma, which needs another one behind it: Robert May, Baron May of Oxford, was …"""

ENUMERATION = r", .*( and | or | & | et | und | y | e )|, (Jr|Sr|Inc|LLC|Ltd)\.?$"
"""Names whose comma sets nothing off."""

UNWRITABLE = r"[^\p{Latin}\p{Common}\p{Inherited}]|\\| \(\p{Ll}[^)]*\)$"
"""Names that no sentence tells: in other letters, with a backslash, or with a word that tells namesakes apart."""


SENTENCE_COLUMNS = (
    *("snak", "value_item", "value_text", "amount", "unit", "precision", "calendar"),
    *("subject_name", "value_name"),
)
"""The columns of a statement, its dating qualifiers apart, that a sentence follows from."""


class NoProse(StrEnum):
    """Why a statement has no sentence."""

    PROPERTY = "the property has no prose"
    VALUE = "the value is unknown, absent, hedged or unreadable"
    UNSAID = "the value says nothing"
    UNFIT = "subject or value does not fit the sentences of the property"
    NAME = "subject or value has no name, or none for a sentence"
    DATE_NAME = "a name reads like a date"
    UNCERTAIN_TIME = "a time is not certain"
    COARSE_TIME = "a time is coarser than a year"
    REVERSED = "the end lies before the start"
    KIND = "the property has no prose for these times"
    AMOUNT = "the amount has no words in the units of the property"


SENTENCES = pa.schema([("sentence", pa.string()), ("kind", pa.string()), ("form", pa.int16()), ("reason", pa.string())])
"""What `write_sentences` returns: either sentence, kind and form, or a reason (`NoProse`)."""


def write_sentences(statements: pa.Table, prose: Prose | None = None, *, month_first: bool = False) -> pa.Table:
    """Write statements as sentences.

    Args:
        statements: Columns of the table `statements` (property, snak, value_item, value_text, amount, unit, precision,
            calendar, start_time, end_time, point_in_time); subject_name and value_name; key, bigint, by which a form is
            chosen, such as the hash of the statement's id; nth, how many statements of the property precede in the same
            text, so that neighbours differ in form (`everwhen.language.prose_spark.choose_in_texts`).
        prose: The sentence forms; None: those of `templates/prose`, which is there on the driver alone.
        month_first: Whether a day is written May 4, 1998, not 4 May 1998.

    Returns:
        Columns of `SENTENCES`, in the order of the statements.
    """
    batch = statements.combine_chunks()
    writer = _Writer(batch, prose or load_prose(), month_first=month_first)
    properties = np.asarray(batch["property"])
    kinds = writer.find_kinds()
    groups = list(_group_rows(properties.astype(np.int64) * len(KINDS) + kinds))
    parts = [writer.write(int(code) // len(KINDS), KINDS[int(code) % len(KINDS)], rows) for code, rows in groups]
    if not parts:
        return SENTENCES.empty_table()
    rows = np.concatenate([rows for _, rows in groups])
    return pa.concat_tables(parts).take(pa.array(np.argsort(rows)))


def _group_rows(codes: npt.NDArray[np.int64]) -> Iterator[tuple[int, npt.NDArray[np.int64]]]:
    """Group the positions of equal codes."""
    order = np.argsort(codes, kind="stable")
    found, starts = np.unique(codes[order], return_index=True)
    yield from zip(found.tolist(), np.split(order, starts[1:]) if len(found) else [], strict=True)


class _Writer:
    """Writes the statements of a batch."""

    def __init__(self, batch: pa.Table, prose: Prose, *, month_first: bool) -> None:
        self._columns = {name: batch[name].combine_chunks() for name in SENTENCE_COLUMNS}
        self._prose, self._is_month_first = prose, month_first
        qualifiers = {"start": "start_time", "end": "end_time", "point": "point_in_time"}
        self._times = {name: _split_time(batch[column].combine_chunks()) for name, column in qualifiers.items()}
        keys = np.asarray(batch["key"]).astype(np.int64)
        nth = np.asarray(batch["nth"]).astype(np.uint64)
        # A second step of the chain: keys are hashes already, and other choices may follow from them.
        self._choice = extend_hashes(keys.view(np.uint64), 1) % np.uint64(2**32) + nth

    def find_kinds(self) -> npt.NDArray[np.int64]:
        """Find the position in KINDS of each statement; a time that is unknown or absent does not count."""
        start, end, point = (
            np.asarray(pc.is_valid(_find_stated(self._times[name]))) for name in ("start", "end", "point")
        )
        first, last = self._times["start"], self._times["end"]
        is_same = pc.and_(pc.equal(first["text"], last["text"]), pc.equal(first["precision"], last["precision"]))
        same = np.asarray(pc.fill_null(is_same, False)) & start & end
        kinds = np.select([same, start & end, start, end, point], [1, 0, 2, 3, 4], 5)
        found: npt.NDArray[np.int64] = kinds.astype(np.int64)
        return found

    def write(self, number: int, kind: Kind, rows: npt.NDArray[np.int64]) -> pa.Table:
        """Write the statements of a property and kind that stand in these rows."""
        entry = self._prose.properties.get(number)
        if entry is None:
            return _refuse(len(rows), NoProse.PROPERTY)
        if kind == "same" and kind not in entry.forms:
            kind = "start_end"
        at = pa.array(rows)
        columns = {name: column.take(at) for name, column in self._columns.items()}
        times = {name: {key: part.take(at) for key, part in time.items()} for name, time in self._times.items()}
        slots = self._fill_slots(entry, kind, columns, times)
        reasons = self._find_reasons(entry, kind, columns, times, slots)
        forms = entry.split_forms(kind)
        if not forms:
            return _refuse(len(rows), pc.coalesce(reasons, pa.scalar(NoProse.KIND.value)))
        numbers = sorted(entry.forms[kind])
        chosen = (self._choice[rows] % np.uint64(len(forms))).astype(np.int64)
        sentences, positions = [], []
        for index, where in _group_rows(chosen):
            filled = {name: text.take(pa.array(where)) for name, text in slots.items()}
            sentences.append(_join_form(forms[index], filled, entry, is_month_first=self._is_month_first))
            positions.append(where)
        back = pa.array(np.argsort(np.concatenate(positions)))
        joined = pa.chunked_array(sentences).combine_chunks().take(back)
        has_sentence = pc.is_null(reasons)
        form = pa.array(np.asarray(numbers)[chosen], pa.int16())
        return pa.table(
            {
                "sentence": pc.if_else(has_sentence, joined, None),
                "kind": pc.if_else(has_sentence, pa.scalar(kind), None),
                "form": pc.if_else(has_sentence, form, None),
                "reason": reasons,
            },
            SENTENCES,
        )

    def _fill_slots(
        self,
        entry: PropertyProse,
        kind: Kind,
        columns: dict[str, pa.Array],
        times: dict[str, dict[str, pa.Array]],
    ) -> dict[str, pa.Array]:
        """Fill the slots with texts; one without words is null."""
        slots = {"subject": add_articles(columns["subject_name"], self._prose.styles[entry.subject])}
        if entry.value == "date":
            stated = self._write_dates({**columns, "text": columns["value_text"]})
            slots["value"] = stated
            slots["on_value"] = pc.binary_join_element_wise(write_prepositions(columns["precision"]), stated, "")
        elif entry.value == "quantity":
            slots["value"] = self._write_amounts(entry, columns)
        else:
            slots["value"] = add_articles(columns["value_name"], self._prose.styles[entry.value])
            slots["value_label"] = columns["value_name"]
        for name in TIME_SLOTS[kind]:
            if name == "same":
                slots[name] = write_same(times["start"]["precision"])
                continue
            time = times[name]
            slots[name] = self._write_dates(time)
            slots[f"on_{name}"] = pc.binary_join_element_wise(write_prepositions(time["precision"]), slots[name], "")
        return slots

    def _write_dates(self, time: dict[str, pa.Array]) -> pa.Array:
        texts, precisions, calendars = (time[name] for name in ("text", "precision", "calendar"))
        return write_dates(texts, precisions, calendars, month_first=self._is_month_first)

    def _find_reasons(
        self,
        entry: PropertyProse,
        kind: Kind,
        columns: dict[str, pa.Array],
        times: dict[str, dict[str, pa.Array]],
        slots: dict[str, pa.Array],
    ) -> pa.Array:
        """Find why statements have no sentence, the first reason of each; null where there is none."""
        is_uncertain = pa.scalar(False)
        for time in times.values():
            hedged = pc.is_in(time["snak"], pa.array(["several", "hedged"]))
            is_uncertain = pc.or_(is_uncertain, pc.fill_null(hedged, False))
        is_beside = pc.and_(pc.is_valid(_find_stated(times["point"])), kind not in ("point", "none"))
        # What a time says may be no time: the reason then is its precision.
        no_time = _is_any_null([slots[name] for name in TIME_SLOTS[kind]], len(columns["snak"]))
        no_value = pc.is_null(slots["value"])
        by_value = {"date": NoProse.COARSE_TIME, "quantity": NoProse.AMOUNT}.get(entry.value, NoProse.NAME)
        unsaid = pc.fill_null(pc.is_in(columns["value_item"], pa.array(entry.unsaid, pa.int64())), False)
        checks = [
            (pc.not_equal(columns["snak"], "value"), NoProse.VALUE),
            (unsaid, NoProse.UNSAID),
            (is_uncertain, NoProse.UNCERTAIN_TIME),
            (is_beside, NoProse.KIND),
            (no_time, NoProse.COARSE_TIME),
            (_is_reversed(times["start"], times["end"]), NoProse.REVERSED),
            (pc.is_null(slots["subject"]), NoProse.NAME),
            (no_value, by_value),
            (_matches(columns["subject_name"], UNWRITABLE), NoProse.NAME),
            (_matches(columns["value_name"], UNWRITABLE), NoProse.NAME),
            (_matches(columns["value_name"], entry.unfit or "^$"), NoProse.UNFIT),
            (_matches(columns["subject_name"], entry.unfit_subject or "^$"), NoProse.UNFIT),
            (
                pc.or_(_reads_like_date(columns["subject_name"]), _reads_like_date(columns["value_name"])),
                NoProse.DATE_NAME,
            ),
        ]
        reasons: pa.Array = pa.nulls(len(columns["snak"]), pa.string())
        for failed, reason in reversed(checks):
            reasons = pc.if_else(failed, pa.scalar(reason.value), reasons)
        return reasons

    def _write_amounts(self, entry: PropertyProse, columns: dict[str, pa.Array]) -> pa.Array:
        """Write amounts with their units. An amount in a unit without a dimension is in `value_text` alone."""
        units = [self._prose.units[name] for name in entry.units]
        rows = pa.table({"amount": columns["amount"], "text": columns["value_text"], "unit": columns["unit"]})
        found = [_write_row(row["amount"], row["text"], row["unit"], units) for row in rows.to_pylist()]
        return pa.array(found, pa.string())


def _write_row(amount: Decimal | None, text: str | None, unit: int | None, units: Sequence[UnitWords]) -> str | None:
    if amount is None and text is not None:
        amount = Decimal(text)
    if amount is None:
        return None
    written = write_amount(amount, [(each.size, each.one, each.many) for each in units if each.unit == unit])
    return f"+{written}" if written and amount > 0 and units[0].has_sign else written


def write_amount(number: Decimal, units: Sequence[tuple[Decimal, str, str]]) -> str | None:
    """Write an amount in the first unit in which it is at least one and has three decimals at most, else in the last.

    >>> length = [(Decimal(1000), "kilometre", "kilometres"), (Decimal(1), "metre", "metres")]
    >>> write_amount(Decimal(24700), length), write_amount(Decimal(12), length)
    ('24.7 kilometres', '12 metres')
    >>> write_amount(Decimal("0.123456"), length) is None
    True

    Args:
        number: The amount.
        units: How many of the amount's unit one of a unit is, its singular and its plural; the largest first.

    Returns:
        None where the amount has too many decimals in every unit, there is no unit, or what is measured is nothing.
    """
    chosen = _choose_unit(number, units)
    if chosen is None:
        return None
    value, one, many = chosen
    text = _write_value(value, in_words=one in _COUNTED and units[0][0] == 1)
    unit = one if value == 1 else many
    return f"{text} {unit}" if unit else text


def _choose_unit(number: Decimal, units: Sequence[tuple[Decimal, str, str]]) -> tuple[Decimal, str, str] | None:
    amounts = [((number / size).normalize(), one, many) for size, one, many in units]
    if not amounts or (number == 0 and len(amounts) > 1):
        return None
    fits = (each for each in amounts if abs(each[0]) >= 1 and _count_decimals(each[0]) < MAX_DECIMALS)
    chosen = next(fits, amounts[-1])
    return chosen if _count_decimals(chosen[0]) <= MAX_DECIMALS else None


def _write_value(value: Decimal, *, in_words: bool) -> str:
    if in_words and value == int(value) and 0 < value <= MAX_WORDED:
        return SMALL_NUMBERS[int(value)]
    return f"{value:,f}".replace("-", "−")


_COUNTED = frozenset(
    {"child", "follower", "person", "employee", "student", "member", "seat", "passenger", "visitor", "year"}
)
"""Units that are counted one by one, so that small numbers of them are written in words."""


def _count_decimals(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


def add_articles(labels: pa.Array, rules: Sequence[NameRule]) -> pa.Array:
    """Put before each label what the first rule that matches it says."""
    if not rules or not len(labels):
        return labels
    encoded = labels.dictionary_encode()
    full = names = encoded.dictionary
    for rule in reversed(rules):
        cut = pc.utf8_slice_codeunits(names, rule.cut) if rule.cut else names
        named = pc.binary_join_element_wise(rule.before, cut, "")
        full = pc.if_else(pc.match_substring_regex(names, rule.match), named, full)
    return full.take(encoded.indices)


def _split_time(times: pa.Array) -> dict[str, pa.Array]:
    """Split a dating qualifier into its parts."""
    return {name: pc.struct_field(times, name) for name in ("snak", "text", "precision", "calendar")}


def _find_stated(time: dict[str, pa.Array]) -> pa.Array:
    """Find the texts of times that state one; null of others."""
    return pc.if_else(pc.equal(time["snak"], "value"), time["text"], None)


def _is_reversed(start: dict[str, pa.Array], end: dict[str, pa.Array]) -> pa.Array:
    """Whether each end lies before its start, as far as both are precise. Words are written of years AD alone."""
    first, last = _find_stated(start), _find_stated(end)
    is_earlier = pc.and_(pc.equal(start["precision"], end["precision"]), pc.less(last, first))
    years = (pc.utf8_slice_codeunits(text, 0, len("+1998")) for text in (last, first))
    return pc.fill_null(pc.or_(is_earlier, pc.less(*years)), False)


def _reads_like_date(names: pa.Array) -> pa.Array:
    """Whether each name reads like a date: born in 1940, or in a place of that name? And 1977 was in 1977."""
    months = "|".join(MONTHS)
    pattern = rf"^([0-9]{{1,2}} )?(({months}) ([0-9]{{1,2}}, )?)?(AD [0-9]{{1,3}}|[0-9]{{4}})$"
    return _matches(names, pattern)


def _matches(names: pa.Array, pattern: str) -> pa.Array:
    """Whether a pattern matches each name somewhere; no name, no match."""
    return pc.fill_null(pc.match_substring_regex(names, pattern), False)


def _is_any_null(texts: Sequence[pa.Array], length: int) -> pa.Array:
    failed: pa.Array = pa.array(np.zeros(length, bool))
    for text in texts:
        failed = pc.or_(failed, pc.is_null(text))
    return failed


def _refuse(length: int, reason: NoProse | pa.Array) -> pa.Table:
    """Return rows without sentences."""
    reasons = reason if isinstance(reason, pa.Array) else pa.array([reason.value] * length, pa.string())
    nulls = {name: pa.nulls(length, SENTENCES.field(name).type) for name in ("sentence", "kind", "form")}
    return pa.table({**nulls, "reason": reasons}, SENTENCES)


def _join_form(form: Form, filled: dict[str, pa.Array], entry: PropertyProse, *, is_month_first: bool) -> pa.Array:
    """Join the pieces of a form with the texts of its slots to sentences."""
    slots = []
    for slot, rest in zip(form.slots, form.pieces[1:], strict=True):
        text = filled[slot]
        if not rest.startswith((".", ",", "”")):
            text = _add_comma(slot, text, entry, is_month_first=is_month_first)
        slots.append(text)
    joined = join_pieces(form.pieces, slots)
    if not form.pieces[0]:
        keeps = pc.match_substring_regex(slots[0], r"^\p{Ll}\p{Lu}")  # iPhone, eBay
        first, rest = pc.utf8_slice_codeunits(slots[0], 0, 1), pc.utf8_slice_codeunits(joined, 1)
        joined = pc.if_else(keeps, pc.binary_join_element_wise(first, rest, ""), joined)
    # A name may end with the sentence's full stop, or with a mark that replaces it.
    return pc.replace_substring_regex(joined, r"([.?!])\.$", r"\1")


def _add_comma(slot: str, text: pa.Array, entry: PropertyProse, *, is_month_first: bool) -> pa.Array:
    """Add the comma that a text needs before more words: behind a set-off part of a name, or a year behind a day."""
    style = {"subject": entry.subject, "value": entry.value, "value_label": entry.value}.get(slot, "date")
    if style == "date":
        if not is_month_first:
            return text
        needs = pc.match_substring_regex(text, r"[0-9], [0-9]|[0-9], AD [0-9]")
    elif style in ("title", "bare", "quantity", "noun", "office"):
        return text
    else:
        needs = pc.and_(
            pc.match_substring_regex(text, APPOSITION), pc.invert(pc.match_substring_regex(text, ENUMERATION))
        )
    return pc.if_else(needs, pc.binary_join_element_wise(text, ",", ""), text)
