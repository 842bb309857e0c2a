"""The command line: `everwhen build`, `plan`, `pull`, `sample`, `synth`, `verify`, `explain`."""

from __future__ import annotations

import argparse
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from everwhen.cli.arguments import add_build_arguments, add_config_arguments, chosen_config, configured, read_config
from everwhen.core.errors import MAY_GO_ON, InputError, MachineFailed, NotNowError, ValidationFailed

EPILOG = """\
examples:
  everwhen build --config configs/demo.yaml --out build/demo
  everwhen build --config configs/slice.yaml --out build/slice --dump dump.json.bz2 --year-pages '199*.wikitext'
  everwhen pull year-pages --config my.yaml --raw raw
  everwhen plan --config configs/scale.yaml --out build/scale/build
  everwhen synth --config configs/scale.yaml build/scale/world
  everwhen verify build/demo/dataset/demo
  everwhen explain build/demo/dataset/demo 6681782475296139836
exit codes: 0 done; 1 a check failed (a build then publishes nothing); 2 the input or the configuration cannot be used;
  3 a disk, a network or a process failed, a server does not answer, or another build is at work in the
  folder; 99 nothing to pull (--as-configured); 130 interrupted (after 3 and 130 a build goes on with --resume, a pull
  by itself)
"""

NOT_PULLED = 99
"""Exit code of a pull that the configuration does not ask for: what Airflow takes for a task that is skipped."""


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
    _plan_arguments(commands.add_parser("plan", help="show how many rows each template would make"))
    _pull_arguments(commands.add_parser("pull", help="fetch year pages, entity lists, pageviews or the dump"))
    sample = commands.add_parser("sample", help="write the embedded sample world in the sources' own formats")
    sample.add_argument("--out", required=True, metavar="DIR", help="folder to write to; must not exist")
    _synth_arguments(commands.add_parser("synth", help="write a synthetic world of any size, and the truth about it"))
    _verify_arguments(commands.add_parser("verify", help="derive every row of a dataset again from its facts"))
    explain = commands.add_parser("explain", help="show the facts and the rule behind one question")
    explain.add_argument("dataset", metavar="DIR", help="folder of the dataset, with questions/ and facts/")
    explain.add_argument("question_id", type=int, metavar="QUESTION_ID")
    explain.add_argument("--json", action="store_true", help="print JSON")
    return top


def _verify_arguments(verify: argparse.ArgumentParser) -> None:
    verify.add_argument("dataset", metavar="DIR", help="folder of the dataset, with questions/ and facts/")
    verify.add_argument("--limit", type=_count, metavar="N", help="check at most N rows of each template")
    verify.add_argument(
        "--templates", action="append", default=[], metavar="PATTERN", help="only these, * for any text; repeatable"
    )
    verify.add_argument("--memory", metavar="SIZE", help="memory limit, such as 8GB; what is more goes to disk")
    verify.add_argument("--threads", type=_count, metavar="N", help="threads; all cores by default")


def _count(text: str) -> int:
    """A number from one."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"a number from 1 is expected, not {text}")
    return int(text)


def _build_arguments(build: argparse.ArgumentParser) -> None:
    add_build_arguments(build)
    build.add_argument("--resume", action="store_true", help="go on with an unfinished build in --out")
    build.add_argument("--shuffle-partitions", type=int, metavar="N", help="overrides spark.shuffle_partitions")
    build.add_argument("--master", metavar="URL", help="overrides spark.master")


def _plan_arguments(plan: argparse.ArgumentParser) -> None:
    plan.description = (
        "Runs the stages up to the world in --out, and shows the rows that each template would make, what is asked"
        " about most, and the size. `everwhen build --resume` then goes on from there."
    )
    add_build_arguments(plan)
    plan.add_argument("--shuffle-partitions", type=int, metavar="N", help="overrides spark.shuffle_partitions")
    plan.add_argument("--master", metavar="URL", help="overrides spark.master")


def _pull_arguments(pull: argparse.ArgumentParser) -> None:
    pull.description = "Fetches a source; Wikimedia's servers ask for pull.contact in the configuration."
    pull.add_argument("what", choices=["year-pages", "entity-lists", "pageviews", "dump"])
    add_config_arguments(pull)
    pull.add_argument("--raw", required=True, metavar="DIR", help="folder for what is fetched; what lies there is kept")
    pull.add_argument("--titles", metavar="FILE", help="pageviews: article titles, one a line; overrides pull.titles")
    pull.add_argument(
        "--as-configured", action="store_true", help="fetch only what pull.sources names; else end with exit code 99"
    )


def _synth_arguments(synth: argparse.ArgumentParser) -> None:
    synth.description = (
        "Writes dump/, year_pages/ and pageviews/ of a made-up world in the sources' own formats, and truth/: what is"
        " in it, recorded where it was planted. The same configuration gives the same bytes; truth.json comes last."
    )
    synth.add_argument("out", metavar="OUT", help="folder to write to; must not exist")
    synth.add_argument("--config", required=True, metavar="FILE", help="configuration (YAML); its section synth counts")
    synth.add_argument("--scale", type=float, metavar="X", help="overrides synth.scale; 1 is the paper's size")
    synth.add_argument("--master", metavar="URL", help="overrides spark.master")


def run_build(arguments: argparse.Namespace) -> None:
    """Build a dataset."""
    from everwhen.stages import check_before, run

    config = configured(arguments, shuffle_partitions=arguments.shuffle_partitions, master=arguments.master)
    check_before(config, arguments.out, resume=arguments.resume)
    run(config, arguments.out)


def run_plan(arguments: argparse.Namespace) -> None:
    """Show what would be asked."""
    from everwhen.stages import check_before, plan

    config = configured(arguments, shuffle_partitions=arguments.shuffle_partitions, master=arguments.master)
    check_before(config, arguments.out, resume=Path(arguments.out).exists())
    plan(config, arguments.out)


def run_pull(arguments: argparse.Namespace) -> int:
    """Fetch a source."""
    from everwhen.sources.pulled import not_pulled

    config = chosen_config(arguments)
    why = not_pulled(config, arguments.what) if arguments.as_configured else ""
    if why:
        print(f"everwhen pull {arguments.what}: skipped: {why}", file=sys.stderr)
        return NOT_PULLED
    from everwhen.sources.pull import pull

    pull(config, arguments.what, Path(arguments.raw), arguments.titles)
    return 0


def run_sample(arguments: argparse.Namespace) -> None:
    """Write the sample world."""
    from everwhen.sample.writers import render_sample

    out = Path(arguments.out)
    if out.exists():
        raise InputError(f"{out}: exists already")
    render_sample(out)


def run_synth(arguments: argparse.Namespace) -> None:
    """Write a synthetic world."""
    from everwhen.core.config import overridden
    from everwhen.synth.stage import check_out, synthesize

    config = overridden(read_config(arguments.config), "synth", {"scale": arguments.scale})
    config = overridden(config, "spark", {"master": arguments.master})
    check_out(arguments.out)
    synthesize(config, arguments.out)


def run_verify(arguments: argparse.Namespace) -> int:
    """Check a dataset; what came of it as JSON on stdout."""
    from everwhen.families.complextempqa.rules import description_checks, rules_of
    from everwhen.families.complextempqa.template import all_templates
    from everwhen.validate.verify import verify

    with _progress() as progress:
        found = verify(
            arguments.dataset,
            rules_of(all_templates()),
            description_checks(),
            patterns=arguments.templates,
            limit=arguments.limit,
            memory=arguments.memory,
            threads=arguments.threads,
            progress=progress,
        )
    print(json.dumps(found.as_json(), indent=1, ensure_ascii=False))
    return 0 if found.passed else 1


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None] | None]:
    """A bar on stderr where that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        yield lambda step, done, of: bar.update(task, description=step, completed=done, total=of)


def run_explain(arguments: argparse.Namespace) -> None:
    """Explain one row."""
    from everwhen.families.complextempqa.rules import rules_of
    from everwhen.families.complextempqa.template import all_templates
    from everwhen.validate.explain import explain

    found = explain(arguments.dataset, arguments.question_id, rules_of(all_templates()))
    print(json.dumps(found.as_json(), indent=1, ensure_ascii=False) if arguments.json else found.text())


def _resume(arguments: argparse.Namespace) -> str:
    """What to do about a build that did not end: nothing where it has not begun."""
    begun = arguments.command == "build" and ("://" in arguments.out or Path(arguments.out).is_dir())
    return "; --resume goes on from here" if begun else ""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    # What goes wrong is told below, in one line; a call to the JVM that is interrupted would log a trace before.
    logging.basicConfig(level=logging.CRITICAL)
    arguments = parser().parse_args(argv)
    commands: dict[str, Callable[[argparse.Namespace], int | None]] = {
        "build": run_build,
        "plan": run_plan,
        "pull": run_pull,
        "sample": run_sample,
        "synth": run_synth,
        "verify": run_verify,
        "explain": run_explain,
    }
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return commands[arguments.command](arguments) or 0
    except InputError as error:
        print(f"everwhen: {error}", file=sys.stderr)
        return MAY_GO_ON if isinstance(error, NotNowError) else 2
    except ValidationFailed as error:
        print(f"everwhen: {error}", file=sys.stderr)
        return 1
    except (MachineFailed, OSError) as error:
        print(f"everwhen: {error}{_resume(arguments)}", file=sys.stderr)
        return MAY_GO_ON
    except KeyboardInterrupt:
        print(f"everwhen: interrupted{_resume(arguments)}", file=sys.stderr, flush=True)
        # The call that was interrupted cannot be ended in good order; Spark's JVM ends with this process.
        os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
