"""The tables of the world: columns with types and meanings."""

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from everwhen.core.table import Column, Table

VALUE_COLUMNS = (
    Column("value_item", "bigint", "item value", nullable=True),
    Column("amount", "decimal(38,9)", "quantity in the unit that is asked for", nullable=True),
    Column("first_day", "date", "first day of a time value", nullable=True),
    Column("last_day", "date", "last day of a time value", nullable=True),
    Column("precision", "tinyint", "precision of a time value", nullable=True),
    Column("calendar", "string", "calendar in which a time value is stated: gregorian or julian", nullable=True),
)
"""A value that is compared or asked for: an item, an amount or a time."""

ATTRIBUTES = Table(
    name="attributes",
    stage="world",
    meaning="The one value of an attribute that a list member has; of attributes that pick all, each value.",
    columns=(
        Column("entity", "bigint", "item id without Q"),
        Column("attribute", "string", "id of the attribute (templates/attributes.yaml)"),
        Column("property", "int", "property id without P"),
        *VALUE_COLUMNS,
    ),
)


AWARDS = Table(
    name="awards",
    stage="world",
    meaning="Somebody received an award (P166).",
    columns=(
        Column("award", "bigint", "item id of the award"),
        Column("recipient", "bigint", "item id of the recipient"),
        Column("statement_id", "string", "the award received statement"),
        Column("first_day", "date", "first day of the point in time; null where it is not usable", nullable=True),
        Column("last_day", "date", "its last day", nullable=True),
        Column("precision", "tinyint", "its precision: 9 year, 10 month, 11 day", nullable=True),
        Column("calendar", "string", "calendar in which it is stated: gregorian or julian", nullable=True),
        Column("once", "boolean", "whether the recipient has received the award once, unusable statements counted too"),
        Column("complete", "boolean", "whether all statements of the award have a usable point in time"),
    ),
)


DESCRIPTIONS = Table(
    name="descriptions",
    stage="world",
    meaning="A description that names no name and fits one event or item only.",
    columns=(
        Column("entity", "bigint", "item id without Q"),
        Column("key", "string", "id of the form (templates/descriptions.yaml); one row an entity and form"),
        Column(
            "properties",
            "array<int>",
            "what it mentions, and what follows from that, as property ids without P: country, attribute, and the date of an item whose year it mentions",
        ),
        Column("mentions_year", "boolean", "whether it mentions the year"),
        Column("items", "array<bigint>", "the items that it names, in the text's order; not the country"),
        Column("country", "bigint", "the country that it mentions", nullable=True),
        Column("amount", "decimal(38,9)", "the quantity that it mentions, in the attribute's unit", nullable=True),
        Column("description", "string", "such as: the 1991 air crash that killed 223 people"),
    ),
)


MEMBERS = Table(
    name="members",
    stage="world",
    meaning="An entity that belongs to an entity list, before any cut by views.",
    columns=(
        Column("list", "string", "id of the entity list (templates/entities)"),
        Column("entity", "bigint", "item id without Q"),
        Column("certain", "boolean", "whether a class that is not hedged makes it a member, or an endpoint says so"),
        Column("first_day", "date", "first day of its start; null where no usable time is stated", nullable=True),
        Column("last_day", "date", "last day of its end; null where none is stated or it is open", nullable=True),
        Column("start_last", "date", "last day of its start", nullable=True),
        Column(
            "end_first",
            "date",
            "first day of its end, of an instant that of its start; null as last_day",
            nullable=True,
        ),
        Column("start_precision", "tinyint", "precision of the start: 9 year, 10 month, 11 day", nullable=True),
        Column("precision", "tinyint", "the coarser of the precisions of start and end", nullable=True),
        Column("start_calendar", "string", "calendar in which the start is stated: gregorian or julian", nullable=True),
        Column(
            "end_calendar",
            "string",
            "calendar in which the end is stated; of an instant that of its start",
            nullable=True,
        ),
        Column(
            "extent",
            "string",
            "instant (one time), span (start and end) or open (start without end)",
            nullable=True,
        ),
        Column("earliest", "date", "first day on which it may have begun, by all that is stated", nullable=True),
        Column(
            "latest",
            "date",
            "last day on which it may have ended, by all that is stated; null where it is open or not known",
            nullable=True,
        ),
        Column("countries", "array<bigint>", "countries (best rank, by the list's properties), ascending"),
        Column("reason", "string", "why its time is of no use; null where it is of use", nullable=True),
    ),
)


NAMES = Table(
    name="names",
    stage="world",
    meaning="What an entity is called in questions, so that only it can be meant.",
    columns=(
        Column("entity", "bigint", "item id without Q; unique"),
        Column(
            "name",
            "string",
            "the least name that is not ambiguous, with its article: label, else with class, else with year",
        ),
        Column("long_name", "string", "the same with the class noun where the label is a title: the film Titanic"),
        Column("label", "string", "English label, as answers give it"),
        Column("method", "string", "label, class or year: what it took to be unambiguous"),
    ),
)


POPULARITY = Table(
    name="popularity",
    stage="world",
    meaning="Views of an entity against the standard deviation of its population.",
    total_by="population",
    total_of="entity",
    columns=(
        Column("entity", "bigint", "item id without Q; unique"),
        Column("population", "string", "events or items: the one with whose views its own are compared"),
        Column("member", "boolean", "whether it belongs to that population, and is not only compared with it"),
        Column("views", "bigint", "views in the configured period; null where unknown", nullable=True),
        Column("popular", "boolean", "views squared at or above the variance, exactly; false where unknown"),
    ),
)


POSITION_TERMS = Table(
    name="position_terms",
    stage="world",
    meaning="A term: somebody held a position from a start to an end.",
    columns=(
        Column("position_id", "bigint", "item id of the position"),
        Column(
            "jurisdiction_id", "bigint", "the one country or other area (P1001) that the position is of", nullable=True
        ),
        Column("holder_id", "bigint", "item id of the holder"),
        Column("statement_id", "string", "the position held statement (P39)"),
        Column("earliest_start", "date", "first day of the start"),
        Column("latest_start", "date", "last day of the start"),
        Column("start_precision", "tinyint", "precision of the start"),
        Column("start_calendar", "string", "calendar in which the start is stated: gregorian or julian"),
        Column("earliest_end", "date", "first day of the end; null where the term is open", nullable=True),
        Column("latest_end", "date", "last day of the end; null where the term is open", nullable=True),
        Column("end_precision", "tinyint", "precision of the end", nullable=True),
        Column("end_calendar", "string", "calendar in which the end is stated", nullable=True),
        Column(
            "is_complete",
            "boolean",
            "whether every term of the position has a usable start and end, so that successions are known",
        ),
        Column(
            "is_only_term",
            "boolean",
            "whether the holder has held the position in this one term, unusable ones counted too",
        ),
    ),
)


PROPERTY_PATHS = Table(
    name="hops",
    stage="world",
    meaning="A value reached from an entity over a property path, each property of which has one value.",
    columns=(
        Column("entity", "bigint", "item id of the head"),
        Column("hop", "string", "id of the path"),
        Column("hops", "array<int>", "properties without P in order of use; the last one is what is asked of"),
        Column("bridges", "array<bigint>", "the items passed, in order; the value is read from the last"),
        Column("property", "int", "the property that the value is read from: the last of hops, or what the path reads"),
        *VALUE_COLUMNS,
    ),
)


SUBJECTS = Table(
    name="subjects",
    stage="world",
    meaning="An event or an item that can be asked about.",
    columns=(
        Column("item_id", "bigint", "item id without Q; unique"),
        Column("kind", "string", "event (its list is one of events) or item"),
        Column("list", "string", "the entity list that gives noun and topic"),
        Column("name", "string", "its unambiguous name"),
        Column(
            "earliest_start",
            "date",
            "first day of its start (of birth or creation); null where no usable time is stated",
            nullable=True,
        ),
        Column("latest_start", "date", "last day of its start", nullable=True),
        Column(
            "earliest_end",
            "date",
            "first day of its end, of an instant that of its start; null where it is open",
            nullable=True,
        ),
        Column(
            "latest_end", "date", "last day of its end (of death or dissolution); null where it is open", nullable=True
        ),
        Column("start_precision", "tinyint", "precision of the start: 9 year, 10 month, 11 day", nullable=True),
        Column("precision", "tinyint", "the coarser of the precisions of start and end", nullable=True),
        Column("start_calendar", "string", "calendar in which the start is stated: gregorian or julian", nullable=True),
        Column(
            "end_calendar",
            "string",
            "calendar in which the end is stated; of an instant that of its start",
            nullable=True,
        ),
        Column(
            "extent",
            "string",
            "instant (one time), span (start and end) or, of items, open (start without end)",
            nullable=True,
        ),
        Column("countries", "array<bigint>", "countries (best rank), ascending"),
        Column("source", "string", "of events: year page, list, or year page and list; of items null", nullable=True),
        Column("is_popular", "boolean", "views at or above one standard deviation of the views of its kind"),
        Column("topic", "string", "IPTC Media Topic"),
        Column("split", "string", "train, validation or test"),
    ),
)


_SNAK = "value, somevalue, novalue, several or hedged; null where it is not stated"

CLOSED, BEGUN, ENDED, POINT = "closed", "begun", "ended", "point"
"""The kinds of temporal facts."""

TEMPORAL_FACTS = Table(
    name="temporal_facts",
    stage="world",
    meaning="A statement that is not deprecated and has a start time, an end time or a point in time (P580, P582, P585).",
    columns=(
        Column("statement_id", "string", "Wikidata's id of the statement; unique"),
        Column("subject_id", "bigint", "item id without Q"),
        Column("property", "int", "property id without P"),
        Column("rank", "string", "preferred or normal"),
        Column("snak", "string", "whether the value is known: value, somevalue, novalue, hedged or unreadable"),
        Column("datatype", "string", "the property's datatype"),
        Column("value_id", "bigint", "the value where it is an item: its id without Q", nullable=True),
        Column("value_text", "string", "text, amount or time as written", nullable=True),
        Column(
            "amount", "decimal(38,9)", "quantity in the unit of its dimension (templates/units.yaml)", nullable=True
        ),
        Column("unit", "bigint", "the unit of amount as item id; 0 for a bare number", nullable=True),
        Column(
            "kind",
            "string",
            "closed (start and end), begun (a start alone), ended (an end alone) or point (a point in time alone);"
            " null where the time is of no use",
            nullable=True,
        ),
        Column("earliest_start", "date", "first day of the start; of a point, of the point", nullable=True),
        Column("latest_start", "date", "last day of the start", nullable=True),
        Column("earliest_end", "date", "first day of the end; of a point, of the point", nullable=True),
        Column("latest_end", "date", "last day of the end", nullable=True),
        Column("start_precision", "tinyint", "precision of the start: 6 millennium to 11 day", nullable=True),
        Column("start_calendar", "string", "calendar in which the start is stated", nullable=True),
        Column("end_precision", "tinyint", "precision of the end", nullable=True),
        Column("end_calendar", "string", "calendar in which the end is stated", nullable=True),
        Column("start_snak", "string", f"qualifier P580: {_SNAK}", nullable=True),
        Column(
            "end_snak",
            "string",
            f"qualifier P582: {_SNAK}. Of what has begun, somevalue says that it has ended, novalue that it continues",
            nullable=True,
        ),
        Column("point_snak", "string", f"qualifier P585: {_SNAK}", nullable=True),
        Column(
            "earliest_point", "date", "first day of the point in time, also where start or end decide", nullable=True
        ),
        Column("latest_point", "date", "last day of the point in time", nullable=True),
        Column("point_precision", "tinyint", "precision of the point in time", nullable=True),
        Column("point_calendar", "string", "calendar in which the point in time is stated", nullable=True),
        Column("reason", "string", "why the time is of no use; null where it is of use", nullable=True),
    ),
)


def count_profiles(facts: DataFrame) -> DataFrame:
    """Count the row profiles of temporal facts: facts that are alike in all that their suite uses become one row.

    There can be tens of millions of facts, and a few hundred profiles.

    Args:
        facts: Table `temporal_facts`.

    Returns:
        Columns kind, reason, rank, snak and the three snak types; start_bounds, end_bounds and point_bounds (none,
        ordered or broken); ends_after_start; bounds_agree (start and end are one interval); statement_id, the least of
        the facts; facts, how many there are.
    """
    profile = {
        **{name: F.col(name) for name in ("kind", "reason", "rank", "snak", "start_snak", "end_snak", "point_snak")},
        **{f"{name}_bounds": _describe_bounds(name) for name in ("start", "end", "point")},
        "ends_after_start": F.col("earliest_start") <= F.col("latest_end"),
        "bounds_agree": (F.col("earliest_start") == F.col("earliest_end"))
        & (F.col("latest_start") == F.col("latest_end")),
    }
    return facts.groupBy(*(column.alias(name) for name, column in profile.items())).agg(
        F.min("statement_id").alias("statement_id"), F.count(F.lit(1)).alias("facts")
    )


def _describe_bounds(name: str) -> SparkColumn:
    """none: neither days nor precision; ordered: both days in order, and a precision; broken: anything else."""
    first, last, precision = F.col(f"earliest_{name}"), F.col(f"latest_{name}"), F.col(f"{name}_precision")
    ordered = (first <= last) & precision.isNotNull()
    none = F.coalesce(first, last).isNull() & precision.isNull()
    return F.when(none, "none").when(ordered, "ordered").otherwise("broken")
