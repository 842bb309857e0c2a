"""What a source is that is pulled, on a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from everwhen.core.config import Config
from everwhen.core.config_errors import ConfigError


@dataclass(frozen=True)
class Source:
    """A source that is pulled.

    Attributes:
        pull: Fetches it into a folder; complete files are kept. It raises InputError where nothing can be fetched.
        list_parts: Lists the parts that a configuration asks for, such as the years of year pages. It raises InputError
            where the configuration cannot be followed.
        choose_address: Chooses the address of the section `pull` that is asked.
        pattern: Glob of the files that a build reads of the folder.
        find_errors: Finds what is wrong with the section `pull` before any server is asked.
        find_unusable: Says why a file cannot be one of this source, as far as its beginning shows; "" where it may be.
        is_of_today: Whether servers have it in its state of today alone, and not by date.
        has_file_per_part: Whether a file is named after its part; those of other parts are then not read.
    """

    pull: Callable[[Config, Path], None]
    list_parts: Callable[[Config], Sequence[str]]
    choose_address: Callable[[Config], str]
    pattern: str
    find_errors: Callable[[Config], Sequence[ConfigError]] = lambda config: ()
    find_unusable: Callable[[Path], str] = lambda file: ""
    is_of_today: bool = False
    has_file_per_part: bool = False
