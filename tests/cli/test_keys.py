"""`keygen`: it makes a key that OpenSSH would take, and replaces none."""

from __future__ import annotations

import stat
from typing import Any

import pytest

from orders.keys import load_signer
from orders.public_key import read_public

Table = Any


@pytest.fixture
def desk(tmp_path: Any, at_commands: Any) -> Table:
    """An empty folder."""
    return at_commands(tmp_path)


def test_two_files_of_one_key(desk: Table) -> None:
    """The private one for its owner alone; what is told is the fingerprint of both."""
    said = desk.ok("keygen", "my alice.key").splitlines()
    private, public = desk.root / "my alice.key", desk.root / "my alice.key.pub"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    key = load_signer(private, None).public
    assert read_public(public.read_text().rpartition(" ")[0].rpartition(" ")[0]) == key
    assert said == [
        "my alice.key: the private key; keep it to yourself",
        f"my alice.key.pub: the public key, {key.fingerprint}",
    ]
    assert sorted(desk.root.iterdir()) == [private, public]


@pytest.mark.parametrize(
    ("given", "remark"), [((), "alice"), (("--comment", "at home"), "at home")]
)
def test_the_remark_in_the_public_line(desk: Table, given: tuple[str, ...], remark: str) -> None:
    """As given, or the file's name without its ending."""
    desk.ok("keygen", "alice.key", *given)
    assert (desk.root / "alice.key.pub").read_text().endswith(f" {remark}\n")


def test_two_keys_are_not_alike(desk: Table) -> None:
    """Each is drawn."""
    one, other = (desk.ok("keygen", name).split("SHA256:")[1] for name in ("a", "b"))
    assert one != other


@pytest.mark.parametrize("there", ["alice.key", "alice.key.pub"])
def test_no_key_is_replaced(desk: Table, there: str) -> None:
    """Whichever of the two files is there already, it is quoted and neither is written."""
    (desk.root / there).write_text("mine\n")
    assert f"'{there}'" in desk.fails("bad-key", "keygen", "alice.key")
    assert [path.name for path in desk.root.iterdir()] == [there]
    assert (desk.root / there).read_text() == "mine\n"


def test_a_folder_that_is_not_there_is_quoted(desk: Table) -> None:
    """In one line."""
    assert "'nowhere/alice.key'" in desk.fails("bad-key", "keygen", "nowhere/alice.key")
