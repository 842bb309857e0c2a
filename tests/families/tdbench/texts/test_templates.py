"""Every template says of start and end what its relation means: read by words of its own, and compared with a table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from everwhen.families.tdbench.texts.templates import CompiledTemplate, compile_templates
from tdbench_words import BY_NAME, DECLARATIONS, SCOPES

BY_ID = {scope.scope_id: scope for scope in SCOPES}
CUPS = BY_ID["leaders/cups join"].join
"""Events whose ends are handed over, which tables with last days are also asked about."""

ASKED = [
    *SCOPES,
    *(replace(BY_ID[f"{name}/1"], scope_id=f"{name}/cups join", kind="join", join=CUPS) for name in ("laws", "stays")),
]
TEMPLATES = [each for each in compile_templates(ASKED, DECLARATIONS) if each.form.startswith(("times/", "event/"))]

Said = tuple[str, str, str, int]
"""An endpoint of the row, how it is compared, with which end of the interval, and so many units away from it."""

MEANINGS = {
    "before": "end < b_start",
    "after": "start > b_end",
    "meets": "end = b_start",
    "met_by": "start = b_end",
    "overlaps": "start < b_start, end > b_start, end < b_end",
    "overlapped_by": "start > b_start, start < b_end, end > b_end",
    "equals": "start = b_start, end = b_end",
    "during": "start > b_start, end < b_end",
    "contains": "start < b_start, end > b_end",
    "starts": "start = b_start, end < b_end",
    "started_by": "start = b_start, end > b_end",
    "finishes": "start > b_start, end = b_end",
    "finished_by": "start < b_start, end = b_end",
    "started_by/short": "start = b_start",
    "finished_by/short": "end = b_end",
}
OF_POINTS = {
    "before": "point < b_start",
    "after": "point > b_end",
    "starts": "point = b_start",
    "finishes": "point = b_end",
    "during": "point > b_start, point < b_end",
}

POINT = r"(?:(?:the )?<unit_which> )?(?:<(b_start|b_end)(_stated)?>|EV (began|ended))"
WORDS = re.compile(
    r"\b(?P<start>became|become|began|join)\b|\b(?P<end>stopped|stop|left|leave|ended)\b"
    r"|\b(?P<lasts>lasted|still|remain|continued)\b"
    rf"|(?:(?P<exact>exactly )?(?:more than )?(?P<one>one <unit> )?(?P<offset>exactly <offset(?:_half)?> )?"
    rf"(?P<side>before|after|beyond|no later than|no earlier than|at least until) |<on_unit_which> ){POINT}"
    r"|<on:(b_start|b_end)(_stated)?>",
    re.IGNORECASE,
)
SIGNS = {
    "before": "<",
    "after": ">",
    "beyond": ">",
    "no later than": "<",
    "no earlier than": ">",
    "at least until": ">",
}
AWAY = {"no later than": 1, "no earlier than": -1, "at least until": -1}
"""No later than May is before June."""


def write_text(template: CompiledTemplate) -> str:
    """The sentence with its slots in brackets, its event as EV."""
    text, event = (
        "".join(piece if place % 2 == 0 else f"<{piece}>" for place, piece in enumerate(pieces))
        for pieces in (template.pieces, template.event)
    )
    text = text.replace(event, "EV").replace("the event", "EV") if event else text
    return re.sub(r"<(?:given|ordinal):\w+>", "…", text)


def read(text: str, *, is_point: bool) -> Iterator[Said]:
    endpoint, lasts = "point", False
    for match in WORDS.finditer(text):
        if cue := match.lastgroup if match.lastgroup in ("start", "end", "lasts") else None:
            assert not is_point, text
            endpoint, lasts = ("end", True) if cue == "lasts" else (cue, False)
            continue
        groups = match.groups()
        slot, stated, event, on, on_stated = groups[-5:]
        at = slot or on or {"began": "b_start", "ended": "b_end"}[event]
        side = (match["side"] or "").lower()
        sign = "=" if not side or match["exact"] or match["offset"] else SIGNS[side]
        away = AWAY.get(side, 0) - bool(stated or on_stated)
        if match["one"]:
            away += -1 if side == "before" else 1
        if lasts and sign == "=":  # still so on that day: what ends, ends later
            sign, away = ">", away - 1
        if match["offset"]:
            at = "b_start" if side == "before" else "b_end"
        yield endpoint, sign, at, away


@pytest.mark.parametrize("scope_id", sorted({template.scope_id for template in TEMPLATES}))
def test_a_template_says_what_its_relation_means(scope_id: str) -> None:
    scope = next(scope for scope in ASKED if scope.scope_id == scope_id)
    time = BY_NAME[scope.declaration].time
    is_event_inclusive = scope.join is not None and BY_NAME[scope.join.other].time.is_inclusive
    for template in (each for each in TEMPLATES if each.scope_id == scope_id):
        kind, _, rest = template.form.partition("/")
        relation = rest.removeprefix("day/").removeprefix("unit/") if kind == "event" else rest
        meaning = (MEANINGS if time.end else OF_POINTS)[relation]
        wanted = []
        for endpoint, sign, at in (each.split(" ") for each in meaning.split(", ")):
            lag = int(time.is_inclusive and endpoint == "end")
            of_event = int(kind == "event" and is_event_inclusive and at == "b_end")
            wanted.append((endpoint, sign, at, of_event - lag))
        text = write_text(template)
        assert list(read(text, is_point=time.end is None)) == wanted, text
        is_bounded = relation == "after" and time.as_of is not None
        assert ("and up to <as_of>" in text) == is_bounded, text
