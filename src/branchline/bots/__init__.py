"""Bots: each gets a view and answers with a decision. Compiled bots are policies (policies.py), so that whole games run compiled."""

from branchline.bots.base import Bot, BotError, BotOptionError, ExplainingBot, PolicyBot, PreparedBot, begin_game, check_bot, is_policy
from branchline.bots.guard import Fault, GuardedBot
from branchline.bots.own_function import CompiledBot, compiled_bot
from branchline.bots.registry import FACTORIES, available_bots, make_bot

__all__ = [
    "FACTORIES",
    "Bot",
    "BotError",
    "BotOptionError",
    "CompiledBot",
    "ExplainingBot",
    "Fault",
    "GuardedBot",
    "PolicyBot",
    "PreparedBot",
    "available_bots",
    "begin_game",
    "check_bot",
    "compiled_bot",
    "is_policy",
    "make_bot",
]
