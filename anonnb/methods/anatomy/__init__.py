"""Anatomy: quasi-identifiers exact in one table, the secrets of small groups in another (Xiao and Tao 2006).

``anatomy`` is the method, ``groups`` deals rows into groups of different secrets, ``belief`` is the promise that the
families of two tables make. Notebook 24.
"""
