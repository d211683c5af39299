"""What crosses from a run's thread comes in order, in few pieces, and not after the bridge is closed."""

import threading
from typing import Any

from pytestqt.qtbot import QtBot

from app.core.ask import Ask
from app.gate.inbox import AskInbox
from app.views.run_bridge import BATCH_EVENTS, RunBridge
from tests.helpers.journals import booking, long_run
from tests.helpers.played_run import PlayedRun
from tests.views.decision.samples import ask

WAIT_MS = 60_000


def test_a_long_journal_comes_in_bounded_pieces_and_whole(qtbot: QtBot) -> None:
    writer = long_run(1300)
    run = PlayedRun(writer, AskInbox())
    bridge = RunBridge(run, run.inbox)
    pieces: list[list[Any]] = []
    bridge.recorded.connect(pieces.append)
    run.start()
    run.join()
    bridge.start()
    with qtbot.waitSignal(bridge.finished, timeout=WAIT_MS):
        pass
    assert [one.seq for piece in pieces for one in piece] == list(range(1, 1302))
    assert max(map(len, pieces)) <= BATCH_EVENTS
    bridge.close()


def test_everything_is_handed_over_before_the_end(qtbot: QtBot) -> None:
    run = PlayedRun(booking(stop_at_last_ask=True), AskInbox())
    bridge = RunBridge(run, run.inbox)
    told: list[str] = []
    bridge.recorded.connect(lambda events: told.extend(one.event.type for one in events))
    bridge.ask_held.connect(lambda ask: told.append(f"held {ask.ask_id}"))
    bridge.ask_settled.connect(lambda ask_id: told.append(f"settled {ask_id}"))
    bridge.finished.connect(lambda: told.append("finished"))
    bridge.start()
    run.start()
    qtbot.waitUntil(lambda: "held a0001" in told, timeout=WAIT_MS)
    assert told.index("ask_raised") < told.index("held a0001")
    with qtbot.waitSignal(bridge.finished, timeout=WAIT_MS):
        run.request_stop("person")
    assert told[-2:] == ["settled a0001", "finished"]
    bridge.close()


def test_an_ask_settled_meanwhile_opens_no_card(qtbot: QtBot) -> None:
    run = PlayedRun(booking(), AskInbox())
    bridge = RunBridge(run, run.inbox)
    held: list[Ask] = []
    bridge.ask_held.connect(held.append)
    bridge.start()
    run.start()
    # The window's thread is busy here; the ask comes and is withdrawn before it looks.
    while not run.inbox.waiting:
        threading.Event().wait(0.001)
    run.request_stop("person")
    run.join()
    with qtbot.waitSignal(bridge.finished, timeout=WAIT_MS):
        pass
    assert held == []
    bridge.close()


def test_a_run_does_not_wait_for_ever_for_a_window_that_paints_no_card(qtbot: QtBot) -> None:
    """The window's thread does nothing here: were the wait not bounded, this would stand still."""
    run = PlayedRun(booking(), AskInbox())
    bridge = RunBridge(run, run.inbox)
    announced: list[Ask] = []
    bridge.ask_announced.connect(announced.append)
    bridge.start()
    run.inbox.announce(ask())
    qtbot.waitUntil(lambda: bool(announced), timeout=WAIT_MS)
    bridge.close()
    run.inbox.announce(ask())
    assert len(announced) == 1


def test_a_closed_bridge_hands_over_nothing(qtbot: QtBot) -> None:
    run = PlayedRun(booking(), AskInbox())
    bridge = RunBridge(run, run.inbox)
    told: list[object] = []
    bridge.recorded.connect(told.append)
    bridge.frame_ready.connect(lambda: told.append("frame"))
    bridge.start()
    bridge.close()
    run.start()
    run.show(b"not looked at")
    run.request_stop("person")
    run.join()
    qtbot.wait(1)
    assert told == []


def test_after_an_answer_from_this_window_all_comes_in_order_a_moment_later(qtbot: QtBot) -> None:
    run = PlayedRun(booking(), AskInbox())
    bridge = RunBridge(run, run.inbox)
    told: list[object] = []
    bridge.recorded.connect(told.extend)
    bridge.ask_settled.connect(told.append)
    bridge.ask_announced.connect(lambda ask: told.append(ask.ask_id))
    for number in range(3):
        with qtbot.waitSignal(bridge.recorded, timeout=WAIT_MS):
            bridge._put("settled", f"a{number}")
            bridge._put("recorded", number)
    with qtbot.waitSignal(bridge.ask_announced, timeout=WAIT_MS):
        bridge._put("settled", "a3")
        bridge._put("recorded", 3)
        bridge._put("announced", ask(number=4))
    assert told == ["a0", 0, "a1", 1, "a2", 2, "a3", 3, "a0004"]
    bridge.close()
