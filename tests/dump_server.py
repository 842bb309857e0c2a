"""A server of files in the wire formats of dumps.wikimedia.org: folders listed as HTML, files by byte ranges."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import escape
from urllib.parse import quote

from werkzeug import Request, Response


@dataclass
class DumpServer:
    """A handler for pytest-httpserver.

    Attributes:
        files: Bytes by path, such as /entities/20261116/wikidata-20261116-md5sums.txt.
        cuts: By path, how many bytes of each answer to come are sent before it is cut.
        asked: Path of each request, with the first byte asked for.
        sent: Bytes sent of each file.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    cuts: dict[str, list[int]] = field(default_factory=dict)
    asked: list[tuple[str, int]] = field(default_factory=list)
    sent: dict[str, int] = field(default_factory=dict)

    def add_dump(self, date: str, content: bytes, root: str = "/entities", **sums: str) -> str:
        """Add a dump of a date with its checksums, or such as `sums` says ("" for none); its path."""
        name = f"wikidata-{date}-all.json.bz2"
        self.files[f"{root}/{date}/{name}"] = content
        for algorithm in ("md5", "sha1"):
            digits = sums.get(algorithm, hashlib.new(algorithm, content).hexdigest())
            line = f"{digits}  {name}\n" if digits else ""
            other = f"{hashlib.new(algorithm, b'').hexdigest()}  wikidata-{date}-all.json.gz\n"
            self.files[f"{root}/{date}/wikidata-{date}-{algorithm}sums.txt"] = (other + line).encode()
        return f"{root}/{date}/{name}"

    def __call__(self, request: Request) -> Response:
        """Answer a GET of a file or a folder."""
        path = request.path
        if path.endswith("/"):
            self.asked.append((path, 0))
            return self._list_folder(path)
        body = self.files.get(path)
        if body is None:
            self.asked.append((path, 0))
            return Response("<html><head><title>404 Not Found</title></head></html>", 404, content_type="text/html")
        tag = f'"{hashlib.md5(body).hexdigest()}"'
        wanted = request.range is not None and request.headers.get("If-Range") == tag
        start = request.range.ranges[0][0] if wanted and request.range else 0
        self.asked.append((path, start))
        rest = body[start:]
        headers = {
            "ETag": tag,
            "Last-Modified": "Wed, 28 Oct 2026 03:14:15 GMT",
            "Content-Length": str(len(rest)),
            "Content-Type": "text/plain" if path.endswith(".txt") else "application/octet-stream",
        }
        if wanted:
            headers["Content-Range"] = f"bytes {start}-{len(body) - 1}/{len(body)}"
        cuts = self.cuts.get(path)
        cut = cuts.pop(0) if cuts else len(rest)
        return Response(self._send(path, rest[:cut]), status=206 if wanted else 200, headers=headers)

    def count_requests(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(asked == path for asked, _ in self.asked)

    def _send(self, path: str, data: bytes) -> Iterator[bytes]:
        for place in range(0, len(data), 1 << 16):
            piece = data[place : place + (1 << 16)]
            self.sent[path] = self.sent.get(path, 0) + len(piece)
            yield piece

    def _list_folder(self, path: str) -> Response:
        """A folder as nginx lists it (autoindex)."""
        below = {name.removeprefix(path) for name in self.files if name.startswith(path)}
        if not below:
            return Response("<html><head><title>404 Not Found</title></head></html>", 404, content_type="text/html")
        names = sorted({name.partition("/")[0] + "/" * ("/" in name) for name in below})
        return Response(
            format_listing(path, {name: "16-Nov-2026 23:59   -" for name in names}), content_type="text/html"
        )


def format_listing(path: str, names: Mapping[str, str]) -> str:
    """The HTML with which nginx lists a folder."""
    lines = "\n".join(f'<a href="{quote(name)}">{escape(name)}</a>    {about}' for name, about in names.items())
    title = f"Index of {escape(path)}"
    return (
        f"<html>\n<head><title>{title}</title></head>\n<body>\n<h1>{title}</h1><hr><pre>"
        f'<a href="../">../</a>\n{lines}\n</pre><hr></body>\n</html>\n'
    )
