"""Core: what every room uses and no table is needed for.

Arrays and bits, errors with their remedies, parameters with declared constraints, the registry behind
``methods.all()`` and ``attacks.all()``, names that are looked up late, and tasks that run in parallel and are
remembered. It imports no other room.
"""
