"""Search: plays imagined games on from each candidate and takes what wins most."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from branchline.bots.candidates import MOST
from branchline.bots.playouts import begin, try_candidates
from branchline.bots.thoughts import THOUGHTS
from branchline.bots.weights import weights_for
from branchline.games import View
from branchline.rules.events import new_log
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS, SEATS
from branchline.rules.state import STATE
from branchline.rules.work import WORK

WORLDS = 4096


class Params:
    alpha = 0.5
    scale = 20.0
    bonus = 0.01
    prune = 2.0
    first = 8
    patience = 3
    z = 1.0


class SearchBot:
    def __init__(self, seconds: float | None = 0.3, iterations: int | None = None, seed: int = 0, params: Any = Params) -> None:
        self.name = "search"
        self.seconds, self.iterations, self.seed, self.p = seconds, iterations, seed, params
        self.thoughts = np.zeros(1, THOUGHTS)
        self.fresh = np.zeros(SEATS, THOUGHTS)
        self.room = np.zeros(SEATS, THOUGHTS)
        self.worlds, self.states = np.zeros(1, STATE), np.zeros(1, STATE)
        self.log, self.mask, self.works, self.results = new_log(0), np.zeros(MASK_WORDS, np.uint64), np.zeros(1, WORK), np.zeros(2, RESULT)
        self.wins, self.margins = np.zeros((MOST, WORLDS), np.float32), np.zeros((MOST, WORLDS), np.float32)
        self.dice = np.zeros(3, np.uint64)
        self.count = 0
        self.game = None
        self.made = self.spent = self.searched = self.total_worlds = 0

    def values(self, number: int, worlds: int) -> Any:
        p = self.p
        return p.alpha * self.wins[:number, :worlds] + (1 - p.alpha) * (0.5 + 0.5 * np.tanh(self.margins[:number, :worlds] / (2 * p.scale)))

    def decide(self, view: View) -> int:
        started = time.perf_counter()
        boards, views = view.game.board.records, view.records
        if self.game != view.game.name:
            self.game = view.game.name
            self.thoughts["weights"] = self.fresh["weights"] = weights_for(self.game)
            self.fresh["patience"] = self.p.patience
        candidates = np.zeros(MOST, np.int64)
        number = int(begin(boards, views, view.mask, self.thoughts, self.dice, candidates))
        self.count += 1
        if number == 1:
            return int(candidates[0])
        seat = view.seat
        for s in range(SEATS):
            self.fresh[s]["planned"] = 0
        self.fresh[seat] = self.thoughts[0]
        self.fresh[seat]["patience"] = self.p.patience
        active = np.zeros(number, np.bool_)
        active[:] = True
        key0, key1 = np.uint64(self.seed), np.uint64(self.count << 32)
        worlds, step, tries = 0, self.p.first, 0
        while True:
            last = min(worlds + step, WORLDS)
            self.made += int(
                try_candidates(
                    boards,
                    views,
                    self.worlds,
                    self.states,
                    self.log,
                    self.mask,
                    self.works,
                    self.results,
                    candidates[:number],
                    active,
                    self.room,
                    self.fresh,
                    self.dice,
                    key0,
                    key1,
                    worlds,
                    last,
                    self.wins,
                    self.margins,
                )
            )
            tries += (last - worlds) * int(active.sum())
            worlds = last
            values = self.values(number, worlds)
            means = values.mean(axis=1)
            means[0] += self.p.bonus
            means[~active] = -1
            best = int(np.argmax(means))
            diffs = values[best] - values
            se = diffs.std(axis=1) / np.sqrt(worlds)
            active &= ~(means[best] - means > self.p.prune * se + 1e-9) | (np.arange(number) == best)
            elapsed = time.perf_counter() - started
            if active.sum() <= 1 or worlds >= WORLDS:
                break
            if self.seconds is not None and elapsed >= self.seconds:
                break
            if self.iterations is not None and tries >= self.iterations:
                break
            step = 4 if worlds < 64 else 8
        diffs = values - values[0]
        low = diffs.mean(axis=1) - self.p.z * diffs.std(axis=1) / np.sqrt(worlds) - self.p.bonus
        low[0] = 0
        low[~active] = -1
        best = int(np.argmax(low))
        self.spent += time.perf_counter() - started
        self.searched += 1
        self.total_worlds += worlds
        return int(candidates[best])
