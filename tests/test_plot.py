"""The picture of a simulation: it shows the figures, and nothing else moves it."""

from __future__ import annotations

from xml.etree import ElementTree

from adjudicator.plot import plot
from adjudicator.simulate import Share

SVG = "{http://www.w3.org/2000/svg}"


def drawn(shares: list[tuple[str, Share]], steps: list[int]) -> ElementTree.Element:
    text = plot("9 games <of>: a, b", shares, steps)
    return ElementTree.fromstring(text)  # noqa: S314 (made here)


def test_each_share_has_a_row_with_its_dot_on_its_line() -> None:
    """None is at the left end of the axis, all at its right end; the line is Wilson's interval."""
    shares = [("none", Share(0, 9)), ("half", Share(5, 10)), ("all", Share(9, 9))]
    root = drawn(shares, [3, 4, 4])
    dots = [int(dot.attrib["cx"]) for dot in root.iter(f"{SVG}circle")]
    assert dots == [176, 326, 476]
    lines = [
        line.attrib["d"] for line in root.iter(f"{SVG}path") if line.get("stroke-width") == "3"
    ]
    ends = [[int(end.split()[0]) for end in line[1:].split("L")] for line in lines]
    assert ends == [[176 + round(300 * end) for end in share.interval()] for _, share in shares]
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert "50.0 %, 5 of 10" in texts
    assert texts[0] == root.findtext(f"{SVG}title") == "9 games <of>: a, b"


def test_bars_count_every_game_once() -> None:
    """However long the games were, there are 20 bars at most; the highest is as high as may be."""
    for steps in ([7], [3, 4, 4, 9], [*range(10, 2000, 7)], [1, 1, 1, 500]):
        bars = list(drawn([], steps).iter(f"{SVG}rect"))[1:]
        told = [int(bar.findtext(f"{SVG}title", "").split(": ")[1]) for bar in bars]
        assert sum(told) == len(steps)
        assert len(bars) <= 20
        assert max(int(bar.attrib["height"]) for bar in bars) == 120
        assert bars[-1].attrib["height"] != "0"


def test_a_share_of_no_games_is_drawn_at_nothing_with_all_doubt() -> None:
    """Where nobody moved first there is nothing to count, and nothing to divide by."""
    root = drawn([("won as mover 1", Share(0, 0))], [5])
    assert [dot.attrib["cx"] for dot in root.iter(f"{SVG}circle")] == ["176"]
