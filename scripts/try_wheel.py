"""Build the wheel and try it in empty environments: each extra alone, on every Python given. Prints the tables of docs/installing.md.

    python scripts/try_wheel.py python3.11 python3.12 python3.13

Environments are made with uv (`pip install uv`), which keeps what it has downloaded.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from contextlib import suppress
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
NOT_FOR_USERS = {"dev", "docs"}
MEGABYTE = 1_000_000
TIMES = 5
PATIENCE = 900  # seconds for a server to be downloaded and started
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # importing is measured with bytecode, as users have it
# What is tried where nothing but the base is installed.
COMMANDS = [
    ["show", "london"],
    ["play", "--game", "london", "--players", "2"],
    ["warm", "replay"],
    ["simulate", "london", "--games", "10"],
    ["simulate", "london", "--games", "10", "--out", "games.parquet"],
    ["simulate", "london", "--games", "10", "--device", "cuda"],
    ["simulate", "london", "--games", "10", "--cluster", "local"],
    ["arena", "greedy", "random", "--game", "london", "--games", "10"],
    ["arena", "greedy", "random", "--game", "london", "--games", "10", "--cluster", "local"],
    ["ladder", "my_ladder", "greedy", "random", "--game", "london", "--rounds", "1", "--pace", "0"],
    ["replay", "game.json", "--html", "game.html"],
    ["report", "games.parquet"],
    ["board", "new", "my_board"],
    ["board", "check", "my_board"],
    ["board", "report", "my_board", "--games", "100"],
    ["board", "balance", "my_board", "--goal", "tickets", "--tickets", "1", "--players", "2", "--minutes", "0.1", "--check", "64"],
    ["board", "edit", "my_board"],
    ["board", "draw", "my_board"],
    ["serve"],
    ["admin", "tables"],
    ["connect", "http://127.0.0.1:9", "greedy"],
    ["train", "london"],
]
# What is tried with an extra that is not all that is needed.
COMMANDS_WITH = {"server": [["serve", "--port", "0", "--database-url", "postgresql://127.0.0.1/games"]]}
COMPILED = {"cuda", "warm", "balance"}  # words of commands that make no sense, or take long, in plain mode
ENVIRONMENTS = "from branchline.envs import aec_env"  # no command makes one
IMPORTS = {"rl": ENVIRONMENTS, "train": "import torch"}


class Environment:
    """An empty environment with the wheel, and an extra if one is named."""

    def __init__(self, folder: Path, python: str, wheel: Path, extra: str) -> None:
        self.folder, self.extra = folder, extra
        run("uv", "venv", "--quiet", "--python", python, folder)
        wanted = f"branchline[{extra}] @ {wheel.as_uri()}" if extra else f"branchline @ {wheel.as_uri()}"
        run(
            "uv",
            "pip",
            "install",
            "--quiet",
            "--python",
            self.python,
            "--constraint",
            ROOT / "constraints.txt",
            *indexes(),
            wanted,
        )

    @property
    def python(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin") / "python"

    def size(self) -> float:
        """Of everything installed, in bytes."""
        return sum(path.stat().st_size for path in self.folder.rglob("*") if path.is_file() and not path.is_symlink())

    def packages(self) -> int:
        return len(run("uv", "pip", "list", "--quiet", "--format", "freeze", "--python", self.python).stdout.splitlines())

    def seconds(self, code: str) -> float:
        """Processor time, which does not depend on what else the machine does: the median of a few runs, less what Python itself takes to start."""
        run(self.python, "-c", code)  # writes the bytecode
        return max(0.0, self._median(code) - self._median("pass"))

    def _median(self, code: str) -> float:
        measured = f"{code}\nimport time; print(time.process_time())"
        return median(float(run(self.python, "-c", measured).stdout.split()[-1]) for _ in range(TIMES))

    def says(self, words: list[str], cwd: Path) -> str:
        """How a command of Python ends, and the last line that it prints."""
        mode = "compiled" if COMPILED & set(words) else "plain"
        ended = subprocess.run(
            [self.python, *words],
            capture_output=True,
            text=True,
            input="quit\n",
            cwd=cwd,
            env=os.environ | {"BRANCHLINE_MODE": mode, "BRANCHLINE_CACHE": str(self.folder / "cache")},
            check=False,
        )
        lines = (ended.stderr if ended.returncode else ended.stdout).strip().splitlines()
        return f"{ended.returncode} | {'works' if not ended.returncode else lines[-1].replace('|', ' ')}"


def run(*command: object) -> subprocess.CompletedProcess[str]:
    ended = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if ended.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{ended.stderr}")
    return ended


def indexes() -> list[str]:
    """uv does not read pip's settings."""
    links = os.environ.get("PIP_FIND_LINKS", "").split()
    return [word for link in links for word in ("--find-links", link)]


def built(folder: Path) -> Path:
    run("uv", "build", "--quiet", "--wheel", "--out-dir", folder, ROOT)
    return next(folder.glob("*.whl"))


def extras() -> list[str]:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    return ["", *sorted(set(declared) - NOT_FOR_USERS)]


def try_extras(python: str, wheel: Path, folder: Path, wanted: list[str]) -> dict[str, Environment]:
    version = run(python, "-c", "import sys; print('%d.%d.%d' % sys.version_info[:3])").stdout.strip()
    made = {}
    for extra in wanted:
        made[extra] = one = Environment(folder / f"{version}-{extra or 'base'}", python, wheel, extra)
        assert re.fullmatch(r"branchline \d+\.\d+\.\d+", run(one.python, "-m", "branchline", "--version").stdout.strip())
        if extra in IMPORTS:
            run(one.python, "-c", IMPORTS[extra])
        alone, with_rules = one.seconds("import branchline"), one.seconds("from branchline import Game")
        print(f"| {version} | {extra or '–'} | {one.packages()} | {one.size() / MEGABYTE:.0f} MB | {alone:.3f} s | {with_rules:.2f} s |", flush=True)
    return made


def try_commands(made: dict[str, Environment], folder: Path) -> None:
    base = made[""]
    print("\n| command | exit code | what it says |\n| --- | --- | --- |")
    os.environ["BRANCHLINE_MODE"] = "plain"  # without waiting for the compiler
    code = "from branchline import Game, Record; print(Record.of(Game('london', 2).start(1)).to_json())"
    (folder / "game.json").write_text(run(base.python, "-c", code).stdout, encoding="utf-8")
    for command in COMMANDS:
        print(f"| `{' '.join(command)}` | {base.says(['-m', 'branchline', *command], folder)} |", flush=True)
    for extra in COMMANDS_WITH.keys() & made:
        for command in COMMANDS_WITH[extra]:
            print(f"| `{' '.join(command)}`, with the extra {extra} | {made[extra].says(['-m', 'branchline', *command], folder)} |", flush=True)
    print(f"| `python -c '{ENVIRONMENTS}'` | {base.says(['-c', ENVIRONMENTS], folder)} |", flush=True)


def try_without_installing(wheel: Path, python: str, folder: Path) -> None:
    """A server by `uvx`, and by `pipx run` if it is there, straight from the wheel, as docs/installing.md says it."""
    wanted = f"branchline[server] @ {wheel.as_uri()}"
    tools = {
        "uvx": ["uv", "tool", "run", "--python", python, *indexes(), "--from", wanted, "branchline"],
        "pipx run": ["pipx", "run", "--python", python, "--spec", wanted, "branchline"],
    }
    for name, command in tools.items():
        if shutil.which(command[0]):
            print(f"{name}: {served(command, folder)}", flush=True)
        else:
            print(f"{name}: not installed here")


def served(command: list[str], folder: Path) -> str:
    """What a server says about its health, and how long it took to say so, with downloading."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log, began = folder / "serve.log", time.monotonic()
    with log.open("w") as told:
        server = subprocess.Popen([*command, "serve", "--port", str(port)], cwd=folder, stdout=told, stderr=told, start_new_session=True)
    try:
        while time.monotonic() - began < PATIENCE and server.poll() is None:
            with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                return f"/health answers {answer.status} {answer.read().decode()} after {time.monotonic() - began:.0f} s"
            time.sleep(0.5)
        return f"no answer: {log.read_text(encoding='utf-8')[-500:]}"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("pythons", nargs="+")
    arguments.add_argument("--few", action="store_true", help="on all but the first Python only the base and the server")
    arguments.add_argument("--extras", help="only these, comma-separated, besides the base")
    asked = arguments.parse_args()
    chosen = extras() if asked.extras is None else ["", *asked.extras.split(",")]
    pythons = asked.pythons
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = built(folder)
        print(f"{wheel.name}: {wheel.stat().st_size / MEGABYTE:.1f} MB\n")
        print("| Python | extra | packages | size | `import branchline` | `from branchline import Game` |\n| --- | --- | ---: | ---: | ---: | ---: |")
        first = try_extras(pythons[0], wheel, folder, chosen)
        for python in pythons[1:]:
            try_extras(python, wheel, folder, ["", "server"] if asked.few else chosen)
        try_commands(first, folder)
        for python in pythons:
            try_without_installing(wheel, python, folder)


if __name__ == "__main__":
    main()
