"""Kernels run this first where PYTHONSTARTUP points here (``make nbval``): a figure that cannot be read is an error.

Whatever draws it, a figure is checked as it is turned into a picture; its defects end up as an error in the outputs of
its cell, which nbval then finds to differ from the committed ones.
"""


def check_every_figure():
    from matplotlib.backend_bases import FigureCanvasBase

    original = FigureCanvasBase.print_figure

    def print_figure(self, *args, **options):
        from anonnb.plots.parts.defects import figure_defects
        from anonnb.plots.style import WIDEST

        defects = figure_defects(self.figure)
        if self.figure.get_figwidth() > WIDEST + 0.01:
            defects.append(f"the figure is {self.figure.get_figwidth():g} inches wide, more than {WIDEST:g}")
        if defects:
            raise ValueError("this figure cannot be read: " + "; ".join(defects))
        return original(self, *args, **options)

    FigureCanvasBase.print_figure = print_figure


check_every_figure()
del check_every_figure
