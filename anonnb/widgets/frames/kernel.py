"""An IPython extension for unattended kernels: every figure becomes a small sharp picture with its words.

``%load_ext anonnb.widgets.frames.kernel``; batches load it by themselves. The words travel as ``alt`` and
``caption`` in the metadata of the output, where JupyterLab, nbconvert and our reports find them.
"""

from __future__ import annotations

from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """Draw figures with ``pictures.picture`` from now on."""
    # importing the backend sets its own way to draw: ours must come after
    import matplotlib_inline.backend_inline  # noqa: F401
    from matplotlib.figure import Figure

    shell.display_formatter.formatters["image/png"].for_type(Figure, _as_png)


def _as_png(figure: Any) -> tuple[str, dict[str, Any]] | None:
    from anonnb.widgets.frames.pictures import picture

    if not figure.axes and not figure.lines:
        return None
    made = picture(figure)
    texts = {"alt": made.alt, "caption": made.caption}
    return made.base64, {"width": made.width, "height": made.height} | {
        name: text for name, text in texts.items() if text
    }
