"""Counting, from the tables of a simulation into small ones: one module per subject."""
