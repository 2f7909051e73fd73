"""Kernels run this first where PYTHONSTARTUP points here (``make nbval``): a figure that cannot be read is an error.

Whatever draws it, a figure is checked when it first becomes a picture; its defects end up as an error in the outputs of
its cell, which nbval then finds to differ from the committed ones.
"""


def check_every_figure():
    from weakref import WeakSet

    from matplotlib.backends.backend_agg import FigureCanvasAgg

    original, checked, busy = FigureCanvasAgg.draw, WeakSet(), []

    def draw(self):
        if not busy and self.figure not in checked:
            busy.append(True)  # the check draws, too
            try:
                defects = defects_of(self.figure)
            finally:  # savefig first draws a figure that only raises what it is drawn with
                busy.clear()
            checked.add(self.figure)
            if defects:
                raise ValueError("this figure cannot be read: " + "; ".join(defects))
        original(self)

    def defects_of(figure):
        import os
        import sys
        from pathlib import Path

        from anonnb.plots.style import WIDEST

        sys.path.append(str(Path(os.environ["PYTHONSTARTUP"]).absolute().parents[2]))  # kernels run elsewhere
        from tests.plots.parts.figure_defects import figure_defects

        wide, margin = figure.get_figwidth(), 0.2  # a notebook keeps a margin around a figure's content
        too_wide = [f"it is {wide:g} inches wide, more than {WIDEST:g}"] if wide > WIDEST + margin else []
        return figure_defects(figure) + too_wide

    FigureCanvasAgg.draw = draw


if __name__ == "__main__":  # in a kernel; pytest imports this file to look for doctests
    check_every_figure()
    del check_every_figure
