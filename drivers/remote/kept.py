"""Whether a browser that somebody else started really keeps to the run's proxy: tried, not believed."""

from __future__ import annotations

import asyncio
import contextlib
import secrets

from playwright.async_api import BrowserContext, Error, Page

from drivers.browser.proxy import Proxy
from drivers.remote.endpoint import RemoteMissing

TRIAL_SECS = 30.0
PAST_IT = (
    "This browser cannot be kept to allow_origins and allow_private_network: {why}. Leave both out, or start the "
    "browser {how}."
)
NO_TUNNEL = ("it does not go through this machine", "on this machine, without a tunnel")
NO_CALLS = ("WebRTC goes past the proxy", "with --webrtc-ip-handling-policy=disable_non_proxied_udp")
_GATHER = """port => new Promise(done => {
    if (typeof RTCPeerConnection === "undefined") return done();
    const call = new RTCPeerConnection({iceServers: [{urls: `stun:127.0.0.1:${port}`}]});
    const over = () => { call.close(); done(); };
    call.onicegatheringstatechange = () => call.iceGatheringState === "complete" && over();
    call.createDataChannel("");
    call.createOffer().then(offer => call.setLocalDescription(offer)).catch(over);
    setTimeout(over, 5000);
})"""


class _Heard(asyncio.DatagramProtocol):
    """Takes whatever is sent to it, and remembers that something was."""

    def __init__(self) -> None:
        self.anything = False

    def datagram_received(self, data: bytes, addr: object) -> None:
        """Remember it."""
        self.anything = True


async def require_kept(context: BrowserContext, proxy: Proxy) -> None:
    """Try both ways out in tabs of the run's own, which are closed again. Raises :class:`RemoteMissing`."""
    for trial, (why, how) in ((_comes_through, NO_TUNNEL), (_calls_stay_in, NO_CALLS)):
        page = await context.new_page()
        try:
            if not await trial(page, proxy):
                raise RemoteMissing(PAST_IT.format(why=why, how=how))
        finally:
            await page.close()


async def _comes_through(page: Page, proxy: Proxy) -> bool:
    # Nobody can have guessed this name, so whoever asks for it is this browser.
    proxy.awaited = name = f"{secrets.token_hex(16)}.invalid"
    with contextlib.suppress(Error, TimeoutError):
        # There is no such place. What counts is where it is looked for.
        await asyncio.wait_for(page.goto(f"http://{name}/"), TRIAL_SECS)
    return proxy.awaited is None


async def _calls_stay_in(page: Page, proxy: Proxy) -> bool:
    loop = asyncio.get_running_loop()
    transport, heard = await loop.create_datagram_endpoint(_Heard, local_addr=("127.0.0.1", 0))
    try:
        await asyncio.wait_for(page.evaluate(_GATHER, transport.get_extra_info("sockname")[1]), TRIAL_SECS)
    except TimeoutError:
        return False
    finally:
        transport.close()
    return not heard.anything
