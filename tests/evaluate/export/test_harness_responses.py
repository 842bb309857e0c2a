"""Why responses ended, on classes as lm-eval has them; tests/harnesses has the real ones."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from everwhen.evaluate.export.harness_responses import Response, keep_finish_reasons, read_finish_reason


def reply(*choices: tuple[str | None, str | None]) -> dict[str, Any]:
    """A reply of an endpoint with its choices, in the opposite order."""
    found = [
        {"index": index, "text": text, "finish_reason": reason}
        for index, (text, reason) in reversed([*enumerate(choices)])
    ]
    return {"choices": found}


def read_texts(outputs: Any) -> list[str | None]:
    texts = []
    for output in outputs if isinstance(outputs, list) else [outputs]:
        try:
            texts += [choice["text"] for choice in sorted(output["choices"], key=lambda choice: choice["index"])]
        except (KeyError, TypeError):
            texts += [""]
    return texts


@pytest.fixture(params=["static", "bound"])
def model(request: pytest.FixtureRequest) -> Any:
    class Completions:
        @staticmethod
        def parse_generations(outputs: Any, **others: Any) -> list[str | None]:
            return read_texts(outputs)

    class Chat:
        def parse_generations(self, outputs: Any, **others: Any) -> list[str | None]:
            return read_texts(outputs)

    kind = Completions if request.param == "static" else Chat
    keep_finish_reasons(kind)
    keep_finish_reasons(kind)
    return kind()


def test_responses_say_why_they_ended(model: Any) -> None:
    found = model.parse_generations(
        outputs=[reply(("1971", "stop"), ("It", "length")), reply(("x", None))], contexts=()
    )
    assert found == ["1971", "It", "x"]
    assert [read_finish_reason(response) for response in found] == ["stop", "length", None]


def test_thoughts_that_are_withheld_and_cut_off_leave_an_empty_response(model: Any) -> None:
    cut, filtered = model.parse_generations(reply((None, "length"), (None, "content_filter")))
    assert (cut, read_finish_reason(cut), filtered) == ("", "length", None)


@pytest.mark.parametrize("outputs", [{"error": "busy"}, None, [None, {"choices": None}]])
def test_what_the_harness_cannot_read_stays_as_it_reads_it(model: Any, outputs: Any) -> None:
    assert set(model.parse_generations(outputs)) == {""}


def test_the_reason_outlives_a_cache() -> None:
    response = Response("1971")
    response.finish_reason = "length"
    assert read_finish_reason(pickle.loads(pickle.dumps(response))) == "length"


def test_another_version_without_the_method_is_left_alone() -> None:
    class Other:
        pass

    keep_finish_reasons(Other)
    assert "parse_generations" not in vars(Other)
