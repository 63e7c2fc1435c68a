"""What the page cannot do: talk to anybody, run what is not its own, leave anything behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from page.browsers import Browser, Tab
from page.web import Host

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
    tab.run(
        "await page.evaluate(new Function(`window.tried = ${given.code.trim()}`));",
        code=EVAL,
    )
    assert tab.eval("window.tried") == "EvalError"


def test_a_changed_script_does_not_run(browser: Browser, page_file: Path, tmp_path: Path) -> None:
    """One letter in a remark is enough."""
    page = page_file.read_bytes()
    changed = tmp_path / "changed.html"
    changed.write_bytes(page.replace(b"// The shell of the page", b"// The shelf of the page", 1))
    assert changed.read_bytes() != page
    tab = browser.fresh()
    tab.run("await page.goto(given.address);", address=changed.as_uri())
    assert tab.eval("typeof Page") == "undefined"
    assert tab.eval("document.getElementById('main').childElementCount") == 0


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
