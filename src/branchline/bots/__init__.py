"""Bots: each gets a view and answers with a decision. Compiled bots are policies (policies.py), so that whole games run compiled."""

from branchline.bots.base import (
    Bot,
    BotError,
    BotOptionError,
    ClosingBot,
    ExplainingBot,
    PolicyBot,
    PreparedBot,
    WatchingBot,
    Witness,
    WrongNumberOfBots,
    begin_game,
    check_bot,
    dismiss,
    is_policy,
)
from branchline.bots.guard import Fault, GuardedBot
from branchline.bots.own_function import CompiledBot, compiled_bot
from branchline.bots.registry import FACTORIES, available_bots, make_bot

__all__ = [
    "FACTORIES",
    "Bot",
    "BotError",
    "BotOptionError",
    "ClosingBot",
    "CompiledBot",
    "ExplainingBot",
    "Fault",
    "GuardedBot",
    "PolicyBot",
    "PreparedBot",
    "WatchingBot",
    "Witness",
    "WrongNumberOfBots",
    "available_bots",
    "begin_game",
    "check_bot",
    "compiled_bot",
    "dismiss",
    "is_policy",
    "make_bot",
]
