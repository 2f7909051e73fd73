"""What four papers state about their experiments, a module each: figures printed in their text, and sentences.

Each module has a function ``quantities`` (printed figures beside ours) and a function ``sentences`` (each a number of
comparisons), which get the results of the experiment of that name. Curves that a paper only draws are not read off:
what its text says about them is counted.
"""
