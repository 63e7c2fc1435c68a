"""What letters say. The letters themselves are tested with the documents."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import sealing
from orders.errors import Refused
from orders.letter import LONGEST, Absence, Address, Press, Said, Shown, read_said

SALT = "0f" * 32
TEXT = st.text(st.one_of(st.characters(categories=["L", "N", "P", "S", "Zs"]), st.just("\n")))


@given(TEXT, st.sampled_from(["bob", "all", "host"]), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_printable_text_comes_back(text, to, anonymous):
    """In any alphabet; what is blank, too long or does not show as it is cannot be written."""
    said = Said(SALT, Press(to, text, anonymous))
    try:
        data = said.render()
    except Refused as refused:
        assert refused.word == "malformed"
        assert not text.strip() or len(text.encode()) > LONGEST or not text.isprintable()
    else:
        assert read_said(data) == said
        assert data.startswith(f'salt = "{SALT}"\n'.encode())


def test_the_longest_fits_its_sealed_form():
    """Whatever its writer's name and form of address."""
    longest = Said(SALT, Press("x" * 32, "y" * LONGEST, True)).render()
    assert len(longest) <= sealing.room(sealing.LETTER_SIZE)


@pytest.mark.parametrize(
    "text",
    ["", " \n", "y" * (LONGEST + 1), "a\tb", "a\rb", "\x1b[2J", "\u202ea", "\ufeffa", "a\0",
     "\u2028"],
)  # fmt: skip
def test_what_may_not_be_sent(text):
    """Blank, too long, or with characters that a terminal obeys or nobody sees."""
    with pytest.raises(Refused) as caught:
        Said(SALT, Press("bob", text)).render()
    assert caught.value.word == "malformed"


GOOD = Said(SALT, Press("bob", "Hi.\nDraw?")).render()


def test_a_message_has_1800_bytes():
    """As the page says: characters of other alphabets count as the bytes that they take."""
    longest = Said(SALT, Press("bob", "\u00e9" * 900))
    assert read_said(longest.render()) == longest
    with pytest.raises(Refused, match="1 to 1800 bytes"):
        Said(SALT, Press("bob", "\u00e9" * 900 + "x")).render()


@pytest.mark.parametrize("text", ["\x1b[2J", "\u202eHi.", "x" * 1_801, " \n ", "a\tb"])
def test_what_may_not_be_sent_is_not_read(text):
    """A program that sends it all the same shows nothing."""
    with pytest.raises(Refused) as caught:
        read_said(GOOD.replace(b"Hi.\nDraw?", text.encode()))
    assert caught.value.word == "malformed"


@pytest.mark.parametrize(
    "data",
    [b"", GOOD[1:], GOOD.replace(b"bob", b"Bob"), GOOD.replace(b"to bob:\n", b"to bob: "),
     GOOD.replace(b"message", b"anonymous  message"), GOOD.replace(b"0f0f", b"0F0F", 1),
     GOOD.replace(b"Hi.", b"\xff"), GOOD.replace(b"\n", b"\r\n"), GOOD.partition(b"Hi")[0]],
)  # fmt: skip
def test_other_bytes_are_no_text(data):
    """One form only, as the writer has signed its digest."""
    with pytest.raises(Refused) as caught:
        read_said(data)
    assert caught.value.word == "malformed"


NOTICES = {
    Absence("2026-01-02T00:00:00Z", "2026-01-04T00:00:00Z"):
        "away from 2026-01-02T00:00:00Z until 2026-01-04T00:00:00Z",
    Address("ann@example.org"): "address ann@example.org",
    Shown(True): "address shown",
    Shown(False): "address hidden",
}  # fmt: skip


@pytest.mark.parametrize("what", NOTICES)
def test_a_notice_is_one_line(what):
    """Its first word says what it is; nothing follows it."""
    data = Said(SALT, what).render()
    assert data == f'salt = "{SALT}"\n{NOTICES[what]}\n'.encode()
    assert read_said(data) == Said(SALT, what)
    for other in (data[:-1], data + b"\n", data + b"x\n", data.replace(b" ", b"  ")):
        with pytest.raises(Refused, match="malformed"):
            read_said(other)


@pytest.mark.parametrize(
    "what",
    [Absence("2026-01-04T00:00:00Z", "2026-01-04T00:00:00Z"), Address("ann"), Address("a b@c"),
     Absence("2026-01-04T00:00:00Z", "2026-01-02T00:00:00Z"), Absence("2026-01-04", "2026-01-05"),
     Absence("2026-01-02T00:00:00Z", "2026-13-02T00:00:00Z"), Address("ann@example.org\n")],
)  # fmt: skip
def test_a_notice_that_says_nothing(what):
    """It is neither written nor read: no time, none that is later, no plain address."""
    with pytest.raises(Refused, match="malformed"):
        Said(SALT, what).render()
    with pytest.raises(Refused, match="malformed"):
        read_said(f'salt = "{SALT}"\n{what}'.encode())
