"""Write the dataset of a family for tests to a folder; the environment of the build has what writes one."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import tdbench_dataset
from scored_dataset import write_scored_dataset

WRITERS = {"complextempqa": write_scored_dataset, "tdbench": tdbench_dataset.write_dataset}

if __name__ == "__main__":
    WRITERS[sys.argv[1]](Path(sys.argv[2]))
