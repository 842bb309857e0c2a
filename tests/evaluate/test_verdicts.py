"""Responses that try the scorer, with the verdicts that a person gives them.

The table was written before the scorer. `o` marks the answer that was right once.
"""

from __future__ import annotations

import pytest

from everwhen.evaluate.gold import GoldItem
from everwhen.evaluate.scoring import score

RIGHT, COARSE, WRONG, NONE, CUT, ONCE = "right", "coarse", "wrong", "none_given", "cut_off", "wrong o"


def name(
    question: str, answer: str, *accepted: str, options: tuple[str, ...] = (), once: tuple[str, ...] = ()
) -> GoldItem:
    return GoldItem(1, question, (answer,), (accepted,), "name", options=options, once=once)


def date(question: str, *answer: str) -> GoldItem:
    return GoldItem(1, question, answer, ((),) * len(answer), "date", is_ordered=len(answer) > 1)


def number(question: str, answer: str, unit: str | None = None) -> GoldItem:
    return GoldItem(1, question, (answer,), ((),), "number", unit=unit)


def yes_no(question: str, answer: str) -> GoldItem:
    return GoldItem(1, question, (answer,), ((),), "yes_no")


TWAIN = name("Who wrote the book Adventures of Huckleberry Finn?", "Mark Twain", "Samuel Clemens", "S. L. Clemens")
OBAMA = name(
    "Who was President of the United States in 2010?",
    "Barack Obama",
    "Barack Hussein Obama",
    once=("George W. Bush", "Bill Clinton", "Donald Trump"),
)
FIRST = name(
    "Who was born first, Mark Twain or Charles Dickens?",
    "Charles Dickens",
    options=("Mark Twain", "Charles Dickens"),
)
THREE = name(
    "Which came first, the 2006 FIFA World Cup, the Turin Olympics, or the 2000 Summer Olympics?",
    "2000 Summer Olympics",
    "the 2000 Summer Olympics",
    options=("the 2006 FIFA World Cup", "the Turin Olympics", "the 2000 Summer Olympics"),
)
BOSNIA = name(
    "Which country is smaller in area, Croatia or Bosnia and Herzegovina?",
    "Bosnia and Herzegovina",
    "Bosnia",
    options=("Croatia", "Bosnia and Herzegovina"),
)
ROME = name("Where did Michelangelo die?", "Rome", "Roma", "Rome, Italy")
WALESA = name("Who was President of Poland in 1993?", "Lech Wałęsa", once=("Wojciech Jaruzelski",))
JK = name("Who won the award in 2015?", "J. K. Simmons")
SEQUEL = name("Which film was released first, Die Hard or Die Hard 2?", "Die Hard", options=("Die Hard", "Die Hard 2"))
AFTER = name("Who succeeded Urho Kekkonen as President of Finland?", "Mauno Koivisto", once=("Urho Kekkonen",))
WHO = name("Which band recorded the song?", "The Who")

DAY = date("When was Amazon founded?", "1994-07-05")
MONTH = date("When did the miners' strike begin?", "1984-03")
YEAR = date("In what year was the book The Trial first published?", "1925")
NAMED_YEAR = date("On what date did the 1991 massacre in Dili take place?", "1991-11-12")
WINNER = date("When was the winner of the 2004 United States presidential election born?", "1946-07-06")
HELD = date(
    "When did Margaret Thatcher take and leave office as Prime Minister of the United Kingdom?",
    "1979-05-04",
    "1990-11-28",
)

DEAD = number("How many people died in the crash of Air France Flight 447?", "228")
PEAK = number("How many metres high is Doi Inthanon?", "2565", "metre")
AREA = number("How large is Chile in square kilometres?", "756950", "square kilometre")
LONG = number("How many minutes long is the film Avatar?", "162", "minute")
VOTES = number("How many votes were cast in the 1993 election?", "1234567")
QUAKE = number("What was the magnitude of the 2010 Haiti earthquake?", "7.1")
AGE = number("At what age did Margaret Thatcher die?", "87", "year")
TWICE = number("From 1990 to 2010, how many times did Clint Eastwood win the Academy Award for Best Director?", "2")
TWENTY = number("How many people won the Academy Award for Best Actress from 1990 to 2010?", "21")
WIND = number(
    "How fast, in miles per hour, were the strongest sustained winds of Hurricane Mitch?", "180", "mile per hour"
)

YES = yes_no("Is Nigeria larger in area than Mali?", "no")
DID = yes_no("Did the 1992 Summer Olympics take place in Spain?", "yes")

CASES: list[tuple[GoldItem, str | None, str]] = [
    # Names: form
    (TWAIN, "Mark Twain", RIGHT),
    (TWAIN, "mark twain", RIGHT),
    (TWAIN, "MARK TWAIN.", RIGHT),
    (TWAIN, "  Mark   Twain \n", RIGHT),
    (TWAIN, "**Mark Twain**", RIGHT),
    (TWAIN, '"Mark Twain"', RIGHT),
    (TWAIN, "Samuel Clemens", RIGHT),
    (TWAIN, "SL Clemens", RIGHT),
    (TWAIN, "\\boxed{Mark Twain}", RIGHT),
    (TWAIN, "Answer: Mark Twain", RIGHT),
    (TWAIN, "**Answer:** Mark Twain", RIGHT),
    (TWAIN, "Final answer: Mark Twain!", RIGHT),
    (TWAIN, "Answer: Charles Dickens\nNo, let me correct that.\nAnswer: Mark Twain", RIGHT),
    (TWAIN, "<think>Charles Dickens? No.</think>Mark Twain", RIGHT),
    (TWAIN, "It may be Charles Dickens.\n</think>\n\nMark Twain", RIGHT),
    (TWAIN, "<think>Answer: Mark Twain</think>Charles Dickens", WRONG),
    (TWAIN, "Mark Twain\n</think>\nCharles Dickens", WRONG),
    (TWAIN, "Answer: Mark Twain\n\nAnswer: Charles Dickens", WRONG),
    (TWAIN, "The answer is Mark Twain.", RIGHT),
    (TWAIN, "It was Mark Twain.", RIGHT),
    (TWAIN, "I think it was Mark Twain.", RIGHT),
    (TWAIN, "The book Adventures of Huckleberry Finn was written by Mark Twain.", RIGHT),
    (TWAIN, "Mark Twain wrote Adventures of Huckleberry Finn.", RIGHT),
    (TWAIN, "Mark Twain wrote the book in 1884.", RIGHT),
    (TWAIN, "Mark Twain (1835–1910)", RIGHT),
    (TWAIN, "Mark Twain (Samuel Clemens)", RIGHT),
    (TWAIN, "Mark Twain, the American writer and humorist.", RIGHT),
    (TWAIN, "Mark Twain. He was born in Florida, Missouri, and wrote many books.", RIGHT),
    (TWAIN, "Sure! The author is:\n\nMark Twain", RIGHT),
    (TWAIN, "I'm not sure, but I think it was Mark Twain.", RIGHT),
    # Names: not the answer
    (TWAIN, "Charles Dickens", WRONG),
    (TWAIN, "Twain Mark", WRONG),
    (TWAIN, "not Mark Twain", WRONG),
    (TWAIN, "Not Mark Twain.", WRONG),
    (TWAIN, "It was not Mark Twain.", WRONG),
    (TWAIN, "It wasn't Mark Twain", WRONG),
    (TWAIN, "It was never Mark Twain", WRONG),
    (TWAIN, "Anyone but Mark Twain", WRONG),
    (TWAIN, "Nobody called Mark Twain wrote the book", WRONG),
    (TWAIN, "Mark Twain did not write the book", WRONG),
    (TWAIN, "Charles Dickens. Mark Twain", WRONG),
    (TWAIN, "Charles Dickens, Mark Twain", WRONG),
    (TWAIN, "Charles Dickens Mark Twain", WRONG),
    (TWAIN, "Charles Dickens\nMark Twain", WRONG),
    (TWAIN, "Charles Dickens (Mark Twain)", WRONG),
    (TWAIN, "Charles Dickens; Mark Twain", WRONG),
    (TWAIN, "Charles Dickens / Mark Twain", WRONG),
    (TWAIN, "Mark Twain / Charles Dickens", WRONG),
    (TWAIN, "Mark Twain, Charles Dickens", WRONG),
    (TWAIN, "Mark Twain. Charles Dickens", WRONG),
    (TWAIN, "Mark Twain\nCharles Dickens", WRONG),
    (TWAIN, "Mark Twain or Charles Dickens", WRONG),
    (TWAIN, "Charles Dickens or Mark Twain", WRONG),
    (TWAIN, "Either Mark Twain or Charles Dickens", WRONG),
    (TWAIN, "Mark Twain and Charles Dickens", WRONG),
    (TWAIN, "Mark Twain. Wait, it was Charles Dickens.", WRONG),
    (TWAIN, "Mark Twain. Actually, Charles Dickens.", WRONG),
    (TWAIN, "Mark Twain's brother", WRONG),
    (TWAIN, "The son of Mark Twain", WRONG),
    (TWAIN, "Mark Twain Jr.", WRONG),
    (TWAIN, "I'm not sure, but I think it was Charles Dickens.", WRONG),
    (TWAIN, "Adventures of Huckleberry Finn", WRONG),
    (TWAIN, "Many people believe it was Mark Twain, but it was Charles Dickens.", WRONG),
    # Names: nothing given
    (TWAIN, None, NONE),
    (TWAIN, "", NONE),
    (TWAIN, "   \n", NONE),
    (TWAIN, "...", NONE),
    (TWAIN, "Answer:", NONE),
    (TWAIN, "I don't know.", NONE),
    (TWAIN, "I don’t know who wrote it.", NONE),
    (TWAIN, "I do not know the answer to this question.", NONE),
    (TWAIN, "Unknown", NONE),
    (TWAIN, "N/A", NONE),
    (TWAIN, "I'm sorry, but I can't help with that.", NONE),
    (TWAIN, "I am unable to determine the author.", NONE),
    (TWAIN, "I cannot answer this question.", NONE),
    (TWAIN, "Not sure", NONE),
    (TWAIN, "The context does not mention the author.", NONE),
    (TWAIN, "There is not enough information to answer.", NONE),
    (TWAIN, "As an AI language model, I cannot look that up.", NONE),
    (TWAIN, "I'm not sure if it was Mark Twain.", NONE),
    (TWAIN, "I don't know, but you could ask a librarian.", NONE),
    (TWAIN, "<think>It may be Mark Twain, but", CUT),
    # Names: right once
    (OBAMA, "Barack Obama", RIGHT),
    (OBAMA, "President Barack Obama", RIGHT),
    (OBAMA, "Barack Hussein Obama was President of the United States in 2010.", RIGHT),
    (OBAMA, "In 2010, Barack Obama was President of the United States.", RIGHT),
    (OBAMA, "Barack Obama. He succeeded George W. Bush in 2009.", RIGHT),
    (OBAMA, "Barack Obama, not George W. Bush", RIGHT),
    (OBAMA, "George W. Bush", ONCE),
    (OBAMA, "george w bush.", ONCE),
    (OBAMA, "The President of the United States was Bill Clinton.", ONCE),
    (OBAMA, "Joe Biden", WRONG),
    (OBAMA, "not George W. Bush", WRONG),
    (OBAMA, "George W. Bush, Barack Obama", WRONG),
    (OBAMA, "George W. Bush. Barack Obama", WRONG),
    (AFTER, "Mauno Koivisto", RIGHT),
    (AFTER, "Urho Kekkonen, Mauno Koivisto", WRONG),
    (AFTER, "Mauno Koivisto succeeded Urho Kekkonen as President of Finland.", RIGHT),
    (AFTER, "Urho Kekkonen was succeeded by Mauno Koivisto.", RIGHT),
    (AFTER, "Urho Kekkonen", ONCE),
    # Names: accents, initials, articles, places
    (WALESA, "Lech Wałęsa", RIGHT),
    (WALESA, "Lech Walesa", RIGHT),
    (WALESA, "Lech Wałe\u0328sa", RIGHT),
    (WALESA, "LECH WAŁĘSA", RIGHT),
    (WALESA, "Lech Kaczyński", WRONG),
    (JK, "J.K. Simmons", RIGHT),
    (JK, "JK Simmons", RIGHT),
    (JK, "J K Simmons", RIGHT),
    (JK, "Simmons", WRONG),
    (WHO, "The Who", RIGHT),
    (WHO, "Who", RIGHT),
    (WHO, "The Rolling Stones", WRONG),
    (ROME, "Rome, Italy", RIGHT),
    (ROME, "In Rome.", RIGHT),
    (ROME, "He died in Rome.", RIGHT),
    (ROME, "Michelangelo died in Rome on 18 February 1564.", RIGHT),
    (ROME, "Rome, New York", WRONG),
    (ROME, "Florence, Italy", WRONG),
    (ROME, "near Rome", WRONG),
    (ROME, "Florence, near Rome", WRONG),
    (ROME, "Jerome", WRONG),
    # Names: choices
    (FIRST, "Charles Dickens", RIGHT),
    (FIRST, "Charles Dickens was born first.", RIGHT),
    (FIRST, "Charles Dickens was born before Mark Twain.", RIGHT),
    (FIRST, "Charles Dickens, rather than Mark Twain", RIGHT),
    (FIRST, "Charles Dickens (1812) was born before Mark Twain (1835).", RIGHT),
    (FIRST, "Mark Twain", WRONG),
    (FIRST, "Mark Twain was born before Charles Dickens.", WRONG),
    (FIRST, "Charles Dickens or Mark Twain", WRONG),
    (FIRST, "Mark Twain or Charles Dickens", WRONG),
    (FIRST, "Mark Twain, Charles Dickens", WRONG),
    (FIRST, "Charles Dickens, Mark Twain", WRONG),
    (FIRST, "Charles Dickens and Mark Twain", WRONG),
    (FIRST, "Both", WRONG),
    (FIRST, "Neither Mark Twain nor Charles Dickens", WRONG),
    (FIRST, "Charles Dickens was born in 1812. Mark Twain was born in 1835. So Charles Dickens was born first.", RIGHT),
    (FIRST, "Charles Dickens was born in 1812. Mark Twain in 1810. Therefore, Mark Twain was born first.", WRONG),
    (THREE, "2000 Summer Olympics", RIGHT),
    (THREE, "The 2000 Summer Olympics came first.", RIGHT),
    (THREE, "The 2006 FIFA World Cup", WRONG),
    (THREE, "Summer Olympics", WRONG),
    (THREE, "2004 Summer Olympics", WRONG),
    (BOSNIA, "Bosnia and Herzegovina", RIGHT),
    (BOSNIA, "Bosnia & Herzegovina", RIGHT),
    (BOSNIA, "Bosnia", RIGHT),
    (BOSNIA, "Bosnia and Herzegovina is smaller in area than Croatia.", RIGHT),
    (BOSNIA, "Croatia and Bosnia and Herzegovina", WRONG),
    (BOSNIA, "Croatia", WRONG),
    (SEQUEL, "Die Hard", RIGHT),
    (SEQUEL, "Die Hard 2", WRONG),
    (SEQUEL, "Die Hard was released before Die Hard 2.", RIGHT),
    (SEQUEL, "Die Hard 2 was released before Die Hard.", WRONG),
    # Dates
    (DAY, "1994-07-05", RIGHT),
    (DAY, "5 July 1994", RIGHT),
    (DAY, "July 5, 1994", RIGHT),
    (DAY, "July 5th, 1994", RIGHT),
    (DAY, "5 Jul 1994", RIGHT),
    (DAY, "the 5th of July, 1994", RIGHT),
    (DAY, "1994/07/05", RIGHT),
    (DAY, "Tuesday, July 5, 1994.", RIGHT),
    (DAY, "Amazon was founded on July 5, 1994, by Jeff Bezos.", RIGHT),
    (DAY, "JULY 5 1994", RIGHT),
    (DAY, "1994 (July 5, 1994)", RIGHT),
    (DAY, "1994", COARSE),
    (DAY, "in 1994", COARSE),
    (DAY, "July 1994", COARSE),
    (DAY, "1994-07", COARSE),
    (DAY, "the 1990s", COARSE),
    (DAY, "early 1994", COARSE),
    (DAY, "between 1993 and 1995", COARSE),
    (DAY, "1993–1995", COARSE),
    (DAY, "05/07/1994", COARSE),
    (DAY, "1994-07-06", WRONG),
    (DAY, "July 6, 1994", WRONG),
    (DAY, "5 June 1994", WRONG),
    (DAY, "5 July 1995", WRONG),
    (DAY, "1995", WRONG),
    (DAY, "June 1994", WRONG),
    (DAY, "the 1980s", WRONG),
    (DAY, "07/25/1994", WRONG),
    (DAY, "not 5 July 1994", WRONG),
    (DAY, "5 July", WRONG),
    (DAY, "July 5, 1994 or July 5, 1995", WRONG),
    (DAY, "1995-07-05, 1994-07-05", WRONG),
    (DAY, "1994 or 1995", WRONG),
    (DAY, "after 1993", WRONG),
    (DAY, "before July 5, 1994", WRONG),
    (DAY, "Seattle", WRONG),
    (DAY, "30 February 1994", WRONG),
    (DAY, "I don't know", NONE),
    (DAY, "I don't know the exact date, but it was in 1994.", COARSE),
    (MONTH, "March 1984", RIGHT),
    (MONTH, "1984-03", RIGHT),
    (MONTH, "6 March 1984", RIGHT),
    (MONTH, "1984", COARSE),
    (MONTH, "April 1984", WRONG),
    (YEAR, "1925", RIGHT),
    (YEAR, "In 1925.", RIGHT),
    (YEAR, "26 April 1925", RIGHT),
    (YEAR, "1925 AD", RIGHT),
    (YEAR, "The 1920s", COARSE),
    (YEAR, "the 20th century", COARSE),
    (YEAR, "1924", WRONG),
    (YEAR, "19250", WRONG),
    (NAMED_YEAR, "12 November 1991", RIGHT),
    (NAMED_YEAR, "November 12", RIGHT),
    (NAMED_YEAR, "The 1991 massacre in Dili took place on 12 November.", RIGHT),
    (NAMED_YEAR, "1991", COARSE),
    (NAMED_YEAR, "13 November", WRONG),
    (WINNER, "July 6, 1946", RIGHT),
    (WINNER, "The winner of the 2004 election, George W. Bush, was born on July 6, 1946.", RIGHT),
    (WINNER, "2004", WRONG),
    (HELD, "1979-05-04 to 1990-11-28", RIGHT),
    (HELD, "From 4 May 1979 until 28 November 1990", RIGHT),
    (HELD, "She took office on May 4, 1979, and left on November 28, 1990.", RIGHT),
    (HELD, "1979–1990", COARSE),
    (HELD, "4 May 1979 – November 1990", COARSE),
    (HELD, "28 November 1990 and 4 May 1979", WRONG),
    (HELD, "4 May 1979", WRONG),
    (HELD, "1979–1991", WRONG),
    # Numbers
    (DEAD, "228", RIGHT),
    (DEAD, "228.", RIGHT),
    (DEAD, "228.0", RIGHT),
    (DEAD, "228 people", RIGHT),
    (DEAD, "228 people died in the crash of Air France Flight 447.", RIGHT),
    (DEAD, "All 228 people aboard died.", RIGHT),
    (DEAD, "two hundred and twenty-eight", RIGHT),
    (DEAD, "About 228", RIGHT),
    (DEAD, "2280", WRONG),
    (DEAD, "22", WRONG),
    (DEAD, "447", WRONG),
    (DEAD, "228 or 229", WRONG),
    (DEAD, "227, 228", WRONG),
    (DEAD, "between 200 and 228", WRONG),
    (DEAD, "not 228", WRONG),
    (DEAD, "more than 228", WRONG),
    (DEAD, "228 km", WRONG),
    (DEAD, "228%", WRONG),
    (DEAD, "-228", WRONG),
    (DEAD, "nobody knows", NONE),
    (PEAK, "2565", RIGHT),
    (PEAK, "2,565 m", RIGHT),
    (PEAK, "2 565 metres", RIGHT),
    (PEAK, "2,565 meters (8,415 ft)", RIGHT),
    (PEAK, "2.565 km", RIGHT),
    (PEAK, "2565 feet", WRONG),
    (PEAK, "8,415 ft", WRONG),
    (PEAK, "2565 km", WRONG),
    (PEAK, "2565 kg", WRONG),
    (PEAK, "2.565", WRONG),
    (AREA, "756,950 km²", RIGHT),
    (AREA, "756950 square kilometers", RIGHT),
    (AREA, "756,950 sq km", RIGHT),
    (AREA, "756,950 square miles", WRONG),
    (AREA, "756,950 km", WRONG),
    (AREA, "0.75695 million square kilometres", RIGHT),
    (LONG, "162 minutes", RIGHT),
    (LONG, "162 min", RIGHT),
    (LONG, "2 hours 42 minutes", RIGHT),
    (LONG, "2h 42m", RIGHT),
    (LONG, "2.7 hours", RIGHT),
    (LONG, "162 hours", WRONG),
    (LONG, "2 hours 41 minutes", WRONG),
    (VOTES, "1,234,567", RIGHT),
    (VOTES, "1234567 votes", RIGHT),
    (VOTES, "1 234 567", RIGHT),
    (VOTES, "1.234567 million", RIGHT),
    (VOTES, "1.2 million", COARSE),
    (VOTES, "about 1.23 million votes", COARSE),
    (VOTES, "1.3 million", WRONG),
    (VOTES, "1234", WRONG),
    (VOTES, "1.2 billion", WRONG),
    (QUAKE, "7.1", RIGHT),
    (QUAKE, "7.10", RIGHT),
    (QUAKE, "magnitude 7.1 Mw", RIGHT),
    (QUAKE, "7", WRONG),
    (QUAKE, "7.0", WRONG),
    (AGE, "87", RIGHT),
    (AGE, "87 years old", RIGHT),
    (AGE, "Eighty-seven", RIGHT),
    (AGE, "She died at the age of 87.", RIGHT),
    (AGE, "87 months", WRONG),
    (AGE, "88", WRONG),
    (TWICE, "2", RIGHT),
    (TWICE, "two", RIGHT),
    (TWICE, "Twice.", RIGHT),
    (TWICE, "From 1990 to 2010, Clint Eastwood won it 2 times.", RIGHT),
    (TWICE, "Two times, for Unforgiven and Million Dollar Baby.", RIGHT),
    (TWICE, "three", WRONG),
    (TWICE, "once or twice", WRONG),
    (TWICE, "2nd", WRONG),
    (TWENTY, "twenty-one", RIGHT),
    (TWENTY, "twenty", WRONG),
    (WIND, "180 mph", RIGHT),
    (WIND, "180 km/h", WRONG),
    # Yes or no
    (YES, "No", RIGHT),
    (YES, "no.", RIGHT),
    (YES, "NO!", RIGHT),
    (YES, "No, Mali is larger.", RIGHT),
    (YES, "No, there is no doubt; yes men disagree.", RIGHT),
    (YES, "The answer is no.", RIGHT),
    (YES, "Nigeria is not larger in area than Mali.", RIGHT),
    (YES, "False", RIGHT),
    (YES, "Yes", WRONG),
    (YES, "Yes, Nigeria is larger.", WRONG),
    (YES, "Yes and no", WRONG),
    (YES, "No. Yes.", WRONG),
    (YES, "Yes/no", WRONG),
    (YES, "not no", WRONG),
    (YES, "Mali", WRONG),
    (YES, "Now", WRONG),
    (YES, "I can't say.", NONE),
    (DID, "Yes", RIGHT),
    (DID, "Yes, in Barcelona.", RIGHT),
    (DID, "Yes, no other country was asked.", RIGHT),
    (DID, "They did.", RIGHT),
    (DID, "The 1992 Summer Olympics took place in Spain.", RIGHT),
    (DID, "They did not.", WRONG),
    (DID, "No, they took place in Spain.", WRONG),
    (DID, "yes or no", WRONG),
    (DID, "True", RIGHT),
]


@pytest.mark.parametrize(("item", "response", "verdict"), CASES, ids=[f"{c[0].answer[0]}: {c[1]}"[:80] for c in CASES])
def test_the_verdict_is_that_of_a_person(item: GoldItem, response: str | None, verdict: str) -> None:
    found = score(response, item)
    assert found.outcome.value + (" o" if found.is_right_once else "") == verdict


@pytest.mark.parametrize("item", [TWAIN, DAY, DEAD, YES], ids=lambda item: item.answer_type)
def test_a_response_at_its_limit_of_length_is_cut_off(item: GoldItem) -> None:
    assert score(item.answer[0], item, finish_reason="length").outcome == CUT


def test_the_table_is_long() -> None:
    assert len({(item.answer, response) for item, response, _ in CASES}) >= 250
