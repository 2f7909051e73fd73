"""Moves everything on a page of a report that can move, by mouse and by keyboard, and says what was seen."""

from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

DATA = Path(__file__).parent / "data"

WIDTHS = (1280, 400)
OUR_CLOCK = "Blocked script execution in 'about:srcdoc'"  # Playwright's own script, in a frame that allows none
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
# What the one visible frame shows: its place, its words, and its pictures with what stands for them.
SHOWN = (DATA / "shown.js").read_text(encoding="utf-8")
# Whether a control changes anything: two stored frames that differ in its place alone, and in what they show.
CHANGES = (DATA / "changes.js").read_text(encoding="utf-8")
# Milliseconds from a move of a control until the browser has drawn the frame.
TIMED = (DATA / "timed.js").read_text(encoding="utf-8")


# Paragraphs that ask to move a slider where the next thing with controls has none that moves.
UNKEPT = """() => {
  const roots = [...document.querySelectorAll(".anonnb-frames")];
  const asks = [...document.querySelectorAll("main p")].filter(p => /move the slider|move k\\b/i.test(p.innerText));
  const below = p => roots.find(root => p.compareDocumentPosition(root) & Node.DOCUMENT_POSITION_FOLLOWING);
  return asks.filter(p => !below(p)?.querySelector("input[type=range]")).map(p => p.innerText.slice(0, 80));
}"""


@dataclass
class Seen:
    """What moving everything on one page brought to light."""

    troubles: list[str] = field(default_factory=list)
    controls: int = 0
    players: int = 0
    moves: int = 0
    changes: int = 0
    milliseconds: list[float] = field(default_factory=list)


@contextmanager
def opened(browser, path: Path, width: int, seen: Seen):
    """A page without a net; what it complains about and what it asks for are troubles."""
    context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
    page = context.new_page()
    if 'data-way="play"' in path.read_text(encoding="utf-8"):
        page.clock.install()  # players wait for it, and we do not

    def note(word, text):
        seen.troubles.append(f"{path.name} at {width}: {word}: {text}")

    page.on("console", lambda message: OUR_CLOCK in message.text or note("console", message.text))
    page.on("pageerror", lambda error: note("error", error))
    page.on("request", lambda request: request.url.startswith(("file:", "data:")) or note("request", request.url))
    page.goto(path.as_uri())
    page.note = note
    try:
        yield page
    finally:
        context.close()


def drive(browser, path: Path, width: int, seen: Seen) -> None:
    """Move every control of a page and play every player to its end."""
    with opened(browser, path, width, seen) as page:
        if (pixels := page.evaluate(OVERFLOW)) > 0:
            page.note("too wide", f"{pixels} pixels")
        for words in page.evaluate(UNKEPT):
            page.note("nothing to move", words)
        for number in range(page.locator(".anonnb-frames").count()):
            root = page.locator(".anonnb-frames").nth(number)
            root.scroll_into_view_if_needed()
            if root.get_attribute("data-way") == "play":
                _play(page, root, seen)
            else:
                _explore(page, root, seen)
        if (pixels := page.evaluate(OVERFLOW)) > 0:
            page.note("too wide after the moves", f"{pixels} pixels")


def _explore(page, root, seen: Seen) -> None:
    controls = root.locator("input[data-control], select[data-control]")
    if controls.count() == 0:
        page.note("controls", "none that moves")
    for number in range(controls.count()):
        seen.controls += 1
        control = controls.nth(number)
        place = int(control.get_attribute("data-control"))
        if not root.evaluate(CHANGES, place):
            page.note(f"control {place}", "moves the frame, but never what it shows")
        for move in (_by_mouse, _by_keyboard):
            before = root.evaluate(SHOWN)
            move(page, control)
            _compare(page, root, before, f"{move.__name__} of control {place}", seen)
    if controls.count():
        seen.milliseconds += [root.evaluate(TIMED) for _ in range(3)]


def _compare(page, root, before, what: str, seen: Seen) -> None:
    after = root.evaluate(SHOWN)
    seen.moves += 1
    if after["place"] == before["place"]:
        page.note(what, f"the frame stays at {before['place']}")
    elif after["words"] != before["words"] or after["pictures"] != before["pictures"]:
        seen.changes += 1  # another value may show the same: k = 2 and k = 3 on a small table
    if after["pictures"] == "a broken picture":
        page.note(what, "a broken picture")


def _by_mouse(page, control) -> None:
    """To the other end of a slider, to another line of a menu, a click on a check box."""
    kind = control.evaluate("control => control.type")
    if kind == "select-one":
        control.select_option(
            index=(control.evaluate("menu => menu.selectedIndex") + 1) % control.locator("option").count()
        )
    elif kind == "range":
        box = control.bounding_box()
        low = control.evaluate("slider => slider.value * 2 < slider.max")
        control.click(position={"x": box["width"] - 2 if low else 2, "y": box["height"] / 2})
    else:
        control.click()


def _by_keyboard(page, control) -> None:
    """By the keys that people know: arrows for sliders and menus, space for a check box."""
    control.focus()
    kind, at = control.evaluate("control => [control.type, Number(control.selectedIndex ?? control.value)]")
    page.keyboard.press(
        "Space"
        if kind == "checkbox"
        else "ArrowDown"
        if at == 0 and kind == "select-one"
        else "ArrowUp"
        if kind == "select-one"
        else "ArrowRight"
        if at == 0
        else "ArrowLeft"
    )


def _play(page, root, seen: Seen) -> None:
    seen.players += 1
    slider = root.locator("input[data-control]")
    if slider.count() == 0:
        return  # one step: there is nothing to play
    last = int(slider.get_attribute("max"))
    by_name = {name: root.locator(f'[data-go="{name}"]') for name in ("first", "back", "play", "forward", "last")}
    root.locator("[data-speed]").select_option("fourfold")

    def expect(place, what):
        seen.moves += 1
        if (found := root.evaluate(SHOWN)["place"]) != str(place):
            page.note(what, f"shows {found}, not {place}")

    for place in range(1, last + 1):  # step by step: every frame differs from the one before
        before = root.evaluate(SHOWN)
        by_name["forward"].click()
        expect(place, "forward")
        if root.evaluate(SHOWN)["words"] == before["words"]:
            page.note("forward", f"the same words at {place}")
    by_name["back"].click()
    expect(last - 1, "back")
    by_name["last"].click()
    expect(last, "last")
    by_name["first"].click()
    expect(0, "first")
    by_name["play"].click()
    page.clock.run_for(800 * (last + 1))
    expect(last, "play by mouse")
    root.focus()
    for key, place in (("Home", 0), ("ArrowRight", 1), ("End", last), ("ArrowLeft", last - 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(place, key)
    page.keyboard.press("Space")
    page.clock.run_for(800 * (last + 1))
    expect(last, "play by keyboard")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    expect(last - 1, "the slider by keyboard")
    box = slider.bounding_box()
    slider.click(position={"x": 2, "y": box["height"] / 2})
    expect(0, "the slider by mouse")
