"""Games for Python: what is played, what each seat may know of it, what happened, and what came of it."""
