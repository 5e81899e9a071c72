"""Who sits where in a batch: the bots that come with Branchline, and functions of somebody's own, `module:function`, marked `@rule`."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from branchline import compiling
from branchline.bots.base import BotError, BotOptionError, check_bot, is_policy
from branchline.bots.compiled.policies import FAULTS, GREEDY, PLANNER, POLICIES, RANDOM, ask_greedy, ask_planner, choose
from branchline.rules.bits import has

ALONE = {GREEDY: ask_greedy, PLANNER: ask_planner}
PARAMETERS = 5  # choose(board, seen, mask, thoughts, dice)


@dataclass(frozen=True)
class Seating:
    """The policy of each seat by number, and what asks them if some are not built in."""

    bots: tuple[str, ...]
    policies: np.ndarray[Any, Any]
    ask: Any  # None: the built-in ones only


def seat(bots: list[str]) -> Seating:
    """One bot a seat. A function of somebody's own has a policy number beyond the built-in ones."""
    own = [name for name in dict.fromkeys(bots) if not is_policy(name)]
    numbers = POLICIES | {name: len(POLICIES) + place for place, name in enumerate(own)}
    ask = None
    for name in own:
        ask = either(numbers[name], own_function(name), choose if ask is None else ask)
    return Seating(tuple(bots), np.array([numbers[name] for name in bots], np.int64), ask)


def asks(seating: Seating) -> Any:
    """What asks the bots, with no more in it than they need; None: all built-in ones."""
    others = {int(policy) for policy in seating.policies if policy != RANDOM}
    return ALONE[others.pop()] if seating.ask is None and len(others) == 1 else seating.ask


def own_function(name: str) -> Any:
    """The function that `module:function` names, or an error that says who can play here."""
    from branchline.bots.registry import available_bots, imported

    if ":" not in name and name.partition("@")[0] not in available_bots():
        check_bot(name)
    found = imported(name) if ":" in name else None
    if not is_rule(found):
        raise BotOptionError(
            f"the bot {name!r} is not compiled; in a simulation {', '.join(POLICIES)} and your own functions marked @rule play, "
            "choose(board, seen, mask, thoughts, dice): use `branchline arena` for others"
        )
    return found


def is_rule(found: Any) -> bool:
    """In plain mode a rule is a function like any other, but for its parameters."""
    written = getattr(found, "py_func", found)
    is_marked = inspect.isfunction(written) and (compiling.MODE == "plain" or written is not found)
    return is_marked and len(inspect.signature(written).parameters) == PARAMETERS


@cache
def either(number: int, function: Any, others: Any) -> Any:
    """Asks the function if the policy has its number, else the others. Whatever it answers, only a legal decision is played."""

    def ask(policy, board, seen, mask, thoughts, dice):  # type: ignore[no-untyped-def]  # compiled: types come from the call
        if policy != number:
            return others(policy, board, seen, mask, thoughts, dice)
        decision = np.int64(function(board, seen, mask, thoughts, dice))
        if 0 <= decision < 64 * mask.shape[0] and has(mask, decision):
            return decision
        if dice.shape[0] > FAULTS:
            dice[FAULTS] += np.uint64(1)
        return choose(GREEDY, board, seen, mask, thoughts, dice)

    return compiling.rule(ask)


def check_faults(bots: tuple[str, ...], faults: Any) -> None:
    """A bot that answers with what is not legal spoils its games: better no figures than wrong ones."""
    for name, number in zip(bots, faults, strict=False):
        if number:
            raise BotError(f"the bot {name!r} answered {number} times with a decision that is not legal; see with `branchline check-bot`")
