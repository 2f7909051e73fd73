"""Kernels run this first where PYTHONSTARTUP points here (``make nbval``): a figure that cannot be read is an error.

Whatever draws it, a figure is checked when it first becomes a picture; its defects end up as an error in the outputs of
its cell, which nbval then finds to differ from the committed ones.
"""


def check_every_figure():
    from weakref import WeakSet

    from matplotlib.backends.backend_agg import FigureCanvasAgg

    original, checked = FigureCanvasAgg.draw, WeakSet()

    def draw(self):
        if self.figure not in checked:
            checked.add(self.figure)  # the check draws, too
            from anonnb.plots.parts.defects import figure_defects
            from anonnb.plots.style import WIDEST

            defects = figure_defects(self.figure)
            if self.figure.get_figwidth() > WIDEST + 0.01:
                defects.append(f"the figure is {self.figure.get_figwidth():g} inches wide, more than {WIDEST:g}")
            if defects:
                raise ValueError("this figure cannot be read: " + "; ".join(defects))
        original(self)

    FigureCanvasAgg.draw = draw


check_every_figure()
del check_every_figure
