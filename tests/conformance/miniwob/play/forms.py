"""Tasks that fill forms."""

from __future__ import annotations

import re
from datetime import date

from tests.conformance.miniwob.hands import Control, Hands, Stuck, View

CLIPPED = "…"


async def enter_quoted(hands: Hands) -> None:
    """enter-text, enter-text-dynamic, enter-text-2, enter-password."""
    text = hands.quoted[0]
    text = text.upper() if "upper case" in hands.goal else text.lower() if "lower case" in hands.goal else text
    for field in (await hands.read()).of("textbox"):
        await hands.type(field, text)
    await hands.submit()


async def enter_date(hands: Hands) -> None:
    """A date field takes the form of its HTML value."""
    month, day, year = re.findall(r"\d+", hands.goal)[:3]
    await hands.type((await hands.read()).of("textbox")[0], f"{year}-{month}-{day}")
    await hands.submit()


async def enter_time(hands: Hands) -> None:
    """A time field takes the form of its HTML value."""
    hour, minute, half = re.search(r"(\d+):(\d+) ([AP]M)", hands.goal).groups()  # type: ignore[union-attr]
    await hands.type((await hands.read()).of("textbox")[0], f"{int(hour) % 12 + 12 * (half == 'PM'):02}:{minute}")
    await hands.submit()


async def login(hands: Hands) -> None:
    """login-user, login-user-popup: a message that comes up in between is dismissed."""
    for index, text in enumerate(hands.quoted[:2]):
        for _ in range(3):
            fields = (await hands.read()).of("textbox")
            if len(fields) == 2:
                await hands.call("type", target=fields[index].ref, text=text)
            view = await hands.read()
            if not view.named("Cancel"):
                break
            await hands.click(view.named("Cancel")[0])
    view = await hands.read()
    await hands.click(next(c for c in view.of("button") if c.label in ("Login", "OK")))


async def read_table(hands: Hands) -> None:
    """read-table, read-table-2."""
    view = await hands.read()
    wanted = [line[:-1] for line in view.lines if line.endswith(":")] or [hands.told(r"value of (.+) into")]
    for key, field in zip(wanted, view.of("textbox"), strict=True):
        row = next(line for line in view.lines if line.startswith(key + " "))
        await hands.type(field, row[len(key) + 1 :])
    await hands.submit()


async def find_word(hands: Hands) -> None:
    """The word at a place of the paragraph, without its stop."""
    view = await hands.read()
    words = " ".join(line for line in view.lines if line != "Submit").split()
    word = words[int(hands.told(r"(\d+)(?:st|nd|rd|th) word")) - 1]
    await hands.type(view.of("textbox")[0], re.sub(r"\W", "", word))
    await hands.submit()


async def copy_paste(hands: Hands) -> None:
    """copy-paste, copy-paste-2: through the clipboard, as a person would."""
    fields = (await hands.read()).of("textbox")
    full = [field for field in fields if field.value]
    place = re.search(r"(\d)(?:st|nd|rd)", hands.goal)
    target = next(field for field in fields if not field.value)
    await _carry(hands, full[int(place.group(1)) - 1 if place else 0], target)
    await hands.submit()


async def _carry(hands: Hands, source: Control, target: Control) -> None:
    await hands.click(source)
    await hands.keys("ctrl+a", "ctrl+c")
    await hands.click(target)
    await hands.keys("ctrl+v")


async def last_word(hands: Hands) -> None:
    """scroll-text: a report cuts long values, so the text is carried over and its head cut off."""
    fields = (await hands.read()).of("textbox")
    source = next(field for field in fields if field.value)
    at = 1 - fields.index(source)
    await _carry(hands, source, fields[at])
    for _ in range(20):
        value = (await hands.read()).of("textbox")[at].value
        if not value.endswith(CLIPPED):
            break
        await hands.keys("Home", *["ctrl+shift+Right"] * 40, "Delete")
    word = re.sub(r"\W", "", value.split()[-1])
    await hands.type((await hands.read()).of("textbox")[at], word)
    await hands.submit()


async def scroll_text(hands: Hands) -> None:
    """scroll-text-2: to an end of the text area."""
    await hands.click((await hands.read()).of("textbox")[0])
    await hands.keys("ctrl+End" if "bottom" in hands.goal else "ctrl+Home")
    await hands.submit()


async def sign_agreement(hands: Hands) -> None:
    """The fields open when the text was turned to its end."""
    if hands.quoted:
        for _ in range(30):
            if (await hands.read()).of("textbox"):
                break
            await hands.done("scroll", direction="down", amount=400)
        fields = (await hands.read()).of("textbox")
        await hands.type(next(f for f in fields if f.label == "Name"), hands.quoted[0])
    wanted = hands.quoted[-1] if hands.quoted else "Cancel"
    await hands.press(wanted, "button")


async def search_movies(hands: Hands) -> None:
    """multi-layouts, multi-orderings: the words and the fields stand in the same order."""
    genre, director, year = re.search(r"for (.+) movies directed by (.+) from year (\d+)", hands.goal).groups()  # type: ignore[union-attr]
    view = await hands.read()
    fields = iter(view.of("textbox"))
    for line in view.lines:
        answer = (
            genre if "Genre" in line else director if "Director" in line
            else year if "Year" in line or "Date" in line else None
        )  # fmt: skip
        if answer is not None:
            await hands.type(next(fields), answer)
    await hands.click(next(c for c in view.of("button") if c.label in ("Submit", "Search", "Go!")))


async def arithmetic(hands: Hands) -> None:
    """simple-arithmetic, simple-algebra."""
    view = await hands.read()
    sums = " ".join(view.lines)
    plain = re.search(r"(-?\d+) ([x+-]) (-?\d+) =", sums)
    if plain and "Solve for x" not in hands.goal:
        left, how, right = int(plain.group(1)), plain.group(2), int(plain.group(3))
        answer = {"+": left + right, "-": left - right, "x": left * right}[how]
    elif first := re.search(r"x ([+-]) (\d+) = (-?\d+)", sums):
        answer = int(first.group(3)) - int(first.group(2)) * (1 if first.group(1) == "+" else -1)
    elif second := re.search(r"(\d+) ([+-]) x = (-?\d+)", sums):
        answer = (int(second.group(3)) - int(second.group(1))) * (1 if second.group(2) == "+" else -1)
    else:
        raise Stuck("no sum")
    await hands.type(view.of("textbox")[0], str(answer))
    await hands.submit()


async def guess_number(hands: Hands) -> None:
    """Halve what is left."""
    low, high = 0, 9
    while low <= high:
        guess = (low + high) // 2
        await hands.type((await hands.read()).of("textbox")[0], str(guess))
        await hands.submit()
        said = " ".join((await hands.read()).lines)
        if "higher" in said:
            low = guess + 1
        elif "lower" in said:
            high = guess - 1
        else:
            return


async def text_transform(hands: Hands) -> None:
    """The letters are crooked only to the eye."""
    view = await hands.read()
    letters = "".join(line for line in view.lines if line != "Submit").replace(" ", "")
    await hands.type(view.of("textbox")[0], letters)
    await hands.submit()


async def autocomplete(hands: Hands) -> None:
    """Type the beginning, take the suggestion that ends as told."""
    begin, end = hands.quoted[0], hands.quoted[1] if len(hands.quoted) > 1 else ""
    field = (await hands.read()).of("textbox", "combobox")[0]
    await hands.type(field, begin)

    def fits(label: str) -> bool:
        return label.startswith(begin) and label.endswith(end)

    def fitting(view: View) -> list[Control]:
        return [c for c in view.of("button") if fits(c.label)]

    await hands.click(fitting(await hands.until(fitting, "a suggestion"))[0])
    await hands.submit()


async def colour_field(hands: Hands) -> None:
    """use-colorwheel, use-colorwheel-2: the picker's field takes a code."""
    from tests.conformance.miniwob.sight import COLOURS, near

    named = re.search(r"Select (\w+) with", hands.goal)
    if named:
        red, green, blue = COLOURS[named.group(1)]
    else:
        sight = await hands.see()
        swatch = max(
            sight.patches(lambda c: not near(c, (255, 255, 0), 8) and c != (0, 0, 0), box=(100, 0, 160, 50)),
            key=lambda patch: len(patch.pixels) if patch.fill > 0.7 else 0,
        )
        red, green, blue = sight.at(*swatch.inside)
    field = (await hands.read()).of("textbox")[0]
    await hands.type(field, f"{red:02X}{green:02X}{blue:02X}")
    await hands.keys("Tab")
    await hands.submit()


async def choose_date(hands: Hands) -> None:
    """choose-date: a read-only field with a calendar."""
    month, day, year = (int(n) for n in re.findall(r"\d+", hands.goal)[:3])
    await hands.click((await hands.read()).of("textbox")[0])
    await pick_day(hands, date(year, month, day))
    await hands.submit()


async def pick_day(hands: Hands, wanted: date) -> None:
    """Turn an open calendar to a month and press the day."""
    months = [date(2016, n, 1).strftime("%B") for n in range(1, 13)]
    for _ in range(14):
        view = await hands.until(lambda v: re.search(r"\b(19|20)\d\d\b", " ".join(v.lines)), "the calendar")
        title = re.search(rf"({'|'.join(months)})\s+(\d{{4}})", " ".join(view.lines))
        if title is None:
            raise Stuck("a calendar without a month")
        shown = date(int(title.group(2)), months.index(title.group(1)) + 1, 1)
        if (shown.year, shown.month) == (wanted.year, wanted.month):
            await hands.press(str(wanted.day), "button")
            return
        await hands.press("Next" if shown < wanted else "Prev", "button")
    raise Stuck("the month never came")
