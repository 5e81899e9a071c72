"""The ladder: who plays next, what is kept when it is killed, figures that agree with the arena's, its page and its samples."""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import closing
from html.parser import HTMLParser
from math import isclose
from pathlib import Path

import pytest

from branchline import Record, read_records
from branchline.arena import Arena, ArenaError, results_of, run_arena
from branchline.arena.crews import Crew
from branchline.arena.figures import ahead_of
from branchline.arena.ladder import Ladder, Limits, keep_playing, names
from branchline.arena.ladder import samples as kept_samples
from branchline.arena.ladder.keeping import Folder, Rounds
from branchline.arena.ladder.names import Names
from branchline.arena.ladder.page import page
from branchline.arena.ladder.pairing import interest, next_lineup, urgency
from branchline.arena.ladder.samples import MOST, Sample, superfluous
from branchline.arena.ladder.standings import Standings, Sums
from branchline.arena.playing import Played, play_kept
from branchline.bots import BotError, BotOptionError
from branchline.pages.intervals import share_of
from tests.commands import PROCESS, branchline
from tests.conftest import FURTHER_BOT as SURVEYOR
from tests.conftest import UNIX
from tests.web.browsing import PHONE, running_browser

BOTS = ("greedy", "planner", "random")
LONDON = Ladder(("london",), 2)


def played(seats, winner, number, rotation=0, game="london"):
    totals = [30 if seat == winner else 10 for seat in range(len(seats))]
    nothing = [0] * len(seats)
    return Played(
        game,
        tuple(sorted(seats)),
        number,
        rotation,
        "00",
        list(seats),
        [winner],
        totals,
        nothing,
        nothing,
        9,
        9,
        [0.5] * len(seats),
        [5] * len(seats),
    )


@pytest.fixture
def ladder(tmp_path, monkeypatch):
    """One that plays here, not in other processes."""

    def play(_, arena, chunks, play):
        for chunk in chunks:
            yield [play(arena, planned) for planned in chunk]

    monkeypatch.setattr("branchline.arena.ladder.keeping.played_by", play)
    monkeypatch.setattr(kept_samples, "replay_page", lambda _: "<!doctype html>")

    def run(rounds, bots=BOTS, ladder=LONDON):
        keep_playing(tmp_path / "ladder", ladder, tuple(bots), Crew(), Limits(rounds, pace=0), lambda _: None)
        return opened(tmp_path / "ladder", ladder)

    return run


def opened(path, ladder=LONDON):
    """What is in a folder by now."""
    with closing(Folder(path, ladder)) as folder:
        return folder


# who plays next


def known(**games):
    """Standings in which each bot has won and lost that many games."""
    standings = Standings()
    for bot in games:
        standings.meet(bot)
    for bot, count in games.items():
        for number in range(count):
            standings.add(played((bot, "other"), number % 2, number))
    return standings


def test_whoever_is_known_least_plays_next():
    standings = known(old=30, new=2)
    assert urgency(standings, "new") > urgency(standings, "old")
    for seed in range(10):
        assert "new" in next_lineup(standings, ("old", "new", "other"), 2, {}, random.Random(seed))
    busy = [next_lineup(standings, ("old", "new", "other"), 2, {"new": 1}, random.Random(seed)) for seed in range(10)]
    assert ("old", "other") in busy, "one that is playing waits for others"


def test_rivals_of_about_the_same_strength_are_preferred_but_everybody_is_met():
    standings = Standings()
    for number in range(40):  # strong always beats weak; peer and strong share
        standings.add(played(("strong", "weak"), 0, number))
        standings.add(played(("strong", "peer"), number % 2, number))
    assert interest(standings, "strong", "peer") > 2 * interest(standings, "strong", "weak") > 0
    met = [next_lineup(standings, ("strong", "peer", "weak"), 2, {"peer": 9, "weak": 9}, random.Random(seed)) for seed in range(400)]
    assert 1 < met.count(("strong", "weak")) < met.count(("strong", "peer"))


def test_one_that_always_loses_does_not_play_for_ever(ladder):
    folder = ladder(60)
    games = [folder.standings.careers[bot].games for bot in BOTS]
    assert max(games) < 1.6 * min(games)


def test_several_seats_are_filled_with_different_bots():
    standings = known(a=1, b=2, c=3, d=4)
    lineup = next_lineup(standings, ("a", "b", "c", "d"), 3, {}, random.Random(0))
    assert len(set(lineup)) == 3


# what is kept


def test_a_round_is_one_deal_from_every_seat_and_boards_take_turns(ladder):
    folder = ladder(4, ladder=Ladder(("london", "usa"), 2))
    lines = [json.loads(line) for line in (folder.path / "games.jsonl").read_text().splitlines()[1:]]
    assert [line["game"] for line in lines] == ["london", "london", "usa", "usa"] * 2
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        assert first["seed"] == second["seed"]
        assert first["seats"] == second["seats"][::-1]


def test_it_continues_where_it_ended_as_if_it_had_never_stopped(ladder, tmp_path):
    for _ in range(3):
        ladder(4)
    parts = without_times(tmp_path / "ladder")
    (tmp_path / "ladder").rename(tmp_path / "parts")
    ladder(12)
    assert without_times(tmp_path / "ladder") == parts


def without_times(folder):
    lines = [json.loads(line) for line in (folder / "games.jsonl").read_text().splitlines()[1:]]
    return [{name: value for name, value in line.items() if name not in ("seconds", "timed")} for line in lines]


def test_whatever_is_cut_off_only_the_game_in_progress_is_played_again(ladder, tmp_path):
    folder = ladder(3)
    file = folder.path / "games.jsonl"
    whole = file.read_bytes()
    expected = without_times(tmp_path / "ladder")
    rng = random.Random(5)
    for cut in sorted(rng.sample(range(len(whole)), 8)):
        file.write_bytes(whole[:cut])
        games = max(0, whole[:cut].count(b"\n") - 1)
        ladder(0)
        assert without_times(tmp_path / "ladder") == expected[: games + games % 2], "an interrupted round is finished first"


def test_bots_may_come_and_go_and_without_names_all_that_are_there_play_on(ladder):
    ladder(3, ("greedy", "random"))
    folder = ladder(4, ("planner", "random"))
    assert list(folder.standings.careers) == ["greedy", "random", "planner"]
    assert "has left" in (folder.path / "index.html").read_text()
    assert "has left" not in (ladder(1, ()).path / "index.html").read_text()


@pytest.fixture
def programs(tmp_path):
    """Two bots that call themselves the same, and lie where nobody else should know."""
    (tmp_path / "private").mkdir()
    copies = [tmp_path / "private" / name for name in ("one.py", "other.py")]
    for copy in copies:
        shutil.copy(SURVEYOR, copy)
    return tuple(map(str, copies))


def test_bots_are_shown_by_the_names_that_they_give_themselves(ladder, programs):
    assert_that_only_names_are_shown(ladder(3, (*programs, "greedy")))
    assert_that_only_names_are_shown(ladder(0, programs))
    shutil.rmtree(Path(programs[0]).parent)
    left = ladder(0, ("greedy", "random"))
    assert (left.path / "index.html").read_text().count("has left") == 2
    assert_that_only_names_are_shown(left)


def assert_that_only_names_are_shown(folder):
    """Also of bots that have left, and are gone."""
    shown = (folder.path / "index.html").read_text()
    assert all(f">{name}</span>" in shown for name in ("surveyor", "surveyor 2", "greedy"))
    records = list((folder.path / "games").glob("*.json"))
    assert len(records) >= 2
    assert {seat["name"] for file in records for seat in next(read_records(file)).seats} == {"surveyor", "surveyor 2", "greedy"}
    for file in (folder.path / "index.html", *records):
        assert "private" not in file.read_text()


@pytest.mark.parametrize(
    ("says", "shown"), [("greedy", "greedy 2"), ("<b>", "<b>"), ("\u202e", "my_bot"), (" ", "my_bot"), (None, "my_bot"), ("x" * 30, "x" * 24)]
)
def test_a_name_is_nobody_elses_and_can_be_shown(tmp_path, monkeypatch, says, shown):
    def said_by(_):
        if says is None:
            raise BotError("it does not start")
        return says

    monkeypatch.setattr(names, "said_by", said_by)
    called = Names(tmp_path / "names.json")
    called.meet(("./somewhere/my_bot", "search@500"))
    for known in (called, Names(tmp_path / "names.json")):
        assert (known.of("./somewhere/my_bot"), known.of("search@500")) == (shown, "search@500")
    assert called.of("./somewhere/unknown.py") == "unknown"


def test_broken_names_are_no_reason_to_stop(tmp_path):
    for text in ("[]", "{", '{"./bots/one.py": 3}'):
        (tmp_path / "names.json").write_text(text)
        assert Names(tmp_path / "names.json").of("./bots/one.py") == "one"


def test_any_ladder_goes_on_by_its_folder_alone(tmp_path):
    begun = branchline("ladder", "here", *BOTS, "--game", "london,usa", "--players", 3, "--seed", 5, "--limit", 2, "--rounds", 0, cwd=tmp_path)
    assert begun.returncode == 0, begun.stderr
    alone = branchline("ladder", "here", *BOTS, "--pace", 0, "--rounds", 1, cwd=tmp_path)
    assert alone.returncode == 0, alone.stderr
    assert branchline("ladder", "here", "--pace", 0, "--rounds", 1, cwd=tmp_path).returncode == 0
    games = [json.loads(line)["game"] for line in (tmp_path / "here" / "games.jsonl").read_text().splitlines()[1:]]
    assert games == ["london"] * 3 + ["usa"] * 3
    for other, told in (("--game", "its games are london, usa, yours london"), ("--seed", "its seed is 5, yours 1"), ("--players", "its number of")):
        refused = branchline("ladder", "here", other, "london" if other == "--game" else 2 if other == "--players" else 1, cwd=tmp_path)
        assert (refused.returncode, told in refused.stderr) == (1, True), refused.stderr


def test_a_folder_of_another_ladder_or_of_something_else_is_refused(ladder, tmp_path):
    folder = ladder(1)
    with pytest.raises(ArenaError, match="has results of another ladder: its seed is 1, yours 2"):
        Folder(folder.path, Ladder(("london",), 2, seed=2))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "games.jsonl").write_text("a diary\n")
    with pytest.raises(ArenaError, match="not what a ladder writes"):
        Folder(tmp_path / "other", LONDON)
    assert (tmp_path / "other" / "games.jsonl").read_text() == "a diary\n"


def test_too_few_bots_or_one_twice_are_refused(ladder):
    with pytest.raises(BotOptionError, match="1 bot for 2 seats"):
        ladder(1, ("greedy",))
    with pytest.raises(BotOptionError, match="named twice"):
        ladder(1, ("greedy", "greedy"))


def test_a_game_in_which_a_process_died_is_not_tried_again(ladder):
    folder = ladder(3)
    rounds = Rounds(folder, BOTS, Limits(rounds=2))
    games = rounds.games()
    first = next(games)
    rounds.died()
    assert rounds.lost == set(first)
    assert all(planned not in rounds.lost for chunk in rounds.games() for planned in chunk)


@UNIX
@pytest.mark.slow_when_plain
def test_killed_at_any_moment_it_loses_at_most_the_games_in_progress(tmp_path):
    """With real processes, killed without warning; nothing outlives it, and it goes on."""
    command = [*PROCESS, "ladder", str(tmp_path / "ladder"), "greedy", "random", "--game", "london", "--pace", "0"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    file = tmp_path / "ladder" / "games.jsonl"
    deadline = time.monotonic() + 100
    while (file.read_bytes().count(b"\n") if file.exists() else 0) < 8 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = file.read_bytes()
    assert before.count(b"\n") >= 8
    time.sleep(0.5)
    assert file.read_bytes() == before, "nobody writes any more"
    ended = branchline("ladder", tmp_path / "ladder", "--game", "london", "--pace", "0", "--rounds", "1")
    assert ended.returncode == 0, ended.stderr
    whole = before[: before.rindex(b"\n") + 1]
    assert file.read_bytes().startswith(whole)
    numbers = [json.loads(line)["number"] for line in file.read_bytes().splitlines()[1:]]
    assert all(numbers.count(number) <= 2 for number in set(numbers))


# figures


def test_shares_and_intervals_agree_with_the_arenas():
    arena = Arena((("greedy", "random"), ("greedy", "planner"), ("planner", "random")), ("london",), 2, 1)
    results = run_arena(arena, 20)
    standings = Standings()
    rounds = {}
    for one in results.played:
        standings.add(one)
        rounds.setdefault((one.lineup, one.number), []).append(one)
    for games in rounds.values():
        standings.add_round(games)
    for bot, others in ahead_of(arena, results.played).items():
        for other, share in others.items():
            assert near(standings.ahead[bot, other].estimate(), share)
    assert [one.bot for one in standings.ranking] == [one.bot for one in results.ratings]
    assert standings.rating("greedy") == next(one for one in results.ratings if one.bot == "greedy")
    assert results.games == results_of(arena, {one.planned: one for one in results.played}).games == standings.games


def near(one, other):
    return all(isclose(a, b, abs_tol=1e-9) for a, b in ((one.mean, other.mean), (one.low, other.low), (one.high, other.high)))


def test_sums_are_the_same_as_lists():
    rng = random.Random(3)
    shares = [rng.choice((0.0, 0.5, 1.0)) for _ in range(50)]
    sums = Sums()
    for share in shares:
        sums.add(share, 2)
    assert near(sums.estimate(), share_of(shares, 100))
    agreed = Sums()
    for _ in range(7):
        agreed.add(1.0, 2)
    assert near(agreed.estimate(), share_of([1.0] * 7, 14))


def test_faults_and_times_are_counted():
    standings = Standings()
    one = played(("a", "b"), 0, 0)
    one.faults = [{"kind": "late", "bot": "b"}, {"kind": "late", "bot": "b"}]
    standings.add(one)
    assert standings.careers["b"].faults == {"late": 2}
    assert not standings.careers["a"].faults
    assert standings.careers["a"].pace == 0.1


# samples and the page


def test_samples_are_records_that_replay_with_the_names_of_the_bots(ladder):
    folder = ladder(3)
    files = sorted((folder.path / "games").glob("*.json"))
    assert files
    for file in files:
        record = next(read_records(file))
        assert record.replay().is_over
        assert {seat["player"].removeprefix("bot:") for seat in record.seats} <= set(BOTS)
        assert file.with_suffix(".html").is_file()
    assert [sample.name for sample in opened(folder.path).samples.shown] == [sample.name for sample in folder.samples.shown]


def test_only_the_newest_of_each_line_up_stay():
    many = [Sample(f"{number:06d}-0", "london", (f"bot-{number % 20}", "greedy"), (1, 2), (1,), True) for number in range(40, 0, -1)]
    gone = superfluous(many)
    assert [one for one in many if one not in gone] == many[:MOST]


def test_the_page_is_whole_asks_for_nothing_and_escapes_names():
    standings = Standings()
    for number in range(4):
        games = [played(("<b>evil</b>", "greedy"), 0, number, 0), played(("greedy", "<b>evil</b>"), 1, number, 1)]
        for one in games:
            standings.add(one)
        standings.add_round(games)
    sample = Sample("000001-0", "london", ("<b>evil</b>", "greedy"), (5, 30), (1,), True)
    text = page(LONDON, standings, [sample], ("greedy",), str)
    assert "<b>evil" not in text
    assert "default-src 'none'; script-src 'none'" in text
    read = Reading()
    read.feed(text)
    assert read.opened == []
    assert read.links == ["games/000001-0.html", "games/000001-0.json"]
    assert "No game has been played yet" in page(LONDON, Standings(), [], (), str)


def test_on_a_phone_long_names_push_no_column_off_the_card(tmp_path):
    standings, bots = Standings(), ("surveyor-with-a-long-name", "WWWWWWWW Surveyor of Many", "greedy")
    for number in range(6):
        one = played((bots[number % 3], bots[(number + 1) % 3]), number % 2, number)
        standings.add(one)
        standings.add_round([one])
    (tmp_path / "index.html").write_text(page(LONDON, standings, [], bots, str))
    with running_browser() as browser:
        shown = browser.new_context(viewport=PHONE).new_page()
        shown.goto((tmp_path / "index.html").as_uri())
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert shown.evaluate("document.querySelector('#bots .scroll').scrollWidth - document.querySelector('#bots .scroll').clientWidth") == 0


class Reading(HTMLParser):
    """Tags that are still open, and where links lead."""

    VOID = ("meta", "link", "br")

    def __init__(self):
        super().__init__()
        self.opened, self.links = [], []

    def handle_starttag(self, tag, attrs):
        self.links += [value for name, value in attrs if name in ("href", "src")]
        if tag not in self.VOID:
            self.opened.append(tag)

    def handle_startendtag(self, tag, attrs):
        """An element of a drawing that closes itself."""

    def handle_endtag(self, tag):
        assert self.opened.pop() == tag


def test_a_kept_game_is_the_game_that_counted():
    arena = LONDON.arena(BOTS)
    planned = next(Arena((("greedy", "random"),), ("london",), 2).plan(1))
    one, state = play_kept(arena, planned)
    assert one.totals == [score["total"] for score in Record.of(state).replay().result["scores"]]


def test_the_command_says_where_the_page_is(tmp_path):
    ended = branchline("ladder", "here", "greedy", "random", "--game", "london", "--pace", "0", "--rounds", "1", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert f"The ladder is at {Path('here') / 'index.html'}." in ended.stdout
    assert (tmp_path / "here" / "index.html").is_file()
