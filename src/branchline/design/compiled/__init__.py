"""What Numba compiles to look back at finished games. It contains no rules."""
