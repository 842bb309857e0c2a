"""Find the newest snapshot, or fetch year pages, entity lists, pageviews or the dump.

`pull snapshot` prints the date of the newest complete dump, by which --snapshot names it to all other commands; it
fetches nothing. What was fetched before is kept: the same command continues after an interruption. Wikimedia's servers
ask for pull.contact in the configuration. Lines on stderr name what is fetched. `everwhen build --raw DIR` reads it.

example:
  everwhen pull snapshot --config my.yaml
  everwhen pull dump --config my.yaml --snapshot 2026-11-16 --raw raw/2026-11-16
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from everwhen.cli.arguments import add_config_arguments, load_chosen_config, read_date, read_folder, refuse_unused
from everwhen.core.arguments import read_count
from everwhen.core.config import PULLED, override_section
from everwhen.core.errors import ExitCode, InputError

SNAPSHOT = "snapshot"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add = parser.add_argument
    add("what", choices=(SNAPSHOT, *PULLED), help="the date of the newest dump, or which source")
    add_config_arguments(parser)
    add("--raw", type=read_folder, metavar="DIR", help="folder for what is fetched, required; what it has is kept")
    add("--date", type=read_date, metavar="DATE", help="snapshot: the date of the run, today by default; no later dump")
    add("--titles", metavar="FILE", help="pageviews: article titles, one a line; overrides pull.titles")
    add(
        "--max-age",
        type=read_age,
        metavar="DAYS",
        help="refuse a snapshot of more days ago, if what is fetched would be of today: year pages and entity lists",
    )
    add("--as-configured", action="store_true", help="fetch only what pull.sources names; else end with exit code 99")


def read_age(text: str) -> int | None:
    """Read a number of days, as argparse's `type`; None of an empty text, by which a scheduler says any age."""
    return int(text) if text.isdecimal() else None if not text else read_count(text)


def run(args: argparse.Namespace) -> int:
    """Fetch a source, or print the snapshot."""
    refuse_unused({"--date": args.date} if args.what != SNAPSHOT else {}, "pull snapshot")
    config = load_chosen_config(args)
    from everwhen.preflight import check_pull, list_pulls

    if args.what == SNAPSHOT:
        from everwhen.sources.dump import find_snapshot

        unused = {"--raw": args.raw, "--titles": args.titles}
        refuse_unused({**unused, "--as-configured": args.as_configured or None}, "a source")
        check_pull(config, [what for what in list_pulls(config) if what == "dump"], args.config)
        print(find_snapshot(config, args.date, is_given=bool(args.snapshot)))
        return ExitCode.DONE
    if args.raw is None:
        raise InputError("--raw DIR is missing: the folder for what is fetched")
    from everwhen.sources.pull import find_skip_reason, pull, require_recent

    if args.as_configured and (why := find_skip_reason(config, args.what)):
        print(f"everwhen pull {args.what}: skipped: {why}", file=sys.stderr)
        return ExitCode.SKIPPED
    if args.max_age is not None:
        require_recent(config, args.what, Path(args.raw), args.max_age)
    config = override_section(config, "pull", {"titles": args.titles})
    check_pull(config, [args.what], args.config)
    pull(config, args.what, Path(args.raw))
    return ExitCode.DONE
