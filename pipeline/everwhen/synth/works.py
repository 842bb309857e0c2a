"""Films and books, and the disambiguation pages that have a film's label."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from everwhen.core.keyed_random import KeyedRandom
from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Snak, Statement
from everwhen.synth.plan import (
    BOOK_CLASSES,
    DISAMBIGUATION,
    FILM_CLASSES,
    GENRES,
    LANGUAGES,
    WorldPlan,
    state_class,
    state_term,
)
from everwhen.synth.statements import (
    DEPRECATED,
    GONE,
    NORMAL,
    PREFERRED,
    When,
    choose_day,
    choose_time,
    derive_item_id,
    in_year,
    on_day,
    state_amount,
    state_doubtful_time,
    state_entity,
    state_external_id,
    state_item,
    state_time,
    state_unknown,
)
from everwhen.synth.truth import CLASS, LABEL, YEAR, Entity, TrueTime, Value, build_item, derive_time, derive_title
from everwhen.synth.words import compose_label, decorate
from everwhen.temporal.precision import Precision
from everwhen.wikidata.properties import Property as P

MINUTE, HOUR, SECOND = 7727, 25235, 11574  # Wikidata's items of units
CAST_POOL = 40
"""Actors who play together."""
UNLABELLED = 0.002
"""Share of films without an English label."""
OLD_IDS = 0.01
"""Share of people that had another id before."""


def is_borrowed(plan: WorldPlan, number: int) -> bool:
    """Whether the book of a number has the label of the film of that number, which is the film of the book."""
    if number >= min(plan.counts["film"], plan.counts["book"]) or plan.shares_label("film", number):
        return False
    return plan.seed_random("book", number).decide(plan.ambiguous_rate, "is filmed")


def compose_film_label(plan: WorldPlan, number: int) -> str:
    """The label of a film; empty where it has none in English. The second of a pair has that of the first."""
    shared = plan.shares_label("film", number)
    number -= number % 2 if shared else 0
    rng = plan.seed_random("film", number)
    if not shared and not is_borrowed(plan, number) and rng.decide(UNLABELLED, "no label"):
        return ""
    return decorate(compose_label(plan.seed, "film", number), rng)


def has_old_id(plan: WorldPlan, person: int) -> bool:
    """Whether a redirect leads to a person."""
    return plan.seed_random("person", person).decide(OLD_IDS, "had another id")


def _state_person(plan: WorldPlan, rng: KeyedRandom, property_: P, number: int, *qualifiers: Snak) -> Statement:
    """A statement that names a person: now and then by an old id, that redirects to today's."""
    own = derive_item_id("person", number)
    is_old = has_old_id(plan, number) and rng.decide(0.5, f"old id of {number}")
    return state_item(property_, own + GONE if is_old else own, NORMAL, qualifiers)


def _state_publication(plan: WorldPlan, rng: KeyedRandom, first: int) -> tuple[TrueTime, list[Statement]]:
    """Choose when a work came out first, with its statements."""
    at = rng.sample_unit("publication is told")
    if at < 0.008:
        return TrueTime(reason=RejectReason.NO_TIME_STATED), []
    if at < 0.011:
        return TrueTime(reason=RejectReason.START_UNKNOWN), [state_unknown(P.PUBLICATION_DATE, "time")]
    # Four fifths are of the window.
    years = (first, 1986) if rng.decide(0.2, "publication before the window") else (1987, 2023)
    when = choose_time(rng, *years, "publication", coarse=0.003)
    if rng.decide(plan.hedged_rate, "publication is doubtful"):
        doubtful, is_known = state_doubtful_time(rng, P.PUBLICATION_DATE, when, "publication")
        return (derive_time(when, when) if is_known else TrueTime(reason=RejectReason.START_UNKNOWN)), doubtful
    return _state_releases(rng, when, at)


def _state_releases(rng: KeyedRandom, when: When, at: float) -> tuple[TrueTime, list[Statement]]:
    """State a publication, now and then with other releases, which are later, or with a claim that was wrong."""

    def state_release(day: date) -> Statement:
        return state_time(P.PUBLICATION_DATE, on_day(day))

    time, first = derive_time(when, when), state_time(P.PUBLICATION_DATE, when)
    if 0.2 <= at < 0.22:
        return time, [first, state_time(P.PUBLICATION_DATE, in_year(when.first.year - 1), DEPRECATED)]
    if at >= 0.2 or when.precision < Precision.YEAR or when.last >= date(2023, 6, 1):
        return time, [first]
    if at < 0.016:
        # A year and a day of the next one's first days, written the other way round: the first is clear.
        return time, [state_release(when.last + timedelta(days=3)), first]
    if at < 0.021 and when.precision == Precision.YEAR:
        other = state_release(when.first + timedelta(days=70))
        return TrueTime(reason=RejectReason.SEVERAL_PUBLICATION_DATES), [first, other]
    later = timedelta(days=rng.sample_between(2, 200, "next release"))
    return time, [first, state_release(when.last + later)]


def _distinguish(time: TrueTime) -> str:
    """Choose what distinguishes a book and the film of it: the year of each, or that one is a film."""
    first, last = time.first_day, time.start_last
    return YEAR if first and last and first.year == last.year else CLASS


def _choose_shared_release(plan: WorldPlan, number: int) -> tuple[When, str | None]:
    """Of two films of one label: when this one came out, and what distinguishes them."""
    pair = plan.seed_random("film", number // 2)
    year = pair.sample_between(1987, 2020, "year of the pair")
    method: str | None = YEAR
    if pair.decide(0.3, "the pair came out in one year"):
        method = None
    elif number % 2:
        year -= pair.sample_between(1, 40, "years between the pair")
    day = choose_day(plan.seed_random("film", number), date(year, 1, 1), date(year, 12, 31), "release")
    return on_day(day), method


def build_film(plan: WorldPlan, number: int) -> Entity:
    """A film."""
    rng = plan.seed_random("film", number)
    text = compose_film_label(plan, number)
    apart = ""
    method: str | None = LABEL
    if plan.shares_label("film", number):
        release, method = _choose_shared_release(plan, number)
        time, dates = derive_time(release, release), [state_time(P.PUBLICATION_DATE, release)]
        apart = f"film {number}"
    else:
        time, dates = _state_publication(plan, rng, 1930)
        if is_borrowed(plan, number):
            apart, method = "film", _distinguish(time)
    class_ = "film" if rng.decide(0.8, "plain film") else rng.pick(FILM_CLASSES[1:], "class")
    durations, values = _state_running_time(rng)
    statements = [
        *(state_class(class_), *dates, *_state_makers(plan, rng), *durations),
        *_state_subject_matter(plan, rng, P.ORIGINAL_LANGUAGE),
    ]
    if rng.decide(0.4, "has an IMDb id"):
        statements.append(state_external_id(P.IMDB_ID, f"tt{rng.sample_between(10**6, 10**7, 'IMDb'):07d}"))
    title = derive_title(text, apart) if text else derive_title("Untitled", f"film {number}")
    article = None if rng.decide(0.01, "no article") else title
    item = build_item(rng, text, "film", (5_000, 0.36), statements, article)
    return Entity(item, "film", "films", time, method if text else None, values=values)


def _state_makers(plan: WorldPlan, rng: KeyedRandom) -> list[Statement]:
    """Directors, the first eighth of the people, and a cast out of a troupe of the others."""
    people = plan.counts["person"]
    directors = max(2, people // 8)
    found = []
    if not rng.decide(0.02, "director unknown"):
        first = rng.sample_skewed(directors, "director")
        found.append(_state_person(plan, rng, P.DIRECTOR, first))
        if rng.decide(0.04, "two directors"):
            second = (first + 1 + rng.sample_below(directors - 1, "second director")) % directors
            found.append(state_entity(P.DIRECTOR, "person", second))
    troupes = max(1, (people - directors) // CAST_POOL)
    troupe = directors + rng.sample_below(troupes, "troupe") * CAST_POOL
    size = min(CAST_POOL, people - troupe)
    is_billed = rng.decide(0.8, "cast is numbered")
    cast = rng.sample_several(rng.sample_between(3, 8, "size of the cast"), size, "cast")
    for position, member in enumerate(cast, 1):
        billed = (Snak(P.SERIES_ORDINAL, "string", "value", str(position)),) if is_billed else ()
        found.append(_state_person(plan, rng, P.CAST_MEMBER, troupe + member, *billed))
    return found


def _state_running_time(rng: KeyedRandom) -> tuple[list[Statement], list[Value]]:
    """Statements of a running time in minutes, hours or seconds, and what it is in minutes."""
    at = rng.sample_unit("running time is told")
    minutes = rng.sample_between(61, 200, "running time")
    halves = rng.sample_between(2, 8, "half hours")
    longer = minutes + rng.sample_between(1, 30, "director's cut")
    unknown = state_unknown(P.DURATION, "quantity")

    def state_duration(text: object, unit: int = MINUTE, rank: str = NORMAL) -> Statement:
        return state_amount(P.DURATION, str(text), unit, rank)

    plain = state_duration(minutes)
    cases: list[tuple[float, list[Statement], int | RejectReason | None]] = [
        (0.03, [], None),
        (0.08, [state_duration(f"{halves / 2:.1f}", HOUR)], halves * 30),
        (0.1, [state_duration(minutes * 60, SECOND)], minutes),
        (0.11, [unknown], RejectReason.VALUE_UNKNOWN),
        (0.14, [plain, state_duration(longer)], RejectReason.SEVERAL_VALUES),
        (0.145, [state_duration(minutes, 0)], RejectReason.OTHER_UNIT),
        (0.17, [plain, state_duration(minutes * 10, rank=DEPRECATED)], minutes),
        (1.0, [plain], minutes),
    ]
    stated, value = next((stated, value) for bound, stated, value in cases if at < bound)
    if value is None:
        return stated, []
    if isinstance(value, RejectReason):
        return stated, [Value("running_time", reason=value)]
    return stated, [Value("running_time", Decimal(value))]


def _state_subject_matter(plan: WorldPlan, rng: KeyedRandom, language: P) -> list[Statement]:
    """Genre, country of origin and language."""
    found = [state_term(P.GENRE, rng.pick(GENRES, "genre"))]
    first = rng.sample_skewed(plan.counts["country"], "origin", 2.0)
    if rng.decide(0.93, "origin is known"):
        second = (first + 1) % plan.counts["country"]
        both = second != first and rng.decide(0.08, "two origins")
        # Of some that two countries made, one counts more.
        rank = PREFERRED if both and rng.decide(0.2, "one origin is preferred") else NORMAL
        found.append(state_entity(P.COUNTRY_OF_ORIGIN, "country", first, rank))
        if both:
            found.append(state_entity(P.COUNTRY_OF_ORIGIN, "country", second))
    if rng.decide(0.9, "language is known"):
        found.append(state_term(language, rng.pick(LANGUAGES, "language")))
    return found


def build_book(plan: WorldPlan, number: int) -> Entity:
    """Build a book; some have the label of the film that was made of them."""
    rng = plan.seed_random("book", number)
    time, dates = _state_publication(plan, rng, 1850)
    class_ = "literary work" if rng.decide(0.5, "plain work") else rng.pick(BOOK_CLASSES[1:], "class")
    statements = [state_class(class_), *dates]
    if rng.decide(0.97, "author is known"):
        authors = max(2, plan.counts["person"] // 6)
        first = rng.sample_skewed(authors, "author")
        statements.append(_state_person(plan, rng, P.AUTHOR, first))
        if rng.decide(0.04, "two authors"):
            statements.append(state_entity(P.AUTHOR, "person", (first + 1) % authors))
    statements += _state_subject_matter(plan, rng, P.LANGUAGE_OF_WORK)
    text, apart, method = decorate(compose_label(plan.seed, "book", number), rng), "", LABEL
    if is_borrowed(plan, number):
        text, apart, method = compose_film_label(plan, number), "book", _distinguish(time)
    item = build_item(rng, text, "book", (2_000, 0.4), statements, derive_title(text, apart))
    return Entity(item, "book", "books", time, method)


def build_disambiguation(plan: WorldPlan, number: int) -> Entity:
    """Build a disambiguation page: it has the label of a film and does not compete with it."""
    text = compose_film_label(plan, number * 7 % plan.counts["film"]) or f"Nothing {number}"
    title = derive_title(text, f"disambiguation {number}")
    id_, stated = derive_item_id("disambiguation", number), (state_class(DISAMBIGUATION),)
    return Entity(Item(id_, text, DISAMBIGUATION, title, 12, stated), "disambiguation", method=None)
