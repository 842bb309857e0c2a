"""The Wikidata properties that code names; templates name further ones by number.

Source: the properties' English labels on Wikidata (https://www.wikidata.org/wiki/Property:P31 and so on).
"""

from __future__ import annotations

from enum import IntEnum


class Property(IntEnum):
    """A property: its id without P, and Wikidata's English label.

    A member is its number: it compares, hashes, prints and formats as that number does, also in Spark columns.

    >>> Property.INSTANCE_OF == 31, Property.INSTANCE_OF.pid, Property(31).label
    (True, 'P31', 'instance of')
    """

    label: str

    def __new__(cls, number: int, label: str) -> Property:
        """Make the number carry its label."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.label = label
        return member

    @property
    def pid(self) -> str:
        """The id as Wikidata writes it, with P."""
        return f"P{self.value}"

    COUNTRY = 17, "country"
    PLACE_OF_BIRTH = 19, "place of birth"
    PLACE_OF_DEATH = 20, "place of death"
    SPOUSE = 26, "spouse"
    COUNTRY_OF_CITIZENSHIP = 27, "country of citizenship"
    INSTANCE_OF = 31, "instance of"
    CAPITAL = 36, "capital"
    POSITION_HELD = 39, "position held"
    AUTHOR = 50, "author"
    MEMBER_OF_SPORTS_TEAM = 54, "member of sports team"
    DIRECTOR = 57, "director"
    EDUCATED_AT = 69, "educated at"
    MEMBER_OF_POLITICAL_PARTY = 102, "member of political party"
    EMPLOYER = 108, "employer"
    FOUNDED_BY = 112, "founded by"
    HOME_VENUE = 115, "home venue"
    ITEM_OPERATED = 121, "item operated"
    GENRE = 136, "genre"
    OPERATOR = 137, "operator"
    FOLLOWS = 155, "follows"
    FOLLOWED_BY = 156, "followed by"
    HEADQUARTERS_LOCATION = 159, "headquarters location"
    CAST_MEMBER = 161, "cast member"
    AWARD_RECEIVED = 166, "award received"
    CREATOR = 170, "creator"
    MANUFACTURER = 176, "manufacturer"
    VIAF_CLUSTER_ID = 214, "VIAF cluster ID"
    LOCATION = 276, "location"
    SUBCLASS_OF = 279, "subclass of"
    IMDB_ID = 345, "IMDb ID"
    ORIGINAL_LANGUAGE = 364, "original language of film or TV show"
    LANGUAGE_OF_WORK = 407, "language of work or name"
    INDUSTRY = 452, "industry"
    MEMBER_OF = 463, "member of"
    OCCUPANT = 466, "occupant"
    COUNTRY_OF_ORIGIN = 495, "country of origin"
    DATE_OF_BIRTH = 569, "date of birth"
    DATE_OF_DEATH = 570, "date of death"
    INCEPTION = 571, "inception"
    DISSOLVED = 576, "dissolved, abolished or demolished date"
    PUBLICATION_DATE = 577, "publication date"
    START_TIME = 580, "start time"
    END_TIME = 582, "end time"
    POINT_IN_TIME = 585, "point in time"
    FIRST_FLIGHT = 606, "first flight"
    HIGHEST_POINT = 610, "highest point"
    LAUNCH_DATE = 619, "UTC date of spacecraft launch"
    PARTICIPANT = 710, "participant"
    SUCCESSFUL_CANDIDATE = 991, "successful candidate"
    APPLIES_TO_JURISDICTION = 1001, "applies to jurisdiction"
    POPULATION = 1082, "population"
    MAXIMUM_CAPACITY = 1083, "maximum capacity"
    ATTENDANCE = 1110, "attendance"
    NUMBER_OF_DEATHS = 1120, "number of deaths"
    NUMBER_OF_PARTICIPANTS = 1132, "number of participants"
    DISPUTED_BY = 1310, "statement disputed by"
    EARLIEST_DATE = 1319, "earliest date"
    LATEST_DATE = 1326, "latest date"
    WINNER = 1346, "winner"
    DESTINATION_POINT = 1444, "destination point"
    SOURCING_CIRCUMSTANCES = 1480, "sourcing circumstances"
    SERIES_ORDINAL = 1545, "series ordinal"
    NUMBER_OF_SURVIVORS = 1561, "number of survivors"
    LOWEST_POINT = 1589, "lowest point"
    OFFICIAL_OPENING = 1619, "date of official opening"
    ELIGIBLE_VOTERS = 1867, "eligible voters"
    BALLOTS_CAST = 1868, "ballots cast"
    ELEVATION = 2044, "elevation above sea level"
    AREA = 2046, "area"
    DURATION = 2047, "duration"
    HEIGHT = 2048, "height"
    RICHTER_MAGNITUDE = 2528, "earthquake magnitude on the Richter magnitude scale"
    LOWEST_PRESSURE = 2532, "lowest atmospheric pressure"
    MAXIMUM_SUSTAINED_WINDS = 2895, "maximum sustained winds"
    OBJECT_HAS_ROLE = 3831, "object of statement has role"
    VERTICAL_DEPTH = 4511, "vertical depth"
    NATURE_OF_STATEMENT = 5102, "nature of statement"
    EARLIEST_END = 8554, "earliest end date"
    LATEST_START = 8555, "latest start date"
