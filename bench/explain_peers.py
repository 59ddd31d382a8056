"""What others find of the causes of real bugs, on the same rows: explain_peers.py DIRECTORY PEER.

The directory has the tables of in-process/benches/real_bugs.rs. Every peer is tried in several settings, on the
features and the expected output as they are ("raw"), and on everything that our conditions can be about ("ours"); there
pysubgroup, which takes long, in the two settings that were best on raw columns. The first 500 rows of each set are
explained, and the others judge: F1 of the side with fewer rows. Prints the figures of the best setting as a line of
JSON.
"""

import contextlib
import itertools
import json
import os
import sys
import time
import warnings
from pathlib import Path

import numpy
import pandas

warnings.filterwarnings("ignore")
SEEN = 500
# A text is a column for each of its values that are not rare, and of these for the most frequent.
RARE, VALUES = 3, 40


def columns(values, name):
    """Columns of numbers, by name: texts and nulls as a column of zeros and ones for each."""
    found = {}
    nulls = numpy.array([value is None for value in values])
    if nulls.any():
        found[f"{name} is null"] = nulls.astype(float)
    if any(isinstance(value, str) for value in values):
        texts = pandas.Series([str(value) for value in values])
        counts = texts[:SEEN].value_counts()
        for text in counts[counts >= RARE].index[:VALUES]:
            found[f"{name} = {text}"] = (texts == text).to_numpy(float)
    else:
        numbers = numpy.array([numpy.nan if value is None else float(value) for value in values])
        # Below all others: no peer but the tree takes what is missing.
        lowest = numpy.nanmin(numbers) if (~nulls).any() else 0.0
        found[name] = numpy.where(nulls, lowest - 1, numbers)
    return found


def matrix(table, which):
    if which == "raw":
        lists = [list(column) for column in zip(*table["rows"])] + [table["expected"]]
    else:
        lists = table["attributes"]
    found, seen = {}, set()
    for index, values in enumerate(lists):
        for name, column in columns(values, f"c{index}").items():
            key = column[:SEEN].tobytes()
            is_rare = len(set(column[:SEEN])) < 2 or (set(column) <= {0, 1} and min(column[:SEEN].sum(), SEEN - column[:SEEN].sum()) < RARE)
            if key not in seen and not is_rare:
                seen.add(key)
                found[name] = column
    return pandas.DataFrame(found)


def thresholds(data, most):
    """A column of zeros and ones for each threshold, at most that many of each column."""
    found = {}
    for name in data:
        column = data[name].to_numpy()
        values = numpy.unique(column[:SEEN])
        cuts = (values[1:] + values[:-1]) / 2
        if len(cuts) > most:
            cuts = numpy.unique(numpy.quantile(column[:SEEN], numpy.linspace(0, 1, most + 2)[1:-1]))
        for cut in cuts:
            found[name, cut] = (column > cut).astype(float)
    return pandas.DataFrame(found)


def strength(flags, inside):
    """How much each column of zeros and ones tells by itself: its weighted relative accuracy, either way."""
    flags = flags[:SEEN].to_numpy()
    return numpy.abs(((inside - inside.mean())[:, None] * flags).mean(axis=0))


def strongest(data, inside, most):
    """The columns whose best threshold tells most."""
    if data.shape[1] <= most:
        return data
    flags = thresholds(data, 20)
    best = pandas.Series(strength(flags, inside), index=flags.columns).groupby(level=0).max()
    return data[best.nlargest(most).index]


# --- the peers: for each setting a function from columns and seen rows to the covered rows --------------------------


def tree():
    from sklearn.tree import DecisionTreeClassifier

    for criterion, leaf, weight in itertools.product(["gini", "entropy"], [1, 3, 5, 10], [None, "balanced"]):
        def covered(data, inside, criterion=criterion, leaf=leaf, weight=weight):
            model = DecisionTreeClassifier(
                max_depth=3, criterion=criterion, min_samples_leaf=leaf, class_weight=weight, random_state=0
            )
            return model.fit(data[:SEEN], inside).predict(data).astype(bool)

        yield {"criterion": criterion, "min_samples_leaf": leaf, "class_weight": weight}, covered


def ripper():
    from wittgenstein import RIPPER

    # A smaller allowance or part for pruning changes nothing here, and 10 or 200 bins find less.
    for k, prune, bins in itertools.product([1, 2], [0.33, 0.5], [20, 50]):
        def covered(data, inside, k=k, prune=prune, bins=bins):
            model = RIPPER(k=k, prune_size=prune, dl_allowance=64, n_discretize_bins=bins, random_state=1)
            model.fit(data[:SEEN].assign(fails=inside), class_feat="fails", pos_class=True)
            return numpy.array(model.predict(data))

        yield {"k": k, "prune_size": prune, "n_discretize_bins": bins}, covered


def pysubgroup():
    import pysubgroup as ps

    # ChiSquared finds no more, in ten times the time.
    qualities = {
        "WRAcc": ps.WRAccQF(),
        "binomial": ps.SimpleBinomialQF(),
    }
    for quality, bins, count in itertools.product(qualities, [5, 10, 20], [1, 3]):
        def covered(data, inside, quality=quality, bins=bins, count=count):
            seen = data[:SEEN].copy()
            seen["fails"] = inside
            space = ps.create_selectors(seen, nbins=bins, intervals_only=False, ignore=["fails"])
            task = ps.SubgroupDiscoveryTask(
                seen, ps.BinaryTarget("fails", True), space, result_set_size=count, depth=3, qf=qualities[quality]
            )
            found = ps.BeamSearch(beam_width=20).execute(task).to_descriptions()
            masks = [subgroup.covers(data) for _, subgroup, *_ in found]
            return numpy.logical_or.reduce([numpy.asarray(mask, bool) for mask in masks])

        yield {"quality": quality, "bins": bins, "subgroups": count}, covered


def sliceline():
    from sliceline.slicefinder import Slicefinder

    for alpha, count, support in itertools.product([0.6, 0.95], [1, 3], [3]):
        def covered(data, inside, alpha=alpha, count=count, support=support):
            # More of them take minutes for a set.
            flags = thresholds(data, 10)
            flags = flags.to_numpy(int)[:, numpy.argsort(-strength(flags, inside))[:24]]
            model = Slicefinder(alpha=alpha, k=count, max_l=3, min_sup=support, verbose=False)
            model.fit(flags[:SEEN], inside.astype(float))
            masks = [
                numpy.logical_and.reduce([flags[:, at] == value for at, value in enumerate(found) if value is not None])
                for found in model.top_slices_[:count]
            ]
            return numpy.logical_or.reduce(masks) if len(masks) else numpy.zeros(len(data), bool)

        yield {"alpha": alpha, "k": count, "min_sup": support}, covered


# The peers that take long with many columns get those that tell most.
MOST = {"pysubgroup": 80, "sliceline": 30}
PEERS = {"tree": tree, "ripper": ripper, "pysubgroup": pysubgroup, "sliceline": sliceline}


def f1(inside, covered):
    hits = (inside & covered).sum()
    return 2 * hits / max(1, inside.sum() + covered.sum())


def sets(tables, which):
    """For each set its columns, and the rows of the rarer side."""
    for table in tables:
        data = matrix(table, which)
        for digits in table["failing"]:
            failing = numpy.array([digit == "1" for digit in digits])
            yield data, failing if failing[:SEEN].mean() <= 0.5 else ~failing


def figures(peer, covered, sets):
    counts = {"sets": 0, "exact": 0, "near": 0, "misleading": 0, "silent": 0, "failed": 0}
    for data, inside in sets:
        data = strongest(data, inside[:SEEN], MOST.get(peer, data.shape[1]))
        try:
            with open(os.devnull, "w") as null, contextlib.redirect_stdout(null):
                found = covered(data, inside[:SEEN])
        except Exception as error:  # A peer that fails has found nothing.
            print(f"{peer}: {error!r}", file=sys.stderr)
            counts["failed"] += 1
            found = numpy.zeros(len(inside), bool)
        score = f1(inside[SEEN:], found[SEEN:])
        is_silent = not found[:SEEN].any()
        counts["sets"] += 1
        counts["silent"] += int(is_silent)
        counts["exact"] += int(score >= 0.999)
        counts["near"] += int(score >= 0.95)
        counts["misleading"] += int(score < 0.8 and not is_silent)
    return counts


def main():
    directory, peer = sys.argv[1:]
    tables = [json.loads((Path(directory) / f"{name}.json").read_text()) for name in ("median", "digits", "syllables")]
    settings = list(PEERS[peer]())
    best = {}
    for which in ("raw", "ours"):
        each = list(sets(tables, which))
        found = []
        for setting, covered in settings:
            begin = time.perf_counter()
            counts = figures(peer, covered, each)
            print(f"{peer}, {which}, {setting}: {counts}, {time.perf_counter() - begin:.0f} s", file=sys.stderr, flush=True)
            found.append((counts["exact"], counts["near"], counts, (setting, covered)))
        found.sort(key=lambda one: one[:2], reverse=True)
        best[which] = {**found[0][2], "setting": found[0][3][0]}
        if peer == "pysubgroup":
            settings = [setting for *_, setting in found[:2]]
    print(json.dumps(best))


if __name__ == "__main__":
    main()
