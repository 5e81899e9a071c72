"""What designers ask of a board: what is wrong with it, and how to balance it."""
