"""Looking at a duel: `show`, `log`, `status`, `pack` and `replay` of one's own side, and of the
other's once it is open."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from adjudicator.cli.here import the_duel
from adjudicator.cli.look import SVG
from adjudicator.cli.shared import reader, say, say_json, write_out
from adjudicator.core.source import Source
from adjudicator.duel import audit, documents
from adjudicator.duel.party import Party
from adjudicator.duel.row import Row
from adjudicator.player.duel import Home
from adjudicator.store import pack as packs
from adjudicator.store.pack import Pack
from adjudicator.verifier.duel import verify
from adjudicator.words import duel as words
from adjudicator.words.deduced import lines as deduced_lines
from adjudicator.words.duel import Sides
from adjudicator.words.overview import Standing
from orders import names
from orders.errors import Refused
from orders.fields import digest


def held(place: Path) -> tuple[Source, Home | None]:
    """The documents in a duel's folder or pack, and whose folder it is; raises Refused."""
    if place.is_file():
        return Pack.open(place), None
    home = Home.open(place)
    return home.source, home


def status(place: Path, *, as_json: bool) -> None:
    """Whose move it is, until when, and what to do next; of a pack what it proves."""
    if place.is_file():
        source = Pack.open(place)
        row = audit.judge(documents.read(source))[0].row
        found = verify(source)
        if as_json:
            say_json({**_about(row), "state": found.verdict})
        else:
            say(words.title(row), words.keys(row), found.conclusion)
        return
    party = the_duel(place).party()
    if as_json:
        say_json(told(party))
        return
    say(words.title(party.row), words.keys(party.row), words.standing(party, reader()))


def _about(row: Row) -> dict[str, Any]:
    return {
        "duel": row.id,
        "rules": row.offer.rules,
        "players": [one.name for one in row.members],
        "move": len(row.moves),
    }


def told(party: Party) -> dict[str, Any]:
    """A duel's state for programs: `for` is what its player is asked for, `until` is until when
    the next move is due."""
    prompt = party.prompt
    return {
        **_about(party.row),
        "player": party.player,
        "state": words.standing(party, reader()),
        "for": None if prompt is None else prompt.what,
        "until": party.due,
    }


def standing(home: Home) -> Standing:
    """How a duel stands; a broken one is told of as well."""
    name = home.root.name
    try:
        party = home.party()
        mine = party.can_begin and party.prompt is not None
        return Standing(name, words.line(party, reader()), party.due, yours=mine)
    except Refused as error:
        return Standing(name, error.message, hand=(f"it does not hold: {error.message}",))


def sides(place: Path, at: str | None) -> Sides:
    """The sides by whose eyes one may look; raises Refused, UsageError for a commit."""
    if at is not None:
        raise click.UsageError("--at is for a record in git: a duel has no commits")
    source, home = held(place)
    own = {} if home is None else {home.player: home.secret}
    found = words.sides_of(documents.read(source), own)
    found.side()
    return found


def pack(place: Path, out: str | None) -> None:
    """Write the duel as one file, and say what it proves."""
    source, home = held(place)
    whole = documents.read(source)
    row = audit.judge(whole)[0].row
    name = place.stem if home is None else home.player
    target = _pack_name(f"{row.game.id}-{name}", row) if out is None else out
    write_out(target, packs.write(whole.held(row.accepted)), like=PACK)
    say(f"{target}: {len(row.moves)} moves. {verify(source).conclusion}", to=out)


def _pack_name(name: str, row: Row) -> str:
    """The name of a duel's pack; if another file is there, one with the duel's id."""
    usual = Path(f"{name}.zip")
    same = not usual.exists()
    with suppress(Refused):
        same = same or digest(Pack.open(usual).read(names.OFFER)) == row.id
    return str(usual) if same else f"{name}-{row.id[:8]}.zip"


PACK = b"PK\3\4"
"""How a pack begins."""


def log(place: Path, whose: str | None, *, letters: bool, at: str | None, as_json: bool) -> None:
    """What a side was told, step by step."""
    if letters:
        raise click.UsageError("--letters is for a game with a host: a duel carries no messages")
    found = sides(place, at)
    chapters = list(found.chapters(found.side(whose)))
    if as_json:
        say_json(chapters)
        return
    for one in chapters:
        say(f"{one['step']:>4}  {one['title']}", *(f"      {line}" for line in one["news"]))


def show(
    place: Path, step: int | None, whose: str | None, svg: str | None, *,
    deduced: bool, at: str | None, as_json: bool,
) -> None:  # fmt: skip
    """A side's board after a step, or now."""
    found = sides(place, at)
    side = found.side(whose)
    heard = found.heard(side, step)
    view, news = heard.view, found.news(heard)
    known = found.known(side, heard.step)
    if svg is not None:
        write_out(svg, found.game.svg(view).encode(), like=SVG)
        if svg != "-":
            say(f"{svg}: the board after step {heard.step}, as {side.player} sees it")
    elif as_json:
        told = {"game": found.row.id, "step": heard.step, "views": {side.player: view.shown},
                "events": [dict(event) for event in heard.events]}  # fmt: skip
        if deduced:
            may = {name: list(values) for name, values in known.may.items()}
            told["deduced"] = {"may": may, "notes": list(known.notes)}
        say_json(told)
    else:
        say(f"After step {heard.step}:", *(f"  {line}" for line in news or ("(no news)",)))
        say("", f"As {side.player} sees it:", found.game.draw(view).rstrip("\n"))
        if deduced:
            say("", *deduced_lines(side.player, known))
