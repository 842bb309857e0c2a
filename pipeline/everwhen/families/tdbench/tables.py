"""The tables of the family: columns with types and meanings."""

from __future__ import annotations

from everwhen.core.table import Column, Table
from everwhen.tables.accepted_answers import describe_accepted_answers
from everwhen.tables.item_sets import ItemSets

STAGE = "tdbench"

RELATIONS = "before, meets, overlaps, starts, during, finishes, equals, after, met_by, overlapped_by, started_by, contains, finished_by"

ITEMS = Table(
    name="items",
    stage=STAGE,
    meaning="A question on a temporal table.",
    total_by="declaration",
    total_of="item_id",
    columns=(
        Column("item_id", "bigint", "63-bit hash of what is asked, and of no word of the text; unique"),
        Column("declaration", "string", "the declaration of the table that is asked"),
        Column("task", "string", "alignment, reasoning, implicit, multi_hop, sets or counting"),
        Column("question", "string", "the question"),
        Column(
            "answer",
            "array<string>",
            "the values of the asked columns, sorted; several columns of a row are separated by ` | `; empty: no row fits",
        ),
        Column("cardinality", "string", "of the answer: none, unique or multiple"),
        Column("is_near_miss", "boolean", "of none: a row fits when the times of the question move by one step"),
        Column(
            "relation",
            "string",
            f"how a row relates to the interval of the question: {RELATIONS}; current of alignment, joined of multi_hop,"
            " counted of counting",
        ),
        Column("is_short", "boolean", "whether started_by or finished_by asks for the shared endpoint alone"),
        Column(
            "given", "array<struct<column:string,value:string>>", "the columns that the question names, with values"
        ),
        Column("asked", "array<string>", "the columns that the question asks for"),
        Column("granularity", "string", "the unit in which times are compared: day, month or year"),
        Column("b_start", "date", "first day of the unit in which the question's interval starts", nullable=True),
        Column("b_end", "date", "first day of the unit in which it ends", nullable=True),
        Column(
            "offset_months",
            "int",
            "of meets and met_by: months between the date that the question states and the date it means",
            nullable=True,
        ),
        Column("as_of", "date", "the last day of which the table knows; of tables with open ends", nullable=True),
        Column("event", "string", "the event that the question names instead of dates", nullable=True),
        Column("counted", "int", "of counting: the number of rows, or of stints", nullable=True),
        Column("is_at_least", "boolean", "of counting: whether more than this number fit too", nullable=True),
        Column(
            "hops", "array<struct<column:string,value:string>>", "of multi_hop: the answers before the last, in order"
        ),
        Column(
            "references",
            "array<struct<answer:string,role:string,date:string,is_stated:boolean>>",
            "the dates that a response must give: answer they belong to, role (start, end or point), ISO date as the table"
            " states it or `still`, whether the question states it",
        ),
        Column("sql", "string", "the query on table `rows` that yields the answer, for DuckDB and Spark"),
        Column("evidence", "array<bigint>", "the rows that answer, or name the event: their row_id, sorted"),
        Column("context", "array<string>", "all rows of the key and three of others, in the order of a hash"),
        Column("wording", "tinyint", "number of the wording"),
        Column("split", "string", "train, validation or test: a hash of declaration and key"),
    ),
)

ITEM_SETS = ItemSets(ITEMS, "item_id", {name: name for name in ("task", "cardinality", "relation")})


REJECTS = Table(
    name="rejects",
    stage=STAGE,
    meaning="A record of a temporal table that is no row. No key that it may belong to is asked, unless the declaration"
    " says `rejected: row`.",
    columns=(
        Column("declaration", "string", "the declaration of the table"),
        Column("line", "bigint", "line of the file; of a database or Parquet the number of the record"),
        Column("reason", "string", "why it is no row"),
        Column("fields", "map<string,string>", "the columns whose values are known; what is not in it may be any"),
    ),
)


DECLARATIONS = Table(
    name="declarations",
    stage=STAGE,
    meaning="A declaration: what a temporal table says, and what is asked of it.",
    total_by="declaration",
    columns=(
        Column("declaration", "string", "its name; unique"),
        Column("licence", "string", "licence of the table; null where none is named", nullable=True),
        Column("is_private", "boolean", "whether the table must not be passed on: it names no licence"),
        Column("source", "string", "the name of the file, or the property of Wikidata"),
        Column("ends", "string", "handover, inclusive, or points"),
        Column("as_of", "date", "the last day of which the table knows", nullable=True),
        Column("text", "string", "the declaration in full, as JSON with sorted keys"),
    ),
)

ACCEPTED_ANSWERS = describe_accepted_answers(
    STAGE,
    answer="a value as the table has it",
    scope="in the answers of this declaration and column, as `declaration/column`",
    kinds="alias",
)


_PRECISION = "9 year, 10 month, 11 day"

ROWS = Table(
    name="rows",
    stage=STAGE,
    meaning="A row of a temporal table: what held from when to when.",
    total_by="declaration",
    total_of="row_id",
    columns=(
        Column("row_id", "bigint", "hash of declaration, fields and stated times; unique"),
        Column("declaration", "string", "the declaration of the table"),
        Column("fields", "map<string,string>", "the columns of the table but those of its times"),
        Column("stated_start", "string", "the start as the table states it, an ISO date of its precision"),
        Column("stated_end", "string", "the end likewise; of a point its date; null where it is open", nullable=True),
        Column("start_precision", "tinyint", f"precision of the start: {_PRECISION}"),
        Column("end_precision", "tinyint", f"precision of the end: {_PRECISION}", nullable=True),
        Column("earliest_start", "date", "first day of the start"),
        Column("latest_start", "date", "last day of the start"),
        Column(
            "earliest_end",
            "date",
            "first day of the end, on which the row may pass on: of an inclusive end the day after it; null: open",
            nullable=True,
        ),
        Column("latest_end", "date", "last day of the end likewise; null: open", nullable=True),
    ),
)
