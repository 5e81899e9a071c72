"""What can go wrong with a cluster."""

from __future__ import annotations

from branchline.errors import BranchlineError, UsageError


class ClusterError(BranchlineError):
    """The cluster cannot be used, or has gone away."""


class ClusterOptionError(ClusterError, UsageError):
    """What was asked for cannot be done on a cluster."""


class WorkFailed(ClusterError):
    """Something went wrong on a worker. It is told in words: not every error can be sent to another process."""


class WorkersDied(ClusterError):
    """Whoever takes up a task dies."""
