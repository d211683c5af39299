"""What a person does at a run's controls beside answering: from the window's thread into the run's, and on record."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence

from app.core.code_events import CodeAct, CodeActed
from app.core.errors import NotDurable
from app.core.events import Event, Recorded
from app.core.human import ControlChanged, HoldAllSet, HumanInput, RecordingChanged, RuleTakenBack
from app.core.jobs import JobCancelWanted
from app.core.ports import Journal
from app.gate.gate import Gate
from app.gate.standing import StandingRules

log = logging.getLogger(__name__)

PROGRAM_ENDED = "the program had ended meanwhile"


class ByHand:
    """May be called from any thread; all of it is recorded in the run's loop, in the order of the calls."""

    def __init__(self, gate: Gate, standing: StandingRules, journal: Journal, said: list[str]) -> None:
        """`said` takes up what a person says to the model."""
        self._said = said
        self._gate = gate
        self._standing = standing
        self._journal = journal
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._early: list[Callable[[], None]] = []
        self._over = False

    def begin(self) -> None:
        """In the run's loop, at its start: what was asked for before is done now."""
        with self._lock:
            self._loop = asyncio.get_running_loop()
            early, self._early = self._early, []
        for do in early:
            self._run(do)

    def end(self, reason: str) -> None:
        """In the run's loop, before the run's last event: a person who has control gives it back."""
        self._over = True
        self._run(lambda: self._gate.control.give_back(reason))

    def hold_all(self, on: bool) -> None:
        """Suspend whatever would allow by itself, or let it count again. Suspending holds at once."""
        if on:
            self._gate.holding_all = True
        self._post(lambda: self._set_hold(on))

    def undo_rule(self, number: int) -> bool:
        """Take back what was allowed for the run by the press of that number; at once."""
        in_force = self._standing.undo(number)
        self._post(lambda: self._record_undo(number, in_force))
        return in_force

    def say(self, text: str) -> None:
        """Words for the model; the journal says when it is sent them. Blank words are none."""
        if text.strip():
            # Half of a character, which a text field may hold, can be sent to nobody.
            whole = text.encode("utf-8", "replace").decode("utf-8")
            self._post(lambda: self._said.append(whole))

    def cancel_job(self, call_id: str) -> None:
        """End the background job of that call, if it still runs; what it was to do may have happened."""
        self._post(lambda: self._cancel_job(call_id))

    def act_on_code(self, language: str, act: CodeAct) -> None:
        """End what runs in the code environment of that language, or begin the environment anew."""
        self._post(lambda: self._act_on_code(language, act))

    def want_control(self) -> None:
        """Ask for the driven screen; the journal says whether and when it is a person's."""
        self._post(self._gate.control.want)

    def give_back(self) -> None:
        """Let the run go on."""
        self._post(self._gate.control.finish)

    def set_private(self, private: bool) -> None:
        """Keep neither pictures nor text from now on, or do again."""
        self._post(lambda: self._gate.control.set_private(private))

    def act(self, given: HumanInput) -> None:
        """Input for the driven screen; dropped while a person has no control."""
        self._post(lambda: self._gate.control.act(given))

    def _set_hold(self, on: bool) -> None:
        self._journal.append(HoldAllSet(on=on))
        self._gate.holding_all = on

    def _record_undo(self, number: int, in_force: bool) -> None:
        self._journal.append(RuleTakenBack(rule=f"run {number}", in_force=in_force))

    def _post(self, do: Callable[[], None]) -> None:
        with self._lock:
            if self._loop is None:
                self._early.append(do)
                return
        try:
            self._loop.call_soon_threadsafe(lambda: None if self._over else self._run(do))
        except RuntimeError:
            log.info("something was done at the controls after the run had ended")

    def _cancel_job(self, call_id: str) -> None:
        self._journal.append(JobCancelWanted(call_id=call_id))
        self._gate.cancel_job(call_id)

    def _act_on_code(self, language: str, act: CodeAct) -> None:
        self._journal.append(CodeActed(language=language, act=act))
        self._gate.act_on_code(language, act)

    @staticmethod
    def _run(do: Callable[[], None]) -> None:
        try:
            do()
        except NotDurable:
            # The run ends by it, and says so in words.
            log.info("what a person did could not be recorded")


def left_open(past: Sequence[Recorded]) -> list[Event]:
    """What a process that ended in the middle could not put on record: a person had control, the record had a gap."""
    events = [one.event for one in past]
    control = next((one for one in reversed(events) if isinstance(one, ControlChanged)), None)
    gap = next((one for one in reversed(events) if isinstance(one, RecordingChanged)), None)
    opened: list[Event] = []
    if gap is not None and not gap.recording:
        opened.append(RecordingChanged(recording=True, reason=PROGRAM_ENDED))
    if control is not None and control.step in ("wanted", "taken"):
        opened.append(ControlChanged(step="returned", reason=PROGRAM_ENDED))
    return opened
