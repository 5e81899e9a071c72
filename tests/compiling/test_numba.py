"""Numba fenced in: each private part that `compiling/numba_private.py` relies on, checked by what it does, and the public way that does without.

If a canary fails with a new Numba, mend that file, or let its version range end before that version: the public way is used then.
"""

import hashlib
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from branchline import compiling
from branchline.boards import load_board
from branchline.boards.folders import shipped_boards
from branchline.compiling import fallback, rule, sources
from branchline.play.records import read_records
from branchline.rules import engine
from branchline.rules.board import BOARD
from branchline.rules.cards import deal_hand, fill_decks, give_wilds
from branchline.rules.chance import roll
from branchline.rules.log import new_log
from branchline.rules.routes import open_routes
from branchline.rules.row import lay_row, replace_wild_row
from branchline.rules.setup import write_blanks
from branchline.rules.sizes import ROUTE_WORDS
from branchline.rules.state import STATE
from branchline.rules.supply import hand_out_pieces
from tests.compiling.test_modes import in_mode

FOLDER = Path(__file__).parents[1] / "play" / "golden"
OPTIONS = {"error_model": "numpy", "nogil": True}
PRIVATE_MODULES = r"^\s*(?:from|import) (?:numba\.(?:core|cuda\.(?!compiled))|numba\.np|llvmlite\.binding)"

canary = pytest.mark.skipif(compiling.MODE == "plain" or fallback.way() == "public", reason="nothing private is used in this mode")


def test_private_parts_are_touched_in_one_file_each():
    found = {path.name for path in sources.PACKAGE.rglob("*.py") if re.search(PRIVATE_MODULES, path.read_text(encoding="utf-8"), re.MULTILINE)}
    assert found == {"numba_private.py", "numba_cuda_private.py"}


@canary
def test_canary_the_installed_numba_is_one_that_was_tested():
    from branchline.compiling import numba_private

    fallback.check_version(numba_private.PACKAGE, numba_private.TESTED)


@canary
def test_canary_what_is_tried_out_at_the_first_start_works():
    from branchline.compiling import numba_private

    numba_private.try_out()


def compiled_pair():
    """A rule that adds, in the private way, and an entry point that calls it with numbers of three sizes."""
    import numba

    from branchline.compiling import numba_private

    def add(numbers, more):
        total = more
        for number in numbers:
            total += number
        return total

    part = numba_private.as_part(add, OPTIONS | numba_private.OPTIONS)

    def entry(numbers):
        return part(numbers, np.int8(1)) + part(numbers, np.uint16(2)) + part(numbers, 3)

    return part, numba.njit(**OPTIONS | numba_private.OPTIONS)(entry)


@canary
def test_canary_a_rule_is_compiled_into_its_caller_once_for_all_sizes_of_numbers():
    part, entry = compiled_pair()
    assert entry(np.arange(4)) == 3 * 6 + 1 + 2 + 3
    assert [str(kind) for kind in part.signatures[0]][1:] == ["int64"]
    assert len(part.signatures) == 1


@canary
def test_canary_a_rule_is_neither_optimised_nor_machine_code_and_its_caller_is_both():
    from branchline.compiling import numba_private

    part, entry = compiled_pair()
    entry(np.arange(4))
    own, callers = (next(iter(one.overloads.values())) for one in (part, entry))
    assert isinstance(own.library, numba_private.Part)
    several_at_once = r"<\d+ x i64>"  # what a sum becomes when it is optimised
    assert not re.search(several_at_once, own.library.get_llvm_str())
    assert re.search(several_at_once, callers.library.get_llvm_str())
    engine_of = callers.library.codegen._engine
    assert engine_of.is_symbol_defined(callers.fndesc.llvm_func_name)
    assert not engine_of.is_symbol_defined(own.fndesc.llvm_func_name)


@canary
def test_canary_a_rule_has_no_way_in_from_python():
    part, entry = compiled_pair()
    entry(np.arange(4))
    with pytest.raises(TypeError, match="add is a part of the compiled rules"):
        part(np.arange(4), 1)
    for one, has_way_in in ((part, False), (entry, True)):
        compiled = next(iter(one.overloads.values()))
        assert (compiled.fndesc.llvm_cpython_wrapper_name in compiled.library.get_llvm_str()) == has_way_in


@canary
def test_canary_the_lowering_of_a_rule_is_told_that_it_is_a_part():
    from branchline.compiling import numba_private

    part, entry = compiled_pair()
    entry(np.arange(4))
    metadata = next(iter(part.overloads.values())).metadata
    assert any(numba_private.LowerPart._name in name for names in metadata["pipeline_times"].values() for name in names)


@canary
def test_canary_rules_with_one_caller_become_a_part_of_it_however_long():
    """Otherwise every call would pass all words of all arrays."""
    import numba

    from branchline.compiling import numba_private

    def long(numbers):
        total = 0
        for first in range(numbers.shape[0]):
            for second in range(first):
                if numbers[first] * numbers[second] % 7 == total % 5:
                    total += numbers[first] // (numbers[second] + 1)
                elif numbers[first] % 3 == numbers[second] % 11:
                    total -= numbers[second] // (numbers[first] + 1)
        return total

    def entry(part):
        return lambda numbers: part(numbers) + 1

    ways_in = []
    for options in (numba_private.WHOLE, {}):
        part = numba_private.as_part(long, OPTIONS | numba_private.OPTIONS)
        whole = numba.njit(**OPTIONS | numba_private.OPTIONS | options)(entry(part))
        assert whole(np.arange(9)) == long(np.arange(9)) + 1
        name = next(iter(part.overloads.values())).fndesc.llvm_func_name
        ways_in.append(re.search(rf'define [^\n]*"?{re.escape(name)}"?\(', next(iter(whole.overloads.values())).library.get_llvm_str()))
    assert not ways_in[0]


@canary
@pytest.mark.parametrize(("options", "is_called"), [("SHARED", True), ("WHOLE", False)])
def test_canary_finished_code_is_taken_as_it_is_even_by_a_rule_in_between(options, is_called):
    """Code that is kept, but not finished, becomes a part of its callers like any other."""
    import numba

    from branchline.compiling import numba_private

    def triple(number):
        return 3 * number

    callee = numba.njit(**OPTIONS | numba_private.OPTIONS | getattr(numba_private, options))(triple)

    def between(number):
        return callee(number) + 1

    part = numba_private.as_part(between, OPTIONS | numba_private.OPTIONS)

    def entry(number):
        return part(number) * 2

    compiled = numba.njit(**OPTIONS | numba_private.OPTIONS | numba_private.WHOLE)(entry)
    assert compiled(5) == 32
    name = next(iter(callee.overloads.values())).fndesc.llvm_func_name
    code = next(iter(compiled.overloads.values())).library.get_llvm_str()
    assert any(name in line and "call" in line and "define" not in line for line in code.splitlines() if "cpython" not in line) == is_called


@canary
def test_canary_the_types_of_records_are_written_out_once():
    import numba

    kind = numba.typeof(np.zeros(1, STATE)).dtype
    written = repr(kind)
    assert repr(kind) is written


@canary
def test_canary_no_index_of_ours_is_tested_for_counting_from_the_end():
    import numba

    from branchline.compiling import numba_private

    def pick(numbers, place):
        return numbers[place]

    ours, theirs = (numba.njit(**OPTIONS | options)(pick) for options in (numba_private.OPTIONS | numba_private.WHOLE, {}))
    assert ours(np.arange(4), 2) == theirs(np.arange(4), 2) == 2
    assert theirs(np.arange(4), -1) == 3  # what others compile is as before
    ours, theirs = (next(iter(one.overloads.values())).library.get_llvm_str() for one in (ours, theirs))
    assert len(re.findall(r"icmp slt i64", ours)) < len(re.findall(r"icmp slt i64", theirs))


@canary
def test_canary_rules_have_no_code_for_allocating():
    import numba

    from branchline.compiling import numba_private

    with pytest.raises(Exception, match="NRT required"):
        numba.njit(**OPTIONS | numba_private.OPTIONS)(lambda size: np.zeros(size).sum())(3)
    assert numba.njit(**OPTIONS)(lambda size: np.zeros(size).sum())(3) == 0


def test_a_mark_for_the_gpu_stands_at_the_function():
    def one(number):
        return number

    marked = rule(on_gpu="called")(one)
    assert getattr(marked, "py_func", marked).on_gpu == "called"
    unmarked = rule(lambda number: number)
    assert getattr(unmarked, "py_func", unmarked).on_gpu is None
    with pytest.raises(ValueError, match="on_gpu is 'copied'; it must be 'called' or 'unrolled'"):
        rule(on_gpu="copied")


class Broken:
    """A module over private parts that are gone."""

    PACKAGE, TESTED = "numba", ("0.1", "99.9")

    @staticmethod
    def try_out():
        raise AttributeError("JITCodeLibrary has changed")


@pytest.mark.skipif(fallback.way() == "public", reason="nothing private is tried")
@pytest.mark.parametrize(
    ("tested", "reason"), [(("0.1", "99.9"), "JITCodeLibrary has changed"), (("0.1", "0.2"), r"numba \S+ was not tested, only 0.1 to 0.2")]
)
def test_private_parts_that_fail_or_were_not_tested_are_left_alone_with_a_warning(tmp_path, monkeypatch, tested, reason):
    monkeypatch.setattr(Broken, "TESTED", tested)
    monkeypatch.setitem(sys.modules, "broken", Broken)
    with pytest.warns(RuntimeWarning, match=f"{reason}: compiling by the public interface alone"):
        assert fallback.private_parts("broken", tmp_path) is None
    with pytest.warns(RuntimeWarning, match="No module named 'gone'"):
        assert fallback.private_parts("gone", tmp_path) is None
    assert not list(tmp_path.glob("*-works"))


@pytest.mark.skipif(fallback.way() == "public", reason="nothing private is tried")
@pytest.mark.parametrize("module", ["broken", "gone"])
def test_the_warning_comes_once_for_the_installed_versions(tmp_path, monkeypatch, module):
    monkeypatch.setitem(sys.modules, "broken", Broken)
    with pytest.warns(RuntimeWarning) as told:
        assert [fallback.private_parts(module, tmp_path) for _ in range(3)] == [None] * 3
    assert len(told) == 1
    monkeypatch.setattr(fallback, "version", lambda _: "1.2.3")
    with pytest.warns(RuntimeWarning, match="compiling by the public interface alone"):
        fallback.private_parts(module, tmp_path)


@pytest.mark.skipif(fallback.way() == "public", reason="nothing private is tried")
def test_private_parts_that_failed_are_used_as_soon_as_they_work(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "broken", Broken)
    with pytest.warns(RuntimeWarning):
        fallback.private_parts("broken", tmp_path)
    monkeypatch.setattr(Broken, "try_out", lambda: None)
    assert fallback.private_parts("broken", tmp_path) is Broken


UNTESTED = """
import importlib.metadata, sys, warnings
real = importlib.metadata.version
importlib.metadata.version = lambda package: "99.0" if package == "numba" else real(package)
warnings.simplefilter("always")
import branchline.play.games
"""


@pytest.mark.skipif(compiling.MODE == "plain" or fallback.way() == "public", reason="nothing private is used in this mode")
def test_only_the_first_of_several_starts_warns(tmp_path):
    told = [in_mode("compiled", "-c", UNTESTED, BRANCHLINE_CACHE=str(tmp_path)) for _ in range(2)]
    assert [run.returncode for run in told] == [0, 0], told[0].stderr
    assert [run.stderr.count("numba 99.0 was not tested") for run in told] == [1, 0]


@pytest.mark.skipif(fallback.way() == "public", reason="nothing private is tried")
def test_private_parts_that_work_are_tried_once(tmp_path, monkeypatch):
    tried = []
    monkeypatch.setattr(Broken, "try_out", lambda: tried.append(1))
    monkeypatch.setitem(sys.modules, "broken", Broken)
    assert [fallback.private_parts("broken", tmp_path) for _ in range(2)] == [Broken, Broken]
    assert len(tried) == 1


def test_the_public_way_is_taken_on_request_without_a_warning(tmp_path, monkeypatch):
    monkeypatch.setenv("BRANCHLINE_NUMBA", "public")
    assert fallback.private_parts("branchline.compiling.numba_private", tmp_path) is None
    assert sources.cache_folder().name.endswith("-public")  # so that nothing compiled the other way is taken for it


def test_an_unknown_way_is_refused_with_what_to_do(monkeypatch):
    monkeypatch.setenv("BRANCHLINE_NUMBA", "plain")
    with pytest.raises(ImportError, match="BRANCHLINE_NUMBA is 'plain'; set it to 'public' or 'private'"):
        fallback.way()


def deal(boards, states, log):
    """The set-up of a game for three, up to the cards."""
    board, state = boards[0], states[0]
    write_blanks(state)
    state.key[0] = np.uint64(1830)
    state.players = 3
    state.first_seat = roll(state, 3)
    hand_out_pieces(board, state)
    open_routes(board, state)
    fill_decks(board, state)
    give_wilds(board, state)
    for seat in range(3):
        deal_hand(board, state, log, seat)
    lay_row(board, state, log)
    replace_wild_row(board, state, log)


def dealt_games() -> str:
    """A hash over the cards dealt on every board, their events, and the routes they can pay for."""
    entry = compiling.made(deal, np.zeros(1, BOARD), np.zeros(1, STATE), new_log(1))
    digest = hashlib.sha256()
    for game in shipped_boards():
        board, states, log, routes = load_board(game), np.zeros(1, STATE), new_log(1000), np.zeros(ROUTE_WORDS, np.uint64)
        entry(board.records, states, log)
        engine.payable_routes(board.records, states, routes)
        digest.update(states.tobytes() + log.tobytes() + routes.tobytes())
    return digest.hexdigest()


def golden_games() -> str:
    """All golden games, replayed: raises if a decision is not legal or an event differs."""
    for path in sorted(FOLDER.glob("*.json")):
        for record in read_records(path):
            state = record.replay()
            print(path.stem, len(state.history), hashlib.sha256(state.records.tobytes()).hexdigest(), state.result)
    return "done"


def in_public_way(what: str, cache: Path):
    return in_mode("compiled", "-m", "tests.compiling.test_numba", what, BRANCHLINE_NUMBA="public", BRANCHLINE_CACHE=str(cache))


@pytest.mark.timeout(1200)
@pytest.mark.soak("it compiles for half a minute; what each way is for is tested above")
def test_the_same_cards_are_dealt_in_the_public_way(tmp_path):
    run = in_public_way("dealt_games", tmp_path)
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip() == dealt_games()


@pytest.mark.timeout(3600)
@pytest.mark.soak("compiling all rules in the public way takes minutes")
def test_golden_games_are_the_same_in_the_public_way(tmp_path, capsys):
    run = in_public_way("golden_games", tmp_path)
    assert run.returncode == 0, run.stderr
    golden_games()
    assert run.stdout.splitlines()[:-1] == capsys.readouterr().out.splitlines()


if __name__ == "__main__":
    print({"dealt_games": dealt_games, "golden_games": golden_games}[sys.argv[1]]())
