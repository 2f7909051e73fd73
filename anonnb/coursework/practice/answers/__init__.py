"""Answers to the exercises, a module for a few notebooks: ``nb10_12`` computes those of notebooks 10 to 12.

A function per exercise gets the numbers of a variant and returns an ``Answer``; the texts are in notebooks/exercises.
"""
