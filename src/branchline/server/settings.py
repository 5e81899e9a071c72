"""What whoever runs a server can set."""

from __future__ import annotations

from dataclasses import dataclass

DAY = 86_400.0


@dataclass(frozen=True)
class Settings:
    database_url: str = "sqlite:///branchline.db"
    origins: tuple[str, ...] = ()  # of other sites whose pages may use this server; its own may always
    bot_workers: int = 2  # processes for bots that think long
    most_tables: int = 2_000  # kept in memory; any number can be played
    tables_per_guest: int = 50  # not over, of one host
    largest_message: int = 16_384  # bytes
    largest_record: int = 2_000_000  # bytes of a record that somebody brings to replay
    sockets_per_address: int = 200
    requests_per_minute: int = 600  # of one address
    new_tables_per_minute: int = 20  # of one address
    replays_per_minute: int = 30  # of one address
    hints_per_minute: int = 30  # of one guest; bots think in the same thread
    messages_per_second: int = 20  # of one socket
    chat_per_minute: int = 20  # of one seat
    waiting_expires: float = 7 * DAY  # a table whose game has not begun
    game_expires: float = 60 * DAY  # a game without a limit on time, in which nothing happens
    watch_every: float = 2.0  # seconds between two looks for what another process left undone
    longest_queue: int = 256  # messages that wait for a slow reader before it is let go
    trusted_proxies: str = "127.0.0.1"  # whose word about an address is believed
