"""Branchline in the terminal: playing, replaying, showing boards, checking bots."""
