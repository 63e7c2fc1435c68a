"""What letters say, in messages and in notices. Letters are tested with the documents."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import sealing
from orders.errors import Refused
from orders.letter import LONGEST, Text, read_text

SALT = "0f" * 32
TEXT = st.text(st.one_of(st.characters(categories=["L", "N", "P", "S", "Zs"]), st.just("\n")))
DAY, NEXT = "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z"


def message(body, to="bob", form="message"):
    return Text(f"{form} to {to}:", body, salt=SALT)


def notice(says, number=1, body=""):
    return Text(says, body, number, SALT)


@given(TEXT, st.sampled_from(["bob", "all", "host"]), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_printable_text_comes_back(body, to, anonymous):
    """In any alphabet; what is blank, too long or does not show as it is cannot be written."""
    text = message(body, to, "anonymous message" if anonymous else "message")
    assert (text.to, text.anonymous) == (to, anonymous)
    try:
        data = text.render()
    except Refused as refused:
        assert refused.word == "malformed"
        assert not body.strip() or len(body.encode()) > LONGEST or not body.isprintable()
    else:
        assert read_text(data) == text
        assert data == f'salt = "{SALT}"\n{text.says}\n{body}'.encode()


def test_the_longest_fits_its_sealed_form():
    """Whatever its reader's name and form of address; of notices the longest address too."""
    longest = message("y" * LONGEST, "x" * 32, "anonymous message").render()
    address = notice(f"address {'a' * 64}@{'b' * 189}", 9_999).render()
    for data in (longest, address):
        assert len(data) <= sealing.room(sealing.LETTER_SIZE)


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ("address ann@example.org", ("ann@example.org", None, None)),
        (f"address {'a' * 64}@{'b' * 189}", (f"{'a' * 64}@{'b' * 189}", None, None)),
        ("address shown", (None, True, None)),
        ("address hidden", (None, False, None)),
        (f"away from {DAY} until {NEXT}", (None, None, (DAY, NEXT))),
        (f"away from {DAY} until 2026-11-21T00:00:01Z", (None, None, (DAY, f"{DAY[:-2]}1Z"))),
    ],
)
@pytest.mark.parametrize("number", [1, 9_999])
def test_a_notice_says_one_thing(says, told, number):
    """In one line behind its number, which no message has."""
    text = notice(says, number)
    data = text.render()
    assert data == f'salt = "{SALT}"\nnotice {number}: {says}\n'.encode()
    assert read_text(data) == text
    assert (text.address, text.shown, text.away) == told
    assert (text.to, text.anonymous) == (None, False)


@pytest.mark.parametrize(
    ("says", "said"),
    [
        ("", "expected a message or a notice"),
        ("address", "'address': expected a message or a notice"),
        ("address nobody", "'address nobody': expected a message or a notice"),
        (f"address {'a' * 65}@b", "expected a message or a notice"),
        (f"address a@{'b' * 190}", "expected a message or a notice"),
        ("address a@b c", "expected a message or a notice"),
        ("address Shown", "expected a message or a notice"),
        ("message to bob:", "expected a message or a notice"),
        (f"away from {DAY}", "expected a message or a notice"),
        (f"away from {NEXT} until {DAY}", f"away until {DAY}: expected a time after {NEXT}"),
        (f"away from {DAY} until {DAY}", f"away until {DAY}: expected a time after {DAY}"),
        (f"away from {DAY} until soon", "'soon': expected a time in UTC"),
        (f"away from 2026-02-30T00:00:00Z until {DAY}", "'2026-02-30T00:00:00Z': expected a time"),
    ],
)
def test_other_notices_are_none(says, said):
    """Neither written nor read; what is wrong is quoted."""
    with pytest.raises(Refused, match=said) as caught:
        notice(says).render()
    assert caught.value.word == "malformed"
    with pytest.raises(Refused):
        read_text(f'salt = "{SALT}"\nnotice 1: {says}\n'.encode())


@pytest.mark.parametrize(
    "body",
    ["", " \n", "y" * (LONGEST + 1), "a\tb", "a\rb", "\x1b[2J", "\u202ea", "\ufeffa", "a\0",
     "\u2028"],
)  # fmt: skip
def test_what_may_not_be_sent(body):
    """Blank, too long, or with characters that a terminal obeys or nobody sees. A program that
    sends it all the same shows nothing."""
    for read in (message(body).render, lambda: read_text(GOOD.replace(BODY, body.encode()))):
        with pytest.raises(Refused) as caught:
            read()
        assert caught.value.word == "malformed"


BODY = b"Hi.\nDraw?"
GOOD = message(BODY.decode()).render()
AWAY = notice(f"away from {DAY} until {NEXT}").render()


def test_a_message_has_1800_bytes():
    """As the page says: characters of other alphabets count as the bytes that they take."""
    assert read_text(message("\u00e9" * 900).render()).body == "\u00e9" * 900
    with pytest.raises(Refused, match="1 to 1800 bytes"):
        message("\u00e9" * 900 + "x").render()


@pytest.mark.parametrize(
    "data",
    [b"", GOOD[1:], GOOD.replace(b"bob", b"Bob"), GOOD.replace(b"bob", b""),
     GOOD.replace(b"to bob:\n", b"to bob: "),
     GOOD.replace(b"message", b"anonymous  message"), GOOD.replace(b"0f0f", b"0F0F", 1),
     GOOD.replace(b"Hi.", b"\xff"), GOOD.replace(b"\n", b"\r\n"), GOOD.partition(b"Hi")[0],
     GOOD.replace(b"message", b"notice 1: message"), AWAY.replace(b"notice 1: ", b""),
     AWAY.replace(b"notice 1", b"notice 0"), AWAY.replace(b"notice 1", b"notice 01"),
     AWAY.replace(b"notice 1", b"notice 10000"), AWAY[:-1], AWAY + b"\n", AWAY + b"Hi."],
)  # fmt: skip
def test_other_bytes_say_nothing(data):
    """One form only, as the writer has signed its digest."""
    with pytest.raises(Refused) as caught:
        read_text(data)
    assert caught.value.word == "malformed"
