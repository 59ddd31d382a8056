"""What numpy, SciPy and orjson take, in nanoseconds: the median of many, as a JSON object by name."""

import json
import statistics
import sys
import time

import numpy
import orjson
from scipy.stats import qmc

VALUES, ROWS, FEATURES = 1_000_000, 10_000, 10
CATEGORIES = numpy.array(["HALF", "TENTH", "NONE"])
PROBABILITIES = [0.5, 0.3, 0.2]
random = numpy.random.Generator(numpy.random.PCG64(0))


def table():
    """The columns of same/tdg/definitions/ten.json, as rows of JSON."""
    columns = [random.normal(10 * (i + 1), 2, ROWS).tolist() for i in range(4)]
    columns += [random.integers(1, last, ROWS, endpoint=True).tolist() for last in (20, 1000, 1_000_000)]
    columns += [random.choice(CATEGORIES, ROWS, p=PROBABILITIES).tolist() for _ in range(3)]
    return orjson.dumps(list(zip(*columns)))


TEXT = table()
HYPERCUBE = qmc.LatinHypercube(FEATURES, rng=random)
MEANS = numpy.full(FEATURES, 10.0)
# Standard deviations of 2, each pair with a correlation of 0.5.
COVARIANCES = 4 * (0.5 * numpy.eye(FEATURES) + 0.5)

TIMED = {
    "gaussian": lambda: random.normal(10, 2, VALUES),
    "integer": lambda: random.integers(1, 1000, VALUES, endpoint=True),
    "category": lambda: random.choice(CATEGORIES, VALUES, p=PROBABILITIES),
    "stratified": lambda: HYPERCUBE.random(ROWS),
    "correlated": lambda: random.multivariate_normal(MEANS, COVARIANCES, ROWS),
    "write": table,
    "read": lambda: orjson.loads(TEXT),
}


def median(timed, seconds=1.0):
    times, until = [], time.perf_counter() + seconds
    while time.perf_counter() < until or len(times) < 5:
        begin = time.perf_counter_ns()
        timed()
        times.append(time.perf_counter_ns() - begin)
    return statistics.median(times)


print(json.dumps({name: median(TIMED[name]) for name in sys.argv[1:]}))
