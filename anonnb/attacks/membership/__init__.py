"""Membership: is this person in the release at all?

``scores`` says how much a release looks as if somebody were in it, and ``membership`` is the attack; how well scores
tell two groups of people apart is in ``attacks.ranking``. Notebook 39.
"""
