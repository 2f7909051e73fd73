"""Exercises of the notebooks 40 to 49, on the experiments: papers beside us, the arena, benchmarks."""
