"""The committed vectors: other implementations may rely on them, so nothing may drift."""

import importlib.util
import json
from pathlib import Path

import pytest

from orders import bundle, canonical, sealing, sshsig
from orders.keys import read_public

HERE = Path(__file__).parents[1] / "vectors"
NAMES = ("canonical-json", "signatures", "secrets", "bundle", "draws", "sealing")


def read(name: str):
    """One file of vectors."""
    return json.loads((HERE / f"{name}.json").read_text("ascii"))


@pytest.fixture(scope="module")
def generated() -> dict[str, str]:
    """What `generate.py` would write now."""
    spec = importlib.util.spec_from_file_location("generate", HERE / "generate.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.generate()


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
