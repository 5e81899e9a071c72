"""Loops over many games that Numba compiles: whole games, single steps, observations. They contain no rules."""
