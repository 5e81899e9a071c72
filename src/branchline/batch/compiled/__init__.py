"""Loops over many games that Numba compiles: whole games, single steps, observations. None holds a rule."""
