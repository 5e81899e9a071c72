"""The settings of a server."""

from __future__ import annotations

from dataclasses import dataclass

DAY = 86_400.0


@dataclass(frozen=True)
class Settings:
    database_url: str = "sqlite:///branchline.db"
    origins: tuple[str, ...] = ()  # of other sites whose pages may use this server; its own always may
    bot_workers: int = 2  # processes for slow bots
    most_tables: int = 2_000  # kept in memory; any number can be played
    tables_per_guest: int = 50  # unfinished, per host
    bot_tables_per_guest: int = 5  # of those, tables of bots alone
    bot_tables: int = 100  # unfinished tables of bots alone, of all hosts
    longest_bot_wait: float = 3.0  # seconds that a slow bot waits for its turn to think; then it thinks like the next lower level
    largest_message: int = 16_384  # bytes
    largest_record: int = 2_000_000  # bytes of a record uploaded for replay
    sockets_per_address: int = 200
    requests_per_minute: int = 600  # per address
    new_tables_per_minute: int = 20  # per address
    replays_per_minute: int = 30  # per address
    hints_per_minute: int = 30  # per guest; bots think in the same thread
    messages_per_second: int = 20  # per socket
    chat_per_minute: int = 20  # per seat
    waiting_expires: float = 7 * DAY  # a table whose game has not begun
    game_expires: float = 60 * DAY  # a game without a time limit in which nothing happens
    watch_every: float = 1.0  # seconds between checks for what other processes left undone
    most_waiting: int = 1_000  # requests in progress; more are refused at once
    longest_wait: float = 1.0  # seconds that a request may have to wait before new ones are refused
    longest_queue: int = 256  # messages that may wait for a slow reader before it is dropped
    trusted_proxies: str = "127.0.0.1"  # whose X-Forwarded-For is trusted
