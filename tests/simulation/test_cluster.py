"""Simulations on a cluster: the same files whoever works, dies, joins or leaves; nothing twice, nothing missing."""

import io
import os
import random
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from itertools import count
from typing import NamedTuple

import polars as pl
import pytest
from distributed import Client, LocalCluster
from rich.console import Console

from branchline.batch.games import Player
from branchline.cluster import ClusterError, addresses
from branchline.cluster.code import Code, code_here
from branchline.cluster.engine import Running
from branchline.cluster.locations import located
from branchline.errors import MissingPackage
from branchline.report import ReportError, make_report
from branchline.simulation import Orders, SimulationError, load_statistics, simulate
from branchline.simulation.on_cluster import chunk_size, most_games
from branchline.simulation.output import Output
from branchline.simulation.players import ON_CPU, ON_GPU, has_gpu, new_player
from branchline.simulation.table_folders import TableFolders
from tests.cluster.machines import end, machines
from tests.cluster.objects import objects
from tests.commands import PROCESS, branchline
from tests.conftest import SOAK
from tests.left_out import leave_out
from tests.server.hosts import can_make_hosts, hosts
from tests.simulation.test_simulation import content, parts, plan, rows_of

GAMES, CHUNK = 480, 32
PLANNERS = ("planner", "planner")
KILLS = 100
USUAL = ("london", "--players", "2", "--bots", "planner", "--tables", "claims", "--chunk", str(CHUNK))


def asked(**more):
    return plan(bots=PLANNERS, tables=("claims",), **more)


def run(out, cluster, games=GAMES, wanted=None, console=None, **orders):
    out.parent.mkdir(exist_ok=True)
    return simulate(wanted or asked(), Orders(games, out, chunk=CHUNK, cluster=cluster, **orders), console)


def files_in(folder):
    """The bytes of everything that a simulation has written there."""
    return {path.name: parts(path) for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A scheduler and two workers in folders of their own."""
    with machines(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture(scope="module")
def usual(tmp_path_factory, small):
    """The files that every cluster has to write."""
    folder = tmp_path_factory.mktemp("usual") / "x"
    run(folder / "x.parquet", small.address)
    return files_in(folder)


def recount(folder, games=GAMES):
    """Every seat of every game is there once."""
    rows = pl.read_parquet(folder / "x.parquet").select("game", "seat").rows()
    assert rows == [(game, seat) for game in range(games) for seat in range(2)]


def test_the_rows_are_those_of_one_machine(tmp_path, small):
    for name, cluster in (("one", None), ("many", small.address)):
        summary = run(tmp_path / name / "x.parquet", cluster)
        assert summary.games == GAMES
    assert content(tmp_path / "one") == content(tmp_path / "many")
    recount(tmp_path / "many")


@pytest.mark.soak("two and three workers are compared elsewhere")
@pytest.mark.parametrize("workers", [1, 2, 4, 8])
def test_the_number_of_workers_changes_no_byte(tmp_path, usual, workers):
    run(tmp_path / "x" / "x.parquet", f"local:{workers}")
    assert files_in(tmp_path / "x") == usual
    assert not list((tmp_path / "x").glob(".*"))


@contextmanager
def meanwhile(work):
    """Something happens in a thread while the block runs, and is over when it ends."""
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def until_something_is_there(folder):
    while not list(folder.rglob("*.parquet/*")):
        time.sleep(0.05)


@pytest.mark.soak("a killed command goes on below")
@pytest.mark.timeout(3000)
def test_kills_of_workers_change_no_byte(tmp_path, usual):
    chance, killed, over = random.Random(24), [], threading.Event()

    def kill():
        while len(killed) < KILLS and not over.wait(chance.uniform(0.1, 0.5)):
            cluster.mend()
            if len(watcher.nthreads()) == len(cluster.workers) and cluster.kill_one(chance.randrange(100)):  # the others go on working
                killed.append(time.monotonic())
        over.set()

    with machines(tmp_path / "cluster", 3) as cluster, Client(cluster.address, set_as_default=False) as watcher, meanwhile(kill):
        try:
            for number in count():
                run(tmp_path / f"x{number}" / "x.parquet", cluster.address)
                assert files_in(tmp_path / f"x{number}") == usual
                recount(tmp_path / f"x{number}")
                if over.is_set():
                    break
        finally:
            over.set()
    assert len(killed) == KILLS


@pytest.mark.soak("workers are killed above")
def test_workers_come_late_and_leave(tmp_path, usual):
    with machines(tmp_path / "cluster", 1) as cluster:

        def change():
            cluster.join()
            cluster.join()
            until_something_is_there(tmp_path / "x")
            end(cluster.workers[0])  # its machine is gone, nanny and all

        with meanwhile(change):
            run(tmp_path / "x" / "x.parquet", cluster.address)
    assert files_in(tmp_path / "x") == usual


def test_a_slow_worker_changes_no_byte(tmp_path, small, usual):
    """It stands still for a while, in the middle of a chunk, and the other one goes on."""

    def stop_for_a_while():
        until_something_is_there(tmp_path / "x")
        slow = small.working()[0]
        os.kill(slow, signal.SIGSTOP)
        time.sleep(6 if SOAK else 1)
        os.kill(slow, signal.SIGCONT)

    with meanwhile(stop_for_a_while):
        run(tmp_path / "x" / "x.parquet", small.address)
    assert files_in(tmp_path / "x") == usual


@pytest.mark.soak("workers are killed above")
def test_a_run_continues_with_a_scheduler_that_is_started_again(tmp_path, usual):
    with machines(tmp_path / "cluster", 1) as cluster:

        def replace():
            until_something_is_there(tmp_path / "x")
            end(cluster.scheduler)
            cluster.start_scheduler()
            cluster.join()

        with meanwhile(replace):
            run(tmp_path / "x" / "x.parquet", cluster.address)
    assert files_in(tmp_path / "x") == usual


@pytest.mark.soak("workers are killed above")
def test_a_scheduler_that_stays_away_ends_the_run(tmp_path, monkeypatch):
    monkeypatch.setattr("branchline.cluster.engine.RETURNING", 3.0)
    with machines(tmp_path / "cluster", 1) as cluster:

        def kill():
            until_something_is_there(tmp_path / "x")
            end(cluster.scheduler)

        with meanwhile(kill), pytest.raises(SimulationError, match=r"the scheduler at tcp://.* has gone away: start it again, .*and --resume"):
            run(tmp_path / "x" / "x.parquet", cluster.address, 100 * GAMES)
    done = pl.read_parquet(tmp_path / "x" / "x.parquet").height
    assert 0 < done < 2 * 100 * GAMES


@pytest.mark.soak("a run stopped on one machine goes on in test_simulation.py")
def test_a_killed_command_goes_on_elsewhere(tmp_path, small, usual):
    folder = tmp_path / "x"
    folder.mkdir()
    command = [*PROCESS, "simulate", *USUAL, "--games", str(GAMES), "--out", "x.parquet"]
    process = subprocess.Popen([*command, "--cluster", str(small.file)], cwd=folder, stdout=subprocess.DEVNULL)
    while process.poll() is None and len(list(folder.glob("x.parquet/*"))) < 3:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    told = branchline("simulate", *USUAL, "--games", str(GAMES), "--out", "x.parquet", "--resume", "--cluster", "local:1", cwd=folder)
    assert told.returncode == 0, told.stderr
    assert "games already" in told.stdout
    for sign in folder.glob(".*.cluster"):  # what a killed command cannot tidy up
        sign.unlink()
    assert files_in(folder) == usual


@pytest.mark.soak("Ctrl-C is tested in tests/test_exit_codes.py")
def test_ctrl_c_in_a_terminal_ends_a_local_cluster_quietly(tmp_path):
    command = [*PROCESS, "simulate", *USUAL, "--games", "100000", "--out", "x.parquet", "--cluster", "local:2"]
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it, and so would what they start
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    signal.signal(signal.SIGINT, before)
    until_something_is_there(tmp_path)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the whole group
    told, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (130, "")
    assert "kept in x.parquet. Continue with the same command and --resume" in told
    assert not list(tmp_path.glob(".*"))


def test_what_a_worker_has_written_in_vain_is_found_by_recounting(tmp_path):
    out = tmp_path / "x.parquet"
    simulate(asked(), Orders(96, out, chunk=32))
    kept = content(tmp_path)
    late = out / "000000000032-64.parquet"
    late.write_bytes((out / "000000000000-32.parquet").read_bytes() if (out / "000000000000-32.parquet").exists() else b"PAR1")
    told = []
    output = TableFolders(asked(), out, Orders(96, out, resume=True), told.append)
    assert not late.exists(), "it is there twice"
    late.write_bytes(b"PAR1")
    output.recount()
    assert not late.exists()
    assert content(tmp_path) == kept
    for table in (out, tmp_path / "x.claims.parquet"):
        part = max(table.iterdir())
        whole = part.read_bytes()
        part.unlink()
        with pytest.raises(SimulationError, match=f"{part.name} has vanished: continue with the same command and --resume"):
            output.recount()
        part.write_bytes(whole)
    output.recount()
    pl.read_parquet(max(out.iterdir())).head(5).write_parquet(max(out.iterdir()))
    with pytest.raises(SimulationError, match="is broken: continue with the same command and --resume"):
        output.recount()


def test_progress_is_told_by_worker(tmp_path, small):
    console = Console(file=io.StringIO(), width=100)
    run(tmp_path / "x" / "x.parquet", small.address, console=console)
    told = console.file.getvalue()
    assert "w0" in told
    assert "w1" in told


STATISTICS = """
from branchline.batch import statistic
from beside import DOUBLE

@statistic
def doubled(games):
    return DOUBLE * games.decisions
"""
BOTS = """
from branchline.compiling import rule
from branchline.rules.bits import has

@rule
def choose(board, seen, mask, thoughts, dice):
    for decision in range(64 * mask.shape[0]):
        if has(mask, decision):
            return decision
    return 0
"""


def test_own_bots_and_statistics_travel_to_the_workers(tmp_path, small, monkeypatch):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "own_stats.py").write_text(STATISTICS)
    (folder / "beside.py").write_text("DOUBLE = 2\n")
    (folder / "travelling_bots.py").write_text(BOTS)
    monkeypatch.chdir(folder)
    files = (folder / "own_stats.py",)
    for number in (2, 3):  # the second time, the workers still have the first version
        (folder / "beside.py").write_text(f"DOUBLE = {number}\n")
        bots = ("travelling_bots:choose" if SOAK else "random", "greedy")  # it takes each worker 20 seconds to compile the bot
        wanted = plan(bots=bots, tables=(), statistics=load_statistics(files))
        run(tmp_path / f"x{number}" / "x.parquet", small.address, 64, wanted, statistics=files)
        table = pl.read_parquet(tmp_path / f"x{number}" / "x.parquet")
        assert (table["doubled"] == number * table["decisions"]).all()
        assert set(table["bot"]) == set(bots)


def test_statistics_without_their_file_are_refused(tmp_path, small):
    (tmp_path / "s.py").write_text(STATISTICS.replace("from beside import DOUBLE", "DOUBLE = 2"))
    wanted = plan(tables=(), statistics=load_statistics([tmp_path / "s.py"]))
    with pytest.raises(SimulationError, match="statistics travel to a cluster as files"):
        run(tmp_path / "x" / "x.parquet", small.address, 64, wanted)


def test_workers_with_other_code_are_refused(tmp_path, small, monkeypatch):
    code_here.cache_clear()
    monkeypatch.setattr("branchline.cluster.code.__version__", "0.0.1")
    try:
        with pytest.raises(ClusterError, match=r"the worker tcp://.* has Branchline .*, and this machine 0.0.1 \(.*\): install the same version"):
            run(tmp_path / "x" / "x.parquet", small.address)
    finally:
        code_here.cache_clear()


def test_a_worker_with_other_code_that_comes_late_is_refused(tmp_path, small, monkeypatch):
    monkeypatch.setattr("branchline.cluster.engine.code_here", lambda: Code("0.0.1", "feedbeef"))
    monkeypatch.setattr("branchline.cluster.engine.check_code", lambda *_: None)  # as if it had not been there at the beginning
    with pytest.raises(SimulationError, match=r"the worker .* has Branchline .*, and this machine 0.0.1 \(feedbeef\).*and --resume"):
        run(tmp_path / "x" / "x.parquet", small.address)


def test_a_worker_that_does_not_see_the_folder_says_so(tmp_path, small, monkeypatch):
    monkeypatch.setattr("branchline.simulation.on_cluster.sign_at", lambda _: tmp_path / "nowhere")
    with pytest.raises(SimulationError, match=r"this worker does not see .*: write to a folder that all machines share.*and --resume"):
        run(tmp_path / "x" / "x.parquet", small.address)


def test_nobody_answers(tmp_path):
    told = branchline("simulate", *USUAL, "--games", "64", "--out", "x.parquet", "--cluster", "tcp://127.0.0.1:1", cwd=tmp_path)
    assert told.returncode == 1
    assert "no scheduler can be reached at tcp://127.0.0.1:1" in told.stderr
    assert told.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--cluster", "somewhere"), "'somewhere' is not the address of a cluster: write local, local:4"),
        (("--cluster", "local:0"), "'local:0' is not the address of a cluster"),
        (("--cluster", "local", "--out", "x.jsonl"), "a cluster writes tables, --out FILE.parquet; records are made without --cluster"),
        (("--out", "nowhere://x.parquet"), "nowhere://x.parquet is not an address"),
        (("--out", "s3://bucket/x.parquet"), "s3://bucket/x.parquet needs a package for its kind of address: Install s3fs"),
    ],
)
def test_bad_input_gets_a_clear_error(tmp_path, options, reason):
    told = branchline("simulate", *options, cwd=tmp_path)
    assert told.returncode == 2
    assert reason in told.stderr
    assert told.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


class Stopped(NamedTuple):
    stopped: bool


class Asked:
    """A cluster whose workers have GPUs or not."""

    def __init__(self, *gpus):
        self.on_all = lambda ask: {str(number): has for number, has in enumerate(gpus)} if ask is has_gpu else {}


@pytest.mark.parametrize(
    ("device", "gpus", "most"),
    [
        ("auto", (True, True), ON_GPU),
        ("cuda", (True,), ON_GPU),
        ("auto", (True, False), ON_CPU),
        ("auto", (), ON_CPU),  # they are all dying
        ("cpu", (True, True), ON_CPU),
    ],
)
def test_chunks_are_large_if_every_worker_has_a_gpu(device, gpus, most):
    assert most_games(Asked(*gpus), device) == most


@pytest.mark.parametrize(
    ("options", "device"), [((), "cpu"), (("--cluster", "tcp://head:8786"), "auto"), (("--cluster", "local", "--device", "cpu"), "cpu")]
)
def test_workers_use_their_gpus_unless_told_otherwise(monkeypatch, options, device):
    given = []
    monkeypatch.setattr("branchline.cli.simulating.compile_once", lambda *_: None)
    monkeypatch.setattr("branchline.simulation.simulate", lambda _plan, orders, _console: given.append(orders.device) or Stopped(False))
    assert branchline("simulate", "london", "--players", "2", *options).returncode == 0
    assert given == [device]


def test_a_worker_with_a_gpu_plays_on_it(monkeypatch):
    """Faked: what a worker is asked to do takes whatever its own machine has."""
    made = []
    monkeypatch.setattr("branchline.simulation.players.gpu_player", lambda device, *_: made.append(device) or ("gpu" if device != "cpu" else None))
    for device, player in (("auto", str), ("cpu", Player)):
        assert isinstance(new_player(asked(), Orders(64, device=device, threads=1), Output())[0], player)
    assert made == ["auto", "cpu"]


def test_chunks_follow_from_the_number_of_games():
    assert [chunk_size(games, 16_384) for games in (1, 1000, 20_000, 10**6, 10**9)] == [64, 64, 128, 4096, 16_384]


def test_up_to_four_million_games_gpus_change_no_chunk():
    for games in (1, 1000, 10**6, 4 * 10**6, 2**22 - 1):
        assert chunk_size(games, ON_CPU) == chunk_size(games, ON_GPU)
    assert chunk_size(2**22, ON_CPU) < chunk_size(2**22, ON_GPU)


# addresses


@pytest.fixture
def memory():
    """A store in memory, for tables that are not on this machine's disk."""
    place = located("memory://bucket/x.parquet")
    yield place
    place.fs.store.clear()
    place.fs.pseudo_dirs[:] = [""]


def fetched(place, folder):
    """The same tables as files."""
    for table in place.parent.iterdir():
        for part in table.iterdir():
            (folder / table.name).mkdir(parents=True, exist_ok=True)
            (folder / table.name / part.name).write_bytes(part.read_bytes())
    return folder


def test_tables_are_written_to_an_address_and_continued(memory, tmp_path):
    simulate(asked(), Orders(GAMES // 2, memory, chunk=CHUNK))
    with pytest.raises(SimulationError, match=r"memory://bucket/x.parquet already exists: continue it with --resume"):
        simulate(asked(), Orders(GAMES, memory))
    with pytest.raises(SimulationError, match=r"memory://.* holds another simulation: its seed is 1, yours 2"):
        simulate(asked(seed=2), Orders(GAMES, memory, resume=True))
    simulate(asked(), Orders(GAMES, memory, resume=True))
    found = fetched(memory, tmp_path / "found")
    (tmp_path / "whole").mkdir()
    run(tmp_path / "whole" / "x.parquet", None)
    assert content(found) == content(tmp_path / "whole")
    simulate(asked(seed=2), Orders(64, memory, force=True))
    assert rows_of(fetched(memory, tmp_path / "other") / "x.parquet") != rows_of(found / "x.parquet")


def test_workers_write_to_an_address(memory, tmp_path, usual, monkeypatch):
    """Threads of this process are the workers here: they see the same memory."""
    threads = LocalCluster(n_workers=2, threads_per_worker=2, processes=False, dashboard_address="127.0.0.1:0")
    monkeypatch.setattr("branchline.cluster.engine.started_here", lambda _: Running(Client(threads), threads))
    simulate(asked(), Orders(GAMES, memory, chunk=CHUNK, cluster="local"))
    assert files_in(fetched(memory, tmp_path / "found")) == usual
    assert {path.name for path in memory.parent.iterdir()} == {"x.parquet", "x.actions.parquet", "x.claims.parquet"}


def test_listings_that_fsspec_remembers_are_not_trusted(memory, monkeypatch):
    """Workers write what the command has not seen: s3fs would go on listing what was there before."""
    remembered, store = {}, type(memory.fs)
    ls = store.ls
    monkeypatch.setattr(store, "ls", lambda fs, path, **how: remembered.setdefault((path, how.get("detail")), ls(fs, path, **how)))
    monkeypatch.setattr(store, "invalidate_cache", lambda *_: remembered.clear())
    simulate(asked(), Orders(64, memory, chunk=CHUNK))
    output = TableFolders(asked(), memory, Orders(128, memory, resume=True), print)
    first = memory / "000000000000-32.parquet" if (memory / "000000000000-32.parquet").exists() else next(memory.iterdir())
    for table in ("x.parquet", "x.actions.parquet", "x.claims.parquet"):
        (memory.with_name(table) / "000000000064-64.parquet").write_bytes(first.read_bytes())  # by a worker
    output.add(range(64, 128))
    output.recount()
    assert (memory / "000000000064-64.parquet").exists()


def test_a_report_is_made_of_tables_at_an_address(memory, tmp_path):
    simulate(asked(), Orders(GAMES, memory, chunk=CHUNK))
    simulate(asked(), Orders(GAMES, tmp_path / "x.parquet"))
    for number, file in enumerate((memory, tmp_path / "x.parquet")):
        make_report(Console(quiet=True), file, tmp_path / f"{number}.html", tmp_path / f"csv{number}", None, "en")
    assert {path.name: path.read_bytes() for path in (tmp_path / "csv0").iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "csv1").iterdir()
    }
    with pytest.raises(ReportError, match=r"there is no file memory://bucket/y.parquet"):
        make_report(Console(quiet=True), memory.with_name("y.parquet"), tmp_path / "y.html", None, None, "en")


def test_tables_in_a_store_like_s3_are_written_continued_and_reported_in_batches(tmp_path, monkeypatch):
    monkeypatch.setattr("branchline.report.tables.AT_ONCE", 2 * CHUNK)
    simulate(asked(), Orders(96, tmp_path / "x.parquet", chunk=CHUNK))
    with objects() as store:
        for games, how in ((64, {}), (96, {"resume": True})):
            simulate(asked(), Orders(games, located("s3://bucket/deep/x.parquet"), chunk=CHUNK, **how))
        names = [name.removeprefix("bucket/deep/") for name in store.store]
        assert len(names) == len(set(names))
        assert {name.partition("/")[0] for name in names} == {"x.parquet", "x.actions.parquet", "x.claims.parquet"}
        for number, file in enumerate((located("s3://bucket/deep/x.parquet"), tmp_path / "x.parquet")):
            make_report(Console(quiet=True), file, tmp_path / f"{number}.html", tmp_path / f"csv{number}", None, "en")
        assert max(map(len, store.fetched)) < len([name for name in names if name.startswith("x.parquet/")])
    assert {path.name: path.read_bytes() for path in (tmp_path / "csv0").iterdir()} == {
        path.name: path.read_bytes() for path in (tmp_path / "csv1").iterdir()
    }


def test_without_the_extra_the_command_says_what_to_type(monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    monkeypatch.delitem(sys.modules, "branchline.cluster.engine")
    with pytest.raises(MissingPackage, match=r"a cluster needs the package dask, which is not installed: .*\[cluster\]'"):
        addresses.open_cluster("local")


# other hosts


@pytest.mark.soak("workers on this one do")
def test_workers_on_other_hosts_play_the_same(tmp_path, usual):
    if not can_make_hosts():
        leave_out("the right to make network namespaces")
    with hosts(3) as (head, *others):
        inside = [host.inside for host in (head, *others)]
        with machines(tmp_path / "cluster", 2, host=head.address, inside=inside) as cluster:
            run(tmp_path / "x" / "x.parquet", cluster.address)
    assert files_in(tmp_path / "x") == usual
