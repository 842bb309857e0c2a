"""One line of a Wikidata JSON dump as flat rows.

Source: the Wikibase JSON specification (https://doc.wikimedia.org/Wikibase/master/php/docs_topics_json.html) and
dumps from 2014 to 2025. Every line ends in exactly one row of level line (entity, redirect, reject or skipped), and
every statement of an entity in exactly one unit of level statement (statement, reject or skipped).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from decimal import Decimal
from typing import Any

import orjson

from everwhen.core.reasons import RejectReason
from everwhen.wikidata.columns import ITEM, NONE, QUALIFIED, TIME, UNREAD, Batch, Row
from everwhen.wikidata.malformed import Malformed
from everwhen.wikidata.snaks import (
    HEDGED,
    MISSHAPEN,
    SNAK_TYPES,
    UNREADABLE,
    ValueReader,
    derive_datatype,
    find_property,
    find_text,
    parse_item_id,
    read_qualifiers,
)

RANKS = frozenset({"preferred", "normal", "deprecated"})
AROUND = b" \t\r\n,[]\xef\xbb\xbf"
"""What may surround an entity: white space, commas, the brackets of the dump's array, a byte order mark."""
SAMPLE = 200
"""Characters of a rejected line or statement that are kept."""
MAX_LINE = 100_000_000
"""Bytes of the longest line that is parsed: Wikidata's largest entities have some 5 million; parsed, a line takes some
ten times its length in memory."""

_TYPES = {"Q": "item", "P": "property", "L": "lexeme", "M": "mediainfo"}
_TYPE = re.compile(r"[a-z][a-z-]{,39}")


class EntityReader:
    """Reads dump lines into a batch."""

    def __init__(self, skip_datatypes: Collection[str], units: Mapping[int, tuple[int, Decimal]]) -> None:
        """Take the datatypes whose statements are left out, and the known units (see `QuantityReader`)."""
        self._skip = frozenset(skip_datatypes)
        self._values = ValueReader(units)
        self._properties = _Properties()
        self.batch = Batch()

    def read(self, line: bytes, file: str, position: str, line_hash: int) -> None:
        """Add the rows of one line to the batch; a line that cannot be read becomes a reject row."""
        batch = self.batch
        at = len(batch.lines)
        text = line.strip(AROUND)
        try:
            if len(text) > MAX_LINE:
                raise Malformed(RejectReason.LINE_TOO_LONG.with_detail(limit=f"{MAX_LINE:,}"))
            if text:
                self._add_entity(parse_line(text), at, file, position, line_hash)
            else:
                blank = line.decode("ascii", "replace").strip()
                self._skip_line(at, file, position, RejectReason.BLANK_LINE, blank)
        except MISSHAPEN as error:
            batch.lines.append((file, position, None, -1))
            batch.others.append((at, "reject", "line", 1, _explain(error), _cut_sample(line), *UNREAD))

    def _add_entity(self, entity: Any, at: int, file: str, position: str, line_hash: int) -> None:
        if not isinstance(entity, dict):
            raise Malformed(RejectReason.NOT_AN_OBJECT)
        if "redirect" in entity:
            self._add_redirect(entity, at, file, position)
            return
        written, kind = entity["id"], _read_type(entity)
        if kind != "item":
            self._skip_line(at, file, position, RejectReason.OUT_OF_SCOPE.with_detail(kind=kind), written)
            return
        item = parse_item_id(written)
        if "missing" in entity:
            raise Malformed(RejectReason.MARKED_AS_MISSING)
        claims, revision = _read_claims(entity), _read_revision(entity)
        labels, sitelinks = entity.get("labels"), entity.get("sitelinks")
        label = _read_text(labels, "en", "value")
        row = (
            at,
            label if label is not None else _read_text(labels, "mul", "value"),
            _read_aliases(entity.get("aliases")),
            _read_text(entity.get("descriptions"), "en", "value"),
            _read_text(sitelinks, "enwiki", "title"),
            len(sitelinks) if sitelinks else None,
            sum(map(len, claims.values())),
            line_hash,
        )
        self.batch.lines.append((file, position, item, revision))
        self._add_statements(claims, at, written)
        self.batch.entities.append(row)

    def _add_redirect(self, entity: dict[str, Any], at: int, file: str, position: str) -> None:
        source = entity["entity"]
        if isinstance(source, str) and source[:1] in ("P", "L", "M"):
            reason = RejectReason.REDIRECT_OUT_OF_SCOPE.with_detail(kind=_TYPES[source[0]])
            self._skip_line(at, file, position, reason, source)
            return
        item, target = parse_item_id(source), parse_item_id(entity["redirect"])
        self.batch.lines.append((file, position, item, -1))
        self.batch.redirects.append((at, target))

    def _skip_line(self, at: int, file: str, position: str, reason: str, sample: str) -> None:
        self.batch.lines.append((file, position, None, -1))
        self.batch.others.append((at, "skipped", "line", 1, reason, sample[:SAMPLE], *UNREAD))

    def _add_statements(self, claims: dict[str, list[Any]], at: int, written: str) -> None:
        """Add all statements of one entity."""
        others = self.batch.others
        skipped: dict[str, list[Any]] = {}
        seen: set[str] = set()
        prefix = f"{written}$"
        for name, group in claims.items():
            for number, claim in enumerate(group, 1):
                try:
                    self._add_statement(claim, name, at, prefix, seen, skipped)
                    continue
                except MISSHAPEN as error:
                    reason = _explain(error)
                sample, row = _cut_claim(claim), self._describe_rejected(claim, name)
                if row[0] is None or row[0] in seen or not _is_own(row[0], prefix):
                    row = (f"{prefix}{UNREADABLE}-{name}-{number}", *row[1:])
                seen.add(row[0])
                others.append((at, "reject", "statement", 1, reason, sample, *row))
        for datatype, (count, example) in skipped.items():
            reason = RejectReason.DATATYPE_OUT_OF_SCOPE.with_detail(datatype=datatype)
            others.append((at, "skipped", "statement", count, reason, example, *UNREAD))

    def _add_statement(
        self, claim: Any, name: str, at: int, prefix: str, seen: set[str], skipped: dict[str, list[Any]]
    ) -> None:
        """Add one statement, or count it as skipped."""
        snak = claim["mainsnak"]
        datatype = snak.get("datatype")
        if type(datatype) is not str:
            datatype = derive_datatype(snak)
        if datatype in self._skip:
            counted = skipped.setdefault(datatype, [0, str(claim.get("id"))[:SAMPLE]])
            counted[0] += 1
            return
        identity, rank, snak_type = claim["id"], claim["rank"], snak["snaktype"]
        if identity in seen:
            raise Malformed(RejectReason.REPEATED_STATEMENT)
        # The id names its entity (its letter in either case), hence ids are unique over entities too.
        if not _is_own(identity, prefix):
            raise Malformed(RejectReason.FOREIGN_STATEMENT)
        if rank not in RANKS:
            raise Malformed(RejectReason.BAD_RANK)
        row: Row = (at, identity, self._properties[name], rank, snak_type, datatype)
        kind = NONE
        if snak_type == "value":
            kind, value = self._values.read(snak["datavalue"])
            row += value
        elif snak_type not in SNAK_TYPES:
            raise Malformed(RejectReason.BAD_SNAK_TYPE)
        stated = read_qualifiers(claim.get("qualifiers"))
        if snak_type == "value":
            row = _mark_hedged(row, kind, stated)
        self.batch.statements[kind + QUALIFIED if stated else kind].append(row + stated)
        seen.add(identity)

    def _describe_rejected(self, claim: Any, name: str) -> tuple[Any, ...]:
        """Read of a rejected statement what can be read: from statement_id to value_text in the columns of OTHER.

        It still counts for the best rank and for how many values there are. Of an unknown rank it may be the best.
        """
        stated = claim if isinstance(claim, dict) else {}
        identity, rank = stated.get("id"), stated.get("rank")
        snak = stated.get("mainsnak")
        try:
            datatype = derive_datatype(snak)
        except (Malformed, *MISSHAPEN):
            datatype = "unknown"
        try:
            kind, value = self._values.read(snak["datavalue"]) if isinstance(snak, dict) else (NONE, ())
        except (Malformed, *MISSHAPEN):
            kind, value = NONE, ()
        item = value[0] if kind == ITEM else None
        return (
            identity if isinstance(identity, str) else None,
            find_property(name),
            rank if isinstance(rank, str) and rank in RANKS else "preferred",
            UNREADABLE,
            datatype,
            item,
            find_text(snak) if item is None else None,
        )


class _Properties(dict[str, int]):
    """The number of each property id that was read."""

    def __missing__(self, name: str) -> int:
        number = find_property(name)
        if number is None:
            raise Malformed(RejectReason.BAD_PROPERTY)
        self[name] = number
        return number


_ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def parse_line(text: bytes) -> Any:
    """Parse the JSON value of a line.

    Raises:
        Malformed: It is not one; the reason says why, without the position.
    """
    try:
        entity = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if b"\0" in text:
            raise Malformed(RejectReason.NUL_CHARACTER) from None
        try:
            text.decode()
        except UnicodeDecodeError:
            raise Malformed(RejectReason.NOT_UTF_8) from None
        raise Malformed(RejectReason.NOT_JSON.with_detail(error=error.msg)) from None
    if b"\\u0000" in text and _ESCAPED_NUL.search(text):
        raise Malformed(RejectReason.NUL_CHARACTER)
    return entity


def _explain(error: Exception) -> str:
    """Explain why input is rejected: it breaks a rule, lacks a field or is not of Wikibase's shape."""
    if isinstance(error, Malformed):
        return str(error)
    if isinstance(error, KeyError):
        return RejectReason.MISSING_FIELD.with_detail(field=error.args[0])
    return RejectReason.WRONG_TYPE


def _is_own(identity: str, prefix: str) -> bool:
    """Whether a statement's id names its entity, the letter in either case."""
    return identity.startswith(prefix) or identity.upper().startswith(prefix)


def _mark_hedged(row: Row, kind: int, stated: tuple[Any, ...]) -> Row:
    """Mark the value of a statement as hedged, where a qualifier or a time itself says so.

    A time's `before` and `after` say between which days it is; what a qualifier hedges may be on any day.
    """
    is_hedged = stated and stated[-1]
    if kind == TIME and is_hedged:
        return (*row[:4], HEDGED, *row[5:7], None, None, *row[9:])
    if is_hedged or (kind == TIME and (row[-2] or row[-1])):
        return (*row[:4], HEDGED, *row[5:])
    return row


def _read_type(entity: dict[str, Any]) -> str:
    """Read what an entity is; dumps of 2014 do not state it."""
    written = entity["id"]
    kind = entity.get("type") or _TYPES.get(str(written)[:1])
    if not isinstance(written, str) or not isinstance(kind, str) or not _TYPE.fullmatch(kind):
        raise Malformed(RejectReason.NO_ENTITY_NAMED)
    return kind


def _read_revision(entity: dict[str, Any]) -> int:
    """Read the number of the revision; -1 without one."""
    revision = entity.get("lastrevid", -1)
    if type(revision) is not int or not -1 <= revision < 2**63:
        raise Malformed(RejectReason.BAD_REVISION)
    return revision


def _read_claims(entity: dict[str, Any]) -> dict[str, list[Any]]:
    """Read the statements by property; dumps of 2014 write [] for none."""
    claims = entity.get("claims") or {}
    if not isinstance(claims, dict) or {*map(type, claims.values())} - {list}:
        raise Malformed(RejectReason.BAD_CLAIMS)
    return claims


def _read_text(texts: Any, key: str, field: str) -> str | None:
    """Read `texts[key][field]`; None without such a key; an empty mapping may be written as []."""
    entry = texts.get(key) if texts else None
    if entry is None:
        return None
    text = entry[field]
    if not isinstance(text, str):
        raise Malformed(RejectReason.NOT_TEXT.with_detail(field=f"{field} of {key}"))
    return text


def _read_aliases(aliases: Any) -> list[str]:
    """Read the English aliases, then those for all languages (mul), each once; an empty mapping may be written as [].

    Raises:
        Malformed: One of them is not a text.
    """
    if not aliases:
        return []
    read: list[str] = []
    for key in ("en", "mul"):
        texts = [alias["value"] for alias in aliases.get(key, ())]
        if {*map(type, texts)} - {str}:
            raise Malformed(RejectReason.NOT_TEXT.with_detail(field=f"alias of {key}"))
        read += texts
    return list(dict.fromkeys(read))


def _cut_claim(claim: Any) -> str:
    """Cut the JSON of a rejected statement to a sample."""
    try:
        text = orjson.dumps(claim)
    except orjson.JSONEncodeError:  # nested deeper than it writes, though not than it reads
        text = str(claim.get("id") if isinstance(claim, dict) else None).encode()
    return _cut_sample(text)


def _cut_sample(line: bytes) -> str:
    # Four bytes a character at most.
    return line[: SAMPLE * 4].decode("utf-8", "replace")[:SAMPLE]
