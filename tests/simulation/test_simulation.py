"""Simulations: tables agree with records for any threads and chunks, and continue where they were stopped."""

import io
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from rich.console import Console

from branchline import Game, Record, load_board, read_records
from branchline.batch import Player
from branchline.batch.compiled.tally import ROUNDS
from branchline.batch.matches import Match, game_seeds
from branchline.bots import BotError
from branchline.cli import simulating
from branchline.cuda import NoGpuError
from branchline.errors import how_to_install
from branchline.report.source import open_simulation
from branchline.simulation import Orders, Plan, SimulationError, chosen_tables, seat_bots, simulate
from branchline.simulation.frames import tables_of
from branchline.simulation.pace import Pace
from branchline.simulation.parts import write_part
from branchline.simulation.players import new_player
from branchline.simulation.table_folders import missing
from tests.commands import PROCESS, branchline
from tests.conftest import SOAK, UNIX

TABLES = ("claims", "tickets")
COMMAND = [*PROCESS, "simulate"]


def plan(game="london", bots=("greedy", "random"), seed=1, tables=TABLES, **more):
    return Plan(Game(game, len(bots)), tuple(bots), seed, tables, **more)


def run(out, games=40, asked=None, **orders):
    return simulate(asked or plan(), Orders(games, out, **orders))


def content(folder):
    """Everything in a folder: the rows of tables, whatever parts they are in, and the bytes of files."""
    return {path.name: rows_of(path) if path.is_dir() else path.read_bytes() for path in sorted(folder.iterdir())}


def rows_of(table):
    """As polars reads the folder; actions, which are counted part by part, are added up."""
    rows = pl.read_parquet(table)
    if "count" in rows.columns:
        rows = rows.group_by("seat", "bot", "round", "action").agg(pl.col("count").sum()).sort("seat", "round", "action")
    return rows.schema, rows.rows()


def parts(table):
    return {path.name: path.read_bytes() for path in sorted(table.iterdir())}


def again(out, games, *more):
    """Continue the usual plan on the command line."""
    usual = ("london", "--players", "2", "--bots", "greedy,random", "--games", str(games), "--out", out.name, "--resume")
    return branchline("simulate", *usual, *more, cwd=out.parent)


# what the tables say


def played(asked, games, first=0):
    player, _ = new_player(asked, Orders(games, threads=1), None)
    return player.play(games, asked.seed, first)


ACTION_OF = {
    "draw": "cards",
    "take": "cards",
    "claim": "claim",
    "tunnel_abandon": "abandoned",
    "offer_tickets": "tickets",
    "station": "build",
    "harbour": "build",
    "exchange": "exchange",
    "place": "place",
    "pass": "pass",
}


def turns_of(record):
    """What each turn was spent on, according to the events: (seat, action, route claimed)."""
    turns = []
    for event in record.events:
        if event["event"] == "turn":
            turns.append((event["seat"], None, None))
        elif turns and event["event"] in ACTION_OF and event["seat"] == turns[-1][0]:
            turns[-1] = (event["seat"], ACTION_OF[event["event"]], event.get("route"))
    return turns


def test_tables_say_what_the_records_say(game, players):
    check_tables(plan(game, BOTS[:players], seed=3))


@pytest.mark.parametrize("players", range(2, 5))
def test_tables_say_what_the_records_say_of_tickets_completed_for_players(players):
    game = Game("card-game", players, complete_tickets_for_me=True)
    other = check_tables(Plan(game, BOTS[:players], 3, TABLES))
    assert not other.equals(check_tables(plan("card-game", BOTS[:players], seed=3)))


BOTS = ("random", "greedy", "planner", "random", "greedy")


def check_tables(asked):
    """Of some games; returns the seats."""
    players, bots, number = asked.players, asked.bots, 14
    match = Match(asked.game, list(bots))
    records = [Record.of(match.play(seed)) for seed in game_seeds(3, number)]
    tables = tables_of(asked, played(asked, number))
    check_seats(asked, records, tables["seats"])
    check_tickets(records, tables["tickets"])
    turns = [turns_of(record) for record in records]
    claims = {(i, seat, route, turn + 1) for i, one in enumerate(turns) for turn, (seat, action, route) in enumerate(one) if action == "claim"}
    assert set(tables["claims"].iter_rows()) == claims
    done = Counter((seat, bots[seat], min(turn // players + 1, ROUNDS), action) for one in turns for turn, (seat, action, _) in enumerate(one))
    assert {row[:-1]: row[-1] for row in tables["actions"].iter_rows()} == done
    return tables["seats"]


NAMES = {"claim": "claims", "tickets": "ticket_draws", "build": "builds", "exchange": "exchanges", "place": "places", "pass": "passes"}


def check_seats(asked, records, table):
    rows = table.rows(named=True)
    assert [(row["game"], row["seat"], row["bot"]) for row in rows] == [
        (i, seat, bot) for i in range(len(records)) for seat, bot in enumerate(asked.bots)
    ]
    for row in rows:
        record, seat = records[row["game"]], row["seat"]
        score = record.result["scores"][seat]
        parts = {name: value for name, value in score.items() if isinstance(value, int)}
        assert {name: row[name] for name in parts} == parts
        assert (row["tickets_completed"], row["tickets_kept"]) == (len(score["completed"]), len(score["completed"]) + len(score["failed"]))
        assert row["won"] == (seat in record.result["winners"])
        assert row["share"] == pytest.approx(row["won"] / len(record.result["winners"]))
        turns = turns_of(record)
        assert (row["turns"], row["decisions"], row["first_seat"]) == (len(turns), len(record.decisions), record.events[0]["first_seat"])
        counts = Counter(NAMES.get(action, action) for whose, action, _ in turns if whose == seat)
        assert counts == {name: row[name] for name in counts}
        assert counts.total() == sum(row.get(name, 0) for name in {"cards", "abandoned", *NAMES.values()})


def check_tickets(records, table):
    found = {key: [] for key in range(len(records))}
    for number, seat, ticket, points, completed in table.iter_rows():
        found[number].append((seat, ticket, points, completed))
    for number, record in enumerate(records):
        for seat, score in enumerate(record.result["scores"]):
            mine = [row[1:] for row in found[number] if row[0] == seat]
            assert sum(points for _, points, _ in mine) == score["tickets"]
            assert sorted(ticket for ticket, _, done in mine if not done) == sorted(score["failed"])
            completed = [one["ticket"] if isinstance(one, dict) else one for one in score["completed"]]
            assert sorted(ticket for ticket, _, done in mine if done) == sorted(completed)


def test_only_what_a_board_has_is_a_column():
    columns = {game: set(tables_of(plan(game), played(plan(game), 1))["seats"].columns) for game in ("europe", "london", "world", "card-game")}
    assert {"stations", "abandoned", "builds", "longest_path_length"} <= columns["europe"]
    assert {"districts"} <= columns["london"]
    assert {"harbours", "exchanges"} <= columns["world"]
    assert {"bonuses", "places"} <= columns["card-game"]
    assert not columns["london"] & {"stations", "abandoned", "builds", "exchanges", "places", "longest_path"}
    assert not columns["card-game"] & {"routes", "claims", "pieces_left", "builds"}


def test_the_files_say_what_was_simulated(tmp_path):
    run(tmp_path / "x.parquet", 30)
    for name in ("x.parquet", "x.actions.parquet", "x.claims.parquet", "x.tickets.parquet"):
        facts = pl.read_parquet_metadata(next((tmp_path / name).iterdir()))
        assert facts["game"] == "london"
        assert (facts["players"], facts["bots"], facts["seed"]) == ("2", "greedy,random", "1")
        assert (facts["games"], facts["tables"]) == ("30", "claims,tickets")
        assert facts["rules_version"] == str(load_board("london").rules_version)
        assert facts["branchline_version"] == version("branchline")
    assert pl.read_parquet(tmp_path / "x.parquet").height == 60


def test_threads_and_chunks_change_no_row(tmp_path):
    found = []
    for number, ways in enumerate(({"threads": 1}, {"threads": 2}, {"threads": 2, "chunk": 7}, {"threads": 3, "chunk": 50})):
        folder = tmp_path / str(number)
        folder.mkdir()
        summary = run(folder / "x.parquet", 300, **ways)
        found.append((content(folder), {name: values.tolist() for name, values in summary.means().items()}))
    assert len(found[0][0]) == 4
    assert all(one == found[0] for one in found)
    assert len(parts(tmp_path / "2" / "x.parquet")) >= 300 / 7


def test_a_game_of_a_seed_is_the_same_wherever_a_chunk_begins():
    whole, part = played(plan(), 20), played(plan(), 5, first=11)
    assert whole.states[11:16].tobytes() == part.states.tobytes()


def test_without_a_file_there_is_a_summary(tmp_path):
    told = branchline("simulate", "london", "--players", "2", "--games", "200", "--bots", "greedy,random", cwd=tmp_path)
    assert "200 games" in told.stdout
    assert "decisions/s" in told.stdout
    summary = run(None, 200, plan(tables=()))
    assert f"{100 * summary.means()['share'][0]:.1f} %" in told.stdout
    assert not list(tmp_path.iterdir())


# continuing


def test_more_games_are_added_to_a_file(tmp_path):
    whole, grown = tmp_path / "whole", tmp_path / "grown"
    for folder in (whole, grown):
        folder.mkdir()
    expected = run(whole / "x.parquet", 90)
    run(grown / "x.parquet", 25, chunk=10)
    summary = run(grown / "x.parquet", 90, resume=True)
    assert content(whole) == content(grown)
    assert summary.games == 90
    assert summary.means()["total"].tolist() == pytest.approx(expected.means()["total"].tolist())


def test_nothing_is_left_to_play(tmp_path):
    run(tmp_path / "x.parquet", 30)
    before = content(tmp_path)
    assert run(tmp_path / "x.parquet", 20, resume=True).games == 30
    assert content(tmp_path) == before


def started(out, *arguments):
    """A simulation in a process of its own, once some of its chunks are done."""
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it, and so would what they start
    process = subprocess.Popen(
        [*COMMAND, "london", "--players", "2", "--out", out.name, *arguments], stdout=subprocess.PIPE, text=True, cwd=out.parent
    )
    signal.signal(signal.SIGINT, before)
    while process.poll() is None and not chunks_of(out):
        time.sleep(0.02)
    return process


def chunks_of(out):
    if out.suffix == ".jsonl":
        return out.exists() and out.read_bytes().count(b"\n") > 3
    return len(list(out.glob("*.parquet"))) > 3


STOPPED = [("parquet", "SIGINT"), ("jsonl", "SIGKILL"), ("parquet", "SIGKILL"), ("jsonl", "SIGINT")]


@pytest.mark.sample(1)
@UNIX
@pytest.mark.parametrize(("ending", "how"), STOPPED if SOAK else STOPPED[:2])
def test_a_stopped_simulation_goes_on_to_the_same_file(tmp_path, ending, how):
    whole, stopped = tmp_path / "whole" / f"x.{ending}", tmp_path / "stopped" / f"x.{ending}"
    games = 6000 if ending == "parquet" else 600
    for out in (whole, stopped):
        out.parent.mkdir()
    asked = plan(bots=("planner", "planner"), tables=TABLES if ending == "parquet" else ())
    tables = ("--tables", "claims,tickets") if ending == "parquet" else ()
    process = started(stopped, "--bots", "planner", "--games", str(games), "--chunk", "32", *tables)
    process.send_signal(signal.Signals[how])
    told, _ = process.communicate(timeout=60)
    if how == "SIGINT":
        assert process.returncode == 130
        assert f"kept in x.{ending}. Continue with the same command and --resume" in told
    run(stopped, games, asked, resume=True)
    run(whole, games, asked)
    assert content(stopped.parent) == content(whole.parent)


@pytest.fixture
def interruptible():
    """A shell's background jobs ignore Ctrl-C; here it is heard."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_a_second_ctrl_c_ends_at_once_and_loses_nothing(tmp_path, monkeypatch):
    asked = plan(tables=())
    impatient = iter(range(100))

    def interrupt(*_):
        if next(impatient) == 3:
            for _ in range(2):
                signal.raise_signal(signal.SIGINT)
        return 8

    monkeypatch.setattr(Pace, "next", interrupt)
    console = Console(file=io.StringIO(), width=160)
    with pytest.raises(KeyboardInterrupt):
        simulate(asked, Orders(800, tmp_path / "x.parquet"), console)
    monkeypatch.undo()
    assert "Stopped immediately; only the games in progress are lost. Continue with the same command and --resume" in console.file.getvalue()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert run(tmp_path / "x.parquet", 60, asked, resume=True).games == 60
    assert pl.read_parquet(tmp_path / "x.parquet")["game"].to_list() == np.repeat(np.arange(60), 2).tolist()


@pytest.mark.sample(3)
@pytest.mark.parametrize("damage", ["cut off", "empty", "other rows", "a table missing", "seats missing", "unfinished"])
def test_a_broken_part_is_played_again(tmp_path, damage):
    for name in ("whole", "broken"):
        (tmp_path / name).mkdir()
    run(tmp_path / "whole" / "x.parquet")
    out = tmp_path / "broken" / "x.parquet"
    run(out, chunk=10)
    middle = sorted(out.iterdir())[1]
    if damage == "cut off":
        middle.write_bytes(middle.read_bytes()[:-20])
    elif damage == "empty":
        middle.write_bytes(b"")
    elif damage == "other rows":
        pl.read_parquet(middle).head(3).write_parquet(middle)
    elif damage == "a table missing":
        (out.with_name("x.claims.parquet") / middle.name).unlink()
    elif damage == "seats missing":
        middle.unlink()
    else:
        middle.rename(out.with_name(f".{out.name}.{middle.name}.writing"))
    told = again(out, 40, "--tables", "claims,tickets", "--chunk", "3")
    assert told.returncode == 0, told.stderr
    assert ("is broken; its games are played again" in told.stdout) == (damage not in ("seats missing", "unfinished"))
    assert content(tmp_path / "broken") == content(tmp_path / "whole")


@pytest.mark.parametrize("lost", ["x.claims.parquet", "x.parquet"])
def test_a_lost_table_is_made_again(tmp_path, lost):
    run(tmp_path / "x.parquet")
    before = content(tmp_path)
    shutil.rmtree(tmp_path / lost)
    run(tmp_path / "x.parquet", resume=True)
    assert content(tmp_path) == before


def test_an_error_on_the_way_keeps_what_is_done(tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device", "x")

    with monkeypatch.context() as patch:
        patch.setattr("branchline.simulation.table_folders.write_part", full_after(9, full))
        with pytest.raises(OSError, match="No space left"):
            run(tmp_path / "x.parquet", chunk=10)
    assert 0 < pl.read_parquet(tmp_path / "x.parquet").height < 80
    assert run(tmp_path / "x.parquet", resume=True).games == 40


def full_after(number, fail):
    write, calls = write_part, iter(range(100))
    return lambda *arguments: fail() if next(calls) >= number else write(*arguments)


def test_a_half_written_line_is_cut_off(tmp_path):
    out = tmp_path / "x.jsonl"
    asked = plan(tables=())
    run(out, 12, asked)
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) * 2 // 3])
    told = again(out, 12)
    assert "The last line of x.jsonl was not finished; its game is played again." in told.stdout
    assert out.read_bytes() == whole
    assert len(list(read_records(out))) == 12


OTHER_PLANS = [
    ({"seed": 2}, "its seed is 1, yours 2"),
    ({"bots": ("greedy", "greedy")}, "its bots are greedy,random, yours greedy,greedy"),
    ({"bots": ("greedy", "random", "random")}, "its number of players is 2, yours 3"),
    ({"game": "europe"}, "its game is london, yours europe"),
]


def test_other_options_are_another_simulation(tmp_path):
    bots = ("random", "random")
    run(tmp_path / "x.parquet", 4, plan("card-game", bots))
    other = Plan(Game("card-game", 2, may_draw_one=True), bots, 1, TABLES)
    with pytest.raises(SimulationError, match="its options are none, yours may_draw_one"):
        run(tmp_path / "x.parquet", 8, other, resume=True)


@pytest.mark.parametrize(("other", "reason"), [*OTHER_PLANS, ({"seed": 2, "tables": ()}, "its seed is 1, yours 2")])
def test_another_simulation_is_not_continued(tmp_path, other, reason):
    run(tmp_path / "x.parquet", 10)
    before = content(tmp_path)
    with pytest.raises(SimulationError, match=f"x.parquet holds another simulation: {reason}"):
        run(tmp_path / "x.parquet", 20, plan(**other), resume=True)
    assert content(tmp_path) == before


def everything(folder):
    """Every file, with its bytes and the time of its last change, and every folder."""
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) if path.is_file() else None for path in folder.rglob("*")}


@pytest.mark.parametrize("lost", [None, "x.parquet", "x.actions.parquet"])
@pytest.mark.parametrize(
    ("begun", "asked"),
    [((), "claims"), ((), "claims,tickets"), (TABLES, ""), (TABLES, "tickets"), (("claims",), "tickets"), (("claims",), "claims,tickets")],
)
def test_a_simulation_goes_on_only_with_its_own_tables(tmp_path, begun, asked, lost):
    out = tmp_path / "x.parquet"
    run(out, 12, plan(tables=begun), chunk=5)
    if lost:
        shutil.rmtree(tmp_path / lost)
    before = everything(tmp_path)
    told = again(out, 20, "--tables", asked)
    assert told.returncode == 1
    assert f"its --tables are {','.join(begun) or 'none'}, yours {asked or 'none'}. Ask for the same again, name another file" in told.stderr
    assert "is broken" not in told.stdout
    assert everything(tmp_path) == before


@pytest.mark.parametrize(("other", "reason"), OTHER_PLANS)
def test_other_records_are_not_continued(tmp_path, other, reason):
    run(tmp_path / "x.jsonl", 3, plan(tables=()))
    with pytest.raises(SimulationError, match=reason):
        run(tmp_path / "x.jsonl", 5, plan(**other | {"tables": ()}), resume=True)


def test_a_simulation_by_other_rules_is_not_continued(tmp_path):
    run(tmp_path / "x.parquet", 10, plan(tables=()))
    (part,) = (tmp_path / "x.parquet").iterdir()
    table, facts = pl.read_parquet(part), pl.read_parquet_metadata(part)
    table.write_parquet(part, metadata={name: text for name, text in facts.items() if name != "ARROW:schema"} | {"rules_version": "99"})
    with pytest.raises(SimulationError, match="its version of the rules is 99, yours"):
        run(tmp_path / "x.parquet", 20, plan(tables=()), resume=True)


@pytest.mark.parametrize("name", ["x.parquet", "x.jsonl"])
def test_a_file_is_not_overwritten_by_chance(tmp_path, name):
    asked = plan(tables=())
    run(tmp_path / name, 5, asked)
    before = content(tmp_path)
    with pytest.raises(SimulationError, match=rf"{name} already exists: continue it with --resume, overwrite it with --force"):
        run(tmp_path / name, 5, asked)
    assert content(tmp_path) == before
    run(tmp_path / name, 6, plan(seed=9, tables=()), force=True)
    rows = pl.read_parquet(tmp_path / name).height if name == "x.parquet" else 2 * (tmp_path / name).read_bytes().count(b"\n")
    assert rows == 12


def test_force_removes_the_tables_that_are_not_written_again(tmp_path):
    run(tmp_path / "x.parquet", 5)
    run(tmp_path / "x.parquet", 5, plan(tables=()), force=True)
    assert sorted(content(tmp_path)) == ["x.actions.parquet", "x.parquet"]


@pytest.mark.parametrize("empty", ["x.parquet", "x.actions.parquet", "x.claims.parquet"])
def test_force_overwrites_what_a_kill_between_two_parts_has_left(tmp_path, empty):
    run(tmp_path / "x.parquet", 5)
    for part in (tmp_path / empty).iterdir():
        part.unlink()
    run(tmp_path / "x.parquet", 5, plan(seed=9), force=True)
    assert pl.read_parquet(tmp_path / "x.parquet").height == 10
    assert len(list(tmp_path.glob("*/*.parquet"))) == 4


@pytest.mark.parametrize(("name", "thesis"), [("x.parquet", b"my thesis"), ("x.jsonl", b"my thesis"), ("x.jsonl", b'{"format":"mine"}\n')])
def test_no_file_of_another_kind_is_touched(tmp_path, name, thesis):
    (tmp_path / name).write_bytes(thesis)
    with pytest.raises(SimulationError, match=r"[Nn]ame another"):
        run(tmp_path / name, 5, plan(tables=()), resume=True)
    assert content(tmp_path) == {name: thesis}


@pytest.mark.parametrize("how", ["resume", "force"])
def test_no_folder_of_another_kind_is_touched(tmp_path, how):
    folder = tmp_path / "x.parquet"
    folder.mkdir()
    (folder / "thesis.parquet").write_bytes(b"my thesis")
    with pytest.raises(SimulationError, match=r"x.parquet does not belong to a simulation: it contains thesis.parquet"):
        run(folder, 5, plan(tables=()), **{how: True})
    assert parts(folder) == {"thesis.parquet": b"my thesis"}


@pytest.mark.parametrize("how", [{}, {"resume": True}, {"force": True}])
def test_hidden_files_of_a_file_manager_are_ignored_and_left_alone(tmp_path, how):
    out = tmp_path / "x.parquet"
    hidden = [out / ".DS_Store", out / "._000000000000-20.parquet"]
    if how:
        run(out, 20)
    out.mkdir(exist_ok=True)
    for file in hidden:
        file.write_bytes(b"icons")
    assert run(out, 30, **how).games == 30
    assert [file.read_bytes() for file in hidden] == [b"icons"] * 2
    assert open_simulation(out).games == 30


def test_unfinished_parts_of_other_simulations_are_left_alone(tmp_path):
    run(tmp_path / "x.parquet", 5)
    part = "000000000000-10.parquet.writing"
    own = [tmp_path / f".x{table}.parquet.{part}" for table in ("", ".actions", ".claims")]
    others = [tmp_path / f".{name}.parquet.{part}" for name in ("x.big", "x.big.actions", "x.parquet", "xx", "y")]
    for file in own + others:
        file.write_bytes(b"PAR1")
    run(tmp_path / "x.parquet", 6, resume=True)
    assert [file.exists() for file in own] == [False] * len(own)
    assert [file.exists() for file in others] == [True] * len(others)


# what is refused


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--games", "0"), "--games must be at least 1, not 0"),
        (("--threads", "0"), "--threads must be at least 1, not 0"),
        (("--chunk", "-1"), "--chunk must be at least 1, not -1"),
        (
            ("--bots", "search"),
            "the bot 'search' is not compiled; simulations take random, greedy, planner, learned and your own functions marked @rule",
        ),
        (("--bots", "hard"), "use `branchline arena`"),
        (("--bots", "no_such_module:choose"), "there is no module 'no_such_module'"),
        (("--out", "x.csv"), "x.csv: the ending must be .parquet for tables or .jsonl for records"),
        pytest.param(("--out", "no/such/x.parquet"), "no/such/x.parquet: No such file or directory", marks=UNIX),
        (("--out", "x.parquet", "--tables", "routes"), "there is no table 'routes'; --tables takes claims and tickets"),
        (("--tables", "claims"), "--tables are written beside --out FILE.parquet"),
        (("--out", "x.jsonl", "--tables", "claims"), "--tables are written beside --out FILE.parquet"),
        (("--resume",), "--resume and --force need a file: name it with --out"),
        (("--out", "x.parquet", "--resume", "--force"), "give one of them"),
        (("--device", "tpu"), "--device is cpu, cuda or auto, not 'tpu'"),
        (("--device", "cuda", "--out", "x.jsonl"), "games for records are played on the CPU"),
        (("--may-draw-one", "--out", "x.parquet"), "has no option may_draw_one"),
        (("--statistics", "none.py"), "there is no statistics file none.py"),
        (("atlantis",), "there is no such board"),
    ],
)
def test_bad_input_gets_a_clear_error(arguments, reason, tmp_path):
    told = branchline("simulate", *arguments, cwd=tmp_path)
    assert told.returncode == (1 if reason.startswith(("no/such", "there is no statistics file")) else 2)
    assert reason in told.stderr
    assert told.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@UNIX
def test_a_folder_that_cannot_be_written_is_found_before_the_first_game(tmp_path, monkeypatch):
    monkeypatch.setattr("branchline.simulation.command.play_rest", lambda *_: pytest.fail("a game was played"))
    (tmp_path / "file").touch()
    for name in ("x.parquet", "x.jsonl"):
        with pytest.raises(OSError, match="Not a directory"):
            run(tmp_path / "file" / name, 5, plan(tables=()))


@pytest.mark.soak("missing extras are tested in test_package.py")
def test_tables_need_polars(tmp_path):
    code = "import sys; sys.modules['polars'] = None; from branchline.cli import main; main()"
    command = [sys.executable, "-c", code, "simulate", "--games", "5"]
    told = subprocess.run([*command, "--out", "x.parquet"], capture_output=True, text=True, timeout=200, cwd=tmp_path, check=False)
    assert told.returncode == 1
    assert f"writing tables needs the package polars, which is not installed: {how_to_install('report')}" in told.stderr
    assert subprocess.run(command, capture_output=True, timeout=200, check=False).returncode == 0


def test_without_a_gpu_auto_takes_the_cpu_and_cuda_says_so(monkeypatch):
    def no_gpu(*_, **__):
        raise NoGpuError("no CUDA device was found")

    monkeypatch.setattr("branchline.cuda.GpuPlayer", no_gpu)
    assert run(None, 5, plan(tables=()), device="auto").games == 5
    with pytest.raises(NoGpuError):
        run(None, 5, plan(tables=()), device="cuda")


def test_a_gpu_is_asked_for_the_same_games(monkeypatch, tmp_path):
    class FakeGpu(Player):
        def __init__(self, board, bots, statistics, options):
            super().__init__(board, bots, 1, statistics, options)

        def prepare(self):
            pass

    monkeypatch.setattr("branchline.cuda.GpuPlayer", FakeGpu)
    for_me = Plan(Game("card-game", 2, complete_tickets_for_me=True), ("greedy", "random"), 1, TABLES)
    for name, device in (("a", "cpu"), ("b", "cuda")):
        (tmp_path / name).mkdir()
        run(tmp_path / name / "x.parquet", device=device)
        run(tmp_path / name / "y.parquet", asked=for_me, device=device)
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_bots_are_one_for_all_or_one_for_each():
    assert seat_bots("greedy", 3) == ["greedy"] * 3
    assert seat_bots("greedy, random", 2) == ["greedy", "random"]
    with pytest.raises(BotError, match="2 bots for 3 seats"):
        seat_bots("greedy,random", 3)


def test_tables_are_taken_in_our_order():
    assert chosen_tables("tickets, claims") == ("claims", "tickets")
    assert chosen_tables("") == ()


def test_chunks_become_as_large_as_a_second_allows():
    pace = Pace(16_384)
    assert pace.next(1000) == 16
    pace.took(16, 0.001)
    assert pace.next(100_000) == 128
    pace.took(128, 64.0)
    assert pace.next(100_000) == 2
    pace.took(2, 9.0)
    assert pace.next(100_000) == 1
    for _ in range(9):
        pace.took(pace.next(100_000), 1e-9)
    assert pace.next(100_000) == 16_384
    assert pace.next(7) == 7


def test_what_is_missing_lies_between_what_is_done():
    assert missing([], 5) == [range(5)]
    assert missing([range(2, 4), range(6, 8)], 10) == [range(2), range(4, 6), range(8, 10)]
    assert missing([range(8)], 5) == []


def test_the_page_has_every_option_table_and_column():
    text = (Path(__file__).parents[2] / "docs" / "simulation.md").read_text(encoding="utf-8")
    command = Path(simulating.__file__).read_text(encoding="utf-8")
    options = re.search(r"def simulate\((.*?)\) -> None", command, re.DOTALL).group(1)
    for option in re.findall(r"^    (\w+):", options, re.MULTILINE)[1:]:
        assert f"`--{option.replace('_', '-')}`" in text, option
    for game in ("europe", "london", "world", "card-game"):
        for table in tables_of(plan(game), played(plan(game), 1)).values():
            for column in table.columns:
                assert f"`{column}`" in text, column
    for fact in (*plan().facts, "games"):
        assert f"`{fact}`" in text, fact
