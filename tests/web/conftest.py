"""One browser for all tests of a worker, and people who visit with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.browsing import Visitor, running_browser
from tests.web.contexts import Contexts


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Closed when a worker moves on to other tests: Playwright keeps an event loop running, and asyncio cannot run another."""
    with running_browser() as browser:
        Visitor.contexts = Contexts(browser)
        yield browser
        Visitor.contexts = None


@pytest.fixture
def visitors() -> Iterator[list[Visitor]]:
    """The visitors in a test. Afterwards nobody's page may have logged an error or contacted another host."""
    there: list[Visitor] = []
    yield there
    errors = [error for visitor in there for error in visitor.errors]
    for visitor in there:
        visitor.close()
    assert errors == []
