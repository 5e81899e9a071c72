"""Games for Python: the game itself, what each seat may know, what happened, and the result."""
