"""Words around an answer: which of them change what it says, and which do not."""

from __future__ import annotations

from everwhen.temporal.phrases import MONTHS as MONTH_NAMES


def _list_words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


ARTICLES = _list_words("a an the")

DENYING = _list_words(
    "not no nor neither never none nobody nothing or either except but without unlike cannot cant isnt wasnt didnt",
    "doesnt wont hasnt hadnt arent werent maybe",
)
"""Words that take an answer back or leave it open; names may contain them, the words around may not."""

HEDGING = _list_words("possibly perhaps alternatively")
"""Words that leave an answer open, beside those that deny."""

CORRECTING = _list_words("actually wait correction sorry")
"""Words that take back what is said before them."""

CONNECTING = _list_words(
    "is was were are be been has had have did does do it he she they this that who which in on at of by to for from",
    "as with and so therefore thus hence i think believe guess say would my best probably likely most answer",
    "correct final right one other your question following there must ie makes making more almost years months",
)
"""Words that connect a name with those of the question."""

TELLING = _list_words(
    "published premiered hosted headquartered wrote written won held came took born died dies served serves led",
    "became become founded directed released located lies lie happened occurred place began begun ended succeeded",
    "preceded followed replaced first earliest earlier older oldest year day month late his her their its then time",
    "capital city country person people author director winner between two three home",
)
"""Words of sentences that answer, in forms that the question may not have."""

JOINING = (CONNECTING | TELLING) - _list_words("who which that this it he she they one i there")
"""Words of which a sentence has one at least; a pronoun alone may be a name: The Who, It."""

TITLES = _list_words("president prime minister king queen sir dame dr mr mrs ms lord lady pope emperor")

MONTHS = frozenset(name.lower() for name in MONTH_NAMES)

BEFORE_YEAR = _list_words("in on of from since until to year and during") | MONTHS

NEGATING = _list_words("not never didnt wasnt isnt doesnt werent arent hasnt hadnt dont")
"""Words that turn a sentence that repeats a question of yes or no."""

AUXILIARY = _list_words("is was were are did does do has had have it they he she there so")

EXPLAINING = _list_words(
    "a an the in on at of by to for from because since as with after before during about around also not one his",
    "her its their he she they it that this what why how when where well very only true first last released",
    "published born made founded held won written known set named",
)
"""Words that follow "it was" in an explanation."""

CHOOSING = _list_words(
    "the correct right answer answers option options choice choices is are was be a an and it its it's that these this",
    "both only so therefore thus hence i think believe would say choose select pick go with final my letter letters",
    "following must best also true all of them as well namely likely most probably definitely in text told mentioned",
    "i'd for to question statement statements one ones or alternatively",
)
"""Words beside the options of a sentence that does nothing but choose."""
