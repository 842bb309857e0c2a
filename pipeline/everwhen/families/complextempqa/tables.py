"""The tables of the family: columns with types and meanings."""

from everwhen.core.table import Column, Table
from everwhen.tables.accepted_answers import describe_accepted_answers
from everwhen.tables.item_sets import ItemSets

QUESTIONS = Table(
    name="questions",
    stage="complextempqa",
    meaning="A question with its answer and metadata.",
    total_by="template_id",
    total_of="question_id",
    columns=(
        Column("question_id", "bigint", "63-bit hash of what is asked, and of no word of the text; unique"),
        Column("question", "string", "the question; unique"),
        Column(
            "answer",
            "array<string>",
            "dates by precision: a year (843, 1994), YYYY-MM or YYYY-MM-DD; numbers in the unit that the question names; yes or no; labels",
        ),
        Column(
            "type",
            "string",
            "1a 1ac 1b 1bc 2a 2ac 2b 2bc 3a 3ac 3b 3bc: attribute, comparison or counting, of an event or an entity; c when it asks about time",
        ),
        Column(
            "question_entity",
            "array<bigint>",
            "Wikidata ids (without Q) of the entities asked about, in slot order",
        ),
        Column("answer_entity", "array<bigint>", "Wikidata ids of the entities in the answer"),
        Column("question_country_entity", "array<bigint>", "countries of the entities asked about, ascending"),
        Column("answer_country_entity", "array<bigint>", "countries of the entities in the answer, ascending"),
        Column(
            "hops",
            "array<int>",
            "property ids (without P) of a multi-hop question, in order of use; a path to a highest or lowest point ends there, and property is 2044, its elevation",
        ),
        Column(
            "descriptions",
            "array<struct<entity:bigint,key:string>>",
            "the asked entities that are described and not named, in slot order, and the key of the referring expression",
        ),
        Column("rating", "tinyint", "0 popular, 1 not; counting, multi-hop and unnamed are always 1"),
        Column("is_unnamed", "boolean", "whether an asked entity is described and not named"),
        Column(
            "timeframe",
            "struct<start:date,end:date>",
            "first and last day that the question is about; a bound that is not known is null",
        ),
        Column("template_id", "string", "the template"),
        Column("template_version", "int", "its version"),
        Column("wording", "int", "the number of its wording"),
        Column(
            "polarity",
            "string",
            "comparisons: the direction asked for: greater or lesser of amounts, later or earlier of times",
            nullable=True,
        ),
        Column("property", "int", "property id (without P) that the answer comes from", nullable=True),
        Column("threshold", "decimal(38,9)", "counting: only what has strictly more is counted", nullable=True),
        Column(
            "counted_over",
            "string",
            "counting: complete, where what is counted is declared complete over the window (table declarations), or known facts",
            nullable=True,
        ),
        Column(
            "calendar",
            "string",
            "calendar in which the answer's dates are stated: gregorian or julian; null where the answer is no date",
            nullable=True,
        ),
        Column("topic", "string", "IPTC Media Topic of the first asked entity"),
        Column("split", "string", "train, validation or test, by the asked entities"),
        Column("year", "int", "year of timeframe.start", nullable=True),
        Column("head_entity", "bigint", "the first asked entity"),
    ),
)


ACCEPTED_ANSWERS = describe_accepted_answers(
    "complextempqa",
    answer="an item id such as Q30, whose number is in `answer_entity`",
    scope="of a description its form, in questions whose `descriptions` have entity and form as `key`; else null",
    kinds="alias or description",
)


BINDINGS = Table(
    name="bindings",
    stage="complextempqa",
    meaning="A question before its words: template, slots and answer. Workers derive the rest from these.",
    columns=(
        Column("question_id", "bigint", "63-bit hash of what is asked, and of no word of the text; unique"),
        Column(
            "slots",
            "array<struct<entity:bigint,form:string,text:string>>",
            "the slots in the order of the template: an entity and the form in which it is named, or a text",
        ),
        Column(
            "answer_text",
            "array<string>",
            "the answer where it is no entity: dates by precision, numbers, yes or no",
        ),
        Column("answer_entity", "array<bigint>", "Wikidata ids of the entities in the answer"),
        Column("template_id", "string", "the template"),
        Column("type", "string", "the type of its questions"),
        Column("hops", "array<int>", "property ids of a path, in order of use, the asked one last"),
        Column("property", "int", "property id that the answer comes from", nullable=True),
        Column("threshold", "decimal(38,9)", "counting: only what has strictly more is counted", nullable=True),
        Column("counted_over", "string", "counting: complete or known facts", nullable=True),
        Column("calendar", "string", "calendar in which the dates of the answer are stated", nullable=True),
        Column("popular", "boolean", "whether all that is asked about is popular"),
        Column("countries", "array<bigint>", "countries of the entities asked about, ascending"),
        Column("span", "struct<start:date,end:date>", "the days that the question is about"),
        Column("topic", "string", "IPTC Media Topic of the first asked entity"),
        Column("split", "string", "train, validation or test"),
        Column("head", "bigint", "the first asked entity"),
    ),
)


DECLARATIONS = Table(
    name="declarations",
    stage="complextempqa",
    meaning="What counts over the world are counted over: declared complete, from one year to another.",
    total_by="what",
    total_of="number",
    columns=(
        Column("number", "int", "the place among all declarations"),
        Column(
            "what",
            "string",
            "list (events of a class), position (who held it), award, films_by, films_with or books_by",
        ),
        Column(
            "item", "bigint", "Wikidata id of the class, position, award or person; null: of every one", nullable=True
        ),
        Column("since", "int", "the first year"),
        Column("until", "int", "the last year"),
        Column("members", "int", "how many are declared; null of every one", nullable=True),
        Column(
            "found",
            "int",
            "how many the facts hold; null of every one, and where the world has nothing of it",
            nullable=True,
        ),
        Column("is_complete", "boolean", "whether the facts hold as many as declared"),
        Column("source", "string", "where the declaration is known from"),
    ),
)


DECADE = "coalesce(string(floor(year / 10) * 10), 'none')"

ITEM_SETS = ItemSets(
    QUESTIONS, "question_id", {name: name for name in ("type", "is_unnamed", "rating")} | {"decade": DECADE}
)
