"""What a host cannot have signed honestly, proved to who has ssh-keygen; and what proves nothing.

Adversary: a host with two histories or two answers to one slip; and whoever would accuse an honest
one with renamed, foreign or forged files.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from replacing import replace

from adjudicator.core import bundles
from adjudicator.core.receipts import OrderReceipt
from adjudicator.host import begin
from adjudicator.player import witness
from adjudicator.verifier.fork import Proof, prove, prove_answers, two_slips
from orders import names, sshsig
from orders.documents import read_receipt
from orders.entries import Ruling
from orders.errors import Refused
from orders.fields import digest

Table = Any


@pytest.fixture
def two(begun: Table, tmp_path: Path) -> tuple[Table, Table]:
    """Two copies of one game, which go on differently after entry 1."""
    one = begun.copy(tmp_path / "one").play({"alice": "start C4", "bob": "start C1"})
    other = one.copy(tmp_path / "other")
    one.play({"alice": "fire S"})
    other.play({"alice": "fire N"}, {"bob": "silent"})
    return one, other


def parts(text: str) -> dict[str, str]:
    """The files that stand in a proof, as somebody would save them."""
    pieces = re.split(r"^--- (.*) ---\n", text, flags=re.MULTILINE)
    return {
        name: body.rstrip("\n") + "\n"
        for name, body in zip(pieces[1::2], pieces[2::2], strict=True)
    }


def ssh_keygen_holds(folder: Path, namespace: str, name: str) -> bool:
    done = subprocess.run(
        ["ssh-keygen", "-Y", "verify", "-f", "signers", "-I", "host", "-n", namespace,
         "-s", f"{name}.sig"],
        input=(folder / name).read_bytes(), cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    return done.returncode == 0


def checks(proof: Proof, folder: Path) -> bool:
    """Whether the printed proof holds by its own words: ssh-keygen and eyes."""
    if shutil.which("ssh-keygen") is None:
        pytest.skip("no ssh-keygen on this machine")
    text = proof.text()
    files = parts(text)
    folder.mkdir()
    for name, body in files.items():
        (folder / name).write_text(body)
    (folder / "signers").write_text(f"host {proof.offer.host.line}\n")
    return (
        files["first.toml"] != files["second.toml"]
        and proof.offer.host.line in files["invite.toml"]
        and ssh_keygen_holds(folder, sshsig.INVITE, "invite.toml")
        and ssh_keygen_holds(folder, proof.namespace, "first.toml")
        and ssh_keygen_holds(folder, proof.namespace, "second.toml")
    )


def at_step(proof: Proof, step: int) -> bool:
    """Whether both files of a fork say that step, and the proof's words say so too."""
    both = (proof.one.data, proof.other.data)
    return f"both say step = {step} and " in proof.compare and all(
        f"\nstep = {step}\n".encode() in data for data in both
    )


def test_a_fork_is_proved(two: tuple[Table, Table], tmp_path: Path) -> None:
    """At the first entry that differs; the proof holds by ssh-keygen, either way round."""
    one, other = two
    proof = prove(one.record, other.record)
    assert at_step(proof, 2)
    assert digest(proof.one.data) in proof.text()
    assert digest(proof.other.data) in proof.text()
    assert checks(proof, tmp_path / "check")
    assert checks(prove(other.record, one.record), tmp_path / "again")


def test_a_proof_travels_alone(two: tuple[Table, Table], tmp_path: Path) -> None:
    """Its files are byte for byte those of the records."""
    one, other = two
    files = parts(prove(one.record, other.record).text())
    assert files["invite.toml"].encode() == one.record.read(names.INVITE)
    assert files["first.toml"].encode() == one.record.read(names.entry(2))
    assert files["second.toml"].encode() == other.record.read(names.entry(2))


def test_a_players_copies_show_it_as_well(two: tuple[Table, Table]) -> None:
    """Neither history need be whole: Alice's copy and Bob's are enough."""
    one, other = two
    assert at_step(prove(one.copies["alice"], other.copies["bob"]), 2)


def test_two_geneses_of_one_invite_are_a_fork(table: Table, tmp_path: Path) -> None:
    """Like any other: at entry 0."""
    other = table.copy(tmp_path / "other")
    for path in ("entries/0000.toml", "entries/0000.toml.sig"):
        (other.record.root / path).unlink()
    other.clock.skip(60)
    begin.start(other.record, other.joins_again(), other.signer, other.clock)
    proof = prove(table.record, other.record)
    assert at_step(proof, 0)
    assert checks(proof, tmp_path / "check")


def test_equal_histories_are_no_fork(two: tuple[Table, Table]) -> None:
    """One that goes further than the other, too."""
    one, other = two
    for record in (one.record, one.copies["bob"]):
        with pytest.raises(Refused, match="no-fork"):
            prove(one.record, record)
    short = other.copies["alice"]
    for step in (2, 3):
        for name in (names.entry(step), names.signature(names.entry(step))):
            (short.root / name).unlink()
    for pair in ((one.record, short), (short, one.record)):
        with pytest.raises(Refused, match="agree as far as both go, to entry 1"):
            prove(*pair)


def test_records_of_two_invites_are_no_fork(table: Table, make_table: Any, tmp_path: Path) -> None:
    """One host may run two games."""
    other = make_table(tmp_path / "other", seed=b"\x08" * 32).begin()
    with pytest.raises(Refused, match=r"^mismatch: .* different invites"):
        prove(table.record, other.record)


def test_nobody_is_accused_with_a_renamed_entry(two: tuple[Table, Table]) -> None:
    """An honest entry laid in another one's place is signed, and proves nothing."""
    one, _ = two
    liar = one.copies["bob"]
    for end in ("", ".sig"):
        content = one.record.read(f"entries/0001.toml{end}")
        (liar.root / f"entries/0002.toml{end}").write_bytes(content)
    with pytest.raises(Refused, match=r"^mismatch: .* proves nothing"):
        prove(one.record, liar)


def test_nobody_is_accused_with_an_entry_of_another_game(
    two: tuple[Table, Table], make_table: Any, tmp_path: Path
) -> None:
    """A host signs many games with one key: an entry of another one is no second history."""
    one, _ = two
    other = make_table(tmp_path / "game", seed=one.seed, options={})
    other.begin().play({"alice": "start A1", "bob": "start F6"})
    assert other.host.opening.id != one.host.opening.id
    liar = one.copies["bob"]
    for path in ("entries/0001.toml", "entries/0001.toml.sig"):
        (liar.root / path).write_bytes(other.record.read(path))
    with pytest.raises(Refused, match=r"^mismatch: .* proves nothing"):
        prove(one.record, liar)


def test_a_forged_entry_is_no_proof(two: tuple[Table, Table]) -> None:
    """What the host did not sign is refused, naming the record and the file."""
    one, other = two
    path = other.record.root / "entries/0002.toml"
    path.write_bytes(path.read_bytes().replace(b"step = 2", b"step = 2 "))
    with pytest.raises(Refused, match="bad-signature") as caught:
        prove(one.record, other.record)
    assert "entries/0002.toml" in caught.value.message


def test_a_fork_goes_into_no_copy(two: tuple[Table, Table]) -> None:
    """`receive` refuses the other entry of a number, and says how to use it."""
    one, other = two
    with pytest.raises(Refused, match="fork") as caught:
        one.deliver("alice", bundles.of_entry(other.record, 2))
    assert "--against" in caught.value.hint
    assert at_step(prove(one.copies["alice"], other.record), 2)


# Two answers to one slip.


@pytest.fixture
def two_answers(table: Table, tmp_path: Path) -> tuple[Table, list[OrderReceipt]]:
    """Alice's two receipts for one slip: a host who lost its folder, or who lies, judged twice."""
    before = table.copy(tmp_path / "before")
    bundle = table.order("alice", "start C4")
    table.send(bundle)
    lying = before.host
    lying.rule(Ruling("a second history", abandons=True))
    again = lying.submit(bundle)
    answer = read_receipt(again.data)
    table.deliver("alice", [bundles.of_receipt(again)])
    assert answer.status == "stale"
    return table, witness.given(table.host.ledger, table.seat("alice"))


def test_two_answers_are_proved(
    two_answers: tuple[Table, list[OrderReceipt]], tmp_path: Path
) -> None:
    """Both receipts are signed, of one slip, and say two things; ssh-keygen holds it."""
    table, given = two_answers
    proof = prove_answers(table.record, given)
    assert "answered one slip in two ways, accepted and stale" in proof.summary
    assert f'both have slip = "{given[0].receipt.slip}"' in proof.compare
    assert checks(proof, tmp_path / "check")
    assert any(
        "adjudicator verify --against writes the proof" in text for text in table.warnings["alice"]
    )


def test_answers_that_agree_prove_nothing(two_answers: tuple[Table, list[OrderReceipt]]) -> None:
    """One alone; the same twice; one that a later one may replace."""
    table, given = two_answers
    for held in ([], given[:1], [given[0], given[0]]):
        with pytest.raises(Refused, match="no-fork"):
            prove_answers(table.record, held)
    absent = replace(given[1], receipt=replace(given[1].receipt, status="absent"))
    with pytest.raises(Refused, match="no-fork"):
        prove_answers(table.record, [given[0], absent])


def test_two_slips_of_one_revision_are_told(table: Table, tmp_path: Path) -> None:
    """Of a copied seat, or of a stolen key: who of the two wrote it no file can tell."""
    other = table.copy(tmp_path / "other")
    table.play({"alice": "start C4", "bob": "start C1"})
    other.play({"alice": "start D4", "bob": "start C1"})
    told = list(two_slips(table.record, other.record))
    assert [line.partition(" as ")[0] for line in told] == ["alice signed two orders"]
    assert "step 1, revision 1" in told[0]
    assert not list(two_slips(table.record, table.record))


def test_slips_of_two_games_are_no_fork(
    table: Table, begun_by_three: Table, tmp_path: Path
) -> None:
    """A player of both signs a revision 1 of step 1 in each, and has done nothing wrong."""
    table.play({"alice": "start C4", "bob": "start C1"})
    other = begun_by_three.copy(tmp_path / "three")
    other.play({"alice": "start D4", "bob": "start C1", "carol": "start A1"})
    assert not list(two_slips(table.record, other.record))
