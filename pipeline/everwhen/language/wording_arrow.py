"""Choice of wordings, and their pieces joined to sentences, in Arrow and numpy (`everwhen.language.wording`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from everwhen.core.arrays import Ints, find_distinct
from everwhen.core.hash_chains import START, extend_hashes
from everwhen.core.hashing import MAX_ID
from everwhen.language.wording import capitalize


def choose_wordings(keys: Ints, template: Ints, numbers: Sequence[Sequence[int]]) -> Ints:
    """Choose the wording of each key: that of the least hash of key and number.

    A wording more so takes its share of the keys and changes no other.

    Args:
        keys: The keys.
        template: The position of each key's template.
        numbers: The numbers of each template's wordings, ascending, below 128.
    """
    found = np.zeros(len(keys), dtype=np.int8)
    for position in find_distinct(template)[0].tolist():
        wordings = np.array(numbers[position], dtype=np.int64)
        rows = np.flatnonzero(template == position)
        if len(wordings) == 1:
            found[rows] = wordings[0]
            continue
        begun = extend_hashes(np.uint64(START), keys[rows].astype(np.int64))
        hashes = np.stack([extend_hashes(begun, number) & np.uint64(MAX_ID) for number in wordings])
        found[rows] = wordings[np.argmin(hashes, axis=0)]
    return found


def join_pieces(texts: Sequence[str], slots: Sequence[pa.Array | str]) -> pa.Array:
    """Join the texts around slots with those that fill them; the first letter becomes a capital.

    Texts are concatenated and never scanned for slots: a label may contain braces.

    Args:
        texts: The texts around slots, one more than slots.
        slots: A text each, or an array of one text a row; at least one array.
    """
    parts = _merge_texts(texts, slots)
    first = parts[0]
    if isinstance(first, str):
        parts[0] = capitalize(first)
    else:
        parts[0:1] = [pc.utf8_upper(pc.utf8_slice_codeunits(first, 0, 1)), pc.utf8_slice_codeunits(first, 1)]
    return pc.binary_join_element_wise(*(pa.scalar(p) if isinstance(p, str) else p for p in parts), "")


def _merge_texts(texts: Sequence[str], slots: Sequence[pa.Array | str]) -> list[pa.Array | str]:
    """Merge texts that are the same in all rows, before they are repeated in each; empty ones are left out."""
    parts: list[pa.Array | str] = []
    for part in chain.from_iterable(zip(texts, [*slots, ""], strict=True)):
        if isinstance(part, str) and parts and isinstance(parts[-1], str):
            parts[-1] += part
        elif not isinstance(part, str) or part:
            parts.append(part)
    return parts
