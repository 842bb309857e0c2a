from __future__ import annotations

from itertools import product

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from everwhen.families.complextempqa.template import load_templates
from everwhen.language.lint import LITTLE_WORDS, find_edge_words, find_leaked_names, find_lint_error, may_fail, tokenize

ANSWER = "the answer stands in the question"
COMPARISON = "a name holds a word of comparison"

# Question, answer, whether it names the options, and the fault.
CASES = [
    ("When did the war start?", ["1990"], False, None),
    ("When did the the war start?", ["1990"], False, "doubled word"),
    ("Who came in in 1990?", ["x"], False, "doubled word"),
    ("Who sang in Duran Duran?", ["x"], False, None),
    ("Who was at the theatre?", ["x"], False, None),
    ("When  did it start?", ["1990"], False, "doubled space"),
    ("When did it start, then ?", ["1990"], False, "space before punctuation"),
    ("When did it , then, start?", ["1990"], False, "space before punctuation"),
    ("Who wrote Barn eller fjende??", ["x"], False, "doubled punctuation"),
    ("Who was in Help! first?", ["x"], False, None),
    ("Which was founded first, Pixar or Warner Bros.?", ["Pixar"], True, None),
    ("Who made .hack?", ["x"], False, None),
    ("Who made It ()?", ["x"], False, "empty parentheses"),
    ("When did it start", ["1990"], False, "no question mark at the end"),
    ("when did it start?", ["1990"], False, "no capital at the start"),
    ("Élysée: who lived there?", ["x"], False, None),
    ("Who wrote And Then There Were None?", ["x"], False, None),
    ("Who made it?", ["None"], False, "no value but None"),
    ("Who drives the Audi Q7?", ["x"], False, None),
    ("Who made it?", ["Q42"], False, "an id for an answer"),
    ("Did a earthquake come first?", ["yes"], False, "a before a vowel"),
    ("Did a university open?", ["yes"], False, None),
    ("Did a US ship sink?", ["yes"], False, None),
    ("Did an war start?", ["yes"], False, "an before a consonant"),
    ("Did an hour pass?", ["yes"], False, None),
    ("Did an FBI raid happen?", ["yes"], False, None),
    ("Which came first, option A or B?", ["B"], True, None),
    ("Which came first, option A or B?", ["B"], False, ANSWER),
    ("Who directed Saint-Étienne?", ["SAINT ÉTIENNE"], False, ANSWER),
    # The beginning of a word tells an answer of five letters and more.
    ("Who directed Parisian Life?", ["Paris"], False, ANSWER),
    ("Who directed the Malian film?", ["Mali"], False, None),
    ("Where did the South Korean election take place?", ["South Korea"], False, ANSWER),
    ("Where did the North Korean election take place?", ["South Korea"], False, None),
    ("Who directed Comparison?", ["Paris"], False, None),
    ("Who was king in 1990?", ["x", "1990"], False, ANSWER),
    ("Who was king?", ["!"], False, None),
]

# Comparisons, all with a choice and the answer "A".
COMPARED = [
    ("Was A released before B?", "2bc", None),
    ("Was the day after released before A?", "2bc", COMPARISON),
    ("Was the war before A before B?", "2ac", COMPARISON),
    ("Which was released first, the longest day or A?", "2bc", None),
    ("Which had the longer running time, the longest day or A?", "2b", COMPARISON),
    # A capital tells the name from the word.
    ("Was Before Sunrise released before A?", "2bc", None),
    # Words that only hold one.
    ("Was the aftermath released before A?", "2bc", None),
    ("Was the day after released before A?", "1bc", None),
    # What the measure itself is called.
    ("Which had the lowest lowest atmospheric pressure, A, B, or the highest C?", "2a", COMPARISON),
]


def of_type(question: str, answer: list[str], choice: bool, type_: str) -> str | None:
    return find_lint_error(question, answer, choice=choice, comparison=type_.startswith("2"))


@pytest.mark.parametrize(("question", "answer", "choice", "message"), CASES)
def test_each_error_is_named(question: str, answer: list[str], choice: bool, message: str | None) -> None:
    assert of_type(question, answer, choice, "1b") == message


@pytest.mark.parametrize(("question", "type_", "message"), COMPARED)
def test_words_of_comparison_belong_to_the_question_alone(question: str, type_: str, message: str | None) -> None:
    assert of_type(question, ["A"], True, type_) == message


def test_the_first_error_is_named() -> None:
    assert of_type("when  was it?", ["None"], False, "1b") == "no capital at the start"
    assert of_type("When  was it, None?", ["None"], False, "1b") == "doubled space"


def test_words_are_letters_marks_and_digits() -> None:
    assert tokenize("Saint-Étienne’s (2nd) _no_") == " saint étienne s 2nd no "
    assert tokenize("e\u0301 ½ x²") == " e\u0301 ½ x² "
    assert tokenize("?!") == tokenize("") == "  "


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
