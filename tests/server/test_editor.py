"""The board editor on a server: who may use it, what it writes, and what it refuses."""

import io
import json
import os
import re
import stat
import struct
import subprocess
import sys
import threading
import zipfile
import zlib

import httpx
import psutil
import pytest

from branchline.boards import folders
from branchline.design.editor.edited import EditedBoard
from branchline.design.editor.reading import read_document
from branchline.design.editor.saving import BESIDE, JOURNAL, finish
from branchline.design.layout.beginning import begin
from branchline.server.protocol import editor_replies as e
from branchline.server.protocol import replies as r
from branchline.server.protocol.refusals import REFUSALS
from tests.boards.outside import only
from tests.commands import branchline
from tests.server.inside import running_inside
from tests.server.running import free_port, new_key

CODE = "open-sesame"
KEY = new_key()
PATHS = [
    ("GET", ""),
    ("PUT", ""),
    ("GET", "/geography"),
    ("GET", "/picture"),
    ("PUT", "/picture"),
    ("GET", "/export"),
    ("POST", "/import"),
    ("POST", "/play"),
    ("GET", "/report"),
    ("POST", "/report"),
    ("DELETE", "/report"),
]


@pytest.fixture
def folder(tmp_path):
    with only():
        begin(tmp_path / "islands", "Islands")
        yield tmp_path / "islands"


@pytest.fixture
def inside(folder, tmp_path):
    with running_inside(tmp_path, editor=str(folder), editor_code=CODE, largest_board=2_000_000) as running:
        yield running


def ask(inside, method, path="", content=None, code=CODE, key=KEY):
    headers = {"x-editor-code": code, "content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
    return inside.http.request(method, f"/api/editor{path}", content=content, headers=headers)


def opened(inside):
    response = ask(inside, "GET")
    assert response.status_code == 200, response.text
    e.Edited.model_validate(response.json())
    return response.json()


def save(inside, document, revision):
    return ask(inside, "PUT", content=json.dumps({"document": document, "revision": revision}))


def refused(response):
    refusal = r.Refusal.model_validate(response.json())
    assert response.status_code == REFUSALS[refusal.code]
    return refusal.code


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file() and BESIDE not in path.parts}


# who


@pytest.mark.sample(4)
@pytest.mark.parametrize(("method", "path"), PATHS)
def test_only_with_a_key_and_the_code(inside, folder, method, path):
    before = contents(folder)
    assert refused(ask(inside, method, path, key=None)) == "no_key"
    for wrong in ("", "open-sesam", "open-sesame2", b"\xf6ffne-dich"):
        assert refused(ask(inside, method, path, code=wrong)) == "not_editor"
    assert contents(folder) == before


def test_another_site_cannot_write(inside, folder):
    before, now = contents(folder), opened(inside)
    body = json.dumps({"document": now["document"] | {"tickets": []}, "revision": now["revision"]})
    headers = {"x-editor-code": CODE, "authorization": f"Bearer {KEY}", "origin": "https://evil.example"}
    assert refused(inside.http.put("/api/editor", content=body, headers=headers)) == "wrong_origin"
    assert contents(folder) == before


# saving


def test_what_is_saved_is_what_the_files_say_and_the_rest_is_untouched(inside, folder):
    now, before = opened(inside), contents(folder)
    document = now["document"]
    document["routes"][0]["length"] = 2
    answer = save(inside, document, now["revision"])
    assert e.Saved.model_validate(answer.json()).is_playable
    after = contents(folder)
    assert {name for name in after if after[name] != before.get(name)} == {"routes.csv"}
    changed = [(one, other) for one, other in zip(before["routes.csv"].splitlines(), after["routes.csv"].splitlines(), strict=True) if one != other]
    assert changed == [(b"berlin-gdansk.1,berlin,gdansk,3,red,yes,,", b"berlin-gdansk.1,berlin,gdansk,2,red,yes,,")]
    assert answer.json()["values"]["berlin gdansk"] == 2


def test_comments_and_the_order_of_columns_stay(inside, folder):
    now = opened(inside)
    document = now["document"]
    document["settings"]["pieces"]["trains"] = 31
    document["cities"].append({"id": "narva", "name": "Narva", "lat": 59.37, "lon": 28.2, "port": False})
    document["tickets"].pop()
    assert save(inside, document, now["revision"]).status_code == 200
    board = (folder / "board.toml").read_text(encoding="utf-8")
    assert "trains = 31\n# stations = 2    # lets players build stations" in board
    assert (folder / "geography.csv").read_text(encoding="utf-8").splitlines()[1] == "# the real places; the map is drawn from them"
    assert (folder / "cities.csv").read_text(encoding="utf-8").endswith("narva,Narva\n")


def test_an_older_revision_is_refused_unless_nothing_would_change(inside, folder):
    now = opened(inside)
    document = now["document"]
    (folder / "tickets.csv").write_text((folder / "tickets.csv").read_text(encoding="utf-8").replace(",9", ",8"), encoding="utf-8")  # by hand
    before = contents(folder)
    assert refused(save(inside, document, now["revision"])) == "board_changed"
    assert contents(folder) == before
    theirs = opened(inside)
    assert save(inside, theirs["document"], now["revision"]).status_code == 200  # as after an answer that was lost


def test_of_two_who_save_at_once_one_is_told(inside):
    now = opened(inside)
    answers = []

    def write(name):
        document = now["document"] | {"settings": now["document"]["settings"] | {"name": name}}
        answers.append(save(inside, document, now["revision"]).status_code)

    threads = [threading.Thread(target=write, args=(name,)) for name in "ABCDEF"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 409, 409, 409, 409, 409]


def test_an_unfinished_board_is_saved_with_its_problems_at_their_places(inside, folder):
    now = opened(inside)
    document = now["document"]
    document["cities"].append({"id": "narva", "name": "Narva", "lat": 59.37, "lon": 28.2})
    found = save(inside, document, now["revision"]).json()
    assert [(one["kind"], one["index"], one["code"]) for one in found["problems"]] == [("city", 10, "city_alone")]
    assert not found["is_playable"]
    document["settings"]["pieces"]["trains"] = 99
    document["routes"][3]["length"] = 9
    document["tickets"].append(document["tickets"][2])
    found = save(inside, document, found["revision"]).json()
    assert [(one["kind"], one.get("setting")) for one in found["problems"]] == [("setting", "pieces.trains")]  # the settings come first
    document["settings"]["pieces"]["trains"] = 20
    found = save(inside, document, found["revision"]).json()
    assert {(one["kind"], one["index"]) for one in found["problems"]} == {("route", 3), ("ticket", 16)}
    assert read_document(folder).model_dump(mode="json", exclude_none=True)["tickets"] == document["tickets"]


@pytest.mark.parametrize(
    "change",
    [
        {"cities": [{"id": "../evil", "name": "Evil"}]},
        {"cities": [{"id": "evil", "name": "line\nbreak"}]},
        {"cities": [{"id": "evil", "name": "Evil", "lat": 1000}]},
        {"cities": [{"id": "evil", "name": "Evil", "file": "/etc/passwd"}]},
        {"routes": [{"a": "oslo", "b": "riga", "length": 1.5, "colour": "red"}]},
        {"cards": [{"id": "#red", "deck": "train", "count": 1}]},
        {"tickets": [{"a": "riga", "b": "oslo", "points": -1}]},
        {"background": {"kind": "../../etc/passwd"}},
        {"settings": None},
        {"words/../../x": "y"},
    ],
    ids=str,
)
@pytest.mark.sample(4)
def test_malformed_documents_are_refused(inside, folder, change):
    now, before = opened(inside), contents(folder)
    assert refused(save(inside, now["document"] | change, now["revision"])) == "malformed"
    assert contents(folder) == before


@pytest.mark.parametrize(
    "settings", [{"game": [None]}, {"deck": {"a": {"b": [{"c": 1}, 2]}}}, {"name": 'a"b\\c\n[x]', "game": "\u2028"}, {}], ids=str
)
def test_strange_settings_are_written_as_they_are_or_refused(inside, folder, settings):
    now = opened(inside)
    answer = save(inside, now["document"] | {"settings": settings}, now["revision"])
    if answer.status_code != 200:
        assert refused(answer) == "bad_board"
    else:
        assert read_document(folder).settings == settings
        assert not answer.json()["is_playable"]
    assert inside.failures() == 0


# crashes


@pytest.mark.parametrize("step", range(12))
def test_a_crash_at_any_moment_leaves_the_old_board_or_the_new_one(folder, monkeypatch, step):
    board = EditedBoard(folder)
    board.open()
    old = board.document()
    new = old.model_copy(update={"cities": old.cities[1:], "routes": [], "tickets": [], "settings": old.settings | {"name": "New"}})
    revision, left = board.revision, [step]

    def crash(old, new, real=os.replace):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        real(old, new)

    monkeypatch.setattr(os, "replace", crash)
    done = False
    try:
        board.save(new, revision)
        done = True
    except KeyboardInterrupt:
        pass
    monkeypatch.undo()
    again = EditedBoard(folder)
    again.open()
    assert again.document() == (new if step > 0 else old)
    assert not (folder / BESIDE / JOURNAL).exists()
    assert done == (step > 6)


def test_a_journal_is_carried_out_once(folder):
    (folder / BESIDE).mkdir()
    (folder / BESIDE / JOURNAL).write_text(json.dumps({"names.csv": None}), encoding="utf-8")
    finish(folder)
    finish(folder)
    assert not (folder / "names.csv").exists()


# pictures and zip files


def png(width=2, height=2):
    rows = b"".join(b"\0" + b"\xff\0\0" * width for _ in range(height))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body)) for kind, body in parts
    )


def test_a_picture_is_kept_and_shown(inside):
    assert refused(ask(inside, "GET", "/picture")) == "not_found"
    assert ask(inside, "PUT", "/picture", png()).json()["has_picture"]
    shown = ask(inside, "GET", "/picture")
    assert (shown.content, shown.headers["content-type"]) == (png(), "image/png")


@pytest.mark.parametrize("contents_", [b"", b"<svg onload='alert(1)'/>", b"GIF89a", b"\x89PNG"], ids=repr)
def test_anything_but_a_picture_is_refused(inside, folder, contents_):
    before = contents(folder)
    assert refused(ask(inside, "PUT", "/picture", contents_)) == "bad_board"
    assert contents(folder) == before


def test_an_export_is_the_folder_and_can_be_imported(inside, folder):
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    exported, before = ask(inside, "GET", "/export"), contents(folder)
    assert exported.headers["content-disposition"] == 'attachment; filename="islands.zip"'
    now = opened(inside)
    save(inside, now["document"] | {"tickets": []}, now["revision"])
    (folder / "layout.json").write_text("{}", encoding="utf-8")
    assert ask(inside, "POST", "/import", exported.content).status_code == 200
    assert contents(folder) == before
    assert ask(inside, "GET", "/export").content == exported.content
    assert zipfile.is_zipfile(folder / BESIDE / "before-import.zip")


def zipped(*files, board=True):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        if board:
            target.writestr("x/board.toml", 'game = "x"\nname = "X"\n')
        for name, text in files:
            target.writestr(name, text)
    return packed.getvalue()


def link(name, to):
    about = zipfile.ZipInfo(name)
    about.external_attr = (stat.S_IFLNK | 0o777) << 16
    return about, to


BAD_ZIPS = {
    "no zip file": b"PK but no more",
    "empty": b"",
    "without a board": zipped(("x/cities.csv", "id,name\n"), board=False),
    "out of the folder": zipped(("../evil.csv", "x")),
    "further out": zipped(("x/../../evil.csv", "x")),
    "absolute": zipped(("/tmp/evil.csv", "x")),
    "with backslashes": zipped(("x\\..\\..\\evil.csv", "x")),
    "with a drive": zipped(("C:/evil.csv", "x")),
    "a link": zipped(link("x/cities.csv", "/etc/passwd")),
    "a program": zipped(("x/evil.py", "import os")),
    "hidden": zipped(("x/.bashrc", "x")),
    "in the editor's own folder": zipped((f"x/{BESIDE}/{JOURNAL}", '{"../evil": "eA=="}')),
    "in a folder of its own": zipped(("x/deep/er/evil.csv", "x")),
    "a bomb": zipped(("x/bomb.csv", "0" * 17_000_000)),
    "too many files": zipped(*((f"x/{number}.csv", "") for number in range(300))),
    "two boards": zipped(("y/board.toml", 'game = "y"\n')),
    "no settings": zipped(("board.toml", "= not TOML"), board=False),
    "a wrong cell": zipped(("x/routes.csv", "id,a,b,length,colour\na-b,a,b,long,red\n")),
    "with yards": zipped(("board.toml", 'game = "x"\n[yards]\n'), board=False),
}


@pytest.mark.sample(6)
@pytest.mark.parametrize("what", BAD_ZIPS)
def test_anything_but_a_board_is_refused_and_nothing_is_written(inside, folder, what):
    before = {path: path.read_bytes() for path in folder.parent.rglob("*") if path.is_file() and "games.db" not in path.name}
    assert refused(ask(inside, "POST", "/import", BAD_ZIPS[what])) == "bad_board"
    after = {path: path.read_bytes() for path in folder.parent.rglob("*") if path.is_file() and "games.db" not in path.name}
    assert after == before
    assert inside.failures() == 0


def test_a_file_that_says_it_is_smaller_than_it_is_is_refused(inside):
    honest = zipped(("x/cities.csv", "id,name\n" + "a,b\n" * 1000))
    size = struct.pack("<I", 4008)
    assert refused(ask(inside, "POST", "/import", honest.replace(size, struct.pack("<I", 8)))) == "bad_board"


def test_what_is_too_large_is_refused(inside):
    assert refused(ask(inside, "POST", "/import", b"0" * 2_000_001)) == "too_large"
    assert refused(inside.http.post("/api/replay", content=b"0" * 2_000_001)) == "too_large"


def test_links_in_the_folder_are_not_exported(inside, folder, tmp_path):
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (folder / "secret.txt").symlink_to(tmp_path / "secret.txt")
    with zipfile.ZipFile(io.BytesIO(ask(inside, "GET", "/export").content)) as found:
        assert "islands/secret.txt" not in found.namelist()
        assert "islands/board.toml" in found.namelist()


# playing


def test_a_board_is_played_as_it_is_while_it_is_edited_further(inside):
    game = ask(inside, "POST", "/play").json()["game"]
    table = inside.new_table(KEY, game=game, seats=["person", "easy"])
    assert inside.get(f"/api/tables/{table}", KEY).status_code == 200
    now = opened(inside)
    document = now["document"] | {"routes": now["document"]["routes"][1:]}
    assert save(inside, document, now["revision"]).status_code == 200
    assert inside.get(f"/api/tables/{table}", KEY).status_code == 200
    assert ask(inside, "POST", "/play").status_code == 409  # half of a double route
    assert inside.get("/api/about").status_code == 200


def test_a_changed_board_is_another_one_for_its_tables(inside):
    game = ask(inside, "POST", "/play").json()["game"]
    table = inside.new_table(KEY, game=game, seats=["person", "easy"])
    assert ask(inside, "POST", "/play").json()["game"] == game  # unchanged: the table goes on
    assert inside.get(f"/api/tables/{table}", KEY).status_code == 200
    now = opened(inside)
    now["document"]["routes"][2]["colour"] = "gray"
    save(inside, now["document"], now["revision"])
    with inside.live(table, KEY) as talk:
        assert talk.hear()["type"] == "snapshot"
        assert ask(inside, "POST", "/play").status_code == 200
    assert refused(inside.get(f"/api/tables/{table}", KEY)) == "other_board"
    again = inside.new_table(KEY, game=game, seats=["person", "easy"])
    assert inside.get(f"/api/tables/{again}", KEY).status_code == 200


def test_after_a_restart_its_tables_go_on(folder, tmp_path):
    settings = {"editor": str(folder), "editor_code": CODE}
    with running_inside(tmp_path, **settings) as first:
        game = ask(first, "POST", "/play").json()["game"]
        table = first.new_table(KEY, game=game, seats=["person", "easy"])
    os.environ.pop(folders.VARIABLE)
    folders.forget_boards()
    with running_inside(tmp_path, **settings) as second:
        assert second.get(f"/api/tables/{table}", KEY).status_code == 200


def test_a_drawing_of_an_earlier_state_does_not_keep_anybody_from_playing(inside, folder):
    (folder / "layout.json").write_text("{}", encoding="utf-8")
    assert [one["kind"] for one in opened(inside)["problems"]] == ["drawing"]
    assert ask(inside, "POST", "/play").status_code == 200
    assert not (folder / BESIDE / "played" / "layout.json").exists()


def test_a_folder_named_like_the_game_is_not_taken_for_it(inside, folder, monkeypatch):
    """As when `branchline board edit islands` was typed beside the folder."""
    monkeypatch.chdir(folder.parent)
    game = ask(inside, "POST", "/play").json()["game"]
    assert game == folder.name
    assert inside.get(f"/api/games/{game}").status_code == 200


# the commands


@pytest.mark.timeout(150)
def test_board_edit_begins_a_board_and_serves_it_on_this_machine_alone(tmp_path):
    command = [sys.executable, "-m", "branchline", "board", "edit", "new_isles", "--port", str(free_port())]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            line = process.stdout.readline()
            address, code = re.fullmatch(r"Branchline is ready: (http://localhost:\d+)/edit#([\w-]{16,})\n", line).groups()
            port = int(address.rpartition(":")[2])
            headers = {"authorization": f"Bearer {KEY}", "x-editor-code": code}
            found = httpx.get(f"http://127.0.0.1:{port}/api/editor", headers=headers, timeout=30).json()
            assert found["document"]["settings"]["name"] == "New Isles"
            assert stat.S_IMODE((tmp_path / "new_isles" / BESIDE / "code").stat().st_mode) == 0o600
            listening = {one.laddr.ip for one in psutil.Process(process.pid).net_connections() if one.status == psutil.CONN_LISTEN}
            assert listening == {"127.0.0.1"}
        finally:
            process.terminate()


def test_a_folder_with_something_else_is_not_edited(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    ended = branchline("board", "edit", tmp_path)
    assert ended.returncode == 2
    assert "has no board.toml and is not empty" in ended.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("code", ["short", "with spaces in it", "ключ-від-дверей"])
def test_a_code_that_does_not_fit_into_a_link_is_refused(folder, tmp_path, code):
    ended = branchline("serve", "--port", "0", "--editor", folder, "--editor-code", code, cwd=tmp_path)
    assert (ended.returncode, "--editor-code has 8 to 100 letters" in ended.stderr) == (2, True)
