"""What the server's tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline.server.logs import set_up_logs
from tests.left_out import leave_out
from tests.server.inside import running_inside
from tests.server.refusing import new_game
from tests.server.running import has_postgres, new_database, new_key, running_postgres


@pytest.fixture(scope="session", autouse=True)
def quiet_logs() -> None:
    """For applications inside the tests; server processes write their logs to files, which tests read."""
    set_up_logs("error")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a real PostgreSQL server, one for each worker of the tests."""
    if not has_postgres():
        leave_out("PostgreSQL")
    with running_postgres() as address:
        yield address


def empty_database(request: pytest.FixtureRequest, folder: Path) -> str:
    """An empty database of the kind that the fixture's parameter names."""
    if request.param == "sqlite":
        return f"sqlite:///{folder / 'games.db'}"
    return new_database(request.getfixturevalue("postgres"), f"games_{new_key()[:8].lower().replace('-', '_')}")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, of each kind."""
    return empty_database(request, tmp_path)


@pytest.fixture(scope="module")
def inside(tmp_path_factory):
    with running_inside(tmp_path_factory.mktemp("refusals"), origins=("https://friend.example",)) as running:
        yield running


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """A server with low limits."""
    low = {"requests_per_minute": 40, "new_tables_per_minute": 3, "messages_per_second": 2.0, "chat_per_minute": 3, "sockets_per_address": 2}
    with running_inside(tmp_path_factory.mktemp("strict"), replays_per_minute=3, **low) as running:
        yield running


@pytest.fixture(scope="module")
def playing(inside):
    """A table at which host and guest play, and the host alone is asked."""
    return new_game(inside)
