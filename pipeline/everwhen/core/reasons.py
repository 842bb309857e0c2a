"""Why stages reject what they read: each reason once, with the stages that give it and what it means.

A family keeps reasons of its own beside its code, as a subclass of `Reason`; templates state theirs as data.
"""

from __future__ import annotations

import re
from enum import StrEnum

FACTS, WORLD, FAMILIES = "facts", "world", "families"
FACTS_AND_WORLD = f"{FACTS}, {WORLD}"
WORLD_AND_FAMILIES = f"{WORLD}, {FAMILIES}"


class Reason(StrEnum):
    """A reason, whose value is its text. A text with slots in braces is completed by `with_detail`.

    >>> RejectReason.YEAR_ZERO == "year zero"
    True
    >>> RejectReason.MISSING_FIELD.with_detail(field="id")
    'missing field id'
    """

    stages: str
    """The stages that give it, comma-separated."""
    meaning: str
    """A sentence for people."""

    def __new__(cls, text: str, *meant: str) -> Reason:
        """Make the text carry its stages, facts where none is named, and its meaning."""
        member = str.__new__(cls, text)
        member._value_ = text
        *_, member.stages, member.meaning = (FACTS, *meant)
        return member

    def with_detail(self, **details: object) -> str:
        """Fill the slots of the text.

        Raises:
            KeyError: A slot has no detail.
        """
        return str.format_map(self, details)

    def read_details(self, text: str) -> dict[str, str] | None:
        """Read the details of a text of this reason, by slot; None where it is another's.

        >>> RejectReason.MISSING_FIELD.read_details("missing field id"), RejectReason.MISSING_FIELD.read_details("id")
        ({'field': 'id'}, None)
        """
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>(?s:.+))", re.escape(self.value))
        found = re.fullmatch(pattern, text)
        return found and found.groupdict()


class FamilyReason(Reason):
    """A reason that a family gives: its members have a text and a meaning."""

    def __new__(cls, text: str, meaning: str) -> FamilyReason:
        """Make the text carry its meaning, and families as its stage."""
        member = str.__new__(cls, text)
        member._value_ = text
        member.stages, member.meaning = FAMILIES, meaning
        return member


class RejectReason(Reason):
    """The reasons that facts and world give, and those of the wording of any question."""

    # Lines of the dump.
    BLANK_LINE = "array bracket or blank line", "A line of the dump has no entity, only JSON's frame or nothing."
    LINE_TOO_LONG = "longer than {limit} bytes", "A line of the dump is longer than any entity should be."
    NUL_CHARACTER = "NUL character", "A line or bullet has the character U+0000, which columns of text refuse."
    NOT_UTF_8 = "not UTF-8", "A line or page has bytes that are no UTF-8."
    NOT_JSON = "not JSON: {error}", "A line of the dump is no JSON; the parser's words follow."
    NOT_AN_OBJECT = "line is not a JSON object", "A line of the dump is JSON, but no object."
    MISSING_FIELD = "missing field {field}", "A line or statement lacks a field that Wikibase always writes."
    WRONG_TYPE = "a field has the wrong type", "A line or statement has a field of another JSON type than Wikibase's."
    NO_ENTITY_NAMED = "id and type do not name an entity", "The id and the type of a line name no entity together."
    OUT_OF_SCOPE = "out of scope: {kind}", "A line is about a property, lexeme or the like, and not about an item."
    REDIRECT_OUT_OF_SCOPE = "out of scope: redirect of a {kind}", "A line redirects something that is not an item."
    DATATYPE_OUT_OF_SCOPE = (
        "out of scope: datatype {datatype}",
        "A statement's datatype is one of those that the config leaves out.",
    )
    MARKED_AS_MISSING = "entity is marked as missing", "The dump says of an entity that it does not exist."
    BAD_REVISION = "lastrevid is not a revision", "An entity's revision is no number of a revision."
    BAD_CLAIMS = "claims are not lists by property", "An entity's statements are not grouped by property."
    OLDER_REVISION = "older revision of the same entity", "Another line has a later revision of the same item."
    REDIRECTED = "entity is redirected by another line", "Another line redirects the item elsewhere."
    # Statements.
    NOT_TEXT = "{field} is not text", "A field that Wikibase writes as text has another type."
    REPEATED_STATEMENT = "statement id occurs twice in the entity", "An entity has two statements of one id."
    FOREIGN_STATEMENT = (
        "statement id does not begin with the id of its entity",
        "A statement's id names another entity.",
    )
    BAD_RANK = "rank is not preferred, normal or deprecated", "A statement has a rank that Wikibase does not know."
    BAD_SNAK_TYPE = "snak type is not value, somevalue or novalue", "A snak has a type that Wikibase does not know."
    BAD_PROPERTY = "property id is not P and a number", "Statements are filed under something that is no property."
    BAD_ITEM = "not an item id", "An id of an item is not Q and a number."
    BAD_ENTITY = "not an entity id", "A value that should be an entity's id is none."
    BAD_QUALIFIER = "qualifier {property}: {reason}", "A dating qualifier is no time; its own reason follows."
    BAD_FIELD = "a field is missing or has the wrong type", "A dating qualifier does not have the fields of a time."
    # Quantities.
    BAD_AMOUNT = "amount is not a decimal number", "A quantity's amount is no decimal number."
    TOO_MANY_DIGITS = "amount has too many digits", "An amount is written with more digits than are parsed."
    TOO_LARGE_AMOUNT = "amount has more than {digits} digits before the point", "An amount is too large for the column."
    TOO_MANY_DECIMALS = "amount has more than {digits} decimals", "An amount is finer than the column."
    BAD_UNIT = "unit is neither 1 nor an item of Wikidata", "A quantity's unit is no item of Wikidata."
    # Times.
    NOT_A_TIME = "value is not a time", "A qualifier that should state a time states something else."
    BAD_TIME = "time is not written as a Wikibase time", "A time does not have Wikibase's form."
    YEAR_ZERO = "year zero", "A time is in the year 0, which neither calendar has."
    YEAR_BCE = "year BCE", "A time is before the common era, which a column of dates cannot hold."
    YEAR_BEYOND_9999 = "year beyond 9999", "A time is beyond what a column of dates can hold."
    DAYS_BEFORE_YEAR_1 = "days before the year 1", "A time begins before what a column of dates can hold."
    DAYS_BEYOND_9999 = "days beyond the year 9999", "A time ends beyond what a column of dates can hold."
    BAD_PRECISION = "precision is not one of 0 to 14", "A time has a precision that Wikibase does not know."
    TOO_COARSE = "precision {precision} is coarser than a millennium", "A time is stated too coarsely to be of use."
    WITHOUT_MONTH = "precision {precision} without a month", "A time of precision month or finer has no month."
    WITHOUT_DAY = "precision {precision} without a day", "A time of precision day or finer has no day."
    BAD_CALENDAR = "calendar is neither Gregorian (Q1985727) nor Julian (Q1985786)", "A time is of an unknown calendar."
    BAD_TOLERANCE = (
        "before or after of a time is not a whole number from 0 on",
        "A time says how far off it may be in another form than Wikibase's.",
    )
    NO_SUCH_MONTH = "month {month} does not exist", "A time has a month beyond 12."
    DAY_WITHOUT_MONTH = "a day without a month", "A time has a day, but no month."
    NO_SUCH_DAY_OF_MONTH = (
        "day {day} of month {month} does not exist in that year",
        "A time has a day that its month does not have.",
    )
    # Redirects.
    SPLIT_ITEM_REDIRECT = "redirect of one item to several", "Lines redirect one item to different ones."
    SPLIT_TITLE_REDIRECT = "redirect of one title to several", "Redirects lead from one title to different ones."
    REPEATED_REDIRECT = "redirect occurs before", "The same redirect is stated more than once."
    CIRCULAR_REDIRECT = "redirect runs in a circle", "Following the redirect comes back to where it began."
    BAD_REDIRECT = (
        'not a redirect: {"source": title, "target": title}',
        "A line of a file of redirects does not have its form.",
    )
    UNUSED_REDIRECT = "no event links to it", "No bullet links to the redirected title."
    # Year pages.
    EMPTY_FILE = "empty file", "A file of a page has no byte."
    PAGE_TOO_LARGE = "larger than {limit} MiB", "A page takes more memory than any page should."
    NO_TITLE = "no title", "A page of an export has no title."
    CUT_OFF = "cut off", "The export ends within a page."
    NOT_AN_ARTICLE = "not an article", "A page is of another namespace than the articles'."
    NOT_A_YEAR_PAGE = "not the page of a year", "A page's title is no year."
    REPEATED_YEAR_PAGE = "the year's page occurs before", "Another page of the same year has been read."
    NO_EVENTS_SECTION = "no section Events", "A year page has no section of events."
    TEXT_TOO_LONG = "longer than {limit} characters", "A page or bullet is longer than any should be."
    TOO_MANY_LINKS = "more than {limit} links", "A bullet has more links than any should have."
    HEADING = "a heading", "A line of a year page is the heading of a section or of a table's columns."
    BLANK_PAGE_LINE = "a blank line", "A line of a year page is blank."
    ONLY_LAYOUT = "only layout", "A line of a page has images, comments, references or a table's frame alone."
    OUTSIDE_EVENTS = "not in the events section", "A line is in a section of births, deaths or the like."
    HEADING_BULLET = "gives the date of the bullets below it", "A bullet is the heading of others."
    NO_TEXT = "no text", "A bullet has nothing, or a date and nothing else."
    UNREAD_TEMPLATE = (
        "a template that is not read",
        "A bullet has a template in place of its date, within it, or in place of its text.",
    )
    NO_DATE = "no date", "A bullet has no date, and none above it has one."
    NO_EXACT_DATE = "no exact date", "A bullet's date is a season, a part of a month, circa or the like."
    SEVERAL_DATES = "several dates", "A bullet has several dates that are no range."
    REVERSED_RANGE = "the range ends before it starts", "A bullet's range of days runs backwards."
    DATE_IN_OTHER_YEAR = "a date in another year", "A bullet's date is not in the page's year."
    NO_SUCH_DAY = "no such day", "A bullet's day does not exist in its month."
    # Entity lists and pageviews.
    BAD_LIST_ROW = 'not a list row: {"item": number}', "A line of a pulled list does not have its form."
    REPEATED_MEMBER = "member occurs before", "A pulled list has an item more than once."
    BAD_VIEW_LINE = (
        "not a view line: project title page access views hours",
        "A line of a pageview_complete file does not have its form.",
    )
    BAD_PULLED_LINE = (
        'not a pulled line: {"title": text, "views": number}',
        "A line of pulled views does not have its form.",
    )
    OTHER_PROJECT = "another project", "A line counts views of another wiki."
    OTHER_AGENT = "another agent", "A file counts views of another agent than the config's."
    OUTSIDE_PERIOD = "outside the period", "A file counts views of days that the config leaves out."
    TITLE_IN_COMPLETE_FILE = (
        "title stands in a pageview_complete file",
        "Pulled views are of a title that complete files have, too.",
    )
    REPEATED_TITLE = "title occurs before", "Pulled views have a title more than once."
    # Times of candidates.
    OUTSIDE_WINDOW = "outside the window", FACTS_AND_WORLD, "A year page, or an event, is not in the config's window."
    NO_TIME_STATED = "no time stated", WORLD, "An item has no statement of when it was."
    END_WITHOUT_START = "end without start", WORLD, "An item has an end time, but no start time."
    START_WITHOUT_END = "start without end", WORLD, "An event has a start time, but no end time."
    START_UNKNOWN = "start unknown", WORLD, "The best statement says that the start is unknown or none."
    END_UNKNOWN = "end unknown", WORLD, "The best statement says that an event's end is unknown or none."
    SEVERAL_STARTS = "several starts", WORLD, "The best statements give different starts."
    SEVERAL_ENDS = "several ends", WORLD, "The best statements give different ends."
    SEVERAL_PUBLICATION_DATES = (
        "several publication dates, none clearly the first",
        WORLD,
        "A coarse date overlaps another, so that either may be the first.",
    )
    HEDGED = (
        "Wikidata does not call it certain",
        WORLD,
        "A statement is hedged: as circa, presumably, disputed or acting, or by earliest and latest dates.",
    )
    UNREADABLE = "the statement could not be read", WORLD, "A statement of the facts was rejected, and may be the best."
    SEVERAL_POINTS = "several points in time", WORLD, "A statement is qualified by different points in time."
    TIME_UNKNOWN = "time unknown", WORLD, "A statement's time qualifiers say that the time is unknown or none."
    END_BEFORE_START = "end before start", WORLD, "An item or term ends before it starts."
    NO_USABLE_START = "no usable start", WORLD, "A term of office has no single certain start."
    NO_USABLE_END = "no usable end", WORLD, "A term of office has an unknown or hedged end, or several."
    JULIAN = "stated in the Julian calendar", FAMILIES, "Tables have one calendar, the Gregorian."
    COARSER_THAN_YEAR = "time coarser than a year", WORLD_AND_FAMILIES, "A time is stated by decade or coarser."
    # Candidates.
    NO_ITEM_FOR_ARTICLE = "no item for the article", WORLD, "No item has the article that a bullet links to."
    NOT_AN_OCCURRENCE = "not an occurrence", WORLD, "A bullet links to an item that is no event."
    DATE_DISAGREES = "date disagrees with the bullet's", WORLD, "An event's time and its bullet's date do not overlap."
    NO_YEAR_PAGE_LINKS = "no year page links to it", WORLD, "An occurrence counts only where a year page links to it."
    NO_NAME = "no unambiguous name", WORLD, "Neither label nor label with class or year fits one item alone."
    FEW_VIEWS = "fewer views than the list asks for", WORLD, "An item's views are below its list's least number."
    FEW_SITELINKS = (
        "unknown views, and fewer sitelinks than asked for",
        WORLD,
        "Nobody knows how often an item is looked up, and few wikis have a page on it.",
    )
    # Values of attributes.
    VALUE_UNKNOWN = "value unknown", WORLD, "The best statement says that the value is unknown or none."
    SEVERAL_VALUES = "several values", WORLD, "The best statements give different values."
    NO_USABLE_VALUE = "no usable value", WORLD, "A statement's value is of another type than the attribute's."
    OTHER_UNIT = "another unit than the attribute's", WORLD, "A quantity's unit does not convert to the attribute's."
    RELEASED_IN_SEVERAL_YEARS = (
        "publication dates of several years",
        WORLD,
        "Whether the first showing, perhaps at a festival, or the release is meant can be disputed by more than days.",
    )
    NO_FIRST_DATE = (
        "several dates, none clearly the first",
        WORLD,
        "A coarse date of an attribute overlaps another, so that either may be the first.",
    )
    # The wording of a question.
    NO_QUESTION_MARK = "no question mark at the end", FAMILIES, "A question does not end in a question mark."
    NO_CAPITAL = "no capital at the start", FAMILIES, "A question does not begin with a capital or a digit."
    DOUBLED_SPACE = "doubled space", FAMILIES, "A question has two spaces in a row, or one at an end."
    SPACE_BEFORE_PUNCTUATION = "space before punctuation", FAMILIES, "A question has a space before a mark."
    DOUBLED_PUNCTUATION = "doubled punctuation", FAMILIES, "A name ends in a mark before the question's own."
    EMPTY_PARENTHESES = "empty parentheses", FAMILIES, "A question has parentheses without content."
    DOUBLED_WORD = "doubled word", FAMILIES, "A little word occurs twice in a row."
    A_BEFORE_VOWEL = "a before a vowel", FAMILIES, "The article should be an."
    AN_BEFORE_CONSONANT = "an before a consonant", FAMILIES, "The article should be a."
    NONE_FOR_ANSWER = "no value but None", FAMILIES, "An answer is Python's None as a text."
    ID_FOR_ANSWER = "an id for an answer", FAMILIES, "An answer is an item's id and not its name."
    COMPARING_NAME = "a name holds a word of comparison", FAMILIES, "A name has a word that compares, such as more."
    ANSWER_IN_QUESTION = "the answer stands in the question", FAMILIES, "A question that is no choice has its answer."
    UNRECOGNISED_ANSWER = "the scorer does not recognise the answer", FAMILIES, "It would be wrong as a response."
    DESCRIBED_IS_NAMED = "what is described is named, too", FAMILIES, "A description has the name that it stands for."
