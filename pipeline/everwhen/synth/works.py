"""Films and books, and the disambiguation pages that have a film's label."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Snak, Statement
from everwhen.synth.classes import BOOK_CLASSES, FILM_CLASSES, GENRES, LANGUAGES, derive_class_id, derive_term_id
from everwhen.synth.dates import When, choose_day, coarsen_day, in_year, on_day
from everwhen.synth.hedges import state_doubtful_time
from everwhen.synth.ids import GONE, derive_item_id
from everwhen.synth.keyed_random import KeyedRandom
from everwhen.synth.organisations import derive_title
from everwhen.synth.plan import WorldPlan
from everwhen.synth.statements import (
    DEPRECATED,
    PREFERRED,
    state_amount,
    state_external_id,
    state_item,
    state_time,
    state_unknown,
)
from everwhen.synth.truth import CLASS, LABEL, YEAR, Entity, Time, Value
from everwhen.synth.words import compose_book_name, compose_film_name, decorate
from everwhen.temporal.precision import Precision
from everwhen.wikidata.properties import Property

MINUTE, HOUR, SECOND = 7727, 25235, 11574
CAST_POOL = 40
"""Actors who play together."""
UNLABELLED = 0.002


def is_borrowed(plan: WorldPlan, number: int) -> bool:
    """Whether the book of a number has the label of the film of that number, which is the film of the book."""
    if number >= min(plan.counts["film"], plan.counts["book"]) or plan.shares_label("film", number):
        return False
    return plan.seed_random("book", number).decide(plan.ambiguous_rate, "is filmed")


def compose_film_label(plan: WorldPlan, number: int) -> str:
    """The label of a film; empty where it has none in English."""
    if number % 2 and plan.shares_label("film", number):
        return compose_film_label(plan, number - 1)
    rng = plan.seed_random("film", number)
    if not plan.shares_label("film", number) and not is_borrowed(plan, number) and rng.decide(UNLABELLED, "no label"):
        return ""
    return decorate(compose_film_name(plan.seed, number), rng)


def choose_person_reference(plan: WorldPlan, rng: KeyedRandom, number: int) -> int:
    """The id by which a statement names a person: now and then an old one, that redirects to today's."""
    own = derive_item_id("person", number)
    if plan.seed_random("person", number).decide(OLD_IDS, "had another id") and rng.decide(0.5, f"old id of {number}"):
        return own + GONE
    return own


OLD_IDS = 0.01
"""Share of people that had another id before."""


def _choose_release(rng: KeyedRandom, first: int, what: str) -> When:
    """A date of publication: four fifths in the window."""
    old = rng.decide(0.2, f"{what} before the window")
    day = choose_day(rng, date(first if old else 1987, 1, 1), date(1986 if old else 2023, 12, 31), what)
    return coarsen_day(rng, day, what, coarse=0.003)


def _state_publication(plan: WorldPlan, rng: KeyedRandom, first: int) -> tuple[Time, list[Statement]]:
    """Choose when a work came out first, with its statements."""
    at_ = rng.sample_unit("publication is told")
    if at_ < 0.008:
        return Time(reason=RejectReason.NO_TIME_STATED), []
    if at_ < 0.011:
        return Time(reason=RejectReason.START_UNKNOWN), [state_unknown(Property.PUBLICATION_DATE, "time")]
    when = _choose_release(rng, first, "publication")
    if rng.decide(plan.hedged_rate, "publication is doubtful"):
        doubtful, is_known = state_doubtful_time(rng, Property.PUBLICATION_DATE, when, "publication")
        return (_to_instant(when) if is_known else Time(reason=RejectReason.START_UNKNOWN)), doubtful
    statements = [state_time(Property.PUBLICATION_DATE, when)]
    if when.precision >= Precision.YEAR and when.last < date(2023, 6, 1):
        if at_ < 0.016:
            # A year and a day of the next one's first days, written the other way round: the first is clear.
            statements.insert(0, state_time(Property.PUBLICATION_DATE, on_day(when.last + timedelta(days=3))))
        elif at_ < 0.021 and when.precision == Precision.YEAR:
            statements.append(state_time(Property.PUBLICATION_DATE, on_day(when.first + timedelta(days=70))))
            return Time(reason=RejectReason.SEVERAL_PUBLICATION_DATES), statements
        elif at_ < 0.2:
            statements.append(
                state_time(
                    Property.PUBLICATION_DATE,
                    on_day(when.last + timedelta(days=rng.sample_between(2, 200, "next release"))),
                )
            )
    if 0.2 <= at_ < 0.22:
        statements.append(state_time(Property.PUBLICATION_DATE, in_year(when.first.year - 1), DEPRECATED))
    return _to_instant(when), statements


def _distinguish(time: Time) -> str:
    """Choose what distinguishes a book and the film of it: the year of each, or that one is a film."""
    first, last = time.first_day, time.start_last
    return YEAR if first and last and first.year == last.year else CLASS


def _to_instant(when: When) -> Time:
    return Time(when.first, when.last, when.last, when.precision, when.precision)


def _choose_shared_release(plan: WorldPlan, number: int) -> tuple[When, str | None] | None:
    """Of two films of one label: when this one came out, and what distinguishes them."""
    if not plan.shares_label("film", number):
        return None
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
    shared = _choose_shared_release(plan, number)
    if shared:
        time, dates, method = _to_instant(shared[0]), [state_time(Property.PUBLICATION_DATE, shared[0])], shared[1]
    else:
        time, dates = _state_publication(plan, rng, 1930)
        method = _distinguish(time) if is_borrowed(plan, number) else LABEL
    statements = [
        state_item(Property.INSTANCE_OF, derive_class_id(_choose_film_class(rng))),
        *dates,
        *_state_makers(plan, rng),
    ]
    durations, value = _state_running_time(rng)
    statements += durations
    statements += _state_subject_matter(plan, rng, "film")
    if rng.decide(0.4, "has an IMDb id"):
        statements.append(state_external_id(Property.IMDB_ID, f"tt{rng.sample_between(10**6, 10**7, 'IMDb'):07d}"))
    text = compose_film_label(plan, number)
    apart = f"film {number}" if shared or not text else "film" if method != LABEL else ""
    title = None if rng.decide(0.01, "no article") else derive_title(text or "Untitled", apart)
    item = Item(
        *(
            derive_item_id("film", number),
            text,
            "film",
            title,
            rng.sample_pareto(5_000, 0.36, "views"),
            tuple(statements),
        )
    )
    return Entity(
        *(item, "film", "films"), time=time, method=method if text else None, min_views=5_000, values=value
    ).judge()


def _choose_film_class(rng: KeyedRandom) -> str:
    return "film" if rng.decide(0.8, "plain film") else rng.pick(FILM_CLASSES[1:], "class")


def _state_makers(plan: WorldPlan, rng: KeyedRandom) -> list[Statement]:
    """Directors, the first eighth of the people, and a cast out of a troupe of the others."""
    people = plan.counts["person"]
    directors = max(2, people // 8)
    found = []
    if not rng.decide(0.02, "director unknown"):
        first = rng.sample_skewed(directors, "director")
        found.append(state_item(Property.DIRECTOR, choose_person_reference(plan, rng, first)))
        if rng.decide(0.04, "two directors"):
            second = (first + 1 + rng.sample_below(directors - 1, "second director")) % directors
            found.append(state_item(Property.DIRECTOR, derive_item_id("person", second)))
    actors = people - directors
    troupe = directors + rng.sample_below(max(1, actors // CAST_POOL), "troupe") * CAST_POOL
    size = min(CAST_POOL, people - troupe)
    is_billed = rng.decide(0.8, "cast is numbered")
    for position, member in enumerate(
        rng.sample_several(rng.sample_between(3, 8, "size of the cast"), size, "cast"), 1
    ):
        billed = (Snak(Property.SERIES_ORDINAL, "string", "value", str(position)),) if is_billed else ()
        actor = choose_person_reference(plan, rng, troupe + member)
        found.append(state_item(Property.CAST_MEMBER, actor, qualifiers=billed))
    return found


def _state_running_time(rng: KeyedRandom) -> tuple[list[Statement], list[Value]]:
    """Statements of a running time in minutes, hours or seconds, and what it is in minutes."""
    at_ = rng.sample_unit("running time is told")
    minutes = rng.sample_between(61, 200, "running time")
    if at_ < 0.03:
        return [], []
    if at_ < 0.08:
        halves = rng.sample_between(2, 8, "half hours")
        return [state_amount(Property.DURATION, f"{halves / 2:.1f}", HOUR)], [
            Value("running_time", Decimal(halves * 30))
        ]
    if at_ < 0.1:
        return [state_amount(Property.DURATION, str(minutes * 60), SECOND)], [Value("running_time", Decimal(minutes))]
    if at_ < 0.11:
        return [state_unknown(Property.DURATION, "quantity")], [
            Value("running_time", reason=RejectReason.VALUE_UNKNOWN)
        ]
    found = [state_amount(Property.DURATION, str(minutes), MINUTE)]
    if at_ < 0.14:
        found.append(
            state_amount(Property.DURATION, str(minutes + rng.sample_between(1, 30, "director's cut")), MINUTE)
        )
        return found, [Value("running_time", reason=RejectReason.SEVERAL_VALUES)]
    if at_ < 0.145:
        return [state_amount(Property.DURATION, str(minutes))], [Value("running_time", reason=RejectReason.OTHER_UNIT)]
    if at_ < 0.17:
        found.append(state_amount(Property.DURATION, str(minutes * 10), MINUTE, DEPRECATED))
    return found, [Value("running_time", Decimal(minutes))]


def _state_subject_matter(plan: WorldPlan, rng: KeyedRandom, kind: str) -> list[Statement]:
    """Genre, country of origin and language."""
    found = [state_item(Property.GENRE, derive_term_id(rng.pick(GENRES, "genre")))]
    first = rng.sample_skewed(plan.counts["country"], "origin", 2.0)
    if rng.decide(0.93, "origin is known"):
        second = (first + 1) % plan.counts["country"]
        both = second != first and rng.decide(0.08, "two origins")
        # Of some that two countries made, one counts more.
        rank = PREFERRED if both and rng.decide(0.2, "one origin is preferred") else "normal"
        found.append(state_item(Property.COUNTRY_OF_ORIGIN, derive_item_id("country", first), rank))
        if both:
            found.append(state_item(Property.COUNTRY_OF_ORIGIN, derive_item_id("country", second)))
    if rng.decide(0.9, "language is known"):
        property_id = Property.ORIGINAL_LANGUAGE if kind == "film" else Property.LANGUAGE_OF_WORK
        found.append(state_item(property_id, derive_term_id(rng.pick(LANGUAGES, "language"))))
    return found


def build_book(plan: WorldPlan, number: int) -> Entity:
    """Build a book; some have the label of the film that was made of them."""
    rng = plan.seed_random("book", number)
    time, dates = _state_publication(plan, rng, 1850)
    kind = "literary work" if rng.decide(0.5, "plain work") else rng.pick(BOOK_CLASSES[1:], "class")
    statements = [state_item(Property.INSTANCE_OF, derive_class_id(kind)), *dates]
    if rng.decide(0.97, "author is known"):
        authors = max(2, plan.counts["person"] // 6)
        first = rng.sample_skewed(authors, "author")
        statements.append(state_item(Property.AUTHOR, choose_person_reference(plan, rng, first)))
        if rng.decide(0.04, "two authors"):
            statements.append(state_item(Property.AUTHOR, derive_item_id("person", (first + 1) % authors)))
    statements += _state_subject_matter(plan, rng, "book")
    filmed = is_borrowed(plan, number)
    text = compose_film_label(plan, number) if filmed else decorate(compose_book_name(plan.seed, number), rng)
    item = Item(
        *(derive_item_id("book", number), text, "book", derive_title(text, "book" if filmed else "")),
        *(rng.sample_pareto(2_000, 0.4, "views"), tuple(statements)),
    )
    method = _distinguish(time) if filmed else LABEL
    return Entity(*(item, "book", "books"), time=time, method=method, min_views=2_000).judge()


def build_disambiguation(plan: WorldPlan, number: int) -> Entity:
    """Build a disambiguation page: it has the label of a film and does not compete with it."""
    text = compose_film_label(plan, number * 7 % plan.counts["film"]) or f"Nothing {number}"
    item = Item(
        *(derive_item_id("disambiguation", number), text, "Wikimedia disambiguation page"),
        *(derive_title(text, f"disambiguation {number}"), 12),
        (state_item(Property.INSTANCE_OF, derive_class_id("Wikimedia disambiguation page")),),
    )
    return Entity(item, "disambiguation", method=None)
