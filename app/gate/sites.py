"""Which sites somebody allowed the run to be on; one that a page led to by itself is marked on the next question."""

from collections.abc import Iterable

from app.core.ask import Ask
from app.gate.url_policy import origin_of


class Sites:
    """Of one run. Origins come in by the run file, by an address that was allowed, by an act allowed there by hand."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = {origin for origin in known if origin}
        self._by_hand = False

    def unasked(self, ask: Ask) -> bool:
        """Whether the page of `ask` is on a site that nobody has allowed."""
        site = _site(ask)
        if not site:
            return False
        if self._by_hand:
            self._by_hand = False
            self._known.add(site)
        return site not in self._known

    def brought_by_hand(self) -> None:
        """A person has had the browser: wherever the page is next, they left it there."""
        self._by_hand = True

    def allowed(self, ask: Ask, *, by_hand: bool) -> None:
        """It was allowed: the address it names may be gone to, and a person has seen where its page is."""
        if ask.url is not None:
            self._known.add(origin_of(ask.url))
        elif by_hand:
            self._known.add(_site(ask))


def _site(ask: Ask) -> str:
    """The site of its page; a page can give up its own origin, not the address that it came from."""
    page = ask.evidence.page
    if page is None:
        return ""
    return page.origin if page.origin.startswith(("http://", "https://")) else origin_of(page.url)
