"""Draws the rows of a definition as docs/reference/sampling.md and docs/reference/definitions.md specify.

    reference.py DEFINITION SEED FIRST_ROW ROWS

DEFINITION is a file in canonical form. The ensemble ends with the last row. Prints the digest of the
rows, then each row as JSON. It is written for clarity, not for speed. Where it disagrees with tdg, one of
the two is wrong, or the page is. Needs Python 3.9 and no packages.
"""

import bisect
import datetime
import functools
import hashlib
import itertools
import json
import math
import struct
import sys

MASK = 2**64 - 1


# Words


def philox(counter, key):
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        p = 0xD2E7470EE14C6C93 * c0
        q = 0xCA5A826395121157 * c2
        c0, c1, c2, c3 = (q >> 64) ^ c1 ^ k0, q & MASK, (p >> 64) ^ c3 ^ k1, p & MASK
        k0 = (k0 + 0x9E3779B97F4A7C15) & MASK
        k1 = (k1 + 0xBB67AE8584CAA73B) & MASK
    return c0, c1, c2, c3


assert philox((0, 0, 0, 0), (0, 0))[0] == 0x16554D9ECA36314C

VALUE, NULL, COMPONENT, UNIQUE, EDGE_ROW, EDGE_VALUE, STRATUM, LISTED_ROW, LISTED_VALUE = range(9)


class Stream:
    """The words of a feature: of rows, or of the elements of one list, which are its rows."""

    def __init__(self, text, of_list=None, around=None, count=None):
        self.text, self.of_list, self.around = text, of_list, around
        self.count = count  # How many elements the list has.
        self.key = struct.unpack("<QQ", hashlib.sha256(text.encode()).digest()[:16])

    def word(self, purpose, row, draw=0):
        if self.of_list is None:
            return philox((row // 4, draw, purpose, 0), self.key)[row % 4]
        i, around, _ = self.of_list
        return philox((i, draw, purpose, around + row // 4 + 1), self.key)[row % 4]

    def member(self, name):
        return Stream(f"{self.text}\x1f{name}", self.of_list, self.around, self.count)

    def elements(self, row, count):
        """Of the list in that row."""
        i, around, level = self.of_list or (row, 0, 0)
        if self.of_list is not None:
            around += (row + 1) << 16 * level
        return Stream(f"{self.text}\x1f", (i, around, level + 1), self.around, count)


# From a word to a number


def unit(w):
    return math.ldexp(w >> 11, -53)


def open_unit(w):
    return math.ldexp(2 * (w >> 12) + 1, -53)


def integer(w, n):
    return (w * n) >> 64


def threshold(q):
    return min(int(math.ldexp(q, 63)), 2**63)


def is_above(t, w):
    return w >> 1 < t


class Choice:
    def __init__(self, weights):
        sums = []
        total = 0.0
        for weight in weights:
            total += weight
            sums.append(total)
        self.thresholds = [threshold(c / total) for c in sums]

    def outcome(self, w):
        low, high = 0, len(self.thresholds) - 1
        while low < high:
            middle = (low + high) // 2
            if is_above(self.thresholds[middle], w):
                high = middle
            else:
                low = middle + 1
        return low


# Functions


def bits(x):
    return struct.unpack("<Q", struct.pack("<d", x))[0]


def from_bits(b):
    return struct.unpack("<d", struct.pack("<Q", b))[0]


H = from_bits(0x3FE62E42FEE00000)
L = from_bits(0x3DEA39EF35793C76)


def ln(x):
    scale = 0
    if x < 2.0**-1022:
        x, scale = x * 2.0**54, 54
    moved = bits(x) + 0x3FF0000000000000 - 0x3FE6A09E667F3BCD
    k = float((moved >> 52) - 1023 - scale)
    m = from_bits(moved % 2**52 + 0x3FE6A09E667F3BCD)
    f = m - 1.0
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    odd = (((2 / 19 * w + 2 / 15) * w + 2 / 11) * w + 2 / 7) * w + 2 / 3
    even = (((2 / 21 * w + 2 / 17) * w + 2 / 13) * w + 2 / 9) * w + 2 / 5
    series = odd * z + even * w
    h = 0.5 * f * f
    return k * H - ((h - (s * (h + series) + k * L)) - f)


def reduced(x):
    """k and eʳ − 1 of exp."""
    rounder = 6755399441055744.0
    k = (x * 1.4426950408889634 + rounder) - rounder
    high = x - k * H
    low = k * L
    r = high - low
    total = 1 / math.factorial(13)
    for n in range(12, 1, -1):
        total = total * r + 1 / math.factorial(n)
    return int(k), high + (total * (r * r) - low)


def exp(x):
    if x > 1000.0:
        return math.inf
    if x < -1000.0:
        return 0.0
    k, m = reduced(x)
    k1 = int(k / 2)
    return ((1.0 + m) * 2.0**k1) * 2.0 ** (k - k1)


A = [3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946,
     45921.95393154987, 67265.7709270087, 33430.57558358813, 2509.0809287301227]
B = [1.0, 42.31333070160091, 687.1870074920579, 5394.196021424751,
     21213.794301586597, 39307.89580009271, 28729.085735721943, 5226.495278852854]
C = [1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045,
     1.2704582524523684, 0.2417807251774506, 0.022723844989269184, 0.0007745450142783414]
D = [1.0, 2.053191626637759, 1.6763848301838038, 0.6897673349851,
     0.14810397642748008, 0.015198666563616457, 0.0005475938084995345, 1.0507500716444169e-9]
E = [6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487,
     0.026532189526576124, 0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7]
F = [1.0, 0.599832206555888, 0.1369298809227358, 0.014875361290850615,
     0.0007868691311456133, 1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15]


def poly(c, x):
    x2 = x * x
    x4 = x2 * x2
    return ((c[0] + c[1] * x) + (c[2] + c[3] * x) * x2) + ((c[4] + c[5] * x) + (c[6] + c[7] * x) * x2) * x4


def normal(w):
    return quantile(open_unit(w))


def quantile(u):
    q = u - 0.5
    if abs(q) <= 0.425:
        r = 0.425 * 0.425 - q * q
        return (q * poly(A, r)) / poly(B, r)
    p = u if u < 0.5 else 1.0 - u
    rho = math.sqrt(-ln(p))
    if rho <= 5.0:
        r = rho - 1.6
        y = poly(C, r) / poly(D, r)
    else:
        r = rho - 5.0
        y = poly(E, r) / poly(F, r)
    return y if q > 0 else -y


def exp_m1(x):
    if x > 40.0:
        return exp(x) - 1.0
    if x < -40.0:
        return -1.0
    k, m = reduced(x)
    return m if k == 0 else 2.0**k * m + (2.0**k - 1.0)


def ln_1p(x):
    w = 1.0 + x
    if w == 0.0:
        return -math.inf
    return x if w == 1.0 else ln(w) * (x / (w - 1.0))


def pow(x, y):
    return exp(y * ln(x))


def series(z, highest):
    total = 1 / math.factorial(highest)
    for n in range(highest - 2, 1, -2):
        term = 1 / math.factorial(n)
        total = total * z - term if n % 4 in (2, 3) else total * z + term
    return total


def sine(t):
    z = t * t
    return t + t * (z * series(z, 17))


def cosine(t):
    z = t * t
    return 1.0 + z * series(z, 16)


def cos_pi(x):
    if x > 1.0:
        x = 2.0 - x
    sign = 1.0
    if x > 0.5:
        x, sign = 1.0 - x, -1.0
    return sign * (cosine(math.pi * x) if x <= 0.25 else sine(math.pi * (0.5 - x)))


def tan_pi(x):
    y = abs(x)
    if y <= 0.25:
        t = math.pi * y
        tangent = sine(t) / cosine(t)
    else:
        t = math.pi * (0.5 - y)
        tangent = cosine(t) / sine(t)
    return math.copysign(tangent, x)


CDF_A = [0.06568233791820745, 2.2352520354606837, 161.02823106855587, 1067.6894854603709,
         18154.98125334356]
CDF_B = [47.202581904688245, 976.0985517377767, 10260.932208618979, 45507.78933502673]
CDF_C = [1.0765576773720192e-08, 0.39894151208813466, 8.883149794388377, 93.50665613217785,
         597.2702763948002, 2494.5375852903726, 6848.190450536283, 11602.65143764735,
         9842.714838383978]
CDF_D = [22.266688044328117, 235.387901782625, 1519.3775994075547, 6485.558298266761,
         18615.571640885097, 34900.95272114598, 38912.00328609327, 19685.429676859992]
CDF_P = [0.023073441764940174, 0.215898534057957, 0.12740116116024736, 0.022235277870649807,
         0.0014216191932278934, 2.9112874951168793e-05]
CDF_Q = [1.284260096144911, 0.4682382124808651, 0.06598813786892856, 0.0037823963320275824,
         7.297515550839662e-05]


def horner(t, coefficients, x):
    for g in coefficients[:-1]:
        t = (t + g) * x
    return t + coefficients[-1]


def cdf(z):
    y = abs(z)
    if y <= 0.67448975:
        x = z * z if y > 1.11e-16 else 0.0
        return 0.5 + z * horner(CDF_A[0] * x, CDF_A[1:], x) / horner(x, CDF_B, x)
    if y < 38.6:
        e = math.floor(y * 16.0) / 16.0
        f = (y - e) * (y + e)
        density = exp(-(e * e * 0.5)) * exp(-(f * 0.5))
    if y <= 5.656854249492381:
        r = density * (horner(CDF_C[0] * y, CDF_C[1:], y) / horner(y, CDF_D, y))
    elif y < 38.6:
        x = 1.0 / (z * z)
        quotient = x * horner(CDF_P[0] * x, CDF_P[1:], x) / horner(x, CDF_Q, x)
        r = density * ((0.3989422804014327 - quotient) / y)
    else:
        r = 0.0
    return r if z < 0.0 else 1.0 - r


# Distributions


def day(text):
    """Days since 1970-01-01; Python's own dates begin with the year 1."""
    years = 400 if text.startswith("0000") else 0
    date = datetime.date(int(text[:4]) + years, int(text[5:7]), int(text[8:10]))
    return (date - datetime.date(1970, 1, 1)).days - (146_097 if years else 0)


def second(text):
    hours, minutes, seconds = int(text[11:13]), int(text[14:16]), int(text[17:19])
    return day(text[:10]) * 86_400 + hours * 3600 + minutes * 60 + seconds


def read_value(value, kind):
    if kind == "FLOAT":
        return float(value)
    return {"DATE": day, "DATETIME": second, "BYTES": unescaped}.get(kind, lambda same: same)(value)


def unescaped(text):
    return text.encode().decode("unicode_escape").encode("latin-1")


def sampler(distribution, kind):
    """A function of a stream and a row."""
    name = distribution["type"]
    if name == "sum":
        return sum_of(distribution, kind)
    if name == "share":
        return share_of(distribution, kind)
    if name == "index":
        return index_of(distribution)
    if name == "one_of":
        return one_of(distribution, kind)
    if name == "length_of":
        return lambda stream, row: count_of(stream, distribution["of"])
    if name == "list":
        return list_of(distribution)
    if name == "object":
        return object_of(distribution)
    if name == "variant":
        return variant_of(distribution)
    if name == "shape":
        return shape_of(distribution["of"])
    if name == "mixture":
        choice = Choice([float(c["weight"]) for c in distribution["components"]])
        components = [sampler(c["distribution"], kind) for c in distribution["components"]]
        return lambda stream, row: components[choice.outcome(stream.word(COMPONENT, row))](stream, row)
    if kind == "BYTES" and name in BYTES_OF_ROW:
        return BYTES_OF_ROW[name](distribution)
    if name == "any":
        return any_of(distribution, kind)
    if name in OF_ROW and (name != "gaussian" or "min" in distribution or "max" in distribution):
        return OF_ROW[name](distribution)
    value = of_word(name, distribution, kind)
    return lambda stream, row: value(stream.word(VALUE, row))


def of_word(name, parameters, kind):
    """A function of the word of purpose 0."""
    number = {key: float(v) for key, v in parameters.items() if isinstance(v, (int, float))}
    if name == "constant":
        constant = read_value(parameters["value"], kind)
        return lambda w: constant
    if name == "uniform":
        least, most = read_value(parameters["min"], kind), read_value(parameters["max"], kind)
        if kind == "FLOAT":
            return lambda w: uniform_float(w, least, most)
        return lambda w: least + integer(w, most - least + 1)
    if name == "categorical":
        choice = Choice([float(c["probability"]) for c in parameters["categories"]])
        values = [read_value(c["value"], kind) for c in parameters["categories"]]
        return lambda w: values[choice.outcome(w)]
    if name == "bernoulli":
        t = threshold(number["p"])
        of = bool if kind == "BOOLEAN" else int
        return lambda w: of(is_above(t, w))
    if name == "gaussian":
        return lambda w: number["mu"] + number["sigma"] * normal(w)
    if name == "lognormal":
        return lambda w: exp(number["mu"] + number["sigma"] * normal(w))
    if name == "exponential":
        if "rate" in number:
            return lambda w: -ln(1.0 - open_unit(w)) / number["rate"]
        return lambda w: -ln(1.0 - open_unit(w)) * number["scale"]
    if name == "weibull":
        return lambda w: number["scale"] * pow(-ln(1.0 - open_unit(w)), 1.0 / number["shape"])
    if name == "pareto":
        return lambda w: number["min"] * pow(1.0 - open_unit(w), -1.0 / number["shape"])
    if name == "triangular":
        return lambda w: triangular(open_unit(w), number["min"], number["mode"], number["max"])
    if name == "cauchy":
        return lambda w: number["mu"] + number["sigma"] * tan_pi(open_unit(w) - 0.5)
    if name == "laplace":
        return lambda w: number["mu"] + number["sigma"] * standard_laplace(open_unit(w))
    if name == "logistic":
        return lambda w: number["mu"] + number["sigma"] * ln(open_unit(w) / (1.0 - open_unit(w)))
    if name == "geometric":
        return lambda w: int(ln(1.0 - open_unit(w)) / ln_1p(-number["p"]))
    if name == "zipf":
        choice = Choice([pow(float(k), -number["s"]) for k in range(1, parameters["n"] + 1)])
        return lambda w: 1 + choice.outcome(w)
    if name in TABLES:
        first, choice = table(*TABLES[name](**{key: number[key] for key in number}))
        return lambda w: first + choice.outcome(w)
    raise ValueError(name)


def uniform_float(w, least, most):
    v = least + (most - least) * unit(w)
    last = math.nextafter(most, -math.inf) if least < most else most
    return last if v > last else v


def triangular(u, least, mode, most):
    width = most - least
    if width == 0.0:
        return least
    c = (mode - least) / width
    if u <= c:
        v = least + width * math.sqrt(u * c)
        return mode if v > mode else v
    v = most - width * math.sqrt((1.0 - u) * ((most - mode) / width))
    return mode if v < mode else v


def standard_laplace(u):
    return ln(2.0 * u) if u <= 0.5 else -ln(2.0 * (1.0 - u))


def poisson(rate):
    return math.floor(rate), lambda k: rate / k


def binomial(n, p):
    def ratio(k):
        if k > n:
            return 0.0
        return math.inf if p == 1.0 else (n - k + 1.0) * p / (k * (1.0 - p))

    return min(math.floor((n + 1.0) * p), int(n)), ratio


def negative_binomial(n, p):
    mode = max(math.floor((n - 1.0) * (1.0 - p) / p), 0)
    return mode, lambda k: (k + n - 1.0) / k * (1.0 - p)


TABLES = {"poisson": poisson, "binomial": binomial, "negative_binomial": negative_binomial}


def table(mode, ratio):
    weights = [1.0]
    k = mode + 1
    while (weight := weights[-1] * ratio(float(k))) >= 2.0**-70:
        weights.append(weight)
        k += 1
    below = []
    weight = 1.0
    for k in range(mode, 0, -1):
        weight = weight / ratio(float(k))
        if weight < 2.0**-70:
            break
        below.append(weight)
    return mode - len(below), Choice(below[::-1] + weights)


# Distributions of more than one word, or of the row: functions of a stream and a row


def truncated_gaussian(parameters):
    mu, sigma = float(parameters["mu"]), float(parameters["sigma"])
    least = float(parameters.get("min", -math.inf))
    most = float(parameters.get("max", math.inf))
    a, b = (least - mu) / sigma, (most - mu) / sigma
    below, above = cdf(a), cdf(-b)
    if b <= 0.0:
        mass = cdf(b) - below
    elif a >= 0.0:
        mass = cdf(-a) - above
    else:
        mass = 1.0 - below - above

    def value(stream, row):
        u = open_unit(stream.word(VALUE, row))
        p, q = below + u * mass, above + (1.0 - u) * mass
        v = mu + sigma * (quantile(p) if p <= q else -quantile(q))
        return least if v < least else most if v > most else v

    return value


def student_t(parameters):
    nu = float(parameters["nu"])
    mu, sigma = float(parameters.get("mu", 0)), float(parameters.get("sigma", 1))

    def value(stream, row):
        u, v = (open_unit(stream.word(VALUE, row, draw)) for draw in (0, 1))
        return mu + sigma * (math.sqrt(nu * exp_m1(-2.0 / nu * ln(u))) * cos_pi(2.0 * v))

    return value


def standard_gamma(shape, stream, row, draw):
    """The variable and its log-factor."""
    a = shape + 1.0 if shape < 1.0 else shape
    d = a - 1 / 3
    c = 1.0 / math.sqrt(9.0 * d)
    factor = ln(open_unit(stream.word(VALUE, row, draw(0)))) / shape if shape < 1.0 else 0.0
    j = 0
    while True:
        z = normal(stream.word(VALUE, row, draw(2 * j + 1)))
        u = open_unit(stream.word(VALUE, row, draw(2 * j + 2)))
        s = z * z
        r = 1.0 + c * z
        if r > 0.0:
            v = r * r * r
            if u < 1.0 - 0.0331 * (s * s) or ln(u) < 0.5 * s + d * (1.0 - v + ln(v)):
                return d * v, factor
        j += 1


def gamma(parameters):
    shape = float(parameters["shape"])
    rate, scale = (float(parameters[key]) if key in parameters else None for key in ("rate", "scale"))

    def value(stream, row):
        g, f = standard_gamma(shape, stream, row, lambda i: i)
        if shape < 1.0:
            return g * exp(f + (-ln(rate) if scale is None else ln(scale)))
        return g / rate if scale is None else g * scale

    return value


def beta(parameters):
    a, b = float(parameters["alpha"]), float(parameters["beta"])

    def value(stream, row):
        g1, f1 = standard_gamma(a, stream, row, lambda i: 2 * i)
        g2, f2 = standard_gamma(b, stream, row, lambda i: 2 * i + 1)
        if a < 1.0 or b < 1.0:
            g2 = g2 * exp(f2 - f1)
        return g1 / (g1 + g2)

    return value


def sequence(parameters):
    return lambda stream, row: parameters["start"] + row * parameters["step"]


def uuid(_):
    def value(stream, row):
        digits = f"{stream.word(VALUE, row, 0):016x}{stream.word(VALUE, row, 1):016x}"
        variant = f"{int(digits[16], 16) & 3 | 8:x}"
        digits = digits[:12] + "4" + digits[13:16] + variant + digits[17:]
        return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))

    return value


def pattern(parameters):
    text = parameters["regex"]
    text = text[1:] if text.startswith("^") else text
    text = text[:-1] if text.endswith("$") else text
    parsed = Pattern(text).alternatives()

    def value(stream, row):
        draws = iter(range(2**64))

        def choose(n):
            return 0 if n == 1 else integer(stream.word(VALUE, row, next(draws)), n)

        return parsed(choose)

    return value


PRINTABLE = set(map(chr, range(0x20, 0x7F)))
CLASSES = {
    "d": set("0123456789"),
    "w": {c for c in PRINTABLE if c.isalnum() or c == "_"},
    "s": set("\t\n\v\f\r "),
}


class Pattern:
    """Each method reads on and gives a function that makes a string by choices. For valid patterns without (?, \\p and [:."""

    def __init__(self, text):
        self.text, self.next = text, 0

    def peek(self):
        return self.text[self.next : self.next + 1]

    def take(self):
        self.next += 1
        return self.text[self.next - 1]

    def alternatives(self):
        alternatives = [self.joined()]
        while self.peek() == "|":
            self.take()
            alternatives.append(self.joined())
        return lambda choose: alternatives[choose(len(alternatives))](choose)

    def joined(self):
        parts = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.repeated(self.part()))
        return lambda choose: "".join(part(choose) for part in parts)

    def part(self):
        c = self.take()
        if c == "(":
            group = self.alternatives()
            self.take()
            return group
        characters = PRINTABLE if c == "." else self.brackets() if c == "[" else self.escaped(c)
        characters = sorted(characters)
        return lambda choose: characters[choose(len(characters))]

    def escaped(self, c):
        if c != "\\":
            return {c}
        c = self.take()
        if c.lower() in CLASSES:
            return CLASSES[c] if c in CLASSES else PRINTABLE - CLASSES[c.lower()]
        if c == "u":
            end = self.text.index("}", self.next)
            code = int(self.text[self.next + 1 : end], 16)
            self.next = end + 1
            return {chr(code)}
        return {{"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v"}.get(c, c)}

    def brackets(self):
        negated = self.peek() == "^"
        if negated:
            self.take()
        characters = set()
        first = True
        while first or self.peek() != "]":
            first = False
            some = self.escaped(self.take())
            if self.peek() == "-" and self.text[self.next + 1] != "]":
                self.take()
                (start,), (end,) = some, self.escaped(self.take())
                some = {chr(c) for c in range(ord(start), ord(end) + 1) if not 0xD800 <= c < 0xE000}
            characters |= some
        self.take()
        return PRINTABLE - characters if negated else characters

    def repeated(self, part):
        c = self.peek()
        if c not in ("?", "*", "+", "{") or not c:
            return part
        self.take()
        least, most = {"?": (0, 1), "*": (0, 8), "+": (1, 8)}.get(c, (None, None))
        if c == "{":
            end = self.text.index("}", self.next)
            bounds = self.text[self.next : end].split(",")
            self.next = end + 1
            least = int(bounds[0])
            most = least if len(bounds) == 1 else int(bounds[1] or 8)
        if self.peek() == "?":
            self.take()

        def repetition(choose):
            return "".join(part(choose) for _ in range(least + choose(most - least + 1)))

        return repetition


class Draws:
    """The draws of a row, one after another."""

    def __init__(self, stream, row):
        self.stream, self.row, self.next = stream, row, 0

    def choose(self, n):
        if n == 1:
            return 0
        self.next += 1
        return integer(self.stream.word(VALUE, self.row, self.next - 1), n)

    def number(self, least, most):
        return least + self.choose(most - least + 1)


def any_of(parameters, kind):
    """Anything of a type: a function of a stream and a row."""
    if kind == "STRING":
        value = any_string(parameters["min_length"], parameters["max_length"])
    elif kind == "INTEGER":
        ranges = magnitudes(parameters["min"], parameters["max"])
        value = lambda draws: by_magnitude(draws, ranges)
    elif kind == "FLOAT":
        value = any_float(float(parameters["min"]), float(parameters["max"]), parameters.get("decimals"))
    else:
        value = {"DATE": any_day, "DATETIME": any_second}[kind]
    return lambda stream, row: value(Draws(stream, row))


def magnitudes(least, most):
    powers = sorted({2**j for j in range(64)} | {10**j for j in range(20)}) + [2**64]
    positive = [(p, q - 1) for p, q in zip(powers, powers[1:])]
    negative = [(-last, -first) for first, last in reversed(positive)]
    cut = [(max(first, least), min(last, most)) for first, last in negative + [(0, 0)] + positive]
    return [(first, last) for first, last in cut if first <= last]


def by_magnitude(draws, ranges):
    first, last = ranges[draws.choose(len(ranges))]
    if first == last:
        return first
    end = draws.choose(8)
    return first if end == 0 else last if end == 1 else draws.number(first, last)


def any_float(least, most, decimals):
    tiny = 1.0 / max(abs(least), abs(most), 2.0**64)

    def positive(least, most):
        if most <= 0.0:
            return None
        return bits(least if least > 0.0 else tiny if tiny <= most else 2.0**-1074), bits(most)

    above, below = positive(least, most), positive(-most, -least)
    count = [0 if found is None else found[1] - found[0] + 1 for found in (below, above)]
    scales = []
    for d in range(1 + (3 if decimals is None else decimals)):
        s = 10.0**d
        ranges = magnitudes(math.ceil(max(least * s, -(2.0**53))), math.floor(min(most * s, 2.0**53)))
        if ranges:
            scales.append((s, ranges))
    if decimals is not None and scales:
        count = [0, 0]

    def value(draws):
        if sum(count) and (not scales or draws.choose(2) == 0):
            j = draws.choose(sum(count))
            return -from_bits(below[1] - j) if j < count[0] else from_bits(above[0] + j - count[0])
        s, ranges = scales[draws.choose(len(scales))]
        v = by_magnitude(draws, ranges) / s
        return least if v < least else most if v > most else v

    return value


CHARACTERS = (
    r"""([ -~]|[\u{0}-\u{1f}\u{7f}-\u{9f}]|["'`\\/<>&%$;,#]|[\u{c0}-\u{17f}]|[\u{300}-\u{36f}]|[\u{391}-\u{44f}]"""
    r"""|[\u{5d0}-\u{5ea}\u{620}-\u{64a}]|[\u{3041}-\u{30ff}\u{4e00}-\u{9fff}]|[\u{1f300}-\u{1faff}]"""
    r"""|[\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{2069}\u{fe0f}\u{feff}]|[\u{0}-\u{10ffff}])"""
)


@functools.cache
def character():
    return Pattern(CHARACTERS).alternatives()


def any_string(a, most):
    b, c = min(a + 4, most), min(a + 64, most)

    def value(draws):
        part = draws.choose(4)
        one = Pattern("[ -~]").alternatives() if part < 2 else character()
        length = draws.number(a, c if part % 2 else b)
        return "".join(one(draws.choose) for _ in range(length))

    return value


def any_day(draws):
    year = draws.number(0, 9999) if draws.choose(2) == 0 else draws.number(1900, 2099)
    month = draws.number(1, 12)
    is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    last = [31, 29 if is_leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    end = draws.choose(4)
    of_month = 1 if end == 0 else last if end == 1 else draws.number(1, last)
    return day(f"{year:04}-{month:02}-{of_month:02}")


def any_second(draws):
    midnight = any_day(draws) * 86_400
    end = draws.choose(4)
    return midnight + (0 if end == 0 else 86_399 if end == 1 else draws.number(0, 86_399))


OF_ROW = {
    "gaussian": truncated_gaussian,
    "student_t": student_t,
    "gamma": gamma,
    "beta": beta,
    "sequence": sequence,
    "uuid": uuid,
    "pattern": pattern,
}


def bytes_pattern(parameters):
    regex = parameters["regex"]
    coding = "latin-1" if regex.startswith("(?-u)") else "utf-8"
    text = pattern({"regex": regex.removeprefix("(?-u)")})
    return lambda stream, row: text(stream, row).encode(coding)


def any_bytes(parameters):
    length = length_of(parameters["length"])
    kinds = [
        lambda draws, n: bytes(printable(draws) for _ in range(n)),
        utf_8,
        broken_utf_8,
        lambda draws, n: bytes(draws.choose(256) for _ in range(n)),
    ]

    def value(stream, row):
        draws = Draws(stream.member(""), row)
        return kinds[draws.choose(4)](draws, length(stream, row))

    return value


def printable(draws):
    return draws.number(0x20, 0x7E)


def utf_8(draws, n):
    text = b""
    while len(text) < n:
        more = character()(draws.choose).encode()
        if len(text + more) > n:
            break
        text += more
    while len(text) < n:
        text += bytes([printable(draws)])
    return text


NEVER_UTF_8 = [0xC0, 0xC1, *range(0xF5, 0x100)]


def broken_utf_8(draws, n):
    if n == 0:
        return b""
    change = draws.choose(3)
    text = bytearray(utf_8(draws, n + [0, 1, -1][change]))
    wide = [at for at, byte in enumerate(text) if byte > 0x7F]
    if change == 0 or not wide:
        text = text[:n] + b" " * (n - len(text))
        at = draws.choose(n)
        text[at] = NEVER_UTF_8[draws.choose(13)]
        return bytes(text)
    at = wide[draws.choose(len(wide))]
    text[at : at + 1] = b"" if change == 1 else text[at : at + 1] * 2
    return bytes(text)


BYTES_OF_ROW = {"pattern": bytes_pattern, "any": any_bytes}


# Lists and objects


def list_of(parameters):
    length, element, sort = length_of(parameters["length"]), parameters["element"], parameters.get("sorted", False)
    shapes, shape_of = [], None
    if parameters.get("edge_cases"):
        shapes = once(element, "shapes", lambda: list_shapes(parameters))
        shape_of = edge_number(usual_share(parameters["edge_cases"]), len(shapes))

    def value(stream, row, count=None):
        count = length(stream, row) if count is None else count
        number = shape_of and shape_of(stream, row)
        shape = None if number is None else shapes[number]
        if shape in ("empty", "one", "longest"):
            count = {"empty": 0, "one": 1, "longest": lengths_of(parameters["length"])[1]}[shape]
        if is_closed(element) and not isinstance(parameters["length"], str) and 0 in lengths_of(parameters["length"])[2]:
            count = 0
        of_elements = stream.elements(row, count)

        def move(cells):
            if shape == "edge values":
                values = once(element, "edge values", lambda: edge_values_of(element))
                cells[:] = [values[integer(of_elements.word(EDGE_VALUE, e), len(values))] for e in range(count)]
            elif shape == "all equal":
                cells[:] = cells[:1] * count
            elif shape == "first is last":
                cells[count - 1 :] = cells[:1]
            elif shape in ("rising", "falling"):
                sort_cells(cells, element, shape == "falling")
            if isinstance(sort, list):
                deal(cells, element, sort)
            elif sort:
                sort_cells(cells, element, sort == "falling")

        (elements,) = drawn({"features": [element]}, [of_elements], 0, count, move)
        return elements

    return value


def lengths_of(length):
    """The shortest and the longest list, and whether there is one of each length between them."""
    values = length["value"] if length["type"] == "constant" else None
    if length["type"] == "categorical":
        values = [category["value"] for category in length["categories"]]
        return min(values), max(values), values
    least, most = (values, values) if values is not None else (length.get("min", 0), length.get("max"))
    return least, most, range(least, most + 1)


def list_shapes(parameters):
    element, sort = parameters["element"], parameters.get("sorted", False)
    least, longest, lengths = (0, 2, []) if isinstance(parameters["length"], str) else lengths_of(parameters["length"])
    lengths = lengths if least < longest else []
    several, single = longest > 1, element["type"] not in ("LIST", "OBJECT", "VARIANT")
    can_repeat = repeats(element)
    allowed = {
        "empty": 0 in lengths,
        "one": 1 in lengths,
        "longest": several and longest in lengths,
        "all equal": several and can_repeat and not isinstance(sort, list),
        "rising": several and single and not sort,
        "falling": several and single and not sort,
        "first is last": several and can_repeat and not sort,
        "edge values": single and can_repeat and not [*paths(element)],
    }
    return [shape for shape, is_allowed in allowed.items() if is_allowed]


def repeats(feature):
    """Whether two elements of a list can be the same."""
    distribution = feature.get("distribution", {})
    if feature.get("unique") or distribution.get("type") == "share" or contains_shape(feature):
        return False
    return all(map(repeats, distribution.get("features", []) + distribution.get("variants", [])))


class Around:
    """What a row can refer to: the features of an object, and what is around it."""

    def __init__(self, cells, around):
        self.cells, self.around = cells, around

    def find(self, path):
        """The cell at that path, or nothing, and the feature, with what of the path is left in a list."""
        name, *rest = path.split("/")
        if name not in self.cells:
            return self.around.find(path)
        feature, cell = self.cells[name]
        while rest and feature["type"] == "OBJECT":
            feature, cell = member_of(feature, cell, rest.pop(0))
        return cell, feature, rest


def member_of(feature, cell, name):
    members = feature["distribution"]["features"]
    position = [str(member.get("feature_name", i)) for i, member in enumerate(members)].index(name)
    return members[position], None if cell is None else cell[position]


def count_of(stream, path):
    cell, _, _ = stream.around.find(path)
    return len(cell) if isinstance(cell, (list, bytes)) else cell


def index_of(parameters):
    beyond = threshold(float(parameters.get("beyond", 0)))

    def value(stream, row):
        count = count_of(stream, parameters["of"])
        if count is None or is_above(beyond, stream.word(COMPONENT, row)):
            return count
        return integer(stream.word(VALUE, row), count) if count else None

    return value


def one_of(parameters, kind):
    missing = threshold(float(parameters.get("missing", 0)))
    other = sampler(parameters["else"], kind) if "else" in parameters else None

    def value(stream, row):
        cell, feature, rest = stream.around.find(parameters["of"])
        found = None
        if cell and not is_above(missing, stream.word(COMPONENT, row)):
            found = cell[integer(stream.word(VALUE, row), len(cell))]
            element = feature["distribution"]["element"]
            for name in rest:
                element, found = member_of(element, found, name)
        return other(stream, row) if found is None and other else found

    return value


def sum_of(parameters, kind):
    off = threshold(float(parameters.get("off", 0)))
    digits = parameters.get("decimals")

    def value(stream, row):
        cell, feature, rest = stream.around.find(parameters["of"])
        if cell is None:
            return None
        total = 0 if kind == "INTEGER" else 0.0
        for found in cell:
            element = feature["distribution"]["element"]
            for name in rest:
                element, found = member_of(element, found, name)
            total += 0 if found is None else found
        unit = 1 if kind == "INTEGER" else None if digits is None else 1.0 / 10.0**digits
        least, most = (-(2**63), 2**63 - 1) if kind == "INTEGER" else (-LARGEST, LARGEST)
        total = min(max(total, least), most)
        if is_above(off, stream.word(COMPONENT, row)):
            sign = -1 if integer(stream.word(VALUE, row), 2) else 1
            total = math.nextafter(total, sign * math.inf) if unit is None else total + sign * unit
        return min(max(total, least), most)

    return value


def share_of(parameters, kind):
    weight = gamma({"shape": parameters.get("shape", 1), "scale": 1})

    def value(stream, row):
        total, _, _ = stream.around.find(parameters["of"])
        if total is None:
            return None
        weights = [weight(stream, e) for e in range(stream.count)]
        if sum(weights) == 0.0:
            weights = [1.0] * len(weights)
        unit = 1 if kind == "INTEGER" else 10.0 ** parameters["decimals"]
        units = abs(total) * unit
        if kind == "FLOAT" and units >= 2.0**53:
            return total if row == stream.count - 1 else 0.0
        units = round(units)
        sums = list(itertools.accumulate(weights, initial=0.0))

        def boundary(j):
            if j in (0, len(weights)):
                return units if j else 0
            return min(round(float(units) * (sums[j] / sums[-1])), units)

        part = (boundary(row + 1) - boundary(row)) * (-1 if total < 0 else 1)
        return part if kind == "INTEGER" else part / unit

    return value


def paths(feature):
    """Of the references of a feature, and of those within it that lead out of it."""
    distribution = feature.get("distribution", {})
    if distribution.get("type") != "shape" and isinstance(distribution.get("of"), str):
        yield distribution["of"]
    if isinstance(distribution.get("length"), str):
        yield distribution["length"]
    members = distribution.get("features", [])
    names = {str(member.get("feature_name", i)) for i, member in enumerate(members)}
    within = [distribution["element"]] if "element" in distribution else []
    for part in within + members + distribution.get("variants", []):
        yield from (path for path in paths(part) if path.split("/")[0] not in names)


def length_of(length):
    if isinstance(length, str):
        return lambda stream, row: count_of(stream, length) or 0
    bounds = {key: length[key] for key in ("min", "max") if key in length}
    if length["type"] in ("uniform", "any") or not bounds:
        return sampler(length, "INTEGER")
    value = sampler({key: length[key] for key in length if key not in bounds}, "INTEGER")

    def first(least):
        """The first word whose value is at least that; 2⁶⁴ if there is none."""
        low, high = 0, 2**64
        while low < high:
            middle = (low + high) // 2
            if value(WithWords(None, lambda row: middle), 0) >= least:
                high = middle
            else:
                low = middle + 1
        return low

    start, end = first(bounds["min"]), first(bounds["max"] + 1)

    def truncated(stream, row):
        w = start + integer(stream.word(VALUE, row), end - start)
        return value(WithWords(None, lambda row: w), row)

    return truncated


def object_of(parameters):
    def value(stream, row):
        streams = [stream.member(feature["feature_name"]) for feature in parameters["features"]]
        return [cells[0] for cells in drawn(parameters, streams, row, 1)]

    return value


def variant_of(parameters):
    """The number of the variant, and its value if it has one."""
    variants = parameters["variants"]

    def choice_of(node):
        weights = probabilities(variants, node)
        if node and node.is_closed and 0 < sum(map(contains_shape, variants)):
            last = [0.0 if contains_shape(variant) else p for variant, p in zip(variants, weights)]
            weights = last if any(last) else weights
        return Choice(weights)

    choices = {}

    def value(stream, row):
        node = NODES[-1]
        key = node and (node.name, node.depth, node.is_closed)
        if key not in choices:
            choices[key] = choice_of(node)
        number = choices[key].outcome(stream.word(VALUE, row))
        variant = variants[number]
        if "type" not in variant:
            return number, None
        (cells,) = drawn({"features": [variant]}, [stream.member(variant["variant"])], row, 1)
        return number, cells[0]

    return value


# Shapes


class Place:
    """Where a node of a shape is within another one."""


class Node:
    """The node that is being drawn."""

    def __init__(self, name, depth, is_closed):
        self.name, self.depth, self.is_closed = name, depth, is_closed


SHAPES = {}
NODES = [None]


def contains_shape(feature):
    """Whether there is a place in it for another node of the shape that is being drawn."""
    node, distribution = NODES[-1], feature.get("distribution", {})
    if node is None or distribution.get("type") == "shape":
        return node is not None and distribution["of"] == node.name
    within = [distribution["element"]] if "element" in distribution else []
    within += distribution.get("features", []) + distribution.get("variants", [])
    return any(contains_shape(feature) for feature in within)


def is_closed(feature):
    """Whether it is to have no further nodes, though it could."""
    return NODES[-1] is not None and NODES[-1].is_closed and contains_shape(feature)


def probabilities(variants, node):
    if "probability" in variants[0]:
        return [float(variant["probability"]) for variant in variants]
    contain = [contains_shape(variant) for variant in variants]
    count, of_shape = len(variants), sum(contain)
    if node is None or of_shape in (0, count):
        return [1 / count] * count
    share = 0.75 if node.depth == 0 else 0.5
    return [share / of_shape if it else (1 - share) / (count - of_shape) for it in contain]


def places_in(cell):
    if isinstance(cell, Place):
        yield cell
    elif isinstance(cell, (list, tuple)):
        for part in cell:
            yield from places_in(part)


def filled(cell):
    if isinstance(cell, Place):
        return filled(cell.cell)
    return type(cell)(map(filled, cell)) if isinstance(cell, (list, tuple)) else cell


def shape_of(name):
    def node(nodes, number, depth, is_closed):
        NODES.append(Node(name, depth, is_closed))
        (cells,) = drawn({"features": [SHAPES[name]]}, [nodes], number, 1)
        NODES.pop()
        return cells[0]

    def value(stream, row):
        if NODES[-1] and NODES[-1].name == name:
            return Place()
        shape, nodes, leaves = SHAPES[name], stream.elements(row, None), 1
        queue = [(Place(), 0)]
        for number, (place, depth) in enumerate(queue):
            place.cell = node(nodes, number, depth, depth == shape["depth"])
            if leaves >= shape["leaves"] and any(places_in(place.cell)):
                place.cell = node(nodes, number, depth, True)
            within = list(places_in(place.cell))
            queue += ((place, depth + 1) for place in within)
            leaves += max(len(within) - 1, 0)
        return filled(queue[0][0])

    return value


def of_shape(feature):
    """With what the shape says."""
    if feature["distribution"]["type"] != "shape":
        return feature
    return {**feature, "distribution": SHAPES[feature["distribution"]["of"]]["distribution"]}


# Permutations


def permutation(stream, purpose, number, last):
    keys = [stream.word(purpose, 8 * number + j) for j in range(8)]
    a = math.isqrt(last) + 1

    def once(x):
        l, r = divmod(x, a)
        for key in keys:
            y = (r ^ key) * 0x9E3779B97F4A7C15 & MASK
            y = (y ^ (y >> 32)) * 0xBB67AE8584CAA73B & MASK
            l, r = r, (l + integer(y, a)) % a
        return l * a + r

    def of(x):
        x = once(x)
        while x > last:
            x = once(x)
        return x

    return of


# Relations


class WithWords:
    """A stream in which others stand for the words of a purpose and draw 0."""

    def __init__(self, stream, words, purpose=VALUE):
        self.stream, self.words, self.purpose = stream, words, purpose
        self.of_list = stream and stream.of_list

    def member(self, name):
        return self.stream.member(name)

    def elements(self, row, count):
        return self.stream.elements(row, count)

    def word(self, purpose, row, draw=0):
        if (purpose, draw) == (self.purpose, 0):
            return self.words(row)
        return self.stream.word(purpose, row, draw)


def normal_word(z):
    p = min(int(math.ldexp(cdf(-abs(z)), 64)), 2**63 - 1)
    return p if z < 0.0 else MASK - p


def is_falling(distribution):
    if distribution["type"] == "categorical":
        values = [category["value"] for category in distribution["categories"]]
        return values[0] > values[-1]
    return distribution["type"] == "bernoulli"


def correlate(definition, streams):
    """Puts streams with the words of correlated features in place of their own."""
    features = definition["features"]
    positions = {feature.get("feature_name"): i for i, feature in enumerate(features)}
    r = {}
    for pair in definition.get("correlations", []):
        one, other = (positions[name] for name in pair["features"])
        r[one, other] = r[other, one] = float(pair["correlation"])
    rest = list(range(len(features)))
    while rest:
        group = {rest[0]}
        while more := {j for i in group for j in rest if (i, j) in r} - group:
            group |= more
        rest = [i for i in rest if i not in group]
        if len(group) > 1:
            correlate_group(sorted(group), r, [features[i]["distribution"] for i in sorted(group)], streams)


def correlate_group(group, r, distributions, streams):
    own = [streams[i] for i in group]
    signs = [-1.0 if is_falling(distribution) else 1.0 for distribution in distributions]
    factor = []
    for i in range(len(group)):
        row = []
        for j in range(i):
            s = r.get((group[i], group[j]), 0.0)
            for k in range(j):
                s = s - row[k] * factor[j][k]
            row.append(s / factor[j][j] if factor[j][j] else 0.0)
        d = 1.0
        for element in row:
            d = d - element * element
        if d < 0.0:
            row = [element / math.sqrt(1.0 - d) for element in row]
        row.append(math.sqrt(d) if d > 1e-9 else 0.0)
        factor.append(row)

    def words(i):
        def word(row):
            y = 0.0
            for j in range(i + 1):
                y = y + factor[i][j] * (signs[j] * normal(own[j].word(VALUE, row)))
            return normal_word(signs[i] * y)

        return word

    streams[group[0]] = WithWords(own[0], lambda row: own[0].word(VALUE, row))
    for i in range(1, len(group)):
        streams[group[i]] = WithWords(own[i], words(i))


class LogConcave:
    """A density by its logarithm."""

    def __init__(self, g):
        self.g, self.panels = g, []
        low, high = self.end(-1.0), self.end(1.0)
        self.width = high - low
        self.cut(low, 0.0)
        self.cut(0.0, high)
        self.total = 0.0
        self.before = []
        for _, _, mass in self.panels:
            self.before.append(self.total)
            self.total += mass
        total = 0.0
        self.after = []
        for _, _, mass in reversed(self.panels):
            self.after.insert(0, total)
            total += mass

    def f(self, s):
        return exp(self.g(s))

    def integral(self, x, y):
        h = (y - x) * 0.5
        m = x + h
        near, far = h * 0.5384693101056831, h * 0.906179845938664
        return h * (
            0.5688888888888889 * self.f(m)
            + 0.4786286704993665 * (self.f(m - near) + self.f(m + near))
            + 0.2369268850561891 * (self.f(m - far) + self.f(m + far))
        )

    def end(self, direction):
        a, b = 0.0, direction
        while self.g(b * 0.5) <= -60.0:
            b = b * 0.5
        while self.g(b) > -60.0:
            a, b = b, b * 2.0
        for _ in range(20):
            c = a + (b - a) * 0.5
            a, b = (a, c) if self.g(c) <= -60.0 else (c, b)
        return b

    def cut(self, x, y):
        c = x + (y - x) * 0.5
        t = self.integral(x, c) + self.integral(c, y)
        d = abs(self.integral(x, y) - t)
        is_panel = abs(self.g(x) - self.g(y)) <= 0.5 and (d <= 1e-9 * t or d <= 1e-22 * self.width)
        if is_panel or not x < c < y or len(self.panels) >= 10_000:
            self.panels.append((x, y, t))
        else:
            self.cut(x, c)
            self.cut(c, y)

    def quantile(self, p, q):
        if p <= q:
            w = p * self.total
            i = bisect.bisect_right(self.before, w) - 1
            x, y, t = self.panels[i]
            r = w - self.before[i]
        else:
            w = q * self.total
            i = next(i for i, after in enumerate(self.after) if after <= w)
            y, x, t = self.panels[i]
            r = w - self.after[i]
        share = r / t
        for _ in range(3):
            z = x + (y - x) * share
            share = share + (r - abs(self.integral(x, z))) / (self.f(z) * abs(y - x))
            share = min(max(share, 0.0), 1.0)
        return x + (y - x) * share


def gamma_by_inversion(shape, rate=None, scale=None):
    density = LogConcave(lambda s: shape * (s - exp_m1(s)))
    mode = ln(shape) + (-ln(rate) if scale is None else ln(scale))
    return lambda u: exp(density.quantile(u, 1.0 - u) + mode)


def standard_beta(a, b):
    if a > b:
        mirrored = standard_beta(b, a)
        return lambda s: mirrored(-s)
    p, q = a / (a + b), b / (a + b)

    def g(s):
        if s < 700.0:
            return a * s - (a + b) * ln_1p(p * exp_m1(s))
        return -b * s - (a + b) * ln(p + q * exp(-s))

    return g


def beta_by_inversion(alpha, beta):
    density = LogConcave(standard_beta(alpha, beta))

    def value(u):
        s = density.quantile(u, 1.0 - u)
        if s < 0.0:
            odds = alpha / beta * exp(s)
            return odds / (1.0 + odds)
        return 1.0 / (1.0 + beta / alpha * exp(-s))

    return value


def student_t_by_inversion(nu, mu, sigma):
    density = LogConcave(standard_beta(0.5, nu / 2.0))

    def value(u):
        y = u - 0.5
        s = density.quantile(2.0 * abs(y), 2.0 * (u if y < 0.0 else 1.0 - u))
        return mu + sigma * math.copysign(exp(s / 2.0), y)

    return value


BY_INVERSION = {"gamma": gamma_by_inversion, "beta": beta_by_inversion, "student_t": student_t_by_inversion}


def related_sampler(distribution, kind):
    """A function of a stream and a row, where words are supplied."""
    name = distribution["type"]
    if name not in BY_INVERSION:
        return sampler(distribution, kind)
    value = BY_INVERSION[name](**{key: float(v) for key, v in distribution.items() if key != "type"})
    return lambda stream, row: value(open_unit(stream.word(VALUE, row)))


def stratify(stream, size):
    order = permutation(stream, STRATUM, 0, size - 1)
    return WithWords(stream, lambda row: ((order(row) << 64) + stream.word(VALUE, row)) // size)


def cover(definition, streams):
    """Puts streams with the words of levels in place of those of the features that are covered."""
    if "coverage" not in definition:
        return
    features, coverage = definition["features"], definition["coverage"]
    listed = coverage.get("features")
    covered = []
    for position, feature in enumerate(features):
        if feature["feature_name"] in listed if listed else can_be_covered(feature, definition):
            levels = Levels(feature, coverage.get("bins", 4))
            if listed or levels.count >= 2 and levels.nulls < 2**64:
                covered.append((position, levels))
    array = covering_array([levels.count for _, levels in covered], coverage["strength"])
    for column, (position, levels) in enumerate(covered):
        of_rows = [row[column] for row in array]
        stream = WithWords(streams[position], levels.value_words(streams[position], of_rows))
        if levels.nulls > 0:
            stream = WithWords(stream, levels.null_words(streams[position], of_rows), NULL)
        streams[position] = stream


def can_be_covered(feature, definition):
    elsewhere = [name for pair in definition.get("correlations", []) for name in pair["features"]]
    elsewhere += [name for names in definition.get("order", []) for name in names]
    return (
        feature["distribution"]["type"] not in WITHOUT_INVERSION
        and not feature.get("unique")
        and "edge_cases" not in feature
        and feature["feature_name"] not in elsewhere
    )


WITHOUT_INVERSION = ("constant", "mixture", "sequence", "uuid", "pattern", "any", "list", "object")


class Levels:
    """Of a feature: where those of values begin, and how many words of purpose 1 make a row null."""

    def __init__(self, feature, bins):
        distribution = feature["distribution"]
        if distribution["type"] == "categorical":
            thresholds = Choice([float(c["probability"]) for c in distribution["categories"]]).thresholds
        elif distribution["type"] == "bernoulli":
            thresholds = [threshold(float(distribution["p"]))]
        elif distribution["type"] == "variant":
            thresholds = Choice([float(v["probability"]) for v in distribution["variants"]]).thresholds
        if distribution["type"] in ("categorical", "bernoulli", "variant"):
            first = [0] + [2 * t for t in thresholds if t < 2**63]
        else:
            first = [bin_start(feature, ((j << 52) // bins) << 12) for j in range(bins)]
        self.first = sorted(set(first))
        self.nulls = 2 * threshold(float(feature.get("null_probability", 0)))
        self.count = len(self.first) + (self.nulls > 0)

    def value_words(self, stream, of_rows):
        ends = self.first[1:] + [2**64]

        def word(row):
            w = stream.word(VALUE, row)
            level = of_rows[row] if row < len(of_rows) else None
            if level is None or level == len(ends):
                return w
            return self.first[level] + integer(w, ends[level] - self.first[level])

        return word

    def null_words(self, stream, of_rows):
        def word(row):
            u = stream.word(NULL, row)
            level = of_rows[row] if row < len(of_rows) else None
            if level is None:
                return u
            if level == len(self.first):
                return integer(u, self.nulls)
            return self.nulls + integer(u, 2**64 - self.nulls)

        return word


def bin_start(feature, e):
    kind = feature["type"]
    value = related_sampler(feature["distribution"], kind)
    if kind == "LIST":  # Of lists, the lengths.
        kind, value = "INTEGER", length_of(feature["distribution"]["length"])

    def v(w):
        return cell_word(value(WithWords(None, lambda row: w), 0), kind)

    if e == 0 or v(e - 1) != v(e):
        return e
    l, h = 0, e
    while l < h:
        m = l + (h - l) // 2
        if v(m) == v(e):
            h = m
        else:
            l = m + 1
    return h


def covering_array(counts, strength):
    """Rows with a level of each feature, or None where it is open."""
    order = sorted(range(len(counts)), key=lambda i: -counts[i])
    levels = [counts[i] for i in order]
    rows = [list(row) for row in itertools.product(*map(range, levels[:strength]))]
    for k in range(strength, len(levels)):
        n = levels[k]
        missing = {}
        for columns in itertools.combinations(range(k), strength - 1):
            columns = (*columns, k)
            for combination in itertools.product(*(range(levels[i]) for i in columns)):
                missing[columns, combination] = True
        sets = {columns for columns, _ in missing}
        for row in rows:

            def gained(level):
                of_row = [*row, level]
                all_had = ((columns, tuple(of_row[i] for i in columns)) for columns in sets)
                return [had for had in all_had if had in missing]

            a = sum(level for level in row if level is not None) % n
            # Of equal ones, max takes the first.
            level = max([*range(a, n), *range(a)], key=lambda level: len(gained(level)))
            for combination in gained(level):
                del missing[combination]
                row[k:] = [level]
            row += [None] * (k + 1 - len(row))
        for columns, combination in missing:
            wanted = dict(zip(columns, combination))
            for row in rows:
                if all(row[i] in (None, level) for i, level in wanted.items()):
                    break
            else:
                row = [None] * (k + 1)
                rows.append(row)
            for i, level in wanted.items():
                row[i] = level
    return [[row[order.index(i)] for i in range(len(counts))] for row in rows]


def drawn(definition, streams, first_row, rows, move=None):
    """The cells of each feature."""
    features = definition["features"]
    names = [str(feature.get("feature_name", i)) for i, feature in enumerate(features)]
    refer = {
        name: {path.split("/")[0] for path in paths(feature)} & {*names} - {""}
        for name, feature in zip(names, features)
    }
    # A list is drawn as a definition of its element, which nothing refers to.
    alone = [i for i, name in enumerate(names) if not refer[name] or len(features) == 1]
    ordered = [i for i, feature in enumerate(features) if is_ordered_list(feature, definition)]
    columns, lengths, first = {}, {}, sorted({*alone, *ordered})
    of_first = {**definition, "features": [features[i] for i in first]}
    values, related_streams = related(of_first, [streams[i] for i in first], first_row, rows)
    for i, column, stream in zip(first, values, related_streams):
        if i in ordered:
            lengths[i] = column
            column = [lists_of(features[i])(stream, first_row + k, column[k]) for k in range(rows) if i in alone]
        if i in alone:
            columns[names[i]] = draw(features[i], column, stream, first_row, rows, move)
    while len(columns) < len(names):
        i = next(i for i, name in enumerate(names) if name not in columns and refer[name] <= columns.keys())
        feature, stream = features[i], streams[i]
        cells = []
        for row in range(first_row, first_row + rows):
            beside = {names[j]: (features[j], columns[names[j]][row - first_row]) for j in range(len(names)) if names[j] in columns}
            of_row = Stream(stream.text, stream.of_list, Around(beside, stream.around), stream.count)
            if i in lengths:
                value = [lists_of(feature)(of_row, row, lengths[i][row - first_row])]
            else:
                (value,), _ = related({"features": [feature]}, [of_row], row, 1)
            cells += draw(feature, value, of_row, row, 1, move)
        columns[names[i]] = cells
    return [columns[name] for name in names]


def is_ordered_list(feature, definition):
    """Whether it is a list whose lengths are in order with others."""
    names = [name for names in definition.get("order", []) for name in names]
    return feature["type"] == "LIST" and feature.get("feature_name") in names


def lists_of(feature):
    """The list of a row that has that length."""
    return once(feature, "lists", lambda: list_of(feature["distribution"]))


def related(definition, streams, first_row, rows):
    """The values of each feature, before modifiers and nulls, and the stream that these take their words from.

    Of lists that are in order, the lengths."""
    features, streams = definition["features"], list(streams)
    correlate(definition, streams)
    cover(definition, streams)
    if definition.get("sampling") == "stratified":
        streams = [
            stratify(stream, first_row + rows) if feature["distribution"]["type"] not in UNSTRATIFIED else stream
            for stream, feature in zip(streams, features)
        ]
    columns = []
    for stream, feature in zip(streams, features):
        of = related_sampler if isinstance(stream, WithWords) else sampler
        value = once(feature, of, lambda: sampler_of(feature, of))
        if is_ordered_list(feature, definition):
            value = length_of(feature["distribution"]["length"])
        columns.append([value(stream, row) for row in range(first_row, first_row + rows)])
    positions = {feature.get("feature_name"): i for i, feature in enumerate(features)}
    for names in definition.get("order", []):
        of_list = [positions[name] for name in names]
        for row in range(rows):
            for i, value in zip(of_list, sorted(columns[i][row] for i in of_list)):
                columns[i][row] = value
    return columns, streams


def sampler_of(feature, of):
    distribution = feature["distribution"]
    if feature.get("unique") and distribution["type"] in ("uniform", "categorical"):
        return unique(distribution, feature["type"])
    if distribution["type"] == "list":
        distribution = {**distribution, "edge_cases": feature.get("edge_cases")}
    if distribution["type"] in ("any", "sum", "share"):
        distribution = {**distribution, "decimals": feature.get("decimals")}
    value = of(distribution, feature["type"])
    return drawn_again(modified(value, feature)) if is_drawn_again(feature) else value


MADE = {}


def once(feature, key, make):
    """Tables are made once for each feature, not for each list in which it is."""
    key = (id(feature), key)
    if key not in MADE:
        MADE[key] = make()
    return MADE[key]


UNSTRATIFIED = ("sequence", "constant", "uuid", "pattern", "any")


# Modifiers


def modified(value, feature):
    if "decimals" in feature:
        drawn = value

        def value(stream, row):
            return decimals(drawn(stream, row), feature["decimals"])

    return edge_cases(value, feature) if "edge_cases" in feature and feature["type"] != "LIST" else value


def unique(distribution, kind):
    if distribution["type"] == "categorical":
        values = [read_value(c["value"], kind) for c in distribution["categories"]]
        n, numbered = len(values), values.__getitem__
    else:
        least, most = (read_value(distribution[key], kind) for key in ("min", "max"))
        n, numbered = most - least + 1, least.__add__
    return lambda stream, row: numbered(permutation(stream, UNIQUE, 0, n - 1)(row % n))


class Again:
    """The words of the n-th time that a value is drawn."""

    def __init__(self, stream, n):
        self.stream, self.n, self.of_list = stream, n, stream.of_list

    def word(self, purpose, row, draw=0):
        return self.stream.word(purpose, row, draw + (self.n << 32))


def is_drawn_again(feature):
    return feature.get("unique", False) and feature["distribution"]["type"] in ("pattern", "any")


def drawn_again(value):
    known = {}

    def distinct(stream, row):
        values = known.setdefault((stream.text, stream.of_list), [])
        while len(values) <= row:
            times = (value(Again(stream, n), len(values)) for n in range(65))
            drawn = list(itertools.takewhile(lambda v: v in values, times))
            if len(drawn) == 65:
                values.append(drawn[0])
            else:
                values.append(value(Again(stream, len(drawn)), len(values)))
        return values[row]

    return distinct


def decimals(x, digits):
    if x is None:
        return None
    scale = float(10**digits)
    y = abs(x) * scale
    if y >= 2.0**53:
        return x
    return math.copysign(round(y) / scale, x)


LARGEST = (2 - 2.0**-52) * 2.0**1023
EDGE_VALUES = {
    "FLOAT": [0.0, -0.0, 1.0, -1.0, 1.0000000000000002, 0.9999999999999999, LARGEST, -LARGEST]
    + [2.0**-1022, 2.0**-1074, 2.0**53 - 1, 2.0**53, 2.0**53 + 2],
    "INTEGER": [0, 1, -1, 2**63 - 1, -(2**63), 2**53 - 1, 2**53, 2**53 + 1]
    + [2**31 - 1, 2**31, -(2**31), 2**32 - 1, 2**32],
    "STRING": ["", " ", "\t\n", "null", "\0", "\"'\\", "e\u0301", "\u05e9\u05dc\u05d5\u05dd"]
    + ["\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466", "\u0130", "x" * 10_000],
    "BYTES": [b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\x80", b"\xc0\xaf", b"x" * 10_000],
    "BOOLEAN": [False, True],
    "DATE": "1970-01-01 1969-12-31 0000-01-01 9999-12-31 2000-02-29 2024-02-29 1900-02-28 2023-02-28 "
    "2023-03-01 2023-12-31 2024-12-31",
    "DATETIME": "1970-01-01T00:00:00Z 1969-12-31T23:59:59Z 0000-01-01T00:00:00Z 9999-12-31T23:59:59Z "
    "2000-02-29T00:00:00Z 2024-02-29T23:59:59Z 1900-02-28T23:59:59Z 2023-03-01T00:00:00Z "
    "2024-12-31T23:59:59Z 2038-01-19T03:14:07Z 2038-01-19T03:14:08Z",
}


def largest(distribution):
    """Of the integers that a distribution can draw, as far as they are beyond 64 bits with a sign."""
    integers = [distribution.get("max", 0), distribution.get("value", 0)]
    integers += [category["value"] for category in distribution.get("categories", [])]
    integers += [largest(component["distribution"]) for component in distribution.get("components", [])]
    return max(integers)


def length_bounds(length):
    if length["type"] == "constant":
        return length["value"], length["value"]
    if length["type"] == "categorical":
        values = [category["value"] for category in length["categories"]]
        return min(values), max(values)
    return length["min"], length["max"]


def edge_values(distribution, kind):
    values = EDGE_VALUES[kind]
    if kind == "BYTES":
        if distribution["type"] == "any":
            shortest, longest = length_bounds(distribution["length"])
            values = [v for v in [*values[:-1], b"x" * longest] if shortest <= len(v) <= longest]
        return values
    if kind in ("DATE", "DATETIME"):
        values = [read_value(text, kind) for text in values.split()]
    if kind == "INTEGER" and largest(distribution) >= 2**63:
        values = [value for value in values if value >= 0] + [2**63, 2**64 - 1]
    if kind == "STRING" and distribution["type"] == "any":
        shortest, longest = distribution["min_length"], distribution["max_length"]
        values = [v for v in [*values[:-1], "x" * longest] if shortest <= len(v) <= longest]
    least, most = (
        read_value(distribution[key], kind) if key in distribution else None for key in ("min", "max")
    )
    values = [v for v in values if (least is None or v >= least) and (most is None or v <= most)]
    for bound in (least, most):
        if bound is not None and cell_text(bound, kind) not in [cell_text(v, kind) for v in values]:
            values.append(bound)
    return values


def edge_values_of(feature):
    values = edge_values(feature["distribution"], feature["type"])
    if feature["distribution"]["type"] == "any" and "decimals" in feature:
        return [v for v in values if decimals(v, feature["decimals"]) == v]
    return values


def usual_share(stated):
    """Of the edge values of the type."""
    return stated["usual"] if "values" in stated else stated["probability"]


def edge_cases(value, feature):
    stated = feature["edge_cases"]
    values = once(feature, "edge values", lambda: edge_values_of(feature))
    number = edge_number(usual_share(stated), len(values))
    listed = [read_value(text, feature["type"]) for text in stated.get("values", [])]
    listed_number = edge_number(stated["probability"], len(listed), LISTED_ROW, LISTED_VALUE)

    def value_or_edge(stream, row):
        k = listed_number(stream, row) if listed else None
        if k is not None:
            return listed[k]
        k = number(stream, row)
        return value(stream, row) if k is None else values[k]

    return value_or_edge


def edge_number(probability, n, of_rows=EDGE_ROW, of_values=EDGE_VALUE):
    """The number of the edge value of a row, if it is an edge row."""
    p = threshold(float(probability))

    def edges(block):
        return p * 64 * block >> 63

    def number(stream, row):
        if stream.of_list is not None:
            if not is_above(p, stream.word(of_rows, row)):
                return None
            return integer(stream.word(of_values, row), n)
        block, place = divmod(row, 64)
        count = edges(block + 1) - edges(block)
        places = sorted(map(permutation(stream, of_rows, block, 63), range(count)))
        if place not in places:
            return None
        k = edges(block) + places.index(place)
        return permutation(stream, of_values, k // n, n - 1)(k % n)

    return number


def draw(feature, values, stream, first_row, rows, move):
    value = lambda stream, row: values[row - first_row]
    value = value if is_drawn_again(feature) else modified(value, feature)
    null = threshold(float(feature.get("null_probability", 0)))
    of_rows = range(first_row, first_row + rows)
    cells = [value(stream, row) for row in of_rows]
    if move:
        move(cells)
    never = null != threshold(0.0) and is_closed(feature)
    return [None if never or is_above(null, stream.word(NULL, row)) else cell for row, cell in zip(of_rows, cells)]


def sort_cells(cells, feature, is_falling):
    # Falling, equal values keep their order as well.
    by_bytes = (lambda cell: cell.encode()) if feature["type"] == "STRING" else None
    cells.sort(key=by_bytes, reverse=is_falling)


def deal(elements, feature, names):
    """Deals the values of these features to the elements again, in rising order."""
    members = feature["distribution"]["features"]
    of_names = [[str(member.get("feature_name", i)) for i, member in enumerate(members)].index(name) for name in names]
    places = [(element, i) for element in elements for i in of_names if element[i] is not None]
    by_bytes = (lambda cell: cell.encode()) if members[of_names[0]]["type"] == "STRING" else None
    for (element, i), value in zip(places, sorted([element[i] for element, i in places], key=by_bytes)):
        element[i] = value


# Cells as JSON


def feature_text(cell, feature):
    if cell is None:
        return "null"
    feature = of_shape(feature)
    distribution = feature["distribution"]
    if feature["type"] == "LIST" and distribution.get("form") == "map":
        features = distribution["element"]["distribution"]["features"]
        entries = ([feature_text(*pair) for pair in zip(entry, features)] for entry in cell)
        quoted = ((key if key.startswith('"') else f'"{key}"', value) for key, value in entries)
        return f"{{{','.join(f'{key}:{value}' for key, value in quoted)}}}"
    if feature["type"] == "LIST":
        return f"[{','.join(feature_text(element, distribution['element']) for element in cell)}]"
    if feature["type"] == "VARIANT":
        return variant_text(cell, distribution)
    if feature["type"] == "OBJECT":
        members = [
            (cell_text(member["feature_name"], "STRING"), feature_text(value, member))
            for member, value in zip(distribution["features"], cell)
        ]
        if distribution.get("form") == "array":
            return f"[{','.join(value for _, value in members)}]"
        return f"{{{','.join(f'{name}:{value}' for name, value in members)}}}"
    return cell_text(cell, feature["type"])


def variant_text(cell, distribution):
    number, value = cell
    variant = distribution["variants"][number]
    name = cell_text(variant["variant"], "STRING")
    tag, content = (distribution.get(key) for key in ("tag", "content"))
    has_value = "type" in variant
    text = feature_text(value, variant) if has_value else "null"
    if distribution.get("untagged"):
        return text
    if tag is None:
        return f"{{{name}:{text}}}" if has_value else name
    members = [f"{cell_text(tag, 'STRING')}:{name}"]
    if has_value:
        members.append(text[1:-1] if content is None else f"{cell_text(content, 'STRING')}:{text}")
    return f"{{{','.join(members)}}}"


def cell_text(cell, kind):
    if cell is None:
        return "null"
    if kind == "FLOAT":
        return float_text(cell)
    if kind == "BYTES":
        return cell_text("".join(map(escaped_byte, cell)), "STRING")
    if kind == "STRING":
        return '"' + "".join(map(escaped, cell)) + '"'
    if kind == "BOOLEAN":
        return "true" if cell else "false"
    if kind == "DATE":
        return f'"{date_text(cell)}"'
    if kind == "DATETIME":
        days, s = divmod(cell, 86_400)
        return f'"{date_text(days)}T{s // 3600:02}:{s // 60 % 60:02}:{s % 60:02}Z"'
    return str(cell)


def date_text(days):
    years = 400 if days < day("0001-01-01") else 0
    date = datetime.date(1970, 1, 1) + datetime.timedelta(days + (146_097 if years else 0))
    return f"{date.year - years:04}-{date.month:02}-{date.day:02}"


def escaped(char):
    known = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f"}
    if char in known:
        return known[char]
    return f"\\u{ord(char):04x}" if ord(char) < 0x20 else char


def escaped_byte(byte):
    known = {0x09: "\\t", 0x0A: "\\n", 0x0D: "\\r", 0x22: '\\"', 0x5C: "\\\\"}
    if byte in known:
        return known[byte]
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\x{byte:02x}"


def float_text(x):
    # Python's repr has the fewest digits; their notation is brought into the page's.
    sign = "-" if math.copysign(1.0, x) < 0 else ""
    mantissa, _, exponent = repr(abs(x)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip("0")
    if not digits:
        return sign + "0.0"
    if not 1e-5 <= abs(x) < 1e16:
        return f"{sign}{digits[0]}{'.' if digits[1:] else ''}{digits[1:]}e{point - 1}"
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    return f"{sign}{digits[:point].ljust(point, '0')}.{digits[point:] or '0'}"


# The digest


def fold(words):
    a = b = 0
    for v in words:
        x = (a ^ v) * 0x9E3779B97F4A7C15 & MASK
        a = x ^ (x >> 32)
        y = (b + v) * 0xBB67AE8584CAA73B & MASK
        b = y ^ (y >> 29)
    return a, b


def cell_word(cell, kind):
    if cell is None:
        return 0
    if kind == "FLOAT":
        return bits(cell)
    if kind in ("STRING", "BYTES"):
        data = cell.encode() if kind == "STRING" else cell
        padded = data + bytes(-len(data) % 8)
        return fold([*struct.unpack(f"<{len(padded) // 8}Q", padded), len(data)])[0]
    return int(cell) % 2**64


def digest(features, columns, rows):
    summary = b"tdg vectors 1\n" + struct.pack("<QQ", rows, len(features))
    for feature, cells in zip(features, columns):
        summary += named_column(feature, cells)
    return hashlib.sha256(summary).hexdigest()[:32]


def named_column(feature, cells, shape=None):
    name = feature["feature_name"].encode()
    return struct.pack("<Q", len(name)) + name + column(feature, cells, shape)


def variant_column(variant, values, shape):
    name = variant["variant"].encode()
    head = struct.pack("<Q", len(name)) + name
    return head + (b"\1" + column(variant, values, shape) if "type" in variant else b"\0")


def column(feature, cells, shape=None):
    """The cells of a feature, in that shape if it is in one."""
    if feature["distribution"]["type"] == "shape":
        within, shape = shape, feature["distribution"]["of"]
        if shape == within and all(cell is None for cell in cells):
            return column({"type": "BOOLEAN", "distribution": {"type": "any"}}, cells)
        feature = of_shape(feature)
    kind, distribution = feature["type"], feature["distribution"]
    nulls = b"\0"
    if None in cells:
        nulls = b"\1" + struct.pack("<QQ", *fold(int(cell is None) for cell in cells))
    values = [cell for cell in cells if cell is not None]
    if kind == "LIST":
        lengths = struct.pack("<QQ", *fold(0 if cell is None else len(cell) for cell in cells))
        return b"L" + lengths + nulls + column(distribution["element"], [e for cell in values for e in cell], shape)
    if kind == "VARIANT":
        numbers = struct.pack("<QQ", *fold(0 if cell is None else cell[0] for cell in cells))
        variants = distribution["variants"]
        columns = (
            variant_column(variant, [cell[1] for cell in values if cell[0] == number], shape)
            for number, variant in enumerate(variants)
        )
        return b"V" + numbers + nulls + struct.pack("<Q", len(variants)) + b"".join(columns)
    if kind == "OBJECT":
        members = distribution["features"]
        is_array = distribution.get("form") == "array"
        of_member = column if is_array else named_column
        columns = (of_member(member, [cell[i] for cell in values], shape) for i, member in enumerate(members))
        return (b"A" if is_array else b"O") + struct.pack("<Q", len(members)) + nulls + b"".join(columns)
    tag = {"FLOAT": b"F", "BOOLEAN": b"B", "DATETIME": b"T", "DATE": b"D", "STRING": b"S", "BYTES": b"Y", "INTEGER": b"I"}[kind]
    if kind == "INTEGER" and any(cell >= 2**63 for cell in values):
        tag = b"U"
    return tag + struct.pack("<QQ", *fold(cell_word(cell, kind) for cell in cells)) + nulls


def main():
    path, seed, first_row, rows = sys.argv[1], *map(int, sys.argv[2:])
    with open(path, encoding="utf-8") as file:
        definition = json.load(file)
    SHAPES.update(definition.get("shapes", {}))
    features = definition["features"]
    streams = [Stream(f"tdg:1:{seed}:{feature['feature_name']}") for feature in features]
    columns = drawn(definition, streams, first_row, rows)
    lines = [digest(features, columns, rows)]
    for row in zip(*columns):
        cells = (feature_text(cell, feature) for cell, feature in zip(row, features))
        lines.append(f"[{','.join(cells)}]")
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode())


main()
