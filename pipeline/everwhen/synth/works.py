"""Films and books, and the disambiguation pages that bear a film's label."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal

from everwhen.core.reasons import RejectReason
from everwhen.sample.world import Item, Snak, Statement
from everwhen.synth.classes import BOOK_CLASSES, FILM_CLASSES, GENRES, LANGUAGES, class_id, term_id
from everwhen.synth.dates import When, day_between, in_year, on, told
from everwhen.synth.draws import Draws
from everwhen.synth.ids import GONE, item_id
from everwhen.synth.organisations import title_of
from everwhen.synth.plan import Plan
from everwhen.synth.statements import DEPRECATED, PREFERRED, amount, at, external, of_item, unknown
from everwhen.synth.truth import CLASS, LABEL, YEAR, Entity, Time, Value
from everwhen.synth.words import book_name, decorated, film_name
from everwhen.temporal.precision import Precision
from everwhen.wikidata.properties import Property

MINUTE, HOUR, SECOND = 7727, 25235, 11574
TROUPE = 40
"""Actors who play together."""
UNLABELLED = 0.002


def borrowed(plan: Plan, number: int) -> bool:
    """Whether the book of a number bears the label of the film of that number, which is the film of the book."""
    if number >= min(plan.counts["film"], plan.counts["book"]) or plan.pair_shares("film", number):
        return False
    return plan.draws("book", number).chance(plan.ambiguous_rate, "is filmed")


def film_label(plan: Plan, number: int) -> str:
    """The label of a film; empty where it has none in English."""
    if number % 2 and plan.pair_shares("film", number):
        return film_label(plan, number - 1)
    draws = plan.draws("film", number)
    if not plan.pair_shares("film", number) and not borrowed(plan, number) and draws.chance(UNLABELLED, "no label"):
        return ""
    return decorated(film_name(plan.seed, number), draws)


def person_reference(plan: Plan, draws: Draws, number: int) -> int:
    """The id by which a statement names a person: now and then an old one, that redirects to today's."""
    own = item_id("person", number)
    if plan.draws("person", number).chance(OLD_IDS, "had another id") and draws.chance(0.5, f"old id of {number}"):
        return own + GONE
    return own


OLD_IDS = 0.01
"""Share of people that had another id before."""


def _release(draws: Draws, first: int, what: str) -> When:
    """A date of publication: four fifths in the window."""
    old = draws.chance(0.2, f"{what} before the window")
    day = day_between(draws, date(first if old else 1987, 1, 1), date(1986 if old else 2023, 12, 31), what)
    return told(draws, day, what, coarse=0.003)


def _publication(draws: Draws, first: int) -> tuple[Time, list[Statement]]:
    """When a work came out first, and the statements that tell it."""
    at_ = draws.unit("publication is told")
    if at_ < 0.008:
        return Time(reason=RejectReason.NO_TIME_STATED), []
    if at_ < 0.011:
        return Time(reason=RejectReason.START_UNKNOWN), [unknown(Property.PUBLICATION_DATE, "time")]
    when = _release(draws, first, "publication")
    statements = [at(Property.PUBLICATION_DATE, when)]
    if when.precision >= Precision.YEAR and when.last < date(2023, 6, 1):
        if at_ < 0.016:
            # A year and a day of the next one's first days, written the other way round: the first is clear.
            statements.insert(0, at(Property.PUBLICATION_DATE, on(when.last + timedelta(days=3))))
        elif at_ < 0.021 and when.precision == Precision.YEAR:
            statements.append(at(Property.PUBLICATION_DATE, on(when.first + timedelta(days=70))))
            return Time(reason=RejectReason.SEVERAL_PUBLICATION_DATES), statements
        elif at_ < 0.2:
            statements.append(
                at(Property.PUBLICATION_DATE, on(when.last + timedelta(days=draws.between(2, 200, "next release"))))
            )
    if 0.2 <= at_ < 0.22:
        statements.append(at(Property.PUBLICATION_DATE, in_year(when.first.year - 1), DEPRECATED))
    return _instant(when), statements


def _apart(time: Time) -> str:
    """What tells a book and the film of it apart: the year of each, or where one is not known, that it is a film."""
    first, last = time.first_day, time.start_last
    return YEAR if first and last and first.year == last.year else CLASS


def _instant(when: When) -> Time:
    return Time(when.first, when.last, when.last, when.precision, when.precision)


def _shared_release(plan: Plan, number: int) -> tuple[When, str | None] | None:
    """Of two films of one label: when this one came out, and what tells them apart."""
    if not plan.pair_shares("film", number):
        return None
    pair = plan.draws("film", number // 2)
    year = pair.between(1987, 2020, "year of the pair")
    method: str | None = YEAR
    if pair.chance(0.3, "the pair came out in one year"):
        method = None
    elif number % 2:
        year -= pair.between(1, 40, "years between the pair")
    day = day_between(plan.draws("film", number), date(year, 1, 1), date(year, 12, 31), "release")
    return on(day), method


def make_film(plan: Plan, number: int) -> Entity:
    """A film."""
    draws = plan.draws("film", number)
    shared = _shared_release(plan, number)
    if shared:
        time, dates, method = _instant(shared[0]), [at(Property.PUBLICATION_DATE, shared[0])], shared[1]
    else:
        time, dates = _publication(draws, 1930)
        method = _apart(time) if borrowed(plan, number) else LABEL
    statements = [of_item(Property.INSTANCE_OF, class_id(_film_class(draws))), *dates, *_makers(plan, draws)]
    told_, value = _running_time(draws)
    statements += told_
    statements += _about(plan, draws, "film")
    if draws.chance(0.4, "has an IMDb id"):
        statements.append(external(Property.IMDB_ID, f"tt{draws.between(10**6, 10**7, 'IMDb'):07d}"))
    text = film_label(plan, number)
    apart = f"film {number}" if shared or not text else "film" if method != LABEL else ""
    title = None if draws.chance(0.01, "no article") else title_of(text or "Untitled", apart)
    item = Item(*(item_id("film", number), text, "film", title, draws.tail(5_000, 0.36, "views"), tuple(statements)))
    return Entity(
        *(item, "film", "films"), time=time, method=method if text else None, min_views=5_000, values=value
    ).judge()


def _film_class(draws: Draws) -> str:
    return "film" if draws.chance(0.8, "plain film") else draws.pick(FILM_CLASSES[1:], "class")


def _makers(plan: Plan, draws: Draws) -> list[Statement]:
    """Directors, the first eighth of the people, and a cast out of a troupe of the others."""
    people = plan.counts["person"]
    directors = max(2, people // 8)
    found = []
    if not draws.chance(0.02, "director unknown"):
        first = draws.skewed(directors, "director")
        found.append(of_item(Property.DIRECTOR, person_reference(plan, draws, first)))
        if draws.chance(0.04, "two directors"):
            second = (first + 1 + draws.below(directors - 1, "second director")) % directors
            found.append(of_item(Property.DIRECTOR, item_id("person", second)))
    actors = people - directors
    troupe = directors + draws.below(max(1, actors // TROUPE), "troupe") * TROUPE
    size = min(TROUPE, people - troupe)
    is_billed = draws.chance(0.8, "cast is numbered")
    for place, member in enumerate(draws.several(draws.between(3, 8, "size of the cast"), size, "cast"), 1):
        billed = (Snak(Property.SERIES_ORDINAL, "string", "value", str(place)),) if is_billed else ()
        actor = person_reference(plan, draws, troupe + member)
        found.append(of_item(Property.CAST_MEMBER, actor, qualifiers=billed))
    return found


def _running_time(draws: Draws) -> tuple[list[Statement], list[Value]]:
    """Statements of a running time in minutes, hours or seconds, and what it is in minutes."""
    at_ = draws.unit("running time is told")
    minutes = draws.between(61, 200, "running time")
    if at_ < 0.03:
        return [], []
    if at_ < 0.08:
        halves = draws.between(2, 8, "half hours")
        return [amount(Property.DURATION, f"{halves / 2:.1f}", HOUR)], [Value("running_time", Decimal(halves * 30))]
    if at_ < 0.1:
        return [amount(Property.DURATION, str(minutes * 60), SECOND)], [Value("running_time", Decimal(minutes))]
    if at_ < 0.11:
        return [unknown(Property.DURATION, "quantity")], [Value("running_time", reason=RejectReason.VALUE_UNKNOWN)]
    found = [amount(Property.DURATION, str(minutes), MINUTE)]
    if at_ < 0.14:
        found.append(amount(Property.DURATION, str(minutes + draws.between(1, 30, "director's cut")), MINUTE))
        return found, [Value("running_time", reason=RejectReason.SEVERAL_VALUES)]
    if at_ < 0.145:
        return [amount(Property.DURATION, str(minutes))], [Value("running_time", reason=RejectReason.OTHER_UNIT)]
    if at_ < 0.17:
        found.append(amount(Property.DURATION, str(minutes * 10), MINUTE, DEPRECATED))
    return found, [Value("running_time", Decimal(minutes))]


def _about(plan: Plan, draws: Draws, kind: str) -> list[Statement]:
    """Genre, country of origin and language."""
    found = [of_item(Property.GENRE, term_id(draws.pick(GENRES, "genre")))]
    first = draws.skewed(plan.counts["country"], "origin", 2.0)
    if draws.chance(0.93, "origin is known"):
        second = (first + 1) % plan.counts["country"]
        both = second != first and draws.chance(0.08, "two origins")
        # Of some that two countries made, one counts more.
        rank = PREFERRED if both and draws.chance(0.2, "one origin is preferred") else "normal"
        found.append(of_item(Property.COUNTRY_OF_ORIGIN, item_id("country", first), rank))
        if both:
            found.append(of_item(Property.COUNTRY_OF_ORIGIN, item_id("country", second)))
    if draws.chance(0.9, "language is known"):
        property_id = Property.ORIGINAL_LANGUAGE if kind == "film" else Property.LANGUAGE_OF_WORK
        found.append(of_item(property_id, term_id(draws.pick(LANGUAGES, "language"))))
    return found


def make_book(plan: Plan, number: int) -> Entity:
    """A book; some bear the label of the film that was made of them."""
    draws = plan.draws("book", number)
    time, dates = _publication(draws, 1850)
    kind = "literary work" if draws.chance(0.5, "plain work") else draws.pick(BOOK_CLASSES[1:], "class")
    statements = [of_item(Property.INSTANCE_OF, class_id(kind)), *dates]
    if draws.chance(0.97, "author is known"):
        authors = max(2, plan.counts["person"] // 6)
        first = draws.skewed(authors, "author")
        statements.append(of_item(Property.AUTHOR, person_reference(plan, draws, first)))
        if draws.chance(0.04, "two authors"):
            statements.append(of_item(Property.AUTHOR, item_id("person", (first + 1) % authors)))
    statements += _about(plan, draws, "book")
    filmed = borrowed(plan, number)
    text = film_label(plan, number) if filmed else decorated(book_name(plan.seed, number), draws)
    item = Item(
        *(item_id("book", number), text, "book", title_of(text, "book" if filmed else "")),
        *(draws.tail(2_000, 0.4, "views"), tuple(statements)),
    )
    method = _apart(time) if filmed else LABEL
    return Entity(*(item, "book", "books"), time=time, method=method, min_views=2_000).judge()


def make_disambiguation(plan: Plan, number: int) -> Entity:
    """A disambiguation page: it bears the label of a film and does not compete with it."""
    text = film_label(plan, number * 7 % plan.counts["film"]) or f"Nothing {number}"
    item = Item(
        *(item_id("disambiguation", number), text, "Wikimedia disambiguation page"),
        *(title_of(text, f"disambiguation {number}"), 12),
        (of_item(Property.INSTANCE_OF, class_id("Wikimedia disambiguation page")),),
    )
    return Entity(item, "disambiguation", method=None)
