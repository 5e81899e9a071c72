"""Settings: declared once, and settable by option and by environment."""

import inspect
import re
import sys
from dataclasses import fields

import pytest
import typer
from scripts.settings_table import PAGE, with_table

from branchline.cli.admin import admin
from branchline.cli.serving import serve
from branchline.errors import UsageError
from branchline.server.settings import Settings, declared
from tests.commands import branchline

OTHER = {"str": "127.0.0.1:9100", "int": "4321", "float": "4321.5", "tuple[str, ...]": "10.0.0.1 10.1.0.0/16"}
READ = {"str": "127.0.0.1:9100", "int": 4321, "float": 4321.5, "tuple[str, ...]": ("10.0.0.1", "10.1.0.0/16")}


@pytest.fixture
def served(monkeypatch):
    """What `branchline serve` is called with, instead of serving."""
    got = []
    monkeypatch.setattr("branchline.server.serving.serve", lambda *given: got.append(given))
    return got


def test_every_setting_says_what_it_is_for():
    assert [one.name for one in declared()] == [one.name for one in fields(Settings)]
    assert all(one.about and not one.about.endswith(".") for one in declared())


@pytest.mark.parametrize("one", declared(), ids=lambda one: one.name)
def test_a_setting_is_taken_from_the_environment_and_an_option_wins(served, one):
    assert branchline("serve", **{one.variable: OTHER[one.kind]}).returncode == 0
    assert getattr(served[-1][0], one.name) == READ[one.kind]
    words = [word for value in OTHER[one.kind].split() for word in (one.option, value)]
    assert branchline("serve", *words, **{one.variable: "7" if one.kind != "tuple[str, ...]" else "10.2.0.1"}).returncode == 0
    assert getattr(served[-1][0], one.name) == READ[one.kind]


def test_a_postgresql_without_its_driver_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    refused = branchline("serve", "--port", 0, "--database-url", "postgresql://127.0.0.1/games")
    assert refused.returncode == 1
    assert re.search(r"PostgreSQL needs the package asyncpg, which is not installed: .*\[postgresql\]'", refused.stderr)


def test_without_options_everything_is_as_declared(served):
    assert branchline("serve").returncode == 0
    assert served == [(Settings(), "127.0.0.1", 8000, "info", False)]


def test_address_port_and_log_level_come_from_the_environment_too(served):
    branchline("serve", BRANCHLINE_HOST="::1", BRANCHLINE_PORT="81", BRANCHLINE_LOG_LEVEL="error")
    assert served[0][1:] == ("::1", 81, "error", False)


@pytest.mark.parametrize("one", [one for one in declared() if one.least is not None], ids=lambda one: one.name)
def test_a_setting_below_its_least_value_is_refused(served, one):
    ended = branchline("serve", **{one.variable: str(int(one.least - 1))})
    assert (ended.returncode, one.option in ended.stderr, served) == (2, True, [])


@pytest.mark.parametrize("proxy", ["*", "proxy.example", "10.0.0.1/33", "10.0.0.1,10.0.0.2"])
def test_a_trusted_proxy_is_an_address_or_a_network(proxy):
    with pytest.raises(UsageError, match="--trusted-proxy is an address or a network"):
        Settings(trusted_proxies=(proxy,))


def test_the_table_in_the_documentation_is_up_to_date():
    """If this fails: `python scripts/settings_table.py`."""
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text) == text
    assert all(f"`{one.variable}`" in text for one in declared())


def test_every_option_of_serve_is_in_the_documentation():
    text = PAGE.read_text(encoding="utf-8")
    own = inspect.signature(serve).parameters.keys() - {one.name for one in declared()}
    assert own == {"host", "port", "log_level", "open_page"}
    assert all(f"`--{name.removesuffix('_page').replace('_', '-')}`" in text for name in own)


def test_every_command_for_operators_is_in_the_documentation():
    text = PAGE.read_text(encoding="utf-8")
    commands = typer.main.get_command(admin).commands
    assert len(commands) >= 7
    assert all(f"`{name}" in text for name in commands)
