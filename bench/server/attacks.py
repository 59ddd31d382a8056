"""What one account can do to a server, each kind at the limits that it finds: the load of `soak`.

A kind is a coroutine that makes what it needs by requests, and goes on until it is cancelled. It counts every answer
by its status: "cut" is a connection that the server closed without one, and "left" is one that the attack gave up.
"""

import asyncio
import gzip
import itertools
import json
import random
import socket
import sys
import zlib
from collections import Counter

import failing

MB = 1 << 20
# What a slow reader takes of an answer: enough not to be cut off.
SLOW = 64 << 10
# The name of projects with long histories.
HISTORY = "history"
HOST = "soak"


class Attacker:
    def __init__(self, url, key, source=None):
        host, port = url.removeprefix("http://").split(":")
        self.address, self.key, self.counts = (host, int(port)), key, Counter()
        self.source = source

    # --- requests -----------------------------------------------------------------------------

    def request(self, method, path, body=None, fields=(), length=None):
        lines = [f"{method} {path} HTTP/1.1", f"host: {HOST}", f"x-api-key: {self.key}", *fields]
        if body is not None:
            lines += ["content-type: application/json", f"content-length: {len(body) if length is None else length}"]
        return "\r\n".join([*lines, "", ""]).encode() + (body or b"")

    async def connect(self, receive_buffer=None):
        connection = socket.socket()
        connection.setblocking(False)
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        if self.source:
            connection.bind((self.source, 0))
        await asyncio.get_running_loop().sock_connect(connection, self.address)
        return connection

    async def open(self):
        return await asyncio.open_connection(sock=await self.connect())

    async def ask(self, request, at_most=None, stream=None, kept=False):
        """Sends it and waits for the whole answer: its status and body, or what became of it."""
        reader, writer = stream or await self.open()
        try:
            writer.write(request)
            answer = await asyncio.wait_for(receive(reader, kept), at_most)
        except TimeoutError:
            answer = "left", b""
        except (OSError, EOFError, ValueError):
            answer = "cut", b""
        finally:
            if not stream:
                writer.transport.abort()
        self.counts[answer[0]] += 1
        return answer

    async def flood(self, request):
        """One request after the other on a connection; `request` makes each. Without waiting where all is refused."""
        while True:
            stream = await self.connected()
            try:
                while (await self.ask(request(), stream=stream))[0] != "cut":
                    pass
            finally:
                stream[1].transport.abort()

    async def connected(self):
        while True:
            try:
                return await self.open()
            except OSError:
                self.counts["not connected"] += 1
                await asyncio.sleep(0.1)

    async def read_slowly(self, request, bytes_a_second=SLOW, receive_buffer=SLOW):
        """Takes the answer at that rate, and counts its status."""
        loop = asyncio.get_running_loop()
        connection = await self.connect(receive_buffer)
        try:
            await loop.sock_sendall(connection, request)
            first = await loop.sock_recv(connection, 12)
            self.counts[int(first[9:]) if len(first) == 12 else "cut"] += 1
            while await loop.sock_recv(connection, bytes_a_second // 4):
                await asyncio.sleep(0.25)
        except OSError:
            self.counts["cut"] += 1
        finally:
            connection.close()

    async def stall(self, request):
        """Takes nothing of the answer until the server gives up."""
        connection = await self.connect(receive_buffer=4096)
        try:
            await asyncio.get_running_loop().sock_sendall(connection, request)
            await asyncio.sleep(40)
            self.counts["left"] += 1
        finally:
            connection.close()

    # --- objects ------------------------------------------------------------------------------

    async def make(self, path, body, member):
        """The identifier of what was made, asked for again while the server is busy; None if it is refused."""
        request = self.request("POST", path, body if isinstance(body, bytes) else json.dumps(body).encode())
        while True:
            status, answer = await self.ask(request, kept=True)
            if status == 200:
                return json.loads(answer)[member]
            if status in (400, 403, 404, 413, 422):
                return None
            await asyncio.sleep(1)

    async def project(self):
        return await self.make("/v1/project/new", {}, "project_uuid")

    async def define(self, definition, project=None):
        body = {"project_uuid": project or await self.project(), "definition": definition}
        return await self.make("/v1/definition/new", body, "definition_uuid")

    async def draw(self, definition, size):
        return await self.make(adding(definition), {"size": size, "seed": 1}, "ensemble_uuid")

    async def record(self, definition, ensemble, outputs, **others):
        path = f"/v1/definition/{definition}/ensemble/{ensemble}/benchmarks/add"
        return await self.make(path, failing.body("expected_output", outputs, **others), "benchmark_uuid")

    async def largest(self, definition_of, most):
        """The largest definition of its kind that the server takes: halved until then."""
        while most:
            found = await self.define(definition_of(most))
            if found:
                return found
            most //= 2
        return None

    async def small_benchmark(self):
        definition = await self.define(ONE)
        return await self.record(definition, await self.draw(definition, 1), [1])


async def receive(reader, kept=True):
    """An answer: its status, and its body unless it is only taken."""
    head = await reader.readuntil(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:] if line)
    parts = []

    async def take(length):
        while length:
            part = await reader.read(min(length, MB))
            if not part:
                raise EOFError
            length -= len(part)
            if kept:
                parts.append(part)

    if fields.get(b"transfer-encoding") == b"chunked":
        while length := int(await reader.readuntil(b"\r\n"), 16):
            await take(length)
            await reader.readexactly(2)
        await reader.readexactly(2)
    else:
        await take(int(fields.get(b"content-length", 0)))
    return int(head[9:12]), b"".join(parts)


def anonymous(method, path, fields, body=b""):
    """A request without an API key."""
    lines = [f"{method} {path} HTTP/1.1", f"host: {HOST}", *fields, f"content-length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def adding(definition):
    return f"/v1/definition/{definition}/ensembles/add"


feature = failing.feature
ONE = {"features": [feature("INTEGER", {"type": "constant", "value": 1})]}


async def many(count, forever):
    """That many connections at once, begun within a second."""

    async def begin(index):
        await asyncio.sleep(index / count)
        await forever(index)

    await asyncio.gather(*(begin(index) for index in range(count)))


async def again(attacker, once):
    while True:
        try:
            await once()
        except OSError:
            attacker.counts["not connected"] += 1
            await asyncio.sleep(0.1)


# --- drawing -------------------------------------------------------------------------------------


async def zipf_tables(attacker):
    """Small ensembles of definitions whose tables take long; every second client leaves after a second."""

    def tables(count):
        return {"features": [feature("INTEGER", {"type": "zipf", "n": 1_000_000, "s": (i + 1) / 1000}) for i in range(count)]}

    def components(count):
        component = {"weight": 1, "distribution": {"type": "zipf", "n": 1_000_000, "s": 1.1}}
        return {"features": [feature("INTEGER", {"type": "mixture", "components": [component] * 100}) for _ in range(count)]}

    definitions = [await attacker.largest(tables, 1000), await attacker.largest(components, 1000)]
    await draw_again_and_again(attacker, 16, [(definition, 1) for definition in definitions])


async def inversions(attacker):
    """The largest ensembles of what is drawn by inversion: correlated, stratified, mixed."""

    def gammas(count, **others):
        return {"features": [feature("FLOAT", {"type": "gamma", "shape": 0.3 + i, "scale": 2}) | {"feature_name": f"f{i}"} for i in range(count)], **others}

    def correlated(count):
        pairs = [{"features": [f"f{i}", f"f{i + 1}"], "correlation": 0.5} for i in range(count - 1)]
        return gammas(count, correlations=pairs)

    def stratified(count):
        return gammas(count, sampling="stratified")

    def mixed(count):
        component = {"weight": 1, "distribution": {"type": "gamma", "shape": 0.5, "scale": 2}}
        return {"features": [feature("FLOAT", {"type": "mixture", "components": [component] * 100}) for _ in range(count)]}

    definitions = [await attacker.largest(kind, 100) for kind in (correlated, stratified, mixed)]
    await draw_again_and_again(attacker, 18, [(definition, 10_000) for definition in definitions])


async def draw_again_and_again(attacker, connections, definitions):
    requests = [attacker.request("POST", adding(d), json.dumps({"size": size}).encode()) for d, size in definitions if d]

    async def draw(index):
        at_most = 1 if index % 2 else None
        await again(attacker, lambda: attacker.ask(requests[index % len(requests)], at_most=at_most))

    await many(connections, draw)


# --- parsing and comparing -----------------------------------------------------------------------


async def definitions(attacker):
    """Definitions of 1 MB and more that take long to read: categories, unknown members, digits, levels."""
    project = await attacker.project()

    def body(definition):
        return attacker.request("POST", "/v1/definition/new", b'{"project_uuid":"%s","definition":%s}' % (project.encode(), definition))

    def categories(count):
        return json.dumps({"features": [feature("STRING", failing.categories(count))]}).encode()

    requests = [
        body(categories(18_000)),
        body(categories(90_000)),
        body(b'{"features":[],%s}' % b",".join(b'"u%d":0' % i for i in range(1_200_000))),
        body(b'{"features":%s}' % (b"1" * (15 * MB))),
        body(b'{"features":%s}' % (b"[" * (7 * MB) + b"]" * (7 * MB))),
        body(b'{"features":[%s]}' % b",".join([b'{"type":"MONEY"}'] * 900_000)),
    ]
    await many(12, lambda index: again(attacker, lambda: attacker.ask(requests[index % len(requests)])))


async def comparisons(attacker):
    """Failing assertions that take long, as `run failing` measures them."""
    chosen = ("10,000 × 100 floats, half of the cases by three causes", "one of 250,000, compared without an order", "50,000 fields of outputs, each constant in its cases")
    requests = []
    for what, features, size, outputs_of in failing.shapes():
        if what not in chosen:
            continue
        definition = await attacker.define({"features": features})
        ensemble = definition and await attacker.draw(definition, size)
        if not ensemble:
            continue
        status, body = await attacker.ask(attacker.request("GET", f"/v1/ensemble/{ensemble}/data"), kept=True)
        if status != 200:
            continue
        expected, actual, policy = outputs_of(json.loads(body)["vectors"])
        benchmark = await attacker.record(definition, ensemble, expected, **({"policy": policy} if policy else {}))
        requests.append(attacker.request("POST", f"/v1/benchmark/{benchmark}/assert", failing.body("output_to_assert", actual)))
        del expected, actual, body
    await many(8, lambda index: again(attacker, lambda: attacker.ask(requests[index % len(requests)])))


# --- answers -------------------------------------------------------------------------------------


async def lists(attacker):
    """100 definitions of nearly 1 MB; lists of them, half abandoned at once, some read slowly."""
    project = await attacker.project()
    # 15 strings of 64 KB: 960 KB of text.
    large = {"features": [feature("STRING", {"type": "constant", "value": "x" * 65_000}) for _ in range(15)]}
    for _ in range(100):
        await attacker.define(large, project)
    requests = [attacker.request("GET", path) for path in ("/v1/definitions", "/v1/projects", f"/v1/project/{project}")]

    async def read(index):
        request = requests[index % len(requests)]
        if index < 6:
            await again(attacker, lambda: attacker.ask(request))
        elif index < 12:
            await again(attacker, lambda: attacker.ask(request, at_most=0.05))
        else:
            await again(attacker, lambda: attacker.read_slowly(request))

    await many(18, read)


async def diffs(attacker):
    """Assertions of 30 KB with differences of 65 MB, read slowly."""
    definition = await attacker.define({"features": [feature("STRING", {"type": "constant", "value": "x" * 6500})]})
    benchmark = await attacker.record(definition, await attacker.draw(definition, 10_000), [0] * 10_000)
    request = attacker.request("POST", f"/v1/benchmark/{benchmark}/assert", failing.body("output_to_assert", [1] * 10_000))
    await many(60, lambda _: again(attacker, lambda: attacker.read_slowly(request)))


async def rows(attacker):
    """Rows of 16 MB that have to be unpacked, and outputs as large, read slowly."""
    definition = await attacker.define({"features": [feature("STRING", {"type": "constant", "value": "x" * 1600})]})
    ensemble = await attacker.draw(definition, 10_000)
    benchmark = await attacker.record(definition, ensemble, ["y" * 1600] * 10_000)
    paths = [f"/v1/ensemble/{ensemble}/data", f"/v1/benchmark/{benchmark}/data"]
    requests = [attacker.request("GET", path) for path in paths]
    await many(300, lambda index: again(attacker, lambda: attacker.read_slowly(requests[index % 2])))


async def stalled(attacker):
    """Rows and differences of which nothing is read until the server gives up."""
    definition = await attacker.define({"features": [feature("STRING", {"type": "constant", "value": "x" * 1600})]})
    ensemble = await attacker.draw(definition, 10_000)
    benchmark = await attacker.record(definition, ensemble, [0] * 10_000)
    requests = [
        attacker.request("GET", f"/v1/ensemble/{ensemble}/data"),
        attacker.request("POST", f"/v1/benchmark/{benchmark}/assert", failing.body("output_to_assert", [1] * 10_000)),
    ]

    await many(200, lambda index: again(attacker, lambda: attacker.stall(requests[index % 10 == 0])))


async def cold_rows(attacker):
    """Rows of 16 MB that hardly get smaller, of more ensembles than are cached, asked for at once; nothing is read."""
    definition = await attacker.define({"features": [feature("FLOAT", {"type": "gaussian", "mu": 0, "sigma": 1})] * 85})
    ensembles = [await attacker.make(adding(definition), {"size": 10_000, "seed": seed}, "ensemble_uuid") for seed in range(8)]
    requests = [attacker.request("GET", f"/v1/ensemble/{ensemble}/data") for ensemble in ensembles]
    await many(300, lambda index: again(attacker, lambda: attacker.stall(requests[index % len(requests)])))


# --- bodies and heads ----------------------------------------------------------------------------


async def small_bodies(attacker):
    """Bodies of 200 KB of which the last byte never comes."""
    request = attacker.request("POST", "/v1/project/new", b" " * 200_000, length=200_001)
    await many(1000, lambda _: again(attacker, lambda: attacker.ask(request)))


async def large_bodies(attacker):
    """Bodies of 270 KB and of 16 MB of which the last byte never comes."""
    requests = [attacker.request("POST", "/v1/project/new", b" " * size, length=size + 1) for size in (270_000, 16 * MB - 1)]
    await many(64, lambda index: again(attacker, lambda: attacker.ask(requests[index % 2])))


async def heads(attacker):
    """Connections that say nothing, and heads that come a byte a second."""

    async def idle(_):
        reader, writer = await attacker.open()
        try:
            await reader.read(1)
            attacker.counts["cut"] += 1
        finally:
            writer.transport.abort()

    async def slow(_):
        reader, writer = await attacker.open()
        try:
            for byte in itertools.cycle(b"GET /v1/projects HTTP/1.1\r\nhost: a\r\nx: "):
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(1)
        except OSError:
            attacker.counts["cut"] += 1
        finally:
            writer.transport.abort()

    await many(500, lambda index: again(attacker, lambda: (idle if index % 2 else slow)(index)))


async def bombs(attacker):
    """Bodies of 200 MB, packed: in one member, in 20, within others, and cut off."""
    plain = b" " * (10 * MB)
    packed = zlib.compressobj(9, wbits=31)
    one = b"".join(packed.compress(plain) for _ in range(20)) + packed.flush()
    members = gzip.compress(plain) * 20
    requests = [
        attacker.request("POST", "/v1/project/new", body, ["content-encoding: gzip"])
        for body in (one, members, gzip.compress(one), one[: len(one) // 2], gzip.compress(b" ") * 12_000)
    ]
    await many(16, lambda index: again(attacker, lambda: attacker.ask(requests[index % len(requests)])))


# --- floods --------------------------------------------------------------------------------------


async def assertions(attacker):
    """Assertions as fast as they are answered, every second with a key of its own."""
    benchmark = await attacker.small_benchmark()
    body, draw = b'{"output_to_assert":[1]}', random.Random()

    def request():
        fields = [f"idempotency-key: {draw.getrandbits(64)}"] if draw.random() < 0.5 else []
        return attacker.request("POST", f"/v1/benchmark/{benchmark}/assert", body, fields)

    await many(64, lambda _: attacker.flood(request))


async def deletes(attacker):
    """Projects of many objects and of large ones, deleted as soon as they are there; two of a million assertions each."""
    status = None
    while status != 200:
        status, listed = await attacker.ask(attacker.request("GET", "/v1/projects"), kept=True)
    histories = [project["project_uuid"] for project in json.loads(listed) if project["project_name"] == HISTORY]

    async def large(index):
        project = await attacker.project()
        definition = await attacker.define({"features": [feature("STRING", {"type": "constant", "value": "x" * 1600})]}, project)
        ensemble = await attacker.draw(definition, 10_000)
        for _ in range(3):
            await attacker.record(definition, ensemble, ["y" * 1600] * 10_000)
        await delete(project)

    async def much(index):
        project = await attacker.project()
        definition = await attacker.define(ONE, project)
        benchmark = await attacker.record(definition, await attacker.draw(definition, 1), [1])
        request = attacker.request("POST", f"/v1/benchmark/{benchmark}/assert", b'{"output_to_assert":[1]}')
        stream = await attacker.connected()
        for _ in range(5_000):
            await attacker.ask(request, stream=stream)
        stream[1].transport.abort()
        await delete(project)

    async def delete(project):
        await attacker.ask(attacker.request("DELETE", f"/v1/project/{project}/delete"))

    await asyncio.gather(*map(delete, histories))
    await many(8, lambda index: again(attacker, lambda: (much if index % 2 else large)(index)))


async def unknown_keys(attacker):
    """Requests with keys that nobody has."""
    draw = random.Random()
    known = attacker.key

    def request():
        attacker.key = f"tdg_{draw.getrandbits(48):012x}_{draw.getrandbits(256):064x}"
        made = attacker.request("GET", "/v1/projects")
        attacker.key = known
        return made

    await many(16, lambda _: attacker.flood(request))


async def pages(attacker):
    """Pages of a benchmark of 10,000 rows, of a comparison of two, and lists of projects, by a browser that signed in."""
    definition = await attacker.define(
        {"features": [feature("FLOAT", {"type": "uniform", "min": 0, "max": 1}) for _ in range(10)]}
    )
    ensemble = await attacker.draw(definition, 10_000)
    one, other = [await attacker.record(definition, ensemble, outputs) for outputs in ([0] * 10_000, list(range(10_000)))]
    form = [f"origin: http://{HOST}", "sec-fetch-site: same-origin", "content-type: application/x-www-form-urlencoded"]
    stream = await attacker.connected()
    body = f"key={attacker.key}".encode()
    stream[1].write(anonymous("POST", "/sign-in", form, body))
    head = (await stream[0].readuntil(b"\r\n\r\n")).decode()
    stream[1].transport.abort()
    cookie = next(line for line in head.split("\r\n") if line.lower().startswith("set-cookie: "))
    cookie = "cookie: " + cookie.split(": ", 1)[1].split(";")[0]
    paths = [f"/benchmark/{one}/against/{other}", f"/benchmark/{other}", f"/ensemble/{ensemble}", "/"]
    requests = [anonymous("GET", path, [cookie, "accept-encoding: gzip"]) for path in paths]
    await many(16, lambda index: attacker.flood(lambda: requests[index % len(requests)]))


async def device_logins(attacker):
    """Logins that nobody approves, begun as fast as they are answered, and questions about them with wrong codes."""
    draw = random.Random()
    form = ["content-type: application/x-www-form-urlencoded"]

    def begin():
        return anonymous("POST", "/login/device", form, b"client_name=soak")

    def poll():
        return anonymous("POST", "/login/token", form, b"device_code=%064x" % draw.getrandbits(256))

    await many(16, lambda index: attacker.flood(poll if index % 2 else begin))


async def readiness(attacker):
    """Whether the server is ready, without a key."""
    await many(16, lambda _: attacker.flood(lambda: anonymous("GET", "/readyz", [])))


KINDS = {
    kind.__name__: kind
    for kind in (
        zipf_tables,
        inversions,
        definitions,
        comparisons,
        lists,
        diffs,
        rows,
        stalled,
        cold_rows,
        small_bodies,
        large_bodies,
        heads,
        bombs,
        assertions,
        deletes,
        unknown_keys,
        pages,
        device_logins,
        readiness,
    )
}


def main():
    """Attacks with one kind until the input ends, and prints what was answered."""
    kind, url, key = sys.argv[1:]
    attacker = Attacker(url, key)

    async def attack():
        # A failure is the server's only as far as it is counted.
        attacking = asyncio.ensure_future(KINDS[kind](attacker))
        ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
        done, _ = await asyncio.wait([attacking, ended], return_when=asyncio.FIRST_COMPLETED)
        if attacking in done:
            print(f"{kind} ended: {attacking.exception()!r}", file=sys.stderr, flush=True)
            await ended
        print(json.dumps({str(status): count for status, count in attacker.counts.items()}), flush=True)

    asyncio.run(attack())


if __name__ == "__main__":
    main()
