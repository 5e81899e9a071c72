"""Networks that learn to play: imitation of `planner`, then self-play. `branchline train` runs it; the extra `[train]` has PyTorch."""
