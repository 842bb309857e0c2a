"""The envelope of a response: what surrounds an answer and says nothing of it is taken off before anything is judged.

Servers leave tokens of turns and channels. Models add thoughts, fences, JSON, headings, links, citations, sources, and
how sure they are.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import NamedTuple

from everwhen.evaluate.answers.structures import read_structures, read_tables

_THOUGHT = r"(?:\w{1,20}:)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad|analysis|inner_monologue)"
OPENS_TAG = re.compile(r"[<\[◁]")
"""What every tag of a thought, and every token, begins with."""
THOUGHT = re.compile(
    rf"<{_THOUGHT}>|\[think(?:ing)?\]|◁think▷|<\|(?:begin_of_thought|start_thinking)\|>"
    rf"|(?P<closes></{_THOUGHT}>|\[/think(?:ing)?\]|◁/think▷|<\|(?:end_of_thought|end_thinking)\|>)",
    re.IGNORECASE,
)
"""Where a thought begins or ends, in the tags of any model."""

MESSAGE = re.compile(
    r"(?:<\|channel\|>(?P<channel>\w+)[^<]*)?<\|message\|>"
    r"(?P<text>.*?)(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    re.DOTALL,
)
"""A message of the harmony format; what is for the user has the channel final."""
ANALYSIS_CHANNEL = re.compile(r"\s*analysis(?=[A-Z\"'])(?:.*assistant\s?final(?P<final>.*))?", re.DOTALL)
"""The channels of a response whose server has dropped the tokens and kept the words."""

LABELLED_CHANNEL = re.compile(r"\s*analysis:.*\n\s*(?:assistant )?final:(?P<final>.*)", re.DOTALL)
STRUCK = re.compile(r"<(?P<tag>s|del|strike)>[^<>]*</(?P=tag)>(?=\s*\S)|~~[^~\n]+~~")
"""What is struck out, with something behind it."""
TOKEN = re.compile(
    r"<[|｜][^|｜<>\n]{1,40}[|｜]>|</?s>|<(?:bos|eos|pad|end_of_turn|start_of_turn|end_of_utterance)>"
    r"|\[/?(?:INST|EOS|BOS)\]",
    re.IGNORECASE,
)

ANSWER_TAG = re.compile(
    r"[<[](?P<tag>(?:final_?)?answer|final|response|output|solution)[>\]](?P<text>.*?)(?:[<[]/(?P=tag)[>\]]|\Z)",
    re.IGNORECASE | re.DOTALL,
)

_MARKS = r"[#*_ \t]*"
HEADING = re.compile(
    rf"^{_MARKS}(?:the |my )?(?:final |correct |short |direct )?"
    rf"(?:answer|response|conclusion|verdict|bottom line|tl;?dr){_MARKS}:?{_MARKS}$\s*",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that announces the answer below."""
DASHED_ANSWER = re.compile(
    rf"^({_MARKS}(?:final )?answer){_MARKS}(?:\s[-–—]\s|\s?(?:=>?|->|→)\s?)",
    re.IGNORECASE | re.MULTILINE,
)
ANSWER = re.compile(
    r"\b(?:(?:(?<!longer )(?<!long )answer|conclusion|verdict|bottom line|tl;?dr)[*_]*\s{0,9}:"
    r"|tl;?dr\b[*_]*[ \u2013-]*)[*_]*",
    flags=re.IGNORECASE,
)

LINK = re.compile(r"!?\[(?P<text>[^\[\]]*)\]\((?:[^()\s]|\([^()]*\))*(?:\s+\"[^\"]*\")?\)")
WIKI_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?(?P<text>[^\[\]|]+)\]\]")
ADDRESS = re.compile(r"\s?[(<\[]?\bhttps?://[^\s()<>\[\]]+(?:\([^()\s]*\))?[^\s()<>\[\]]*[)>\]]?")
LINE_TAG = re.compile(r"<(?:br\s*/?|/p|/div|/li|/h\d)>", re.IGNORECASE)
NOTE_TAG = re.compile(r"<(?P<tag>sup|cite|ref)\b[^<>]*>[^<>]*</(?P=tag)>", re.IGNORECASE)
TAG = re.compile(r"</?[a-z][\w-]*(?:\s[^<>]*)?/?>", re.IGNORECASE)

CITATION = re.compile(
    r"【[^】]*】|(?<=[\w.,;:!?)\"'*%])\s?\[\^?\d{1,3}(?:\s?[,;–-]\s?\^?\d{1,3})*\]"
    r"|\s?\[(?:citation needed|sources?\b|ref\b|wikipedia)[^\[\]]*\]"
    r"|\s?\((?:sources?|ref|citation|via|according to)\b:?\s[^()]*\)",
    re.IGNORECASE,
)
_LISTED = r"(?:\n\s*(?:[-*•]|\[?\^?\d{1,2}[\].:)]|https?:)[^\n]*)*"
SOURCES = re.compile(
    rf"^{_MARKS}(?:sources?|references?|citations?|further reading){_MARKS}(?::[^\n]*|$){_LISTED}",
    re.IGNORECASE | re.MULTILINE,
)
_SURE = r"(?:confidence|certainty|probability)(?: (?:level|score|rating))?"
_HOW = r"(?:\d+(?:\.\d+)?\s?(?:%|/\s?\d+)?|(?:very )?(?:high|medium|moderate|low))"
_I_AM_SURE = (
    r"\bi(?:'m| am) (?:about |at least )?(?:\d{1,3}\s?%|pretty|very|quite|fairly|highly|almost|completely|absolutely"
    r"|reasonably) (?:sure|certain|confident)"
)
CONFIDENCE = re.compile(
    rf"^{_MARKS}(?:my |overall )?{_SURE}{_MARKS}(?:[:=]|is|[-–])[^\n]*$"
    rf"|[\s,;]*[(\[]\s?(?:{_SURE}\s?[:=]?\s?{_HOW}|{_HOW} (?:{_SURE}|confident|sure|certain))\s?[)\]]"
    rf"|[\s,;|–-]+\b{_SURE}\s?[:=]\s?{_HOW}"
    rf"|{_I_AM_SURE}(?: (?:in|of|about) (?:this|my|the|that)(?: answer)?)?\.?\s*$",
    re.IGNORECASE | re.MULTILINE,
)

BOXED = re.compile(r"\\boxed\{(?P<text>(?:[^{}]|\{[^{}]*\})*)\}")
_STARTS = rf"(?:^|(?<=[.:!?] )){_MARKS}"
_SOURCE = (
    r"(?:information|knowledge|data|records?|sources?|context|passages?|texts?|tables?|rows|update|training|memory|facts"
    r"|documents?|history|evidence|wiki\w+|britannica|imdb)"
)
_SPEAKER = r"(?:assistant|ai|bot|a|(?:final )?(?:result|response)|output)[*_]*(?::|\n)[*_]*\s*"
_GOODBYE = (
    r"(?:i )?(?:hope (?:this|that|it) helps|let me know if|feel free to|please (?:verify|check|consult|double)"
    r"|(?:would )?(?:recommend|suggest) (?:verify|check|consult))[^\n.!?]*[.!?]*"
)
OPENED = re.compile(
    r"\s*(?:(?:thanks|thank you) for [^.!\n]*|(?:great|good|interesting) question)[.!,]+\s*"
    rf"|(?:q(?:uestion)?:[^\n]*\n\s*(?=a:))?[\s*_#]*{_SPEAKER}",
    re.IGNORECASE,
)
"""How a response begins that names its speaker, or thanks."""
SURE = re.compile(rf"{_STARTS}{_I_AM_SURE}(?: that)? (?=\w)", re.IGNORECASE | re.MULTILINE)
FROM_SOURCE = re.compile(
    rf"{_STARTS}(?:based on|according to|as of|to the best of|from|per"
    rf"|given)(?: \w+){{0,3}}? {_SOURCE}(?: \w+){{0,2}}, ",
    re.IGNORECASE | re.MULTILINE,
)
CLOSED = re.compile(
    rf"(?:(?:^|(?<=[.!?\n)])|, but)\s*(?:however, )?{_GOODBYE})+\s*$",
    re.IGNORECASE | re.MULTILINE,
)
"""How a response ends that says no more of the answer: Let me know if you need more."""
NOTES = (
    (("【", "[", "source", "via ", "ref", "citation", "according"), CITATION),
    (("source", "reference", "citation", "further reading"), SOURCES),
    (("confiden", "certain", "probab", " sure"), CONFIDENCE),
    ((" sure ", "certain", "confident"), SURE),
    (("based on", "according to", "as of", "best of", "from ", "per ", "given "), FROM_SOURCE),
    (("hope ", "let me know", "feel free", "please ", "recommend", "suggest"), CLOSED),
)
"""What is dropped, each behind words without which it need not be looked for."""
SPACE = re.compile(r"[ \t]+$", re.MULTILINE)


_LEADING_ON = "the a an of on by and or is was were to in at for from with until between that which as but has had be"
LEADING_ON = frozenset(_LEADING_ON.split())
"""Words that do not end a sentence."""
MIN_SENTENCE_LENGTH = 2
"""Words in front of such a word."""
RELATIVE = frozenset(("where", "which", "whom", "that", "what"))
"""Words with which it may: where he came from."""
CUT_MONTH = re.compile(
    r"\b(?:on|in|of|\d{1,2}) (?:Janua?r?|Febru?a?r?|Marc|Apri|Augus?|Septe?m?b?e?|Octob?e?|Novem?b?e?|Decem?b?e?)$"
)
"""A month whose end is missing."""


class Reply(NamedTuple):
    """What a model says.

    Attributes:
        text: What it says, without its envelope.
        is_cut: Whether it never comes to an end: a thought is open, or no message is for the user.
        is_unfinished: Whether it seems to be cut off: it ends within a sentence.
    """

    text: str
    is_cut: bool = False
    is_unfinished: bool = False


def open_envelope(response: str) -> Reply:
    """Take a response out of its envelope.

    >>> open_envelope("<think>Or 1970?</think>**1971** [1]<|im_end|>").text
    '**1971**'
    >>> open_envelope('```json\\n{"answer": 1971, "confidence": 0.9}\\n```').text
    'Answer: 1971'
    >>> open_envelope("<think>1970 or").is_cut
    True
    """
    if "<|message|>" in response or response.lstrip().startswith("analysis"):
        channels = _read_channels(response)
        if channels is None:
            return Reply("", is_cut=True)
        response = channels
    spoken = _cut_thoughts(response) if OPENS_TAG.search(response) and THOUGHT.search(response) else response
    if spoken is None:
        return Reply("", is_cut=True)
    spoken = _end_turn(spoken)
    return Reply(_take_off_marks(spoken).strip(), is_unfinished=_ends_within(spoken))


def extract_final_answer(spoken: str) -> str:
    """Extract the final answer from what a model says: what follows the last "Answer:", else all of it.

    >>> extract_final_answer("It was later. Answer: 1971"), extract_final_answer("1971")
    ('1971', '1971')
    """
    answers = list(ANSWER.finditer(spoken))
    return spoken[answers[-1].end() if answers else 0 :].strip()


def _read_channels(response: str) -> str | None:
    """Read what is for the user; None where there are channels and none of them is."""
    if "<|message|>" in response:
        messages = list(MESSAGE.finditer(response))
        if any(message["channel"] for message in messages):
            final = [message["text"] for message in messages if message["channel"] == "final"]
            return "\n".join(final) if final else None
    words = ANALYSIS_CHANNEL.match(response) or LABELLED_CHANNEL.match(response)
    return words["final"] if words else response


def _cut_thoughts(response: str) -> str | None:
    """Cut thoughts, and all before a thought that ends and never began; None where one never ends."""
    spoken: list[str] = []
    start, is_open = 0, False
    for tag in THOUGHT.finditer(response):
        if not tag["closes"] and not is_open:
            spoken.append(response[start : tag.start()])
            is_open = True
        elif tag["closes"] and is_open:
            start, is_open = tag.end(), False
        elif tag["closes"]:
            spoken, start = [], tag.end()
    return None if is_open else "".join([*spoken, response[start:]])


def _end_turn(text: str) -> str:
    """End a text where the turn of the model ends: at the first token behind something that is said."""
    if "<" in text or "~~" in text:
        text = STRUCK.sub("", text)
    if OPENS_TAG.search(text):
        text = next((piece for piece in TOKEN.split(text) if piece.strip()), "")
    return text.strip()


def _ends_within(text: str) -> bool:
    """Tell whether a text ends within a sentence, or within bold letters."""
    line = text.rsplit("\n", 1)[-1]
    if line.count("**") % 2 and not line.endswith("**"):
        return True
    if line.endswith(",") or CUT_MONTH.search(line):
        return True
    *words, last = re.split(r"[.!?:]", line)[-1].split() or [""]
    return len(words) >= MIN_SENTENCE_LENGTH and last in LEADING_ON and RELATIVE.isdisjoint(words)


def _take_off_marks(text: str) -> str:
    """Take off marks of JSON, Markdown and HTML, citations, sources, and how sure a model is."""
    if MARK.search(text):
        for marks, read in READERS:
            if any(map(text.__contains__, marks)):
                text = read(text)
    return _drop_notes(text)


def _read_box(text: str) -> str:
    """Write what is boxed as an answer, where one text alone is."""
    return BOXED.sub(r"\nAnswer: \g<text>\n", text) if text.count("\\boxed") == 1 else text


def _read_links(text: str) -> str:
    """Write links as their texts, and drop addresses."""
    return ADDRESS.sub("", WIKI_LINK.sub(r"\g<text>", LINK.sub(r"\g<text>", text)))


def _read_headings(text: str) -> str:
    """Write headings and dashes that announce an answer as "Answer:"."""
    return DASHED_ANSWER.sub(r"\1: ", HEADING.sub("Answer: ", text))


def _drop_notes(text: str) -> str:
    """Drop citations, sources, and how sure a model is; a text that is nothing else stays as it is."""
    rest, plain = OPENED.sub("", text, count=1) if OPENED.match(text) else text, text.lower()
    for words, note in NOTES:
        if any(map(plain.__contains__, words)):
            rest = note.sub("", rest)
    return SPACE.sub("", rest) if re.search(r"\w", rest) else text


def _read_tags(text: str) -> str:
    """Read what is between tags of an answer, else what is between any others."""
    answers = list(ANSWER_TAG.finditer(text))
    if answers:
        text = f"{text[: answers[-1].start()]}\nAnswer: {answers[-1]['text'].strip()}"
    return TAG.sub("", NOTE_TAG.sub("", LINE_TAG.sub("\n", text)))


READERS: tuple[tuple[tuple[str, ...], Callable[[str], str]], ...] = (
    (("{", "```", "~~~"), read_structures),
    (("\\boxed",), _read_box),
    (("|",), read_tables),
    (("<", "[/"), _read_tags),
    (("&",), html.unescape),
    (("[", "http"), _read_links),
    (("\n", "nswer", "NSWER"), _read_headings),
)
"""What takes off marks, each behind texts without which there are none of them."""
MARK = re.compile("|".join(re.escape(mark) for marks, _ in READERS for mark in marks))
