from __future__ import annotations

from itertools import product

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from everwhen.families.complextempqa.template import load_templates
from everwhen.language.lint import LITTLE_WORDS, find_lint_error, tokenize
from everwhen.language.lint_arrow import LabelMatches, find_edge_words, find_leaked_names, may_be_around, may_fail

WORDS = st.lists(st.sampled_from(["the", "Film", "of", "Day", "or", "x"]), max_size=4).map(" ".join)


@given(labels=st.lists(WORDS, max_size=5), texts=st.lists(WORDS, min_size=1, max_size=5))
def test_a_text_holds_a_label_in_whole_words(labels: list[str], texts: list[str]) -> None:
    actual = LabelMatches(labels, texts)
    for number, label in enumerate(labels):
        found = actual.match(np.full(len(texts), number), np.arange(len(texts)))
        expected = [label != "" and tokenize(label) in tokenize(text) for text in texts]
        assert found.tolist() == expected


@given(
    label=WORDS.filter(bool),
    names=st.lists(WORDS.filter(bool), min_size=2, max_size=3),
    pieces=st.lists(WORDS.filter(bool), min_size=4, max_size=4),
)
def test_a_label_is_in_a_name_or_may_be_around_them(label: str, names: list[str], pieces: list[str]) -> None:
    around = pieces[: len(names) + 1]
    question = " ".join(part for both in zip(around, [*names, ""], strict=True) for part in both)
    if tokenize(label) in tokenize(question):
        actual = LabelMatches([label], names).match(np.zeros(len(names), dtype=np.int64), np.arange(len(names)))
        assert actual.any() or may_be_around([label], [around])[0]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("Which film", True),  # within
        ("or", True),
        ("was it Speed", True),  # begins around a name
        ("Speed or", True),  # ends around it
        ("Speed or the Night", True),  # holds all that is between
        ("Speed", False),
        ("The Film", False),
        ("or film", True),
        ("???", False),
    ],
)
def test_a_label_may_be_around_names(label: str, expected: bool) -> None:
    around = [["Which film was it: ", " or ", "?"], ["", ", ", "?"]]
    assert may_be_around([label], around).tolist() == [expected]


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "X ", " X", "a  b", "It ()", "It (", "It ( x)", ", x", ")", "?", "Help!", "What?", "Wait !", '""X'),
        *("the the X", "The The", "by\u00a0By x", "Le a", "Cha-cha-a", "Tu an", "a apple", "an union x", "a Ab, a ebb"),
        *("the day after", "a longer way", "Yes", "No. 5", "Say no", "No_1", "élan", "the war"),
    ],
)
def test_a_name_that_may_cause_an_error_is_suspect(name: str) -> None:
    # "élan" and "the war" begin as a question does, with a capital that is put there.
    assert may_fail(name, last=True) == (name not in ("élan", "the war", "an union x"))


@pytest.mark.parametrize(
    "name", ["X", "Forrest Gump", "Before Sunrise", ".hack", "(500) Days", "A", "Vitamin A", "Nope", "U.S. v. Y", "7"]
)
def test_most_names_are_above_suspicion(name: str) -> None:
    assert may_fail(name, last=True) == (name == ".hack"), "what begins with a point may begin a question"


@pytest.mark.parametrize("name", ["Help!", "What?", "the War!"])
def test_a_mark_at_the_end_of_a_name_is_suspect_only_where_it_is_the_last(name: str) -> None:
    assert (may_fail(name, last=True), may_fail(name, last=False)) == (True, False)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("In Bruges", ("in", "")),
        ("In, Out", ("in", "")),
        ("in-law", ("", "")),
        ("the's", ("", "")),
        (" or the ", ("", "the")),
        ("What is this (the", ("", "the")),
        ("the", ("the", "the")),
        ("by-the", ("", "")),
        ("Theresa and Ana", ("", "")),
        ("", ("", "")),
        (" , ", ("", "")),
    ],
)
def test_little_words_at_the_edges(text: str, words: tuple[str, str]) -> None:
    assert find_edge_words(text) == tuple(LITTLE_WORDS.index(word) + 1 if word else 0 for word in words)


def test_no_wording_puts_an_article_before_a_name() -> None:
    """Whether it would be "a" or "an" hangs on the name, which neither `suspect` nor `edges` looks at."""
    for template in load_templates():
        for wording in range(len(template.questions)):
            pieces, order = template.split_wording(wording)
            slots = [list(template.slots.values())[place] for place in order]
            for before, slot in zip(pieces, slots, strict=False):
                assert slot.text or not before.endswith((" a ", " an "))


# Names that bring every fault there is, and some that bring none.
PIECES = [
    *LITTLE_WORDS,
    *("The", "A", "An", "IN", "X", "Ann", "apple", "bee", "hour", "union", "élan", "ıs", "x", "1", "²", "'s"),
    *("before", "After", "longest", "highest point", "yes", "No", "no", "not", "None", "Q7"),
    *(".", ",", "?", "!", ":", ";", "(", ")", "()", '"', "'", "’", "“", "-", "_", "/", "&"),
]
GAPS = ["", " ", " ", " ", "  ", "\u00a0"]


@st.composite
def names(draw: st.DrawFn) -> str:
    """A few pieces, with or without a space between them."""
    words = draw(st.lists(st.sampled_from(PIECES), max_size=5))
    return "".join(f"{draw(st.sampled_from(GAPS)) if place else ''}{word}" for place, word in enumerate(words))


# What stands before and after a name: a question's beginning, little words, other words, a comma.
BEFORE = ["", "Is ", "Which came first, ", "Was it before ", "Was the film ", "Who was at ", "Which is longer, X or "]
AFTER = ["?", " or X?", ", or X?", " the way?", " older than X?", " was?", "'s end, by X?", " a?", " in X?", " at X?"]


def bordered(before: str, name: str, after: str) -> bool:
    """Whether the little word at an edge of the name stands beside it too."""
    first, last = find_edge_words(name)
    return (first and first == find_edge_words(before)[1]) or (last and last == find_edge_words(after)[0])


@given(name=names(), last=st.booleans())
@example(name="beforehighest point", last=True)
@settings(max_examples=1500, deadline=None)
def test_what_is_not_suspect_causes_no_error(name: str, last: bool) -> None:
    if may_fail(name, last=last):
        return
    behind = [after for after in AFTER if last or after != "?"]
    for before, after, (answer, choice) in product(BEFORE, behind, [("yes", False), ("no", False), (name, True)]):

        def asked(it: str, before: str = before, after: str = after) -> str:
            text = f"{before}{it}{after}"
            return text[:1].upper() + text[1:]

        plain = find_lint_error(asked("X"), [answer], choice=choice, comparison=True)
        found = find_lint_error(asked(name), [answer], choice=choice, comparison=True)
        if answer not in ("None", "Q7") and plain is None and not bordered(before, name, after):
            assert found is None, asked(name)


@given(st.lists(st.tuples(st.text("aB É-?'ß1İ", max_size=9), st.none() | st.text("aBÉ -'ß1İ", max_size=3)), max_size=5))
def test_many_questions_are_asked_for_a_name_at_once(rows: list[tuple[str, str | None]]) -> None:
    questions, names = pa.array([q for q, _ in rows], pa.string()), pa.array([n for _, n in rows], pa.string())
    hints = [
        number
        for number, (question, name) in enumerate(rows)
        if name is not None and tokenize(name) != "  " and tokenize(name) in tokenize(question)
    ]
    assert find_leaked_names(questions, names) == hints
