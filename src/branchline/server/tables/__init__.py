"""Tables: their logs, what results from them, who sees what, and what happens by itself."""
