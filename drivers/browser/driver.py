"""The object handed to the SDK's browser toolset: one method a member, each passed on to the part that owns it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from openai.lib.browser import (
    BROWSER_MEMBERS,
    BrowserFileInput,
    BrowserFileOutcome,
    BrowserReadV1,
    BrowserScopedReadV1,
    BrowserState,
    ClickAtInput,
    ClickInput,
    DragPathInput,
    FindInput,
    HoldKeysInput,
    HoverAtInput,
    KeyInput,
    NavigateInput,
    NewTabInput,
    ReadDiagnosticsInput,
    ReadPageInput,
    ReadPageScopedInput,
    RunScriptInput,
    ScrollInput,
    SelectOptionInput,
    SetCheckedInput,
    TabInput,
    TypeInput,
    WaitForInput,
    ZoomInput,
)
from openai.types.responses import ResponseInputImageContentParam
from playwright.async_api import Browser, BrowserContext

from drivers.browser.camera import Camera, Picture
from drivers.browser.choosing import Chooser
from drivers.browser.diagnostics import Diagnostics
from drivers.browser.evidence import PageFacts, TargetEvidence, Witness
from drivers.browser.files import Transfers
from drivers.browser.grants import GrantFacts, Grants
from drivers.browser.guard import Gatekeeper
from drivers.browser.human import Human
from drivers.browser.launch import LaunchOptions
from drivers.browser.navigation import Navigator
from drivers.browser.observation import Journal, PageChange
from drivers.browser.pointer import Pointer
from drivers.browser.points import Points
from drivers.browser.proxy import Proxy
from drivers.browser.reads import Reader
from drivers.browser.refs import Refs
from drivers.browser.screencast import Frame, Screencast
from drivers.browser.script import ScriptRunner
from drivers.browser.state import StateReader
from drivers.browser.tabs import Tabs
from drivers.browser.typing import Typist
from drivers.errors import BrowserError, Cancelled, NotDone, stop_if

if TYPE_CHECKING:
    from drivers.browser.tabs import Tab


class BrowserDriver:
    """Every member ends within a stated time. :class:`drivers.errors.NotDone` means that nothing was done;
    any other failure of an action means that it may have happened.
    """

    def __init__(
        self, browser: Browser, context: BrowserContext, options: LaunchOptions, proxy: Proxy | None = None
    ) -> None:
        self.journal = Journal()
        self.tabs = Tabs(context, self.journal)
        self.refs = Refs()
        self.reader = Reader(self.refs)
        self.witness = Witness(self.tabs, self.refs)
        self.pointer = Pointer(self.tabs, self.refs, self.witness)
        self.typist = Typist(self.tabs, self.witness, self.pointer)
        self.chooser = Chooser(self.tabs, self.refs, self.pointer)
        self.points = Points(self.tabs, self.witness, self.pointer)
        self.camera = Camera(self.tabs, options.device_scale)
        self.navigator = Navigator(self.tabs, self.reader)
        self.diagnostics = Diagnostics(self.tabs)
        self.scripts = ScriptRunner(self.tabs)
        self.grants = Grants(options.downloads)
        """File grants are issued here, by the application."""
        self.transfers = Transfers(self.tabs, self.refs, self.grants)
        self.screencast = Screencast(self.tabs)
        self.human = Human(self.tabs, self.refs)
        """A person's own input; not for the model."""
        self._states = StateReader(browser, self.tabs, self.journal)
        self.options = options
        self.tabs.on_switch = self._follow
        if options.request_guard is not None and proxy is not None:
            Gatekeeper(options.request_guard, self.tabs, proxy)
        self.navigator.proxy = proxy

    async def begin(self) -> None:
        """Called once by the session, before anything else."""
        await self._states.begin()
        await self.tabs.open()

    async def end(self) -> None:
        """Called once by the session; background work of the driver ends."""
        await self.screencast.stop()
        self.tabs.on_switch = None
        await self.tabs.end_tasks()
        self.diagnostics.end()
        self.grants.close()

    def _follow(self) -> None:
        self.tabs.spawn(self.screencast.follow(), "follow the active tab")

    # What the toolset calls -----------------------------------------------------------------------------------

    @property
    def members(self) -> list[str]:
        """The members this driver implements, in the SDK's order; pass it to the toolset."""
        return [name for name in BROWSER_MEMBERS if name == "list_tabs" or hasattr(type(self), name)]

    async def state(self) -> BrowserState:
        """All tabs with observation metadata; never raises, whatever the pages do."""
        return cast(BrowserState, await self._states.read())

    async def navigate(self, action: NavigateInput, *, cancelled: Cancelled = None) -> str:
        """Open an address, or go ``back``, ``forward`` or ``reload``."""
        return await self.navigator.go(self.tabs.get(action["tab_id"]), action["url"], cancelled=cancelled)

    async def read_page(self, action: ReadPageInput, *, cancelled: Cancelled = None) -> BrowserReadV1:
        """Text and controls, or the controls alone for the filter "interactive"."""
        stop_if(cancelled)
        return await self.reader.page(self._tab(action["tab_id"]), interactive=action["filter"] == "interactive")

    async def get_page_text(self, action: TabInput, *, cancelled: Cancelled = None) -> BrowserReadV1:
        """The visible text with its links' addresses."""
        stop_if(cancelled)
        return await self.reader.text(self._tab(action["tab_id"]))

    async def find(self, action: FindInput, *, cancelled: Cancelled = None) -> BrowserReadV1:
        """The controls that fit some words best, best first."""
        stop_if(cancelled)
        return await self.reader.find(self._tab(action["tab_id"]), action["query"])

    async def click(self, action: ClickInput, *, cancelled: Cancelled = None) -> None:
        """Press the referenced element."""
        await self.pointer.click(action["target"], tab_id=action["tab_id"], cancelled=cancelled)

    async def hover(self, action: ClickInput, *, cancelled: Cancelled = None) -> None:
        """Move the pointer over the referenced element."""
        await self.pointer.hover(action["target"], tab_id=action["tab_id"], cancelled=cancelled)

    async def scroll_to(self, action: ClickInput, *, cancelled: Cancelled = None) -> None:
        """Scroll the referenced element into view."""
        await self.pointer.reveal(action["target"], tab_id=action["tab_id"], cancelled=cancelled)

    async def type(self, action: TypeInput, *, cancelled: Cancelled = None) -> str | None:
        """Replace what the referenced field holds, or type at the focus for a null target."""
        target = action["target"]
        if target is None:
            return await self.typist.type_at_focus(self._tab(action["tab_id"]), action["text"], cancelled=cancelled)
        return await self.typist.fill(target, action["text"], tab_id=action["tab_id"], cancelled=cancelled)

    async def key(self, action: KeyInput, *, cancelled: Cancelled = None) -> None:
        """Press key chords one after another."""
        await self.typist.press(self._tab(action["tab_id"]), list(action["keys"]), cancelled=cancelled)

    async def scroll(self, action: ScrollInput, *, cancelled: Cancelled = None) -> str:
        """Turn the wheel over the middle of the view by *amount* CSS pixels."""
        tab, amount = self._tab(action["tab_id"]), action["amount"]
        stop_if(cancelled)
        dx, dy = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}[action["direction"]]
        if amount > MOST_SCROLL:
            raise NotDone(f"At most {MOST_SCROLL} CSS pixels can be scrolled at once.")
        moved = await self.pointer.scroll(tab, dx * amount, dy * amount)
        return "Scrolled." if moved else "Nothing scrolled: this is the end, or nothing here scrolls that way."

    async def select_option(self, action: SelectOptionInput, *, cancelled: Cancelled = None) -> str | None:
        """Choose options of a list by value or label."""
        values = list(action["values"])
        return await self.chooser.choose(action["target"], values, tab_id=action["tab_id"], cancelled=cancelled)

    async def set_checked(self, action: SetCheckedInput, *, cancelled: Cancelled = None) -> None:
        """Bring a checkbox, switch or radio button into the wanted state."""
        target, checked = action["target"], action["checked"]
        await self.chooser.check_box(target, checked, tab_id=action["tab_id"], cancelled=cancelled)

    async def click_at(self, action: ClickAtInput, *, cancelled: Cancelled = None) -> None:
        """Press at a point of the viewport, in CSS pixels."""
        tab, at = self._tab(action["tab_id"]), (action["x"], action["y"])
        button, count, keys = action["button"], action["click_count"], action["keys"]
        await self.points.click(tab, at, button=button, count=count, keys=keys, cancelled=cancelled)

    async def hover_at(self, action: HoverAtInput, *, cancelled: Cancelled = None) -> None:
        """Move the pointer to a point of the viewport."""
        await self.points.move(self._tab(action["tab_id"]), (action["x"], action["y"]), cancelled=cancelled)

    async def drag_path(self, action: DragPathInput, *, cancelled: Cancelled = None) -> None:
        """Drag through points of the viewport."""
        path = [(point["x"], point["y"]) for point in action["path"]]
        await self.points.drag(self._tab(action["tab_id"]), path, keys=action["keys"], cancelled=cancelled)

    async def hold_keys(self, action: HoldKeysInput, *, cancelled: Cancelled = None) -> None:
        """Hold keys down together for a time."""
        tab = self._tab(action["tab_id"])
        await self.points.hold(tab, action["keys"], action["duration_ms"], cancelled=cancelled)

    async def screenshot(self, action: TabInput, *, cancelled: Cancelled = None) -> ResponseInputImageContentParam:
        """The viewport as a PNG, one pixel for each CSS pixel."""
        stop_if(cancelled)
        return await self.camera.for_model(self._tab(action["tab_id"]))

    async def zoom(self, action: ZoomInput, *, cancelled: Cancelled = None) -> ResponseInputImageContentParam:
        """A part of the viewport at full resolution."""
        stop_if(cancelled)
        left, top, right, bottom = action["region"]
        return await self.camera.zoomed(self._tab(action["tab_id"]), (left, top, right, bottom))

    async def read_page_scoped(
        self, action: ReadPageScopedInput, *, cancelled: Cancelled = None
    ) -> BrowserScopedReadV1:
        """The sections of a page for a null root, else the text and controls of one section."""
        stop_if(cancelled)
        tab, interactive = self._tab(action["tab_id"]), action["filter"] == "interactive"
        return await self.reader.scoped(tab, action["root"], depth=action["depth"], interactive=interactive)

    async def read_diagnostics(self, action: ReadDiagnosticsInput, *, cancelled: Cancelled = None) -> BrowserReadV1:
        """The newest lines of a tab's console or network log, without anything secret."""
        stop_if(cancelled)
        return self.diagnostics.read(self._tab(action["tab_id"]), action["source"], action["limit"])

    async def run_script(self, action: RunScriptInput, *, cancelled: Cancelled = None) -> str:
        """Run an approved script with the page's rights."""
        tab = self._tab(action["tab_id"])
        return await self.scripts.run(tab, action["source"], action["timeout_ms"], cancelled=cancelled)

    async def upload_file(self, action: BrowserFileInput, *, cancelled: Cancelled = None) -> BrowserFileOutcome:
        """Give a granted file to the page."""
        return await self.transfers.upload(action["grant_id"], cancelled=cancelled)

    async def download_file(self, action: BrowserFileInput, *, cancelled: Cancelled = None) -> BrowserFileOutcome:
        """Fetch a granted address into the quarantine folder."""
        return await self.transfers.download(action["grant_id"], cancelled=cancelled)

    async def plain_text(self, tab_id: str | None = None) -> str:
        """The visible words of the page alone, on one line; for whoever looks on, and no member of the toolset."""
        return await self.reader.plain(self._tab(tab_id))

    async def wait_for(self, action: WaitForInput, *, cancelled: Cancelled = None) -> str:
        """Wait until some text can be read."""
        tab = self._tab(action["tab_id"])
        return await self.navigator.wait_for(tab, action["text"], action["timeout_ms"], cancelled=cancelled)

    async def new_tab(self, action: NewTabInput, *, cancelled: Cancelled = None) -> str:
        """Open a tab, make it active and go to the address if there is one."""
        url = action["url"]
        if url is not None:
            self.navigator.refuse_scheme(self.tabs.active, url.strip())
        stop_if(cancelled)
        tab = await self.tabs.open()
        if url is None:
            return f"Opened tab {tab.id}."
        try:
            return f"Tab {tab.id}: " + await self.navigator.go(tab, url, cancelled=cancelled)
        except NotDone as refusal:
            raise BrowserError(f"Tab {tab.id} was opened and is blank: {refusal}") from None

    async def switch_tab(self, action: TabInput, *, cancelled: Cancelled = None) -> None:
        """Make a tab the active one."""
        tab = self._tab(action["tab_id"])
        stop_if(cancelled)
        await self.tabs.switch(tab)

    async def close_tab(self, action: TabInput, *, cancelled: Cancelled = None) -> None:
        """Close a tab."""
        tab = self._tab(action["tab_id"])
        stop_if(cancelled)
        await self.tabs.close(tab)

    def _tab(self, tab_id: str | None) -> Tab:
        return self.tabs.get(tab_id)

    # What the console asks for --------------------------------------------------------------------------------

    @property
    def on_change(self) -> Callable[[PageChange], None] | None:
        """Told of each change as it happens, with its full address and text: for operators, never for the model."""
        return self.journal.on_change

    @on_change.setter
    def on_change(self, listener: Callable[[PageChange], None] | None) -> None:
        self.journal.on_change = listener

    @property
    def newest_frame(self) -> Frame | None:
        """The newest frame of the live picture."""
        return self.screencast.newest

    @property
    def boxes(self) -> dict[str, tuple[float, float, float, float]]:
        """Where the elements of the newest read stood, by ref, in CSS pixels of the viewport."""
        return self.reader.boxes

    async def expect(self, target: str) -> TargetEvidence:
        """The evidence of a target now, for the question put to a person."""
        return await self.witness.look(target)

    async def require(self, expected: TargetEvidence) -> None:
        """Refuse unless the target is still what the evidence says."""
        await self.witness.require(expected)

    def hold_to(self, evidence: TargetEvidence) -> None:
        """Check this evidence just before the next action on its ref."""
        self.witness.hold_to(evidence)

    async def expect_at(self, x: float, y: float, tab_id: str | None = None) -> TargetEvidence:
        """What a press at a point of the viewport would reach now."""
        return await self.witness.at(self._tab(tab_id), x, y)

    def hold_point(self, x: float, y: float, evidence: TargetEvidence) -> None:
        """The next pointer action that begins at this point checks that the same element still lies there."""
        self.witness.hold_point(x, y, evidence)

    async def expect_focus(self, tab_id: str | None = None) -> TargetEvidence | None:
        """What keys would go to now; None when nothing in the page has the focus."""
        return await self.witness.focus(self._tab(tab_id))

    def hold_focus(self, evidence: TargetEvidence | None) -> None:
        """The next keys check that the focus is still where it was."""
        self.witness.hold_focus(evidence)

    async def file_facts(self, grant_id: str) -> GrantFacts | None:
        """What a file grant is for; None when there is none."""
        return await self.grants.facts(grant_id)

    async def page_facts(self, tab_id: str | None = None) -> PageFacts:
        """The full address and geometry of a tab."""
        return await self.witness.facts(tab_id)

    def address(self, tab_id: str | None = None) -> tuple[str, str]:
        """A tab and its full address, as the browser told it last; asks nobody."""
        tab = self._tab(tab_id)
        return tab.id, tab.page.url

    async def picture(self, tab_id: str | None = None) -> Picture:
        """The viewport at full resolution."""
        return await self.camera.take(self._tab(tab_id))

    async def start_screencast(self, on_frame: Callable[[Frame], None], **limits: Any) -> None:
        """Deliver the live picture of the active tab, whichever that is."""
        await self.screencast.start(on_frame, **limits)

    async def stop_screencast(self) -> None:
        """End the live picture."""
        await self.screencast.stop()


MOST_SCROLL = 1_000_000
