"""A card for a question that was withdrawn: it says what changed, with both pictures."""

from tests.helpers.log_watch import LogWatch
from tests.views.decision.conftest import CardDesk
from tests.views.decision.samples import asked_anew, page_picture, picture_of


def test_a_question_asked_anew_says_what_changed_and_shows_both_pictures(desk: CardDesk) -> None:
    before, now = desk.picture, page_picture(shift=40)
    desk.blobs.by_digest[now.digest] = now.data
    card = desk.open(asked_anew(picture_of(before), picture_of(now)))
    words = card.body.shown_text()
    assert "The page changed under the last question; nothing was done" in words
    assert "the element has another name" in words
    assert "Reserve table" in words
    assert "Reserve and pay 90" in words
    assert card.body.crop_before is not None
    assert card.body.crop is not None
    pictures = [crop.digest for crop in (card.body.crop_before, card.body.crop)]
    assert pictures == [before.digest, now.digest]


def test_a_picture_from_before_that_cannot_be_shown_does_not_hold_allow_up(
    desk: CardDesk, expected_log: LogWatch
) -> None:
    now = page_picture(shift=40)
    desk.blobs.by_digest = {now.digest: now.data}
    expected_log("a question's picture cannot be read")
    card = desk.open(asked_anew(picture_of(desk.picture), picture_of(now)))
    assert card.body.crop is not None
    assert not card.body.crop.failed
    assert "cannot be shown" not in (card.body.unseen() or "")
