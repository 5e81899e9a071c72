"""The tutorial notebook runs from top to bottom, shows what it says, and is kept without outputs; the site has those that it shows."""

import json
from pathlib import Path

import pytest
from scripts.tutorial_outputs import FOLDER, NOTEBOOK, executed, outputs, surroundings


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """By the names of the files that keep it."""
    folder = str(tmp_path_factory.mktemp("notebook"))
    with pytest.MonkeyPatch.context() as patching:
        for name, value in surroundings(folder).items():
            patching.setenv(name, value)
        return outputs(executed(folder))


def test_the_tutorial_runs(shown):
    kinds = [Path(name).suffix for name in shown]
    assert kinds.count(".svg") == 2  # a game and a view
    assert kinds.count(".html") == 1  # the replay
    printed = "".join(text for name, text in shown.items() if name.endswith(".txt"))
    assert "collector: " in printed
    assert "greedy   wins" in printed


def test_the_site_shows_what_it_shows(shown):
    """If this fails: `python scripts/tutorial_outputs.py`. Of the replay there is a picture."""
    assert {name.replace(".html", ".jpg") for name in shown} == {path.name for path in FOLDER.iterdir()}
    for name, text in shown.items():
        if not name.endswith(".html"):
            assert (FOLDER / name).read_text(encoding="utf-8") == text, name


def test_it_is_kept_without_outputs():
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert not [cell for cell in kept["cells"] if cell.get("outputs") or cell.get("execution_count")]
