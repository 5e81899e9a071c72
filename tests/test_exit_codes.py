"""Every command ends with 0, with 2 for wrong usage, with 1 if it fails, with 130 after Ctrl-C, and with 141 if nobody reads what it prints.

An error is one line, and no traceback."""

import signal
import subprocess
import sys

import pytest
import typer

from branchline import Game, Record
from branchline.cli import app, main
from branchline.server import serving
from tests.commands import PROCESS, branchline

COMMANDS = sorted(typer.main.get_command(app).commands)

NO_BOTS = ("plnner", "nofile:X", "./nofile.py", "greedy@5", "search@soon")
WRONG_USAGE = {
    "admin": [("tabels",), ("tables", "--status", "odd"), ("block", "nonsense"), ("close",), ("tables", "--database-url", "nonsense")],
    "arena": [
        ("greedy", "rendom"),
        ("greedy", "nofile:X"),
        ("greedy", "./nofile.py"),
        ("greedy", "branchline:X"),
        ("greedy", "random", "--game", "europ"),
        ("greedy",),
        ("greedy", "random", "--jobs", "0"),
        ("greedy", "greedy"),
    ],
    "board": [("nwe",), ("new",), ("new", "."), *((command, "./nowhere") for command in ("show", "draw", "check", "report"))],
    "check-bot": [(), ("gredy",), ("nofile:X",), ("greedy", "--game", "europ"), ("greedy", "--players", "two"), ("greedy", "--limit", "0")],
    "connect": [
        (),
        ("games.example",),
        ("http://games.example", "gredy"),
        ("http://games.example", "nofile:X"),
        ("http://games.example", "greedy", "--tables", "0"),
    ],
    "ladder": [(), ("here", "gredy", "random"), ("here", "greedy"), ("here", "greedy", "random", "--players", "9"), ("here", "--game", "europ")],
    "play": [
        ("--game", "europ"),
        ("--bots", "nromal"),
        ("--bots", "nofile:X"),
        ("--players", "many"),
        ("--players", "9"),
        ("--seed", "xyz"),
        ("--bots", "hard,hard,hard"),
    ],
    "replay": [(), ("game.json", "--number", "0"), ("game.json", "another.json")],
    "report": [(), ("x.parquet", "--out")],
    "serve": [
        ("--port", "70000"),
        ("--log-level", "loud"),
        *(("--bots", bot) for bot in NO_BOTS),
        ("--database-url", "nonsense"),
        ("--database-url", "mysql://x/y"),
    ],
    "show": [(), ("europ",), ("europe", "--all")],
    "simulate": [
        ("europ",),
        ("--bots", "gredy"),
        ("--bots", "nofile:X"),
        ("--games", "0"),
        ("--device", "tpu"),
        ("--resume",),
        ("--tables", "clams"),
        ("london", "--game", "usa"),
    ],
    "train": [
        (),
        ("europ",),
        ("london", "--players", "9"),
        ("london", "--device", "tpu"),
        ("london", "--against", "gredy"),
        ("london", "--width", "8"),
    ],
    "verify": [(), ("game.json",), ("game.json", "--commitment")],
    "warm": [("batchs",)],
}
FAILURES = {
    "admin": ("check-backup", "missing.db"),
    "arena": ("greedy", "random", "--game", "london", "--html", "no/such/page.html"),
    "board": ("draw", "./broken"),
    "check-bot": ("broken_bots:Broken",),
    "connect": ("http://127.0.0.1:9/t/AAAAAAAAAAAAAAAA", "broken_bots:Broken"),
    "ladder": ("game.json/ladder", "greedy", "random"),
    "play": ("--resume", "missing.json"),
    "replay": ("missing.json",),
    "report": ("missing.parquet",),
    "serve": ("--port", "0", "--database-url", "sqlite:///no/such/games.db"),
    "show": (),  # cannot fail
    "simulate": ("--out", "no/such/games.jsonl"),
    "train": ("london", "--folder", "game.json"),
    "verify": ("missing.json",),
    "warm": (),  # needs nothing that could be missing
}
# what is interrupted, and how each command is called
INTERRUPTED = {
    "admin": ("branchline.server.admin.block", ("block", "203.0.113.7")),
    "arena": ("branchline.arena.running.play", ("greedy", "random", "--game", "london", "--jobs", "1")),
    "board": ("branchline.design.layout.beginning.begin", ("new", "here")),
    "check-bot": ("branchline.bots.conformance.check_game", ("greedy", "--game", "london")),
    "connect": ("branchline.bots.connect.command.connect", ("http://127.0.0.1:9", "greedy")),
    "ladder": ("branchline.arena.ladder.keeping.play_rounds", ("here", "greedy", "random", "--game", "london")),
    "play": ("branchline.terminal.game.TerminalGame.next_decision", ("--game", "london")),
    "replay": ("branchline.terminal.replaying.tell", ("game.json",)),
    "report": ("branchline.report.command.open_simulation", ("x.parquet",)),
    "serve": ("branchline.server.serving.run", ("--port", "0")),
    "show": ("branchline.terminal.showing.show", ("london",)),
    "simulate": ("branchline.simulation.running.Pace.took", ("london", "--players", "2", "--games", "100000", "--chunk", "2")),
    "train": ("branchline.training.running.lessons_for", ("london",)),
    "verify": ("branchline.play.verifying.verify", ("game.json",)),
    "warm": ("branchline.batch.warm.is_warm", ()),
}


def run(monkeypatch, capsys, *arguments):
    """The exit code of a command and what it says on stderr."""
    monkeypatch.setattr(sys, "argv", ["branchline", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, capsys.readouterr().err


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The current directory, with a game to look at."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("branchline.batch.warm.is_warm", lambda _: True)
    names = [{"name": name, "player": "human"} for name in ("Alice", "Bob")]
    (tmp_path / "game.json").write_text(Record.of(Game("london", 2).start(1), names).to_json())
    (tmp_path / "broken_bots.py").write_text("raise OSError('no weights')\n")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "board.toml").write_text("game = ")
    return tmp_path


def test_every_command_is_tried():
    assert sorted(WRONG_USAGE) == sorted(FAILURES) == sorted(INTERRUPTED) == COMMANDS


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("command", "arguments"), [(command, one) for command in COMMANDS for one in WRONG_USAGE[command]])
def test_wrong_usage_ends_with_2(monkeypatch, capsys, command, arguments):
    code, complaint = run(monkeypatch, capsys, command, *arguments)
    assert code == 2
    assert complaint.startswith("branchline: ")
    assert complaint.count("\n") == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_option_ends_with_2_and_names_the_help(monkeypatch, capsys, command):
    code, complaint = run(monkeypatch, capsys, command, "--gmae", "x")
    assert code == 2
    assert "No such option: --gmae" in complaint
    assert complaint.endswith(f"(see branchline {command} --help)\n")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", [command for command in COMMANDS if FAILURES[command]])
def test_a_failure_ends_with_1(monkeypatch, capsys, command):
    code, complaint = run(monkeypatch, capsys, command, *FAILURES[command])
    assert code == 1
    assert complaint.startswith("branchline: ")
    assert complaint.count("\n") == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_ends_with_130(monkeypatch, capsys, command):
    interrupted, arguments = INTERRUPTED[command]
    monkeypatch.setattr(interrupted, lambda *_, **__: signal.raise_signal(signal.SIGINT))
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        code, complaint = run(monkeypatch, capsys, command, *arguments)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert (code, "Traceback" in complaint) == (130, False)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("arguments", "code"), [(("--version",), 0), (("--help",), 0), (("show", "london"), 0), ((), 2), (("simulte",), 2)])
def test_the_command_itself(monkeypatch, capsys, arguments, code):
    assert run(monkeypatch, capsys, *arguments)[0] in (code, None if code == 0 else code)


@pytest.mark.usefixtures("folder")
def test_an_unknown_command_is_guessed(monkeypatch, capsys):
    assert "Did you mean 'simulate'?" in run(monkeypatch, capsys, "simulte")[1]


@pytest.mark.usefixtures("folder")
def test_the_way_to_the_help_follows_the_error_without_a_full_stop(monkeypatch, capsys):
    assert run(monkeypatch, capsys, "frobnicate")[1] == "branchline: No such command 'frobnicate' (see branchline --help)\n"


@pytest.mark.usefixtures("folder")
def test_without_a_terminal_an_unknown_bot_leaves_no_empty_line():
    tried = branchline("check-bot", "nobot")
    assert (tried.returncode, tried.stdout) == (2, "")
    assert tried.stderr.startswith("branchline: there is no bot 'nobot'")


@pytest.mark.sample(1)
@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error there")
@pytest.mark.parametrize("arguments", [("show", "london"), ("--help",), ("--version",)])
def test_a_command_whose_output_nobody_reads_ends_quietly(arguments):
    begin = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    with subprocess.Popen([*PROCESS, *arguments], **begin) as command:
        command.stdout.close()
        assert command.stderr.read() == b""
        assert command.wait(60) == 141  # what a shell says of programs that end like this


@pytest.mark.usefixtures("folder")
def test_the_end_of_the_input_is_a_failure(monkeypatch, capsys):
    def ended(*_, **__):
        raise EOFError

    monkeypatch.setattr("branchline.terminal.replaying.tell", lambda *arguments: arguments[-1]())
    monkeypatch.setattr("branchline.cli.console.input", ended)
    code, complaint = run(monkeypatch, capsys, "replay", "game.json", "--step")
    assert (code, complaint.strip()) == (1, "branchline: the input has ended")


@pytest.mark.usefixtures("folder")
def test_the_port_may_be_taken(monkeypatch, capsys):
    with serving.listen("127.0.0.1", 0) as taken:
        code, complaint = run(monkeypatch, capsys, "serve", "--port", str(taken.getsockname()[1]))
    assert (code, complaint.count("\n")) == (1, 1)
    assert "choose another with --port" in complaint
