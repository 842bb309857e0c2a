"""Files of any size from a server: fetched in pieces, compared with a checksum, then put in place."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import requests
from urllib3.exceptions import HTTPError

from everwhen.core.errors import InputError, NotNowError
from everwhen.core.files import compute_digests, write_atomically
from everwhen.core.http import Client
from everwhen.core.retries import Attempts, RetryableError, refuse_status
from everwhen.sources.client import track_progress
from everwhen.sources.pull_manifest import Manifest

CHUNK = 1 << 20
"""Bytes that are read at once, and by which a try must get on to count as none that failed."""

MAGIC = {".bz2": b"BZh", ".gz": b"\x1f\x8b"}
"""How a file of each kind begins."""


@dataclass(frozen=True)
class Checksum:
    """What a server says of a file's bytes.

    Attributes:
        algorithm: "sha1" or "md5", as hashlib names it.
        digits: The digest, in hexadecimal digits.
        source: Address of the file that says so.
    """

    algorithm: str
    digits: str
    source: str


@dataclass(frozen=True)
class Remote:
    """The file as the server describes it: what must not change while it is fetched in pieces.

    Attributes:
        validator: Its strong ETag, else the time of its last change; "" where the server says neither.
        length: Bytes.
        modified: The time of its last change as the server puts it.
    """

    validator: str
    length: int
    modified: str


def derive_name(url: str) -> str:
    """Derive the name of a file from its address."""
    return unquote(urlsplit(url).path.rpartition("/")[2])


def download_file(
    client: Client,
    url: str,
    folder: Path,
    manifest: Manifest,
    find_checksum: Callable[[], Checksum | None] = lambda: None,
) -> None:
    """Fetch a file into `folder`; what has arrived of it is kept, and asked for no second time.

    The manifest has its size, its SHA-256 and the time of its last change. A file that changes on the server before all
    of it has arrived is begun anew.

    Args:
        url: The file's address, whose last part is its name.
        folder: Where it is put.
        manifest: Where it is recorded; a file that it has as stored is not asked for.
        find_checksum: Finds what the bytes must have, None where the server does not say; it is asked before the file.

    Raises:
        InputError: The server has no such file or leads to another host, or the folder cannot be written or has no
            room; a NotNowError where the bytes have another checksum, or the pull may resume later.
    """
    name = derive_name(url)
    path = folder / name
    if manifest.has_stored(name, path):
        return
    checksum = find_checksum()
    transfer = _Download(client, url, folder / f".{name}.part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        remote = transfer.run()
        digests = _compare_digests(transfer, checksum)
        transfer.part.replace(path)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to: {error.strerror or error}") from None
    found = {} if checksum is None else {checksum.algorithm: digests[checksum.algorithm], "checked": checksum.source}
    manifest.record(name, "stored", path, modified=remote.modified, sha256=digests["sha256"], **found)
    transfer.about.unlink(missing_ok=True)


def _compare_digests(transfer: _Download, checksum: Checksum | None) -> dict[str, str]:
    """Compute the digests of what has arrived, and delete it where the server gives another."""
    algorithms = {"sha256"} | ({checksum.algorithm} if checksum else set())
    digests = compute_digests(transfer.part, sorted(algorithms))
    if checksum and digests[checksum.algorithm] != checksum.digits:
        # What is wrong is not known to be the end: no byte of it is kept for the next try.
        transfer.part.unlink()
        transfer.about.unlink(missing_ok=True)
        raise NotNowError(
            f"{transfer.url}: has arrived with the {checksum.algorithm} {digests[checksum.algorithm]}, and"
            f" {derive_name(checksum.source)} says {checksum.digits}; it is deleted, the same command fetches it anew"
        )
    return digests


class _Download:
    """One file on its way: the part that has arrived, and the server's facts of it."""

    def __init__(self, client: Client, url: str, part: Path) -> None:
        self._client = client
        self.url = url
        self.part = part
        self.about = part.with_suffix(".about")

    def run(self) -> Remote:
        """Ask until all has arrived."""
        attempts = Attempts(self.url, self._client.policy)
        while True:
            before = self._count_arrived()
            remote = self._read_remote()
            if remote and before == remote.length:
                return remote
            try:
                self._fetch(before, remote)
            except RetryableError as error:
                if self._count_arrived() >= before + CHUNK:
                    attempts = Attempts(self.url, self._client.policy)
                attempts.wait(str(error), error.retry_after)

    def _count_arrived(self) -> int:
        return self.part.stat().st_size if self.part.exists() else 0

    def _read_remote(self) -> Remote | None:
        """Read the server's facts of the file that has arrived in part; None where it cannot be resumed."""
        try:
            return Remote(**json.loads(self.about.read_text(encoding="utf-8")))
        except (FileNotFoundError, ValueError, TypeError):
            return None

    def _fetch(self, start: int, known: Remote | None) -> None:
        """Ask once, from byte `start` on, and write what comes."""
        headers = {"Accept-Encoding": "identity"}
        if start and known and known.validator:
            headers |= {"Range": f"bytes={start}-", "If-Range": known.validator}
        with self._client.stream(self.url, headers) as answer:
            self._require_file(answer)
            remote, first = _describe_remote(answer)
            if first and (first != start or remote != known):
                self.part.unlink()
                raise RetryableError("the file has changed while it was fetched")
            missing, free = remote.length - first, shutil.disk_usage(self.part.parent).free
            if free < missing:
                raise InputError(f"{self.part.parent}: {missing:,} bytes are still to come, and {free:,} are free")
            if not first:
                self.part.unlink(missing_ok=True)
                write_atomically(self.about, json.dumps(asdict(remote)))
            self._write(answer, first, remote.length)

    def _require_file(self, answer: requests.Response) -> None:
        """Require that an answer is the file or a part of it."""
        status = answer.status_code
        if status == 416:  # what has arrived is longer than the file is now
            self.part.unlink(missing_ok=True)
            raise RetryableError("the file has changed while it was fetched")
        if status not in (200, 206):
            refuse_status(self.url, status, answer.headers)
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            raise RetryableError("a page in place of the file")

    def _write(self, answer: requests.Response, first: int, length: int) -> None:
        """Add what comes to what has arrived."""
        chunks = track_progress(_read_chunks(answer), -(-(length - first) // CHUNK), f"{derive_name(self.url)}, MiB")
        with self.part.open("ab") as stream:
            for number, chunk in enumerate(chunks):
                if not (first or number or chunk.startswith(MAGIC[Path(derive_name(self.url)).suffix])):
                    raise RetryableError("another kind of file than its name says")
                stream.write(chunk)
            stream.flush()
            os.fsync(stream.fileno())
        if self._count_arrived() != length:
            raise RetryableError(f"{self._count_arrived():,} of {length:,} bytes have come")


def _read_chunks(answer: requests.Response) -> Iterator[bytes]:
    """Read the bytes of an answer as they are: a server may call a .gz file an encoding."""
    try:
        yield from answer.raw.stream(CHUNK, decode_content=False)
    except (HTTPError, OSError) as error:
        encoding = error.args[0] if error.args and isinstance(error.args[0], str) else error
        raise RetryableError(" ".join(str(encoding).split())) from None


def _describe_remote(answer: requests.Response) -> tuple[Remote, int]:
    """Read what an answer says of the complete file, and from which byte on it has it."""
    headers: Any = answer.headers
    modified = headers.get("Last-Modified", "")
    tag = headers.get("ETag", "")
    validator = modified if not tag or tag.startswith("W/") else tag
    if answer.status_code == 206:
        found = re.fullmatch(r"bytes (\d+)-\d+/(\d+)", headers.get("Content-Range", ""))
        if not found:
            raise RetryableError("a part of the file that does not say which")
        return Remote(validator, int(found.group(2)), modified), int(found.group(1))
    length = headers.get("Content-Length", "")
    if not length.isdecimal() or not int(length):
        raise RetryableError("an answer that does not say how long the file is, or an empty one")
    return Remote(validator, int(length), modified), 0
