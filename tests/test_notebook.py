"""The tutorial notebook runs from top to bottom, shows what it says, and is kept without outputs."""

import json
from pathlib import Path

import nbclient
import nbformat

NOTEBOOK = Path(__file__).parents[1] / "examples" / "tutorial.ipynb"


def test_the_tutorial_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("JUPYTER_PLATFORM_DIRS", "1")  # as of Jupyter's next version; without it, it warns
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=200, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [kind for cell in notebook.cells for output in cell.get("outputs", ()) for kind in output.get("data", ())]
    assert shown.count("image/svg+xml") == 2  # a game and a view
    assert shown.count("text/html") == 1  # the replay
    printed = "".join(output["text"] for cell in notebook.cells for output in cell.get("outputs", ()) if output["output_type"] == "stream")
    assert "collector: " in printed
    assert "greedy   wins" in printed


def test_it_is_kept_without_outputs():
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert not [cell for cell in kept["cells"] if cell.get("outputs") or cell.get("execution_count")]
