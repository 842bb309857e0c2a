"""The errors that end a build: input that cannot be used, and data that does not pass its checks."""


class InputError(Exception):
    """Input or configuration that cannot be used.

    The message is one line that names the file, line or key and says what would be right. The command prints it
    and ends with exit code 2.
    """


class ValidationFailed(Exception):  # noqa: N818  (a finding, told to the user by this name)
    """Data that does not pass its checks.

    The message says which checks and shows the offending rows. The command prints it and ends with exit code 1;
    nothing is published.
    """
