"""The errors that end a build: input that cannot be used, data that does not pass its checks, a machine that fails."""

import re

MAY_GO_ON = 3
"""Exit code after anything that another try may mend; 1 and 2 are final."""

FULL = re.compile("No space left on device|File too large|Disk quota exceeded")
"""A full disk, as libraries hand it on: within a text."""


class InputError(Exception):
    """Input or configuration that cannot be used.

    The message is one line that names the file, line or key and says what would be right. The command prints it
    and ends with exit code 2.
    """


class NotNowError(InputError):
    """A server that does not answer now, or a folder in which another build is at work: the same command goes on later.

    The command ends with exit code 3, by which a scheduler can tell it from input that stays wrong.
    """


class ValidationFailed(Exception):  # noqa: N818  (a finding, told to the user by this name)
    """Data that does not pass its checks.

    The message says which checks and shows the offending rows. The command prints it and ends with exit code 1;
    nothing is published.
    """


class MachineFailed(Exception):  # noqa: N818  (as above)
    """The machine let the work down: a full disk, a folder that cannot be written, a process that was killed.

    The message is one line that names the folder. The command prints it and ends with exit code 3: nothing is wrong
    with input or data, and the same command may be tried again.
    """
