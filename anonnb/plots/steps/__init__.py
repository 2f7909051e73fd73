"""Steps as pictures: the state of the work after each step, with what changed since the step before.

``step`` draws one (:func:`anonnb.plots.step`) and several for print (:func:`anonnb.plots.filmstrip`). They
choose by the kind of the state: ``cells`` turns tables, releases, rules and results into rows of text and compares them
with those before, and ``tables`` draws these; ``groups`` draws rows in groups as points and boxes; ``graphs`` draws
graphs in layers, and trees. Each gives a ``drawing``: a size in inches and how to draw it there. ``alt_text`` says
the same in text.
"""
