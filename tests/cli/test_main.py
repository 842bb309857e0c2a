from __future__ import annotations

import json
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from everwhen import stages
from everwhen.cli.arguments import resolve_config
from everwhen.cli.job import run_job
from everwhen.cli.main import build_parser, main
from everwhen.core import progress
from everwhen.core.build import describe_inputs
from everwhen.preflight import read_config
from tiny_dataset import SOUND, write_dataset

ROOT = Path(__file__).resolve().parents[2]
DEMO = str(ROOT / "configs" / "demo.yaml")
DUMP = str(ROOT / "configs" / "schema.json")
"""It begins as a dump may."""
SLICE = str(ROOT / "configs" / "slice.yaml")
BARE = "version: '1'\nsnapshot: s\n"
LEAST = BARE + "sources: {sample: true}\n"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, with an output folder that exists in its parent."""
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "theirs").touch()
    (tmp_path / "empty").mkdir()
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize(
    ("text", "arguments", "message"),
    [
        pytest.param(LEAST + "sprak: {}", [], "sprak: unknown key; did you mean spark?", id="unknown-key"),
        pytest.param("snapshot: s", [], "version: missing", id="missing-key"),
        pytest.param(LEAST + "splits: most", [], "splits: keys with values are expected", id="wrong-type"),
        pytest.param("version: '1'\nsnapshot: s", [], "sources.dump: no Wikidata dump is named", id="no-dump"),
        pytest.param(BARE, ["--dump", "none.json"], "sources.dump: none.json: no such file", id="no-dump-file"),
        pytest.param(BARE, ["--dump", "*.json.bz2"], "sources.dump: *.json.bz2: no such file", id="glob-of-nothing"),
        pytest.param(
            BARE,
            ["--dump", DUMP, "--year-pages", "1999.wikitext"],
            "sources.year_pages: 1999.wikitext: no such file",
            id="no-page",
        ),
        pytest.param(
            LEAST,
            ["--dump", DEMO, "--pageviews", DEMO],
            "sample is true, and files are named for dump and pageviews",
            id="sample-and-files",
        ),
        pytest.param(
            LEAST + "families: {complextempqa: {templates: [attribute.event.dat]}}",
            [],
            "4: families.complextempqa.templates[1]: no template attribute.event.dat; did you mean",
            id="unknown-template",
        ),
        pytest.param(
            LEAST + "world: {lists: [film]}",
            [],
            "4: world.lists[1]: no entity list film; did",
            id="unknown-list",
        ),
        pytest.param(
            LEAST + "world: {min_views: {film: 3}}",
            [],
            "4: world.min_views.film: no entity list film",
            id="views-of-no-list",
        ),
        pytest.param(
            LEAST, ["--shuffle-partitions", "0"], "spark.shuffle_partitions: 1 or more is expected", id="zero"
        ),
    ],
)
def test_a_bad_configuration_is_reported_before_anything_is_written(
    here: Path, capsys: pytest.CaptureFixture[str], text: str, arguments: list[str], message: str
) -> None:
    config = here.parent / "mine.yaml"
    config.write_text(text)
    assert main(["build", "--config", str(config), "--out", "out", *arguments]) == 2
    _require_one_line(capsys, message)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["build", "--config", "none.yaml", "--out", "out"], "none.yaml: no such conf", id="no-config"),
        pytest.param(
            ["build", "--config", DEMO, "--out", "../taken"],
            "../taken: is not empty, and has no build to resume; take another folder",
            id="taken",
        ),
        pytest.param(["build", "--config", SLICE, "--out", "out"], "no Wikidata dump is named", id="slice-needs-paths"),
        pytest.param(["sample", "--out", "../taken"], "../taken: exists already", id="sample-taken"),
        pytest.param(["pull", "year-pages", "--config", "none.yaml", "--raw", "raw"], "none.yaml: no such", id="pull"),
        pytest.param(
            ["pull", "entity-lists", "--config", DEMO, "--raw", "raw"], "pull.contact: query.wi", id="contact"
        ),
        pytest.param(
            ["build", "--config", DEMO, "--out", "s3a://a:b@c/d"], "--out: an address without user", id="secret"
        ),
    ],
)
def test_arguments_that_cannot_be_used(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(arguments) == 2
    _require_one_line(capsys, message)
    assert list(here.iterdir()) == []
    assert [path.name for path in (here.parent / "taken").iterdir()] == ["theirs"]


@pytest.mark.parametrize(
    ("text", "arguments", "code", "message"),
    [
        pytest.param(LEAST, ["--as-configured"], 99, "pull dump: skipped: sources.sample", id="sample"),
        pytest.param(
            "version: '1'\nsnapshot: s", ["--as-configured"], 99, "pull.sources does not name dump", id="not-named"
        ),
        pytest.param(LEAST + "pull: {dump_url: 'http://127.0.0.1:9/d.json.gz', attempts: 1}", [], 3, "", id="later"),
        pytest.param(LEAST + "pull: {dump_url: 'http://127.0.0.1:9/'}", [], 2, "pull.dump_url", id="wrong-address"),
        pytest.param(LEAST, ["--window-end", "1980-01-01"], 2, "window: start, 1987-01-01, is after end", id="window"),
        pytest.param(
            LEAST, ["--window-start", "soon"], 2, "window.start: a date as YYYY-MM-DD is expected", id="no-date"
        ),
        pytest.param(
            LEAST, ["--snapshot", "2026-11-16"], 2, "pull.contact: dumps.wikimedia.org asks for", id="no-contact"
        ),
    ],
)
def test_the_exit_code_of_a_pull_says_whether_to_try_again(
    here: Path, capsys: pytest.CaptureFixture[str], text: str, arguments: list[str], code: int, message: str
) -> None:
    config = here.parent / "mine.yaml"
    config.write_text(text)
    assert main(["pull", "dump", "--config", str(config), "--raw", "raw", *arguments]) == code
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("everwhen")
    assert message in error


@pytest.mark.parametrize(
    ("arguments", "window", "snapshot"),
    [
        pytest.param(["--snapshot", "", "--window-start", "", "--window-end", ""], (1987, 2023), "sample", id="empty"),
        pytest.param(["--window-start", "1990-01-01"], (1990, 2023), "sample", id="one-end"),
        pytest.param(
            ["--snapshot", "2026-11-01", "--window-start", "1990-01-01", "--window-end", "2024-12-31"],
            (1990, 2024),
            "2026-11-01",
            id="all",
        ),
    ],
)
def test_window_and_snapshot_are_overridden(arguments: list[str], window: tuple[int, int], snapshot: str) -> None:
    parsed = build_parser().parse_args(["build", "--config", DEMO, "--out", "out", *arguments])
    config = resolve_config(parsed)
    assert (config.window.start.year, config.window.end.year) == window
    assert config.snapshot == snapshot


def test_a_build_takes_the_pulled_files(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = here.parent / "mine.yaml"
    config.write_text("version: '1'\nsnapshot: s\npull: {sources: [dump], dump_url: 'https://example.org/d.json.bz2'}")
    command = ["build", "--config", str(config), "--out", "out", "--raw", "raw"]
    assert main(command) == 2
    _require_one_line(capsys, "raw/dump: nothing was pulled; run `everwhen pull dump` first")
    (here / "raw" / "dump").mkdir(parents=True)
    (here / "raw" / "dump" / "d.json.bz2").touch()
    assert main(command) == 2  # no pull of it has ended
    _require_one_line(capsys, "raw/dump: nothing was pulled; run `everwhen pull dump` first")
    mark = {"items": [], "finished": ["https://example.org/d.json.bz2"]}
    (here / "raw" / "dump" / "pull.json").write_text(json.dumps(mark))
    assert resolve_config(build_parser().parse_args(command)).sources.dump == ["raw/dump/d.json.bz2"]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        pytest.param({"config": "0" * 16}, "facts/pageviews: made with different config; take a new", id="config"),
        pytest.param({"templates": "0" * 16}, "facts/pageviews: made with different templates; take", id="templates"),
        pytest.param({"sources": {"dump.json": "1"}}, "", id="files-are-read-later"),
        pytest.param({}, "", id="same"),
        pytest.param(None, "", id="empty-since-its-writer-was-killed"),
    ],
)
def test_a_build_of_another_configuration_is_not_resumed(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    inputs: dict[str, object] | None,
    message: str,
) -> None:
    started: list[str] = []
    monkeypatch.setattr("everwhen.stages.run", lambda config, out, **_: started.append(out))
    config = here.parent / "mine.yaml"
    config.write_text(LEAST)
    table = here / "out" / "facts" / "pageviews"
    for folder in (table, here / "out" / "dataset" / "1", here / "out" / "raw"):
        folder.mkdir(parents=True)
    (here / "out" / "dataset" / "1" / "manifest.json").write_text('{"rows": 1}')
    made = describe_inputs(read_config(config)) | {"sources": {}}
    (table / "manifest.json").write_text("" if inputs is None else json.dumps({"inputs": made | inputs}))
    code = main(["build", "--config", str(config), "--out", "out", "--resume"])
    assert (code, started) == ((2, []) if message else (0, ["out"]))
    if message:
        _require_one_line(capsys, message)


@pytest.mark.parametrize("stage", ["sources", "facts"])
def test_a_job_refuses_files_beside_the_sample(here: Path, capsys: pytest.CaptureFixture[str], stage: str) -> None:
    with pytest.raises(SystemExit) as ended:
        run_job(stage, ["--config", DEMO, "--out", "out", "--dump", DEMO])
    assert ended.value.code == 2
    assert "sample is true, and files are named for dump" in capsys.readouterr().err
    assert list(here.iterdir()) == []


def test_a_job_does_not_read_what_another_configuration_has_made(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("everwhen.cli.job.start_session", lambda *_: pytest.fail("Spark is not to be started"))
    config = here.parent / "mine.yaml"
    config.write_text(LEAST)
    table = here / "out" / "world" / "names"
    table.mkdir(parents=True)
    (table / "manifest.json").write_text(
        json.dumps({"inputs": describe_inputs(read_config(config)) | {"config": "0" * 16}})
    )
    with pytest.raises(SystemExit) as ended:
        run_job("family", ["--family", "complextempqa", "--config", str(config), "--out", "out"])
    assert ended.value.code == 2
    message = "everwhen complextempqa: out/world/names: made with different config; take a new output folder\n"
    assert capsys.readouterr().err == message


@pytest.fixture
def started(here: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The folders of builds that were started."""
    folders: list[str] = []
    monkeypatch.setattr("everwhen.stages.run", lambda config, out, **_: folders.append(out))
    (here.parent / "mine.yaml").write_text(LEAST)
    return folders


def test_a_build_is_resumed_or_begun(here: Path, capsys: pytest.CaptureFixture[str], started: list[str]) -> None:
    """A schedule gives the same command each time, whether a build has begun or not."""
    command = ["build", "--config", "../mine.yaml", "--resume", "--out"]
    assert main([*command, "../empty"]) == 0
    assert main([*command, "none"]) == 0
    assert main([*command, "../taken"]) == 2
    _require_one_line(capsys, "../taken: is not empty, and has no build to resume; take another folder")
    assert started == ["../empty", "none"]
    assert list(here.iterdir()) == []


def test_a_build_that_was_begun_is_continued_on_request_alone(
    here: Path, capsys: pytest.CaptureFixture[str], started: list[str]
) -> None:
    command = ["build", "--config", "../mine.yaml", "--out", "out"]
    (here / "out" / "raw").mkdir(parents=True)
    assert main(command) == 2
    _require_one_line(capsys, "out: holds an unfinished build; --resume continues it, or take another folder")
    published = here / "out" / "dataset" / "1"
    published.mkdir(parents=True)
    (published / "manifest.json").write_text('{"rows": 1}')
    assert main(command) == 2
    _require_one_line(capsys, "out: holds a finished build; take another folder")
    assert main([*command, "--resume"]) == 0
    assert started == ["out"]


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("usage: everwhen ")


def test_a_full_disk_is_reported_in_one_line(here: Path) -> None:
    program = Path(sys.executable).parent / "everwhen"
    run = subprocess.run(
        [program, "sample", "--out", "world"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),
    )
    assert (run.returncode, run.stdout) == (3, "")
    assert run.stderr == "everwhen: File too large\n"


def _require_one_line(capsys: pytest.CaptureFixture[str], message: str) -> None:
    streams = capsys.readouterr()
    assert streams.out == ""
    assert streams.err.startswith("everwhen: ")
    assert message in streams.err
    assert streams.err.count("\n") == 1
    assert streams.err.endswith("\n")


@pytest.mark.parametrize("arguments", [["bild"], ["build"], ["build", "--config", DEMO]], ids=" ".join)
def test_a_bad_command_line(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


def test_the_installed_command_lists_its_commands() -> None:
    program = Path(sys.executable).parent / "everwhen"
    run = subprocess.run([program, "--help"], capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 0
    assert {"build", "pull", "sample", "synth", "verify", "explain"} <= {
        line.split()[0] for line in run.stdout.splitlines() if line.strip()
    }
    assert re.search(r"^    1  a check failed", run.stdout, re.M)
    assert "130  interrupted" in run.stdout


def test_the_sample_is_written(here: Path) -> None:
    assert main(["sample", "--out", "world"]) == 0
    assert {path.suffix for path in (here / "world").rglob("*") if path.is_file()} >= {".bz2", ".wikitext"}


def test_a_dataset_is_verified(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_dataset(here / "sound")
    assert main(["verify", "sound"]) == 0
    streams = capsys.readouterr()
    found = json.loads(streams.out)
    assert (found["dataset"], found["rows"], found["checked"], found["wrong"]) == ("sound", 6, 6, 0)
    assert "6 of 6 right" in streams.err
    write_dataset(here / "wrong", [{**SOUND["start"], "answer": ["1989"]}, SOUND["director"]])
    assert main(["verify", "wrong", "--threads", "1", "--memory", "1GB"]) == 1
    found = json.loads(capsys.readouterr().out)
    family = found["families"]["complextempqa"]
    assert (found["wrong"], family["by_check"]["answer"]) == (1, 1)
    assert family["examples"][0]["expected"] == [["1990-08-02"]]
    assert main(["verify", "wrong", "--templates", "dir*", "--templates", "director", "--limit", "1"]) == 0
    assert json.loads(capsys.readouterr().out)["checked"] == 1


def test_differing_files_come_first_and_in_the_last_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_dataset(here / "made")
    (here / "made" / "notes.txt").touch()
    (here / "made" / "checks" / "complextempqa" / "show.sql").write_text("SELECT 1")
    (here / "made" / "checks" / "README.md").touch()
    assert main(["verify", "made"]) == 1
    streams = capsys.readouterr()
    lines = streams.err.splitlines()
    changed = "1 file changed: checks/complextempqa/show.sql"
    extra = "2 files not in the manifest: checks/README.md, notes.txt"
    assert lines[:2] == [f"made: {changed}", f"made: {extra}"]
    assert lines[2] == f"6 of 6 right; {changed}; {extra}"
    found = json.loads(streams.out)
    assert (found["passed"], found["missing_files"]) == (False, [])
    assert found["changed_files"] == ["checks/complextempqa/show.sql"]
    assert found["extra_files"] == ["checks/README.md", "notes.txt"]
    assert main(["verify", "made", "--quiet"]) == 1
    warning = "the checks of complextempqa are those of no known release: they may be lax"
    assert capsys.readouterr().err.splitlines() == [*lines[:2], warning]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--memory", "30MB"], "256MB to "),
        (["--memory", "255.9 mib"], ""),
        (["--memory", "100000TB"], ", which this machine has, is expected, not 100000TB"),
        (["--memory", "0%"], "256MB to "),
        (["--memory", "100.1%"], "256MB to "),
        (["--memory", "99%"], ""),
        (["--memory", "much"], "a size such as 8GB or 50% is expected, not much"),
        (["--threads", "1000"], "1 to 64 threads are expected, not 1000"),
        (["--threads", "0"], "a number from 1 is expected, not 0"),
        (["--threads", "64"], ""),
    ],
)
def test_memory_and_threads_have_bounds(capsys: pytest.CaptureFixture[str], option: list[str], message: str) -> None:
    command = ["verify", "made", *option]
    if message:
        with pytest.raises(SystemExit):
            build_parser(with_families=False).parse_args(command)
        assert message in capsys.readouterr().err.splitlines()[-1]
    else:
        assert build_parser(with_families=False).parse_args(command).dataset == "made"


def test_progress_is_lines_without_a_terminal(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write_dataset(here / "sound")
    assert main(["verify", "sound"]) == 0
    assert "verify, " not in capsys.readouterr().err
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    assert main(["verify", "sound"]) == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("  verify, ")]
    assert re.fullmatch(r"  verify, country: 0 of \d+", lines[0])
    assert main(["verify", "sound", "--quiet"]) == 0
    warning = "the checks of complextempqa are those of no known release: they may be lax\n"
    assert capsys.readouterr().err == warning, "that nobody may miss"


def test_a_question_is_explained(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_dataset(here / "made")
    assert main(["explain", "made", "4"]) == 0
    assert capsys.readouterr().out.startswith(
        "Who directed Forrest Gump?\n  Robert Zemeckis  (the facts give the same)\n"
    )
    assert main(["explain", "made", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["facts"][0]["statement_id"] == "Q12$P57-a"


def test_an_explanation_that_the_facts_deny_ends_with_1(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_dataset(here / "wrong", [{**SOUND["start"], "answer": ["1989"]}])
    assert main(["explain", "wrong", "1"]) == 1
    assert "  1989  (THE FACTS GIVE 1990-08-02)\n" in capsys.readouterr().out
    assert main(["explain", "wrong", "1", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["agrees"], found["disagreements"][0]["check"]) == (False, "answer")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["verify", "none"], "none: no such folder", id="verify-nothing"),
        pytest.param(["verify", "made/manifest.json"], "a file; give its folder, made", id="verify-a-file"),
        pytest.param(["verify", "made", "--templates", "star"], "star", id="no-template"),
        pytest.param(["verify", "."], "so this is no finished dataset; there is one in made", id="verify-beside"),
        pytest.param(["explain", "none", "1"], "none: no such folder", id="explain-nothing"),
        pytest.param(["explain", "made", "99"], "made: no item 99", id="no-question"),
    ],
)
def test_a_folder_that_cannot_be_verified(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    write_dataset(here / "made")
    assert main(arguments) == 2
    _require_one_line(capsys, message)


@pytest.mark.parametrize("arguments", [["verify"], ["verify", "x", "--limit", "0"]], ids=" ".join)
def test_a_command_line_that_checks_nothing(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_build_that_has_not_begun_is_not_resumed(tmp_path: Path, sent: signal.Signals) -> None:
    code = (
        "import os, sys\n"
        "import everwhen.stages\n"
        "from everwhen.cli.main import main\n"
        f"everwhen.stages.run_preflight_checks = lambda *_, **__: os.kill(os.getpid(), {int(sent)})\n"
        f"main(['build', '--config', {str(DEMO)!r}, '--out', {str(tmp_path / 'out')!r}])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (130, "everwhen: interrupted\n")


@pytest.mark.usefixtures("here")
def test_a_plan_begins_with_what_configurations_tell(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(stages, "plan", lambda config, out, quiet: print(f"tables of {config.version}"))
    Path("c.yaml").write_text(LEAST + "families: {impliret: {categories: [temporal], sets: 2}}\n")
    assert main(["plan", "--config", "c.yaml", "--out", "out"]) == 0
    size = "impliret: 2 pools of 2 sets of 30 documents: 120 documents, and as many queries"
    assert capsys.readouterr().out.splitlines() == [size, "tables of 1"]
