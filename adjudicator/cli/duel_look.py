"""Looking at a duel: `show`, `log`, `status`, `pack` and `replay` of one's own side, and of the
other's once it is open."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import click

from adjudicator.cli.shared import reader, say, write_out
from adjudicator.cli.which import the_duel
from adjudicator.core.source import Source
from adjudicator.duel import audit, documents
from adjudicator.player.duel import Home
from adjudicator.store import pack as packs
from adjudicator.store.pack import Pack
from adjudicator.verifier.duel import verify
from adjudicator.words import duel as words
from adjudicator.words.calendar import Deadline
from adjudicator.words.duel import Sides
from adjudicator.words.overview import Standing
from adjudicator.words.story import StepView
from orders import names
from orders.errors import Refused
from orders.fields import digest


def held(place: Path) -> tuple[Source, Home | None]:
    """The documents in a duel's folder or pack, and whose folder it is; raises Refused."""
    if place.is_file():
        return Pack.open(place), None
    home = Home.open(place)
    return home.source, home


def standing(place: Path) -> Standing:
    """How the duel in a folder stands: whose move it is, until when, and what to do next; of a pack
    what it proves. Raises Refused."""
    if place.is_file():
        source = Pack.open(place)
        row = audit.judge(documents.read(source))[0].row
        verdict = verify(source)
        more: dict[str, object]
        says, more = verdict.conclusion, {"state": verdict.verdict}
        found = Standing(place.name, says)
    else:
        home = the_duel(place)
        party = home.party()
        row, prompt = party.row, party.prompt
        says = words.standing(party, reader())
        name, deadline = home.root.name, None
        if prompt is not None and party.due is not None:
            said = f"{row.game.title} {name}: your {prompt.what}"
            deadline = Deadline(
                row.id, party.player, len(row.moves), party.since, party.due, said
            )  # fmt: skip
        found = Standing(
            name, words.line(party, reader()), party.due, prompt is not None,
            party.side.step if prompt is not None else None, party.since,
            over=party.ended and party.is_left, deadline=deadline,
        )  # fmt: skip
        more = {"player": party.player, "state": says, "for": prompt and prompt.what}
    players = [one.name for one in row.members]
    about = {"duel": row.id, "rules": row.offer.rules, "players": players, "move": len(row.moves)}
    return replace(found, more={**about, **more}, lines=(words.title(row), words.keys(row), says))


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
    usual = Path(f"{row.game.id}-{name}.zip")
    is_free = not usual.exists()
    with suppress(Refused):
        is_free = is_free or digest(Pack.open(usual).read(names.OFFER)) == row.id
    # Another file that is there is not replaced.
    target = out or str(usual if is_free else usual.with_stem(f"{usual.stem}-{row.id[:8]}"))
    write_out(target, packs.write(whole.held(row.accepted)), like=packs.BEGIN)
    say(f"{target}: {len(row.moves)} moves. {verify(source).conclusion}", to=out)


def seen(place: Path, step: int | None, whose: str | None, at: str | None) -> StepView:
    """A side's board after a step, or now; raises Refused."""
    found = sides(place, at)
    side = found.side(whose)
    heard = found.heard(side, step)
    events, known = tuple(heard.events), found.known(side, heard.step)
    return StepView(found.row, heard.step, (heard.view,), events, (), known=known, of="step")
