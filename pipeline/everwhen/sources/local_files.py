"""Files of this machine that a build is to read, looked at before anything is started."""

from __future__ import annotations

import os
import re
from glob import glob
from pathlib import Path

from everwhen.core.config import PULLED, Sources
from everwhen.core.config_errors import ConfigError
from everwhen.sources.pull import load_source, to_key

GZIP = re.compile(rb"\x1f\x8b")
BZIP2 = re.compile(rb"BZh[1-9](\x31\x41\x59\x26\x53\x59|\x17\x72\x45\x38\x50\x90)")
"""How compressed files begin."""

OTHERS = {b"PK\x03\x04": "zip", b"\xfd7zXZ\x00": "xz", b"\x28\xb5\x2f\xfd": "zstd", b"7z\xbc\xaf\x27\x1c": "7z"}
"""How files begin that are compressed in a way Hadoop does not read, and what they are."""

END_OF_BZIP2 = 0x177245385090
"""How the last stream of a bzip2 file ends."""

END_BYTES = 16
"""Bytes at each end that show whether a file is compressed as its name says."""

WEB = ("http", "https", "ftp")


def is_local(path: str) -> bool:
    """Tell whether a path is one of this machine's file system."""
    return "://" not in path or path.startswith("file://")


def find_local_files(path: str) -> list[Path]:
    """List the files that a path, a folder or a glob of this machine names, as a build would take them."""
    path = path.removeprefix("file://")
    named = [Path(path)] if os.path.exists(path) else [Path(found) for found in sorted(glob(path))]
    files: list[Path] = []
    for each in named:
        files += sorted(child for child in each.iterdir() if child.is_file()) if each.is_dir() else [each]
    return [file for file in files if file.name[:1] not in ("_", ".")]


def find_unusable_sources(sources: Sources) -> list[ConfigError]:
    """Find errors in the paths of the sources; addresses of other machines are checked for their form alone."""
    return [
        ConfigError(("sources", key, number), reason)
        for key, paths in sources.list_paths().items()
        for number, path in enumerate(paths)
        for reason in (_find_local_errors(key, path) if is_local(path) else _find_address_errors(path))
    ]


def _find_address_errors(path: str) -> list[str]:
    scheme, _, rest = path.partition("://")
    if scheme in WEB:
        return [f"{path}: a build reads files; fetch it first (everwhen pull), and name the file"]
    return [] if scheme and rest.strip("/") else [f"{path}: an address such as hdfs://host/path is expected"]


def _find_local_errors(key: str, path: str) -> list[str]:
    try:
        files = find_local_files(path)
    except PermissionError as error:
        return [f"{error.filename}: no permission to read this folder"]
    if not files:
        return [f"{path}: {'a folder without files' if os.path.isdir(path) else 'no such file'}"]
    unusable = [f"{file}: {reason}" for file in files if (reason := find_unusable_file(file))]
    if unusable or key not in map(to_key, PULLED):
        return unusable
    source = load_source(key)
    return [f"{file}: {reason}" for file in files if (reason := source.find_unusable(file))]


def find_unusable_file(file: Path) -> str:
    """Say why a file cannot be read, as far as its first and last bytes show; empty where it can."""
    try:
        with file.open("rb") as stream:
            first = stream.read(END_BYTES)
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - END_BYTES))
            last = stream.read()
    except PermissionError:
        return "no permission to read it"
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if not first:
        return "is empty"
    if kind := next((kind for begins, kind in OTHERS.items() if first.startswith(begins)), None):
        return f"is a {kind} file, which Spark does not read; unpack it, or pack it as .bz2"
    return _find_wrong_name(file, first) or find_damaged_end(file.name, first, last)


def _find_wrong_name(file: Path, first: bytes) -> str:
    """Say how a file is packed, if its name says otherwise."""
    for suffix, name, is_packed in ((".gz", "gzip", GZIP.match(first)), (".bz2", "bzip2", BZIP2.match(first))):
        if file.suffix == suffix and not is_packed:
            return f"is not a {name} file, as its name says"
        if is_packed and file.suffix != suffix:
            return f"is compressed; its name must end in {suffix}, by which Spark knows it"
    return ""


def find_damaged_end(name: str, first: bytes, last: bytes) -> str:
    """Say why a compressed file cannot be read to its end, as far as its edges show; empty where it can.

    Hadoop looks for blocks in a .bz2 file and reads those that it finds: of any other file it reads nothing, and
    does not notice that one ends after a block. A .gz file that is cut off it notices when it comes there.

    Args:
        name: Name of the file; its suffix says how it is compressed.
        first: Its first `END_BYTES` bytes.
        last: Its last `END_BYTES` bytes.
    """
    if name.endswith(".gz") and not GZIP.match(first):
        return "not a gzip file"
    if name.endswith(".bz2"):
        if not BZIP2.match(first):
            return "not a bzip2 file"
        # The end of a stream (48 bits), a checksum (32) and up to 7 bits that fill the last byte.
        bits = int.from_bytes(last[-11:], "big") >> 32
        if all((bits >> fill) % (1 << 48) != END_OF_BZIP2 for fill in range(8)):
            return "does not end as a bzip2 file does: cut off, or followed by something else"
    return ""
