"""The loop that a GPU's threads run together. It contains no rules."""
