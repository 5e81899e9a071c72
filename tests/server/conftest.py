"""What the server's tests share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from branchline.server.logs import set_up_logs
from tests.server.running import new_database, new_key, running_postgres, running_server


@pytest.fixture(scope="session", autouse=True)
def quiet_logs() -> None:
    """Of applications inside the tests; those of server processes are written, and read by tests."""
    set_up_logs("error")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a real PostgreSQL server, one for each worker of the tests."""
    with running_postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.db'}"
    return new_database(request.getfixturevalue("postgres"), f"games_{new_key()[:8].lower().replace('-', '_')}")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory):
    """A server on SQLite, one for a module's tests."""
    with running_server(tmp_path_factory.mktemp("server")) as running:
        yield running
