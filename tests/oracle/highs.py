"""The smallest best set of a world too large for trying every one, by an independent solver.

Integers only; a model that is not solved to optimality fails.
"""

from __future__ import annotations

from math import gcd, lcm

import highspy

from tests.oracle.planning import Expected, profits


def highs_selection(expected: Expected, tradeoff: str) -> set[str]:
    """Keys of the smallest optimum by integer programming, over exact integer profits."""
    profit = profits(expected, tradeoff)
    keys = [key for key, fate in expected.candidates.items() if fate.executable]
    scale = lcm(*(profit[key].denominator for key in keys))
    whole = {key: int(profit[key] * scale) for key in keys}
    common = gcd(*whole.values()) or 1
    solver = highspy.Highs()
    for option, setting in (("output_flag", False), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.5)):
        solver.setOptionValue(option, setting)
    size = len(keys) + 1
    chosen = {
        key: solver.addVariable(0, 1, -(whole[key] // common * size - 1), highspy.HighsVarType.kInteger) for key in keys
    }
    for key in keys:
        for source in expected.fates[key].predecessors:
            solver.addConstr(chosen[key] - chosen[source] <= 0)
    solver.run()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    solution = solver.getSolution().col_value
    return {key for key, level in zip(keys, solution, strict=True) if level > 0.5}
