"""Levels 2 and 3: what of a timeline holds in a window or beside a fact, and what is the k-th, last or next."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from everwhen.core.columns import add_once
from everwhen.families.time_benchmark.evaluation.refusals import NO_ANSWER
from everwhen.families.time_benchmark.phrases import Opening, write_clause, write_question
from everwhen.families.time_benchmark.tasks.candidates import LAST_YEAR, Texts, build_candidates, fill_clause
from everwhen.language.wording_spark import fill_wording
from everwhen.tables.world import BEGUN, CLOSED
from everwhen.temporal.allen import BOUNDS, Predicate
from everwhen.temporal.allen_spark import IntervalColumns
from everwhen.temporal.phrases_spark import write_amount, write_date, write_ordinal_word
from everwhen.temporal.sets_spark import compute_once, find_kth, find_members, find_next, find_previous

TRIED = {"windows": 200, "premises": 80, "anchors": 40, "dates": 20}
"""Of a text, how many windows, windows with a premise, timelines with a fact, and with a date are tried, by hash.

Pairs of timelines and facts grow with the square of a text's length."""
MAX_ANSWERS = 3
MAX_YEARS = 6
"""Years of a window, at most."""
MOVED = 4
"""Years between a moved fact and its own time, or the years that are asked, at most."""
MAX_ORDINAL = 6
SPANS = (2, 3, 5, 10)
"""Years before or after an anchor within which a fact is asked for."""
TIMELINE = ("entity", "property", "side")


def begin_question(question: Opening, **slots: Column) -> Column:
    """Write the beginning of a question about the timeline of a row.

    Who played for a team, no snapshot says in full: such questions, too, ask of those named in the text.
    """
    text = write_question(question, F.col("property"), F.col("side"), {"entity": F.col("entity_phrase"), **slots})
    is_plain = F.col("is_whole") & (F.col("side") == "subject")
    scope = "of those named in the text, "
    named = scope if question == "would" else scope.capitalize()

    def add_scope(plain: Column) -> Column:
        start = F.lower(F.substring(plain, 1, 1))
        return F.when(is_plain, plain).otherwise(F.concat(F.lit(named), start, F.substr(plain, F.lit(2))))

    return compute_once(text, add_scope)


def _describe(**more: Column) -> Column:
    """Describe the timeline that is asked about, and what else there is; what is null is left out."""
    pairs = {
        "entity": F.concat(F.lit("Q"), "entity"),
        "property": F.concat(F.lit("P"), "property"),
        "side": F.col("side"),
        "scope": F.when(~F.col("is_whole"), "text"),
        **more,
    }
    described = F.create_map(*(part for name, value in pairs.items() for part in (F.lit(name), value.cast("string"))))
    return F.map_filter(described, lambda _, value: value.isNotNull())


def _find_names(rows: DataFrame, found: Column) -> DataFrame:
    """Add what was found, and its names: columns found and names, null where members are undecided."""
    names = F.array_sort(F.array_distinct("found.name")).alias("names")
    return add_once(add_once(rows, found.alias("found")), names)


def _bound(fact: Column | IntervalColumns) -> Column:
    """Build a struct of the bounds of an interval, or of a fact."""
    interval = fact if isinstance(fact, IntervalColumns) else IntervalColumns.from_struct(fact)
    return F.struct(*(column.alias(name) for name, column in zip(BOUNDS, interval, strict=True)))


def _answer_names(is_none: Column, names: str) -> Column:
    return F.when(is_none, F.array(F.lit(NO_ANSWER))).otherwise(F.col(names))


def _list_years(bound: str) -> Column:
    """List the years of a bound of the facts of a timeline; where it is open, those of their latest starts."""
    return F.transform("members", lambda each: F.year(F.coalesce(each[bound], each["latest_start"])))


def list_windows(texts: Texts) -> DataFrame:
    """List windows of years whose ends a text does not mention: columns first, last, day and last_day."""
    first, last = F.array_min(_list_years("earliest_start")), F.array_max(_list_years("latest_end"))
    years = F.explode(F.sequence(first - 1, last))
    rows = texts.timelines.withColumn("first", years).join(texts.years, "context_id")
    length = F.pmod(texts.hash("context_id", *TIMELINE, "first"), F.lit(MAX_YEARS)).cast("int")
    rows = rows.withColumn("last", F.col("first") + length)
    unmentioned = rows.where(~_is_mentioned("first", "last") & (F.col("last") <= LAST_YEAR))
    return _try(texts, unmentioned, "windows", *TIMELINE, "first").withColumns(
        {"day": F.make_date("first", F.lit(1), F.lit(1)), "last_day": F.make_date("last", F.lit(12), F.lit(31))}
    )


def _is_mentioned(*years: str) -> Column:
    """Tell whether a text mentions one of two years."""
    return F.arrays_overlap("mentioned", F.array(*years))


def _try(texts: Texts, rows: DataFrame, what: str, *key: str) -> DataFrame:
    """Keep of each text the rows that are tried."""
    by_hash = Window.partitionBy("context_id").orderBy(texts.hash(F.lit(what), "context_id", *key))
    return rows.withColumn("tried", F.row_number().over(by_hash)).where(F.col("tried") <= TRIED[what]).drop("tried")


def ask_in_window(texts: Texts, windows: DataFrame) -> DataFrame:
    """Explicit Reasoning: all of a timeline on any day of a window."""
    window = IntervalColumns.from_ends("day", "last_day")
    found = find_members(F.col("members"), Predicate.INTERSECTS, window)
    rows = _find_names(windows, found)
    return build_candidates(
        texts,
        rows.where(F.size("names").between(1, MAX_ANSWERS)),
        "explicit_reasoning",
        question=fill_wording("{which} at any time {window}?", which=begin_question("which"), window=_write_window()),
        answer=F.col("names"),
        evidence=F.col("found.statement_id"),
        parameters=_describe(first=F.col("first"), last=F.col("last")),
        days=_bound(window),
    )


def _write_window(first: str = "first", last: str = "last") -> Column:
    years = {"first": F.col(first), "last": F.col(last)}
    several = fill_wording("from {first} to {last}", **years)
    return F.when(years["first"] == years["last"], fill_wording("in {first}", **years)).otherwise(several)


def ask_kth(texts: Texts) -> DataFrame:
    """Order Reasoning: the k-th of a timeline by begin, or the last."""
    size = F.size("members")
    is_once = F.size(F.array_distinct("members.other")) == size
    numbers = F.explode(F.concat(F.sequence(F.lit(1), F.least(size, F.lit(MAX_ORDINAL))), F.array(F.lit(-1))))
    rows = texts.timelines.where(is_once & (size >= 3)).withColumn("k", numbers)
    rows = add_once(rows, find_kth(F.col("members"), F.col("k")).alias("found"))
    nth = F.when(F.col("k") == -1, "last").otherwise(write_ordinal_word(F.col("k")))
    return build_candidates(
        texts,
        rows.where(F.size("found") == 1),
        "order_reasoning",
        question=F.concat(begin_question("nth", nth=nth), F.lit("?")),
        answer=F.col("found.name"),
        evidence=F.col("members.statement_id"),
        parameters=_describe(k=F.col("k")),
        days=_bound(F.get("found", F.lit(0))),
    )


def list_anchored(texts: Texts) -> DataFrame:
    """List timelines with each fact of their text that is none of theirs: struct anchor."""
    anchor = F.struct(
        "statement_id", "property", "subject_phrase", "value_phrase", "subject", "value_item", "kind", *BOUNDS
    )
    anchors = texts.facts.where("is_single").select("context_id", anchor.alias("anchor"))
    rows = texts.timelines.join(anchors, "context_id")
    is_member = F.array_contains("members.statement_id", F.col("anchor.statement_id"))
    outside = rows.where(~is_member & ~F.array_contains("members.other", F.col("anchor.subject")))
    return _try(texts, outside, "anchors", *TIMELINE, "anchor.statement_id")


def list_dates(texts: Texts) -> DataFrame:
    """List timelines with days within the years that they mention: column date."""
    starts = _list_years("earliest_start")
    years = F.explode(F.sequence(F.array_min(starts), F.least(F.array_max(starts) + 1, F.lit(LAST_YEAR))))
    rows = texts.timelines.withColumn("year", years)
    day = F.pmod(texts.hash(F.lit("date"), "context_id", *TIMELINE, "year"), F.lit(365)).cast("int")
    rows = rows.withColumn("date", F.date_add(F.make_date("year", F.lit(1), F.lit(1)), day))
    return _try(texts, rows, "dates", *TIMELINE, "year")


def ask_around(texts: Texts, anchored: DataFrame, dates: DataFrame) -> DataFrame:
    """Relative Reasoning: the last of a timeline to begin before an anchor, or the first after, in some years; or none.

    An anchor is a date, or the begin of a fact outside the timeline.
    """
    date = F.col("date")
    timeline = ("context_id", *TIMELINE, "entity_phrase", "is_whole", "members")
    begun = anchored.where(F.col("anchor.kind").isin(CLOSED, BEGUN)).select(
        *timeline,
        _bound(F.col("anchor")).alias("at"),
        fill_clause("begin", "anchor").alias("when"),
        F.col("anchor.statement_id").alias("statement"),
    )
    bounds = _bound(IntervalColumns.from_ends(date, date))
    dated = dates.select(*timeline, "date", bounds.alias("at"), write_date(date, month_first=True).alias("when"))
    rows = begun.unionByName(dated, allowMissingColumns=True)
    drawn = texts.hash(F.lit("span"), "context_id", *TIMELINE, F.coalesce("statement", date.cast("string")))
    span = F.get(F.array(*(F.lit(years) for years in (None, *SPANS))), F.pmod(drawn, F.lit(1 + len(SPANS))).cast("int"))
    rows = rows.withColumn("span", span)
    anchor = IntervalColumns.from_struct(F.col("at"))
    nearest = (("before", find_previous(F.col("members"), anchor)), ("after", find_next(F.col("members"), anchor)))
    found = F.array(*(F.struct(F.lit(word).alias("direction"), each.alias("found")) for word, each in nearest))
    is_before, is_none = F.col("direction") == "before", F.size("found") == 0
    is_today = F.col("date").isNotNull() & F.col("span").isNull() & is_before
    within = fill_wording("in the {years} ", years=write_amount(F.col("span"), "year"))
    slots = {"within": F.coalesce(within, F.lit("")), "direction": F.col("direction"), "when": F.col("when")}
    parts = {
        "today": F.when(is_today, fill_wording("Suppose today is {when}. ", **slots)).otherwise(""),
        "nth": begin_question("nth", nth=F.when(is_before, "last").otherwise("first")),
        "relation": F.when(is_today, "").otherwise(fill_wording(" {within}{direction} {when}", **slots)),
    }
    kind = F.when(F.col("span").isNotNull(), "within").when(date.isNotNull(), "date").otherwise("fact")
    return build_candidates(
        texts,
        _keep_in_span(rows.select("*", F.inline(found))),
        "relative_reasoning",
        F.when(is_none, "none").otherwise(kind),
        question=fill_wording("{today}{nth}{relation}?", **parts),
        answer=_answer_names(is_none, "found.name"),
        evidence=F.array_compact(F.concat("members.statement_id", F.array("statement"))),
        parameters=_describe(anchor=F.col("statement"), date=date, span=F.col("span"), direction=F.col("direction")),
        is_refusal=is_none,
        days=F.when(is_none, F.col("at")).otherwise(_bound(F.get("found", F.lit(0)))),
    )


def _keep_in_span(rows: DataFrame) -> DataFrame:
    """Keep what was found in the years before or after its anchor, and leave out rows of which this is not sure."""
    months, one, is_before = F.col("span") * 12, F.get("found", F.lit(0)), F.col("direction") == "before"
    first, last = one["earliest_start"], one["latest_start"]
    shift = F.when(is_before, -months).otherwise(months)
    earliest, latest = F.add_months("at.earliest_start", shift), F.add_months("at.latest_start", shift)
    is_sure = F.when(is_before, first >= latest).otherwise(last <= earliest)
    is_beyond = F.when(is_before, last < earliest).otherwise(first > latest)
    nothing = F.filter("found", lambda each: F.lit(False))
    is_kept = (F.size("found") == 0) | F.col("span").isNull() | is_sure
    found = F.when(is_kept, F.col("found")).when(is_beyond, nothing)
    return rows.withColumn("found", found).where(F.size("found").between(0, 1))


def ask_while(texts: Texts, anchored: DataFrame) -> DataFrame:
    """Co-temporality: all of a timeline that share a day with a fact outside it; or none."""
    anchor = IntervalColumns.from_struct(F.col("anchor"))
    found = find_members(F.col("members"), Predicate.INTERSECTS, anchor)
    rows = _find_names(anchored.where("anchor.kind = 'closed'"), found)
    is_none = F.size("found") == 0
    return build_candidates(
        texts,
        rows.where(F.size("names") <= MAX_ANSWERS).where("names IS NOT NULL"),
        "co_temporality",
        F.when(is_none, "none").otherwise("some"),
        question=fill_wording(
            "{which} while {clause}?", which=begin_question("which"), clause=fill_clause("hold", "anchor")
        ),
        answer=_answer_names(is_none, "names"),
        evidence=F.array_append(
            F.when(is_none, F.col("members")).otherwise(F.col("found"))["statement_id"], F.col("anchor.statement_id")
        ),
        parameters=_describe(anchor=F.col("anchor.statement_id")),
        is_refusal=is_none,
        days=_bound(anchor),
    )


def ask_if(texts: Texts, windows: DataFrame) -> DataFrame:
    """Counterfactual: what holds in a window if one fact of the timeline, and no other, was at another time."""
    rows = windows.withColumn("moved", F.explode(F.filter("members", lambda each: each["kind"] == CLOSED)))
    rows = _try(texts, rows, "premises", *TIMELINE, "first", "moved.statement_id")
    years = ("first", "last", "moved_first", "moved_last")
    rest = F.filter("members", lambda each: each["statement_id"] != F.col("moved.statement_id"))
    own = IntervalColumns.from_ends("day", "last_day")
    found = find_members(rest, Predicate.INTERSECTS, own)
    others = F.transform(rest, lambda each: each["other"])
    shift = 1 + F.pmod(texts.hash("context_id", "moved.statement_id", "first"), F.lit(MOVED)).cast("int")
    length = F.year("moved.earliest_end") - F.year("moved.earliest_start")
    later = F.greatest(F.year("moved.latest_end"), F.col("last")) + shift
    earlier = F.least(F.year("moved.earliest_start"), F.col("first")) - shift - length
    moved = F.when(later + length <= LAST_YEAR, later).otherwise(earlier)
    rows = _find_names(rows, found).withColumns({"moved_first": moved, "moved_last": moved + length})
    rows = add_once(rows, find_members(F.array("moved"), Predicate.INTERSECTS, own).alias("before"))
    before = F.col("before")
    effect = F.when(F.size(before) == 0, "same").when(F.size("found") > 0, "other").otherwise("none")
    is_none = F.size("found") == 0
    is_subject = F.col("side") == "subject"
    ends_of_fact = (F.col("entity_phrase"), F.col("moved.name_phrase"))
    subject, value = (F.when(is_subject, one).otherwise(other) for one, other in (ends_of_fact, ends_of_fact[::-1]))
    had = write_clause("had", F.col("property"), subject, value)
    wording = "If {had} {moved} and at no other time, {would} at any time {window}?"
    spans = {"moved": _write_window("moved_first", "moved_last"), "window": _write_window()}
    is_single = ~F.array_contains(others, F.col("moved.other"))
    is_sound = before.isNotNull() & ~_is_mentioned("moved_first", "moved_last") & is_single
    return build_candidates(
        texts,
        rows.where(F.col("names").isNotNull() & is_sound & (F.size("names") <= MAX_ANSWERS)).where(
            ~((effect == "same") & is_none)
        ),
        "counterfactual",
        effect,
        question=fill_wording(wording, had=had, would=begin_question("would"), **spans),
        answer=_answer_names(is_none, "names"),
        evidence=F.array_append("found.statement_id", F.col("moved.statement_id")),
        parameters=_describe(moved=F.col("moved.statement_id"), effect=effect, **{name: F.col(name) for name in years}),
        is_refusal=is_none,
        days=_bound(own),
    )
