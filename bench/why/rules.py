"""Reads rules as `cargo tdg why` and a failing test's message write them, without the code of tdg.

A rule is a function of a row, a dict of its features, and the expected output. A condition that
isn't known here raises `Unknown`.
"""

import json
import os
import re
import string

NUMBER = r"-?\d[\d_]*(?:\.\d+)?(?:[eE][-+]?\d+)?"
SIGNS = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth"]
OPERATIONS = {
    "+": lambda a, b: a + b,
    "−": lambda a, b: a - b,
    "×": lambda a, b: a * b,
    "/": lambda a, b: a / b if b else None,
}
MISSING = object()
# Kinds of characters, in the order in which the first one names a character.
CLASSES = {
    "white space": str.isspace,
    "a capital": str.isupper,
    "a small letter": str.islower,
    "a digit": lambda it: it in string.digits,
    "punctuation": lambda it: it in string.punctuation,
    "a non-ASCII character": lambda it: not it.isascii(),
}


class Unknown(Exception):
    """A condition that can't be evaluated here."""


def of_answer(sentence, features):
    """The rule of an answer of `why`: `exactly those with …`, `all but exactly those with …`."""
    match = re.fullmatch(r"(all but )?(?:exactly|nearly) those with (.*)", sentence, re.S)
    if not match:
        raise Unknown(sentence)
    rule = any_of(split(match[2], ", or "), features)
    return (lambda row, expected: not rule(row, expected)) if match[1] else rule


def of_message(message, features):
    """The kind of the rules of a message, and the rule: `sure`, `hedged` or `none`."""
    found, hedged, passing = [], False, False
    lines = [it.strip() for it in message.splitlines()]
    whom = r"(mostly: |perhaps: |a part: )?(?:all [\d,]+|[\d,]+ of the [\d,]+)( that did not change)?"
    for number, text in enumerate(lines):
        if not re.match(rf"{whom} have ", text):
            continue
        # Long lines are wrapped.
        for more in lines[number + 1 : number + 5]:
            if "   (" in text and text.count("(") <= text.count(")"):
                break
            text += f" {more}"
        text, _, counts = text.partition("   (")
        match = re.fullmatch(rf"{whom} have (.*)", re.sub(r"; equivalently .*$", "", text))
        covered = re.match(r"(\S+) of (\S+) such cases", counts)
        others = re.search(r"(\d\S*) of the other", counts)
        hedged |= bool(match[1]) or "not the cause" in counts
        hedged |= bool(covered) and covered[1] != covered[2] or bool(others) and others[1] != "0"
        passing |= bool(match[2])
        found.append(match[3])
    if not found or hedged:
        return ("hedged" if found else "none"), None
    rule = any_of(found, features)
    return "sure", (lambda row, expected: not rule(row, expected)) if passing else rule


def any_of(texts, features):
    rules = [all_of(split(text, " and "), features) for text in texts]
    return lambda row, expected: any(rule(row, expected) for rule in rules)


def all_of(texts, features):
    """The texts are those between the words `and`, some of which belong to a condition."""
    if not texts:
        return lambda row, expected: True
    unknown = None
    for end in range(1, len(texts) + 1):
        try:
            first, others = condition(" and ".join(texts[:end]), features), all_of(texts[end:], features)
            return lambda row, expected: first(row, expected) and others(row, expected)
        except Unknown as error:
            unknown = unknown or error
    raise unknown


def split(text, separator):
    """Splits outside of quoted texts."""
    parts, quoted, begin, at = [], False, 0, 0
    while at < len(text):
        if text[at] == "\\" and quoted:
            at += 1
        elif text[at] == '"':
            quoted = not quoted
        elif not quoted and text.startswith(separator, at):
            parts.append(text[begin:at])
            begin = at + len(separator)
            at = begin - 1
        at += 1
    return parts + [text[begin:]]


def condition(text, features):
    if "…" in text:
        raise Unknown(text)
    if match := re.fullmatch(rf"({NUMBER}|\d{{4}}-[\d-]+) (<=?) (.+) (<=?) ({NUMBER}|\d{{4}}-[\d-]+)", text):
        low, high = constant(match[1]), constant(match[5])
        of = subject(match[3], features)
        return with_value(of, lambda it: SIGNS[match[2]](low, it) and SIGNS[match[4]](it, high))
    if match := re.fullmatch(r"(.+?) (not )?(starting with|ending with|containing) (one of |any of )?(\".*)", text):
        texts = [constant(it) for it in split(match[5], ", ")]
        of, negated, how = subject(match[1], features), bool(match[2]), match[3].split()[0]
        does = {"starting": str.startswith, "ending": str.endswith, "containing": str.__contains__}[how]

        def holds(value):
            return isinstance(value, str) and any(does(value, it) for it in texts)

        return lambda row, expected: holds(of(row, expected)) != negated
    if match := re.fullmatch(r"(.+?) (not )?(starting|ending) with (\w.*)", text):
        kinds, of, negated = match[4].split(" or "), subject(match[1], features), bool(match[2])
        if set(kinds) <= {*CLASSES, "another character"}:
            place = 0 if match[3] == "starting" else -1
            return lambda row, expected: (kind_at(of(row, expected), place) in kinds) != negated
    if match := re.fullmatch(r"(.+?) (with|without) (.+)", text):
        if match[3] in CLASSES:
            has = CLASSES[match[3]]
            return with_value(subject(match[1], features), lambda it: any(map(has, it)) == (match[2] == "with"))
    if match := re.fullmatch(r"(.+?) all ASCII", text):
        return with_value(subject(match[1], features), str.isascii)
    if match := re.fullmatch(r"(.+?) and (.+?) (with|without) a common character", text):
        pair, has = [subject(it, features) for it in match.groups()[:2]], match[3] == "with"
        return lambda row, expected: bool(set(pair[0](row, expected)) & set(pair[1](row, expected))) == has
    places = "the largest of|the smallest of|the median of|strictly between|above|below"
    if match := re.fullmatch(rf"(.+?) (not )?({places}) (.+ and .+)", text):
        of, negated = subject(match[1], features), bool(match[2])
        others = [subject(it, features) for it in re.split(r", | and ", match[4])]
        holds = {
            "the largest of": lambda it, all: it == max(all),
            "the smallest of": lambda it, all: it == min(all),
            "the median of": lambda it, all: len(all) % 2 == 1 and it == sorted(all)[len(all) // 2],
            "strictly between": lambda it, all: min(all) < it < max(all),
            "above": lambda it, all: it > max(all),
            "below": lambda it, all: it < min(all),
        }[match[3]]
        return lambda row, expected: holds(of(row, expected), [it(row, expected) for it in others]) != negated
    if match := re.fullmatch(r"(.+?) (one of|none of) (.+)", text):
        values = [constant(it) for it in split(match[3], ", ")]
        of, is_in = subject(match[1], features), match[2] == "one of"
        return lambda row, expected: (of(row, expected) in values) == is_in
    if match := re.fullmatch(r"(.+?) (not )?containing (.+)", text):
        one, other, negated = subject(match[1], features), subject(match[3], features), bool(match[2])

        def contains(row, expected):
            pair = one(row, expected), other(row, expected)
            return None not in pair and MISSING not in pair and (pair[1] in pair[0]) != negated

        return contains
    if match := re.fullmatch(r"(.+?) an (Ok|Err)", text):
        of = subject(match[1], features)
        return lambda row, expected: isinstance(it := of(row, expected), dict) and match[2] in it
    if match := re.fullmatch(r"(.+?) (not )?empty", text):
        of, negated = subject(match[1], features), bool(match[2])
        return with_value(of, lambda it: (len(it) == 0) != negated)
    if match := re.fullmatch(r"(.+?) (even|odd)", text):
        return with_value(subject(match[1], features), lambda it: it % 2 == (match[2] == "odd"))
    if match := re.fullmatch(r"(.+?) (not )?a multiple of (\d+)", text):
        return with_value(subject(match[1], features), lambda it: (it % int(match[3]) == 0) != bool(match[2]))
    if match := re.fullmatch(r"(.+?) (without|with) a (character|digit) twice( in a row)?", text):
        of, has = subject(match[1], features), match[2] == "with"
        one = "[0-9]" if match[3] == "digit" else "."
        pattern = re.compile(rf"({one})\1" if match[4] else rf"({one}).*\1", re.S)
        return with_value(of, lambda it: bool(pattern.search(it)) == has)
    if match := re.fullmatch(r"(.+?) (not )?the same backwards", text):
        return with_value(subject(match[1], features), lambda it: (it == it[::-1]) != bool(match[2]))
    if match := re.fullmatch(r"(.+?) (<=|>=|!=|<|>|=) (.+)", text):
        one, sign, limit = subject(match[1], features), match[2], match[3]
        try:
            value = constant(limit)
            other = lambda row, expected: value
        except Unknown:
            other = subject(limit, features)
            value = MISSING

        def compares(row, expected):
            pair = one(row, expected), other(row, expected)
            if MISSING in pair:
                return False
            if None in pair:
                return sign == "!=" if value is not None else SIGNS[sign](*pair)
            is_alike = isinstance(pair[0], str) == isinstance(pair[1], str)
            if not is_alike and sign not in ("=", "!="):
                return False
            return SIGNS[sign](*pair)

        return compares
    raise Unknown(text)


def with_value(of, holds):
    """A condition on values, which no null meets."""

    def check(row, expected):
        value = of(row, expected)
        try:
            return value is not None and value is not MISSING and holds(value)
        except TypeError:
            return False

    return check


def subject(text, features):
    if text in features:
        return lambda row, expected: row[text]
    if text == "expected" or text.startswith("expected/"):
        path = text.split("/")[1:]
        if "*" in path:
            raise Unknown(text)
        return lambda row, expected: at(expected, path)
    if match := re.fullmatch(r"length of the common beginning of (.+) and (.+)", text):
        pair = [subject(it, features) for it in match.groups()]
        return lambda row, expected: len(os.path.commonprefix([it(row, expected) for it in pair]))
    forms = [
        (r"length of (.+)", len),
        (r"digits of (.+)", lambda it: len(str(abs(it)))),
        (r"last digit of (.+)", lambda it: abs(it) % 10),
        (r"first digit of (.+)", lambda it: int(str(abs(it))[0])),
        (r"zeros at the end of (.+)", lambda it: len(str(abs(it))) - len(str(abs(it)).rstrip("0")) if it else None),
        (r"distinct characters of (.+)", lambda it: len(set(it))),
        (r"words in (.+)", lambda it: len(it.split())),
        (r"the first word of (.+)", first_word),
        (r"first word of (.+)", first_word),
        (r"(.+) after its first space", lambda it: it.partition(" ")[2]),
        (r"\|(.+)\|", abs),
    ]
    for pattern, function in forms:
        if match := re.fullmatch(pattern, text):
            inner = subject(match[1], features)
            return lambda row, expected: applied(function, inner(row, expected))
    for name, has in CLASSES.items():
        name = name.removeprefix("a ")
        if match := re.fullmatch(rf"{name}s? in (.+)", text):
            inner = subject(match[1], features)
            return lambda row, expected, has=has: applied(lambda it: sum(map(has, it)), inner(row, expected))
        if match := re.fullmatch(rf"position of the (first|last) {name} of (.+)", text):
            inner, place = subject(match[2], features), 0 if match[1] == "first" else -1

            def position(text, has=has, place=place):
                return [at for at, it in enumerate(text, 1) if has(it)][place]

            return lambda row, expected, position=position: applied(position, inner(row, expected))
    if match := re.fullmatch(r"(.+) modulo (\d+)", text):
        inner = subject(match[1], features)
        return lambda row, expected: applied(lambda it: it % int(match[2]), inner(row, expected))
    for sign, function in OPERATIONS.items():
        one, found, other = text.partition(f" {sign} ")
        if found:
            of = subject(one, features), subject(other, features)

            def both(row, expected, of=of, function=function):
                pair = [it(row, expected) for it in of]
                return None if None in pair or MISSING in pair else function(*pair)

            return both
    raise Unknown(text)


def kind_at(text, place):
    if not text:
        return None
    return next((name for name, has in CLASSES.items() if has(text[place])), "another character")


def first_word(text):
    return text.split()[0]


def applied(function, value):
    if value is None or value is MISSING:
        return value
    try:
        return function(value)
    except (TypeError, ValueError, IndexError):
        return MISSING


def at(value, path):
    for name in path:
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return MISSING
    return value


def constant(text):
    if text.startswith('"'):
        try:
            return json.loads(text)
        except ValueError:
            raise Unknown(text) from None
    words = {"null": None, "true": True, "false": False}
    if text in words:
        return words[text]
    if re.fullmatch(r"-?[\d_]+", text):
        return int(text)
    if re.fullmatch(NUMBER, text):
        return float(text)
    if re.fullmatch(r"\d{4}-\d\d-\d\d(T.*)?", text):
        return text
    raise Unknown(text)
