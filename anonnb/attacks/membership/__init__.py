"""Membership: is this person in the release at all?

``scores`` says how much a release looks as if somebody were in it, ``ranking`` how well scores tell two groups of
people apart, and ``membership`` is the attack. Notebook 39.
"""
