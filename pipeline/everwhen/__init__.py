"""everwhen: temporal questions at Wikidata scale, every answer derivable again.

`load` opens a dataset, `verify` derives every item again, `explain` shows what one answer is derived from, and `build`
builds a dataset. `docs/how-to/api.md` has examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from everwhen.dataset import Dataset
    from everwhen.validate.explanation import Explanation
    from everwhen.validate.verification import Verification

__all__ = ["__version__", "build", "explain", "load", "verify"]

__version__ = version("everwhen")


def load(dataset: str | Path) -> Dataset:
    """Open a dataset: its manifest and its tables.

    Args:
        dataset: Folder of the dataset, on a local disk.

    Raises:
        InputError: There is no finished dataset.
    """
    from everwhen.dataset import Dataset

    return Dataset(dataset)


def verify(
    dataset: str | Path,
    *,
    families: str | Sequence[str] = (),
    groups: str | Sequence[str] = (),
    limit: int | None = None,
) -> Verification:
    """Derive every item of a dataset again, by the checks that ship with it.

    Args:
        dataset: Folder of the dataset, on a local disk.
        families: Which families; none means all.
        groups: Which templates, `*` for any text; none means all.
        limit: At most so many items of each template.

    Returns:
        The result: `passed`, `rows`, `checked`, `wrong`, `families`; how files differ from the manifest:
        `missing_files`, `changed_files`, `extra_files`, `wrong_keys`; which parts
        of tables lost rows: `wrong_totals`.

    Raises:
        InputError: There is no finished dataset, or its checks cannot run.
    """
    from everwhen.validate.verify import ItemSelection, verify

    families, groups = ([names] if isinstance(names, str) else names for names in (families, groups))
    return verify(dataset, ItemSelection(families, groups, limit))


def explain(dataset: str | Path, item_id: int | str, family: str | None = None) -> Explanation:
    """Explain one item of a dataset: the statements that its answer is derived from, and the rule.

    Args:
        dataset: Folder of the dataset, on a local disk.
        item_id: Which item, such as a question_id.
        family: Its family; by default the first that has an item of this id.

    Raises:
        InputError: There is no finished dataset, or no such item.
    """
    from everwhen.validate.explain import explain

    return explain(dataset, item_id, family)


def build(config: str | Path, out: str | Path, *, resume: bool = False) -> Dataset:
    """Build a dataset as a configuration says, and open it.

    Args:
        config: The configuration file (YAML).
        out: Folder of the build.
        resume: Whether to resume an unfinished build in `out`.

    Raises:
        InputError: The configuration or a source cannot be used.
        ValidationFailed: A check failed; nothing was published.
    """
    from everwhen.dataset import Dataset
    from everwhen.preflight import read_config
    from everwhen.stages import run, run_preflight_checks

    loaded = read_config(config)
    run_preflight_checks(loaded, str(out), resume=resume, file=str(config))
    run(loaded, str(out))
    return Dataset(Path(out) / "dataset" / loaded.version)
