"""Press files: what players write to each other. Letters are tested with the documents."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders import sealing
from orders.errors import Refused
from orders.letter import LONGEST, Press, read_press

SALT = "0f" * 32
TEXT = st.text(st.one_of(st.characters(categories=["L", "N", "P", "S", "Zs"]), st.just("\n")))


@given(TEXT, st.sampled_from(["bob", "all", "host"]), st.booleans())
@settings(max_examples=200, deadline=None)
def test_any_printable_text_comes_back(text, to, anonymous):
    """In any alphabet; what is blank, too long or does not show as it is cannot be written."""
    press = Press(SALT, to, text, anonymous)
    try:
        data = press.render()
    except Refused as refused:
        assert refused.word == "malformed"
        assert not text.strip() or len(text.encode()) > LONGEST or not text.isprintable()
    else:
        assert read_press(data) == press
        assert data.startswith(f'salt = "{SALT}"\n'.encode())


def test_the_longest_fits_its_sealed_form():
    """Whatever its writer's name and form of address."""
    longest = Press(SALT, "x" * 32, "y" * LONGEST, True).render()
    assert len(longest) <= sealing.room(sealing.PRESS_SIZE)


@pytest.mark.parametrize(
    "text",
    ["", " \n", "y" * (LONGEST + 1), "a\tb", "a\rb", "\x1b[2J", "\u202ea", "\ufeffa", "a\0",
     "\u2028"],
)  # fmt: skip
def test_what_may_not_be_sent(text):
    """Blank, too long, or with characters that a terminal obeys or nobody sees."""
    with pytest.raises(Refused) as caught:
        Press(SALT, "bob", text).render()
    assert caught.value.word == "malformed"


GOOD = Press(SALT, "bob", "Hi.\nDraw?").render()


def test_a_message_has_1800_bytes():
    """As the page says: characters of other alphabets count as the bytes that they take."""
    assert read_press(Press(SALT, "bob", "\u00e9" * 900).render()).text == "\u00e9" * 900
    with pytest.raises(Refused, match="1 to 1800 bytes"):
        Press(SALT, "bob", "\u00e9" * 900 + "x").render()


@pytest.mark.parametrize("text", ["\x1b[2J", "\u202eHi.", "x" * 1_801, " \n ", "a\tb"])
def test_what_may_not_be_sent_is_not_read(text):
    """A program that sends it all the same shows nothing."""
    with pytest.raises(Refused) as caught:
        read_press(GOOD.replace(b"Hi.\nDraw?", text.encode()))
    assert caught.value.word == "malformed"


@pytest.mark.parametrize(
    "data",
    [b"", GOOD[1:], GOOD.replace(b"bob", b"Bob"), GOOD.replace(b"to bob:\n", b"to bob: "),
     GOOD.replace(b"message", b"anonymous  message"), GOOD.replace(b"0f0f", b"0F0F", 1),
     GOOD.replace(b"Hi.", b"\xff"), GOOD.replace(b"\n", b"\r\n"), GOOD.partition(b"Hi")[0]],
)  # fmt: skip
def test_other_bytes_are_no_press(data):
    """One form only, as the writer has signed its digest."""
    with pytest.raises(Refused) as caught:
        read_press(data)
    assert caught.value.word == "malformed"
