"""What scikit-learn's decision tree takes on the table of in-process/benches/explain.rs, in milliseconds: the median
over the kinds of rules, each the best of some. As a JSON object."""

import json
import statistics
import sys
import time
from pathlib import Path

import numpy
from sklearn.tree import DecisionTreeClassifier

TIMES = 5
directory = Path(sys.argv[1])


def numbers(column):
    """Categories by their codes, null as what is missing; floats of 32 bits, to which it converts others first."""
    if any(isinstance(value, str) for value in column):
        codes = {value: code for code, value in enumerate(sorted(set(column)))}
        column = [codes[value] for value in column]
    return numpy.array([numpy.nan if value is None else value for value in column], dtype=numpy.float32)


rows = json.loads((directory / "table.json").read_text())
table = numpy.column_stack([numbers(column) for column in zip(*rows)])


def milliseconds(failing):
    times = []
    for _ in range(TIMES):
        begin = time.perf_counter()
        DecisionTreeClassifier(max_depth=3, random_state=0).fit(table, failing)
        times.append((time.perf_counter() - begin) * 1e3)
    return min(times)


kinds = [numpy.array([int(digit) for digit in line]) for line in (directory / "failing.txt").read_text().split()]
print(json.dumps({"large": statistics.median(milliseconds(failing) for failing in kinds)}))
