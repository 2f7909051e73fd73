"""The experiment of Inuiguchi, Ichida and Torra (2019), in parts: ``samples`` draws its training sets and small tables,
``second_reading`` is the reading of its text that comes nearest to its printed figures, ``paper_sentences`` are the
results that it states in words. :mod:`anonnb.experiments.inuiguchi` calls them and makes the tables.
"""
