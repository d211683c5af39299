"""What can go wrong, as people are told it: each carries the exit code of the command-line contract."""


class SignalboxError(Exception):
    """A failure with words for a person: what is wrong, and where. Never holds text of a page or a model."""

    exit_code = 1


class UsageProblem(SignalboxError):
    """Wrong usage or a bad run file; names the file, the key and the line."""

    exit_code = 2


class MissingHere(SignalboxError):
    """Something this machine lacks (a browser, a key, a library); says how to get it."""

    exit_code = 3


class StartPageProblem(SignalboxError):
    """The page that a run begins on could not be opened; names its address."""


class ToolServerProblem(SignalboxError):
    """A local server of functions cannot be started or does not speak; names it."""


class LedgerProblem(SignalboxError):
    """A ledger that cannot be opened or read: not one, damaged, from the future."""


class LedgerInUse(LedgerProblem):
    """Another console owns the run; names the process."""


class NotDurable(LedgerProblem):
    """A write did not reach the disk. After it no further effect may start in that run."""


class RehearsalProblem(SignalboxError):
    """The scripted model or the demo site cannot serve: a port taken, a scenario that asks for what is not there."""
