"""How to run a simulation; conflicting options are found before anything is played or written."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from branchline.batch.games import Games
from branchline.batch.statistics import check_names
from branchline.bots import BotOptionError, is_policy
from branchline.cluster import check_address
from branchline.errors import missing_package
from branchline.simulation.columns import seat_columns
from branchline.simulation.plan import Plan, SimulationError, SimulationOptionError

TABLES, RECORDS = ".parquet", ".jsonl"
DEVICES = ("cpu", "cuda", "auto")


@dataclass(frozen=True)
class Orders:
    """How many games, where they go, and what plays them. None of this changes a game."""

    games: int = 1000
    out: Path | None = None
    device: str = "cpu"
    threads: int | None = None  # None: all cores
    chunk: int | None = None  # the most games played at once; None: about a second's worth
    resume: bool = False
    force: bool = False
    cluster: str | None = None  # None: this machine
    statistics: tuple[Path, ...] = ()  # the files of the plan's statistics, which travel to a cluster

    def __post_init__(self) -> None:
        for name, number in (("games", self.games), ("threads", self.threads), ("chunk", self.chunk)):
            require(number is None or number > 0, f"--{name} must be at least 1, not {number}")
        require(self.ending in ("", TABLES, RECORDS), f"{self.out}: the ending must be {TABLES} for tables or {RECORDS} for records")
        require(not (self.resume or self.force) or bool(self.out), "--resume and --force need a file: name it with --out")
        require(not (self.resume and self.force), "--resume continues a file, --force overwrites it: give one of them")
        require(self.device in DEVICES, f"--device is {', '.join(DEVICES[:-1])} or {DEVICES[-1]}, not {self.device!r}")
        if self.cluster is not None:
            check_address(self.cluster)
            require(self.ending != RECORDS, f"a cluster writes tables, --out FILE{TABLES}; records are made without --cluster")

    @property
    def ending(self) -> str:
        return self.out.suffix or "none" if self.out else ""


def check_orders(plan: Plan, orders: Orders) -> None:
    """Raise an error for the first conflict."""
    if orders.ending == TABLES and find_spec("polars") is None:
        raise SimulationError(missing_package("writing tables", "polars", "report"))
    if orders.cluster is not None and plan.statistics and not orders.statistics:
        raise SimulationOptionError("statistics travel to a cluster as files: name them in Orders(statistics=…) as well")
    require(not plan.tables or orders.ending == TABLES, f"--tables are written beside --out FILE{TABLES}")
    check_names(plan.statistics, ["bot", *seat_columns(Plan(plan.game, plan.bots, plan.seed), Games.blank(0))])
    if orders.ending == RECORDS:
        check_records(plan, orders)


def check_records(plan: Plan, orders: Orders) -> None:
    """Batches make no records, so games are played one by one."""
    require(orders.device != "cuda", f"games for records are played on the CPU: leave out --device, or write tables with --out FILE{TABLES}")
    require(not plan.statistics, f"--statistics go into tables, --out FILE{TABLES}, and into the summary, not into records")
    for name in plan.bots:
        if not is_policy(name):
            raise BotOptionError(f"records are made of games between built-in bots: with {name!r}, write tables with --out FILE{TABLES}")


def require(condition: bool, reason: str) -> None:
    if not condition:
        raise SimulationOptionError(reason)
