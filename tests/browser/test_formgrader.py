"""Formgrader in a real browser: it shows marks and feedback, and nothing that a student wrote acts in it."""

from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output, new_raw_cell
from playwright.sync_api import expect

from tests.browser.conftest import TOKEN, running_lab
from tests.coursework.tiny import NAME, RIGHT, Course, grade_id, hand_in, submission

DATA = Path(__file__).parent / "data"

pytestmark = pytest.mark.browser
RUN = "window.ran = (window.ran || 0) + 1"
EVIL = f"""
An answer with *emphasis*, a<b and `x<y`.

<script>{RUN}</script> <img src=x onerror="{RUN}"> <svg onload="{RUN}"></svg>

<iframe srcdoc="<script>parent.{RUN}</script>"></iframe>
<details open ontoggle="{RUN}">x</details>

[one](javascript:{RUN.replace(" ", "")}) [two](&#106;avascript:window.ran=1) [three][ref] <javascript:window.ran=1>
![four](attachment:evil.svg) ![five](x){{onerror={RUN}}} ![six](data:image/svg+xml;base64,PHN2Zy8+)
[seven](data:text/html,<script>window.ran=1</script>) [eight](page.html) [nine](//example.org)

[ref]: javascript:window.ran=1

```<img src=x onerror={RUN}>
<script>{RUN}</script>
```

$\\href{{javascript:window.ran=1}}{{x}}$ <!-- --><math><mtext><img src=x onerror="{RUN}"></mtext></math>
"""
SVG = f'<svg xmlns="http://www.w3.org/2000/svg"><script>{RUN}</script></svg>'
IN_CODE = (
    f"# </script><script>{RUN}</script>\nraise ValueError('<img src=x onerror=\"{RUN}\"></pre><script>{RUN}</script>')"
)


def evil(notebook):
    """Put what acts wherever a notebook has room for it."""
    notebook.metadata["title"] = notebook.metadata["authors"] = f"</title><script>{RUN}</script>"
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {"x": EVIL}}}
    for cell in notebook.cells:
        cell.metadata["tags"] = [f"<script>{RUN}</script>"]
        if grade_id(cell) == "think":
            cell["attachments"] = {"evil.svg": {"image/svg+xml": SVG}}
    shown = new_output("display_data", data={"text/html": EVIL, "image/svg+xml": SVG, "application/javascript": RUN})
    notebook.cells += [
        new_code_cell(IN_CODE, outputs=[shown], id="x1"),
        new_markdown_cell(EVIL, id="x2", attachments={"evil.svg": {"image/svg+xml": SVG}}),
        new_raw_cell(EVIL, id="x3", metadata={"raw_mimetype": "text/html"}),
    ]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Ann is right, Bob in half, Eve evil; Mal is evil, and was not sanitized."""
    course = Course(tmp_path_factory.mktemp("formgrader"))
    course.nbgrader("generate_assignment", NAME)
    tiny = course.assignments[NAME]
    hand_in(course.root, "ann", submission(tiny, RIGHT))
    hand_in(course.root, "bob", submission(tiny, RIGHT | {"a1": "total = 5"}))
    answers = RIGHT | {"think": EVIL, "a2": IN_CODE}
    hand_in(course.root, "eve", submission(tiny, answers, then=evil))
    (course.root / "submitted" / "eve" / NAME / "page.html").write_text(f"<script>{RUN}</script>")
    hand_in(course.root, "mal", submission(tiny, RIGHT))
    course.nbgrader("autograde", NAME)
    course.nbgrader("generate_feedback", NAME)
    path = course.root / "autograded" / "mal" / NAME / f"{NAME}.ipynb"
    path.chmod(0o644)
    notebook = nbformat.read(path, as_version=4)
    cell = next(cell for cell in notebook.cells if grade_id(cell) == "think")
    cell.source, cell["attachments"] = EVIL, {"evil.svg": {"image/svg+xml": SVG}}
    nbformat.write(notebook, path)
    with running_lab(tmp_path_factory.mktemp("home"), course.root) as address:
        yield course, address


@pytest.fixture
def page(browser, course):
    context = browser.new_context(viewport={"width": 1280, "height": 1200})
    context.route(lambda url: not url.startswith(course[1]) and url.startswith("http"), lambda route: route.abort())
    opened = context.new_page()
    opened.goto(f"{course[1]}/formgrader?token={TOKEN}")
    yield opened
    context.close()


def open_submission(page, course, student):
    with course[0].gradebook() as book:
        identifier = book.find_submission_notebook(NAME, NAME, student).id
    page.goto(f"{course[1]}/formgrader/submissions/{identifier}/")
    points = "0" if student == "bob" else "3"
    expect(page.locator("input.score#c1")).to_have_attribute("placeholder", points, timeout=30_000)


def test_the_overview_shows_the_marks(page, course):
    page.goto(f"{course[1]}/formgrader/manage_submissions/{NAME}")
    row = page.locator("tr", has_text="ann")
    expect(row).to_contain_text("5 / 10")
    expect(page.locator("tr", has_text="bob")).to_contain_text("2 / 10")


def test_a_submission_shows_points_answers_and_what_is_wrong(page, course):
    open_submission(page, course, "bob")
    notebook = page.locator("#notebook-container").first
    expect(page.locator("input.score#c2")).to_have_attribute("placeholder", "2")
    expect(notebook).to_contain_text("5 is not the sum")
    expect(notebook).to_contain_text("total = 5")
    expect(notebook).to_contain_text("Because it is < b>so< /b>.")


ACTIVE = (DATA / "active.js").read_text(encoding="utf-8")


def test_nothing_that_a_student_wrote_acts(page, course):
    open_submission(page, course, "eve")
    expect(page.locator("#notebook-container").first).to_contain_text("An answer with emphasis, a< b and x< y.")
    assert page.evaluate(ACTIVE) == []
    for link in page.locator("#notebook-container").first.locator("a").all():
        link.click(force=True)
    page.wait_for_timeout(500)
    assert page.evaluate("window.ran") is None
    assert page.url.startswith(f"{course[1]}/formgrader/submissions/")
    missing = page.request.get(f"{page.url.partition('#')[0]}page.html")
    assert missing.status == 404


def test_without_the_sanitizer_it_would(page, course):
    """Else the test above could look in the wrong place."""
    open_submission(page, course, "mal")
    assert page.evaluate("window.ran") > 0
    assert len(page.evaluate(ACTIVE)) > 5


def test_the_feedback_page_does_nothing_and_asks_nobody(browser, course):
    for student in ("bob", "eve"):
        page = browser.new_page()  # not the fixture's, whose formgrader may still be asking for its table
        asked = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto((course[0].root / "feedback" / student / NAME / f"{NAME}.html").as_uri())
        assert page.evaluate("window.ran") is None
        assert asked
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
        shown = page.locator("body").inner_text()
        assert "Score: " in shown
        assert "HIDDEN" not in shown
        page.close()
