"""One approval, one action: what the gate allowed, until the effect that it was given for takes it."""

from app.core.ask import Ask


class NoPermit(Exception):
    """An effect was about to start that nobody allowed in exactly this form."""


class PermitBook:
    """Permits by call and part. Each is taken at most once, and only with the digest it was given for."""

    def __init__(self) -> None:
        self._asks: dict[tuple[str, int], Ask] = {}

    def give(self, ask: Ask) -> None:
        """Permit what `ask` asked about, once."""
        self._asks[(ask.call_id, ask.part)] = ask

    def has(self, call_id: str, part: int) -> bool:
        """Whether that call and part is permitted and has not been done."""
        return (call_id, part) in self._asks

    def take(self, call_id: str, part: int, digest: str) -> Ask:
        """Spend the permit of that call and part.

        Raises:
            NoPermit: there is none, it is spent, or it was given for something else.
        """
        ask = self._asks.pop((call_id, part), None)
        if ask is None:
            raise NoPermit("nobody allowed this action")
        if ask.digest != digest:
            raise NoPermit("what was allowed is not what is about to run")
        return ask

    def void(self) -> None:
        """Forget every permit that has not been taken."""
        self._asks.clear()
