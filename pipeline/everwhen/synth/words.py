"""Labels in the manner of real ones. No two numbers of a pattern give one label, and no two patterns share one.

Names are made of syllables that can be separated again: consonants, vowels, consonants, vowels and an ending that
begins with a consonant. Numbers beyond the number of combinations get a Roman numeral.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from everwhen.synth.keyed_random import KeyedRandom, permute


def _split_words(text: str, separator: str = " ") -> tuple[str, ...]:
    """The words of a text."""
    return tuple(text.split(separator))


CONSONANTS = _split_words("b br d dr f g gr h j k kr l m n p pr r s sh st t th v z")
VOWELS = _split_words("a e i o u ai ei ou ö á")
TOWN_ENDS = _split_words(
    "burg ton dal nik ra ville sk wick ham mouth field gard holm stad berg polis veld port ka mar ley bridge ford by"
)
COUNTRY_ENDS = _split_words("ria nia stan land via dor")
FAMILY_ENDS = _split_words("son sen ski ley man rez ti ro va tis nen dze yan kov lund gren shi ka da wa")
GIVEN = _split_words(
    "Ana Anders Beatriz Boris Carla Chidi Clara Dana David Dmitri Élise Elena Emil Erik Esther Fatima Felix"
    " Fiona Georg Grace Hana Hector Helga Hiro Ines Ivan Jamal James Jana João José Julia Kaito Karin Kemal"
    " Lars Laura Leila Lena Liam Lucía Luis Magda Maja Marco Maria Martin Mei Milan Mina Nadia Naomi Nils"
    " Noor Olga Omar Oscar Paolo Petra Rafael Ravi René Rosa Ruth Sami Sara Sofía Stefan Sunil Tara Theo"
    " Tomás Ursula Vera Viktor Wei Yara Yusuf Zoé Zoran"
)
ADJECTIVES = _split_words(
    "Silent Broken Crimson Hidden Last Golden Burning Frozen Endless Paper Hollow Distant Savage Gentle"
    " Electric Forgotten Midnight Velvet Iron Crooked Pale Wandering Invisible Second Ordinary Bitter Quiet"
    " Reckless Emerald Lonely Sleeping Restless Wild Stolen Perfect Secret Blue Black White Scarlet Northern"
    " Southern Fallen Rising Falling Foreign Holy Common Tender Strange Ancient Modern Bright Dark Little"
    " Great Sunken Painted Glass Wooden Winter Summer Final Cold"
)
NOUNS = _split_words(
    "River Harbor Garden Promise Letter Winter Soldier Stranger Daughter Brother Empire Mirror Road Island"
    " Horizon Witness Clock Tiger Wolf Sparrow Orchard Bridge Station Summer Season Kingdom Crown Machine"
    " Engine Shadow Lantern Window Door Voyage Hunter Dancer Painter Teacher Doctor Captain Pilot Prisoner"
    " Guest Widow Orphan Queen Jester Thief Gambler Detective Village City Desert Forest Mountaineer Ocean"
    " Storm Fire Ember Stone Diamond Silver Compass Map Bell Choir Carnival Circus Theater Melody Waltz"
    " Sonata Symphony Puzzle Labyrinth Oath Verdict Trial Bargain Gift Inheritance Secretary Ambassador"
    " Republic Frontier Border Canal Lighthouse Cathedral Monument Museum Library Archive Diary"
)
TAILS = _split_words(
    "of Ashes;at Midnight;from Nowhere;in Winter;on the Shore;of the North;without Mercy;under Glass"
    ";of Yesterday;in Exile;at the Gate;of Small Things;beyond the Sea;after the Rain;before Dawn;of Light"
    ";in the Attic;on Fire;for Sale;of Salt;by Moonlight;in Paris;to Nowhere;of Dust;in Love;at War"
    ";of Silence;in Black;on Ice;of Wonders;in Three Acts;at Large;of Kings;on Trial;in Flames;of the Dead"
    ";at Sea;of Tomorrow;in the Sand;off the Map",
    ";",
)
INDUSTRIES = _split_words(
    "Systems;Motors;Pharmaceuticals;Holdings;& Sons;Energy;Foods;Electronics;Textiles;Steel;Media;Logistics"
    ";Software;Chemicals;Instruments;Breweries;Robotics;Publishing;Bank;Insurance;Studios;Watches"
    ";Shipbuilding;Mining;Telecom;Optics",
    ";",
)

NamePattern = tuple[str, Sequence[Sequence[str]]]
"""A text with slots, and the words of each slot."""


def list_syllables(ends: Sequence[str]) -> Sequence[Sequence[str]]:
    """The parts of a name with one of these endings."""
    return (CONSONANTS, VOWELS, CONSONANTS, VOWELS, ends)


FILM_PATTERNS: Sequence[NamePattern] = (
    ("The {} {} {}", (ADJECTIVES, NOUNS, TAILS)),
    ("{} and the {} {}", (GIVEN, ADJECTIVES, NOUNS)),
    ("{}: The {} {}", (NOUNS[:20], ADJECTIVES, NOUNS)),
    ("{} {}", (ADJECTIVES, NOUNS)),
    ("The {} {}", (ADJECTIVES, NOUNS)),
    ("{}{}{}{} {}", (*list_syllables(())[:4], NOUNS[:16])),
)
BOOK_PATTERNS: Sequence[NamePattern] = (
    ("Notes on the {} {} {}", (ADJECTIVES, NOUNS, TAILS)),
    ("{}'s {} {}", (GIVEN, ADJECTIVES, NOUNS)),
    ("A History of the {} {}", (ADJECTIVES, NOUNS)),
)
PERSON_PATTERNS: Sequence[NamePattern] = (("{} {}{}{}{}{}", (GIVEN, *list_syllables(FAMILY_ENDS))),)
TOWN_PATTERNS: Sequence[NamePattern] = (("{}{}{}{}{}", list_syllables(TOWN_ENDS)),)
COUNTRY_PATTERNS: Sequence[NamePattern] = (("{}{}{}{}{}", list_syllables(COUNTRY_ENDS)),)
COMPANY_PATTERNS: Sequence[NamePattern] = (("{}{}{}{}{} {}", (*list_syllables(FAMILY_ENDS), INDUSTRIES)),)

DECORATIONS: Sequence[str] = (
    *(
        "“{}”",
        "{} {{Redux}}",
        "{} & Friends",
        "{} 🎬",
        "{}!",
        "{}?",
        "¿{}?",
        'The "{}" Affair',
        "{} – Director’s Notes",
    ),
    *("{} [sic]", "{} / Reprise", "{}, or: #1", "L’{}", "{} 100%", "{} – 東京"),
)
"""What is put around a label now and then; the label in it is still there to be read."""


def to_roman(number: int) -> str:
    """A number from 1 as a Roman numeral."""
    text = ""
    values = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))
    for value, letters in values:
        while number >= value:
            text, number = text + letters, number - value
    return text


def count_labels(pattern: NamePattern) -> int:
    """Count the labels that a pattern gives."""
    size = 1
    for words in pattern[1]:
        size *= len(words)
    return size


def compose_label(seed: str, what: str, number: int, patterns: Sequence[NamePattern]) -> str:
    """The label of a number: another one for each.

    Args:
        seed: The configuration's seed.
        what: What is labelled; it decides the order in which combinations are used.
        number: The number, from 0.
        patterns: The patterns that share the numbers by how many labels they give.
    """
    size = sum(count_labels(pattern) for pattern in patterns)
    turn, within = divmod(number, size)
    position = permute(seed, what, within, size)
    for pattern in patterns:
        if position < count_labels(pattern):
            break
        position -= count_labels(pattern)
    text = _fill(pattern, position)
    return text if not turn else f"{text} {to_roman(turn + 1)}"


def _fill(pattern: NamePattern, number: int) -> str:
    text, slots = pattern
    chosen = []
    for words in slots:
        number, at = divmod(number, len(words))
        chosen.append(words[at])
    filled = text.format(*chosen)
    if text.startswith("{}{}"):
        return filled[0].upper() + filled[1:]
    if text.startswith("{} {}{}"):
        given, family = filled.split(" ", 1)
        return f"{given} {family[0].upper()}{family[1:]}"
    return filled


def decorate(text: str, rng: KeyedRandom, rate: float = 0.02) -> str:
    """Quotes, braces, ampersands, emoji and the like around a label, in a share of `rate`."""
    return rng.pick(DECORATIONS, "decoration").format(text) if rng.decide(rate, "decorated") else text


def build_namer(what: str, patterns: Sequence[NamePattern]) -> Callable[[str, int], str]:
    """Build a function from seed and number to the label of one type of entity."""
    return lambda seed, number: compose_label(seed, what, number, patterns)


compose_person_name = build_namer("person", PERSON_PATTERNS)
compose_town_name = build_namer("town", TOWN_PATTERNS)
compose_country_name = build_namer("country", COUNTRY_PATTERNS)
compose_film_name = build_namer("film", FILM_PATTERNS)
compose_book_name = build_namer("book", BOOK_PATTERNS)
compose_company_name = build_namer("company", COMPANY_PATTERNS)
