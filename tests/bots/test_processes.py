"""Bots as processes: whatever a program does, it loses a move at most, and nothing of it is left in the end."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from branchline import Game, available_boards
from branchline.bots import BotError, BotOptionError, GuardedBot, Witness, make_bot
from branchline.bots.aside import Late
from branchline.bots.conformance import check
from branchline.bots.processes import messages, running, talking
from branchline.bots.processes.commands import command_of, in_a_process, is_program
from branchline.bots.processes.program_bot import ProgramBot
from branchline.bots.processes.seeing import seen
from branchline.bots.processes.talking import waiting
from branchline.play.events import redact
from tests.commands import branchline
from tests.conftest import SOAK
from tests.left_out import leave_out

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
LIMIT = 1.0
PATIENT = 20.0  # where something else than silence is to be noticed, however busy the machine is

# A bot that answers everything rightly, with holes for what a test wants it to do.
HONEST = """
    import json, os, signal, subprocess, sys, time
    def say(**message):
        print(json.dumps(message), flush=True)
    {at_start}
    asked = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            {at_hello}
            say(type="hello", protocol=1, name="honest", wants=["view", "events"])
        elif message["type"] == "new_game":
            {at_new_game}
            say(type="ready", id=message["id"])
        elif message["type"] == "decide":
            asked += 1
            legal = message["legal"]
            {at_decide}
            say(type="decision", id=message["id"], decision=legal[-1])
        elif message["type"] == "quit":
            {at_quit}
            break
"""


@pytest.fixture(autouse=True)
def _nobody_waits():
    """No process outlives its test."""
    yield
    waiting.end_all()
    assert not running.everything_running


@pytest.fixture
def program(tmp_path):
    """Writes a bot that does something else at some point, and returns its name."""

    def written(**holes):
        name = f"bot-{len(list(tmp_path.iterdir()))}"
        text = textwrap.dedent(HONEST)
        for hole in ("at_start", "at_hello", "at_new_game", "at_decide", "at_quit"):
            text = text.replace(f"{{{hole}}}", holes.get(hole, "pass"))
        return executable(tmp_path / name, f"#!{sys.executable} -S\n{text}")

    return written


def executable(path, text):
    path.write_text(text, encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def played(spec, decisions=4, limit=LIMIT):
    """A guarded bot after some decisions, and whether each of them was its own."""
    state, bot = Game("london", 2).start(3), GuardedBot(make_bot(spec), limit)
    witness, own = Witness(bot, 0), []
    bot.new_game(state.game, 0)
    while len(own) < decisions:
        if state.seat == 0:
            witness.tell(state)
            view, before = state.view(0), len(bot.faults)
            decision = bot.decide(view)
            own.append(len(bot.faults) == before and decision == view.legal[-1])
            state.apply(decision)
        else:
            state.apply(state.legal[0])
    bot.close()
    return bot, own


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"


def gone(pid, within=3.0):
    end = time.monotonic() + within
    while alive(pid) and time.monotonic() < end:
        time.sleep(0.02)
    return not alive(pid)


def pids_in(folder):
    return [int(path.read_text()) for path in folder.glob("pid-*")]


NOTE_PID = "open(f'{}/pid-{{os.getpid()}}', 'w').write(str(os.getpid()))"


def test_an_honest_program_makes_all_its_decisions(program):
    bot, own = played(program(), 10)
    assert own == [True] * 10
    assert bot.faults == []


SECOND = "if asked == 2: "
FAULTS = {
    "crash": (SECOND + "sys.exit('out of ideas')", "crash", "its process ended with code 1, saying: out of ideas"),
    "killed": (SECOND + "os.kill(os.getpid(), 9)", "crash", "its process ended with code 137"),
    "silence": (SECOND + "time.sleep(60)", "late", f"no answer in {LIMIT:g} s"),
    "flood": (SECOND + "[say(type='decision', id=0, decision=1) for _ in iter(int, 1)]", "crash", "wrote"),
    "huge line": (SECOND + "print('x' * 300_000, flush=True)", "crash", "wrote a line of more than 262,144 bytes"),
    "endless line": (SECOND + "[sys.stdout.write('x' * 10_000) for _ in iter(int, 1)]", "crash", "wrote a line of more than 262,144 bytes"),
    "no newline": (SECOND + "os.write(1, b'{}'); time.sleep(60)", "late", "no answer"),
    "not JSON": (SECOND + "print('thinking', flush=True)", "crash", "wrote 'thinking', which is not a message"),
    "not UTF-8": (SECOND + "os.write(1, bytes([255, 254, 10]))", "crash", "which is not a message"),
    "deep": (SECOND + "print('[' * 100_000, flush=True)", "crash", "which is not a message"),
    "another type": (SECOND + "say(type='ready', id=message['id'])", "crash", "answered with 'ready' where 'decision' was wanted"),
    "unknown type": (SECOND + "say(type='move', id=message['id'])", "crash", "which is not a message"),
    "error": (SECOND + "say(type='error', id=message['id'], message='I am lost')", "crash", "I am lost"),
    "no decision": (SECOND + "say(type='decision', id=message['id'], decision='fly')", "illegal", "'fly' is not a decision"),
    "not legal": (SECOND + "say(type='decision', id=message['id'], decision='pass')", "illegal", "which is not legal now"),
    "a huge number": (SECOND + "say(type='decision', id=message['id'], decision=10**30)", "illegal", "is not a decision"),
    "a fraction": (SECOND + "say(type='decision', id=message['id'], decision=1.5)", "crash", "which is not a message"),
    "closed output": (SECOND + "os.close(1); time.sleep(60)", "crash", "closed its output"),
    "stopped": (SECOND + "os.kill(os.getpid(), signal.SIGSTOP)", "late", "no answer"),
    "a full stderr": ("sys.stderr.write('x' * 1_000_000)", None, None),
    "old answers first": ("say(type='decision', id=message['id'] - 1, decision='pass')", None, None),
    "fields of a later version": ("say(type='decision', id=message['id'], decision=legal[-1], mood='good'); continue", None, None),
}


@pytest.mark.parametrize("what", FAULTS)
def test_only_that_move_is_lost(what, program):
    does, kind, detail = FAULTS[what]
    bot, own = played(program(at_decide=does), limit=LIMIT if kind == "late" else PATIENT)
    if kind is None:
        assert (own, bot.faults) == ([True] * 4, [])
        return
    # a process that is started again counts from one, and fails again at its second decision
    again = [True, False, True, False] if kind == "late" or bot.faults[-1].decision_number == 4 else [True, False, True, True]
    assert own == again
    assert bot.faults[0].decision_number == 2
    assert bot.faults[0].kind == kind
    assert detail in bot.faults[0].detail


def test_a_late_answer_is_never_taken_for_the_next_question(program):
    """It was ended, and another process answers."""
    bot, own = played(program(at_decide=f"if asked == 1: time.sleep({2 * LIMIT})"), 3)
    assert [fault.kind for fault in bot.faults] == ["late"] * 3
    assert own == [False] * 3


def test_a_program_that_does_not_read_is_late_even_with_a_full_pipe(program):
    bot, own = played(program(at_new_game="say(type='ready', id=message['id']); time.sleep(60)"), 1)
    assert own == [False]
    assert bot.faults[-1].kind == "late"
    talk = talking.Talk(command_of(program(at_hello="say(type='hello', protocol=1, name='deaf'); time.sleep(60)")))
    for _ in range(50):
        talk.tell(messages.Happened(events=[{"event": "x" * 100_000}]))  # far more than a pipe holds
    started = time.monotonic()
    with pytest.raises(Late, match="no answer"):
        talk.ask(messages.Explain(id=talk.next_id(), seconds=1, legal=[]), 0.2, messages.Explanation)
    talk.end()
    assert time.monotonic() - started < 5


def test_a_slow_start_does_not_count_as_thinking(program):
    bot, own = played(program(at_start=f"time.sleep({2 * LIMIT})"), 2)
    assert (own, bot.faults) == ([True, True], [])


def test_a_program_that_never_says_hello_is_tried_three_times_and_then_costs_no_time(program, monkeypatch):
    monkeypatch.setattr(talking, "TO_START", 1.0)
    spec = program(at_hello="time.sleep(60)")
    bot, own = played(spec, 5)
    assert own == [False] * 5
    assert [fault.kind for fault in bot.faults] == ["late"] * 3 + ["crash"] * 3
    assert "not started again" in bot.faults[-1].detail
    started = time.monotonic()
    played(spec, 5)
    assert time.monotonic() - started < 2


@pytest.mark.parametrize(
    ("hello", "wrong"),
    [
        ("say(type='hello', protocol=2, name='late')", "protocol"),
        ("say(type='hello', protocol=1, name='x' * 25)", "name"),
        ("say(type='hello', protocol=1, name='two\\nlines')", "printable"),
        ("say(type='error', message='too old for me')", "too old for me"),
        ("say(type='hello', protocol=1)", "name"),
        ("sys.exit(7)", "ended with code 7"),
    ],
)
def test_a_wrong_hello_is_explained(hello, wrong, program):
    with pytest.raises(BotError, match=wrong):
        talking.Talk(command_of(program(at_hello=hello)))


def test_what_is_no_program_is_said_before_anything_is_started(tmp_path):
    with pytest.raises(BotOptionError, match="there is no file"):
        make_bot("./nobody")
    file = tmp_path / "plain.txt"
    file.write_text("")
    with pytest.raises(BotOptionError, match="not executable"):
        make_bot(str(file))
    broken = GuardedBot(make_bot(executable(tmp_path / "broken", "#!/no/such/interpreter\n")), LIMIT)
    broken.new_game(Game("london", 2), 0)
    assert "No such file" in broken.faults[0].detail


def test_a_programs_name_may_have_options():
    assert is_program("./bot --depth 3")
    assert is_program("'my bots/bot' --depth 3")
    assert not is_program("my_bots:Bot")
    assert not is_program("search@0.3s")
    assert command_of(f"{EXAMPLES / 'surveyor.py'} --loud 'two words'")[-2:] == ("--loud", "two words")


CHILD = "subprocess.Popen([sys.executable, '-S', '-c', {code!r}]{more})"
CHILDREN = {
    "a child": ("import os, time; {note}; time.sleep(60)", ""),
    "a child that ignores signals": (
        "import os, signal, time; [signal.signal(one, signal.SIG_IGN) for one in (1, 2, 15)]; {note}; time.sleep(60)",
        "",
    ),
    "a child in a session of its own": ("import os, time; {note}; time.sleep(60)", ", start_new_session=True"),
    "a daemon": ("import os, time; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); {note}; time.sleep(60)", ""),
}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux gives orphans to the keeper")
@pytest.mark.parametrize("way", ["quit", "crash", "silence"])
@pytest.mark.parametrize("kind", CHILDREN)
def test_children_are_ended_with_the_bot(kind, way, program, tmp_path):
    if not SOAK and way != "crash" and kind != "a daemon":
        pytest.skip("all of them in the soak")
    code, more = CHILDREN[kind]
    child = CHILD.format(code=code.format(note=NOTE_PID.format(tmp_path)), more=more)
    ready = f"while not [name for name in os.listdir({str(tmp_path)!r}) if name.startswith('pid-')]: time.sleep(0.01)"
    does = {"quit": "pass", "crash": "sys.exit(1)", "silence": "time.sleep(60)"}[way]
    played(program(at_start=f"{child}\n{ready}\nopen({str(tmp_path / 'pid-own')!r}, 'w').write(str(os.getpid()))", at_decide=does), 1)
    waiting.end_all()
    pids = pids_in(tmp_path)
    assert len(pids) >= 2
    assert all(gone(pid) for pid in pids)


def test_a_bot_that_does_not_quit_is_killed(program, tmp_path):
    played(program(at_start=NOTE_PID.format(tmp_path), at_quit="time.sleep(60)"), 1)
    started = time.monotonic()
    waiting.end_all()
    assert time.monotonic() - started < 3
    assert all(gone(pid) for pid in pids_in(tmp_path))


@pytest.mark.sample(1)
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_however_branchline_ends(how, program, tmp_path):
    spec = program(at_start=NOTE_PID.format(tmp_path), at_decide="time.sleep(60)", at_quit="time.sleep(60)")
    script = f"from branchline import Game; from branchline.bots import make_bot; make_bot({spec!r}).decide(Game('london', 2).start(1).view(0))"
    ours = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.DEVNULL)
    while not pids_in_when_written(tmp_path):
        assert ours.poll() is None
        time.sleep(0.02)
    ours.send_signal(how)
    ours.wait(10)
    assert all(gone(pid) for pid in pids_in(tmp_path))


def pids_in_when_written(folder):
    return [path for path in folder.glob("pid-*") if path.read_text()]


@pytest.mark.soak("an arena with Python bots is stopped in the same way")
def test_ctrl_c_ends_an_arena_and_its_programs(program, tmp_path):
    spec = program(at_start=NOTE_PID.format(tmp_path), at_decide="time.sleep(0.05)")
    command = [sys.executable, "-m", "branchline", "arena", spec, "greedy", "--game", "london", "--jobs", "2", "--games", "1000"]
    arena = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not pids_in_when_written(tmp_path):
        assert arena.poll() is None
        time.sleep(0.05)
    time.sleep(0.5)
    arena.send_signal(signal.SIGINT)
    assert arena.wait(20) == 130
    assert all(gone(pid) for pid in pids_in(tmp_path))


def test_a_program_gets_what_its_seats_view_has_and_nothing_else(program, tmp_path):
    """Whatever the hidden cards are, the lines that it reads are the same."""
    log = tmp_path / "log"
    spec = program(at_start=f"log = open({str(log)!r}, 'a')", at_decide="log.write(line); log.flush()")
    state = Game("europe", 3).start(11)
    policies = [make_bot("planner", seat) for seat in range(3)]
    while len(state.history) < 60 or state.seat != 1:
        state.apply(policies[state.seat].decide(state.view(state.seat)))
    bot, view = make_bot(spec), state.view(1)
    worlds = [view, *(view.imagine(seed).view(1) for seed in range(3))]
    for world in worlds:
        bot.decide(world)
    bot.close()
    lines = [json.loads(line) | {"id": 0} for line in log.read_text().splitlines()]
    assert len(lines) == len(worlds)
    assert all(line == lines[0] for line in lines)


def note_events(spec):
    noting = "message = json.loads(line); message['type'] == 'happened' and (log.write(line), log.flush())"
    Path(spec).write_text(Path(spec).read_text().replace("message = json.loads(line)", noting))


def test_events_are_redacted_and_told_once(program, tmp_path):
    log = tmp_path / "log"
    spec = program(at_start=f"log = open({str(log)!r}, 'a')", at_decide="log.write('decide\\n'); log.flush()")
    note_events(spec)
    played(spec, 6)
    lines = log.read_text().splitlines()
    events = [event for line in lines if line != "decide" for event in json.loads(line)["events"]]
    state = Game("london", 2).start(3)
    assert events[: len(state.events)] == json.loads(json.dumps([redact(event, 0) for event in state.events]))
    assert not any("card" in event for event in events if event["event"] == "draw_card" and event["seat"] == 1)
    assert lines.count("decide") == 6


def test_a_process_that_is_started_again_is_told_everything_again(program, tmp_path):
    log = tmp_path / "log"
    spec = program(at_start=f"log = open({str(log)!r}, 'a')", at_decide="sys.exit(1)")
    note_events(spec)
    played(spec, 3)
    counts = [len(json.loads(line)["events"]) for line in log.read_text().splitlines()]
    assert counts == sorted(counts)
    assert counts[0] > 3


def test_secrets_of_a_server_are_not_in_a_bots_environment():
    variables = {
        "PATH": "/bin",
        "BRANCHLINE_DATABASE_URL": "postgresql://me:secret@host/db",
        "PGPASSWORD": "secret",
        "BRANCHLINE_CACHE": "/c",
        "LANG": "C",
    }
    assert running.environment(variables) == {"PATH": "/bin", "BRANCHLINE_CACHE": "/c", "LANG": "C"}


@pytest.mark.sample(1)
@pytest.mark.parametrize("spec", ["planner", "random", "tests.bots.test_processes:Watcher"])
def test_a_python_bot_decides_the_same_in_a_process(spec):
    """Own chance, own memory and what has happened included."""
    game = Game("london", 2)
    here, there = make_bot(spec, 7), ProgramBot(in_a_process(spec), "there", 7)
    state, witnesses = game.start(4), [Witness(here, 0), Witness(there, 0)]
    rival = make_bot("greedy")
    for bot in (here, there):
        if hasattr(bot, "new_game"):
            bot.new_game(game, 0)
    while not state.is_over:
        view = state.view(state.seat)
        if state.seat == 0:
            for witness in witnesses:
                witness.tell(state)
            assert here.decide(view) == there.decide(view)
            if hasattr(here, "explain"):
                assert there.explain(view) == json.loads(json.dumps(here.explain(view)))
        state.apply(rival.decide(view))
    there.close()


class Watcher:
    """Counts what happens, and decides by it."""

    name = "watcher"

    def __init__(self, seed=0):
        self.seed, self.heard = seed, 0

    def new_game(self, game, seat):
        self.heard = seat + game.players

    def happened(self, events):
        self.heard += sum(len(event) for event in events)

    def decide(self, view):
        print("thinking aloud")  # does not disturb the messages
        return view.legal[(self.seed + self.heard) % len(view.legal)]


def test_a_watching_bot_hears_the_same_in_the_check():
    assert check(Watcher, games=["london"], players=[2]).passed


def need_node():
    if shutil.which("node") is None:
        leave_out("Node")


@pytest.mark.parametrize("name", ["surveyor.mjs", "surveyor.py"])
@pytest.mark.parametrize("board", available_boards() if SOAK else ["london"])
def test_the_examples_pass_the_check(name, board):
    if name.endswith(".mjs"):
        need_node()
    report = check(str(EXAMPLES / name), games=[board], players=None if SOAK else [2])
    assert report.passed, [one.first for one in report.checks]


def test_the_command_checks_a_program(program):
    checked = branchline("check-bot", program(), "--game", "london", "--players", 2)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    failed = branchline("check-bot", program(at_decide=SECOND + "say(type='nonsense')"), "--game", "london", "--players", 2, "--limit", LIMIT)
    assert failed.returncode == 1


def test_you_can_play_against_a_program(program, tmp_path):
    """Until it has been asked: it chooses its first tickets as you do."""
    name = program(at_decide=f"open({str(tmp_path / 'asked')!r}, 'a').write('decided ')")
    played = branchline("play", "--game", "london", "--players", 2, "--bots", name, "--seed", 5, stdin="1\n1\nquit\n", cwd=tmp_path)
    assert played.returncode == 0, played.stderr
    assert f"{Path(name).name.capitalize()} 2" in played.stdout
    assert (tmp_path / "asked").read_text().startswith("decided")


def test_programs_play_a_whole_arena_and_beat_chance(tmp_path):
    need_node()
    out = tmp_path / "results.jsonl"
    bots = [str(EXAMPLES / "surveyor.mjs"), str(EXAMPLES / "surveyor.py"), "random"]
    done = branchline("arena", *bots, "--game", "london", "--games", "4", "--jobs", "1", "--out", str(out))
    assert done.returncode == 0, done.stderr
    games = [json.loads(line) for line in out.read_text().splitlines()[1:]]
    assert len(games) == 12
    assert not any(one["faults"] for one in games)
    against_chance = [one for one in games if "random" in one["seats"]]
    assert sum(one["seats"][winner] != "random" for one in against_chance for winner in one["winners"]) > len(against_chance) // 2


def test_the_view_of_every_game_has_the_declared_shape(game):
    """Nothing is dropped on the way into the declared message."""
    state, bot = Game(game, 2).start(5), make_bot("random", 1)
    for _ in range(80):
        if state.is_over:
            break
        shown = seen(state.view(state.seat))
        assert shown.seat == state.seat
        assert len(shown.seats) == 2
        assert sum(shown.seats[state.seat].known.values()) == shown.seats[state.seat].cards
        state.apply(bot.decide(state.view(state.seat)))
