"""What a worker was sent. It uses one parcel at a time: an earlier one must not play along in a later run."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from branchline.boards.folders import VARIABLE as BOARDS_VARIABLE
from branchline.boards.folders import forget_boards
from branchline.bots.networks import VARIABLE as NETWORK
from branchline.cluster.failures import ClusterError
from branchline.cluster.parcels import BOARDS, CODE, NETWORK_FILE, Parcel

VARIABLES = (BOARDS_VARIABLE, NETWORK)


class Luggage:
    """The parcels of this process, and the one that is unpacked."""

    def __init__(self) -> None:
        self._parcels: dict[str, Parcel] = {"": Parcel()}
        self._owners: dict[str, set[str]] = {}  # several commands may have sent the same files
        self._turn, self._users = threading.Condition(), 0
        self._digest, self.folder = "", Path()
        self._own: dict[str, str | None] = {}  # what stood in the variables before

    def take(self, parcel: Parcel, owner: str = "") -> None:
        self._parcels[parcel.digest] = parcel
        self._owners.setdefault(parcel.digest, set()).add(owner)

    def drop(self, digest: str, owner: str = "") -> None:
        """What nobody needs any more goes."""
        owners = self._owners.get(digest, set())
        owners.discard(owner)
        if not owners:
            self._parcels.pop(digest, None)

    @contextmanager
    def used(self, digest: str) -> Iterator[None]:
        """Work with a parcel. Threads that want another wait until it is free."""
        with self._turn:
            self._turn.wait_for(lambda: digest == self._digest or not self._users)
            if digest != self._digest:
                self._put_away()
                self._unpack(digest)
            self._users += 1
        try:
            yield
        finally:
            with self._turn:
                self._users -= 1
                self._turn.notify_all()

    def _unpack(self, digest: str) -> None:
        if digest not in self._parcels:
            raise ClusterError("your own files have not arrived: run the command again")
        if not digest:
            return
        files = self._parcels[digest].files
        self._digest, self.folder = digest, written(files)
        self._own = {name: os.environ.get(name) for name in VARIABLES}
        for name, place in ((BOARDS_VARIABLE, BOARDS), (NETWORK, NETWORK_FILE)):
            if (self.folder / place).exists():
                os.environ[name] = str(self.folder / place)
        forget_modules({Path(name).parts[1].removesuffix(".py") for name in files if name.startswith(f"{CODE}/")})
        sys.path.insert(0, str(self.folder / CODE))  # before the folder in which the worker was started: it may hold an older file of that name
        renewed()

    def _put_away(self) -> None:
        """Forget what was imported, and what followed from it."""
        if not self._digest:
            return
        sys.path[:] = [path for path in sys.path if not path.startswith(str(self.folder))]
        forget_modules({name for name, module in sys.modules.items() if str(getattr(module, "__file__", None)).startswith(str(self.folder))})
        for name, value in self._own.items():
            os.environ.pop(name, None) if value is None else os.environ.update({name: value})
        shutil.rmtree(self.folder, ignore_errors=True)
        self._digest, self.folder = "", Path()
        renewed()


def written(files: dict[str, bytes]) -> Path:
    """A new folder with these files."""
    folder = Path(tempfile.mkdtemp(prefix="branchline-"))
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def forget_modules(names: set[str]) -> None:
    for loaded in [one for one in sys.modules if one in names or one.partition(".")[0] in names]:
        del sys.modules[loaded]


def renewed() -> None:
    importlib.invalidate_caches()
    forget_boards()


luggage = Luggage()  # of this process
