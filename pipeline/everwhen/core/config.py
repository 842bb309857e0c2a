"""One typed configuration; every key known, every value of its type, or the build does not start.

`everwhen.core.config_file` reads it from YAML.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from everwhen.core.config_errors import find_config_errors
from everwhen.core.config_values import (
    FIRST_DAY,
    LAST_DAY,
    Contact,
    Day,
    FolderName,
    Master,
    Memory,
    Snapshot,
    SourcePath,
    SparkSettings,
    Url,
)
from everwhen.core.errors import InputError

Model = TypeVar("Model", bound=BaseModel)

LATEST = "latest"
"""The snapshot that has no date yet: `everwhen pull snapshot` finds it."""

SNAPSHOT_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")


def find_snapshot_day(snapshot: str) -> dt.date | None:
    """Find the day by which a snapshot is named, as Wikimedia's are; None where it has another name.

    >>> find_snapshot_day("20240101"), find_snapshot_day("2024-01-01"), find_snapshot_day("sample")
    (datetime.date(2024, 1, 1), datetime.date(2024, 1, 1), None)
    """
    named = SNAPSHOT_DAY.fullmatch(snapshot)
    try:
        return dt.date.fromisoformat("-".join(named.groups())) if named else None
    except ValueError:  # 20241399 is no day
        return None


class Section(BaseModel):
    """A part of the configuration: every key known, every value of its type, nothing changed after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, use_attribute_docstrings=True)


class Period(Section):
    """A first and a last day, in this order."""

    start: Day
    end: Day

    @model_validator(mode="after")
    def _in_order(self) -> Period:
        if self.start > self.end:
            raise ValueError(f"start, {self.start}, is after end, {self.end}")
        return self


class Window(Period):
    """The days that questions are about, both included (the paper: 1987 to 2023)."""

    start: Day = Field(default=dt.date(1987, 1, 1), ge=FIRST_DAY, le=LAST_DAY)
    """The first day that questions are about."""
    end: Day = Field(default=dt.date(2023, 12, 31), ge=FIRST_DAY, le=LAST_DAY)
    """The last day that questions are about."""


class Sources(Section):
    """What is read. A path that exists is taken as written, any other is a glob; relative ones count from the working
    directory."""

    sample: bool = False
    """Build the embedded sample world. Paths beside it, in the file or on the command line, are refused."""
    # Beside the type: the help of the option that names the files on the command line.
    dump: Annotated[list[SourcePath], "Wikidata JSON dump: files, folders or globs"] = []
    """Wikidata JSON dump: plain, .gz or .bz2."""
    year_pages: Annotated[list[SourcePath], "<year>.wikitext files or pages-articles XML"] = []
    """Year pages: `<year>.wikitext` files or pages-articles XML (.xml, .bz2, .gz)."""
    pageviews: Annotated[list[SourcePath], "pageview_complete files or pulled .jsonl"] = []
    """pageview_complete files (plain, .bz2, .gz) or pulled `.jsonl`."""
    entity_lists: Annotated[list[SourcePath], "pulled entity lists, <list>.jsonl"] = []
    """Pulled entity lists, `<list>.jsonl`; a list without a file is taken from the dump by subclass closure."""

    @model_validator(mode="after")
    def _sample_alone(self) -> Sources:
        """Refuse paths beside the sample: it would be built and published, and the files silently left out."""
        named = [key for key, paths in self.list_paths().items() if paths]
        if self.sample and named:
            raise ValueError(f"sample is true, and files are named for {' and '.join(named)}: take one of them away")
        return self

    def list_paths(self) -> dict[str, list[str]]:
        """List the paths of each source, by its key."""
        return self.model_dump(exclude={"sample"})


SOURCES: Mapping[str, str] = {key: field.metadata[0] for key, field in Sources.model_fields.items() if key != "sample"}
"""The registry of the sources: the key of each, which its modules are named after, and the help of its option."""

PulledSource = Literal["year-pages", "entity-lists", "pageviews", "dump"]
PULLED: tuple[PulledSource, ...] = get_args(PulledSource)
"""The sources that `everwhen pull` fetches: keys of `SOURCES`, written with hyphens."""


class Pull(Section):
    """What is fetched and how the network is asked. Needed by `everwhen pull` alone."""

    sources: list[PulledSource] = []
    """What `everwhen pull --as-configured` fetches for a build, unless the section `sources` names files."""
    lists: list[str] = []
    """Ids of the entity lists that are pulled; empty: all that are built (`world.lists`) but `persons`, which no public
    endpoint answers. A build takes every other list from the dump, by its classes."""
    contact: Contact = ""
    """An e-mail address or page of the operator, for the User-Agent. Wikimedia's hosts require it."""
    wiki_api: Url = "https://en.wikipedia.org/w/api.php"
    """The MediaWiki API that year pages come from."""
    pageviews_api: Url = "https://wikimedia.org/api/rest_v1/metrics/pageviews"
    """The pageviews API that views of articles come from, where titles are given."""
    pageviews_url: Url = (
        "https://dumps.wikimedia.org/other/pageview_complete/monthly/{year}/{year}-{month}/"
        "pageviews-{year}{month}-{agent}.bz2"
    )
    """The pageview_complete file that a month's views of all articles come from, where no titles are given."""
    sparql_endpoint: Url = "https://query.wikidata.org/sparql"
    """The SPARQL endpoint that entity lists come from."""
    dump_url: Url = "https://dumps.wikimedia.org/wikidatawiki/entities/{date}/wikidata-{date}-all.json.bz2"
    """The Wikidata JSON dump, .bz2 or .gz. `{date}` in it becomes the digits of `snapshot`: that dump must be listed,
    and have the checksum that the server gives. Any other address is taken as it is."""
    titles: str = ""
    """For pageviews: a file with one article title a line, each asked for at the API; without it, files of whole months
    are fetched."""
    sparql_page: int = Field(default=20_000, ge=1, le=1_000_000)
    """Rows of one SPARQL query. A longer list is asked for by the years of its members, a longer year in pages."""
    maxlag: int = Field(default=5, ge=0, le=3600)
    """Seconds of replication lag above which the MediaWiki API refuses the request."""
    timeout: float = Field(default=65.0, gt=0, le=86_400)
    """Seconds to wait for a whole answer."""
    attempts: int = Field(default=6, ge=1, le=1000)
    """How often one request is tried."""
    backoff: float = Field(default=1.0, ge=0, le=3600)
    """Seconds before the second try where the server names none; each further wait is twice as long."""

    def list_addresses(self) -> dict[str, str]:
        """List every address that is asked, by its key."""
        texts = self.model_dump(exclude={"contact"}).items()
        return {key: text for key, text in texts if isinstance(text, str) and "://" in text}


class Views(Period):
    """Which pageviews count, and what an unknown number of views means."""

    start: Day = Field(default=dt.date(2023, 6, 1), ge=FIRST_DAY, le=LAST_DAY)
    """The first day whose views count."""
    end: Day = Field(default=dt.date(2023, 6, 30), ge=FIRST_DAY, le=LAST_DAY)
    """The last day whose views count."""
    agent: Literal["user", "all-agents"] = "user"
    """Whose views count: those of users, or of crawlers and other agents, too."""
    keep_unknown: bool = False
    """Whether a list keeps an item of which neither views nor any sitelink is known."""


class Facts(Section):
    """How the wire formats are read."""

    skip_datatypes: list[str] = ["external-id"]
    """Statements of these datatypes are counted and left out."""


class WorldSettings(Section):
    """What may be asked about."""

    lists: list[str] = []
    """Ids of the entity lists that are built (templates/entities); empty: all."""
    min_views: dict[str, Annotated[int, Field(ge=0)]] = {}
    """View thresholds that differ from the lists' own, by list; 0 takes every member."""
    min_sitelinks: int = Field(default=3, ge=0)
    """An item of unknown views needs a page on this many wikis."""


class Synth(Section):
    """The synthetic world of `everwhen synth`. The numbers are those of scale 1, the size of the paper's own world."""

    scale: float = Field(default=1.0, gt=0, le=20)
    """Factor of all populations, countries and their offices excepted."""
    events: int = Field(default=40_000, ge=1)
    """Events dated in the window; a twelfth as many again have a time that cannot be asked about."""
    films: int = Field(default=100_000, ge=1)
    """Films at scale 1."""
    people: int = Field(default=40_000, ge=1)
    """Actors, directors, authors and founders; heads of state and of government come on top."""
    books: int = Field(default=12_000, ge=1)
    """Books at scale 1."""
    companies: int = Field(default=8_000, ge=1)
    """Companies at scale 1."""
    universities: int = Field(default=1_500, ge=1)
    """Universities at scale 1."""
    mountains: int = Field(default=1_500, ge=1)
    """Mountains at scale 1."""
    countries: int = Field(default=195, ge=1, le=1_000)
    """Countries at any scale, each with a capital, a highest and a lowest point, and two offices."""
    places: int = Field(default=3_000, ge=1)
    """Places at scale 1."""
    operators: int = Field(default=300, ge=1)
    """Operators of aircraft at scale 1."""
    aircraft: int = Field(default=80, ge=1)
    """Types of aircraft at scale 1."""
    awards: int = Field(default=40, ge=1)
    """Awards at scale 1, each given every year."""
    broken_rate: float = Field(default=0.004, ge=0, le=1)
    """Broken lines for each entity, article and bullet."""
    ambiguous_rate: float = Field(default=0.03, ge=0, le=1)
    """Share of films, people and events of neighbouring numbers, and of books and universities, that share a label."""
    hedged_rate: float = Field(default=0.004, ge=0, le=1)
    """Share of dates and values that are hedged or unreadable; a fifth of it of terms, a twentieth of awards."""


class Splits(Section):
    """Shares of the asked entities, in percent."""

    train: int = 80
    """Percent of the subjects in train."""
    validation: int = 10
    """Percent of the subjects in validation."""
    test: int = 10
    """Percent of the subjects in test."""

    @model_validator(mode="after")
    def _check_sum(self) -> Splits:
        if min(self.train, self.validation, self.test) < 0 or self.train + self.validation + self.test != 100:
            raise ValueError("train, validation and test must be 0 or more and add up to 100")
        return self


class Spark(Section):
    """Settings of the Spark session that this tool starts; under spark-submit its own settings hold."""

    master: Master = "local[*]"
    """Where Spark runs."""
    driver_memory: Memory = "2g"
    """Heap of the driver; in local mode Spark's only one."""
    shuffle_partitions: int = Field(default=8, ge=1, le=100_000)
    """Partitions of a shuffle: they change the speed and never the rows."""
    settings: SparkSettings = {}
    """Any other settings of Spark; they win over this tool's own (pipeline/everwhen/core/session.py)."""


class Config(Section):
    """Everything a build depends on, beside the bytes of its sources."""

    version: FolderName
    """Version of the dataset and name of its folder. Required."""
    snapshot: Snapshot
    """State of the sources, for example the date of the dump. Required. `latest` has no date yet: `everwhen pull
    snapshot` finds that of the newest complete dump, and `--snapshot` takes it. If the dump is pulled by date,
    `window.end` and `views` follow it unless they are set: the end of the last full year before it, and the last full
    month."""
    seed: str = "everwhen"
    """Salt of every id and every choice; another seed gives another dataset."""
    window: Window = Window()
    sources: Sources = Sources()
    pull: Pull = Pull()
    views: Views = Views()
    facts: Facts = Facts()
    world: WorldSettings = WorldSettings()
    splits: Splits = Splits()
    spark: Spark = Spark()
    synth: Synth = Synth()
    families: dict[str, Any] = {}
    """The families to build, each with a section of its own; empty: all of them."""

    @property
    def hash(self) -> str:
        """Sixteen hex digits of all that changes the rows.

        Spark's settings and the way the network is asked do not; where the sources lie, and of what a synthetic world
        was made, does not either: manifests carry the fingerprints of the files themselves.
        """
        rows = self.model_dump(mode="json", exclude={"spark", "pull", "sources", "synth"})
        return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]


def read_section(config: Config, family: str, model: type[Model]) -> Model:
    """Read the section of a family.

    Args:
        config: The configuration; one that was made in code may hold the section as plain values, or not at all.
        family: The family's name.
        model: The section's model.

    Raises:
        pydantic.ValidationError: The section holds plain values, and one of them does not fit.
    """
    section = config.families.get(family, {})
    return section if isinstance(section, model) else model.model_validate(section)


def override_section(config: Config, section: str, values: Mapping[str, Any]) -> Config:
    """Replace some keys of one section of a configuration; None leaves a key as it is.

    Raises:
        InputError: A value has the wrong type; the message names the key.
    """
    before: Section = getattr(config, section)
    changes = {key: value for key, value in values.items() if value is not None}
    if not changes:
        return config  # and it is still known which keys were set
    data = {**before.model_dump(), **changes}
    try:
        return config.model_copy(update={section: type(before).model_validate(data)})
    except ValidationError as error:
        errors = find_config_errors(error, type(before), (section,))
        raise InputError("\n".join(map(str, errors))) from None
