"""`python -m everwhen`: the same as the command `everwhen`."""

import sys

from everwhen.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
