"""Words of synthetic rows. People, places and works are invented: a made-up term of office contradicts no real one."""

from __future__ import annotations

from itertools import product

FIRST_NAMES = (
    *("Ada", "Bruno", "Carla", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kira", "Luca", "Mira"),
    *("Nora", "Omar", "Petra", "Quentin", "Rosa", "Samir", "Tessa", "Umar", "Vera", "Wanda", "Xenia", "Yusuf", "Zoe"),
    *("Alma", "Boris", "Celia", "Dunja", "Emil", "Frida", "Gustav", "Hanna", "Ivan", "Judith", "Karim", "Leona"),
    *("Milan", "Nadia"),
)
LAST_NAMES = tuple(
    first + last
    for first, last in product(
        ("Al", "Ber", "Cor", "Dal", "El", "Fen", "Gar", "Hol", "Is", "Jor", "Kel", "Lor", "Mar", "Nor", "Or"),
        ("bani", "dahl", "evic", "ford", "gren", "hart", "inho", "kova", "lund", "mann", "nson", "ottis", "quez"),
    )
)
PEOPLE = tuple(f"{first} {last}" for last, first in product(LAST_NAMES, FIRST_NAMES))

COUNTRIES = tuple(
    first + last
    for last, first in product(
        ("avia", "ania", "oria", "istan", "eland", "ugal"),
        (
            "Bel",
            "Cal",
            "Dor",
            "Est",
            "Fal",
            "Gar",
            "Hel",
            "Ill",
            "Jul",
            "Kor",
            "Lys",
            "Mor",
            "Nav",
            "Ost",
            "Pal",
            "Quil",
        ),
    )
)
CITIES = tuple(
    first + last
    for last, first in product(
        ("burg", "mouth", "stad", "ville", "haven", "ton", "grad", "polis"),
        (
            "Amber",
            "Birch",
            "Clear",
            "Dun",
            "East",
            "Frost",
            "Green",
            "High",
            "Iron",
            "Kings",
            "Lake",
            "Mill",
            "North",
            "Oak",
        ),
    )
)
ROLES = ("President", "Prime Minister", "Chancellor", "Monarch")
SPORTS = ("football", "basketball", "handball", "volleyball", "ice hockey", "water polo")
TEAMS = tuple(f"{city} {team}" for team, city in product(("Rovers", "United", "Falcons", "Athletic"), CITIES))
ORGANIZATIONS = tuple(
    f"{what} of {country}"
    for what, country in product(("Academy", "Central Bank", "Chamber of Trade", "Space Agency", "Museum"), COUNTRIES)
)
TYPES = ("public body", "association", "foundation")
POSTS = ("Director", "Secretary General", "Chair", "Treasurer")
LAWS = (
    *("Same-sex marriage", "Joint adoption", "Civil partnership", "Home schooling", "Cannabis possession"),
    *("Online gambling", "Night shopping", "Voting at 16"),
)
TAXES = ("carbon tax", "emissions trading system", "fuel levy")
REGIONS = ("Africa", "Arab States", "Asia and the Pacific", "Europe", "Latin America")
CRAFTS = (
    *("Mask dance", "Lace making", "Polyphonic singing", "Falconry", "Rice festival", "Bell ringing", "Puppetry"),
    *("Boat building", "Carpet weaving", "Shadow theatre", "Horse procession", "Bread baking"),
)
ELEMENTS = tuple(f"{craft} of {city}" for city, craft in product(CITIES, CRAFTS))
TITLES = tuple(
    f"The {first} {last}"
    for last, first in product(
        ("House", "Garden", "Voyage", "Witness", "Orchard", "Signal", "Harbour", "Winter", "Contract", "Mirror"),
        ("Silent", "Golden", "Last", "Hidden", "Broken", "Second", "Long", "Crimson", "Distant", "Burning", "Paper"),
    )
)
GENDERS = ("female", "male")
BLOOD_TYPES = ("A+", "A-", "B+", "B-", "AB+", "AB-", "O+", "O-")
MEDICATIONS = ("Aspirin", "Ibuprofen", "Lipitor", "Paracetamol", "Penicillin", "Metformin", "Insulin", "Warfarin")
HOSPITALS = tuple(f"{city} Hospital" for city in CITIES)
INSURERS = ("Northern Mutual", "Blue Harbour", "Evergreen Life", "Civic Health", "Union Care")
DOCTORS = tuple(f"Dr. {name}" for name in PEOPLE[::3])
NUMBERS = tuple(str(number) for number in range(1, 1000))
AMOUNTS = tuple(f"{number * 37 % 48_000 + 1_000}.{number % 100:02}" for number in range(2_000))
YEARS = tuple(str(year) for year in range(1980, 2025))
