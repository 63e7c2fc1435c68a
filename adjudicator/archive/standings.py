"""A club's standings as pages: Markdown, HTML and JSON, all from the same sections; and its results
as a feed (Atom, RFC 4287), an entry for each game that is over.

No clock and no order of files has a part in them, so the same games give the same bytes. Names are
players' names, which need no escaping; paths and reasons do.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from adjudicator.archive.club import Left, Result, Standings, Table
from adjudicator.core.deadlines import span
from orders.errors import shown
from orders.fields import Digest, digest


class Link(NamedTuple):
    """A cell that leads to a file, by its path from the page."""

    text: str
    path: str


Cell = str | Link


class Section(NamedTuple):
    """A heading, sentences, and a table."""

    title: str
    says: tuple[str, ...]
    head: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()


_STYLE = """
:root { color-scheme: light dark; --line: light-dark(#d5dde0, #33454e); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem;
  color: light-dark(#16242b, #e4edf0); background: light-dark(#fbfaf6, #12212a); }
h1, h2 { line-height: 1.2; }
h2 { margin-top: 2.5rem; }
div { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); text-align: left; }
th { color: light-dark(#5a6a72, #9fb2bb); font-weight: 600; }
a { color: light-dark(#0b5c86, #7fc4e8); }
"""


def files(given: Standings, links: Mapping[str, str], feed: Digest = "") -> dict[str, bytes]:
    """The files by name. `links`: for a result's file the page that carries its game. `feed` names
    the feed; "": by its title, as that of each club without a secret of its own. Without a result
    there is no feed: it would have no date."""
    sections = list(_sections(given, links))
    results = {"results.atom": _atom(given.results, links, feed)} if given.results else {}
    return {
        "standings.md": _markdown(sections).encode(),
        "standings.html": _html(sections).encode(),
        "standings.json": _json(given, links),
        **results,
    }


def begins(data: bytes) -> bytes:
    """How a file begins that may be replaced by this one: by its first two lines, as far as they
    are the same without any player."""
    return b"".join(data.splitlines(keepends=True)[:2]).rstrip(b"{},\n")


def _sections(given: Standings, links: Mapping[str, str]) -> Iterator[Section]:
    named = given.names
    many = len(given.results)
    says = [f"{_count(many, 'game')} verified and counted, {len(given.left)} left out."]
    yield Section("Standings", tuple(says))
    for table in given.tables:
        yield _of_game(table, named)
    if given.kept:
        yield Section(
            "Deadlines",
            (
                "From times that hosts signed: when orders came. In a duel nobody can prove that. "
                "Time given: by rulings of hosts, in all.",
            ),
            ("player", "awaited", "in time", "on reserve", "missed", "time given"),
            tuple(
                sorted(
                    (named[key], *map(str, kept[:-1]), span(kept.given) if kept.given else "none")
                    for key, kept in given.kept.items()
                )
            ),
        )
    if given.matches:
        both = tuple(
            (
                max(one.first.time, one.second.time)[:10],
                one.first.title,
                ", ".join(named[key] for key in one.points),
                " : ".join(map(_halves, one.points.values())),
            )
            for one in given.matches
        )
        said = "Two games of the same two, who changed seats; each is rated by itself."
        yield Section("Matches", (said,), ("ended", "game", "players", "points"), both)
    if given.results:
        yield Section(
            "Games",
            (),
            ("ended", "game", "players", "result", "look"),
            tuple(_of_result(one, links) for one in given.results),
        )
    if given.left:
        rows = tuple((shown(one.file), shown(one.why)) for one in given.left)
        yield Section("Left out", ("Only what is true counts.",), ("file", "why"), rows)


def _of_game(table: Table, named: Mapping[str, str]) -> Section:
    seats = ", ".join(f"seat {at} won {won}" for at, won in enumerate(table.seats, 1))
    says = [f"{seats}; {_count(table.draws, 'draw')}."]
    if table.pairings:
        met = {0: "never met", 1: "met once", 2: "met twice"}
        told = (
            f"{named[one.first]} and {named[one.second]} "
            f"({met.get(one.met, f'met {one.met} times')})"
            for one in table.pairings
        )
        says.append(f"Who should play next, the first seat first: {'; '.join(told)}.")
    rows = tuple(
        (str(at), named[one.key], f"{one.rating} \u00b1 {one.error}", *map(str, one[3:]))
        for at, one in enumerate(table.places, 1)
    )
    head = ("", "player", "rating", "games", "won", "drawn", "lost")
    return Section(table.title, tuple(says), head, rows)


def _of_result(one: Result, links: Mapping[str, str]) -> tuple[Cell, ...]:
    players = ", ".join(seat.name for seat in one.seats)
    what = f"{one.title}, a duel" if one.duel else one.title
    look = Link("watch", links[one.file]) if one.file in links else shown(one.file)
    return one.time[:10], what, players, one.ended, look


def _halves(twice: int) -> str:
    """Points in words: one and a half for 3."""
    whole, half = divmod(twice, 2)
    return f"{whole}" * (whole > 0 or not half) + "\u00bd" * half


def _count(many: int, what: str) -> str:
    return f"{many} {what}{'s' * (many != 1)}"


def _markdown(sections: Sequence[Section]) -> str:
    """CommonMark with the tables of GitHub."""

    def cell(one: Cell) -> str:
        text, path = one if isinstance(one, Link) else (one, "")
        plain = "".join(f"\\{each}" if each in "\\`*_[]<>|#" else each for each in text)
        return f"[{plain}]({quote(path)})" if path else plain

    out = []
    for at, one in enumerate(sections):
        out += [f"{'##' if at else '#'} {one.title}", ""]
        for said in one.says:
            out += [said, ""]
        if one.head:
            out.append(f"| {' | '.join(one.head)} |")
            out.append("|---" * len(one.head) + "|")
            out += [f"| {' | '.join(map(cell, row))} |" for row in one.rows]
            out.append("")
    return "\n".join(out)


def _html(sections: Sequence[Section]) -> str:
    """One file that asks for nothing."""

    def cell(one: Cell) -> str:
        if isinstance(one, Link):
            return f'<a href="{html.escape(quote(one.path))}">{html.escape(one.text)}</a>'
        return html.escape(one)

    out = [
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width">',
        f"<title>Standings</title>\n<style>{_STYLE}</style>\n<main>",
    ]
    for at, one in enumerate(sections):
        level = "h2" if at else "h1"
        out.append(f"<{level}>{html.escape(one.title)}</{level}>")
        out += [f"<p>{html.escape(said)}</p>" for said in one.says]
        if one.head:
            head = "".join(f'<th scope="col">{name}</th>' for name in one.head)
            out.append(f"<div><table>\n<thead><tr>{head}</tr></thead>\n<tbody>")
            for row in one.rows:
                out.append(f"<tr>{''.join(f'<td>{cell(each)}</td>' for each in row)}</tr>")
            out.append("</tbody></table></div>")
    return "\n".join([*out, "</main>\n</html>\n"])


def _json(given: Standings, links: Mapping[str, str]) -> bytes:
    """For programs; players by the fingerprints of their keys."""

    def told(one: Result) -> dict[str, object]:
        return {
            "file": one.file,
            "id": one.id,
            "game": one.game,
            "time": one.time,
            "duel": one.duel,
            "players": [{"key": seat.key, "name": seat.name} for seat in one.seats],
            "winner": one.winner,
            "abandoned": bool(one.abandoned),
            "page": links.get(one.file),
        }

    data = {
        "players": dict(given.names),
        "tables": [
            {
                "game": table.game,
                "places": [one._asdict() for one in table.places],
                "seats": list(table.seats),
                "draws": table.draws,
                "pairings": [one._asdict() for one in table.pairings],
            }
            for table in given.tables
        ],
        "deadlines": {key: kept._asdict() for key, kept in given.kept.items()},
        "matches": [
            {
                "games": [one.first.id, one.second.id],
                "points": [twice / 2 for twice in one.points.values()],
            }
            for one in given.matches
        ],
        "games": [told(one) for one in given.results],
        "left": [Left(*one)._asdict() for one in given.left],
    }
    return (json.dumps(data, indent=1, ensure_ascii=True) + "\n").encode()


def _atom(results: Sequence[Result], links: Mapping[str, str], feed: Digest) -> bytes:
    """The results, the last first. Their games' ids name entries. The feed is named by no game: an
    older one may come later, and the feed stays the same (RFC 4287 4.2.6)."""
    title = "Results of sealed games"
    out = [
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom">'
        f"<title>{title}</title>",
        f"<id>{_urn(feed or digest(title.encode()))}</id>",
        f"<updated>{max(one.time for one in results)}</updated>",
        "<author><name>adjudicator</name></author>",
    ]
    for one in reversed(results):
        players = ", ".join(seat.name for seat in one.seats)
        path = links.get(one.file)
        out += [
            f"<entry>\n<title>{html.escape(f'{one.title}, {players}: {one.ended}')}</title>",
            f"<id>{_urn(one.id)}</id>",
            f"<updated>{one.time}</updated>",
            *([] if path is None else [f'<link href="{html.escape(quote(path))}"/>']),
            f"<content>game {one.id}</content>\n</entry>",
        ]
    return "\n".join([*out, "</feed>\n"]).encode()


def _urn(name: Digest) -> str:
    """A digest as a UUID of version 8 (RFC 9562)."""
    return f"urn:uuid:{name[:8]}-{name[8:12]}-8{name[13:16]}-a{name[17:20]}-{name[20:32]}"
