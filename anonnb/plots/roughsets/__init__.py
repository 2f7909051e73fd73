"""Plots of rough sets: ``granules`` draws what rows that read alike say about a class, ``ordered`` what an order adds.

``granule_boxes`` lays out the granules as boxes of dots for :func:`anonnb.plots.granules`.
"""
