"""Which landmark the parser reads, from texts of ours and of others, and what somebody was there for."""

from __future__ import annotations

import pytest

from everwhen.families.impliret.parsing.wknow import Visit, read_visit

NAMES = {"Fordham University", "University", "Old Trafford", "St Paul's Cathedral", "The Shard", "Cathedral of Light"}


def read_post(text: str) -> str | None:
    visit = read_visit(f"2024-03-02 09:15, Ada: {text}", NAMES)
    return visit and visit.landmark


def read_purpose(text: str) -> str | None:
    visit = read_visit(f"2024-03-02 09:15, Bo: What is new?\n2024-03-02 09:16, Ada: {text}", NAMES)
    return visit and visit.purpose


@pytest.mark.parametrize(
    ("text", "landmark"),
    [
        ("I flew a kite behind Old Trafford.", "Old Trafford"),
        ("Old Trafford's car park is where I flew a kite.", "Old Trafford"),
        ("I flew a kite behind Fordham University, of all places.", "Fordham University"),
        ("I flew a kite behind the University.", "University"),
        ("I flew a kite at St Paul’s Cathedral.", "St Paul's Cathedral"),
        ("Right below the Shard, I flew a kite.", "The Shard"),
        ('I flew a kite at the "Cathedral of Light".', "Cathedral of Light"),
        ("I flew a kite behind old Trafford.", None),
        ("I flew a kite between Old Trafford and The Shard.", None),
        ("I flew a kite at Old Trafford, yes, at Old Trafford.", None),
        ("I flew a kite.", None),
    ],
)
def test_the_longest_name_is_read_if_there_is_no_other(text: str, landmark: str | None) -> None:
    assert read_post(text) == landmark


def test_a_name_may_come_again_where_that_is_allowed() -> None:
    text = "2024-03-02 09:15, Ada: I was at Old Trafford to fly a kite.\n2024-03-02 09:16, Bo: At Old Trafford?"
    assert read_visit(text, NAMES) is None
    assert read_visit(text, NAMES, is_strict=False) == Visit("Old Trafford", "Ada", "to fly a kite")


@pytest.mark.parametrize(
    ("text", "purpose"),
    [
        ("I went to Old Trafford to fly a kite.", "to fly a kite"),
        ("I went all the way to The Shard just to fly a kite, believe it or not.", "to fly a kite"),
        ("In order to fly a kite, I went to Old Trafford.", "to fly a kite"),
        ("To fly a kite I had to go to Old Trafford!", "to fly a kite"),
        ("I have been meaning to tell you. I went to Old Trafford to fly a kite because I could.", "to fly a kite"),
        ("I was at Old Trafford, to the amusement of my son, to fly a kite.", "to fly a kite"),
        (
            "I have been to Old Trafford! I only went there to listen to the crowd – it was loud.",
            "to listen to the crowd",
        ),
        ("Promise not to laugh. I went to Old Trafford.", None),
        ("I went to Old Trafford and flew a kite.", None),
    ],
)
def test_a_purpose_is_read(text: str, purpose: str | None) -> None:
    assert read_purpose(text) == purpose


def test_a_post_has_no_purpose() -> None:
    post = "2024-03-02 09:15, Ada: I went to Old Trafford to fly a kite."
    assert read_visit(post, NAMES) == Visit("Old Trafford", "Ada", None)


def test_what_has_no_header_is_not_read() -> None:
    assert read_visit("I went to Old Trafford to fly a kite.", NAMES) is None
