"""Mondrian: boxes cut like a painting (LeFevre, DeWitt and Ramakrishnan, ICDE 2006 and KDD 2006).

``mondrian``, ``class_mondrian`` and ``infogain_mondrian`` are the methods. ``regions`` holds the rows of many boxes at
once, ``cutting`` divides all of them in one pass, ``_cutting_by_loss`` with compiled ``_small_regions`` and
``_large_regions``, which share ``_grid``, and ``summaries`` says what is shown of a finished box. ``notes`` records the
cuts one by one. Notebook 13.
"""
