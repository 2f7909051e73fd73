"""Perturbation: values are moved by chance or rounded, so that what is published about a person may not be true.

``pram`` draws categories by a published matrix (Gouweleeuw et al. 1998), ``rank_swapping`` exchanges values of similar
rank (Moore 1996), ``noise`` adds noise (Kim 1986), ``coding`` has rounding, and top
and bottom coding. ``columns`` chooses what they change, ``promises`` says what each guarantees. Notebook 25.
"""
