"""Whether a dataset was published by this version of everwhen, asked where its checks cannot be used."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

from everwhen.core.errors import InputError
from everwhen.validate.plan import digest_checks, load_known_checks, read_check_files


@contextmanager
def name_other_version(dataset: str | Path, manifest: Mapping[str, Any], families: Collection[str]) -> Iterator[None]:
    """Add to an error that another version published the dataset, and which command to use.

    The number of the version alone does not say so: revisions between two releases have the same.

    Args:
        dataset: Folder of the dataset.
        manifest: Its manifest.
        families: The families whose checks are used.

    Raises:
        InputError: What was raised within, with that addition unless all checks are those of this version.
    """
    try:
        yield
    except InputError as error:
        files = read_check_files(dataset, manifest["checks"])
        own, publisher = version("everwhen"), manifest.get("everwhen")
        known = load_known_checks().get(own, {})
        if all(known.get(family) == digest_checks(files, family) for family in families):
            raise
        if publisher in (own, None):
            by = f"another revision of everwhen {own}: use that revision, or build the dataset again"
        else:
            by = f"everwhen {publisher}, and this is {own}: run pip install everwhen=={publisher}, then this command"
        raise InputError(f"{error}; the checks of {dataset} are those of {by}") from None
