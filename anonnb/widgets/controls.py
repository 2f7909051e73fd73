"""Interactive cells: one container in the lab, stored frames in a report, one figure in a notebook that is committed.

A batch run must not show output widgets (they can hang a headless kernel). For a report it draws frames for a grid of
the values, which a script in the page shows; otherwise it draws once, with the start values of the controls.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

BATCH_VARIABLE = "ANONNB_BATCH"
FRAMES_VARIABLE = "ANONNB_FRAMES"  # set for reports only: a committed notebook would grow by a megabyte


def is_batch() -> bool:
    """Tell whether this is an unattended run (papermill, nbval), where widgets must not be shown.

    >>> isinstance(is_batch(), bool)
    True
    """
    return os.environ.get(BATCH_VARIABLE, "") not in ("", "0")


def keeps_frames() -> bool:
    """Tell whether this run makes a report, in which every moving cell keeps its frames in the page.

    >>> keeps_frames() <= is_batch()
    True
    """
    return is_batch() and os.environ.get(FRAMES_VARIABLE, "") not in ("", "0")


class Controls:
    """Choices by name, and the present value of each.

    Parameters
    ----------
    choices:
        A range, a list of options or a bool for each name.

    Examples
    --------
    >>> controls = Controls({"k": range(2, 11), "method": ["strict", "relaxed"]}, start={"k": 5})
    >>> controls.values
    {'k': 5, 'method': 'strict'}
    >>> controls.set("k", 7); controls.values["k"]
    7
    >>> controls.options("method"), controls.kind("k"), controls.kind("method")
    (['strict', 'relaxed'], 'slider', 'menu')
    """

    def __init__(self, choices: Mapping[str, Sequence | bool], start: Mapping[str, Any] | None = None):
        self.choices = dict(choices)
        for name, choice in self.choices.items():
            if isinstance(choice, str) or not (isinstance(choice, bool) or len(choice)):
                raise ValueError(f"{name} has nothing to choose from: {choice!r}; give a range, a list or a bool")
        self.values = {name: c if isinstance(c, bool) else next(iter(c)) for name, c in self.choices.items()}
        for name, value in (start or {}).items():
            self.set(name, value)

    def set(self, name: str, value: Any) -> None:
        """Change one value."""
        if name not in self.choices:
            raise ValueError(f"there is no control {name!r}; the controls are {', '.join(self.choices)}")
        if value not in self.options(name):
            raise ValueError(f"{name} cannot be {value!r}; choose one of {self.choices[name]}")
        self.values[name] = value

    def options(self, name: str) -> Sequence:
        """Return the values among which a control chooses."""
        choice = self.choices[name]
        return (True, False) if isinstance(choice, bool) else choice

    def kind(self, name: str) -> str:
        """Return ``"check"`` for a bool, ``"slider"`` for numbers in order, ``"menu"`` for the rest."""
        choice = self.choices[name]
        if isinstance(choice, bool):
            return "check"
        return "slider" if isinstance(choice, range) or _rises_or_falls(choice) else "menu"


def explore(
    draw: Callable[..., Any],
    *,
    interactive: bool = True,
    start: Mapping[str, Any] | None = None,
    frames: int | Mapping[str, Sequence] | None = None,
    **choices: Sequence | bool,
) -> Any:
    """Call a function with the values of sliders, menus and check boxes, again at each change.

    Use ``explore(draw, k=range(2, 21), method=["a", "b"], start={"k": 5}, interactive=INTERACTIVE)`` as the last line
    of a cell. If ``interactive`` is False, and in a batch run, ``draw`` is called once and no widget appears. In a
    report (``anonnb report``) ``draw`` is called for a grid of the values, and controls without a kernel show what it
    drew.

    Parameters
    ----------
    draw:
        Draws, prints or returns a table; in a report it must not depend on what it drew before.
    frames:
        For a report, the most frames, or the values that some controls must have: ``{"k": [2, 5, 10]}``.
    choices:
        A range (slider), a list (slider or menu) or a bool (check box) by the name of the parameter of ``draw``.

    Examples
    --------
    >>> explore(lambda k: f"k is {k}", k=range(2, 5), start={"k": 3}, interactive=False)
    'k is 3'
    """
    controls = Controls(choices, start)
    if keeps_frames():
        return _kept(draw, controls, frames)
    if not interactive or is_batch():
        return draw(**controls.values)
    import ipywidgets as widgets

    from anonnb.widgets.panel import Panel

    boxes = controls_widgets(controls)
    output = widgets.interactive_output(lambda **values: _show(draw(**values)), boxes)
    for name, box in boxes.items():
        box.observe(lambda change, name=name: controls.set(name, change["new"]), names="value")
    return Panel([widgets.HBox(list(boxes.values()), layout={"flex_flow": "row wrap"}), output])


def _kept(draw: Callable[..., Any], controls: Controls, frames: int | Mapping[str, Sequence] | None) -> Any:
    """Return the frames of a grid as HTML that a report moves; draw as usual if only one frame may be kept."""
    from IPython.display import HTML

    from anonnb.widgets.frames.frame import captured, captured_or_why
    from anonnb.widgets.frames.grids import grown, page_budget
    from anonnb.widgets.frames.pages import explored

    budget = page_budget(frames if isinstance(frames, int) else None)
    if budget.frames <= 1:
        return draw(**controls.values)
    options = {name: controls.options(name) for name in controls.choices}
    declared = frames if isinstance(frames, Mapping) else {}
    for name, values in declared.items():
        for value in values:
            Controls(controls.choices, {name: value})  # raises where it is no choice

    def frame(values: dict[str, Any]) -> Any:
        keep = captured if values == controls.values else captured_or_why
        return keep(lambda: draw(**values))

    grid = grown(frame, options, controls.values, budget, declared)
    return HTML(explored(grid, controls.values, {name: controls.kind(name) for name in options}))


def _rises_or_falls(choice: Sequence) -> bool:
    """Tell whether a choice is three or more numbers in order: a slider then says more than a menu."""
    if len(choice) < 3 or not all(isinstance(one, int | float) and not isinstance(one, bool) for one in choice):
        return False
    steps = [second - first for first, second in pairwise(choice)]
    return all(step > 0 for step in steps) or all(step < 0 for step in steps)


def controls_widgets(controls: Controls) -> dict[str, Any]:
    """Return a slider, menu or check box for every choice, at its present value."""
    return {
        name: _widget(name, choice, controls.values[name], controls.kind(name))
        for name, choice in controls.choices.items()
    }


def _show(result: Any) -> None:
    """Show a table or a release that ``draw`` returns, as in a cell; a drawn figure shows by itself."""
    if hasattr(result, "_repr_html_"):
        from IPython.display import display

        display(result)


def _widget(name: str, choice: Sequence | bool, value: Any, kind: str) -> Any:
    import ipywidgets as widgets

    from anonnb.widgets.panel import LABELLED

    label = {"value": value, "description": name.replace("_", " "), **LABELLED}
    if isinstance(choice, bool):
        return widgets.Checkbox(**label)
    if isinstance(choice, range):
        # a range's stop is not one of its values, a slider's max is
        span = {"min": choice[0], "max": choice[-1], "step": choice.step}
        return widgets.IntSlider(**span, **label, continuous_update=False)
    if kind == "slider":
        return widgets.SelectionSlider(options=list(choice), **label, continuous_update=False)
    return widgets.Dropdown(options=list(choice), **label)
