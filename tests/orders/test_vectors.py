"""The suite's values, which any other implementation comes to as well."""

import json
from pathlib import Path

import pytest

from orders import bundle, canonical, sealing, secrets, sshsig
from orders.documents import read_consent, read_invite, read_join, read_receipt, read_slip
from orders.entries import read_entry
from orders.errors import Refused
from orders.fields import digest
from orders.letter import read_letter, read_text
from orders.order_file import OrderFile, read_order_file, read_typed
from orders.public_key import check_raw, read_public

HERE = Path(__file__).parents[1] / "suite"
READERS = {
    "invite": read_invite, "join": read_join, "slip": read_slip, "consent": read_consent,
    "receipt": read_receipt,
    "entry": read_entry, "letter": read_letter,
}  # fmt: skip


def read(name: str):
    """One file of values."""
    return json.loads((HERE / f"{name}.json").read_text("ascii"))


SEALING = read("sealing")


@pytest.fixture(scope="module")
def shared() -> sealing.Shared:
    """What host and player of the vectors share, agreed on by either side."""
    agreement = SEALING["agreement"]
    host, player = (
        sealing.SealingKey(bytes.fromhex(agreement[side]["private"])) for side in ("host", "player")
    )
    assert host.public.hex() == agreement["host"]["public"]
    assert player.public.hex() == agreement["player"]["public"]
    one = host.agree(player.public, agreement["game"])
    assert one == player.agree(host.public, agreement["game"])
    assert one.extracted.hex() == agreement["extracted"]
    return one


def test_torsion_twins_of_a_key_agree_alike(shared):
    """Seven other public keys share the player's secret: only the label's name sets them apart."""
    agreement = SEALING["agreement"]
    host = sealing.SealingKey(bytes.fromhex(agreement["host"]["private"]))
    assert len({*agreement["twins"], agreement["player"]["public"]}) == 8
    for twin in agreement["twins"]:
        assert host.agree(bytes.fromhex(twin), agreement["game"]) == shared
    one, other = (
        shared.seal(sealing.Place("report", agreement["game"], 1, name, 0, digest(b"")), b"", 64)
        for name in ("alice", "bob")
    )
    assert one != other


def place(vector, of: str) -> sealing.Place:
    """The place that a vector names; `of` is the digest of what is sealed."""
    given = (vector[key] for key in ("step", "player", "revision"))
    return sealing.Place(vector["direction"], SEALING["agreement"]["game"], *given, of)


@pytest.mark.parametrize("number", range(len(SEALING["sealed"])))
def test_sealed_vectors_are_made_again(shared, number):
    """Label and sealed file come out byte for byte, and open."""
    vector = SEALING["sealed"][number]
    body, sealed = bytes.fromhex(vector["body"]), bytes.fromhex(vector["sealed"])
    where = place(vector, digest(body))
    assert where.label(vector["padded"]).decode() == vector["label"]
    assert shared.seal(where, body, vector["padded"]) == sealed
    assert shared.open(where, sealed, vector["padded"]) == body


@pytest.mark.parametrize("vector", SEALING["unopenable"], ids=lambda vector: vector["what"])
def test_unopenable_vectors_do_not_open(shared, refuses, vector):
    """Each thing that is wrong meets the same refusal."""
    sealed = bytes.fromhex(vector["sealed"])
    refuses("unopenable", shared.open, place(vector, vector["digest"]), sealed, vector["padded"])


@pytest.mark.parametrize("vector", SEALING["letters"], ids=lambda vector: vector["use"])
def test_letter_vectors_open(vector):
    """What was sealed to the player's key opens; with the ephemeral key it is made again."""
    key = sealing.SealingKey(bytes.fromhex(SEALING["agreement"]["player"]["private"]))
    game = SEALING["agreement"]["game"]
    info = sealing.letter_info(vector["use"], game, vector["number"], vector["player"])
    assert info.decode() == vector["info"]
    sealed, body = bytes.fromhex(vector["sealed"]), bytes.fromhex(vector["body"])
    assert sealing.open_letter(key, info, sealed, vector["size"]) == body
    padded = (len(body).to_bytes(4, "big") + body).ljust(vector["size"], b"\0")
    assert sealing.hpke_seal(bytes.fromhex(vector["ephemeral"]), key.public, info, padded, b"") == (
        sealed
    )


@pytest.mark.parametrize("key", SEALING["bad-key"])
def test_bad_sealing_keys_are_refused(refuses, key):
    """Nobody seals to them or agrees with them."""
    refuses("bad-key", sealing.check_public, bytes.fromhex(key))


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


TORSION = read("signatures-torsion")


@pytest.mark.parametrize("number", range(len(TORSION["cases"])))
def test_torsion_vectors(number):
    """The installed library, behind our checks, says of every odd signature what the vectors say.

    A library that fails here is no backend for this project.
    """
    case = TORSION["cases"][number]
    try:
        public = check_raw(bytes.fromhex(case["key"]))
        signature = bytes.fromhex(case["signature"])
        armored = sshsig.armor(sshsig.blob(public, TORSION["namespace"], signature))
        sshsig.verify(public, TORSION["namespace"], bytes.fromhex(case["message"]), armored)
        verdict = "good"
    except Refused as refused:
        verdict = refused.word
    assert verdict == case["verdict"]


def test_torsion_vectors_tell_libraries_apart():
    """A library that multiplies by the cofactor, and one that checks nothing, both fail."""
    found = {(case["verdict"], case["cofactored"]) for case in TORSION["cases"]}
    assert {("good", True), ("bad-signature", True), ("bad-key", True)} <= found
    assert ("good", False) not in found
    # Each point of low order was added to A, and to R: 64 pairs, most with two messages.
    pairs = {case["what"].rpartition(",")[0] for case in TORSION["cases"] if "message" in case}
    assert len({pair for pair in pairs if pair.startswith("A + ") and "R + " in pair}) == 64


BUNDLES = read("bundle")


@pytest.mark.parametrize("vector", BUNDLES["good"], ids=lambda vector: vector["kind"])
def test_bundle_vectors_decode(vector):
    """The blocks hold the files as listed."""
    found = bundle.decode(vector["block"].encode())
    assert found.kind == vector["kind"]
    assert {path: data.hex() for path, data in found.files} == vector["files"]


@pytest.mark.parametrize("vector", BUNDLES["refused"], ids=lambda vector: vector["what"])
def test_bad_bundles_are_refused(refuses, vector):
    """Each block that breaks a rule meets the word that stands there."""
    refuses(vector["word"], bundle.decode, vector["block"].encode())


def test_secret_vectors():
    """Secrets give the values that stand there."""
    vector = read("secrets")
    master = secrets.Master(bytes.fromhex(vector["master"]["secret"]))
    seat = secrets.SeatSecret(bytes.fromhex(vector["seat"]["secret"]))
    assert seat.letters().public.hex() == vector["seat"]["letters"]
    for one in vector["master"]["seed"]:
        assert master.seed(one["nonces"], one["game"]).hex() == one["seed"]


def test_canonical_vectors_load():
    """The canonical bytes read as the values."""
    for vector in read("canonical-json")["values"]:
        assert canonical.loads(vector["bytes"].encode()) == vector["value"]


@pytest.mark.parametrize("vector", read("canonical-json")["refused"], ids=lambda one: one["bytes"])
def test_what_is_not_canonical_is_refused(refuses, vector):
    """Bytes that break a rule of the page, each by its word."""
    assert 1 <= vector["rule"] <= 7
    refuses("malformed", canonical.loads, vector["bytes"].encode("utf-8", "surrogatepass"))


DOCUMENTS = read("documents")
ORDER_FILES = read("order-files")


@pytest.mark.parametrize("number", range(len(DOCUMENTS["documents"])))
def test_document_vectors_read(number):
    """Every document is taken, renders to the same bytes, and has the digest that stands there."""
    vector = DOCUMENTS["documents"][number]
    data = vector["bytes"].encode()
    assert READERS[vector["document"]](data).render() == data
    assert digest(data) == vector["digest"]


@pytest.mark.parametrize("vector", DOCUMENTS["texts"], ids=lambda vector: vector["says"])
def test_letters_say_what_stands_beside_them(vector):
    """And their texts have that digest."""
    data = vector["bytes"].encode()
    assert read_text(data)[:3] == (vector["says"], vector["body"], vector["notice"])
    assert digest(data) == vector["digest"]


@pytest.mark.parametrize("vector", DOCUMENTS["refused"], ids=lambda vector: vector["what"])
def test_spoilt_documents_are_refused(vector):
    """Each way of spoiling a document meets the word that stands there."""
    with pytest.raises(Refused) as caught:
        READERS[vector["document"]](vector["bytes"].encode())
    assert caught.value.word == vector["word"]


@pytest.mark.parametrize("number", range(len(ORDER_FILES["written"])))
def test_order_file_vectors_read(number):
    """The bytes say what stands there, and have that digest."""
    vector = ORDER_FILES["written"][number]
    data = vector["bytes"].encode()
    assert digest(data) == vector["digest"]
    file = OrderFile(tuple(vector["orders"]))
    assert read_order_file(data) == (vector["salt"], file)
    assert file.render(vector["salt"]) == data


@pytest.mark.parametrize("vector", ORDER_FILES["typed"], ids=lambda vector: vector["what"])
def test_typed_vectors_read(vector):
    """What people type comes to these orders, or meets that word."""
    given = (vector["typed"].encode(), *ORDER_FILES["about"].values())
    if "word" in vector:
        with pytest.raises(Refused) as caught:
            read_typed(*given)
        assert caught.value.word == vector["word"]
    else:
        assert list(read_typed(*given).file.orders) == vector["orders"]


@pytest.mark.parametrize("vector", ORDER_FILES["refused"], ids=lambda vector: vector["what"])
def test_bad_order_files_are_refused(vector):
    """Each other rendering meets the word that stands there."""
    with pytest.raises(Refused) as caught:
        read_order_file(vector["bytes"].encode())
    assert caught.value.word == vector["word"]
