"""One browser for all tests of a worker, and people who visit with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.browsing import Visitor, running_browser


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Gone when a worker goes on to other tests: Playwright keeps an event loop running, beside which asyncio can run none."""
    with running_browser() as browser:
        yield browser


@pytest.fixture
def visitors() -> Iterator[list[Visitor]]:
    """Who visits in a test. Afterwards nobody's page may have written an error or asked another host."""
    there: list[Visitor] = []
    yield there
    errors = [error for visitor in there for error in visitor.errors]
    for visitor in there:
        visitor.close()
    assert errors == []
