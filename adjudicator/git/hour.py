"""Pushing at a fixed hour, so that the time of a push tells nothing."""

from __future__ import annotations

import re

from adjudicator.core import deadlines
from orders.errors import Refused
from orders.fields import Time

_HOUR = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)


def seconds_until(now: Time, hour: str) -> int:
    """Seconds from `now` to the next time that it is `hour` (HH:MM, UTC); raises Refused."""
    found = _HOUR.fullmatch(hour)
    if found is None:
        raise Refused("bad-option", f"{hour!a:.40}: expected an hour such as 18:00, in UTC")
    wanted = int(found[1]) * 3600 + int(found[2]) * 60
    return (wanted - deadlines.to_seconds(now) % 86400) % 86400
