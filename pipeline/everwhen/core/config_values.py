"""Values of a configuration, each refused with a message that says what is expected."""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from everwhen.core.config_errors import describe

SECRET_SETTING = re.compile(r"(?i)(secret|password|token|access[.]?key)(?!.*(file|path|enabled|provider)$)")
"""Settings whose values Spark itself hides (spark.redaction.regex), less those that only name a secret's place."""

FIRST_DAY, LAST_DAY = dt.date(100, 1, 1), dt.date(2999, 12, 31)
"""The days that a window may have: date columns hold the years 1 to 9999, and reckoning needs room on both sides."""

MAX_THREADS = 1024
"""More threads than any machine of ours has cores: a typing error, or memory that ends before the work begins."""

MIN_MEMORY = 512 << 20
"""Spark refuses to start with less than 450 MB."""


def read_day(value: Any) -> dt.date:
    """Read a day as YYYY-MM-DD; a number or a time of day is refused.

    Raises:
        PydanticCustomError: It is no day.
    """
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        return value
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value):
        try:
            return dt.date.fromisoformat(value)
        except ValueError:
            raise PydanticCustomError("day", "{day} is not in the calendar", {"day": value}) from None
    found = {"found": describe(value)}
    raise PydanticCustomError("day", "a date as YYYY-MM-DD is expected, found {found}", found)


def require_no_password(address: str) -> str:
    """Refuse an address with a user's password in it: addresses are written to manifests, logs and error messages.

    `container@account` in Azure's addresses is not a password.

    Raises:
        ValueError: It has one; the message does not show it.
    """
    scheme, separator, rest = address.partition("://")
    user, at, _ = rest.partition("/")[0].rpartition("@")
    if separator and at and (":" in user or scheme in ("http", "https")):
        raise ValueError("an address without user and password is expected; both would be written to manifests")
    return address


def require_url(address: str) -> str:
    """Refuse an address that no server has."""
    require_no_password(address)
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        raise ValueError(f"an address is expected: {error}") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("an address that begins with https:// or http:// is expected")
    return address


def require_memory(size: str) -> str:
    """Refuse a size of memory that Java does not know, or that Spark does not start with."""
    found = re.fullmatch(r"([0-9]{1,9})([kmgtKMGT])", size)
    if not found:
        raise ValueError(f"a size such as 2g or 1500m is expected, found {describe(size)}")
    if int(found[1]) << 10 * ("kmgt".index(found[2].lower()) + 1) < MIN_MEMORY:
        raise ValueError(f"512m or more is expected, found {describe(size)}; Spark does not start with less")
    return size


def require_master(master: str) -> str:
    """Refuse a master that Spark does not know."""
    local = re.fullmatch(r"local(\[(\*|[0-9]{1,9})( *, *[0-9]+)?\])?", master)
    if not local and not re.fullmatch(r"local-cluster\[.+\]|yarn|(spark|k8s)://.+", master):
        raise ValueError(
            f"local[*], local[4], yarn, spark://host:port or k8s://address is expected, found {describe(master)}"
        )
    if local and local[2] not in (None, "*") and not 1 <= int(local[2]) <= MAX_THREADS:
        raise ValueError(f"local[1] to local[{MAX_THREADS}] is expected, found {master}")
    return master


def require_spark_settings(settings: dict[str, str]) -> dict[str, str]:
    """Refuse secrets, and settings that Spark does not have."""
    for key in settings:
        if not key.startswith("spark."):
            raise ValueError(f"Spark's settings begin with spark., and {key} does not")
        if SECRET_SETTING.search(key):
            raise ValueError(f"{key} is a secret; it belongs into spark-defaults.conf or the environment")
    return settings


def require_folder_name(version: str) -> str:
    """Refuse a version that cannot be the name of a folder."""
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", version):
        raise ValueError(
            f"letters, digits, '.', '_' and '-' are expected, first a letter or a digit; found {describe(version)}"
        )
    return version


def require_name(snapshot: str) -> str:
    """Refuse a snapshot without a name."""
    if not snapshot.strip() or not snapshot.isprintable():
        raise ValueError("the name of a state of the sources is expected, such as 2026-11-01")
    return snapshot


def require_header(contact: str) -> str:
    """Refuse a contact that no HTTP header can hold."""
    if not (contact.isascii() and contact.isprintable()):
        raise ValueError("one line of ASCII is expected, as it is sent in the header User-Agent")
    return contact


Day = Annotated[dt.date, BeforeValidator(read_day)]
SourcePath = Annotated[str, Field(min_length=1), AfterValidator(require_no_password)]
Url = Annotated[str, AfterValidator(require_url)]
Memory = Annotated[str, AfterValidator(require_memory)]
Master = Annotated[str, AfterValidator(require_master)]
SparkSettings = Annotated[dict[str, str], AfterValidator(require_spark_settings)]
FolderName = Annotated[str, AfterValidator(require_folder_name)]
Snapshot = Annotated[str, AfterValidator(require_name)]
Contact = Annotated[str, AfterValidator(require_header)]
