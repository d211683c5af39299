"""Nothing that was said is lost, whenever somebody begins to listen, and nothing is said to who has left."""

import threading

from app.cli.notices import Notices


def test_what_was_said_before_and_after_is_heard_in_order() -> None:
    notices, heard = Notices(), list[str]()
    notices.say("one")
    notices.listen(heard.append)
    speaker = threading.Thread(target=notices.say, args=("two",))
    speaker.start()
    speaker.join()
    notices.leave()
    notices.say("three")
    assert heard == ["one", "two"]
