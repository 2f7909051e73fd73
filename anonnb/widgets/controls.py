"""Interactive cells that degrade to a static figure: one container, its state in a class that needs no browser.

A batch run must not show output widgets (they can hang a headless kernel): there the drawing is made once, with the
values the controls start at.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

BATCH_VARIABLE = "ANONNB_BATCH"


def is_batch() -> bool:
    """Whether this is an unattended run (papermill, nbval), where widgets must not be shown."""
    return os.environ.get(BATCH_VARIABLE, "") not in ("", "0")


class Controls:
    """Choices by name and the value each has now; a choice is a range, a list of options or a bool.

    >>> controls = Controls({"k": range(2, 11), "method": ["strict", "relaxed"]}, start={"k": 5})
    >>> controls.values
    {'k': 5, 'method': 'strict'}
    >>> controls.set("k", 7); controls.values["k"]
    7
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
        """Change one value; raises ValueError when it is not among the choices."""
        if name not in self.choices:
            raise ValueError(f"there is no control {name!r}; the controls are {', '.join(self.choices)}")
        choice = self.choices[name]
        if value not in ((True, False) if isinstance(choice, bool) else choice):
            raise ValueError(f"{name} cannot be {value!r}; choose one of {choice}")
        self.values[name] = value


def explore(
    draw: Callable[..., Any],
    *,
    interactive: bool = True,
    start: Mapping[str, Any] | None = None,
    **choices: Sequence | bool,
) -> Any:
    """Call ``draw`` with the values of sliders (ranges), menus (lists) and check boxes (bools), again at each change.

    ``explore(draw, k=range(2, 21), method=["a", "b"], start={"k": 5}, interactive=INTERACTIVE)`` as the last line of a
    cell. Where ``interactive`` is False, or in a batch run, ``draw`` is called once and no widget appears.
    """
    controls = Controls(choices, start)
    if not interactive or is_batch():
        return draw(**controls.values)
    import ipywidgets as widgets

    boxes = controls_widgets(controls)
    output = widgets.interactive_output(lambda **values: _show(draw(**values)), boxes)
    for name, box in boxes.items():
        box.observe(lambda change, name=name: controls.set(name, change["new"]), names="value")
    return widgets.VBox([widgets.HBox(list(boxes.values()), layout={"flex_flow": "row wrap"}), output])


def controls_widgets(controls: Controls) -> dict[str, Any]:
    """A slider, menu or check box for every choice, at its present value."""
    return {name: _widget(name, choice, controls.values[name]) for name, choice in controls.choices.items()}


def _show(result: Any) -> None:
    """A drawn figure shows by itself; a table or a release that ``draw`` returns is shown as in a cell."""
    if hasattr(result, "_repr_html_"):
        from IPython.display import display

        display(result)


def _widget(name: str, choice: Sequence | bool, value: Any):
    import ipywidgets as widgets

    label = {"value": value, "description": name.replace("_", " "), "style": {"description_width": "initial"}}
    if isinstance(choice, bool):
        return widgets.Checkbox(**label)
    if isinstance(choice, range):
        # a range's stop is not one of its values, a slider's max is
        span = {"min": choice[0], "max": choice[-1], "step": choice.step}
        return widgets.IntSlider(**span, **label, continuous_update=False)
    return widgets.Dropdown(options=list(choice), **label)
