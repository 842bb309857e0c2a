"""The tables of IMPLIRET."""

from __future__ import annotations

from everwhen.core.table import Column, Table
from everwhen.families.impliret.config import NAME
from everwhen.tables.record_counts import record_counts

KEYS = (
    Column("pool", "string", "documents that are searched together: category and style, such as temporal_multi"),
    Column("set_id", "bigint", "whose documents are near negatives: 63-bit hash of pool and number of the set"),
)

DOCUMENTS = Table(
    name="documents",
    stage=NAME,
    meaning="A forum post or a chat that implies a fact.",
    columns=(
        Column("doc_id", "bigint", "63-bit hash of pool, set and place; unique"),
        *KEYS,
        Column("text", "string", "a post on a line, or a chat of ten; each line has date, time and name first"),
        Column("opening", "string", "the post that the thread began with; null of chats", nullable=True),
        Column("words", "int", "words of the text"),
        Column("verbalised_by", "string", "who wrote the text: grammar, or the name of a model"),
    ),
)

QUERIES = Table(
    name="queries",
    stage=NAME,
    meaning="A question that one document of its pool answers.",
    columns=(
        Column("query_id", "bigint", "63-bit hash of pool, set and place; unique"),
        *KEYS,
        Column("category", "string", "what has to be inferred: arithmetic, temporal or wknow"),
        Column("style", "string", "multi: posts of threads by many people; uni: chats of one person with others"),
        Column("text", "string", "the question"),
        Column("answer", "array<string>", "the one answer"),
        Column("has_lure", "boolean", "whether another document of the set bears the date that is asked for"),
        Column("split", "string", "train, validation or test: a hash of the set"),
    ),
)

QRELS = Table(
    name="qrels",
    stage=NAME,
    meaning="The document that answers a query.",
    columns=(
        Column("query_id", "bigint", "the query"),
        Column("doc_id", "bigint", "the document"),
        Column("grade", "int", "1"),
    ),
)

_PRICES = (
    Column("brand", "string", "the brand that is asked for", nullable=True),
    Column("item", "string", "what is bought", nullable=True),
    Column("model", "int", "of posts, the year of the model that is asked for", nullable=True),
    Column("other_brand", "string", "of chats, the brand that is not bought", nullable=True),
    Column("other_model", "int", "of posts, the year of the other model; the later is the dearer", nullable=True),
    Column("base_price", "int", "the price that is told, in dollars", nullable=True),
    Column("percent", "int", "by how many percent of it the price differs, of ratios below 2", nullable=True),
    Column("factor", "decimal(4,2)", "how many times the cheaper the dearer costs, of ratios from 2", nullable=True),
    Column("direction", "string", "whether the price is lower or higher than the one that is told", nullable=True),
    Column("price", "int", "the price that is implied and asked for, in dollars", nullable=True),
)
_DATES = (
    Column("activity", "string", "of chats, what is done, as an infinitive without to", nullable=True),
    Column("offsets", "array<int>", "days from the message to each date; negative ones are past", nullable=True),
    Column("dates", "array<date>", "the dates that are implied", nullable=True),
    Column("start_hour", "int", "of chats, the hour at which it begins", nullable=True),
    Column("hours", "int", "of chats, how long it lasts", nullable=True),
    Column("asked_date", "date", "the date that is asked for", nullable=True),
    Column("asked_hour", "int", "of chats, the hour that is asked for", nullable=True),
)
_LANDMARKS = (
    Column("landmark", "bigint", "item id without Q", nullable=True),
    Column("landmark_name", "string", "its label", nullable=True),
    Column("country", "bigint", "the country that is implied and asked for: item id without Q", nullable=True),
    Column("country_name", "string", "its label", nullable=True),
    Column("purpose", "string", "of chats, what the visit was for: an infinitive with to", nullable=True),
    Column("statement_ids", "array<string>", "the statements of class and country", nullable=True),
)

TUPLES = Table(
    name="tuples",
    stage=NAME,
    meaning="What a document says and implies; its columns are null where its category or style has none such.",
    columns=(
        Column("query_id", "bigint", "the query; unique"),
        Column("doc_id", "bigint", "the document; unique"),
        *KEYS,
        Column("set_number", "int", "which set of its pool, from 0"),
        Column("place", "int", "which tuple of its set, from 0"),
        Column("topic", "string", "of posts, what the thread is about (templates/impliret)", nullable=True),
        Column("speaker", "string", "who posts, or whose chat it is"),
        Column("other_speaker", "string", "of chats, the other one", nullable=True),
        Column("message_date", "date", "the date of the message"),
        Column("message_hour", "int", "the hour of the message"),
        Column("deed", "string", "of posts, what is done, as the query asks it", nullable=True),
        *_PRICES,
        *_DATES,
        *_LANDMARKS,
    ),
)

PUBLISHED = (QUERIES, DOCUMENTS, QRELS, TUPLES)
TABLES = (TUPLES, DOCUMENTS, QUERIES, QRELS, record_counts(NAME))
