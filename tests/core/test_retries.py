from __future__ import annotations

import datetime as dt
from email.utils import format_datetime

import pytest

from everwhen.core.retries import RefusedError, RetryableError, parse_retry_after, refuse_status


def test_retry_after_takes_a_date() -> None:
    soon = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=30)
    assert 25 < (parse_retry_after(format_datetime(soon, usegmt=True)) or 0) <= 30
    assert parse_retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert parse_retry_after("1.5") == 1.5
    assert parse_retry_after("soon") is None
    assert parse_retry_after(None) is None


def test_a_status_may_pass_or_not() -> None:
    with pytest.raises(RetryableError, match=r"^status 429: slow$") as later:
        refuse_status("http://a/", 429, {"Retry-After": "3"}, "slow")
    assert later.value.retry_after == "3"
    with pytest.raises(RefusedError, match=r"^http://a/: status 403: no$"):
        refuse_status("http://a/", 403, {}, "no")


@pytest.mark.parametrize("status", [408, 425, 429, 500, 501, 502, 503, 504, 520, 522, 524, 529, 599])
def test_a_status_that_may_pass(status: int) -> None:
    with pytest.raises(RetryableError, match=f"^status {status}$"):
        refuse_status("http://a/", status, {})
