"""What travels to workers: whole packages and what lies next to a file, boards, a network; and never two versions at once."""

import os
import sys
import threading
from pathlib import Path

import pytest

from branchline.boards.folders import further_boards, own_boards, use_folders
from branchline.bots import BotError, make_bot
from branchline.cluster import ClusterError, ClusterOptionError, check_address
from branchline.cluster.luggage import Luggage
from branchline.cluster.parcels import Parcel, packed, statistics_places
from branchline.cluster.working import in_words
from branchline.design.layout.beginning import begin

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def written(folder, **files):
    for name, text in files.items():
        file = folder / name.replace("__in__", "/").replace("_py", ".py")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)


def test_a_module_brings_what_it_imports_from_beside_it(own):
    written(own, packed_a_py="import json\nimport packed_b\n", packed_b_py="def f():\n    import packed_c.deep\n", unused_py="")
    written(own, packed_c__in____init___py="", packed_c__in__deep_py="", packed_c__in__other_py="from packed_a import x")
    names = set(packed(["packed_a:Bot", "greedy", "search@100"], ["london"]).files)
    assert names == {f"code/{name}.py" for name in ("packed_a", "packed_b", "packed_c/__init__", "packed_c/deep", "packed_c/other")}


def test_nothing_is_packed_that_every_worker_has():
    assert packed(["greedy", "branchline.bots.search:SearchBot", "json:loads"], ["europe", "world"]).files == {}
    assert packed([], []).digest == ""


def test_each_file_of_statistics_has_a_folder_of_its_own(own):
    written(own, a__in__stats_py="import near", a__in__near_py="", b__in__stats_py="import near", b__in__near_py="x = 1")
    files = [own / "a" / "stats.py", own / "b" / "stats.py"]
    found = packed([], [], files).files
    assert set(found) == {"statistics0/stats.py", "statistics0/near.py", "statistics1/stats.py", "statistics1/near.py"}
    assert statistics_places(files) == ("statistics0/stats.py", "statistics1/stats.py")


def test_files_travel_though_the_standard_library_has_their_names(own):
    written(own, statistics_py="import json\nimport near", near_py="", json_py="")
    assert set(packed([], [], [own / "statistics.py"]).files) == {"statistics0/statistics.py", "statistics0/near.py"}
    assert set(packed([], [], [EXAMPLES / "statistics.py"]).files) == {"statistics0/statistics.py"}


def test_a_network_travels(own, monkeypatch):
    (own / "mine.net").write_bytes(b"weights")
    monkeypatch.setenv("BRANCHLINE_NETWORK", "mine.net")
    assert packed(["learned"], []).files == {"learned.net": b"weights"}


def test_packages_without_init_are_refused(own):
    written(own, packed_spread__in__bots_py="class Bot: ...")
    with pytest.raises(
        ClusterOptionError, match=r"packed_spread is a package without __init__.py, .*: add an empty .*, or install it on every machine"
    ):
        packed(["packed_spread.bots:Bot"], [])


def test_a_worker_says_what_has_to_be_installed():
    for bot in ("no_such_package:Bot", "no_such_package.bots:Bot"):
        with pytest.raises(BotError) as caught:
            make_bot(bot)
        assert in_words(caught.value).endswith("Install no_such_package on every machine")
    assert in_words(ModuleNotFoundError("No module named 'x'", name="x")).endswith("Install x on every machine")
    assert in_words(ValueError("other")) == "ValueError: other"


def test_what_two_commands_have_sent_stays_until_both_are_done():
    luggage, parcel = Luggage(), Parcel({"code/x.py": b""})
    for owner in ("one", "other", "one"):  # a scheduler that was started again sends it once more
        luggage.take(parcel, owner)
    luggage.drop(parcel.digest, "one")
    with luggage.used(parcel.digest):
        pass
    luggage.drop(parcel.digest, "other")
    with luggage.used(""):
        pass
    with pytest.raises(ClusterError, match="have not arrived"), luggage.used(parcel.digest):
        pass


def test_too_much_is_refused(own, monkeypatch):
    monkeypatch.setattr("branchline.cluster.parcels.MOST", 10)
    written(own, packed_large_py="#" * 100)
    with pytest.raises(ClusterOptionError, match="too much to send: install them as a package on every worker"):
        packed(["packed_large:Bot"], [])


def test_programs_need_a_whole_path(tmp_path):
    with pytest.raises(ClusterOptionError, match="is a program, which does not travel"):
        packed(["./my_bot"], [])
    assert packed([f"{tmp_path}/my_bot --fast"], []).files == {}


@pytest.mark.parametrize("address", ["local", "local:16", "tcp://10.0.0.1:8786", "tls://head:8786", "localhost:8786", "/shared/scheduler.json"])
def test_addresses(address):
    assert check_address(address) == address


@pytest.mark.parametrize("address", ["", "local:", "local:0", "locally", "http://head:8786", "tls://head", "head"])
def test_what_is_not_an_address(address):
    with pytest.raises(ClusterOptionError, match="is not the address of a cluster: write local"):
        check_address(address)


def test_a_later_parcel_replaces_an_earlier_one(monkeypatch):
    """Modules, paths and variables of the one before are gone."""
    monkeypatch.setenv("BRANCHLINE_NETWORK", "the worker's own")
    luggage, before = Luggage(), list(sys.path)
    first, second = (Parcel({"code/luggage_bot.py": f"N = {number}".encode(), "learned.net": b""}) for number in (1, 2))
    for parcel in (first, second):
        luggage.take(parcel)
    for parcel, number in ((first, 1), (second, 2), (first, 1)):
        with luggage.used(parcel.digest):
            import luggage_bot

            assert number == luggage_bot.N
            assert os.environ["BRANCHLINE_NETWORK"] == str(luggage.folder / "learned.net")
    folder = luggage.folder
    with luggage.used(""):
        assert "luggage_bot" not in sys.modules
        assert os.environ["BRANCHLINE_NETWORK"] == "the worker's own"
        assert sys.path == before
        assert not folder.exists()


def test_threads_with_different_parcels_take_turns():
    luggage, seen, inside = Luggage(), [], threading.Event()
    parcel = Parcel({"code/x.py": b""})
    luggage.take(parcel)

    def other():
        inside.wait(5)
        with luggage.used(""):
            seen.append("other")

    thread = threading.Thread(target=other)
    thread.start()
    with luggage.used(parcel.digest), luggage.used(parcel.digest):  # the same parcel serves several at once
        inside.set()
        thread.join(0.2)
        seen.append("first")
    thread.join(5)
    assert seen == ["first", "other"]


def test_a_board_from_outside_is_found_by_the_worker(tmp_path, monkeypatch):
    begin(tmp_path / "far-isles")
    monkeypatch.setenv("BRANCHLINE_BOARDS", "")
    use_folders([str(tmp_path / "far-isles")])
    (game,) = set(own_boards()) - set(further_boards())
    parcel = packed([], [game])
    monkeypatch.setenv("BRANCHLINE_BOARDS", "")
    assert game not in own_boards()
    luggage = Luggage()
    luggage.take(parcel)
    with luggage.used(parcel.digest):
        assert game in own_boards()
    with luggage.used(""):
        assert game not in own_boards()
