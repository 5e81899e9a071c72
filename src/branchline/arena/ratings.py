"""Ratings over all games of an arena, with openskill's Plackett–Luce model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from openskill.models import PlackettLuce

from branchline.arena.playing import Played


@dataclass(frozen=True)
class Rating:
    """A bot's strength: the estimate, its uncertainty, and a lower bound (mu less three sigmas)."""

    bot: str
    mu: float
    sigma: float
    ordinal: float


def rate(bots: Iterable[str], games: Iterable[Played]) -> list[Rating]:
    """Ratings, strongest first. Games count in the order given: the same order gives the same ratings."""
    model = PlackettLuce()
    ratings = {bot: model.rating(name=bot) for bot in bots}
    for played in games:
        update(model, ratings, played)
    found = [Rating(bot, rating.mu, rating.sigma, rating.ordinal()) for bot, rating in ratings.items()]
    return sorted(found, key=lambda rating: -rating.ordinal)


def update(model: Any, ratings: dict[str, Any], played: Played) -> None:
    """Rate one game. A bot on several seats is rated on each, and gets the mean."""
    if len(set(played.seats)) < 2:
        return
    rated = model.rate([[ratings[bot]] for bot in played.seats], ranks=[float(place) for place in played.places()])
    for bot in set(played.seats):
        own = [team[0] for team, name in zip(rated, played.seats, strict=True) if name == bot]
        ratings[bot] = model.rating(mu=fmean(one.mu for one in own), sigma=fmean(one.sigma for one in own), name=bot)
