from __future__ import annotations

from pipeline.validate.lint import lint, lint_counts

SCHEMA = "question string, answer array<string>, choice boolean, type string"
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
    (None, None, False, None),
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
    ("Does the country of A have a higher highest point than that of B?", "2a", None),
    ("Does the country of A have a lower lowest point than that of B?", "2a", None),
    ("Did A have a higher lowest atmospheric pressure than B?", "2a", None),
    ("Which had the lowest lowest atmospheric pressure, A, B, or the highest C?", "2a", COMPARISON),
]


def test_each_fault_is_named(spark):
    rows = [(question, answer, choice, "1b") for question, answer, choice, _ in CASES]
    rows += [(question, ["A"], True, type_) for question, type_, _ in COMPARED]
    found = [tuple(r) for r in lint(spark.createDataFrame(rows, SCHEMA)).collect()]
    expected = [(*row, fault) for row, (*_, fault) in zip(rows, [*CASES, *COMPARED], strict=True)]
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_faults_are_counted_with_examples(spark):
    cases = [(f"Who was king in {year}?", ["king"], False, "1b") for year in range(1990, 2002)]
    (row,) = lint_counts(lint(spark.createDataFrame(cases, SCHEMA))).collect()
    assert (row["lint"], row["questions"]) == (ANSWER, 12)
    assert row["examples"] == [f"Who was king in {year}?" for year in range(1990, 2000)]
