import matplotlib.pyplot as plt
import pytest


@pytest.fixture(autouse=True)
def _close():
    yield
    plt.close("all")
