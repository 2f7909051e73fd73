"""Mondrian: boxes cut like a painting (LeFevre, DeWitt and Ramakrishnan, ICDE 2006 and KDD 2006).

``mondrian``, ``class_mondrian`` and ``infogain_mondrian`` are the methods. ``regions`` cuts the rows of many boxes at
once (``_cells``, compiled), records the cuts and summarizes finished boxes; the cluster finishes its regions with it.
``cutting`` decides where, by the median of the widest of the ``axes``, and ``_cutting_by_loss`` by information loss.
Notebook 13.
"""
