"""Writes tables to fit: those of scikit-learn, or a large one of 20 columns. `fit_data.py FOLDER [ROWS]`"""

import csv
import sys
from pathlib import Path


def of_scikit_learn(folder):
    from sklearn import datasets

    for name in ["iris", "wine", "diabetes", "breast_cancer"]:
        options = {"scaled": False} if name == "diabetes" else {}
        data = getattr(datasets, f"load_{name}")(**options)
        classes = getattr(data, "target_names", None)
        targets = data.target if classes is None else classes[data.target]
        # numpy writes floats in their own width: diabetes is stored in 32 bits.
        with open(folder / f"{name}.csv", "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*data.feature_names, "target"])
            for row, target in zip(data.data, targets):
                writer.writerow([*map(float, row), target])


def large(path, rows):
    """Floats, integers, categories, codes and dates, five columns without a null among them."""
    import numpy

    random = numpy.random.Generator(numpy.random.PCG64(0))
    floats = [
        random.normal(100, 15, rows),
        random.lognormal(3, 0.5, rows),
        random.gamma(2, 20, rows),
        random.exponential(4, rows),
        random.uniform(-1, 1, rows),
        random.beta(2, 5, rows),
        random.weibull(1.5, rows) * 1000,
        random.laplace(0, 2, rows),
    ]
    integers = [
        random.poisson(3.5, rows),
        random.binomial(20, 0.3, rows),
        random.integers(1, 1000, rows),
        random.negative_binomial(3, 0.2, rows),
        numpy.arange(1, rows + 1),
    ]
    letters = numpy.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    pairs = numpy.char.add(random.choice(letters, rows), random.choice(letters, rows))
    codes = [f"{pair}-{number:04}" for pair, number in zip(pairs, random.integers(0, 10_000, rows))]
    strings = [
        random.choice(["HALF", "TENTH", "NO"], rows, p=[0.2, 0.3, 0.5]),
        random.choice([f"city {i}" for i in range(50)], rows),
        codes,
        random.choice(["true", "false"], rows),
    ]
    days = numpy.datetime64("2020-01-01") + random.integers(0, 1000, rows)
    seconds = numpy.datetime64("2020-01-01T00:00:00") + random.integers(0, 10**8, rows)
    columns = [[f"{value:.4f}" for value in column] for column in floats]
    columns += [column.tolist() for column in integers]
    columns += [list(column) for column in strings]
    columns += [days.astype(str).tolist(), seconds.astype(str).tolist()]
    columns += [[f"{value:.2f}" for value in floats[0] * 0.7 + random.normal(0, 10, rows)]]
    missing = random.random((rows, len(columns))) < 0.05
    for index, column in enumerate(columns):
        if index % 4:
            columns[index] = ["" if gone else value for value, gone in zip(column, missing[:, index])]
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(f"column_{index + 1}" for index in range(len(columns)))
        writer.writerows(zip(*columns))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    if len(sys.argv) > 2:
        large(folder / "large.csv", int(sys.argv[2]))
    else:
        of_scikit_learn(folder)
