"""Hosts that lie: each is found, by whom it can be found, with the right claim and exit code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from adjudicator import engine, host, intake
from adjudicator.engine import Made
from adjudicator.verify import Findings
from games.game import EVERYONE, Event, Step
from orders import canonical, names, sshsig
from orders.entries import Entry, Reveal, Ruling, Told
from orders.errors import Refused
from orders.fields import digest
from orders.sealing import seal
from orders.secrets import Master

Table = Any


def false(found: Findings, claim: str, *words: str) -> None:
    """The verdict is false by that claim, which says these words."""
    assert found.code == 1, found.verdict
    texts = [one.text for one in found.claims if one.name == claim and one.status == "false"]
    assert texts, found.claims
    for word in words:
        assert word in texts[0], texts[0]


def resign(table: Table, step: int, **values: Any) -> None:
    """Have the host sign entry `step` with other values, which must be its last."""
    path = names.entry(step)
    data = replace(table.entry(step), **values).render()
    put(table, path, data)


def put(table: Table, path: str, data: bytes) -> None:
    signature = table.signer.sign(sshsig.ENTRY, data)
    (table.record.root / path).write_bytes(data)
    (table.record.root / names.signature(path)).write_bytes(signature)


# Receipts: what was accepted and not used, or refused without reason.


def test_an_older_revision_used(table: Table, example: Any) -> None:
    """False by the receipt of the newer one, for who holds it; nobody else can tell."""
    table.submit("alice", "start A1")
    table.submit("alice", "start C4")
    (table.record.host / "inbox/0001-alice-02.txt").unlink()
    table.submit("bob", "start C1")
    table.advance()
    assert "accepted, yet entry 1 uses revision 1" in table.warnings["alice"][0]
    assert "protest" in table.warnings["alice"][0]
    assert table.verify().code == 4
    false(table.verify(receipts=["alice"]), "receipts", "step 1, revision 2", "uses revision 1")


def test_who_was_accepted_called_missing(table: Table, example: Any) -> None:
    """False by the receipt; its player is warned as the entry comes in."""
    for name, lines in example[0].items():
        table.submit(name, lines)
    (table.record.host / "inbox/0001-bob-01.txt").unlink()
    table.clock.skip(4 * 86_400)
    table.advance(late=True)
    assert "entry 1 has bob missing" in table.warnings["bob"][0]
    table.submit("alice", "resign")
    table.advance()
    assert table.verify().code == 0
    false(table.verify(receipts=["alice", "bob"]), "receipts", "bob", "accepted", "missing")


def test_another_time_of_receipt(table: Table, example: Any) -> None:
    """What an entry says of when a slip came is bound by its receipt, reserve and all."""
    for name, lines in example[0].items():
        table.submit(name, lines)
    table.advance()
    used = table.entry(1).slips
    later = {**used, "bob": replace(used["bob"], received=table.entry(1).time)}
    resign(table, 1, slips=later)
    assert table.verify().code == 4
    false(table.verify(receipts=["bob"]), "receipts", "bob", "received at")


@pytest.mark.parametrize("status", ["unopenable", "illegal", "malformed", "stale", "superseded"])
@pytest.mark.parametrize("again", [False, True], ids=["then missing", "then another accepted"])
def test_a_false_refusal(table: Table, example: Any, status: str, again: bool) -> None:
    """Provable after the reveal by the receipt and the bundle: the slip signs its sealed file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "judge", lambda *given: status)
        assert table.submit("alice", "start C4") == status
    table.submit("bob", "start C1")
    if again:
        assert table.submit("alice", "start C4") == "accepted"
    table.clock.skip(4 * 86_400)
    table.advance(late=True)
    before = table.verify(receipts=["alice"])
    assert before.code == 4
    table.submit("alice", "resign")
    table.advance()
    assert table.verify(receipts=["bob"]).code == 0
    false(table.verify(receipts=["alice"]), "receipts", status, "nothing wrong with it")


def test_a_false_refusal_with_a_later_time(table: Table, example: Any) -> None:
    """A receipt dated after its entry does not make a refusal true: then it would say stale."""
    table.submit("bob", "start C1")
    table.clock.skip(20 * 86_400)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(intake, "judge", lambda *given: "illegal")
        assert table.submit("alice", "start C4") == "illegal"
    late = table.clock
    table.clock = type(late)("2026-01-05T00:00:00Z")
    table.advance(late=True)
    table.clock = late
    assert table.given("alice")[0].data > b"" and table.entry(1).time < late.now()
    table.submit("alice", "resign")
    table.advance()
    false(table.verify(receipts=["alice"]), "receipts", "illegal", "nothing wrong with it")


def test_true_refusals_are_no_lies(table: Table, example: Any) -> None:
    """Receipts of every status that an honest host gives are true after the reveal."""
    first = table.order("alice", "start A1")
    second = table.order("alice", "start C4")
    stale = table.order("alice", "start C4")
    assert table.send(second).status == "accepted"
    assert table.send(first).status == "superseded"
    table.submit("bob", "start C1")
    table.advance()
    assert table.send(stale).status == "stale"
    table.play(*example[1:])
    found = table.verify(receipts=["alice", "bob"])
    assert found.code == 0
    claim = next(one for one in found.claims if one.name == "receipts")
    assert "superseded; judged again: superseded" in claim.text
    assert "stale" in claim.text


def test_a_receipt_of_another_host_does_not_count(table: Table, example: Any) -> None:
    """Nor one that was changed: it is told, and proves nothing."""
    table.play(*example)
    given = table.given("alice")[0]
    changed = replace(given, data=given.data.replace(b"accepted", b"stale"))
    from adjudicator.verify import verify

    found = verify(table.record, given=[changed])
    assert found.code == 0
    claim = next(one for one in found.claims if one.name == "receipts")
    assert "does not count" in claim.text


# Reports.


def test_another_report_sealed_than_named(table: Table, example: Any) -> None:
    """Only its player can tell, at once: with the seat it is false, without not proved."""

    def lie(to: bytes, place: bytes, body: bytes, size: int) -> bytes:
        return seal(to, place, body.replace(b'"C1"', b'"D1"'), size)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host, "seal", lie)
        table.play(example[0])
    assert "has not the digest that the entry names" in table.warnings["bob"][0]
    assert not table.warnings["alice"]
    table.play(*example[1:])
    found = table.verify()
    assert found.code == 0
    assert any("--seat" in text for text in found.not_proved)
    assert table.verify(seat="alice").code == 0
    false(table.verify(seat="bob"), "reports", "reports/0001-bob.sealed")


def test_a_report_that_does_not_open(table: Table, example: Any) -> None:
    """Sealed to another key, or rubbish: its player is warned, and can protest."""
    other = table.seat("alice").secret.sealing().public

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(host, "seal", lambda to, place, body, size: seal(other, place, body, size))
        table.play(example[0])
    assert "does not open" in table.warnings["bob"][0]
    assert not table.warnings["alice"]
    assert table.verify().code == 4
    false(table.verify(seat="bob"), "reports", "reports/0001-bob.sealed")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"{}",
        b"not json",
        b'{"events":[1],"game":"GAME","player":"bob","salt":"","step":1,"view":{}}',
        b'{"events":{},"game":"GAME","player":"bob","salt":"","step":1,"view":{}}',
        b'{"events":[],"game":"GAME","player":"bob","salt":"","step":1,"view":[]}',
        b'{"events":[],"game":"GAME","player":"alice","salt":"","step":1,"view":{}}',
        b'{"events":[],"game":"GAME","player":"bob","salt":"","step":2,"view":{}}',
        b'{"events":[],"game":"GAME","player":"bob","salt":"","step":1,"view":{}}',
        b'{"events":[],"game":"GAME","player":"bob","salt":"","step":1,"view":{"bob":7}}',
        b'{"events":[{}],"game":"GAME","player":"bob","salt":"","step":1,"view":{"setup":true}}',
    ],
)
def test_a_report_that_is_none(table: Table, example: Any, body: bytes) -> None:
    """Whatever a host seals as a report, its player's tools say so in one line."""
    content = body.replace(b"GAME", table.host.opening.id.encode())
    for name, lines in example[0].items():
        table.submit(name, lines)
    real = Made.entry

    def entry(made: Made, sealed: Any) -> Entry:
        right = real(made, sealed)
        told = Told(digest(content), right.reports["bob"].sealed)
        return replace(right, reports={**right.reports, "bob": told})

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Made, "entry", entry)
        patch.setattr(
            host,
            "seal",
            lambda to, place, report, size: seal(
                to, place, content if b'"player":"bob"' in report else report, size
            ),
        )
        table.advance()
    assert len(table.warnings["bob"]) == 1
    assert "protest" in table.warnings["bob"][0]
    with pytest.raises(Refused):
        table.report("bob")
    false(table.verify(seat="bob"), "reports", "reports/0001-bob.sealed")


def test_a_report_that_tells_more_than_the_rules(table: Table, example: Any) -> None:
    """A report with too much in it has another digest than replayed: false after the reveal."""
    real = engine.report_file

    def leak(opening: Any, step: int, salt: str, view: Any, events: Any) -> bytes:
        told = real(opening, step, salt, view, events)
        if view.player != "alice" or step != 2:
            return told
        values = canonical.loads(told)
        values["view"]["bob"] = {"sub": "C1"}
        return canonical.dumps(values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "report_file", leak)
        table.play(*example)
    false(table.verify(), "reports", "entries/0002.toml", "alice")


@pytest.mark.parametrize("event", [{}, {"kind": "contact"}, {"kind": "won", "by": "alice"}])
def test_public_events_of_no_game(table: Table, example: Any, event: dict[str, str]) -> None:
    """No entry with an event that the game does not know is taken in, and none is true."""
    table.play(*example[:2])
    resign(table, 2, events=(event,))
    false(table.verify(), "chain", "entries/0002.toml", "sugar-dog has no such event")


def test_public_events_that_differ_from_the_reports(table: Table, example: Any) -> None:
    """Told at once: what everyone heard stands in the entry and in each report alike."""
    table.play(*example[:2])
    events = table.entry(2).events
    resign(table, 2, events=events[:-1])
    false(table.verify(seat="alice"), "reports", "public events")


# Adjudication.


def tampered(change: Callable[[Any, Step[Any]], Step[Any]], at: int) -> Callable[..., Made]:
    """An engine that adjudicates step `at` in its own way."""
    real = engine.adjudicate

    def adjudicate(opening: Any, master: Any, dice: Any, head: Any, *given: Any) -> Made:
        if head.step + 1 != at:
            return real(opening, master, dice, head, *given)
        game = opening.game
        with pytest.MonkeyPatch.context() as patch:
            own = game.adjudicate
            patch.setattr(game, "adjudicate", lambda *of: change(of[0], own(*of)), raising=False)
            return real(opening, master, dice, head, *given)

    return adjudicate


def moved(state: Any, step: Step[Any]) -> Step[Any]:
    """Alice's submarine is put elsewhere."""
    from games.grid import read_cell

    fleet = replace(step.state.fleets["alice"], sub=read_cell("F6"))
    return replace(step, state=step.state.with_fleet("alice", fleet))


def forged(state: Any, step: Step[Any]) -> Step[Any]:
    """An event that did not happen is told."""
    return replace(
        step, events=(*step.events, Event("contact", EVERYONE, {"by": "bob", "at": "A1"}))
    )


def silenced(state: Any, step: Step[Any]) -> Step[Any]:
    """An event that happened is not told."""
    return replace(step, events=step.events[:-1])


@pytest.mark.parametrize(
    ("change", "part"), [(moved, "state"), (forged, "events"), (silenced, "events")]
)
@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_wrong_adjudication(table: Table, example: Any, change: Any, part: str, at: int) -> None:
    """False after the reveal, naming the first entry that differs, and what in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "adjudicate", tampered(change, at))
        table.play(*example[:3])
    assert table.verify().code == 4
    if table.host.link().clocks.awaited.keys() == {"alice"}:
        table.play({"alice": "resign"})
    found = table.verify()
    # Where only a private event was kept back, the report that lacks it differs.
    kept_back = change is silenced and at in (1, 3)
    claim = "reports" if kept_back and at == 1 else "replay"
    if change is silenced and at == 3:
        false(found, "replay", "entries/0003.toml")
    else:
        false(found, claim, f"entries/000{at}.toml")
        if claim == "replay":
            assert f"{part}: " in found.verdict


def test_salts_of_its_own(table: Table, example: Any) -> None:
    """Salts come from the master: one used twice, or drawn otherwise, is another digest."""
    real = Master.salt
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Master, "salt", lambda master, kind, step, *who: real(master, kind, 1, *who))
        table.play(*example)
    false(table.verify(), "replay", "entries/0002.toml", "state")


def test_row_27_one_digest_twice(table: Table, example: Any) -> None:
    """Row 27: two files never are alike, so an entry that names one digest twice is false."""
    table.play(*example[:2])
    resign(table, 2, state=table.entry(1).state)
    false(table.verify(), "files", "one digest twice", "state 1", "state 2")


def test_draws_of_its_own(make_table: Any, tmp_path: Any) -> None:
    """The seed is the master's and the nonces': a host that draws again until it likes it."""
    table = make_table(tmp_path / "t", options={"players": 2}).begin()
    from games.dice import Dice

    with pytest.MonkeyPatch.context() as patch:
        honest = engine.seed(
            table.host.master,
            table.host.opening,
            nonces := {name: table.seat(name).secret.nonce for name in table.players},
        )
        first = Dice(honest).below("first", 2)
        other = next(
            bytes([n]) * 32 for n in range(99) if Dice(bytes([n]) * 32).below("first", 2) != first
        )
        patch.setattr(engine, "seed", lambda *given: other)
        table.play({"alice": "start A1", "bob": "start F6"})
        assert nonces
    awaited = next(iter(table.host.link().clocks.awaited))
    table.play({awaited: "resign"})
    false(table.verify(), "replay", "entries/0001.toml")


# Clocks.


def test_a_deadline_cut(table: Table, example: Any) -> None:
    """Found at once, by everybody: the copy does not take the entry in."""
    real = engine.run_clocks

    def cut(*given: Any, **named: Any) -> Any:
        clocks = real(*given, **named)
        if "reserve" in named:  # genesis
            return clocks
        awaited = {name: replace(prompt, until=given[3]) for name, prompt in clocks.awaited.items()}
        return replace(clocks, awaited=awaited)

    for name, lines in example[0].items():
        table.submit(name, lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "run_clocks", cut)
        advanced = table.host.advance()
    false(table.verify(), "clock", "entries/0001.toml", "alice is awaited")
    with pytest.raises(Refused) as caught:
        table.deliver(advanced.bundles)
    assert caught.value.word == "clock"


def test_a_genesis_with_a_cut_deadline(table: Table) -> None:
    """The same in entry 0."""
    awaited = table.entry(0).awaited
    early = {name: replace(one, until=one.since) for name, one in awaited.items()}
    resign(table, 0, awaited=early)
    false(table.verify(), "clock", "entries/0000.toml")


def test_missing_before_the_deadline(table: Table, example: Any) -> None:
    """Nobody is missing before their `until`."""
    table.submit("alice", "start C4")
    table.clock.skip(4 * 86_400)
    table.host.advance(late=True)
    early = table.entry(0).time
    entry = table.entry(1)
    used = {name: replace(one, received=early) for name, one in entry.slips.items()}
    awaited = {
        name: replace(one, since=early, until=table.entry(0).awaited[name].until)
        for name, one in entry.awaited.items()
    }
    resign(table, 1, time=early, slips=used, awaited=awaited)
    false(table.verify(), "clock", "bob is missing before")


def test_missing_though_a_slip_is_named(table: Table, example: Any) -> None:
    """Who is missing is who is awaited and has no slip; nobody else."""
    table.play(example[0])
    resign(table, 1, missing=("bob",))
    false(table.verify(), "chain", "missing")


def test_time_that_runs_backwards(table: Table, example: Any) -> None:
    """An entry is not earlier than the one before; a slip came between the two."""
    table.play(*example[:2])
    resign(table, 2, time="2025-01-01T00:00:00Z")
    false(table.verify(), "clock", "time runs backwards")
    resign(table, 2, time="2026-02-01T00:00:00Z")
    late = {"alice": replace(table.entry(2).slips["alice"], received="2026-03-01T00:00:00Z")}
    resign(table, 2, slips=late)
    false(table.verify(), "clock", "alice came at 2026-03-01T00:00:00Z")


def test_a_deadline_cut_by_a_ruling(table: Table, example: Any) -> None:
    """A ruling moves deadlines later, never earlier; by whoever signed it."""
    table.play(*example[:2])
    table.host.rule(Ruling("snow"), "2026-03-01T00:00:00Z")
    awaited = table.entry(3).awaited["bob"]
    for until in (table.entry(3).time, "2026-01-01T12:00:00Z"):
        resign(table, 3, awaited={"bob": replace(awaited, until=until)})
        false(table.verify(), "clock", "entries/0003.toml", "cuts a deadline")
    resign(table, 3, awaited={"bob": replace(awaited, since="2026-01-01T00:00:00Z")})
    false(table.verify(), "clock", "entries/0003.toml")


@pytest.mark.parametrize(
    ("values", "claim"),
    [
        ({"ruling": Ruling("x", annuls=4)}, "chain"),
        ({"ruling": Ruling("x", abandons=True)}, "chain"),
        ({"awaited": {}}, "chain"),
        ({"state": "0" * 64}, "replay"),
        ({"ruling": Ruling("another reason")}, ""),
    ],
)
def test_rulings_that_are_none(
    table: Table, example: Any, values: dict[str, Any], claim: str
) -> None:
    """One that annuls what is not there, ends a game that goes on, or ends it silently; one whose
    state is another is found at the end. Why is the host's to say."""
    table.play(*example[:2])
    table.host.rule(Ruling("snow"), "2026-03-01T00:00:00Z")
    resign(table, 3, **values)
    if claim == "chain":
        assert table.verify().code == 1
        return
    from adjudicator import bundles

    table.deliver([bundles.of_entry(table.record, 3)])
    table.play(*example[2:])
    if claim:
        false(table.verify(), claim, "entries/0003.toml", "state")
    else:
        assert table.verify().code == 0


def test_reserve_taken_away(table: Table, example: Any) -> None:
    """Reserve time left follows from the times."""
    table.play(example[0])
    resign(table, 1, reserve={"alice": 0, "bob": 60})
    false(table.verify(), "clock", "reserve")


# The end.


def test_row_29_a_reveal_that_comes_early(table: Table, example: Any) -> None:
    """Row 29: false by `verify`, refused by `receive`."""
    table.play(example[0])
    entry = table.entry(1)
    early = Reveal(
        entry.game, 2, digest(table.record.read(names.entry(1))), entry.time,
        table.host.master.hex, {"winner": "alice"},
    )  # fmt: skip
    put(table, names.entry(2), early.render())
    false(table.verify(), "chain", "entries/0002.toml", "comes early")
    from adjudicator import bundles

    with pytest.raises(Refused, match="comes early"):
        table.deliver([bundles.of_entry(table.record, 2)])


def test_row_29_the_wrong_master(table: Table, example: Any) -> None:
    """Row 29: not the one that the invite commits to."""
    table.play(*example)
    resign(table, 5, master="ab" * 32)
    false(table.verify(), "chain", "entries/0005.toml", "master")


def test_row_29_an_entry_after_the_reveal(table: Table, example: Any) -> None:
    """Row 29: nothing follows it, signed or not."""
    table.play(*example)
    for step in (6, 7):
        entry = replace(
            table.entry(1), step=step, prev=digest(table.record.read(names.entry(step - 1)))
        )
        put(table, names.entry(step), entry.render())
        false(table.verify(), "chain", "entries/0006.toml", "follows the reveal")


def test_another_outcome(table: Table, example: Any) -> None:
    """The reveal's outcome is that of the last entry, and of the position replayed."""
    table.play(*example)
    for outcome in ({"winner": "bob"}, {"draw": True}, {"abandoned": True}, {}):
        resign(table, 5, outcome=outcome)
        false(table.verify(), "chain", "entries/0005.toml", "outcome")


def test_an_end_that_did_not_come(table: Table, example: Any) -> None:
    """`over` told where the rules go on: the replay awaits somebody there."""
    table.play(example[0])
    for name, lines in example[1].items():
        table.submit(name, lines)

    def over(state: Any, step: Step[Any]) -> Step[Any]:
        end = Event("over", EVERYONE, {"draw": True})
        return replace(step, state=replace(step.state, turn=None), events=(*step.events, end))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "adjudicate", tampered(over, 2))
        table.advance()
    false(table.verify(), "replay", "entries/0002.toml")


def test_an_end_that_is_not_told(table: Table, example: Any) -> None:
    """Nobody awaited without `over`, or somebody after it: neither can a reveal follow."""
    table.play(*example[:2])
    resign(table, 2, awaited={})
    false(table.verify(), "chain", "entries/0002.toml", "nobody is awaited")
    over = {"kind": "over", "winner": "alice"}
    resign(table, 2, events=(over,), awaited=table.entry(1).awaited)
    false(table.verify(), "chain", "entries/0002.toml", "the game ends")


def test_a_second_genesis_gets_no_nonce(table: Table) -> None:
    """Row 29: two geneses of one invite are a fork, and a seat orders in one of them only."""
    other = table.copy(table.root.parent / "other")
    for path in ("entries/0000.toml", "entries/0000.toml.sig"):
        (other.record.root / path).unlink()
        (other.copies["alice"].root / path).unlink()
    other.clock.skip(86_400)
    genesis = host.start(other.record, other.joins_again(), other.signer, other.clock)
    with pytest.raises(Refused, match="fork"):
        table.deliver([genesis])
    table.order("alice", "start A1")
    from adjudicator.player import Seated
    from adjudicator.receive import receive

    receive(other.copies["alice"], [genesis], table.seat("alice"))
    twice = Seated(other.copies["alice"], table.seat("alice"))
    text = other.text("alice", "start A1")
    with pytest.raises(Refused, match="this seat plays in game") as caught:
        twice.order(text, table.keys["alice"])
    assert "one invite starts one game" in caught.value.hint
    assert table.verify().code == other.verify().code == 4
