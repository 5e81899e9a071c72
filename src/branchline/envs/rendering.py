"""Showing a game: as text, as a picture, or in a window."""

from __future__ import annotations

import io
from functools import lru_cache
from importlib import import_module
from typing import Any

import numpy as np

from branchline.errors import GameOptionError, from_extra
from branchline.play.drawing.picture import layers
from branchline.play.positions import Position

Array = np.ndarray[Any, Any]
MODES = ("human", "rgb_array", "ansi")
METADATA: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 2}


class Screen:
    """Renders positions in one mode. All pictures of a game have the same size."""

    def __init__(self, mode: str | None) -> None:
        if mode is not None and mode not in MODES:
            raise GameOptionError(f"there is no render_mode {mode!r}: choose from {', '.join(MODES)}, or None")
        self.mode = mode
        self._window: Any = None

    def render(self, position: Position) -> Array | str | None:
        if self.mode is None:
            raise GameOptionError(f"give the environment a render_mode when you make it: {', '.join(MODES)}")
        if self.mode == "ansi":
            return str(position)
        if self.mode == "rgb_array":
            return pixels(position)
        self._show(pixels(position))
        return None

    def _show(self, frame: Array) -> None:
        pygame = needed("pygame")
        if self._window is None:
            pygame.display.init()
            pygame.display.set_caption("Branchline")
            self._window = pygame.display.set_mode(frame.shape[1::-1])
        self._window.blit(pygame.surfarray.make_surface(frame.swapaxes(0, 1)), (0, 0))
        pygame.event.pump()
        pygame.display.flip()

    def close(self) -> None:
        if self._window is not None:
            needed("pygame").display.quit()
            self._window = None


def pixels(position: Position) -> Array:
    """(height, width, 3) uint8: the picture of a position."""
    below, above = layers(position, 1 + 4 * len(position.seats))
    ground, rest = rasterised_ground(below), rasterised(above)
    opacity = rest[..., 3:].astype(np.uint16)
    mixed: Array = (rest[..., :3] * opacity + ground * (255 - opacity) + 127) // 255
    return mixed.astype(np.uint8)


@lru_cache(8)
def rasterised_ground(svg: str) -> Array:
    return rasterised(svg)[..., :3]


def rasterised(svg: str) -> Array:
    png = needed("resvg_py").svg_to_bytes(svg_string=svg)
    return np.asarray(needed("PIL.Image").open(io.BytesIO(bytes(png))).convert("RGBA"))


def needed(module: str) -> Any:
    """A library of the extra."""
    with from_extra("rl", "a picture"):
        return import_module(module)
