"""The demo site, a table booking on loopback that really saves what is booked and can be asked for it."""

from datetime import date
from pathlib import Path
from typing import Self
from urllib.parse import parse_qsl

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from app.rehearsal import site_pages as pages
from app.rehearsal.bookings import FIRST_DAY, Booking, Bookings
from app.rehearsal.loopback import HOST, Loopback

# The site asks nothing of the network, and its forms go nowhere else.
_HEADERS = {
    "content-security-policy": "default-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'",
    "cache-control": "no-store",
}


class DemoSite:
    """Serves from `start` to `stop`; the bookings can be read from any thread, also after `stop`."""

    def __init__(self, *, port: int = 0, first_day: date = FIRST_DAY, file: Path | None = None) -> None:
        self._bookings = Bookings(first_day=first_day, file=file)
        hosts = Middleware(TrustedHostMiddleware, allowed_hosts=[HOST, "localhost"])
        application = Starlette(routes=self._routes(), middleware=[hosts], exception_handlers={404: _missing})
        self._loopback = Loopback(application, what="The demo site", port=port)

    def start(self) -> str:
        """Serve, and return the base URL, without a slash at its end. Raises `RehearsalProblem` for a taken port."""
        return self._loopback.start()

    def stop(self) -> None:
        """End the service."""
        self._loopback.stop()

    @property
    def bookings(self) -> list[Booking]:
        """All bookings up to now, cancelled ones too."""
        return self._bookings.all()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _routes(self) -> list[Route]:
        return [
            Route("/", self._on_tables),
            Route("/book", self._on_form),
            Route("/book", self._on_reserve, methods=["POST"]),
            Route("/bookings/{reference}", self._on_booking),
            Route("/bookings/{reference}/cancel", self._on_ask_cancel),
            Route("/bookings/{reference}/cancel", self._on_cancel, methods=["POST"]),
            Route("/hours", self._on_hours),
            Route("/help", self._on_help),
            Route("/api/bookings", self._on_api),
            Route("/site.css", self._on_style),
        ]

    async def _on_tables(self, _: Request) -> Response:
        return _html(pages.tables_page(self._bookings))

    async def _on_form(self, request: Request) -> Response:
        return _html(pages.form_page(self._bookings, dict(request.query_params), {}))

    async def _on_reserve(self, request: Request) -> Response:
        form = dict(parse_qsl((await request.body()).decode("utf-8", "replace")))
        if wrong := self._bookings.wrong_fields(form):
            return _html(pages.form_page(self._bookings, form, wrong), status=422)
        return _see_other(self._bookings.reserve(form))

    async def _on_booking(self, request: Request) -> Response:
        booking = self._bookings.find(request.path_params["reference"])
        return _html(pages.booking_page(booking)) if booking else await _missing(request)

    async def _on_ask_cancel(self, request: Request) -> Response:
        booking = self._bookings.find(request.path_params["reference"])
        return _html(pages.cancel_page(booking)) if booking else await _missing(request)

    async def _on_cancel(self, request: Request) -> Response:
        booking = self._bookings.cancel(request.path_params["reference"])
        return _see_other(booking) if booking else await _missing(request)

    async def _on_hours(self, _: Request) -> Response:
        return _html(pages.hours_page())

    async def _on_help(self, _: Request) -> Response:
        return _html(pages.help_page())

    async def _on_api(self, _: Request) -> Response:
        return JSONResponse(self._bookings.as_json())

    async def _on_style(self, _: Request) -> Response:
        return Response(pages.resource("site.css"), media_type="text/css", headers=_HEADERS)


def _html(page: str, *, status: int = 200) -> Response:
    return HTMLResponse(page, status_code=status, headers=_HEADERS)


def _see_other(booking: Booking) -> Response:
    return RedirectResponse(f"/bookings/{booking.reference}", status_code=303)


async def _missing(_: Request, __: Exception | None = None) -> Response:
    return _html(pages.missing_page(), status=404)
