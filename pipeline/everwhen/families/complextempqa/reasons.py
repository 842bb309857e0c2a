"""Why ComplexTempQA's relations give no question; `everwhen.core.reasons` has the reasons of all families."""

from __future__ import annotations

from everwhen.core.reasons import FamilyReason


class BindingReason(FamilyReason):
    """The reasons of bindings and of what could be compared. Templates give further ones, as `otherwise`."""

    NAMELESS_ENTITY = "an entity has no unambiguous name", "Something asked about has no name in world."
    NAMELESS = "the {what} has no unambiguous name", "A country, operator or position has no name in world."
    NAMELESS_AWARD = (
        "the award has no unambiguous name with a known article",
        "An award's label is shared, or whether it takes an article is not known.",
    )
    UNKNOWN_ANSWER = "the answer has no label", "An entity of the answer has no label."
    ORDER_REVEALED = (
        "the names reveal the years being compared",
        "Every name, or the description in its place, mentions a year, and not all the same.",
    )
    COMMON_ANSWER = (
        "the answer exceeds its share of the template",
        "Too great a share of the template's questions, or of those about one property, would have the same answer.",
    )
    COMMON_PATH = (
        "the path exceeds its share of questions",
        "More than a twelfth of the questions about attributes that follow a property path would follow this one.",
    )
    OVER_BUDGET = "over the budget of rows", "Other bindings of the same budget have lesser hashes."
    NOTHING_SHARED = (
        "no shared property to compare it by",
        "Members of its list are compared by a shared property, and it has none that is known (compare_alike).",
    )
    NO_MORE = (
        "a former country is not compared by current attributes",
        "The area of a country that no longer exists is not comparable with today's.",
    )
    NONE_COMPARED = (
        "zero amounts are not compared",
        "Nobody asks whether a crash without deaths killed fewer people than another.",
    )
    COUNTRY_IN_NAME = (
        "the name may reveal the country",
        "A word of the event's name begins as that of a country does: in which it happened is hardly asked.",
    )
    ONE_COUNTRY = (
        "all events of the list are in one country",
        "No other country is there for a question that is answered with no.",
    )
    # Terms of office.
    SEVERAL_TERMS = "held the position more than once", "The holder had several terms."
    SEVERAL_HOLDERS_IN_YEAR = "more than one holder in the year", "Nobody held the position alone that year."
    NOT_IN_OFFICE_ALL_YEAR = (
        "not held from the first day of the year to the last",
        "No known term covers the whole year.",
    )
    HOLDER_NOT_LISTED = "the holder is not asked about", "The holder is in no list of people."
    NO_NEIGHBOUR = (
        "nobody is known to have held the position {side}",
        "There is no known term before, or after, the one asked about.",
    )
    UNCLEAR_ORDER = "the order of the holders is unclear", "The starts of two terms overlap."
    NO_HANDOVER = "no handover from one holder to the next", "Days without a holder lie, or may lie, between two terms."
    HOLDER_IN_ANOTHER_SPLIT = (
        "the holder belongs to another split",
        "When the holder took office is asked in the holder's split, and one fact belongs to one.",
    )
    SEVERAL_HOLDERS_DURING_EVENT = (
        "more than one holder during the event",
        "Nobody held the position alone during the event.",
    )
    NOT_IN_OFFICE_ALL_EVENT = (
        "not held from the first day of the event to the last",
        "No known term covers the whole event.",
    )
    # Awards.
    SEVERAL_RECEIPTS = "received the award more than once", "The recipient has several awards of the kind."
    NO_USABLE_TIME = "no usable time", "The award's point in time is unknown, doubled or coarser than a year."
    SEVERAL_RECIPIENTS = "more than one recipient in the year", "Nobody received the award alone that year."
    UNDATED_RECEIPT = "an award was received at an unknown time", "A count over a window needs the time of each award."
    REPEATED_RECEIPT = (
        "the award is stated twice for the same time",
        "Two statements may be the same award or two of them.",
    )
    AWARD_AT_EDGE = "an award may or may not fall into the window", "A coarse time lies partly in the window."
    CEREMONY_AT_EDGE = (
        "counting by award year would give another answer",
        "An award is given the year after: whether a ceremony at an edge counts can be disputed.",
    )
    YEAR_WITHOUT_RECIPIENT = (
        "a year of the window has no known recipient",
        "The facts may lack a recipient of that year.",
    )
    ONE_A_YEAR = (
        "as many recipients as years",
        "Of an award that goes to one a year, the years are counted and not the recipients.",
    )
    # Counts.
    OPEN_COUNT = (
        "the class is not declared complete",
        "The facts may hold a part of it, and the configuration asks for no such counts (open_counts).",
    )
    MEMBERS_DIFFER = (
        "the facts have another number of members than declared",
        "A declaration of what is complete is not met by these facts.",
    )
    MEMBER_AT_EDGE = "a member may or may not fall into the window", "A member's time lies partly in the window."
    COUNT_HEDGED = "a possible member is hedged", "Its class, its country or its maker is not certain."
    NONE_IN_PERIOD = (
        "no member lies in the window",
        "How often a country was host, or somebody won, is not asked of a time in which it was never.",
    )
    FEW_MEMBERS = (
        "too few members of the class in the window",
        "Where two at most can be counted, the count says little.",
    )
    THRESHOLD_SPLITS_NOTHING = (
        "the threshold separates nothing in the window",
        "A threshold that filters nothing is not asked.",
    )
    HANDOVER_AT_EDGE = (
        "a handover touches the first or the last day of the window",
        "Whether it lies in the window can be disputed.",
    )
    VACANT_BETWEEN = (
        "days without a known holder lie between two terms",
        "Somebody may have acted in the position, and whether that is a change can be disputed.",
    )
    TERM_AT_EDGE = (
        "a term may or may not fall into the window",
        "A term's uncertain start or end lies at an edge of the window.",
    )
    NO_HOLDER_AT_START = (
        "nobody is known to have held the position at the window's start",
        "The facts may lack a holder.",
    )
    NO_HOLDER_AT_END = "nobody is known to have held the position at the window's end", "The facts may lack a holder."
    VACANCY = "nobody is known to have held the position for some time in the window", "The facts may lack a holder."
    UNDATED_WORK = "a work has no usable date", "Whether the work counts is not known."
    WORK_AT_EDGE = "a work may or may not fall into the window", "A work's coarse date lies partly in the window."
