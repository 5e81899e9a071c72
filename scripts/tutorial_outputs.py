"""Runs the tutorial notebook and keeps what its cells show, for its page on the site: `python scripts/tutorial_outputs.py`.

Texts and pictures are in docs/pictures/tutorial, named by their cells; of a replay there is a picture.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import nbclient
import nbformat

PROJECT = Path(__file__).parents[1]
NOTEBOOK, FOLDER = PROJECT / "examples" / "tutorial.ipynb", PROJECT / "docs" / "pictures" / "tutorial"
TEXT, DRAWN, REPLAY = ".txt", ".svg", ".html"
SIZE = {"width": 1000, "height": 640}
MOVES = 24  # of the replay, until the board is worth a look
SETTLED = 2_000  # milliseconds


def surroundings(folder: str) -> dict[str, str]:
    """What Jupyter wants to find in the environment: where it may keep files, and as of its next version the first, without which it warns."""
    return {"JUPYTER_PLATFORM_DIRS": "1", "IPYTHONDIR": folder}


def executed(folder: str) -> Any:
    """The notebook with outputs, run in a folder."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=200, resources={"metadata": {"path": folder}}).execute()
    return notebook


def outputs(notebook: Any) -> dict[str, str]:
    """What its cells show, by the names of the files that keep it."""
    return {f"{cell.id}{ending}": shown for cell in notebook.cells for ending, shown in shown_by(cell).items()}


def shown_by(cell: Any) -> dict[str, str]:
    """Pictures as they are; everything that it prints or that has only a text is one text."""
    shown: dict[str, str] = {}
    for output in cell.get("outputs", ()):
        kinds = output.get("data", {})
        if "image/svg+xml" in kinds:
            shown[DRAWN] = kinds["image/svg+xml"] + "\n"
        elif "text/html" in kinds:
            shown[REPLAY] = kinds["text/html"]
        else:
            shown[TEXT] = shown.get(TEXT, "") + (output.get("text") or kinds["text/plain"] + "\n")
    return shown


def keep(name: str, shown: str) -> None:
    if name.endswith(REPLAY):
        take_picture(shown, FOLDER / name.replace(REPLAY, ".jpg"))
    else:
        (FOLDER / name).write_text(shown, encoding="utf-8")
    print(name, flush=True)


def take_picture(replay: str, path: Path) -> None:
    sys.path.insert(0, str(PROJECT))
    from tests.web.browsing import running_browser  # the browser of the tests

    with running_browser() as browser:
        page = browser.new_page(viewport=SIZE, locale="en-GB")
        page.set_content(f'<body style="margin: 0">{replay}</body>')
        frame = page.frame_locator("iframe")
        frame.locator("input[type=range]").focus()
        for _ in range(MOVES):
            page.keyboard.press("ArrowRight")
        frame.locator("input[type=range]").blur()
        page.wait_for_timeout(SETTLED)
        page.screenshot(path=path, type="jpeg", quality=75)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        old.unlink()
    with tempfile.TemporaryDirectory() as made:
        os.environ.update(surroundings(made))
        for one, text in outputs(executed(made)).items():
            keep(one, text)
