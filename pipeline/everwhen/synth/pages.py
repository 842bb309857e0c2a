"""Year pages with the outcome of each bullet and link, and pageview files: the views of a month, shared out."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from everwhen.core.config import Views
from everwhen.core.keyed_random import KeyedRandom
from everwhen.core.reasons import RejectReason
from everwhen.core.record_counts import RecordCounts
from everwhen.sample.pageviews import ACCESS, format_hourly_views, split
from everwhen.sample.world import SampleSentence
from everwhen.sample.year_pages import render_page
from everwhen.synth.events import build_event, build_stray, choose_role
from everwhen.synth.places import compose_country_label
from everwhen.synth.plan import WorldPlan
from everwhen.synth.truth import Entity
from everwhen.synth.words import compose_label
from everwhen.temporal.phrases import MONTHS

DEATHS = 5
"""Bullets of the section Deaths."""

BROKEN_BULLETS: Mapping[str, str] = {
    RejectReason.NO_DATE: "{text}",
    RejectReason.NO_EXACT_DATE: "Late June – {text}",
    RejectReason.NO_SUCH_DAY: "February 30 – {text}",
    RejectReason.SEVERAL_DATES: "June 3 and June 5 – {text}",
    RejectReason.DATE_IN_OTHER_YEAR: "June 3, 1950 – {text}",
    RejectReason.NO_TEXT: "[[June 3]] –",
}
"""Bullets that cannot be dated, by the reason; they are at the end of the page."""


@dataclass(frozen=True)
class Redirect:
    """A line of `redirects.jsonl`, and the reason why it is not followed."""

    line: str
    reason: str | None


@dataclass(frozen=True)
class SynthBullet:
    """A bullet of a year page.

    Attributes:
        year: The page.
        order: By what the bullets of a page are sorted.
        date: Its date as the page writes it; empty for none.
        text: Its wikitext.
        reason: Why it is rejected; None where it is kept.
        links: For each of its links the reason why it does not count; None where it does. Empty if it is rejected.
        redirects: Redirects that its links need.
    """

    year: int
    order: str
    date: str
    text: str
    reason: str | None = None
    links: tuple[str | None, ...] = ()
    redirects: tuple[Redirect, ...] = ()


def render_bullets(plan: WorldPlan, kind: str, number: int) -> list[SynthBullet]:
    """Render the bullets of an event: none, one, or one and a broken one."""
    made = build_event(plan, number) if kind == "event" else build_stray(plan, number)
    role = choose_role(plan, kind, number, made.time)
    if role is None:
        return []
    rng = plan.seed_random(kind, number)
    title = str(made.item.title)
    linked, redirects = _choose_target(role, title)
    year, day = _choose_bullet_date(plan, rng, made, role)
    wrong = {"disagrees": RejectReason.DATE_DISAGREES, "untold": made.time.reason}.get(role)
    links: list[str | None] = [wrong]
    text = f"[[{linked}|{made.item.label}]] is in the news"
    if rng.decide(0.3, "names a country"):
        country = rng.sample_below(plan.counts["country"], "country named")
        text += f" in [[{compose_country_label(plan, country)}]]"
        links.append(RejectReason.NOT_AN_OCCURRENCE)
    if rng.decide(plan.broken_rate, "links to nothing"):
        text += f", and so is [[Lost page {kind} {number}]]"
        links.append(RejectReason.NO_ITEM_FOR_ARTICLE)
    if rng.decide(plan.broken_rate, "broken redirect"):
        more, lines = _break_redirects(rng, f"{kind} {number}")
        text += more
        links += [RejectReason.NO_ITEM_FOR_ARTICLE] if more else []
        redirects += lines
    order = f"{kind} {number:09d}"
    found = [SynthBullet(year, order, day, f"{text}.", None, tuple(links), tuple(redirects))]
    if rng.decide(plan.broken_rate, "broken bullet"):
        reason = rng.pick(list(BROKEN_BULLETS), "kind of bullet")
        broken = BROKEN_BULLETS[reason].format(text=f"It is said that [[{title}]] happened.")
        found.append(SynthBullet(year, order, "", broken, reason))
    return found


def _choose_target(role: str, title: str) -> tuple[str, list[Redirect]]:
    """What a bullet links to, and the redirects from there to the article."""
    first, second = f"{title} (old title)", f"{title} (older title)"
    if role == "by redirect":
        return first, [_redirect(first, title)]
    if role == "by two redirects":
        return second, [_redirect(second, first), _redirect(first, title, RejectReason.UNUSED_REDIRECT)]
    return title, []


def _redirect(source: str, target: str, reason: str | None = None) -> Redirect:
    return Redirect(json.dumps({"source": source, "target": target}, ensure_ascii=False), reason)


def _break_redirects(rng: KeyedRandom, name: str) -> tuple[str, list[Redirect]]:
    """What a bullet says more, and redirects that lead nowhere."""
    there, back = f"Round {name}", f"Back {name}"
    unused = _redirect(there, back, RejectReason.UNUSED_REDIRECT)
    split_ = [_redirect(there, f"{n} {name}", RejectReason.SPLIT_TITLE_REDIRECT) for n in ("One", "Two")]
    circle = [_redirect(there, back, RejectReason.CIRCULAR_REDIRECT), _redirect(back, there, unused.reason)]
    cases = [
        (f", see [[{there}]]", circle),
        ("", split_),
        ("", [unused, _redirect(there, back, RejectReason.REPEATED_REDIRECT)]),
        ("", [Redirect(f'{{"source": "{there}"', RejectReason.BAD_REDIRECT)]),
    ]
    return rng.pick(cases, "kind of redirect")


def _choose_bullet_date(plan: WorldPlan, rng: KeyedRandom, made: Entity, role: str) -> tuple[int, str]:
    """Year and date of an event's bullet: its first day, its days where they are of one month, or another date."""
    first, last = made.time.first_day, made.time.last_day
    if role == "untold" or first is None:
        year = rng.sample_between(plan.start.year, plan.end.year, "year told")
        return year, f"{rng.pick(MONTHS, 'month told')} {rng.sample_between(1, 28, 'day told')}"
    if role == "disagrees":
        return first.year, f"December {rng.sample_between(1, 28, 'wrong day')}"
    day = f"{MONTHS[first.month - 1]} {first.day}"
    if last and last > first and (last.year, last.month) == (first.year, first.month):
        return first.year, f"{day}–{last.day}"
    return first.year, day


def write_pages(plan: WorldPlan, found: Iterable[SynthBullet]) -> tuple[dict[str, str], RecordCounts]:
    """The files of all year pages and of their redirects, by name, and what a reader must count."""
    by_year: dict[int, list[SynthBullet]] = {year: [] for year in range(plan.start.year, plan.end.year + 1)}
    counts = RecordCounts()
    redirects: list[Redirect] = []
    for bullet in sorted(found, key=lambda b: (b.year, b.order, b.date, b.text)):
        by_year[bullet.year].append(bullet)
        redirects += bullet.redirects
    files = {}
    for year, of_year in by_year.items():
        page = render_page(year, [SampleSentence(year, b.date, b.text) for b in of_year], _render_deaths(plan, year))
        files[f"{year}.wikitext"] = page
        _count(counts, of_year)
        _count_page_lines(counts, page)
    for redirect in redirects:
        counts.decide("redirect", redirect.reason)
    files["redirects.jsonl"] = "".join(f"{r.line}\n" for r in redirects)
    return files, counts


def _count(counts: RecordCounts, of_year: Sequence[SynthBullet]) -> None:
    """Count a page, its bullets and their links. A date that several share is a bullet above them."""
    counts.keep("page")
    counts.reject("bullet", RejectReason.OUTSIDE_EVENTS, DEATHS)
    dates = Counter(b.date for b in of_year if b.date)
    counts.reject("bullet", RejectReason.HEADING_BULLET, sum(many > 1 for many in dates.values()))
    for bullet in of_year:
        counts.decide("bullet", bullet.reason)
        for link in bullet.links:
            counts.decide("link", link)


def _count_page_lines(counts: RecordCounts, page: str) -> None:
    """Count the lines of a page by what they begin with: all text beside bullets is before the events."""
    reasons = {"": RejectReason.BLANK_PAGE_LINE, "=": RejectReason.HEADING, "*": None}
    reasons |= {"{": RejectReason.ONLY_LAYOUT, "[": RejectReason.ONLY_LAYOUT, "'": RejectReason.OUTSIDE_EVENTS}
    for line in page.split("\n"):
        counts.decide("page line", reasons[line[:1]])


def _render_deaths(plan: WorldPlan, year: int) -> list[str]:
    rng = plan.seed_random("page", year)
    found = []
    for number in range(DEATHS):
        day = date(year, rng.sample_between(1, 12, f"month {number}"), rng.sample_between(1, 28, f"day {number}"))
        name = compose_label(plan.seed, "person", plan.counts["person"] * 3 + year * DEATHS + number)
        found.append(f"* [[{MONTHS[day.month - 1]} {day.day}]] – [[{name}]], of whom more is not known")
    return found


# Views.

VIEW_LINE = "view line"
FEW = 300
"""Below so many views all are of one day."""
DAYS_EACH = 3  # of the others: with two ways of access, six lines an article

BROKEN_VIEWS: Sequence[tuple[str, str]] = (
    ("en.wikipedia Broken_line_{item}", RejectReason.BAD_VIEW_LINE),
    ("en.wikipedia Broken_line_{item} {item} desktop many A1", RejectReason.BAD_VIEW_LINE),
    ("en.wikipedia Broken_line_{item} {item} desktop 5 A5 B0", RejectReason.BAD_VIEW_LINE),
    ("de.wikipedia Zeile_{item} {item} desktop 812 A400M412", RejectReason.OTHER_PROJECT),
)
"""Lines of views that do not count, and why."""


def list_days(views: Views) -> list[date]:
    """The days that have a file: those of the configured period, thirty at most."""
    return [views.start + timedelta(days=n) for n in range(min(30, (views.end - views.start).days + 1))]


def share_views(seed: str, item: int, views: int, days: int) -> Iterator[tuple[int, str, int]]:
    """Day (its number), access and views of each line of an article."""
    first = KeyedRandom(seed, "views", item).sample_below(days, "day")
    if views < FEW:
        yield first, ACCESS[0], views
        return
    parts = split(views, DAYS_EACH * len(ACCESS))
    for number, part in enumerate(parts):
        yield (first + number // len(ACCESS) * (days // DAYS_EACH)) % days, ACCESS[number % len(ACCESS)], part


def render_day_file(
    seed: str, broken_rate: float, rows: Sequence[tuple[str, int, str, int]]
) -> tuple[bytes, RecordCounts]:
    """The content of a day's file, and what a reader must count; a row is title, item, access and views of a line."""
    counts = RecordCounts()
    lines = []
    for title, item, access, views in sorted(rows):
        lines.append(f"en.wikipedia {title.replace(' ', '_')} {item} {access} {views} {format_hourly_views(views)}")
        if access == ACCESS[0]:
            rng = KeyedRandom(seed, "broken views", item)
            if rng.decide(broken_rate, f"of {views}"):
                text, reason = rng.pick(BROKEN_VIEWS, "line")
                lines.append(text.format(item=item))
                counts.reject(VIEW_LINE, reason)
    counts.keep(VIEW_LINE, len(rows))
    return "".join(f"{line}\n" for line in lines).encode(), counts


def render_ignored_files(views: Views) -> dict[str, tuple[bytes, RecordCounts]]:
    """Files that do not count, by name without suffix: of a day before the period, and of machines."""
    before = views.start - timedelta(days=1)
    reasons = {f"pageviews-{before:%Y%m%d}-user": RejectReason.OUTSIDE_PERIOD}
    if views.agent == "user":
        reasons[f"pageviews-{views.start:%Y%m%d}-spider"] = RejectReason.OTHER_AGENT
    lines = "".join(f"en.wikipedia Other_{n} {n} desktop {n} A{n}\n" for n in (1, 2, 3))
    found = {}
    for name, reason in reasons.items():
        counts = RecordCounts()
        counts.reject(VIEW_LINE, reason, 3)
        found[name] = (lines.encode(), counts)
    return found
