"""Bots: each is given a view and answers with a decision. Compiled ones are policies (policies.py), so that whole games run compiled."""

from branchline.bots.base import Bot, BotError, PolicyBot, available_bots, check_bot, make_bot

__all__ = ["Bot", "BotError", "PolicyBot", "available_bots", "check_bot", "make_bot"]
