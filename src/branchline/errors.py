"""What can go wrong when somebody plays: each error says what to do about it."""


class BranchlineError(ValueError):
    """Any error that a user of Branchline can cause."""


class NotADecision(BranchlineError):
    """The game has no such decision at all."""


class IllegalDecision(BranchlineError):
    """The decision exists, but is not allowed now."""


class GameOver(IllegalDecision):
    """Nothing can be decided any more."""


class GameOptionError(BranchlineError):
    """A game cannot be played like this: an unknown game, a wrong number of players, a wrong seed."""


class RecordError(BranchlineError):
    """A game record cannot be read, or does not agree with the rules."""
