"""A source names the very bytes that are installed, or it is refused."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from adjudicator.install import FORMS, read_page, read_pin
from orders.errors import Refused

COMMIT = "0123456789abcdef0123456789abcdef01234567"
DIGEST = "0123456789abcdef" * 4


@pytest.mark.parametrize(
    "text",
    [
        f"git+https://example.org/sealed-orders@{COMMIT}",
        f"git+https://example.org:8443/~carl/games/sealed-orders.git@{COMMIT}",
        f"https://example.org/files/sealed_orders-0.1.0-py3-none-any.whl#sha256={DIGEST}",
        f"https://example.org/sealed_orders-0.1.0.tar.gz#sha256={DIGEST}",
        f"file:///srv/games/sealed_orders-0.1.0-py3-none-any.whl#sha256={DIGEST}",
    ],
)
def test_taken(text: str) -> None:
    """Each is handed to an installer together with the name that it must find there."""
    assert read_pin(text).requirement() == f"sealed-orders @ {text}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a name or a path"),
        ("adjudicator", "a name or a path"),
        ("sealed-orders==0.1.0", "a name or a path"),
        ("./sealed_orders-0.1.0-py3-none-any.whl", "a name or a path"),
        ("git+https://example.org/sealed-orders", "40 hex digits"),
        ("git+https://example.org/sealed-orders@main", "40 hex digits"),
        (f"git+https://example.org/sealed-orders@{COMMIT[:39]}", "40 hex digits"),
        (f"git+https://example.org/sealed-orders@{COMMIT.upper()}", "40 hex digits"),
        (f"git+https://example.org/sealed-orders@{COMMIT}\n", "40 hex digits"),
        (f"git+https://example.org/sealed-orders@{COMMIT}#egg=x", "40 hex digits"),
        (f"git+https://carl:secret@example.org/x@{COMMIT}", "40 hex digits"),
        (f'git+https://example.org/$(id)"@{COMMIT}', "40 hex digits"),
        (f"git+https://example.org/${{{{x}}}}@{COMMIT}", "40 hex digits"),
        (f"git+http://example.org/x@{COMMIT}", "expected git+https"),
        (f"git+ssh://git@example.org/x@{COMMIT}", "expected git+https"),
        ("https://example.org/x-1.0-py3-none-any.whl", "#sha256="),
        ("https://example.org/x-1.0-py3-none-any.whl#md5=00", "#sha256="),
        (f"https://example.org/x-1.0-py3-none-any.whl#sha256={DIGEST[:63]}", "64 hex digits"),
        (f"https://example.org/x-1.0.zip#sha256={DIGEST}", ".whl or .tar.gz"),
        (f"https://example.org/a/../x.whl#sha256={DIGEST}", ".whl or .tar.gz"),
        (f"https://example.org/a b.whl#sha256={DIGEST}", "in its path"),
        (f"file://x.whl#sha256={DIGEST}", "in its path"),
        (f"http://example.org/x.whl#sha256={DIGEST}", "expected git+https"),
        (f"git+https://example.org/{'a' * 500}@{COMMIT}", "40 hex digits"),
    ],
)
def test_refused(text: str, why: str) -> None:
    """Names, whatever can move, and whatever a shell or YAML would read as more than itself."""
    with pytest.raises(Refused, match="bad-option") as error:
        read_pin(text)
    assert why in error.value.message
    assert FORMS in error.value.hint


def wheel(folder: Path, name: str) -> tuple[Path, str]:
    """A wheel that holds nothing but its name, and its SHA-256."""
    path = folder / f"{name}-0.1.0-py3-none-any.whl"
    info = f"{name}-0.1.0.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        words = f"Metadata-Version: 2.1\nName: {name.replace('_', '-')}\nVersion: 0.1.0\n"
        file.writestr(f"{info}/METADATA", words)
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr(f"{info}/RECORD", "")
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.skipif(find_spec("pip") is None, reason="no pip in this environment")
@pytest.mark.parametrize(
    ("name", "spoilt", "told"),
    [
        ("sealed_orders", False, ""),
        ("sealed_orders", True, "sha256"),
        ("adjudicator", False, "adj"),
    ],
)
def test_pip_installs_these_bytes_and_no_others(
    tmp_path: Path, name: str, spoilt: bool, told: str
) -> None:
    """What a workflow hands to pip fails on other bytes, and on a program of another name."""
    path, digest = wheel(tmp_path, name)
    if spoilt:
        path.write_bytes(path.read_bytes() + b"\n")
    wanted = read_pin(f"file://{path}#sha256={digest}").requirement()
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--no-deps", "--no-index",
         "--isolated", "--disable-pip-version-check", wanted],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert (done.returncode == 0) == (not told), done.stderr
    assert told in done.stderr


def test_a_link_to_a_page_names_its_bytes() -> None:
    """By its digest; a bare address is anybody's to change."""
    link = "https://example.org/play/page-0.1.html#sha256=" + "0a" * 32
    assert read_page(link) == link
    for wrong in (
        "https://example.org/page.html",
        "http://example.org/page.html#sha256=" + "0a" * 32,
        link + "0",
        link.replace("page-0.1", "a b"),
        "https://example.org/page.zip#sha256=" + "0a" * 32,
    ):
        with pytest.raises(Refused, match="bad-option: page "):
            read_page(wrong)
