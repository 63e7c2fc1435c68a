"""What the page cannot do: talk to anybody, run what is not its own, leave anything behind."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

from page.browsers import Browser, Tab
from page.test_watch import judged
from page.web import Host
from table import EXAMPLE

from adjudicator.store import pack
from orders.entries import Ruling

RECORD = Path(__file__).parents[1] / "suite" / "records" / "sugar-dog-2.zip"


TRIES = """
(async () => {
  const at = given.address;
  const told = (work) => work.then(() => "came", (error) => "refused");
  const later = (ms) => new Promise((done) => setTimeout(done, ms));
  const found = {};
  found.fetch = await told(fetch(at + "/fetch?key"));
  found.image = await told(new Promise((done, fail) => {
    const image = new Image();
    image.onload = done;
    image.onerror = fail;
    image.src = at + "/image?key";
  }));
  found.socket = await told(new Promise((done, fail) => {
    const socket = new WebSocket(at.replace("http", "ws") + "/socket?key");
    socket.onopen = done;
    socket.onerror = fail;
  }));
  try { navigator.sendBeacon(at + "/beacon?key", "key"); } catch {}
  const frame = document.createElement("iframe");
  frame.src = at + "/frame?key";
  const link = document.createElement("link");
  Object.assign(link, {rel: "stylesheet", href: at + "/style?key"});
  const form = document.createElement("form");
  form.action = at + "/form?key";
  const script = document.createElement("script");
  script.textContent = "window.ran = 'inline'";
  const button = document.createElement("button");
  button.setAttribute("onclick", "window.ran = 'handler'");
  const far = document.createElement("script");
  far.src = at + "/script?key";
  document.body.append(frame, link, form, script, button, far);
  button.click();
  try { form.submit(); } catch {}
  const worker = new Worker(URL.createObjectURL(new Blob([
    `fetch("${at}/worker?key").catch(() => {}).then(() => postMessage(1))`])));
  await Promise.race([new Promise((done) => { worker.onmessage = done; }), later(3000)]);
  await later(300);
  found.ran = window.ran || "nothing";
  return found;
})()
"""

EVAL = """
new Promise((done) => setTimeout(() => {
  try { eval("1"); done("ran"); } catch (error) { done(error.name); }
}))
"""


def test_it_talks_to_nobody(browser: Browser, page_file: Path, web: Host) -> None:
    """Whatever a script in it would try: nothing leaves, and nothing that came in runs."""
    before = list(web.asked)
    tab = browser.tab(page_file)
    found = tab.eval(TRIES, address=web.address)
    assert found == {"fetch": "refused", "image": "refused", "socket": "refused", "ran": "nothing"}
    assert web.asked == before
    # What the driver runs may call eval; a task of the page itself may not.
    tab.run("await page.evaluate(new Function(`window.tried = ${given.code.trim()}`));", code=EVAL)
    assert tab.eval("window.tried") == "EvalError"


def test_a_changed_script_does_not_run(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """One letter in a remark is enough."""
    page = page_file.read_bytes()
    changed = tmp_path / "changed.html"
    changed.write_bytes(page.replace(b"// page.js", b"// pale.js", 1))
    assert changed.read_bytes() != page
    tab = browser.fresh()
    tab.run("await page.goto(given.address);", address=changed.as_uri())
    assert tab.eval("typeof Page") == "undefined"
    assert tab.eval("document.getElementById('page').childElementCount") == 0


def stored(tab: Tab) -> Any:
    """All that a page can leave behind."""
    return tab.eval(
        "(async () => [localStorage.length, sessionStorage.length, document.cookie, "
        "(await indexedDB.databases()).length, "
        "(await navigator.serviceWorker?.getRegistrations?.().catch(() => []))?.length ?? 0])()"
    )


def test_from_disk_it_keeps_nothing(browser: Browser, page_file: Path) -> None:
    """Any other file on the disk could read it."""
    tab = browser.at(page_file)
    tab.give(RECORD)
    tab.wait("document.querySelector('main[data-done]')")
    assert stored(tab) == [0, 0, "", 0, 0]


def test_a_web_host_hears_of_nothing_but_the_page(browser: Browser, web: Host) -> None:
    """From a web address it works the same, offline too once it is there."""
    before = len(web.asked)
    tab = browser.fresh()
    tab.open(web.page)
    if browser.name == "chromium":
        tab.run("await page.setOfflineMode(true);")
    tab.give(RECORD)
    tab.wait("document.querySelector('main[data-done]')")
    assert web.asked[before:] == ["/page.html"]
    assert tab.said() == []


# Records by people who wish the page ill: a verdict each, texts stay texts, and nothing hangs.


MARKUP = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def bomb(of: int) -> bytes:
    """A pack of one file that says it has one size and inflates to a thousand times that."""
    data = pack.write({"invite.toml": bytes(of)})
    small = struct.pack("<I", 1000)
    return data.replace(struct.pack("<I", of), small)


def crowd(files: int) -> bytes:
    """A pack of so many files of a record that are none."""
    held = {f"entries/{number:04d}.toml": b"" for number in range(files)}
    return pack.write(held)


def test_each_has_its_verdict(
    browser: Browser, page_file: Path, tmp_path: Path, make_table: Any
) -> None:
    """In a few seconds each, by the command's own words."""
    table = make_table(tmp_path / "table").begin().play(*EXAMPLE[:-1])
    table.rule(Ruling(MARKUP[:200], abandons=True))
    told = {path: table.record.read(path) for path in table.record.paths()}
    records = {
        "bomb.zip": bomb(2**20),
        "crowd.zip": crowd(10_000),
        "markup.zip": pack.write(told),
        "strange.zip": pack.write({**told, f"{MARKUP[:28]}": b"x"}),
        "torn.zip": pack.write(told)[:-30],
        "short.zip": b"PK\3\4",
        "bytes.zip": b"PK\3\4" + zlib.compress(bytes(1000)) * 99,
        f"{MARKUP[:20].replace('/', '')}.zip": b"PK\3\4",
    }
    tab = browser.at(page_file)
    for name, data in records.items():
        path = tmp_path / name
        path.write_bytes(data)
        assert judged(tab, path)
        assert (
            tab.eval("document.querySelectorAll('main img, main script, main iframe').length") == 0
        )
        if name == "markup.zip":
            tab.wait("document.querySelector('[data-step]')")
            assert "<img src=x" in tab.eval("document.querySelector('main').textContent")
    assert tab.said() == []


def test_a_check_can_be_stopped(browser: Browser, page_file: Path) -> None:
    """Whatever it does at that time; then the page goes on with another record."""
    tab = browser.at(page_file)
    tab.eval(
        "Page.open('crowd.zip', Uint8Array.from(given.pack)).then(() => "
        "document.querySelector('[data-act=stop]').click())",
        pack=list(crowd(1000)),
    )
    tab.wait("document.querySelector('[data-verdict]')?.dataset.verdict === 'stopped'")
    assert judged(tab, Path(__file__).parents[1] / "suite" / "records" / "sugar-dog-2.zip")
