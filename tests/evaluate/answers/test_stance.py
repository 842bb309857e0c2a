"""What a response denies, takes back or says of somebody else is no answer; what it says in other words is one."""

from __future__ import annotations

import pytest

from everwhen.evaluate.items import GoldItem
from everwhen.evaluate.scoring import score

DAY = GoldItem(1, "When was it signed?", ("1975-08-15",), ((),), "date")
YEAR = GoldItem(1, "In what year was it?", ("1967",), ((),), "date")
AGE = GoldItem(1, "At what age did he die?", ("73",), ((),), "number", unit="year")
DEAD = GoldItem(1, "How many people died?", ("31",), ((),), "number")
AUTHOR = GoldItem(1, "Who won the award?", ("Mark Twain",), ((),), "name", once=("Jane Austen",))
EARLY_YEAR = GoldItem(1, "When did it happen?", ("1656",), ((),), "date")
NAMED_YEAR = GoldItem(1, "On what date in 1991 was it?", ("1991-12-30",), ((),), "date")
YES = GoldItem(1, "Did the war take place in Sudan?", ("yes",), ((),), "yes_no")
VERDUN = GoldItem(1, "When was the Treaty of Verdun signed?", ("843",), (("0843",),), "date")
RULED = GoldItem(1, "When did she rule?", ("797", "802"), (("0797",), ("0802",)), "date", is_ordered=True)
SIGNED_EARLY = GoldItem(1, "When was it signed?", ("7",), (("0007",),), "date")
VERDUN_DAY = GoldItem(1, "When was the Treaty of Verdun signed?", ("0843-08-10",), ((),), "date")
SHOWN = GoldItem(1, "When was it?", ("1995",), ((),), "date")
TOLD = GoldItem(1, "When did it happen?", ("2015-11-13",), ((),), "date")
BORN = GoldItem(1, "When was he born?", ("1884-05-12",), ((),), "date")
WORDED = GoldItem(1, "In what year was it?", ("1993",), ((),), "date")
OLD = GoldItem(1, "At what age did he die?", ("95",), ((),), "number", unit="year")
STUDIO = GoldItem(1, "Which company made the film?", ("Warner Bros.",), ((),), "name")
FILM = GoldItem(1, "Who directed The Godfather?", ("Francis Ford Coppola",), ((),), "name")
BROTHERS = GoldItem(1, "Who directed Fargo?", ("Joel Coen", "Ethan Coen"), ((), ()), "name")
NEXT = GoldItem(
    1,
    "Who succeeded Kevin Rudd as Prime Minister of Australia?",
    ("Julia Gillard",),
    ((),),
    "name",
    once=("Kevin Rudd",),
)
BORN_WHERE = GoldItem(1, "Where was Stanley Kubrick born?", ("New York City",), ((),), "name")
FOUNDED = GoldItem(1, "When was the university founded?", ("1479",), ((),), "date")
ENDED = GoldItem(1, "On what date did the Games end?", ("2021-08-08",), ((),), "date")
VOTED = GoldItem(1, "When did the election take place?", ("2016-06-25",), ((),), "date")
LATER = GoldItem(1, "Was Barry Levinson born after Jonathan Demme?", ("no",), ((),), "yes_no")
MAKER = GoldItem(1, "Who directed Saving Private Ryan?", ("Steven Spielberg",), ((),), "name")

RESPONSES = [
    (False, AUTHOR, "Jane Doe won. Also nominated that night: Mark Twain."),
    (False, AUTHOR, "The losers of the evening: Mark Twain."),
    (False, AUTHOR, "One man who was not chosen: Mark Twain."),
    (False, AUTHOR, "Jane Doe. The company went to Mark Twain."),
    (True, AUTHOR, "In 1900, after a long night, the award went to Mark Twain for his stories."),
    (True, AUTHOR, "So in the end there was one name left on the list: Mark Twain."),
    (False, BORN_WHERE, "His father was born in New York City, but he was born in Buffalo."),
    (True, BORN_WHERE, "He was born in Brooklyn, New York City."),
    (False, BORN_WHERE, "He was born in Buffalo, New York."),
    (True, BORN_WHERE, "He was born in New York City and died in London."),
    (False, BORN_WHERE, "He died in New York City and was born in Los Angeles."),
    (True, FOUNDED, "It was founded in 1479, four years after the pope had approved it in 1475."),
    (False, FOUNDED, "It was founded in 1475, although teaching began in 1479."),
    (False, FOUNDED, "It was founded in 1479, or, as others say, in 1475."),
    (True, ENDED, "They were scheduled to end on 9 August 2020, but ended on 8 August 2021."),
    (False, ENDED, "They were expected to end on 8 August 2021, but they ended on 9 August 2021."),
    (False, VOTED, "I don't know the exact day."),
    (True, LATER, "Levinson was born two years earlier than Demme (1942 vs. 1944)."),
    (True, LATER, "Demme was born after Levinson."),
    (False, LATER, "Demme is older."),
    (False, LATER, "To determine whether Levinson was born before Demme, we need their birth dates."),
    (False, LATER, "Levinson was born before Spielberg."),
    (True, MAKER, "Steven Spielberg\nStudio: DreamWorks\nYear: 1998"),
    (False, MAKER, "Steven Spielberg\nAlternative: Ridley Scott"),
    (True, MAKER, "Steven Allan Spielberg"),
    (False, MAKER, "Anne Spielberg"),
    (False, DAY, "15 August 1975 is incorrect."),
    (False, DAY, "It was not signed on 15 August 1975."),
    (False, DAY, "15 August 1975 is wrong; it was 16 August 1975."),
    (True, DAY, "16 August 1975 is wrong; it was 15 August 1975."),
    (False, YEAR, "Neither 1974 nor 1967"),
    (False, YEAR, "Neither 1967 nor 1974"),
    (True, YEAR, "It is often claimed to be 1974; in fact it was 1967."),
    (False, YEAR, "It is often claimed to be 1967; in fact it was 1974."),
    (False, DEAD, "31 (or 34)"),
    (False, DEAD, "31 or 34"),
    (False, DEAD, "31, maybe 34"),
    (False, AGE, "73 is wrong; he was 74."),
    (True, AGE, "74 is wrong; he was 73."),
    (False, AUTHOR, "Mark Twain. The other option: Jane Austen"),
    (False, AUTHOR, "Mark Twain. The second candidate remains Jane Austen."),
    (True, AUTHOR, "Mark Twain. The book sold well."),
    (True, AUTHOR, "Mark Twain; the real name is Samuel Clemens."),
    (False, YEAR, "Everything but 1967"),
    (True, YEAR, "It did not happen until 1967."),
    (False, AUTHOR, "My first guess was Mark Twain. But the right one is Jane Austen."),
    (True, AUTHOR, "My first guess was Jane Austen. But the right one is Mark Twain."),
    (True, NAMED_YEAR, "29 December? No… 30 December"),
    (False, NAMED_YEAR, "30 December? No… 29 December"),
    (False, EARLY_YEAR, "1656 BC"),
    (False, EARLY_YEAR, "1656 B.C."),
    (False, EARLY_YEAR, "1656 BCE"),
    (True, EARLY_YEAR, "1656 AD"),
    (False, AUTHOR, "Mark Twain is wrong."),
    (False, AUTHOR, "It cannot be Mark Twain."),
    (False, AUTHOR, "Mark Twain's brother"),
    (False, AUTHOR, "Nobody but Mark Twain"),
    (False, AUTHOR, "Anyone but Mark Twain"),
    (False, AUTHOR, "Mark Twain lost to Jane Austen"),
    (False, DEAD, "It was not 31."),
    (False, DEAD, "31 is incorrect."),
    (False, DEAD, "Not 31 but 34."),
    (True, DEAD, "Not 34 but 31."),
    (False, YES, "Yes is wrong."),
    (False, YES, "It is not true that yes"),
    (False, YES, "Yes? No."),
    (True, VERDUN, "843"),
    (True, VERDUN, "1. 843"),
    (False, VERDUN, "1. 844"),
    (True, VERDUN_DAY, "1. 0843-08-10"),
    (True, VERDUN, "In 843."),
    (True, VERDUN, "August 843"),
    (True, VERDUN, "10 August 843"),
    (True, VERDUN, "0843"),
    (True, VERDUN, "843 AD"),
    (True, VERDUN_DAY, "10 August 843"),
    (True, VERDUN_DAY, "August 10, 843"),
    (False, VERDUN, "844"),
    (True, VERDUN_DAY, "843-08-10"),
    (True, VERDUN_DAY, "0843-08-10"),
    (True, RULED, "797; 802"),
    (True, RULED, "0797; 0802"),
    (True, RULED, "797\n802"),
    (True, RULED, "797-802"),
    (True, RULED, "From 797 to 802."),
    (True, RULED, "from 797 until 802"),
    (False, RULED, "797; 803"),
    (False, RULED, "802; 797"),
    (True, SIGNED_EARLY, "7"),
    (True, SIGNED_EARLY, "In 7 AD."),
    (False, SIGNED_EARLY, "8"),
    (False, VERDUN_DAY, "11 August 843"),
    (False, VERDUN, "843 BC"),
    (True, VERDUN, "the year 843"),
    (True, SHOWN, "1995.0"),
    (False, SHOWN, "1996.0"),
    (True, TOLD, "November 13, 2015, at 21:16 CET"),
    (True, TOLD, "13 November 2015 at 9:16 pm"),
    (True, BORN, "12. May 1884"),
    (False, BORN, "13. May 1884"),
    (True, WORDED, "nineteen ninety-three"),
    (False, WORDED, "nineteen ninety-four"),
    (True, OLD, "95 years and 2 months"),
    (False, OLD, "96 years and 2 months"),
    (True, STUDIO, "Warner Bros. is based in Burbank."),
    (True, STUDIO, "Warner Bros. made it."),
    (True, FILM, "Francis Ford Coppola. The film won three Oscars."),
    (True, BROTHERS, "Joel and Ethan Coen"),
    (True, NEXT, "Julia Gillard replaced Kevin Rudd in June 2010."),
    (False, NEXT, "Kevin Rudd replaced Julia Gillard."),
]


@pytest.mark.parametrize(("is_right", "item", "response"), RESPONSES, ids=[f"{r[2]}"[:70] for r in RESPONSES])
def test_the_verdict_is_that_of_a_reader(is_right: bool, item: GoldItem, response: str) -> None:
    assert score(response, item).is_right == is_right
