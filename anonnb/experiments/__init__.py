"""Experiments, one module per paper: its tables and figures as functions that return tidy frames."""
