"""Calls a function of a program on rows: its path and arguments as JSON come in, an output for each row goes out."""

import contextlib
import copy
import io
import json
import resource
import signal
import sys
from pathlib import Path

SECONDS = 0.05
MEMORY = 1 << 30


class TooSlow(Exception):
    pass


def stop(*_):
    raise TooSlow


def plain(value):
    """As JSON has it; anything else by its type."""
    if isinstance(value, (list, tuple)):
        return [plain(element) for element in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if hasattr(value, "__next__"):
        return [plain(element) for element in value]
    return type(value).__name__


def output(function, arguments):
    try:
        return timed(function, copy.deepcopy(arguments))
    except Exception as error:
        return {"Err": type(error).__name__}


def timed(function, arguments):
    # Again and again: the program may catch the first.
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, SECONDS)
    try:
        return plain(function(*arguments))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def tuples(value):
    """JSON has lists only: `["tuple", …]` is a tuple."""
    if isinstance(value, list) and value[:1] == ["tuple"]:
        return tuple(tuples(element) for element in value[1:])
    return [tuples(element) for element in value] if isinstance(value, list) else value


def main():
    asked = json.load(sys.stdin)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGVTALRM, stop)
    path = Path(asked["program"])
    sys.path.insert(0, str(path.parent))
    names = {}
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            exec(compile(path.read_text(), path, "exec"), names)
            function = names[asked["function"]]
        except BaseException:
            outputs = None
        else:
            outputs = [output(function, tuples(arguments)) for arguments in asked["arguments"]]
    json.dump(outputs, sys.stdout)


main()
