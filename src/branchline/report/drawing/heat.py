"""The heat map's colours: steps that look equally far apart, pale to deep on light ground and deep to bright on dark.

Colours are placed in OKLab (Ottosson 2020), where equal distances look equal. A scale is a smooth line through it, cut into equal lengths.
"""

from __future__ import annotations

from itertools import pairwise
from math import cos, dist, radians, sin

STEPS = 10
Lab = tuple[float, float, float]
# lightness, chroma and hue along the line
LIGHT = ((0.96, 0.035, 98), (0.85, 0.125, 82), (0.70, 0.165, 52), (0.53, 0.165, 24), (0.38, 0.125, 358), (0.27, 0.075, 330))
DARK = ((0.36, 0.045, 290), (0.46, 0.115, 325), (0.58, 0.165, 5), (0.70, 0.165, 40), (0.83, 0.145, 76), (0.95, 0.090, 102))


def colours(line: tuple[Lab, ...], steps: int = STEPS) -> list[str]:
    return [hex_of(point) for point in evenly(line, steps)]


def evenly(line: tuple[Lab, ...], steps: int) -> list[Lab]:
    """Points on a line at equal distances, in OKLab."""
    fine = [lab(between(line, share / 999)) for share in range(1000)]
    lengths = [0.0]
    for one, other in pairwise(fine):
        lengths.append(lengths[-1] + dist(one, other))
    wanted = [lengths[-1] * step / (steps - 1) for step in range(steps)]
    return [fine[min(range(len(fine)), key=lambda place: abs(lengths[place] - length))] for length in wanted]


def between(line: tuple[Lab, ...], share: float) -> Lab:
    """Lightness, chroma and hue at this point of the line; hues go the short way round."""
    place = min(int(share * (len(line) - 1)), len(line) - 2)
    rest = share * (len(line) - 1) - place
    (l0, c0, h0), (l1, c1, h1) = line[place], line[place + 1]
    turn = (h1 - h0 + 180) % 360 - 180
    return l0 + (l1 - l0) * rest, c0 + (c1 - c0) * rest, h0 + turn * rest


def lab(point: Lab) -> Lab:
    lightness, chroma, hue = point
    return lightness, chroma * cos(radians(hue)), chroma * sin(radians(hue))


def hex_of(point: Lab) -> str:
    lightness, a, b = point
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    red = 4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short
    green = -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short
    blue = -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short
    return "#" + "".join(f"{round(255 * curve(channel)):02x}" for channel in (red, green, blue))


def curve(channel: float) -> float:
    """From linear light to sRGB."""
    light = min(max(channel, 0.0), 1.0)
    return 12.92 * light if light <= 0.0031308 else float(1.055 * light ** (1 / 2.4) - 0.055)


def variables(line: tuple[Lab, ...]) -> str:
    """As CSS: `--h0` to `--h9`."""
    return " ".join(f"--h{step}: {colour};" for step, colour in enumerate(colours(line)))


def step_of(share: float, top: float) -> int:
    """Which step a share has on a scale from 0 to `top`."""
    return min(int(share / top * STEPS), STEPS - 1)


def top_of(most: float) -> float:
    """Where the scale ends: the next tenth at or above the largest share, so that steps are round."""
    return max(-(-round(most * 1000) // 100) / 10, 0.1)
