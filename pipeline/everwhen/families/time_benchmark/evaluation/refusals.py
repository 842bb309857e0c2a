"""The sentences that say that there is no answer. Only a whole response counts, never a part of one."""

from __future__ import annotations

from everwhen.families.time_benchmark.evaluation.measures import tokenize

NO_ANSWER = "There is no answer"
"""The gold of items without an answer."""

_WRITTEN = """
there is no answer, there is no answer to this question, there is no answer to the question
there is no answer in the text, there s no answer, there is none, there was none
the answer is there is no answer, the answer is there s no answer, the answer is that there is no answer
no answer, no answer is given, no answer exists, the question has no answer, this question has no answer
the text gives no answer, the text has no answer, the text does not give an answer
the text does not say, the text does not answer the question
the text does not mention any, the text mentions none, the text names none
the context gives no answer, the context does not say, the answer is not in the text
none, none of the above, none of these, none of them, none of the options, no one, nobody, nothing
"""
SENTENCES = frozenset(_WRITTEN.strip().replace("\n", ", ").split(", "))


def says_none(text: str) -> bool:
    """Tell whether a text says that there is no answer, and nothing else.

    >>> says_none("There is no answer."), says_none("There is no answer but 1998.")
    (True, False)
    """
    return " ".join(tokenize(text.replace("’", "'"))) in SENTENCES
