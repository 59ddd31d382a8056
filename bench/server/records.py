"""Records as `cargo tdg push` sends them."""

import datetime
import hashlib
import random
import struct
import sys
import uuid

# What a request has of them.
BATCH = 500


def add(client, project, records):
    for first in range(0, len(records), BATCH):
        answers = client.make(f"/v1/sync/{project}/add", {"records": records[first : first + BATCH]})["answers"]
        refused = [answer for answer in answers if answer != {"answer": "made"}]
        if refused:
            sys.exit(f"the server refused a record: {refused[0]}")


def test(project, number):
    name = f"tests::number_{number}"
    parts = [b"test", uuid.UUID(project).bytes, b"shop", b"src/lib.rs", name.encode()]
    return {"kind": "test", "uuid": identity(parts), "project": project, "package": "shop", "source": "src/lib.rs", "name": name}


def identity(parts):
    """As docs/reference/http.md has it."""
    digest = hashlib.sha256(b"".join(struct.pack("<Q", len(part)) + part for part in parts)).digest()
    return str(uuid.UUID(int=with_version(int.from_bytes(digest[:16], "big"), 8)))


def with_version(bits, version):
    return bits & ~(0xF000 << 64) & ~(0xC000 << 48) | version << 76 | 0x8000 << 48


def run(benchmark, test, number, of, **facts):
    time = datetime.datetime(2025, 1, 1) + datetime.timedelta(minutes=number, microseconds=of)
    milliseconds = int(time.replace(tzinfo=datetime.timezone.utc).timestamp() * 1000)
    return {
        "kind": "assertion",
        "uuid": str(uuid.UUID(int=with_version(milliseconds << 80 | random.getrandbits(80), 7))),
        "benchmark": benchmark,
        "time": time.isoformat(" ", "microseconds"),
        "asserted": True,
        "test": test,
        "verdict": "same",
        "cases": 100,
        "changed": 0,
        "tolerance_use": 0.25,
        "commit": "6b36acd6fa78edcac705b6e00be944ac2d0ca4b5",
        "branch": "main",
        "os": "linux",
        "arch": "x86_64",
        **facts,
    }
