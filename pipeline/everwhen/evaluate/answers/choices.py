"""Which options of a choice a final answer chooses: by letter, by text, or by both.

Every letter and every text of an option is replaced by a mark, `ǁBǁ`, which patterns take for a word. What a sentence
says of an option is then read as of any other value: what is denied, named beside another or taken back does not count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from everwhen.evaluate.answers.claims import CONCLUDES, CONCLUSION, clean, find_conclusion, split_sentences
from everwhen.evaluate.answers.mentions import scan_times
from everwhen.evaluate.answers.names import LETTERS as PLAIN_LETTERS
from everwhen.evaluate.answers.names import drop_accents
from everwhen.evaluate.answers.refusals import find_answer
from everwhen.evaluate.answers.stance import CALLED_WRONG, DENIAL, REPLACED, drop_replaced, is_aside, is_denied
from everwhen.evaluate.answers.words import CHOOSING
from everwhen.evaluate.items import LETTERS, MULTIPLE, GoldItem

MARK = re.compile(r"ǁ(?P<letter>[A-Z])ǁ")
AGAIN = re.compile(r"ǁ([A-Z])ǁ[\s).:,\"'(–-]{0,4}ǁ\1ǁ[)\"']?")
"""A letter and the text of its option."""
JOINS = r"(?:[\s,;/&+]|\band\b)*"
ARTICLE = re.compile(r"^(?:the|an?)[\s-]+(?=\S)", re.IGNORECASE)
OPENED, CLOSED = r"[\s\"'(\[{]*", r"[\s\"')\]}.:!]*"

BEGINS = r"^|(?<=[.:;!?ǁ)\]] )|(?<=[\"'(])"
"""Where a sentence or an entry of a list begins."""

NONE_TEXT = r"none(?: of (?:the (?:above|options|answers|choices|following)|these|those|them|it)(?: \w+){0,3})?"
ALL_TEXT = r"all(?: of)?(?: the)? (?:above|these|those|them|options|answers|choices|following|\w+ of (?:them|these))"
SAYS = (
    (re.compile(rf"{NONE_TEXT}|neither(?: of \w+)?|no(?: correct| right)? (?:answer|option)s?", re.I), NONE_TEXT),
    (re.compile(rf"{ALL_TEXT}|both(?: of \w+)?", re.I), ALL_TEXT),
)
"""Of options that say something of the others: how the option says it, and how a response may."""
NONE_FITS = re.compile(rf"(?:it is |it's |the answer is )?{NONE_TEXT}(?: (?:is|are) (?:right|correct|true))?", re.I)

COMMON = frozenset(("yes", "no", "true", "false", "none", "both", "neither", "all"))
"""Texts of options that answer where a sentence begins with them, and not within it."""

CHOOSES = re.compile(
    r"\b(?:answers?|choices?|options?|selections?)\b[^.;\nǁ]{0,40}(?:\b(?:is|are|be)\b|[:=])[^.;\nǁ]{0,30}ǁ"
    r"|ǁ[A-Z]ǁ\)?,? (?:is|are) (?:the |my |both )?(?:only )?(?:correct|right|true|answers?|best)"
    r"|\bi (?:\w+ )?(?:choose|pick|select|go with|would say|think)\b[^.;\nǁ]{0,30}ǁ",
    re.IGNORECASE,
)
"""What says that an option is chosen."""
RUN = re.compile(
    r"(?P<before>(?i:\b(?:answers?|letters?|options?)(?: are| is|:) ))(?P<run>[A-Z]{2,26}|[A-Z](?: [A-Z])+)(?=\W*$)"
    r"|^(?P<alone>[A-Z](?: [A-Z]){1,25})(?=\W*$)",
    re.MULTILINE,
)
"""Letters with nothing between them, or spaces alone: behind such a word, or spaced on a line of their own."""
LONE_LETTERS = re.compile(
    r"(?:^|\b(?i:answers?|letters?|options?)(?i: are| is|:) )(?P<letters>[A-Z](?:[\s,;/&+]+[A-Z])*)\W*$"
)
"""Letters alone, all of a text or behind such a word."""
SMALL_LETTERS = re.compile(r"\W*[a-z](?:[\s,;/&+]+[a-z])+\W*")
"""Several letters alone and small; one alone is read, too, and within a sentence "a" is an article."""
EXPLAINS = re.compile(r",? \b(?:because|since|as|while|whereas|although|though|given that|which|who|when)\b|\s[–-]\s|;")
BEHIND_THAN = re.compile(r"\b(?:than|before|after|over|versus|vs\.?)\s*(?:option\s*)?$", re.IGNORECASE)
TAKES_BACK = re.compile(
    r"(?:no,? )?(?:wait|actually|correction|sorry|scratch that|oops|i mean|hmm|no)\b", re.IGNORECASE
)
"""How a sentence begins that replaces what is said before."""
LEAVES_OPEN = re.compile(r"(?:or|alternatively)\b", re.IGNORECASE)
OR = re.compile(r"[\s,]*\b(?:or|and/or)\b\s*(?:options?\s+)?", re.IGNORECASE)
JOINED = re.compile(r",\s*|[\s,]*\b(?:or|nor|and|and/or)\b\s*(?:options?\s+)?", re.IGNORECASE)
NOT_IN_TEXT = re.compile(r"(?<=ǁ) (?:is|are|was|were)(?: not|n't) \w+ (?:in|by) the \w+")
"""What denies an option, and would be a refusal without one: B is not told in the text."""
FALSE = re.compile(r"\b(?:false|no|not|incorrect|wrong|never|untrue|\w+n't)\b|✗|❌|✘", re.IGNORECASE)


def read_options(final_answer: str, item: GoldItem) -> frozenset[str] | None:
    """Read which options a final answer chooses.

    Args:
        final_answer: The final answer (`everwhen.evaluate.answers.envelope`).
        item: A choice with letters.

    Returns:
        Their letters; empty where it chooses none that can be read, or leaves open which. None where it gives no
        answer: it is empty, refuses or is unsure.

    >>> item = GoldItem(1, "Where?", ("Paris",), ((),), "single_choice", options=("London", "Paris"))
    >>> [*read_options("The answer is B) Paris", item)], [*read_options("paris", item)]
    (['B'], ['B'])
    >>> read_options("I do not know.", item), [*read_options("Not A, but B.", item)]
    (None, ['B'])
    """
    text = clean(final_answer)
    text = text.upper() if SMALL_LETTERS.fullmatch(text) else text
    reader = _ChoiceReader(item)
    if letters := reader.read_whole(text):
        return letters
    if reader.has_unknown(text):
        return frozenset()
    marked = reader.mark(text)
    if NONE_FITS.fullmatch(text.strip(" .!")) and not MARK.search(marked):
        return frozenset()
    given = find_answer(NOT_IN_TEXT.sub(" is wrong", marked))  # the text of an option may sound like a refusal
    return None if given is None else reader.choose(drop_replaced(given, TAKEN_BACK))


TAKEN_BACK = tuple(pattern for pattern in REPLACED if pattern is not CALLED_WRONG)
"""What replaces what is said before; that one option is called wrong says nothing of the others."""

LINKS = (
    "is|are|be|was|and|or|both|only|not|nor|neither|either|than|except|select|choose|pick|say|with|but|to|as|of|think"
    "|believe|guess"
)
VERBS = "and|or|nor|is|are|was|were|because|since|as|but|not|rather|instead|only|alone|happened|came|lasted"
NEXT = r"\.\s+(?:It|The|This|That|So|Therefore|But|And|I)\b"
"""Words in front of a letter, and behind one, that A as an article has not."""


class _ChoiceReader:
    """Reads the options of an item."""

    def __init__(self, item: GoldItem) -> None:
        self._is_multiple = item.answer_type == MULTIPLE
        self._lettered = item.lettered
        self._texts = _compile_texts(item.options)

    def read_whole(self, text: str) -> frozenset[str] | None:
        """Read a text that is nothing but letters, or the text of one option; None of any other."""
        plain = _plain(text)
        if (found := self._texts.fullmatch(plain.strip(" .\"'"))) and found.lastgroup:
            return frozenset(found.lastgroup)
        letters = "".join(self._lettered)
        one = rf"[{letters}]"
        run = rf"{OPENED}(?P<run>{one}{CLOSED}(?:{JOINS}{OPENED}{one}{CLOSED})*){CLOSED}"
        for form in (text, text.upper() if len(text) <= 3 or "," in text else text):
            if found := re.fullmatch(run, form):
                chosen = re.findall(r"(?<![a-z])[A-Z](?![a-z])", re.sub(r"\band\b", " ", found["run"]))
                is_run = not re.search(r"[A-Z]{2}", found["run"]) or self._is_multiple
                return frozenset(chosen) if is_run and len({*chosen}) == len(chosen) else None
        return None

    def has_unknown(self, text: str) -> bool:
        """Tell whether letters alone have one among them that no option has."""
        alone = LONE_LETTERS.search(text)
        return alone is not None and not {*re.findall("[A-Z]", alone["letters"])} <= self._lettered.keys()

    def mark(self, text: str) -> str:
        """Replace the texts and the letters of options by their marks."""
        plain = self._texts.sub(lambda found: f"ǁ{found.lastgroup}ǁ", _plain(text))
        if self._is_multiple:
            plain = RUN.sub(self._part_letters, plain)
        for pattern in _compile_letters("".join(self._lettered)):
            plain = pattern.sub(lambda found: f"{found['before']}ǁ{found['letter'].upper()}ǁ{found['after']}", plain)
        previous = ""
        while previous != plain:
            previous, plain = plain, AGAIN.sub(r"ǁ\1ǁ", plain)
        return plain

    def _part_letters(self, found: re.Match[str]) -> str:
        """Write commas between letters of options; what is another word stays as it is."""
        letters = (found["run"] or found["alone"]).replace(" ", "")
        is_run = len({*letters}) == len(letters) and set(letters) <= self._lettered.keys()
        return (found["before"] or "") + ", ".join(letters) if is_run else found.group()

    def choose(self, text: str) -> frozenset[str]:
        """Choose by the conclusion of a marked text, else by what it says as an answer, else by what comes first."""
        sentences = [_find_tail(sentence) for sentence in split_sentences(text) if sentence]
        concluded = find_conclusion(sentences, _ends_with)
        if judged := self._read_verdicts(concluded):
            return judged
        chosen: set[str] = set()
        for sentence in self._choose_sentences(concluded):
            given = _find_given(sentence)
            if _is_left_open(sentence, given):
                return frozenset()
            chosen.update(found["letter"] for found in given)
        return frozenset(chosen)

    def _choose_sentences(self, sentences: Sequence[str]) -> Sequence[str]:
        """Choose what answers, else the first that names an option, or all where several may be right."""
        marked = [*filter(MARK.search, sentences)]
        answering = [sentence for sentence in marked if _is_bare(sentence) or CHOOSES.search(sentence)]
        return answering or (marked if self._is_multiple else marked[:1])

    def _read_verdicts(self, sentences: Sequence[str]) -> frozenset[str]:
        """Read a verdict on every option, a line each: A: true, B: not told."""
        lines = [(found["letter"], each[found.end() :]) for each in sentences if (found := MARK.match(each))]
        if len(lines) == len(sentences) - 1 and "A" not in dict(lines):  # "A:" begins an answer, and is taken off
            lines.append(("A", sentences[0]))
        judged = {letter for letter, _ in lines}
        false = {letter for letter, rest in lines if FALSE.search(rest)}
        is_complete = len(lines) == len(judged) == len(self._lettered)
        return frozenset(judged - false) if is_complete and false else frozenset()


def _find_tail(sentence: str) -> str:
    """Find what a sentence concludes, where that is an option; else the sentence."""
    tail = CONCLUSION.split(sentence)[-1]
    return tail if MARK.search(tail) else sentence


def _ends_with(sentence: str) -> bool:
    """Tell whether a sentence concludes, or replaces what is said before it."""
    return bool(CONCLUDES.match(sentence) or TAKES_BACK.match(sentence)) and bool(_find_given(sentence))


def _find_given(sentence: str) -> list[re.Match[str]]:
    """Find the options that a sentence gives, up to where it explains."""
    marks = list(MARK.finditer(sentence))
    joined = [False, *(JOINED.fullmatch(sentence, a.end(), b.start()) is not None for a, b in pairwise(marks))]
    rejected = [_is_rejected(sentence, *found.span()) for found in marks]
    behind = [is_denied(sentence[found.start() :], 0, len(found.group())) for found in marks]
    for place in range(1, len(marks)):  # not A or B
        rejected[place] |= rejected[place - 1] & joined[place]
    for place in range(len(marks) - 1, 0, -1):  # A and B are wrong
        behind[place - 1] |= behind[place] & joined[place]
    given: list[re.Match[str]] = []
    for found, *is_rejected in zip(marks, rejected, behind, strict=True):
        if given and EXPLAINS.search(sentence, given[0].end(), found.start()):
            break
        if not any(is_rejected):
            given.append(found)
    return given


def _is_rejected(sentence: str, start: int, end: int) -> bool:
    """Tell whether an option is denied, or named beside another only."""
    is_compared = BEHIND_THAN.search(sentence[:start]) is not None
    return is_compared or is_denied(sentence, start, end) or is_aside(sentence, start, end)


def _is_left_open(sentence: str, given: Sequence[re.Match[str]]) -> bool:
    """Tell whether a sentence gives one option or another."""
    is_open = any(OR.fullmatch(sentence, a.end(), b.start()) for a, b in pairwise(given))
    return is_open or LEAVES_OPEN.match(sentence) is not None


def _is_bare(sentence: str) -> bool:
    """Tell whether a sentence does nothing but choose."""
    words = re.findall(r"[\w']+", MARK.sub(" ", sentence).lower())
    return CHOOSING.issuperset(words) or (bool(DENIAL.search(sentence)) and len(words) < 4)


def _plain(text: str) -> str:
    """Write a text without accents, digits without commas between them, and times in one form."""
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", drop_accents(text).translate(_LATIN))
    lower = plain.lower()
    if not re.search(r"\d", plain) or len(lower) != len(plain):
        return plain
    for time in reversed(scan_times(lower)):
        if time.first is not None and time.last is not None:
            plain = f"{plain[: time.start]}{time.first:%Y%m%d}_{time.last:%Y%m%d}{plain[time.end :]}"
    return plain


_LATIN = {
    code: text
    for letter, text in PLAIN_LETTERS.items()
    if text and chr(letter).isalpha()
    for code, text in ((letter, text), (ord(chr(letter).upper()[0]), text.capitalize()))
}


@lru_cache(maxsize=1000)
def _compile_texts(options: tuple[str, ...]) -> re.Pattern[str]:
    """Compile what finds the text of an option, the longest first; the group is its letter."""
    forms: dict[str, str] = {}
    for letter, option in zip(LETTERS, options, strict=False):
        plain = _plain(clean(option)).strip(" .\"'")
        words = re.split(r"[\s-]+", ARTICLE.sub("", plain))
        form = r"(?:(?:the|an?)\s+)?" + r"[\s-]+".join(map(re.escape, words))
        says = next((text for pattern, text in SAYS if pattern.fullmatch(plain)), None)
        if says or plain.lower() in COMMON:
            form = rf"(?:{BEGINS}|(?<=answer is ))(?:{form}|{says or form})"
        forms[letter] = form
    ordered = sorted(forms, key=lambda letter: (-len(options[LETTERS.index(letter)]), letter))
    return re.compile("|".join(rf"(?P<{letter}>(?<!\w){forms[letter]}(?!\w))" for letter in ordered), re.I | re.M)


@lru_cache(maxsize=100)
def _compile_letters(letters: str) -> tuple[re.Pattern[str], ...]:
    """Compile what finds letters of options: in brackets, behind a word, where a sentence begins, in a list."""
    upper, any_case = f"[{letters}]", f"[{letters}{letters.lower()}]"
    behind = r"\s*(?:[.):,;/&\n]|$|[–-]\s|ǁ)"
    verbs = rf"\s+(?:{VERBS})\b"
    linking = rf"(?i:\b(?:{LINKS})\s+|[,&/]\s*)"
    after = rf"(?P<after>(?={behind}|{verbs}))"
    none = "(?P<after>)"
    return tuple(
        re.compile(pattern, flags | re.M)
        for pattern, flags in (
            (rf"(?P<before>)[(\[](?P<letter>{any_case})[)\]]{none}", 0),
            (rf"(?P<before>\b(?:[Oo]ption|[Cc]hoice|[Ll]etter)s?:?\s+[\"']?)(?P<letter>{any_case})\b[)\"']*{none}", 0),
            (rf"(?P<before>\b[Aa]nswers?:?\s+)(?P<letter>{upper}){after}", 0),
            (rf"(?P<before>(?:{BEGINS}))(?P<letter>{any_case})\){none}", 0),
            (rf"(?P<before>(?:{BEGINS}))(?P<letter>{upper}){after}", 0),
            (rf"(?P<before>{linking})[\"']?(?P<letter>{upper}){after}", 0),
            (rf"(?P<before>[a-z]\s+)(?P<letter>{upper})(?P<after>(?=[,;)]|\.?\s*$|{NEXT}))", 0),
            (rf"(?P<before>[:=]\s*)(?P<letter>{upper}){after}", 0),
        )
    )


def list_texts(letters: frozenset[str], lettered: Mapping[str, str]) -> list[str]:
    """List the texts of options by their letters, in the order of the letters."""
    return [text for letter, text in lettered.items() if letter in letters]
