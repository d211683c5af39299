"""What a plan says of a browser or desktop elsewhere, with the secret that the key store keeps for it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from app import keystore
from app.core.computer_plan import ComputerPlan
from app.core.errors import MissingHere, UsageProblem
from app.core.plan import BrowserPlan
from app.core.remote_plan import RemoteBrowserPlan, RemoteDesktopPlan

if TYPE_CHECKING:
    from drivers.browser.launch import LaunchOptions
    from drivers.browser.session import BrowserSession
    from drivers.desktop.session import Desktop
    from drivers.remote.browser import RemoteBrowser
    from drivers.remote.endpoint import Endpoint, Secret

Plan = RemoteBrowserPlan | RemoteDesktopPlan
SCHEMES = ("https", "http", "wss", "ws", "vnc")


async def attached(plan: RemoteBrowserPlan, options: "LaunchOptions") -> "BrowserSession":
    """A session in that browser. Raises `MissingHere`; nothing was done there then."""
    from drivers.remote.browser import RemoteBrowserSession
    from drivers.remote.endpoint import RemoteMissing

    try:
        # The key store may wait for a person whom the system asks to unlock it.
        remote = await asyncio.to_thread(remote_browser, plan)
        return await RemoteBrowserSession.attach(remote, options)
    except (RemoteMissing, keystore.NoKeyStore) as missing:
        raise MissingHere(str(missing)) from missing


@asynccontextmanager
async def desktop(plan: ComputerPlan) -> AsyncIterator["Desktop"]:
    """That desktop while it is connected to. Raises `MissingHere`; nothing was done there then."""
    from drivers.remote.desktop import SCHEMES, open_remote_desktop
    from drivers.remote.endpoint import RemoteMissing

    assert plan.remote is not None
    try:
        endpoint = await asyncio.to_thread(_endpoint, plan.remote, SCHEMES, "", with_secret=True)
        any_letter = plan.remote.any_letter
        async with open_remote_desktop(endpoint, picture_at_most=plan.picture_at_most, any_letter=any_letter) as opened:
            yield opened
    except (RemoteMissing, keystore.NoKeyStore) as missing:
        raise MissingHere(str(missing)) from missing


def require_remote_browser(plan: BrowserPlan, options: "LaunchOptions") -> None:
    """What can be said without asking anybody there. Raises `MissingHere`."""
    from drivers.remote.endpoint import RemoteMissing

    assert plan.remote is not None
    try:
        remote_browser(plan.remote, with_secret=False).require_usable(options)
    except RemoteMissing as missing:
        raise MissingHere(str(missing)) from missing


def reach(plan: Plan) -> bool:
    """Connect and hang up, without a secret; False where it may be elsewhere in the clear. Raises `MissingHere`."""
    from drivers.remote.endpoint import RemoteMissing

    try:
        endpoint = _endpoint(plan, SCHEMES, "", with_secret=False)
        asyncio.run(endpoint.probe())
    except RemoteMissing as missing:
        raise MissingHere(str(missing)) from missing
    return not (endpoint.is_plain_elsewhere and endpoint.allow_plain)


def place_of(address: str, *, allow_plain: bool) -> str:
    """What a secret for that address is kept for. Raises `UsageProblem`."""
    from drivers.remote.endpoint import Endpoint, RemoteMissing

    try:
        return Endpoint.at(address, schemes=SCHEMES, allow_plain=allow_plain).place
    except RemoteMissing as missing:
        raise UsageProblem(str(missing)) from missing


def remote_browser(plan: RemoteBrowserPlan, *, with_secret: bool = True) -> "RemoteBrowser":
    """The browser that is meant. Raises `RemoteMissing`, `NoKeyStore`; may wait for a person."""
    from drivers.remote.browser import SCHEMES, RemoteBrowser

    return RemoteBrowser(plan.via, _endpoint(plan, SCHEMES[plan.via], plan.secret_as, with_secret=with_secret))


def _endpoint(plan: Plan, schemes: tuple[str, ...], sent_as: str, *, with_secret: bool) -> "Endpoint":
    from drivers.remote.endpoint import Endpoint

    def at(secret: "Secret | None") -> Endpoint:
        return Endpoint.at(
            plan.address,
            schemes=schemes,
            certificate=Path(plan.certificate) if plan.certificate else None,
            secret=secret,
            user=plan.user if isinstance(plan, RemoteDesktopPlan) else "",
            allow_plain=plan.allow_plain,
        )

    if plan.secret is None or not with_secret:
        return at(None)
    from drivers.remote.endpoint import Secret

    return at(Secret(keystore.secret_for(plan.secret, at(None).place), sent_as))
