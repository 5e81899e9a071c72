"""Numbers as readers see them: real minus signs, spaces that do not break."""

from __future__ import annotations

from branchline.pages.intervals import Estimate

NONE = "–"  # no value


def whole(number: float) -> str:
    return minus(f"{round(number):,}")


def decimal(number: float | None, digits: int = 1) -> str:
    return NONE if number is None else minus(f"{number:,.{digits}f}")


def signed(number: float | None, digits: int = 1) -> str:
    return NONE if number is None else minus(f"{number:+,.{digits}f}")


def percent(share: float | None, digits: int = 1) -> str:
    return NONE if share is None else minus(f"{100 * share:.{digits}f}\u202f%")


def points(share: float | None) -> str:
    """A difference of shares, in percentage points."""
    return NONE if share is None else signed(100 * share)


def span(low: float | None, high: float | None) -> str:
    """An interval of shares, in per cent."""
    return NONE if low is None or high is None else f"{100 * low:.1f}–{100 * high:.1f}"


def tidy(number: float | None) -> str:
    """A number of any size, in about three digits."""
    if number is None:
        return NONE
    return whole(number) if abs(number) >= 1000 or number == int(number) else minus(f"{number:.3g}")


def give_or_take(estimate: Estimate, signed: bool = False) -> tuple[str, str]:
    """A mean, and half of its interval where there is one: `± 3.1`."""
    spread = "" if estimate.high is None else f"± {estimate.high - estimate.mean:.1f}"
    return minus(f"{estimate.mean:{'+' if signed else ''},.1f}"), spread


def minus(text: str) -> str:
    return text.replace("-", "−")
