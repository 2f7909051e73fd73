"""What the attacks for the officer's page may take; a command reads it before it needs any attack."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

SECONDS, MEGABYTES = {"s": 1, "min": 60, "h": 3600}, {"mb": 1, "gb": 1000}


@dataclass(frozen=True)
class AttackBudget:
    """What all attacks together may take: time, and memory in addition to that of the command."""

    seconds: float = 60.0
    megabytes: float = 1000.0

    @classmethod
    def from_text(cls, text: str) -> AttackBudget:
        """Read a budget of time, memory or both.

        >>> AttackBudget.from_text("5min"), AttackBudget.from_text("90s 2GB")
        (AttackBudget(seconds=300.0, megabytes=1000.0), AttackBudget(seconds=90.0, megabytes=2000.0))
        """
        budget = cls()
        for part in text.replace(",", " ").split() or [text]:
            parts = re.fullmatch(r"(\d+\.?\d*)([a-z]*)", part.lower())
            size, unit = (float(parts[1]), parts[2] or "s") if parts else (0.0, "")
            if not size or unit not in SECONDS | MEGABYTES:
                raise ValueError(f"{text!r} is no budget; write a time, such as 60s or 5min, or '90s 2GB' with memory")
            if unit in SECONDS:
                budget = replace(budget, seconds=size * SECONDS[unit])
            else:
                budget = replace(budget, megabytes=size * MEGABYTES[unit])
        return budget
