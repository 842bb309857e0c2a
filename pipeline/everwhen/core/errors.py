"""The errors that end a build: input that cannot be used, data that does not pass its checks, a machine that fails."""

import re
from collections.abc import Mapping
from enum import IntEnum


class ExitCode(IntEnum):
    """How a command or a job ends; an error has the same code in each of them (docs/reference/commands.md)."""

    DONE = 0
    CHECK_FAILED = 1
    INPUT = 2
    MAY_GO_ON = 3
    BUG = 70
    SKIPPED = 99
    INTERRUPTED = 130


DISK_FULL = re.compile("No space left on device|File too large|Disk quota exceeded")
"""A full disk, as libraries hand it on: within a text."""


class InputError(Exception):
    """Input or configuration that cannot be used.

    The message has one line for each error, which names the file, line or key and says what would be right. The command
    prints them and ends with exit code 2.
    """


class NotNowError(InputError):
    """A server does not answer now, or another build works in the folder: repeat the command later.

    The command ends with exit code 3, by which a scheduler can tell it from input that stays wrong.
    """


class ValidationFailed(Exception):  # noqa: N818  (a finding that the user sees by this name)
    """Data that does not pass its checks.

    The message says which checks and shows the offending rows. The command prints it and ends with exit code 1;
    nothing is published.
    """


class MachineFailed(Exception):  # noqa: N818  (as above)
    """The machine let the work down: a full disk, a folder that cannot be written, a process that was killed.

    The message is one line that names the folder. The command prints it and ends with exit code 3: nothing is wrong
    with input or data, and the same command may be tried again.
    """


EXIT_CODES: Mapping[type[BaseException], ExitCode] = {
    ValidationFailed: ExitCode.CHECK_FAILED,
    NotNowError: ExitCode.MAY_GO_ON,
    InputError: ExitCode.INPUT,
    MachineFailed: ExitCode.MAY_GO_ON,
    **dict.fromkeys((FileExistsError, FileNotFoundError, PermissionError), ExitCode.INPUT),
    **dict.fromkeys((IsADirectoryError, NotADirectoryError), ExitCode.INPUT),
    OSError: ExitCode.MAY_GO_ON,
    KeyboardInterrupt: ExitCode.INTERRUPTED,
}
"""The exit code of each error; the first class that fits counts. A path that is missing or closed to us is input."""


MEANINGS: Mapping[ExitCode, str] = {
    ExitCode.DONE: "done; also where the reader of a pipe has seen enough",
    ExitCode.CHECK_FAILED: "a check failed; a build then publishes nothing",
    ExitCode.INPUT: "the command line, the input or the configuration cannot be used",
    ExitCode.MAY_GO_ON: "a disk, a network or a process failed, a server does not answer, or another build is at work "
    "in the folder; the same command may be tried again, a build with --resume",
    ExitCode.BUG: "an error that nobody expected, with its traceback on stderr",
    ExitCode.SKIPPED: "nothing to be done: the configuration does not name the source (pull --as-configured) or the "
    "family (a job)",
    ExitCode.INTERRUPTED: "interrupted by Ctrl-C or SIGTERM; go on as after 3",
}
"""What the exit codes mean, for help and documents."""


def exit_code(error: BaseException) -> ExitCode:
    """Look up how a command ends after an error.

    What is not in the table is a bug of ours, or a failure that nobody has met yet: 70, which BSD's sysexits.h calls
    an internal software error. It must not be Python's own 1, by which this tool says that a check failed.
    """
    return next((code for kind, code in EXIT_CODES.items() if isinstance(error, kind)), ExitCode.BUG)
