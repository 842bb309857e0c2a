"""What many comparisons say alike: everything but the things that are compared, and which of them is the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass

from everwhen.core.errors import InputError
from everwhen.families.complextempqa.template import Template

SIDE = re.compile(r"([abc])\.entity")
"""What an entity slot of a comparison names: the first, second or third thing."""


@dataclass(frozen=True)
class Frame:
    """What many comparisons say alike.

    Attributes:
        number: Its number.
        template: Place of its template among those of comparisons.
        unnamed: Whether things are described in it.
        split: The split of its things.
        texts: The text of each slot, in slot order; None for an entity.
        property: The property that is compared.
        hops: The properties passed on the way.
    """

    number: int
    template: int
    unnamed: bool
    split: str
    texts: tuple[str | None, ...]
    property: int | None
    hops: tuple[int, ...]


def sides(template: Template) -> list[int | None]:
    """Which thing each slot of a comparison names, by place; None for a text.

    Raises:
        InputError: An entity slot names something else.
    """
    found: list[int | None] = []
    for name, slot in template.slots.items():
        if slot.entity is None:
            found.append(None)
            continue
        match = SIDE.fullmatch(slot.entity.strip())
        if match is None:
            raise InputError(f"template {template.id}: slots.{name}: a comparison names a.entity, b.entity or c.entity")
        found.append("abc".index(match[1]))
    return found
