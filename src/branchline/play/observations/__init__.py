"""Observations: what a seat sees as a row of numbers, for networks."""
