"""Who sits where in a batch: the bots that come with Branchline, and your own functions, `module:function`, marked `@rule`."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from branchline import compiling
from branchline.bots.base import BotError, BotOptionError, check_bot, is_policy
from branchline.bots.compiled.policies import FAULTS, GREEDY, LEARNED, PLANNER, POLICIES, RANDOM, ask_greedy, ask_planner, ask_without_network, choose
from branchline.rules.bits import has

ALONE = {GREEDY: ask_greedy, PLANNER: ask_planner}
PARAMETERS = 5  # choose(board, seen, mask, thoughts, dice)


@dataclass(frozen=True)
class Seating:
    """The policy number of each seat, and the function that asks them if some are not built in."""

    bots: tuple[str, ...]
    policies: np.ndarray[Any, Any]
    ask: Any  # None: built-in bots only


def seat(bots: list[str]) -> Seating:
    """Take one bot per seat. Your own functions get policy numbers after the built-in ones."""
    own = [name for name in dict.fromkeys(bots) if not is_policy(name)]
    numbers = POLICIES | {name: len(POLICIES) + place for place, name in enumerate(own)}
    ask, built_in = None, choose if "learned" in bots else ask_without_network
    for name in own:
        ask = either(numbers[name], own_function(name), built_in if ask is None else ask)
    return Seating(tuple(bots), np.array([numbers[name] for name in bots], np.int64), ask)


def asks(seating: Seating) -> Any:
    """For a GPU: the function that asks the bots, with nothing in it that they do not need."""
    others = {int(policy) for policy in seating.policies if policy != RANDOM}
    if LEARNED in others:
        raise BotOptionError("the bot 'learned' thinks on the CPU: leave out --device cuda, or play against other bots there")
    if seating.ask is not None:
        return seating.ask
    return ALONE[others.pop()] if len(others) == 1 else ask_without_network


def own_function(name: str) -> Any:
    """The function that `module:function` names. Raises an error that says which bots can play here."""
    from branchline.bots.registry import available_bots, imported

    if ":" not in name and name.partition("@")[0] not in available_bots():
        check_bot(name)
    found = imported(name) if ":" in name else None
    if not is_rule(found):
        raise BotOptionError(
            f"the bot {name!r} is not compiled; simulations take {', '.join(POLICIES)} and your own functions marked @rule, "
            "choose(board, seen, mask, thoughts, dice): use `branchline arena` for others"
        )
    return found


def is_rule(found: Any) -> bool:
    """In plain mode a rule is a function like any other; only its parameters tell."""
    written = getattr(found, "py_func", found)
    is_marked = inspect.isfunction(written) and (compiling.MODE == "plain" or written is not found)
    return is_marked and len(inspect.signature(written).parameters) == PARAMETERS


@cache
def either(number: int, function: Any, others: Any) -> Any:
    """Ask the function if the policy has its number, otherwise the others. Whatever it answers, only a legal decision is played."""

    def ask(policy, board, seen, mask, thoughts, dice):  # type: ignore[no-untyped-def]  # compiled: types come from the call
        if policy != number:
            return others(policy, board, seen, mask, thoughts, dice)
        decision = np.int64(function(board, seen, mask, thoughts, dice))
        if 0 <= decision < 64 * mask.shape[0] and has(mask, decision):
            return decision
        if dice.shape[0] > FAULTS:
            dice[FAULTS] += np.uint64(1)
        return ask_without_network(GREEDY, board, seen, mask, thoughts, dice)

    return compiling.rule(ask)


def check_faults(bots: tuple[str, ...], faults: Any) -> None:
    """Illegal answers spoil a bot's games: better no figures than wrong ones."""
    for name, number in zip(bots, faults, strict=False):
        if number:
            raise BotError(f"the bot {name!r} answered {number} times with a decision that is not legal; run `branchline check-bot` on it")
