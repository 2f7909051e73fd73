"""Reconstruction: published counts, means and medians restrict an unknown table; what do all tables that fit share?

``statistics`` describes what was published about people, with the census block of the 2018 article in ``census_block``.
``cell_tables`` (a count per kind of people, HiGHS) and ``row_tables`` (a value per person and attribute, CP-SAT) find
tables that fit, ``certain`` what is the same in all of them. ``count_boxes`` asks the same about itemsets and trees,
made into cells by ``mined_cells``; ``programs`` solves. Notebook 39.
"""
