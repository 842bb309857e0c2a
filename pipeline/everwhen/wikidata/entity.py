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
from everwhen.wikidata.columns import NONE, QUALIFIED, Batch, Row
from everwhen.wikidata.malformed import Malformed
from everwhen.wikidata.properties import Property
from everwhen.wikidata.snaks import (
    SNAK_TYPES,
    ValueReader,
    derive_datatype,
    parse_item_id,
    read_qualifier_ordinal,
    read_qualifier_time,
)

DATING = tuple(p.pid for p in (Property.START_TIME, Property.END_TIME, Property.POINT_IN_TIME))
"""Start time, end time and point in time, in the order of the columns of that name."""
ORDINAL = Property.SERIES_ORDINAL.pid
QUALIFIERS = frozenset({*DATING, ORDINAL})
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
_ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
_MISSHAPEN = (TypeError, AttributeError, ValueError, IndexError)


class EntityReader:
    """Reads dump lines into a batch."""

    def __init__(self, skip_datatypes: Collection[str], units: Mapping[int, tuple[int, Decimal]]) -> None:
        """Take the datatypes whose statements are left out, and the known units (see `QuantityReader`)."""
        self._skip = frozenset(skip_datatypes)
        self._values = ValueReader(units)
        self._properties: dict[str, int] = {}
        self.batch = Batch()

    def read(self, line: bytes, file: str, position: str, line_hash: int) -> None:
        """Add the rows of one line to the batch; a line that cannot be read becomes a reject row."""
        batch = self.batch
        at = len(batch.lines)
        text = line.strip(AROUND)
        try:
            if len(text) > MAX_LINE:
                raise Malformed(RejectReason.LINE_TOO_LONG.with_detail(limit=f"{MAX_LINE:,}"))
            if not text:
                batch.lines.append((file, position, None, -1))
                self._skip_line(at, RejectReason.BLANK_LINE, line.decode("ascii", "replace").strip())
                return
            self._add_entity(_parse(text), at, file, position, line_hash)
        except Malformed as error:
            reason = str(error)
        except KeyError as error:
            reason = RejectReason.MISSING_FIELD.with_detail(field=error.args[0])
        except _MISSHAPEN:
            reason = RejectReason.WRONG_TYPE
        else:
            return
        batch.lines.append((file, position, None, -1))
        batch.others.append((at, "reject", "line", 1, reason, _cut_sample(line), None, None))

    def _add_entity(self, entity: Any, at: int, file: str, position: str, line_hash: int) -> None:
        if not isinstance(entity, dict):
            raise Malformed(RejectReason.NOT_AN_OBJECT)
        if "redirect" in entity:
            self._add_redirect(entity, at, file, position)
            return
        written = entity["id"]
        kind = entity.get("type") or _TYPES.get(str(written)[:1])
        if not isinstance(written, str) or not isinstance(kind, str) or not _TYPE.fullmatch(kind):
            raise Malformed(RejectReason.NO_ENTITY_NAMED)
        if kind != "item":
            self.batch.lines.append((file, position, None, -1))
            self._skip_line(at, RejectReason.OUT_OF_SCOPE.with_detail(kind=kind), written)
            return
        item = parse_item_id(written)
        if "missing" in entity:
            raise Malformed(RejectReason.MARKED_AS_MISSING)
        claims = _read_claims(entity)
        revision = entity.get("lastrevid", -1)
        if type(revision) is not int or not -1 <= revision < 2**63:
            raise Malformed(RejectReason.BAD_REVISION)
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
            self.batch.lines.append((file, position, None, -1))
            reason = RejectReason.REDIRECT_OUT_OF_SCOPE.with_detail(kind=_TYPES[source[0]])
            self._skip_line(at, reason, source)
            return
        item, target = parse_item_id(source), parse_item_id(entity["redirect"])
        self.batch.lines.append((file, position, item, -1))
        self.batch.redirects.append((at, target))

    def _skip_line(self, at: int, reason: str, sample: str) -> None:
        self.batch.others.append((at, "skipped", "line", 1, reason, sample[:SAMPLE], None, None))

    def _add_statements(self, claims: dict[str, list[Any]], at: int, written: str) -> None:
        """Add all statements of one entity."""
        others = self.batch.others
        skipped: dict[str, list[Any]] = {}
        seen: set[str] = set()
        prefix = f"{written}$"
        for name, group in claims.items():
            for claim in group:
                try:
                    self._add_statement(claim, name, at, prefix, seen, skipped)
                    continue
                except Malformed as error:
                    reason = str(error)
                except KeyError as error:
                    reason = RejectReason.MISSING_FIELD.with_detail(field=error.args[0])
                except _MISSHAPEN:
                    reason = RejectReason.WRONG_TYPE
                others.append((at, "reject", "statement", 1, reason, *self._describe_rejected(claim, name)))
        for datatype, (count, example) in skipped.items():
            reason = RejectReason.DATATYPE_OUT_OF_SCOPE.with_detail(datatype=datatype)
            others.append((at, "skipped", "statement", count, reason, example, None, None))

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
        if not identity.startswith(prefix) and not identity.upper().startswith(prefix):
            raise Malformed(RejectReason.FOREIGN_STATEMENT)
        if rank not in RANKS:
            raise Malformed(RejectReason.BAD_RANK)
        number = self._properties.get(name) or self._parse_property(name)
        row: Row = (at, identity, number, rank, snak_type, datatype)
        kind = NONE
        if snak_type == "value":
            kind, value = self._values.read(snak["datavalue"])
            row += value
        elif snak_type not in SNAK_TYPES:
            raise Malformed(RejectReason.BAD_SNAK_TYPE)
        if claim.get("qualifiers"):
            stated = _read_qualifiers(claim["qualifiers"])
            if stated:
                kind += QUALIFIED
                row += stated
        self.batch.statements[kind].append(row)
        seen.add(identity)

    def _describe_rejected(self, claim: Any, name: str) -> tuple[str, str | None, int | None]:
        """Sample, id and property of a rejected statement."""
        identity = claim.get("id") if isinstance(claim, dict) else None
        try:
            text = orjson.dumps(claim)
        except orjson.JSONEncodeError:  # nested deeper than it writes, though not than it reads
            text = str(identity).encode()
        return _cut_sample(text), identity if isinstance(identity, str) else None, self._properties.get(name)

    def _parse_property(self, name: str) -> int:
        if name[:1] != "P" or not (name.isascii() and name[1:].isdecimal()) or not 0 < int(name[1:]) < 2**31:
            raise Malformed(RejectReason.BAD_PROPERTY)
        return self._properties.setdefault(name, int(name[1:]))


def _parse(text: bytes) -> Any:
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
    """Read the English aliases, else those for all languages (mul); an empty mapping may be written as [].

    Raises:
        Malformed: One of them is not a text.
    """
    if not aliases:
        return []
    key = "en" if "en" in aliases else "mul"
    texts = [alias["value"] for alias in aliases.get(key, ())]
    if {*map(type, texts)} - {str}:
        raise Malformed(RejectReason.NOT_TEXT.with_detail(field=f"alias of {key}"))
    return texts


def _read_qualifiers(qualifiers: Any) -> tuple[Any, ...]:
    """Read the three dating qualifiers and the series ordinal, None for an absent one; empty where all are absent.

    Raises:
        Malformed: One of them is not a time; the reason names it.
    """
    if qualifiers.keys().isdisjoint(QUALIFIERS):
        return ()
    stated: list[Any] = []
    for name in DATING:
        try:
            stated.append(read_qualifier_time(qualifiers[name]) if name in qualifiers else None)
        except Malformed as error:
            raise Malformed(RejectReason.BAD_QUALIFIER.with_detail(property=name, reason=error)) from None
        except (KeyError, *_MISSHAPEN):
            raise Malformed(
                RejectReason.BAD_QUALIFIER.with_detail(property=name, reason=RejectReason.BAD_FIELD)
            ) from None
    return (*stated, read_qualifier_ordinal(qualifiers.get(ORDINAL)))


def _cut_sample(line: bytes) -> str:
    # Four bytes a character at most.
    return line[: SAMPLE * 4].decode("utf-8", "replace")[:SAMPLE]
