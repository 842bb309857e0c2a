"""Write the dataset of tests/scored_dataset.py to a folder; the environment of the build has what writes one."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from scored_dataset import write_scored_dataset

if __name__ == "__main__":
    write_scored_dataset(Path(sys.argv[1]))
