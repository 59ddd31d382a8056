"""A tdg-server of the release build, and a PostgreSQL for it."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SERVER = ROOT / "target/release/tdg-server"

DEFINITION = {
    "features": [
        *({"feature_name": f"f{i}", "type": "FLOAT", "distribution": {"type": "gaussian", "mu": 0, "sigma": 1}} for i in range(4)),
        *({"feature_name": f"i{i}", "type": "INTEGER", "distribution": {"type": "uniform", "min": 1, "max": 1000}} for i in range(3)),
        *(
            {
                "feature_name": f"c{i}",
                "type": "STRING",
                "distribution": {
                    "type": "categorical",
                    "categories": [{"value": v, "probability": p} for v, p in (("HALF", 0.5), ("TENTH", 0.3), ("null", 0.2))],
                },
            }
            for i in range(3)
        ),
    ]
}


def build():
    # Rebuilt without debug information.
    subprocess.run(["cargo", "build", "--release", "-q", "-p", "tdg-server"], cwd=ROOT, check=True)


class Server:
    """The process. Without arguments it has its default settings; its log goes where `log` says."""

    def __init__(self, database, *arguments, log=None, program=SERVER, listen="127.0.0.1:0"):
        self.database, self.program = database, program
        command = [program, "--database", database, "--listen", listen, *arguments]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        for line in self.process.stdout:
            if " listens on " in line:
                self.url = line.strip().split(" ")[-1]
                return
        sys.exit("the server did not start")

    def new_key(self, account):
        command = [self.program, "--database", self.database, "keys", "create", "--account", account]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def field(self, name):
        """A figure of the process's status, in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split(f"{name}:")[1].split()[0]) / 1024

    def cpu(self):
        """The seconds that its threads have run."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def open_files(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def peak(self):
        return self.field("VmHWM")

    def now(self):
        return self.field("VmRSS")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


class Client:
    """Somebody with a key who waits for each answer."""

    def __init__(self, url, key):
        self.url, self.key = url, key

    def make(self, path, body):
        return self.make_from(json.dumps(body).encode(), path)

    def make_from(self, body, path):
        return json.loads(self.ask(path, body).read())

    def ask(self, path, body=None, headers=None, method=None):
        headers = {"x-api-key": self.key, "content-type": "application/json", **(headers or {})}
        return urllib.request.urlopen(urllib.request.Request(self.url + path, data=body, headers=headers, method=method))

    def define(self, definition):
        """A definition in a project of its own."""
        project = self.make("/v1/project/new", {})["project_uuid"]
        return self.make("/v1/definition/new", {"project_uuid": project, "definition": definition})["definition_uuid"]

    def draw(self, definition, size, seed=1):
        return self.make(f"/v1/definition/{definition}/ensembles/add", {"size": size, "seed": seed})["ensemble_uuid"]

    def record(self, definition, ensemble, outputs, **others):
        path = f"/v1/definition/{definition}/ensemble/{ensemble}/benchmarks/add"
        return self.make(path, {"expected_output": outputs, **others})["benchmark_uuid"]


# --- PostgreSQL ----------------------------------------------------------------------------------


class Postgres:
    """A cluster in the folder that listens on a socket there. It does not run as root."""

    def __init__(self, folder, name="postgres", settings="", copy_of=None):
        homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        self.programs = str(homes[-1]) if homes else os.path.dirname(shutil.which("initdb") or "")
        if not self.programs:
            raise FileNotFoundError("PostgreSQL is missing (Debian: apt-get install postgresql)")
        self.user = {"user": 65534, "group": 65534} if os.getuid() == 0 else {}
        self.folder, self.data, self.socket = folder, folder / name, folder / f"{name}-socket"
        self.socket.mkdir()
        if self.user:
            os.chown(self.socket, 65534, 65534)
        if copy_of:
            self.run("pg_basebackup", "-D", self.data, "-h", copy_of.socket, "-U", "tdg", "-c", "fast", "-R")
        else:
            self.run("initdb", "-D", self.data, "-U", "tdg", "-A", "trust", "-E", "UTF8", "--locale=C")
        with open(self.data / "postgresql.auto.conf", "a") as file:
            file.write(f"listen_addresses = ''\nunix_socket_directories = '{self.socket}'\nmax_connections = 200\n{settings}")
        self.start()

    @property
    def host(self):
        return str(self.socket).replace("/", "%2F")

    @property
    def url(self):
        return f"postgres://tdg@{self.host}/postgres"

    def run(self, program, *arguments):
        command = [f"{self.programs}/{program}", *map(str, arguments)]
        subprocess.run(command, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, **self.user)

    def query(self, sql):
        command = [f"{self.programs}/psql", "-h", self.socket, "-U", "tdg", "-d", "postgres", "-Atc", sql]
        return subprocess.run(command, check=True, cwd=self.folder, stdout=subprocess.PIPE, text=True, **self.user).stdout.strip()

    def start(self):
        self.run("pg_ctl", "-D", self.data, "-l", self.folder / f"{self.data.name}.log", "-w", "start")

    def promote(self):
        self.run("pg_ctl", "-D", self.data, "-w", "promote")

    def kill(self):
        """What `kill -9` does to all of its processes."""
        postmaster = int((self.data / "postmaster.pid").read_text().split()[0])
        # Stopped, so that it doesn't begin another while its processes are looked up.
        os.kill(postmaster, signal.SIGSTOP)
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        processes = [postmaster, *map(int, children)]
        for process in processes:
            os.kill(process, signal.SIGKILL)
        # The next one starts only when their shared memory is free.
        while any(Path(f"/proc/{process}").exists() for process in processes):
            time.sleep(0.01)
        (self.data / "postmaster.pid").unlink()

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "fast", "stop")
