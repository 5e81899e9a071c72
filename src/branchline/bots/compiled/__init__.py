"""Bots that Numba compiles: they see a view and choose a legal decision."""
