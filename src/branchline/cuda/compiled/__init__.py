"""The loop that a GPU's threads run together. It holds no rule."""
