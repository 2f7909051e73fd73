"""Frames: what an interactive cell has shown, kept in the page, so that it still moves without a kernel.

``describing`` says in words what a figure shows; ``pictures`` turns a figure into a small sharp PNG with these words;
``frame`` is one state of a cell, composed or captured from what a function draws; ``grids`` chooses for which values
of the controls frames are made, within a budget; ``pages`` turns frames into HTML, and ``moving`` is the script of ours
that moves it; ``kernel`` lets every figure of a batch be such a picture. ``explore`` and ``play`` are built on them.
"""
