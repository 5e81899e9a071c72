"""One server and one browser for all tests of a worker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.server.running import ServerProcess, running_server
from tests.web.browsing import Visitor, running_browser


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder: Path = tmp_path_factory.mktemp("page")
    with running_server(folder) as server:
        yield server


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
