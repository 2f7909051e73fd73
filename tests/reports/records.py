"""Recorded tables, as notebooks leave them, for tests of the pages."""

METHODS = {"original": (None, 0.0, 1.0), "Mondrian": (5, 0.2, 0.06), "Samarati": (5, 0.5, 0.03), "M3AR": (5, 0.0, 0.01)}

ARENA = {
    "kind": "arena",
    "caption": "survey: 66 rows, k = 5",
    "columns": ["method", "k", "seed", "kind", "name", "value"],
    "rows": [
        row
        for method, (k, loss, linked) in METHODS.items()
        for row in (
            [method, k, None, "attack", "LinkageAttack", linked],
            [method, k, None, "attack", "SkewnessAttack", None if method == "original" else 0.4],
            [method, k, None, "utility", "NCP", loss],
            [method, k, None, "utility", "truthfulness", 0.9 if method == "M3AR" else 1.0],
        )
    ],
}

REPRODUCTION = {
    "kind": "reproduction",
    "caption": "Somebody (2023)",
    "columns": ["quantity", "ours", "paper", "difference"],
    "rows": [["rows", 30169, 32169, -2000], ["rules lost", 0.123456, "below 0.2", None]],
}

RIVALS = {
    "kind": "rivals",
    "caption": "Adult: means of 10 draws of 1,000 people, k = 5",
    "columns": [
        "method",
        "family",
        "attack",
        "risk",
        "risk low",
        "risk high",
        "loss",
        "loss low",
        "loss high",
        "front",
        "promise",
    ],
    "rows": [
        ["original", "original", "HomogeneityAttack", 0.99, 0.98, 1.0, 0.0, 0.0, 0.0, True, "no k"],
        ["Mondrian", "mondrian", "SkewnessAttack", 0.44, 0.41, 0.47, 0.12, 0.11, 0.13, True, "k and true values"],
        ["RankSwapping", "perturbation", "LinkageAttack", 0.0625, 0.05, 0.07, 0.0625, 0.051, 0.0625, True, "no k"],
        ["Forest", "cells", "SkewnessAttack", 0.02, -0.016, 0.055, 0.465, 0.418, 0.512, True, "k and true values"],
        ["KACA", "clustering", "SkewnessAttack", 0.1, 0.036, 0.157, 0.5, 0.4, 0.6, False, "k and true values"],
    ],
}

GAINS = {
    "kind": "gains",
    "caption": "Adult: 20 draws",
    "columns": ["run", "method", "figure", "attack", "gain", "low", "high"],
    "rows": [
        ["before", "KACA", "excess", "HomogeneityAttack", 0.11, 0.03, 0.19],
        ["same attacks now", "KACA", "excess", "HomogeneityAttack", 0.13, 0.05, 0.21],
        ["all attacks now", "KACA", "excess", "ModelAttack", 0.34, 0.24, 0.44],
    ],
}

VERDICTS = {
    "kind": "table",
    "caption": "",
    "columns": ["verdict", "checked", "chosen", "input"],
    "rows": [["exact", 19, 5, 3], ["close", 283, 66, 0], ["same order", 164, 9, 0], ["differs", 102, 22, 1]],
}
