"""The settings of a server. Each is declared here, once: from this come the options of `branchline serve`, the environment's variables, and the
table in docs/operating.md.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field, fields
from ipaddress import ip_network
from typing import Any

from branchline.errors import UsageError

DAY = 86_400.0
PREFIX = "BRANCHLINE_"


def setting(default: Any, about: str, least: float | None = None, option: str | None = None) -> Any:
    """A setting, what it is for, the least value that makes sense, and the name of its option if the field's own does not read well."""
    return field(default=default, metadata={"about": about, "least": least, "option": option})


@dataclass(frozen=True)
class Settings:
    # fmt: off
    database_url: str = setting("sqlite:///branchline.db", "the database: sqlite:///FILE or postgresql://USER@HOST/NAME")
    key_file: str = setting("", "the key of running games' seeds; made beside an SQLite file, or as ~/.local/state/branchline/seeds.key")
    database_wait: float = setting(60.0, "seconds to wait at the start for a PostgreSQL that does not answer yet", least=0)
    origins: tuple[str, ...] = setting((), "another site whose pages may use this server; its own always may", option="origin")
    trusted_proxies: tuple[str, ...] = setting((), "an address or network of a proxy whose X-Forwarded-For is believed", option="trusted-proxy")
    metrics: str = setting("", "address and port for Prometheus, such as 127.0.0.1:9100; not served if empty")
    bots: tuple[str, ...] = setting((), "an extra bot to offer: a program such as ./my_bot, module:Class or any bot by name; several with commas")
    bot_limit: float = setting(5.0, "seconds that an extra bot may think about a decision; then greedy decides", least=0.1)
    ladder: str = setting("", "a folder of `branchline ladder` to show at /ladder")
    editor: str = setting("", "the folder of a board that people may change in the board editor, at /edit; off if empty")
    editor_code: str = setting("", "code required to use the board editor; empty for none")
    bot_workers: int = setting(2, "processes for slow bots", least=1)
    replay_workers: int = setting(2, "processes for replays and counts", least=1)
    most_tables: int = setting(2_000, "tables kept in memory; any number can be played", least=1)
    tables_per_guest: int = setting(50, "unfinished tables per host", least=1)
    bot_tables_per_guest: int = setting(5, "of those, tables of bots alone", least=0)
    bot_tables: int = setting(100, "unfinished tables of bots alone, of all hosts", least=0)
    longest_bot_wait: float = setting(3.0, "seconds that a slow bot waits for its turn to think; then it thinks like the next lower level", least=0)
    most_connections: int = setting(10_000, "open connections in all; never more than the system's limit on files allows", least=1)
    connections_per_address: int = setting(400, "open connections per address", least=1)
    sockets_per_address: int = setting(200, "open WebSockets per address", least=1)
    head_within: float = setting(10.0, "seconds until a request's head must be complete", least=0.1)
    body_within: float = setting(60.0, "seconds until a request's body must be complete", least=0.1)
    idle_within: int = setting(75, "seconds that a connection may wait for its next request", least=1)
    largest_head: int = setting(16_384, "bytes of a request's head", least=1_024)
    most_headers: int = setting(100, "header lines of a request", least=20)
    largest_message: int = setting(16_384, "bytes of a request's body, or of a message on a WebSocket", least=1_024)
    largest_record: int = setting(2_000_000, "bytes of a record uploaded for replay", least=1_024)
    largest_board: int = setting(8_000_000, "bytes of a board, as a zip file, or of a picture for the board editor", least=1_024)
    requests_per_minute: int = setting(600, "HTTP requests per address", least=1)
    new_tables_per_minute: int = setting(20, "new tables per address", least=1)
    replays_per_minute: int = setting(30, "replays per address", least=1)
    hints_per_minute: int = setting(30, "hints per guest; bots think in the same thread", least=1)
    messages_per_second: int = setting(20, "messages per WebSocket; bursts may be four times as large", least=1)
    chat_per_minute: int = setting(20, "chat messages per seat", least=1)
    entries_per_hour: int = setting(20_000, "entries that one address may have written to tables; a new table counts as 250", least=250)
    waiting_expires: float = setting(7 * DAY, "seconds after which a table whose game has not begun is closed", least=1)
    game_expires: float = setting(60 * DAY, "seconds without a decision after which a game without a time limit is closed", least=1)
    archive_after: float = setting(DAY, "seconds after its end until a game is stored compactly", least=3_600)
    keep: float = setting(0.0, "days for which finished games are kept; 0: for ever", least=0)
    keep_abandoned: float = setting(30.0, "days for which abandoned games are kept; 0: for ever", least=0)
    doubt_clock_for: float = setting(DAY, "seconds without expiry if the database contradicts the clock at the start; 0: never", least=0)
    watch_every: float = setting(1.0, "seconds between checks for what other processes left undone, and for blocked addresses", least=0.1)
    most_waiting: int = setting(1_000, "requests in progress; more are refused at once", least=1)
    longest_wait: float = setting(1.0, "seconds that a request may have to wait before new ones are refused", least=0.01)
    longest_queue: int = setting(256, "messages that may wait for a slow reader before it is dropped", least=1)
    # fmt: on

    @property
    def bot_names(self) -> tuple[str, ...]:
        return tuple(name.strip() for names in self.bots for name in names.split(",") if name.strip())

    def __post_init__(self) -> None:
        for proxy in self.trusted_proxies:
            try:
                ip_network(proxy)
            except ValueError:
                raise UsageError(f"--trusted-proxy is an address or a network, such as 10.0.0.1 or 10.0.0.0/24, not {proxy!r}") from None


@dataclass(frozen=True)
class Declared:
    """A setting as declared, for those who make options and tables of it."""

    name: str
    kind: str  # str, int, float or tuple[str, ...]
    default: Any
    about: str
    least: float | None
    option: str

    @property
    def variable(self) -> str:
        return f"{PREFIX}{self.name.upper()}"

    @property
    def is_list(self) -> bool:
        return self.kind.startswith("tuple")


def declared() -> list[Declared]:
    found = []
    for one in fields(Settings):
        assert one.default is not MISSING
        option = one.metadata["option"] or one.name.replace("_", "-")
        found.append(Declared(one.name, str(one.type), one.default, one.metadata["about"], one.metadata["least"], f"--{option}"))
    return found
