"""Files of data as typed models: strict pydantic models, read from YAML with errors that name file and key."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from everwhen.core.config_errors import find_config_errors
from everwhen.core.errors import InputError
from everwhen.core.resources import find_templates

_SAFE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""PyYAML's safe loader, in C where PyYAML was built with it: 0.3 s against 2 s for the catalogue."""

TIMESTAMP = "tag:yaml.org,2002:timestamp"

EXPLAINED = {
    "mapping values are not allowed": "a colon where none is expected: check the indentation, and quote text with ': '",
    "character that cannot start any token": "a tab, or a character such as @ or `, which must be quoted",
    "unexpected end of stream": "a quotation mark is not closed",
    "unknown escape": "an unknown escape in double quotes: use single quotes",
    "expected node content": "a bracket is not closed, or closed too often",
    "expected ',' or": "a bracket is not closed, or a comma is missing",
    "expected '-' indicator": "a list and keys are mixed: check the indentation",
    "expected key": "a key is expected: check the indentation",
    "single document": "a second document begins: one is expected",
    "undefined alias": "an alias (*name) without its anchor (&name)",
    "constructor for the tag": "a tag (!name) that is not known",
    "unhashable key": "a key is expected to be text",
    "for merging": "<< is expected to name a mapping",
    "control characters": "a control character",
}
"""What PyYAML says is wrong, by a part of it, and how the message puts it."""


class YamlError(InputError):
    """Text that is no YAML, or has a key twice.

    Attributes:
        line: Number of the line, from 1.
        reason: What is wrong there.
    """

    def __init__(self, line: int, reason: str) -> None:
        """Name the line, and what is wrong there."""
        super().__init__(f"line {line}: {reason}")
        self.line, self.reason = line, reason


class _Loader(_SAFE):  # type: ignore[misc]
    """The safe loader without dates; of a key given twice, PyYAML itself would silently take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        lines: dict[str, int] = {}
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            line = key.start_mark.line + 1
            if key.value in lines:
                raise YamlError(line, f"key {key.value} is given twice, first in line {lines[key.value]}")
            lines[key.value] = line
        return dict(super().construct_mapping(node, deep))


# A date is text here: what expects one says so, and `snapshot: 2024-01-01` needs no quotes.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != TIMESTAMP]
    for first, resolvers in _SAFE.yaml_implicit_resolvers.items()
}


class YamlDocument:
    """A YAML text that was read.

    Attributes:
        content: What it says.

    Raises:
        YamlError: It is no YAML, or has a key twice.
    """

    def __init__(self, text: str) -> None:
        """Read a text."""
        try:
            loader = _Loader(text)
        except yaml.YAMLError as error:
            raise _explain(error, text) from None
        try:
            self._root: yaml.Node | None = loader.get_single_node()
            self.content: Any = None if self._root is None else loader.construct_document(self._root)
        except yaml.YAMLError as error:
            raise _explain(error, text) from None
        except (ValueError, AttributeError, TypeError) as error:  # a value that does not fit its tag: !!int x
            raise YamlError(1, f"not YAML: a value does not fit its tag (!!): {error}") from None
        except RecursionError:
            raise YamlError(1, "not YAML: too many levels") from None
        finally:
            loader.dispose()

    def find_line(self, key: tuple[str | int, ...]) -> int:
        """Find the line of a key or an entry, from 1; that of the last one found on the way where it is not there."""
        node, line = self._root, 1
        for part in key:
            child = None
            if isinstance(node, yaml.MappingNode):
                child = next((pair for pair in node.value if pair[0].value == str(part)), None)
            elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
                child = (node.value[part], node.value[part])
            if child is None:
                break
            node, line = child[1], child[0].start_mark.line + 1
        return line


def _explain(error: yaml.YAMLError, text: str) -> YamlError:
    mark = getattr(error, "problem_mark", None)
    position = getattr(error, "position", None)
    line = mark.line if mark else text.count("\n", 0, position)
    problem = str(error)
    reason = next(
        (reason for part, reason in EXPLAINED.items() if part in problem), "check indentation, quotes, brackets"
    )
    # Where the text ends, the mark is behind its last line.
    return YamlError(min(line, max(0, len(text.splitlines()) - 1)) + 1, f"not YAML: {reason}")


Model = TypeVar("Model", bound=BaseModel)


class StrictModel(BaseModel):
    """A part of a template file: every key known, nothing changed after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def read_yaml(path: Path) -> Any:
    """Read the content of a YAML file.

    Raises:
        InputError: It cannot be read; the message names file and line.
    """
    try:
        return YamlDocument(path.read_text(encoding="utf-8")).content
    except (OSError, UnicodeDecodeError, InputError) as error:
        raise InputError(f"{path}: {' '.join(str(error).split())}") from None


def validate_model(model: type[Model], data: Any, path: Path | str) -> Model:
    """Validate `data` as `model`.

    Raises:
        InputError: It does not fit; the message names file and key.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"{path}: a mapping of keys to values is expected")
    try:
        return model.model_validate(dict(data))
    except ValidationError as error:
        raise InputError("\n".join(f"{path}: {error}" for error in find_config_errors(error, model))) from None


def load_template(model: type[Model], *parts: str) -> Model:
    """Load a file of `templates/` by the parts of its path.

    Raises:
        InputError: It cannot be read, or does not fit the model; the message names the file.
    """
    path = find_templates().joinpath(*parts)
    return validate_model(model, read_yaml(path), path)
