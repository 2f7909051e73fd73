"""Membership: is this person in the release at all?

``densities`` says how much denser a release is near somebody than the population is, ``shadow_scores`` compares it with
releases made with them and without, and ``membership`` is the attack. How well scores tell two groups of people apart
is in ``attacks.ranking``. Notebook 39.
"""
