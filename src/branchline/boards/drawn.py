"""The shape of `layout.json`, as far as pages and pictures rely on it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

Point = tuple[float, float]


class Part(BaseModel):
    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class Label(Part):
    x: float
    y: float
    lines: list[str]
    box: Point
    anchor: str


class Spot(Part):
    x: float
    y: float
    labels: dict[str, Label]

    @model_validator(mode="after")
    def check(self) -> Spot:
        if "en" not in self.labels:
            raise ValueError("cities have labels in English, which other languages fall back to, and one has none")
        return self


class Space(Part):
    x: float
    y: float
    angle: float
    length: float


class Shape(Part):
    curves: list[list[Point]]
    spaces: list[Space]


class SpaceSizes(Part):
    length: float
    width: float
    gap: float
    radius: float


class Portal(Part):
    side: Literal["W", "E"]
    routes: list[str]
    at: Point
    to: str


class Layout(Part):
    view_box: tuple[float, float, Annotated[float, Field(gt=0)], Annotated[float, Field(gt=0)]]
    space: SpaceSizes
    city_radius: float
    font_size: float
    line_height: float
    cities: dict[str, Spot]
    routes: dict[str, Shape]
    edge: list[Portal]
    coast: str
