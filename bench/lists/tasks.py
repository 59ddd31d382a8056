"""The rows of each program, and how it is called. Written before any program was run on them."""


def integer(low, high, **more):
    return {"type": "INTEGER", "distribution": {"type": "uniform", "min": low, "max": high}, **more}


def category(*values):
    categories = [{"value": value, "probability": 1 / len(values)} for value in values]
    return {"type": "STRING", "distribution": {"type": "categorical", "categories": categories}}


def pattern(regex):
    return {"type": "STRING", "distribution": {"type": "pattern", "regex": regex}}


def objects(**features):
    return {"type": "OBJECT", "distribution": {"type": "object", "features": named(features)}}


def lists(element, low, high, **more):
    length = {"min": low, "max": high}
    return {"type": "LIST", "distribution": {"type": "list", "length": length, "element": element, **more}}


def named(features):
    return [{"feature_name": name, **feature} for name, feature in features.items()]


def pairs(items):
    return [tuple(item.values()) for item in items]


def tokens(number):
    """`first`, and then an operator and a number for each step."""

    def infix(first, steps):
        return [number(first), *(token for step in steps for token in (step["op"], number(step["value"])))]

    def postfix(first, steps):
        return [number(first), *(token for step in steps for token in (number(step["value"]), step["op"]))]

    return infix, postfix


def palindrome(half, middle):
    return [*half, *([] if middle is None else [middle]), *reversed(half)]


STEPS = {"first": integer(1, 9), "steps": lists(objects(op=category("+", "-", "*", "/"), value=integer(1, 9)), 0, 6)}
ITEMS = lists(objects(weight=integer(1, 12), value=integer(1, 20)), 0, 6)
SORTED = {"arr": lists(integer(0, 20), 0, 10, sorted=True), "x": integer(0, 20)}
NUMBERS = lists(integer(0, 20), 0, 8)

# The 17 programs of QuixBugs that take a list: features, and the arguments made of a row.
QUIXBUGS = {
    "bucketsort": ({"arr": lists(integer(0, 9), 0, 8), "k": integer(10, 20)}, lambda arr, k: (arr, k)),
    "find_first_in_sorted": (SORTED, lambda arr, x: (arr, x)),
    "find_in_sorted": (SORTED, lambda arr, x: (arr, x)),
    "flatten": ({"arr": lists(lists(integer(0, 9), 0, 3), 0, 3)}, lambda arr: (arr,)),
    "kheapsort": ({"arr": NUMBERS, "k": integer(0, 8)}, lambda arr, k: (arr, k)),
    "knapsack": ({"capacity": integer(1, 30), "items": ITEMS}, lambda capacity, items: (capacity, pairs(items))),
    "kth": ({"arr": lists(integer(0, 20), 5, 9), "k": integer(0, 4)}, lambda arr, k: (arr, k)),
    "lis": ({"arr": NUMBERS}, lambda arr: (arr,)),
    "max_sublist_sum": ({"arr": lists(integer(-10, 10), 0, 8)}, lambda arr: (arr,)),
    "mergesort": ({"arr": lists(integer(0, 20), 0, 6)}, lambda arr: (arr,)),
    "next_palindrome": (
        {"half": lists(integer(5, 9), 1, 3), "middle": integer(5, 9, null_probability=0.5)},
        lambda half, middle: (palindrome(half, middle),),
    ),
    "next_permutation": ({"perm": lists(integer(1, 9, unique=True), 1, 6)}, lambda perm: (perm,)),
    "possible_change": (
        {"coins": lists(integer(1, 20, unique=True), 0, 4), "total": integer(0, 40)},
        lambda coins, total: (coins, total),
    ),
    "powerset": ({"arr": lists(integer(0, 20, unique=True), 0, 4)}, lambda arr: (arr,)),
    "quicksort": ({"arr": NUMBERS}, lambda arr: (arr,)),
    "rpn_eval": (STEPS, lambda first, steps: (tokens(float)[1](first, steps),)),
    "shunting_yard": (STEPS, lambda first, steps: (tokens(int)[0](first, steps),)),
}

FIVE = dict.fromkeys("abcde", integer(0, 9))
FIVE_SORTED = {"x": integer(0, 20), **dict.fromkeys("abcde", integer(0, 20))}

# 27 programs of QuixBugs, their lists flattened to features or written as a text or a number.
QUIXBUGS_FLAT = {
    "bucketsort": (FIVE, lambda a, b, c, d, e: ([a, b, c, d, e], 10)),
    "find_first_in_sorted": (FIVE_SORTED, lambda x, **row: (sorted(row.values()), x)),
    "find_in_sorted": (FIVE_SORTED, lambda x, **row: (sorted(row.values()), x)),
    "gcd": ({"a": integer(1, 100), "b": integer(1, 100)}, lambda a, b: (a, b)),
    "get_factors": ({"n": integer(1, 120)}, lambda n: (n,)),
    "hanoi": ({"height": integer(0, 4), "start": integer(1, 3), "step": integer(1, 2)}, lambda height, start, step: (height, start, (start + step - 1) % 3 + 1)),
    "is_valid_parenthesization": ({"text": pattern(r"[()]{0,8}|(\(\)){1,3}|(\(\(\)\)){1,2}")}, lambda text: (text,)),
    "kheapsort": ({**FIVE, "k": integer(0, 5)}, lambda k, **row: (list(row.values()), k)),
    "knapsack": (
        {"cap": integer(1, 20), **dict.fromkeys(["w1", "w2", "w3"], integer(1, 12)), **dict.fromkeys(["v1", "v2", "v3"], integer(1, 20))},
        lambda cap, w1, w2, w3, v1, v2, v3: (cap, [(w1, v1), (w2, v2), (w3, v3)]),
    ),
    "kth": ({**FIVE, "k": integer(0, 4)}, lambda k, **row: (list(row.values()), k)),
    "lcs_length": ({"a": pattern("[abc]{0,6}"), "b": pattern("[abc]{0,6}")}, lambda a, b: (a, b)),
    "levenshtein": ({"a": pattern("[abc]{0,4}"), "b": pattern("[abc]{0,4}")}, lambda a, b: (a, b)),
    "lis": (FIVE, lambda a, b, c, d, e: ([a, b, c, d, e],)),
    "longest_common_subsequence": ({"a": pattern("[abc]{0,6}"), "b": pattern("[abc]{0,6}")}, lambda a, b: (a, b)),
    "max_sublist_sum": (dict.fromkeys("abcde", integer(-10, 10)), lambda a, b, c, d, e: ([a, b, c, d, e],)),
    "next_palindrome": ({"n": integer(1, 99)}, lambda n: ([int(digit) for digit in f"{n}{str(n)[::-1]}"],)),
    "next_permutation": ({"text": pattern("[1-6]{1,5}")}, lambda text: (list(dict.fromkeys(text)),)),
    "pascal": ({"n": integer(1, 12)}, lambda n: (n,)),
    "possible_change": ({"total": integer(0, 40), **dict.fromkeys(["a", "b", "c"], integer(1, 20))}, lambda total, a, b, c: ([a, b, c], total)),
    "powerset": ({"text": pattern("[a-z]{0,4}")}, lambda text: (list(dict.fromkeys(text)),)),
    "quicksort": (FIVE, lambda a, b, c, d, e: ([a, b, c, d, e],)),
    "rpn_eval": (
        {"a": integer(1, 9), "b": integer(1, 9), "c": integer(1, 9), "op1": category("+", "-", "*", "/"), "op2": category("+", "-", "*", "/")},
        lambda a, b, c, op1, op2: ([float(a), float(b), op1, float(c), op2],),
    ),
    "shunting_yard": (
        {"a": integer(1, 9), "b": integer(1, 9), "c": integer(1, 9), "op1": category("+", "-", "*", "/"), "op2": category("+", "-", "*", "/")},
        lambda a, b, c, op1, op2: ([a, op1, b, op2, c],),
    ),
    "sieve": ({"max": integer(0, 60)}, lambda max: (max,)),
    "subsequences": ({"a": integer(0, 6), "b": integer(0, 8), "k": integer(0, 3)}, lambda a, b, k: (a, b, k)),
    "to_base": ({"num": integer(1, 2000), "b": integer(2, 36)}, lambda num, b: (num, b)),
    "wrap": ({"text": pattern("([a-z]{1,7} ){0,5}[a-z]{0,7}"), "cols": integer(1, 30)}, lambda text, cols: (text, cols)),
}

BIRTHDAYS = lists(objects(month=category("May", "June", "July"), day=category("14", "15", "16", "17")), 0, 6)

# The functions of Refactory's five assignments. Those of "kept" were looked at only at the end.
REFACTORY = {
    "question_1": ("dev", {"search": ({"x": integer(0, 20), "seq": lists(integer(0, 20), 0, 8, sorted=True)}, lambda x, seq: (x, seq))}),
    "question_2": (
        "kept",
        {
            "unique_day": ({"day": category("14", "15", "16", "17"), "birthdays": BIRTHDAYS}, lambda day, birthdays: (day, tuple(pairs(birthdays)))),
            "unique_month": ({"month": category("May", "June", "July"), "birthdays": BIRTHDAYS}, lambda month, birthdays: (month, tuple(pairs(birthdays)))),
            "contains_unique_day": ({"month": category("May", "June", "July"), "birthdays": BIRTHDAYS}, lambda month, birthdays: (month, tuple(pairs(birthdays)))),
        },
    ),
    "question_3": ("dev", {"remove_extras": ({"lst": lists(integer(0, 9), 0, 8)}, lambda lst: (lst,))}),
    "question_4": (
        "kept",
        {"sort_age": ({"lst": lists(objects(gender=category("F", "M"), age=integer(1, 60, unique=True)), 0, 8)}, lambda lst: (pairs(lst),))},
    ),
    "question_5": ("dev", {"top_k": ({"lst": lists(integer(0, 9), 4, 10), "k": integer(0, 4)}, lambda lst, k: (lst, k))}),
}
