"""Somebody signs in, finds the failing test, reads why it fails, and accepts the change; a checkout gets it."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(sys.argv[1])
CODE = "pub fn price(cents: u32, quantity: u32) -> u32 {\n    cents * quantity\n}\n"
DISCOUNT = CODE.replace(
    "cents * quantity", "if quantity < 12 { cents * quantity } else { cents * quantity * 9 / 10 }"
)
FILES = {
    "Cargo.toml": f"""[package]
name = "bakery"
version = "0.1.0"
edition = "2024"

[workspace]

[dev-dependencies]
tdg = {{ path = "{ROOT}/tdg" }}
""",
    "Cargo.lock": (ROOT / "Cargo.lock").read_text(),
    "src/lib.rs": CODE,
    "tests/prices.rs": """#[tdg::ensemble_test(size = 100)]
fn price(
    #[define(uniform(1..=2_000))] cents: u32,
    #[define(uniform(1..=20))] quantity: u32,
) -> u32 {
    bakery::price(cents, quantity)
}
""",
}


class Bakery:
    """A crate that knows the server."""

    def __init__(self, folder, url, key):
        self.folder = Path(folder)
        for name, text in (FILES | {"tdg.toml": f'url = "{url}"\n'}).items():
            self.write(name, text)
        own = {"TDG_API_KEY": f"{url}={key}", "CARGO_TARGET_DIR": str(ROOT / "target/browser/bakery")}
        self.environment = {name: value for name, value in os.environ.items() if name != "CI"} | own

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run(self, *command):
        return subprocess.run(command, cwd=self.folder, env=self.environment, capture_output=True, text=True)

    def test_passes(self):
        return self.run("cargo", "test", "--quiet", "--test", "prices").returncode == 0

    def tdg(self, *arguments):
        done = self.run(PROGRAMS / "cargo-tdg", "tdg", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


class Browser:
    """Chromium without a window."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"]:
            options.add_argument(argument)
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(shutil.which("chromedriver")))

    def find(self, selector):
        return WebDriverWait(self.driver, 60).until(lambda driver: driver.find_element(By.CSS_SELECTOR, selector))

    def has(self, selector):
        return bool(self.driver.find_elements(By.CSS_SELECTOR, selector))

    def follow(self, selector):
        """Clicks, and waits for the page that comes."""
        element = self.find(selector)
        element.click()
        WebDriverWait(self.driver, 60).until(lambda _: is_gone(element))


def is_gone(element):
    try:
        element.is_enabled()
        return False
    except WebDriverException:
        return True


def main():
    with tempfile.TemporaryDirectory() as folder:
        command = [PROGRAMS / "tdg-server", "--database", f"sqlite:{folder}/tdg.db"]
        made = subprocess.run([*command, "keys", "create", "--name", "ada"], check=True, capture_output=True, text=True)
        key = made.stdout.strip()
        with subprocess.Popen(
            [*command, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as server:
            try:
                url = next(line.split()[-1] for line in server.stdout if "listens on" in line)
                decide(Bakery(f"{folder}/bakery", url, key), url, key)
            finally:
                server.terminate()


def decide(bakery, url, key):
    assert bakery.test_passes(), "the first run records"
    bakery.tdg("push", "--yes")
    bakery.write("src/lib.rs", DISCOUNT)
    assert not bakery.test_passes(), "the discount changes prices"
    bakery.tdg("push")

    browser = Browser()
    try:
        browser.driver.get(url)
        browser.find("input[name=key]").send_keys(key)
        browser.follow("form.sign-in button")
        browser.follow("tbody th a")
        assert "pending" in browser.find("tbody").text
        browser.follow("tbody th a")
        browser.follow("[aria-labelledby=runs] tbody th a")
        cause = browser.find(".finding h3").text
        assert cause == "quantity > 11", cause
        browser.find("input[name=reason]").send_keys("a discount from 12 on")
        browser.follow("form.decide button[value=accept]")
        decided = browser.find("[aria-labelledby=decisions] tbody").text
        assert "accepted ada a discount from 12 on" in decided, decided
        assert not browser.has("form.decide")
    finally:
        browser.driver.quit()

    pulled = bakery.tdg("pull")
    assert "accepted price, " in pulled, pulled
    assert bakery.test_passes(), "the accepted prices are expected"
    print(f"ok: in a browser, {cause}; {pulled.splitlines()[-1]}")


if __name__ == "__main__":
    main()
