"""The command line `everwhen`: one module a command; its docstring is the command's help.

Families may have commands of their own, `everwhen FAMILY COMMAND`.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from everwhen.cli import (
    agree,
    ask,
    build,
    check,
    completion,
    evaluate,
    explain,
    export,
    plan,
    pull,
    retrieve,
    sample,
    synth,
    verify,
)
from everwhen.cli.arguments import add_common_arguments
from everwhen.cli.outcome import end_with_code, prepare_log
from everwhen.core.errors import MEANINGS, ExitCode
from everwhen.core.log import add_log_fields

if TYPE_CHECKING:
    from everwhen.families.base import BuildCommand, Command

MODULES = (build, check, plan, pull, sample, synth, verify, explain, evaluate, agree, ask, retrieve, export, completion)
COMMANDS: Mapping[str, Command] = {module.__name__.rpartition(".")[2]: module for module in MODULES}
"""The commands, each the module of its name, with `add_arguments` and `run`."""

EPILOG = "exit codes:\n" + "\n".join(f"  {code:>3}  {meaning}" for code, meaning in MEANINGS.items())


class OneLineParser(argparse.ArgumentParser):
    """Reports what is wrong with the arguments in one line, as commands report all other errors."""

    def error(self, message: str) -> NoReturn:
        """Print the message and end with exit code 2."""
        with add_log_fields(level="error", exit_code=ExitCode.INPUT):
            self.exit(ExitCode.INPUT, f"{self.prog}: {message}; {self.prog} --help shows the arguments\n")


def build_parser(*, with_families: bool = True) -> argparse.ArgumentParser:
    """Make the parser of the command's arguments.

    Args:
        with_families: Whether families' own commands are in it; verify and explain run where no family is installed.
    """
    top = OneLineParser(
        prog="everwhen",
        description="Temporal questions from Wikipedia and Wikidata, with answers that can be derived again.",
        epilog=f"everwhen COMMAND --help shows examples.\n\n{EPILOG}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("-V", "--version", action="version", version=f"everwhen {version('everwhen')}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in COMMANDS.items():
        _add_command(commands, name, module)
    if with_families:
        from everwhen.families import load_commands

        for family, own_commands in load_commands().items():
            own = commands.add_parser(family, help=f"commands of the family {family}")
            verbs = own.add_subparsers(dest="verb", required=True, metavar="COMMAND")
            for verb, command in own_commands.items():
                _add_command(verbs, verb, command)
    return top


def _add_command(commands: Any, name: str, module: Command | BuildCommand) -> None:
    """Add a command whose help is the docstring of its module."""
    about = (module.__doc__ or name).strip()
    one = commands.add_parser(
        name,
        help=about.splitlines()[0].rstrip("."),
        description=about,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(one)
    add_common_arguments(one)
    if hasattr(module, "run"):
        one.set_defaults(run=module.run)
    else:
        one.set_defaults(run=lambda args: build.build_dataset(module.configure(args), args))


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    with prepare_log(words, next((word for word in words if not word.startswith("-")), "everwhen")):
        return _run_command(words)


def _run_command(words: Sequence[str]) -> int:
    parser = build_parser(with_families=not words or words[0] not in COMMANDS)
    if not words:
        parser.print_help(sys.stderr)
        return ExitCode.INPUT
    args = parser.parse_args(words)
    # Python's logging level says how much is printed; Spark's session and DuckDB's errors look there.
    level = logging.CRITICAL + 1 if args.quiet else logging.CRITICAL
    logging.getLogger("everwhen").setLevel(logging.DEBUG if args.verbose else level)
    return end_with_code("everwhen", partial(args.run, args), partial(_resume, args))


def _resume(args: argparse.Namespace) -> str:
    """What to do about work that did not end: nothing where it has not begun."""
    if args.command == "ask":
        return "; the same command resumes, and asks no prompt again that has an answer in the journal"
    builds = "build" in (args.command, getattr(args, "verb", None))
    begun = builds and ("://" in args.out or Path(args.out).is_dir())
    return "; --resume continues from here" if begun else ""


if __name__ == "__main__":
    sys.exit(main())
