"""The command line: `everwhen build`, `pull`, `sample`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from pipeline.arguments import add_build_arguments, configured
from pipeline.errors import InputError, ValidationFailed

EPILOG = """\
examples:
  everwhen build --config configs/demo.yaml --out build/demo
  everwhen build --config configs/slice.yaml --out build/slice --dump dump.json.bz2 --year-pages '199*.wikitext'
  everwhen pull year-pages --config my.yaml --raw raw
exit codes: 0 done; 1 a check failed, nothing was published; 2 the input or the configuration cannot be used
"""


def parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    top = argparse.ArgumentParser(
        prog="everwhen",
        description="Temporal questions from Wikipedia and Wikidata, with answers that can be derived again.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=f"everwhen {version('everwhen')}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _build_arguments(commands.add_parser("build", help="build a dataset from local files, all stages in order"))
    _pull_arguments(commands.add_parser("pull", help="fetch year pages, entity lists or pageviews"))
    sample = commands.add_parser("sample", help="write the embedded sample world in the sources' own formats")
    sample.add_argument("--out", required=True, metavar="DIR", help="folder to write to; must not exist")
    return top


def _build_arguments(build: argparse.ArgumentParser) -> None:
    add_build_arguments(build)
    build.add_argument("--resume", action="store_true", help="go on with an unfinished build in --out")
    build.add_argument("--shuffle-partitions", type=int, metavar="N", help="overrides spark.shuffle_partitions")
    build.add_argument("--master", metavar="URL", help="overrides spark.master")


def _pull_arguments(pull: argparse.ArgumentParser) -> None:
    pull.add_argument("what", choices=["year-pages", "entity-lists", "pageviews"])
    pull.add_argument("--config", required=True, metavar="FILE", help="configuration (YAML); pull.contact is needed")
    pull.add_argument("--raw", required=True, metavar="DIR", help="folder for what is fetched; what lies there is kept")
    pull.add_argument("--titles", metavar="FILE", help="pageviews: article titles, one a line")


def run_build(arguments: argparse.Namespace) -> None:
    """Build a dataset."""
    from pipeline.run import check_before, run

    config = configured(arguments, shuffle_partitions=arguments.shuffle_partitions, master=arguments.master)
    check_before(config, arguments.out, resume=arguments.resume)
    run(config, arguments.out)


def run_pull(arguments: argparse.Namespace) -> None:
    """Fetch a source."""
    from pipeline.config import load_config
    from pipeline.sources.pull import pull

    pull(load_config(arguments.config), arguments.what, Path(arguments.raw), arguments.titles)


def run_sample(arguments: argparse.Namespace) -> None:
    """Write the sample world."""
    from pipeline.sample.writers import render_sample

    out = Path(arguments.out)
    if out.exists():
        raise InputError(f"{out}: exists already")
    render_sample(out)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    # What goes wrong is told below, in one line; a call to the JVM that is interrupted would log a trace before.
    logging.basicConfig(level=logging.CRITICAL)
    arguments = parser().parse_args(argv)
    commands = {"build": run_build, "pull": run_pull, "sample": run_sample}
    try:
        commands[arguments.command](arguments)
    except InputError as error:
        print(f"everwhen: {error}", file=sys.stderr)
        return 2
    except ValidationFailed as error:
        print(f"everwhen: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("everwhen: interrupted; --resume goes on from here", file=sys.stderr, flush=True)
        # The call that was interrupted cannot be ended in good order; Spark's JVM ends with this process.
        os._exit(130)
    return 0


if __name__ == "__main__":
    sys.exit(main())
