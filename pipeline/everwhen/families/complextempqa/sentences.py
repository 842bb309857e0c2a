"""Sentences from the pieces of a wording, many at a time."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc


def join_pieces(pieces: Sequence[str], slots: Sequence[pa.Array | str]) -> pa.Array:
    """Join pieces with the texts of slots between them; the first letter becomes a capital.

    Texts are concatenated and never scanned for slots: a label may contain braces.

    Args:
        pieces: One more than slots.
        slots: A text each, or an array of one text a row; at least one array.
    """
    parts: list[pa.Array | str] = []
    for part in (part for both in zip(pieces, [*slots, ""], strict=True) for part in both):
        # Texts that are the same in all rows are put together before they are repeated.
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += part
        elif not isinstance(part, str) or part:
            parts.append(part)
    first = parts[0]
    if isinstance(first, str):
        parts[0] = first[:1].upper() + first[1:]
    else:
        parts[0:1] = [pc.utf8_upper(pc.utf8_slice_codeunits(first, 0, 1)), pc.utf8_slice_codeunits(first, 1)]
    return pc.binary_join_element_wise(*(pa.scalar(p) if isinstance(p, str) else p for p in parts), "")
