"""Testing: the contract of methods and attacks, held for anyone's class."""
