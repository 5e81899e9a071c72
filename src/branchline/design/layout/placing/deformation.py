"""The map's deformation: a cubic B-spline over a square mesh. Cities and coasts move with it."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
PAD = 2  # meshes beyond the frame


def spline(u: Array) -> Array:
    return np.stack([(1 - u) ** 3, 3 * u**3 - 6 * u**2 + 4, -3 * u**3 + 3 * u**2 + 3 * u + 1, u**3], -1) / 6


def slope(u: Array) -> Array:
    return np.stack([-((1 - u) ** 2), 3 * u**2 - 4 * u, -3 * u**2 + 2 * u + 1, u**2], -1) / 2


class Mesh:
    """Control points whose displacements (columns × rows × 2) are unknowns of the fit."""

    def __init__(self, frame: tuple[float, float], size: float) -> None:
        self.size = size
        self.columns, self.rows = (int(np.ceil(side / size)) + 3 + 2 * PAD for side in frame)
        self.corner = np.array([-PAD * size, -PAD * size])
        self.far = self.corner + size * np.array([self.columns - 3, self.rows - 3])

    def weights(self, points: Array, along: int | None = None) -> Array:
        """How much each control point moves each point or, along x (0) or y (1), how the displacement changes there."""
        cell, u = self.cells(points)
        x, y = (slope(u[:, axis]) / self.size if along == axis else spline(u[:, axis]) for axis in (0, 1))
        table = np.zeros((len(points), self.columns, self.rows))
        every = np.arange(len(points))
        for i in range(4):
            for j in range(4):
                table[every, cell[:, 0] + i, cell[:, 1] + j] += x[:, i] * y[:, j]
        return table.reshape(len(points), -1)

    def weights_along(self, axis: int, points: Array, sloping: bool) -> Array:
        """The same along one axis alone, of which those on a grid are the product."""
        count = (self.columns, self.rows)[axis]
        q = (points - self.corner[axis]) / self.size
        cell = np.clip(np.floor(q).astype(int), 0, count - 4)
        u = np.clip(q - cell, -1, 2)
        values = slope(u) / self.size if sloping else spline(u)
        table = np.zeros((len(points), count))
        for i in range(4):
            table[np.arange(len(points)), cell + i] += values[:, i]
        return table

    def warp(self, points: Array, shifts: Array) -> Array:
        """Points where the deformation puts them; far outside, they follow the nearest point of the mesh."""
        points = np.asarray(points, float)
        grid = np.asarray(shifts, float).reshape(self.columns, self.rows, 2)
        cell, u = self.cells(np.clip(points, self.corner + 1e-6, self.far - 1e-6))
        x, y = spline(u[:, 0]), spline(u[:, 1])
        moved = points.copy()
        for i in range(4):
            for j in range(4):
                moved += (x[:, i] * y[:, j])[:, None] * grid[cell[:, 0] + i, cell[:, 1] + j]
        return moved

    def warp_each(self, lines: list[Array], shifts: Array) -> list[Array]:
        """Many lines at once, which is much faster than one by one."""
        if not lines:
            return []
        return np.split(self.warp(np.concatenate(lines), shifts), np.cumsum([len(line) for line in lines])[:-1])

    def cells(self, points: Array) -> tuple[Array, Array]:
        """The first of the four control points along each axis that move a point, and where it is between them."""
        q = (points - self.corner) / self.size
        cell = np.clip(np.floor(q).astype(int), 0, [self.columns - 4, self.rows - 4])
        return cell, np.clip(q - cell, -1, 2)

    def jacobians(self, points: Array, shifts: Array, batch: int = 4000) -> Array:
        """The determinant at each point: 1 keeps areas, 0 or less would be a fold."""
        flat = np.asarray(shifts, float).reshape(-1, 2)
        found = []
        for at in range(0, len(points), batch):
            dx = self.weights(points[at : at + batch], 0) @ flat + [1, 0]
            dy = self.weights(points[at : at + batch], 1) @ flat + [0, 1]
            found.append(dx[:, 0] * dy[:, 1] - dx[:, 1] * dy[:, 0])
        return np.concatenate(found)
