"""Core: what every room uses and what needs no table.

Arrays and bits, errors with their remedies, parameters with declared constraints, the registry behind ``methods.all()``
and ``attacks.all()``, names that are looked up when they are first used, and tasks that run in parallel and are cached.
It imports no other room.
"""
