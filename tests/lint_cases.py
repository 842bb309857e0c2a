"""Questions and what the lint finds wrong with them."""

from __future__ import annotations

ANSWER = "the answer stands in the question"

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
