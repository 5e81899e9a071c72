"""Compiled code that only single games need."""
