"""Many workers of a machine compile once."""

import threading
import time

from branchline.cluster import compiling


def test_whoever_comes_first_compiles_and_the_others_wait(monkeypatch, tmp_path):
    done, compiled, both = set(), [], threading.Barrier(3)

    def warm(needs):
        if missing := set(needs) - done:
            time.sleep(0.1)
            compiled.append(missing)
            done.update(missing)

    def is_warm(needs):
        answer = set(needs) <= done
        both.wait(5)  # all have looked before the first begins
        return answer

    monkeypatch.setattr(compiling, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(compiling, "warm", warm)
    monkeypatch.setattr(compiling, "is_warm", is_warm)
    threads = [threading.Thread(target=compiling.compiled_once, args=(iter(["games"]),)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert compiled == [{"games"}]
