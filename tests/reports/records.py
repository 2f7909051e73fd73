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
