"""Failing assertions that take a server long, as its limits allow them: 10,000 rows, 1,000,000 cells, bodies of 16 MiB."""

import json
import random

SIZE = 10_000
BODY = 16 << 20


def shapes():
    """Name, features, and what makes of the rows: expected outputs, actual outputs, policy."""
    floats = [feature("FLOAT", {"type": "gaussian", "mu": 0, "sigma": 1}) for _ in range(100)]
    binary = [feature("STRING", {"type": "pattern", "regex": "[ab]{50}"}) for _ in range(100)]
    many = [feature("STRING", categories(4000)) for _ in range(100)]
    integers = [feature("INTEGER", {"type": "uniform", "min": 1, "max": 1_000_000_000}) for _ in range(1000)]
    long = [feature("STRING", {"type": "pattern", "regex": "a{6000}[ab]{300}"})]
    one = [feature("INTEGER", {"type": "uniform", "min": 1, "max": 9})]
    return [
        ("10,000 × 100 floats, every second case at random", floats, SIZE, outputs(at_random)),
        ("10,000 × 100 floats, half of the cases by three causes", floats, SIZE, outputs(three_causes)),
        ("the same, half of these now an `Err`", floats, SIZE, errors),
        ("10,000 × 100 strings of 50 letters, at random", binary, SIZE, outputs(at_random)),
        ("10,000 × 100 strings of 50 letters, three causes", binary, SIZE, outputs(three_prefixes)),
        ("10,000 × 100 strings of 4,000 categories, at random", many, SIZE, outputs(at_random)),
        ("10,000 × 100 strings of 4,000 categories, three causes", many, SIZE, outputs(three_categories)),
        ("1,000 × 1,000 integers, three causes", integers, 1000, outputs(three_causes)),
        ("10,000 × 1 strings of 6,300 letters", long, SIZE, outputs(at_random)),
        ("10,000 outputs of 1,600 characters", one, SIZE, texts),
        ("10,000 outputs, 58 levels deep, 16 fields that differ", one, SIZE, deep),
        ("10,000 outputs with keys of 1,000 characters", one, SIZE, long_keys),
        ("50,000 fields of outputs, each constant in its cases", one, SIZE, constants),
        ("an output of 4,000,000 numbers", one, 1, numbers(4_000_000, None)),
        ("one of 250,000, compared without an order", one, 1, numbers(250_000, {"unordered": [""], "tolerance": {"abs": 0.1}})),
    ]


def feature(kind, distribution):
    return {"type": kind, "distribution": distribution}


def categories(count):
    return {"type": "categorical", "categories": [{"value": f"{i:04}", "probability": 1 / count} for i in range(count)]}


# --- which cases fail ----------------------------------------------------------------------------


def at_random(rows):
    draw = random.Random(7)
    return [draw.random() < 0.5 for _ in rows]


def three_causes(rows):
    """A fifth of the rows by each of three features."""
    limits = [sorted(row[column] for row in rows)[len(rows) * 4 // 5] for column in range(3)]
    return [any(row[column] > limits[column] for column in range(3)) for row in rows]


def three_prefixes(rows):
    return [any(row[column].startswith("aa") for column in range(3)) for row in rows]


def three_categories(rows):
    return [any(row[column] < "0800" for column in range(3)) for row in rows]


# --- their outputs -------------------------------------------------------------------------------


def outputs(which):
    def of(rows):
        failing = which(rows)
        expected = [i * 0.37 for i in range(len(rows))]
        return expected, [value * 1.1 + i if failing[i] else value for i, value in enumerate(expected)], None

    return of


def errors(rows):
    failing = three_causes(rows)
    expected = [{"Ok": i * 0.37} for i in range(len(rows))]
    wrong = [{"Err": f"no {i}"} if i % 2 else {"Ok": i} for i in range(len(rows))]
    return expected, [wrong[i] if failing[i] else value for i, value in enumerate(expected)], None


def texts(rows):
    return ["a" * 1600 for _ in rows], ["a" * 1599 + "b" for _ in rows], None


def deep(rows):
    def nested(row, by):
        value = {f"k{row % 3000}-{i}": row * 16 + i + by for i in range(16)}
        for _ in range(57):
            value = {"a": value}
        return value

    return [nested(row, 0) for row in range(len(rows))], [nested(row, row * row % 7 + 1) for row in range(len(rows))], None


def long_keys(rows):
    def output(row, by):
        return {f"{'k' * 1000}{row // 3}": {f"{i}": row + i + by for i in range(16)}}

    return [output(row, 0) for row in range(len(rows))], [output(row, row * row % 7 + 1) for row in range(len(rows))], None


def constants(rows):
    def output(row, value):
        return {f"f{row // 3 * 16 + i}": value(row // 3 * 16 + i) for i in range(16)}

    expected = [output(row, lambda _: row) for row in range(len(rows))]
    actual = [output(row, lambda field: f"is {field}") for row in range(len(rows))]
    return expected, actual, None


def numbers(count, policy):
    def of(_):
        draw = random.Random(7)
        expected = [draw.randrange(0, 100) for _ in range(count)]
        return [expected], [[number + 200 for number in expected]], policy

    return of


def body(member, values, **others):
    text = json.dumps({member: values, **others}, separators=(",", ":")).encode()
    assert len(text) <= BODY, f"{len(text)} bytes"
    return text
