import doctest

import pytest

from everwhen.families.complextempqa import question_type
from everwhen.families.complextempqa.question_type import Category, QuestionType


def test_the_examples_of_the_module_are_right() -> None:
    assert doctest.testmod(question_type).failed == 0


def test_each_type_is_named_for_what_its_code_says() -> None:
    for type_ in QuestionType:
        words = [type_.subject, str(type_.category), *(["in time"] if type_.asks_about_time else [])]
        assert type_.name == "_".join(words).upper().replace(" ", "_")


def test_the_types_of_a_category_are_those_with_its_digit() -> None:
    assert QuestionType.select(Category.COMPARISON) == ["2a", "2ac", "2b", "2bc"]
    assert QuestionType.select(Category.ATTRIBUTE, only_about_time=True) == ["1ac", "1bc"]


def test_an_unknown_code_is_refused() -> None:
    with pytest.raises(ValueError, match="4a"):
        QuestionType("4a")
