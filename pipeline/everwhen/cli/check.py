"""Check a configuration and the files it names, without starting Spark.

Prints what would be built and from which files, or a line for each error: file, line, key, what was found, what is
expected. Files of this machine are opened and their first bytes looked at; addresses of others are only read. It is the
first step of every build, plan and job, too. What is to be pulled need not be there yet: the section pull is checked,
and the configuration is ready after the pull.

example:
  everwhen check --config configs/demo.yaml
  everwhen check --config configs/slice.yaml --dump dump.json.bz2 --year-pages '199*.wikitext'
  everwhen check --schema > configs/schema.json
"""

from __future__ import annotations

import argparse
import json

from everwhen.cli.arguments import add_config_arguments, add_source_arguments, resolve_config
from everwhen.core.errors import InputError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_config_arguments(parser, required=False)
    add_source_arguments(parser)
    parser.add_argument("--schema", action="store_true", help="print the JSON schema of configurations, for editors")


def run(args: argparse.Namespace) -> None:
    """Check what can be checked, and say what would be built."""
    if args.schema:
        from everwhen.core.config_file import build_schema
        from everwhen.families import load_settings

        print(json.dumps(build_schema(load_settings()), indent=1))
        return
    if not args.config:
        raise InputError("--config FILE is missing")
    config = resolve_config(args)
    from everwhen.preflight import check_config, check_sources, describe_build, list_pulls

    pulled = list_pulls(config)
    check_config(config, args.config, pulled)
    check_sources(config, pulled)
    ready = "valid, and ready after the pull" if pulled else "valid"
    print(f"This configuration is {ready}: {args.config}\n{describe_build(config)}")
