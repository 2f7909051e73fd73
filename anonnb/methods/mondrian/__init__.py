"""Mondrian: boxes cut like a painting (LeFevre, DeWitt and Ramakrishnan, ICDE 2006 and KDD 2006).

``mondrian``, ``class_mondrian`` and ``infogain_mondrian`` are the methods. ``regions`` holds the rows of many boxes at
once, ``cutting`` divides all of them in one pass, ``_cutting_by_loss`` with compiled ``_small_regions`` and
``_large_regions``, which share ``_grid``, and ``summaries`` says what is shown of a finished box. ``notes`` records the
cuts one by one. ``_median_cuts`` makes the cuts of medians alone, compiled, for the workers of a cluster. Notebook 13.
"""
