"""Print the completion of this command for a shell.

example:
  everwhen completion bash > ~/.local/share/bash-completion/completions/everwhen
  everwhen completion zsh > ~/.zfunc/_everwhen
"""

from __future__ import annotations

import argparse

from everwhen.core.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("shell", choices=["bash", "zsh", "tcsh"], help="which shell")


def run(args: argparse.Namespace) -> None:
    """Print the script."""
    try:
        import shtab
    except ImportError:
        raise InputError("the Python package shtab is missing: pip install shtab") from None
    from everwhen.cli.main import build_parser

    print(shtab.complete(build_parser(), args.shell))
