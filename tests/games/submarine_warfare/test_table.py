"""The house table and the options: what can be offered, and what is refused and how."""

from __future__ import annotations

import tomllib

import pytest

from games.options import OfferRefused
from games.submarine_warfare import GAME
from games.submarine_warfare.table import MECHANISMS, PASSIVE, check
from orders import toml

DEFAULT = GAME.default_table.decode()


def test_the_default_table_is_whole():
    """Ten specials, every mechanism once, each value marked as published or house."""
    table = GAME.read_table(DEFAULT.encode())
    assert [special.mechanism for special in table.values()] == list(MECHANISMS)
    for name, special in table.items():
        assert special.name == name
        assert (special.mechanism in PASSIVE) == (special.ap == 0)
        assert set(special.sources) == {"mechanism", "ap", *special.numbers}
        assert set(special.numbers) == set(MECHANISMS[special.mechanism])
    published = {name for name, row in table.items() if row.sources["mechanism"] == "published"}
    assert published == {"nullify", "armor", "battering-ram", "mine", "heal"}
    given = {
        f"{name}.{value}"
        for name, row in table.items()
        for value, source in row.sources.items()
        if source == "published" and value != "mechanism"
    }
    assert given == {"armor.ap", "battering-ram.ap"}


def test_the_default_table_has_the_one_rendering():
    """So it is read without a TOML parser, like every house table that an invite names."""
    data = GAME.default_table
    assert toml.render(tomllib.loads(data.decode())) == data
    assert check(toml.read(data)) == GAME.read_table(data)


def changed(old: str, new: str) -> bytes:
    """The default table with the first `old` made `new`."""
    assert old in DEFAULT
    return DEFAULT.replace(old, new, 1).encode()


REFUSED = [
    (changed('mechanism = "torpedo"', 'mechanism = "laser"'), "torpedo.mechanism"),
    (changed('mechanism = "torpedo"\n', ""), "torpedo.mechanism"),
    (changed("ap = 2", "ap = 0"), "torpedo.ap"),
    (changed("ap = 2", "ap = 10"), "torpedo.ap"),
    (changed("ap = 2", "ap = true"), "torpedo.ap"),
    (changed("ap = 2", "ap = 2.0"), "torpedo.ap"),
    (changed("ap = 0", "ap = 1"), "armor.ap"),
    (changed("range = 3", "range = 7"), "torpedo.range"),
    (changed("range = 3\n", ""), "torpedo.range"),
    (changed("range = 3", "range = 3\nspeed = 1"), "torpedo.speed"),
    (changed("damage = 2", "damage = 6"), "torpedo.damage"),
    (changed("less = 1", "less = 0"), "armor.less"),
    (changed("more = 1", "more = 3"), "reactor.more"),
    (changed('source = "house"', 'source = "rumour"'), "torpedo.source"),
    (changed('source = "house"', 'source = { ap = "house" }'), "torpedo.source"),
    (changed('source = "house"\n', ""), "torpedo.source"),
    (changed('source = "house"', "source = 1"), "torpedo.source"),
    (changed('.source]\nmechanism = "published"', ".source]\nmechanism = []"), "mine.source"),
    (changed("[torpedo]", "[Torpedo]"), "Torpedo"),
    (changed("[torpedo]", "[surface]"), "surface"),
    (changed("[torpedo]", "[c4]"), "c4"),
    (changed("[torpedo]", f"[{'t' * 21}]"), "t" * 21),
    (b"torpedo = 1\n" + changed("[torpedo]", "[other]"), "torpedo"),
    (changed('mechanism = "torpedo"\nap = 2\nrange = 3', 'mechanism = "mine"\nap = 2'), "mine"),
    (b"".join(DEFAULT.encode().partition(b"[nullify]")[:1]), "expected 6"),
    (b"", "expected 6"),
    (b"[torpedo", "table of specials"),
    (b"\xff", "table of specials"),
    (b"#" * 9000, "9000 bytes"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_a_table_that_does_not_fit_is_refused(text, said):
    """Fewer than six specials, an unknown mechanism or key, a parameter out of range, and the
    rest; when the game is offered, naming the place."""
    with pytest.raises(OfferRefused) as caught:
        GAME.setup(["alice", "bob"], {}, text)
    assert said in str(caught.value)
    assert str(caught.value).isascii()


def test_reactors_give_two_ap_together_at_most():
    """The length of reports is reckoned from it."""
    reactor = '[pile]\nmechanism = "reactor"\nap = 0\nmore = {}\nsource = "house"\n'
    GAME.read_table((DEFAULT + reactor.format(1)).encode())
    with pytest.raises(OfferRefused, match="reactors give 3 AP"):
        GAME.read_table((DEFAULT + reactor.format(2)).encode())


def test_six_specials_of_other_names_are_a_table():
    """The least that can be offered; the setup names them."""
    first = list(tomllib.loads(DEFAULT).items())[:6]
    text = toml.render({f"my-{name}": row for name, row in first})
    setup = GAME.setup(["alice", "bob"], {}, text)
    assert list(setup.table) == [f"my-{name}" for name, _ in first]
    lines = GAME.legal(GAME.view(GAME.start(setup), "bob"))
    assert lines[0] == "v A7 my-torpedo"
