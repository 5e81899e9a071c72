"""The tables of the database. A game table's header and log are the truth; all other columns follow from them, for finding things."""

from __future__ import annotations

from sqlalchemy import JSON, Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, UniqueConstraint

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("created_at", Float, nullable=False),
    Column("host", String(64), nullable=False),
    Column("game", String(40), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("seed", String(64), nullable=False),  # sealed until the game is over: see sealing.py
    Column("plan", JSON, nullable=False),
    Column("options", JSON, nullable=False),
    Column("settings", JSON, nullable=False),
    # for finding tables; these follow from the log
    Column("status", String(12), nullable=False),
    Column("listed", Integer, nullable=False),  # 1: open, and a seat is free
    Column("wake_at", Float),  # when something is due by itself: a bot acts, or a turn runs out of time
    Column("ended_at", Float),
    Index("ix_tables_host", "host"),
    Index("ix_tables_listed", "listed", "created_at"),
    Index("ix_tables_wake_at", "wake_at"),
    Index("ix_tables_ended_at", "ended_at"),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, key="sequence", primary_key=True, autoincrement=False),  # of two entries for the same place, the database accepts one
    Column("kind", String(12), nullable=False),
    Column("at", Float, nullable=False),
    Column("seat", Integer),
    Column("body", JSON, nullable=False),
    Column("author", String(64)),  # the hash of a guest's key
    Column("client_id", String(64)),
    UniqueConstraint("table_id", "author", "client_id", name="uq_entries_client_id"),
)

sitters = Table(
    "sitters",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("key", String(64), primary_key=True),  # the hash of a guest's key
    Index("ix_sitters_key", "key"),
)

archives = Table(
    "archives",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("last_entry", Integer, nullable=False),  # entries after it are rows of their own
    Column("log", LargeBinary, nullable=False),  # see archiving.py
)

seals = Table(
    "seals",
    metadata,
    Column("fingerprint", String(16), primary_key=True),  # of the key with which seeds are sealed
)

blocked = Table(
    "blocked",
    metadata,
    Column("network", String(49), primary_key=True),  # an address or network, such as 203.0.113.0/24
    Column("since", Float, nullable=False),
    Column("reason", String(200), nullable=False),  # the operator's own note
)

probes = Table(
    "probes",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # 1: what `/health` writes to see that it can; 2: the latest time known for certain
    Column("at", Float, nullable=False),
)
