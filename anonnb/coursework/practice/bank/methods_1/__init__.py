"""Exercises of the notebooks 10 to 19, on methods of generalization and suppression."""
