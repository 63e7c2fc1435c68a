"""The committed vectors: other implementations may rely on them, so nothing may drift."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

from orders import bundle, canonical, sealing, sshsig
from orders.documents import read_invite, read_join, read_receipt, read_slip
from orders.entries import read_entry
from orders.errors import Refused
from orders.fields import digest
from orders.keys import read_public
from orders.letter import read_letter, read_press
from orders.order_file import read_authored, read_order_file

HERE = Path(__file__).parents[1] / "vectors"
NAMES = (
    "canonical-json",
    "signatures",
    "secrets",
    "bundle",
    "draws",
    "sealing",
    "documents",
    "order-files",
    "record",
)
READERS = {
    "invite": read_invite,
    "join": read_join,
    "slip": read_slip,
    "receipt": read_receipt,
    "entry": read_entry,
    "letter": read_letter,
}


def read(name: str):
    """One file of vectors."""
    return json.loads((HERE / f"{name}.json").read_text("ascii"))


def load(name: str):
    """A module beside the vectors, which are in no package."""
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    """What `generate.py` would write now."""
    return load("generate").generate()


@pytest.mark.parametrize("name", NAMES)
def test_nothing_drifts(generated, name):
    """Generating the vectors again gives the committed bytes."""
    assert generated[f"{name}.json"] == (HERE / f"{name}.json").read_text("ascii")


def test_all_files_are_held(generated):
    """Every vector file is generated and tested."""
    assert set(generated) == {path.name for path in HERE.glob("*.json")}
    assert set(generated) == {f"{name}.json" for name in NAMES}


@pytest.mark.parametrize("vector", read("sealing"), ids=lambda vector: vector["direction"])
def test_sealed_vectors_open(vector):
    """What was sealed once opens still, and under its own binding only."""
    key = sealing.SealingKey.from_seed(bytes.fromhex(vector["private"]))
    assert key.public.hex() == vector["public"]
    binding = (vector["direction"], vector["game"], vector["step"], vector["player"])
    info = sealing.info(*binding)
    assert info.hex() == vector["info"]
    sealed = bytes.fromhex(vector["sealed"])
    assert sealing.unseal(key, info, sealed, vector["size"]).hex() == vector["body"]


@pytest.mark.parametrize("vector", read("signatures"), ids=lambda vector: vector["namespace"])
def test_signature_vectors_verify(vector):
    """The signatures hold for the key's line as written."""
    public = read_public(vector["public"])
    message, armored = bytes.fromhex(vector["message"]), vector["signature"].encode()
    sshsig.verify(public, vector["namespace"], message, armored)
    assert public.fingerprint == vector["fingerprint"]


@pytest.mark.parametrize("vector", read("signatures"), ids=lambda vector: vector["namespace"])
def test_signature_vectors_are_good_to_ssh_keygen(vector, tmp_path, ssh_keygen):
    """And so they do for the machine's ssh-keygen."""
    (tmp_path / "signers").write_text(f"alice {vector['public']}\n")
    (tmp_path / "sig").write_text(vector["signature"])
    files = ("-f", tmp_path / "signers", "-s", tmp_path / "sig", "-n", vector["namespace"])
    message = bytes.fromhex(vector["message"])
    assert b"Good" in ssh_keygen("-Y", "verify", "-I", "alice", *files, given=message)


@pytest.mark.parametrize("vector", read("bundle"), ids=lambda vector: vector["kind"])
def test_bundle_vectors_decode(vector):
    """The blocks hold the files as listed."""
    found = bundle.decode(vector["block"].encode())
    assert found.kind == vector["kind"]
    assert {path: data.hex() for path, data in found.files} == vector["files"]


def test_canonical_vectors_load():
    """The canonical bytes read as the values."""
    for vector in read("canonical-json"):
        assert canonical.loads(vector["bytes"].encode()) == vector["value"]


DOCUMENTS = read("documents")
ORDER_FILES = read("order-files")


@pytest.mark.parametrize("number", range(len(DOCUMENTS["documents"])))
def test_document_vectors_read(number):
    """Every document is taken, renders to the same bytes, and has the digest that stands there."""
    vector = DOCUMENTS["documents"][number]
    data = vector["bytes"].encode()
    assert READERS[vector["document"]](data).render() == data
    assert digest(data) == vector["digest"]


@pytest.mark.parametrize("vector", DOCUMENTS["press"], ids=lambda vector: vector["to"])
def test_press_vectors_read(vector):
    """A press file says what stands beside it, and has that digest."""
    data = vector["bytes"].encode()
    press = read_press(data)
    assert (press.to, press.anonymous, press.text) == (
        vector["to"],
        vector["anonymous"],
        vector["text"],
    )
    assert digest(data) == vector["digest"]


@pytest.mark.parametrize("vector", DOCUMENTS["refused"], ids=lambda vector: vector["what"])
def test_spoilt_documents_are_refused(vector):
    """Each way of spoiling a document meets the word that stands there."""
    with pytest.raises(Refused) as caught:
        READERS[vector["document"]](vector["bytes"].encode())
    assert caught.value.word == vector["word"]


@pytest.mark.parametrize("vector", ORDER_FILES["written"], ids=lambda vector: vector["what"])
def test_order_file_vectors_read(vector):
    """The salted file is salt and author's bytes, and says what stands there."""
    data = vector["salted"].encode()
    line = f'salt = "{vector["salt"]}"\n'.encode()
    assert data == line + vector["authored"].encode()
    assert digest(data) == vector["digest"]
    file = read_order_file(data, ORDER_FILES["tables"], ORDER_FILES["limit"] + len(line))
    told = (file.step, file.player, file.orders, {k: dict(v) for k, v in file.tables.items()})
    assert told == tuple(vector[key] for key in ("step", "player", "orders", "tables"))


@pytest.mark.parametrize("vector", ORDER_FILES["refused"], ids=lambda vector: vector["what"])
def test_bad_order_files_are_refused(vector):
    """Each bad order file meets the word that stands there."""
    with pytest.raises(Refused) as caught:
        read_authored(vector["authored"].encode(), ORDER_FILES["tables"], ORDER_FILES["limit"])
    assert caught.value.word == vector["word"]


def test_record_is_true():
    """The record of the vectors is finished, and true to the last byte."""
    assert read("record")["code"] == 0


def test_record_begins_alike(tmp_path):
    """Played anew from the same secrets, invite and joins come out byte for byte."""
    vectors = load("record_vectors")
    anew = vectors.early(vectors.play(tmp_path))
    assert anew == vectors.early(vectors.Record(vectors.FOLDER))


def test_record_states_and_reports_are_the_entries():
    """Each state and report in the vectors has the digest that its entry names."""
    told = read("record")
    for step, (state, reports) in enumerate(zip(told["states"], told["reports"], strict=True), 1):
        entry = read_entry((HERE / "record" / "entries" / f"{step:04d}.toml").read_bytes())
        assert digest(state.encode()) == entry.state
        for player, report in reports.items():
            assert digest(report.encode()) == entry.reports[player].digest
