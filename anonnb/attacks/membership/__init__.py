"""Membership: is this person in the release at all?

``densities`` says how much denser a release is near somebody than the population is, and ``membership`` is the attack;
how well scores tell two groups of people apart is in ``attacks.ranking``. Notebook 39.
"""
