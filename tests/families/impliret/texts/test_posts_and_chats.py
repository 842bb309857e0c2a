"""Posts and chats: their shape, where the statement stands, and what no filler may hold."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from everwhen.core import models
from everwhen.core.errors import InputError
from everwhen.core.keyed_random import KeyedRandom
from everwhen.core.models import read_yaml
from everwhen.core.resources import find_templates
from everwhen.families.impliret import words
from everwhen.families.impliret.texts.dialogue import compose_dialogue
from everwhen.families.impliret.texts.post import compose_post
from everwhen.language.wording import SLOT

CATEGORIES = ("arithmetic", "temporal", "wknow")
DAY = dt.date(2023, 3, 4)
NOUNS = ("smell", "sound", "weight", "warmth", "shine", "rhythm", "colour", "shape", "glow", "hush", "taste", "edge")
DETAILS = [f"the {noun} of it" for noun in NOUNS]
STATEMENTS = [["I stirred the zorbic broth by hand."], ["The zorbic broth was thin.", "I drank it all the same!"]]
UTTERANCE = "I have stirred the zorbic broth. It was thin, but I drank it!"
FOLLOWUPS = ["It tasted of quillwort.", "It left me with a fenberry moustache."]

FORBIDDEN = re.compile(
    r"\d|\b(?:zero|ones?|once|two|twice|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred|thousand"
    r"|million|half|halves|double|triple|quarter|pairs?|couple|dozens?|single|first|seconds?|third"
    r"|days?|daily|weeks?|weekends?|months?|years?|decade|century|hours?|minutes?|seasons?|today|tomorrow|yesterday|tonight"
    r"|mornings?|afternoons?|evenings?|nights?|noon|midnight|midday|ago|later|last|next|previous|dates?|holidays?|birthdays?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october"
    r"|november|december|spring|summer|autumn|winter|fall|christmas|easter"
    r"|french|dutch|german|turkish|english|italian|spanish|greek|roman|chinese|japanese|indian|persian|swiss|danish|irish"
    r"|scottish|welsh|polish|finnish|swede|pole|american|british|european|thai|russian|mexican|turkey|china|chile|cuba|jersey"
    r"|guinea|museum|church|cathedral|castle|palace|tower|university|stadium|theatre|bridge"
    r"|money|prices?|costs?|buys?|buying|bought|purchase|pays?|paid|sells?|sold|sale|shops?|stores?|cheap|expensive|discount"
    r"|bargain|dollars?|cents?|percent|earn|afford|budget|worth|rent|bill)\b",
    re.IGNORECASE,
)
PLANS = re.compile(
    r"\b(?:schedules?|scheduled|appointments?|calendar|deadline|plans?|planned|spends?|spent)\b", re.IGNORECASE
)


def make_row(category: str, place: int) -> dict[str, Any]:
    row = {"category": category, "place": place, "speaker": "Ines", "other_speaker": "Olga"}
    return row | {"message_date": DAY, "message_hour": 8 + place % 10}


@cache
def write_posts(category: str, sentences: int) -> list[str]:
    rng_set, statement = KeyedRandom("7", f"{category} set", 1), STATEMENTS[sentences - 1]
    return [
        compose_post(
            make_row(category, place), statement, DETAILS, rng_set, KeyedRandom("7", f"{category} set 1", place)
        )
        for place in range(30)
    ]


@cache
def write_chats(category: str) -> list[list[tuple[str, str, str]]]:
    """The lines of chats: header, speaker and utterance."""
    rng_set = KeyedRandom("7", f"{category} set", 1)
    chats = [
        compose_dialogue(
            make_row(category, place), UTTERANCE, FOLLOWUPS, rng_set, KeyedRandom("7", f"{category} set 1", place)
        )
        for place in range(30)
    ]
    return [[_split_line(line) for line in chat.split("\n")] for chat in chats]


def _split_line(line: str) -> tuple[str, str, str]:
    header, _, rest = line.partition(", ")
    speaker, _, utterance = rest.partition(": ")
    return header, speaker, utterance


def split_sentences(post: str) -> list[str]:
    return re.split(r"(?<=[.!?]) ", post.split(": ", 1)[1])


POSTS = pytest.mark.parametrize(
    "posts", [write_posts(category, sentences) for category in CATEGORIES for sentences in (1, 2)]
)
CHATS = pytest.mark.parametrize("chats", [write_chats(category) for category in CATEGORIES])


@POSTS
def test_posts_have_five_sentences(posts: list[str]) -> None:
    assert {len(split_sentences(post)) for post in posts} == {5}


@POSTS
def test_posts_have_a_header(posts: list[str]) -> None:
    assert all(
        re.match(rf"2023-03-04 {8 + place % 10:02d}:[0-5]\d, Ines: [A-Z]", post) for place, post in enumerate(posts)
    )


@POSTS
def test_sentences_of_posts_begin_with_a_capital_and_end_with_a_stop(posts: list[str]) -> None:
    assert all(re.fullmatch(r"[A-Z].*[.!?]", sentence) for post in posts for sentence in split_sentences(post))


@pytest.mark.parametrize(("sentences", "places"), [(1, {1, 2, 3}), (2, {1, 2})])
def test_the_statement_stands_at_varying_places(sentences: int, places: set[int]) -> None:
    statement, posts = STATEMENTS[sentences - 1], [split_sentences(post) for post in write_posts("wknow", sentences)]
    assert {post.index(statement[0]) for post in posts} == places
    assert all(post[post.index(statement[0]) :][:sentences] == statement for post in posts)


@POSTS
def test_no_detail_stands_twice_in_a_post(posts: list[str]) -> None:
    assert all(post.count(detail) < 2 for post in posts for detail in DETAILS)


@POSTS
def test_posts_hold_a_detail_or_two(posts: list[str]) -> None:
    assert {sum(detail in post for detail in DETAILS) for post in posts} <= {1, 2}


@POSTS
def test_openers_and_closers_of_a_set_differ(posts: list[str]) -> None:
    sentences = [split_sentences(post) for post in posts]
    assert len({each[0] for each in sentences}) == len({each[-1] for each in sentences}) == len(posts)


@POSTS
def test_posts_tell_what_their_writers_are(posts: list[str]) -> None:
    told = [text for each in words.load_posts().personas for text in (each.who, each.doing)]
    assert all(any(text in post.lower() for text in told) for post in posts)


@CHATS
def test_chats_have_ten_lines(chats: list[list[tuple[str, str, str]]]) -> None:
    assert {len(chat) for chat in chats} == {10}


@CHATS
def test_all_lines_are_of_the_hour(chats: list[list[tuple[str, str, str]]]) -> None:
    for place, chat in enumerate(chats):
        assert all(re.fullmatch(rf"2023-03-04 {8 + place % 10:02d}:[0-5]\d", header) for header, _, _ in chat)


@CHATS
def test_times_never_fall(chats: list[list[tuple[str, str, str]]]) -> None:
    assert all(sorted(chat, key=lambda line: line[0]) == chat for chat in chats)


@CHATS
def test_speakers_take_turns(chats: list[list[tuple[str, str, str]]]) -> None:
    assert all({chat[0][1], chat[1][1]} == {"Ines", "Olga"} for chat in chats)
    assert all(line[1] == chat[place % 2][1] for chat in chats for place, line in enumerate(chat))


@CHATS
def test_either_speaker_begins(chats: list[list[tuple[str, str, str]]]) -> None:
    assert {chat[0][1] for chat in chats} == {"Ines", "Olga"}


@CHATS
def test_the_statement_is_the_second_to_fourth_utterance_of_its_speaker(
    chats: list[list[tuple[str, str, str]]],
) -> None:
    found = {[text for _, name, text in chat if name == "Ines"].index(UTTERANCE) for chat in chats}
    assert found == {1, 2, 3}


@CHATS
def test_nothing_else_tells_what_the_statement_does(chats: list[list[tuple[str, str, str]]]) -> None:
    assert all(sum("zorbic" in text for _, _, text in chat) == 1 for chat in chats)


@CHATS
def test_the_speaker_says_more_after_the_statement(chats: list[list[tuple[str, str, str]]]) -> None:
    for chat in chats:
        own = [text for _, name, text in chat if name == "Ines"]
        assert own[own.index(UTTERANCE) + 1].startswith(FOLLOWUPS[0])


@CHATS
def test_the_other_speaker_asks_before_the_statement(chats: list[list[tuple[str, str, str]]]) -> None:
    for chat in chats:
        texts = [text for _, _, text in chat]
        assert texts[texts.index(UTTERANCE) - 1].endswith("?")


@CHATS
def test_chats_of_a_set_begin_differently(chats: list[list[tuple[str, str, str]]]) -> None:
    assert len({chat[0][2] for chat in chats}) == len(chats)


def test_a_chat_needs_no_more_than_what_is_said_after_the_statement() -> None:
    chat = compose_dialogue(make_row("wknow", 3), UTTERANCE, FOLLOWUPS[:1], *[KeyedRandom("7", "set", 1)] * 2)
    assert chat.count("quillwort") == 1


def test_the_same_numbers_give_the_same_texts() -> None:
    write_chats.cache_clear()
    before = write_chats("temporal")
    write_chats.cache_clear()
    assert write_chats("temporal") == before


def list_alternatives(name: str) -> Iterator[str]:
    """List all alternatives of a template file, without slots."""

    def walk(content: Any) -> Iterator[str]:
        if isinstance(content, str):
            yield SLOT.sub(" ", content)
        else:
            for each in content.values() if isinstance(content, dict) else content:
                yield from walk(each)

    yield from walk(read_yaml(find_templates() / "impliret" / f"{name}.yaml"))


def list_words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


@pytest.mark.parametrize("name", ["posts", "chats"])
def test_no_filler_holds_a_number_a_time_a_place_or_a_price(name: str) -> None:
    assert [text for text in list_alternatives(name) if FORBIDDEN.search(text)] == []


def test_no_filler_of_a_chat_is_about_schedules() -> None:
    assert [text for text in list_alternatives("chats") if PLANS.search(text)] == []


@pytest.mark.parametrize("name", ["posts", "chats"])
def test_no_filler_holds_a_name(name: str) -> None:
    inside = r"(?<![.!?] )(?<!^)\b(?!I\b)[A-Z][^\W\d_]+"
    assert [text for text in list_alternatives(name) if re.search(inside, text)] == []


def test_no_name_is_a_word_of_a_filler() -> None:
    known = {word for name in ("posts", "chats") for text in list_alternatives(name) for word in list_words(text)}
    assert [name for name in words.load_names() if name.lower() in known] == []


def test_there_are_names_for_a_pool() -> None:
    assert len(words.load_names()) >= 500


def test_no_two_names_differ_by_accents_alone() -> None:
    plain = Counter(
        unicodedata.normalize("NFKD", name).encode("ascii", "ignore").lower() for name in words.load_names()
    )
    assert max(plain.values()) == 1


@pytest.mark.parametrize("part", words.PARTS)
@pytest.mark.parametrize("kind", words.KINDS.values())
def test_a_set_has_a_frame_for_each_of_its_posts(kind: str, part: str) -> None:
    assert words.load_posts().grammar.count(f"{kind}_{part}") >= 29


def test_a_set_has_two_themes_for_each_of_its_chats() -> None:
    assert len(words.load_chats().scenes) >= 60


def test_a_theme_without_a_turn_is_refused() -> None:
    with pytest.raises(ValueError, match="answer: a rule is missing"):
        words.Theme(rules={"tell": ["a"], "ask": ["b"], "comment": ["c"]})


def test_questions_and_answers_are_of_the_same_number() -> None:
    with pytest.raises(ValueError, match="as many alternatives are expected"):
        words.Theme(rules={"tell": ["a"], "ask": ["b", "c"], "answer": ["d"], "comment": ["e"]})


def test_an_unknown_symbol_is_told_with_its_theme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "impliret").mkdir()
    theme = "{cast: {}, rules: {tell: ['{x}'], ask: [b], answer: [d], comment: [e]}}"
    (tmp_path / "impliret" / "chats.yaml").write_text(f"rules: {{hello: [hi]}}\nthemes:\n  tea: {theme}\n")
    for module in (models, words):
        monkeypatch.setattr(module, "find_templates", lambda: tmp_path)
    with pytest.raises(InputError, match=r"chats.yaml: themes.tea: rule tell: unknown symbol x"):
        words.load_chats.__wrapped__()


def test_no_vowel_follows_the_article_a() -> None:
    posts, chats = (read_yaml(find_templates() / "impliret" / f"{name}.yaml") for name in ("posts", "chats"))
    merged = [
        posts["rules"],
        *({**chats["rules"], **each["rules"], **each["cast"]} for each in chats["themes"].values()),
    ]
    following = [
        text
        for rules in merged
        for name in re.findall(r"\ba {(\w+)}", str(list(rules.values())), re.I)
        for text in rules.get(name, ())
    ]
    assert following
    assert not [text for text in following if re.match(r"[aeio]|un[^i]", text, re.I)]
