"""Bots that Numba compiles: they see a view, and choose one of the legal decisions."""
