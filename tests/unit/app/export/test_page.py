"""The page needs nothing, loads nothing, and nothing from outside is more than letters on it."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from app.core.events import AskRaised, DecisionMade, PictureTaken, ProposedCall, RunEnded, RunStarted, TurnAnswered
from app.core.evidence import Evidence, Page, Target
from app.core.untrusted import unshown
from app.export.markup import code, data, outside, prose, style_hash
from app.views.theme import DARK, LIGHT
from tests.architecture.source import ROOT
from tests.helpers.case_files import case_value, spoofing_cases
from tests.helpers.journals import RESERVE_BOX, JournalWriter, booking, booking_page
from tests.unit.app.export.saved_booking import exported, save_booking

HOSTILE = (
    """</title><script>x()</script>"><img src=x onerror=x()>' onload='x() """
    """<a href="javascript:x()">a</a> &lt;b&gt;"""
)
MARK = re.compile(r'<b class="[^"]*" title="[^"]*">(?:[^<]* )?(U\+[0-9A-F]+)(?: ×([\d,]+))?</b>')
MARKUP = {"bdi", "b", "span", "code", "pre", "p"}
TEXT = st.text(max_size=60) | st.text(st.sampled_from("<>&\"'=/ \n\tab\u202e\u200b\ud800\u0000;-!"), max_size=60)


class Tags(HTMLParser):
    """Every tag and attribute of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.other: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.other.append(data)

    def handle_pi(self, data: str) -> None:
        self.other.append(data)

    def unknown_decl(self, data: str) -> None:
        self.other.append(data)


@given(TEXT)
def test_outside_text_makes_no_tag_and_no_attribute(text: str) -> None:
    for made in (outside(text), prose(text), code(text), data({text: [text, 1, None]})):
        page = Tags(made)
        assert {tag for tag, _ in page.found} <= MARKUP
        assert {name for _, attributes in page.found for name in attributes} <= {"class", "dir", "title"}
        assert page.other == []


@given(st.text(st.characters(exclude_characters="⟦⟧\r\x00", exclude_categories=["Cs"]), min_size=1, max_size=60))
def test_what_stands_on_the_page_is_the_text_itself(text: str) -> None:
    # A mark that stands for several characters says how many; put into the form that can be read back.
    drawn = MARK.sub(_bracketed, outside(text))
    assert unshown("".join(Tags(drawn.partition(" <span")[0]).text)) == text


def _bracketed(mark: "re.Match[str]") -> str:
    count = f"×{mark[2].replace(',', '')}" if mark[2] else ""
    return f"⟦{mark[1]}{count}⟧"


def hostile_page(tmp_path: Path, text: str) -> str:
    writer = booking(task=text)
    ended = writer.records.pop()
    assert isinstance(ended.event, RunEnded)
    started = writer.records[0].event
    assert isinstance(started, RunStarted)
    call = ProposedCall(call_id="h1", source="browser", member=text, arguments={text: text})
    writer.add(TurnAnswered(turn=9, response_id="r", calls=(call,), messages=(text,), final=False))
    target = Target(ref=text, role=text, label=text, frame_origin=text, box=RESERVE_BOX, covered_by=text)
    page = Page(tab_id="t", url=text, origin=text, title=text)
    picture = writer.picture(booking_page(3, shade=99))
    asked = writer.ask(call, 9, "browser_action", Evidence(page=page, target=target, picture=picture, missing=(text,)))
    writer.decide(asked, allow=False, note=text)
    writer.add(ended.event.model_copy(update={"reason": text, "final_text": text}))
    return exported(save_booking(tmp_path / "run.signalbox", writer), "html", tmp_path / "out.html").decode()


def test_a_hostile_run_is_a_page_of_letters(tmp_path: Path) -> None:
    texts = [HOSTILE, *(str(case_value(case))[:3000] for case in spoofing_cases())]
    page = hostile_page(tmp_path, "\n".join(texts))
    tags = Tags(page)
    assert not {tag for tag, _ in tags.found} & {"script", "iframe", "object", "embed", "base", "form", "link", "input"}
    for tag, attributes in tags.found:
        assert not [name for name in attributes if name.startswith("on") or name in ("style", "srcset", "xlink:href")]
        assert (attributes.get("href") or "#").startswith("#")
        assert re.match(r"data:image/(png|jpeg|webp);base64,", attributes.get("src") or "data:image/png;base64,")
        assert tag != "meta" or "http-equiv" not in attributes or "Content-Security" in str(attributes["http-equiv"])
    assert HOSTILE in "".join(tags.text)
    assert "Signalbox run" in page.partition("<title>")[2][:20]


def test_a_policy_forbids_every_load_and_allows_the_one_style(tmp_path: Path) -> None:
    page = exported(save_booking(tmp_path / "run.signalbox"), "html", tmp_path / "out.html").decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    assert policy
    assert style
    rules = dict(rule.split(" ", 1) for rule in policy[1].split("; "))
    assert rules == {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": f"'{style_hash(style[1])}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert "@import" not in style[1]
    assert "url(" not in style[1]
    assert page.index("Content-Security-Policy") < page.index("<style>")


def test_the_page_has_the_windows_colours_light_and_dark() -> None:
    style = (ROOT / "resources" / "style" / "export.css").read_text()
    light, dark = style.partition("prefers-color-scheme: dark")[::2]
    for theme, part in ((LIGHT, light), (DARK, dark)):
        named = dict(re.findall(r"--(\w+): (#[0-9A-F]{6})", part))
        named.pop("aim", None)
        assert named
        assert {name: getattr(theme, name) for name in named} == named


def test_the_table_says_which_element_was_asked_about(tmp_path: Path) -> None:
    page = exported(save_booking(tmp_path / "run.signalbox"), "html", tmp_path / "out.html").decode()
    table = page.partition("<h2>Decisions</h2>")[2].partition("</table>")[0]
    [row] = [row for row in table.split("<tr>") if "Click on a page element" in row]
    assert "button “Reserve" in "".join(Tags(row).text)


def test_who_decided_is_counted_and_nobody_who_reads_it_is_called_you(tmp_path: Path) -> None:
    writer = booking()
    for at, recorded in enumerate(writer.records):
        if isinstance(recorded.event, DecisionMade):
            by_rule = recorded.event.decision.model_copy(update={"by": "rule", "reason": "a rule"})
            writer.records[at] = replace(recorded, event=DecisionMade(decision=by_rule))
            break
    page = exported(save_booking(tmp_path / "run.signalbox", writer), "html", tmp_path / "out.html").decode()
    text = re.sub("<[^>]*>", " ", page)
    assert "a person 5 · rule 1" in text
    assert "allowed by a person" in text
    assert "by you" not in text


def test_the_picture_that_a_run_left_behind_is_on_the_page(tmp_path: Path) -> None:
    writer, cut = booking(), JournalWriter()
    cut.blobs = writer.blobs
    seen = next(one.event.ask.evidence.picture for one in writer.records if isinstance(one.event, AskRaised))
    assert seen is not None
    for recorded in writer.records:
        if isinstance(recorded.event, RunEnded):
            cut.add(PictureTaken(role="live", picture=seen))
        cut.add(recorded.event)
    page = exported(save_booking(tmp_path / "run.signalbox", cut), "html", tmp_path / "out.html").decode()
    assert page.count("The last live picture") == 1
