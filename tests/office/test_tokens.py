"""Who answers is known by the token of the mail that is answered, whatever servers and programs do
to mails; `yes` alone does what a mail asks, once; and what a server brings back is no answer.
"""

from __future__ import annotations

import contextlib
import email
import email.policy
import itertools
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from office.club import ADDRESS, Club, begun, words
from office.test_delivery import bounce
from office.test_referee import miss

from adjudicator.mail.mime import read_mail
from adjudicator.mail.outgoing import plus, render
from adjudicator.mail.senders import NotSent
from adjudicator.office import overview
from adjudicator.office.house import House
from adjudicator.office.office import Settings
from adjudicator.office.outbox import Outbox
from adjudicator.office.referee import Referee
from orders.entries import Entry
from orders.errors import Refused

ALICE, BOB, MALLORY = "alice@example.org", "bob@example.org", "mallory@example.com"
DAY = 86_400
SEEK = "seek sugar-dog"

ids = itertools.count()


def relay(data: bytes) -> bytes:
    """What a relay sends on that calls each mail anew, as those of big providers do."""
    new = f"Message-ID: <0102018f{next(ids):08x}-000000@eu-west-1.amazonses.com>".encode()
    head, _, body = data.partition(b"\r\n\r\n")
    return re.sub(rb"Message-ID: <[^>]*>", new, head) + b"\r\n\r\n" + body


@pytest.fixture
def club(tmp_path: Path) -> Club:
    return Club(tmp_path, House(options=("away=1",)))


@pytest.fixture
def asked(club: Club) -> bytes:
    """The mail that asks Alice whether she wants a game."""
    club.write(ALICE, SEEK)
    club.turn()
    return club.got(ALICE)[-1]


def own(mail: bytes) -> str:
    """The token of a mail of ours, as its reader finds it in its last line."""
    found = re.search(rb"Leave this line in an answer: ([a-z2-7]{16})", mail)
    assert found is not None
    return found[1].decode()


def header(mail: bytes, name: str) -> str:
    return str(email.message_from_bytes(mail, policy=email.policy.default)[name])


def raw(club: Club, text: str) -> int:
    """A mail as it stands comes in; how many mails leave in the turn that reads it."""
    before = len(club.wire.out)
    club.box.put(text.encode())
    club.turn()
    return len(club.wire.out) - before


# What is left of a token on its way.

WAYS = {
    "all": ({}, True), "thread alone": ({"quotes": False, "subject": "Yes"}, False),
    "text alone": ({"threads": False, "subject": "seek"}, True),
    "subject alone": ({"threads": False, "quotes": False}, True),
    "address alone": ({"threads": False, "quotes": False, "subject": "Yes"}, True),
}  # fmt: skip
"""How a client answers, and whether relays may call mails anew."""


@pytest.mark.parametrize("way", WAYS)
def test_one_place_with_the_token_is_enough(tmp_path: Path, way: str) -> None:
    """Whichever it is: `seek`, `new`, `yes`, `stay` and `leave` are done by who answers."""
    club = Club(tmp_path, House(options=("away=1",)), tagged=way == "address alone")
    how, relayed = WAYS[way]
    club.wire.relay = relay if relayed else bytes

    def ask(line: str) -> None:
        club.write(ALICE, line)
        club.turn()
        answer("yes")

    def answer(text: str, number: int = -1, sender: str = ALICE) -> None:
        club.write(sender, text, answers=club.got(sender)[number], **how)
        club.turn()

    club.turn()
    ask("new sugar-dog first=1 with bob@example.org")
    (name,) = club.games
    ask(SEEK)
    (other,) = set(club.games) - {name}
    for who in ("alice", "bob"):
        club.person(who).join(name)
        club.turn()
    ask(f"leave {other}")
    assert "You have left" in words(club.got(ALICE)[-1])
    assert club.host(name).begun().opening.players == ("alice", "bob")
    club.person("alice").order(name, "start C4")
    club.turn()
    miss(club, name)
    missed = max(n for n, one in enumerate(club.got(BOB)) if b"you missed a deadline" in one)
    answer("yes", missed, BOB)
    assert f"Your seat stays yours in {name}" in words(club.got(BOB)[-1])


def test_a_token_that_is_nowhere(club: Club, asked: bytes) -> None:
    """Its writer is nobody in particular, and hears that nothing waits for that `yes`."""
    club.write(ALICE, "yes", answers=asked, threads=False, quotes=False, subject="Re: your mail")
    club.turn()
    assert club.games == []
    assert "No mail that you answered waits for a yes" in words(club.got(ALICE)[-1])


def test_the_subject_of_a_long_line_keeps_its_token(club: Club) -> None:
    """Programs cut long subjects off; the token stands before that."""
    others = " ".join(f"player-number-{n}@club.example.org" for n in range(12))
    club.write(ALICE, f"new sugar-dog with {others}")
    club.turn()
    (mail,) = club.got(ALICE)
    assert others in words(mail)
    subject = header(mail, "Subject")
    assert len(subject) <= 150
    assert own(mail) in subject
    club.write(ALICE, "yes", answers=mail, threads=False, quotes=False)
    club.turn()
    assert len(club.games) == 1


# How an answer reads.

QUOTED = """\
Somebody wrote to this mailbox, in which games are played, in your name:

  seek sugar-dog

If it was you, answer with the word yes alone. If it was not, do nothing.
Nothing was done yet.

Leave this line in an answer: {token}
"""
BARS = "".join(f"> {line}\n" for line in QUOTED.splitlines())
OUTLOOK = f"""\
-----Original Message-----
From: {ADDRESS} <{ADDRESS}>
Sent: Tuesday, November 24, 2026 7:00 PM
To: Alice <{ALICE}>
Subject: is this yours: seek sugar-dog

{QUOTED}"""
OUTLOOK_NEW = f"""\
________________________________
From: {ADDRESS} <{ADDRESS}>
Sent: Tuesday, November 24, 2026 7:00 PM
To: alice@example.org <alice@example.org>
Subject: is this yours: seek sugar-dog

{QUOTED}"""
GERMAN_OUTLOOK = (
    OUTLOOK.replace("Original Message", "Urspr\u00fcngliche Nachricht").replace("From", "Von")
    .replace("Sent", "Gesendet").replace("To:", "An:").replace("Subject", "Betreff")
)  # fmt: skip
ABOVE = {
    "english": f"On Tue, 24 Nov 2026 at 18:00, <{ADDRESS}> wrote:",
    "german": f"Am Di., 24. Nov. 2026 um 18:00 Uhr schrieb <{ADDRESS}>:",
    "french": f"Le mar. 24 nov. 2026 \u00e0 18:00, <{ADDRESS}> a \u00e9crit\u00a0:",
    "english in two": f"On Tue, 24 Nov 2026 at 18:00, The Games of the Club <{ADDRESS}>\nwrote:",
    "english in two, address below": f"On Tue, Nov 24, 2026 at 6 PM The Games\n<{ADDRESS}> wrote:",
    "german in two": f"Am Di., 24. Nov. 2026 um 18:00 Uhr schrieb Die Spiele\n<{ADDRESS}>:",
    "french in two": f"Le mar. 24 nov. 2026, Les Jeux du Club\n<{ADDRESS}> a \u00e9crit :",
    "thunderbird": f"On 24/11/2026 19:00, {ADDRESS} wrote:",
}  # fmt: skip
HTML = """\
<html><head><style>p {{ margin: 0 }}</style></head><body><div dir="ltr">{answer}</div><br>
<div class="gmail_quote"><div dir="ltr">On Tue, 24 Nov 2026 at 18:00, &lt;<a
href="mailto:games@example.net">games@example.net</a>&gt; wrote:<br></div><blockquote>Somebody wrote
to this mailbox, in which games are played, in your name:<br><br>&nbsp; seek sugar-dog<br><br>If it
was you, answer with the word yes alone.<br>Leave this line in an answer: {token}<br></blockquote>
</div></body></html>
"""

SHAPES = {
    "top": "{answer}\n\n" + ABOVE["english"] + "\n\n" + BARS,
    "signed": "{answer}\n\n-- \nAlice\nalice@example.org\n\n" + ABOVE["english"] + "\n\n" + BARS,
    "signed by an address": "{answer}\nalice@example.org\n\n" + ABOVE["german"] + "\n" + BARS,
    "phone": "{answer}\n\nSent from my phone\n\n" + ABOVE["english"] + "\n> \n" + BARS,
    "outlook": "{answer}\n\n" + OUTLOOK, "new outlook": "\n{answer}\n\n\n" + OUTLOOK_NEW,
    "german outlook": "{answer}\n\n" + GERMAN_OUTLOOK,
    "html": HTML,
    **{f"bottom, {name}": f"{above}\n\n{BARS}\n{{answer}}\n" for name, above in ABOVE.items()},
    **{f"bottom, {name}, close": f"{above}\n{BARS}{{answer}}\n-- \nAlice\n"
       for name, above in ABOVE.items()},
    "bars between": "> Somebody wrote\n\n{answer}\n\n" + BARS,
}  # fmt: skip


def answered(club: Club, mail: bytes, shape: str, answer: str) -> int:
    """Alice answers so; how many mails that brings."""
    text = SHAPES[shape].format(token=own(mail), answer=answer)
    kind = "html" if shape == "html" else "plain"
    return raw(
        club,
        f"From: Alice <{ALICE}>\nTo: {ADDRESS}\nSubject: RE: your mail\nMIME-Version: 1.0\n"
        f"Message-ID: <{next(ids)}@mail.example.org>\nContent-Type: text/{kind}; charset=utf-8\n"
        f"Content-Transfer-Encoding: 8bit\n\n{text}",
    )  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_yes_in_every_shape_of_an_answer(club: Club, asked: bytes, shape: str) -> None:
    """Above or below what is quoted, with whatever stands over it, and whatever below."""
    assert answered(club, asked, shape, "Yes!") == 1
    assert len(club.games) == 1


@pytest.mark.parametrize("shape", SHAPES)
def test_an_answer_in_every_shape_that_says_nothing(
    club: Club, asked: bytes, shape: str
) -> None:  # fmt: skip
    """What is quoted says no `yes`, and its reader is told once how it is done."""
    assert answered(club, asked, shape, "") == 1
    assert "It is done once you answer with the word yes alone" in words(club.got(ALICE)[-1])
    assert answered(club, asked, shape, " ") == 0
    assert club.games == []
    assert answered(club, club.got(ALICE)[-1], "top", "yes") == 1
    assert len(club.games) == 0, "only the token of the question is an act"


@pytest.mark.parametrize("yes", ["YES", "Yes.", "yes!", " yes ", "Yes !", "yes...", "\u00a0yes"])
def test_yes(club: Club, asked: bytes, yes: str) -> None:
    answered(club, asked, "top", yes)
    assert len(club.games) == 1


@pytest.mark.parametrize(
    "other",
    ["yes please", "Yes, I am back", "yes, of course", "yes or no", "no", "no thanks", "Great",
     "Thanks! When will it start?", "yes and seek silent-ships", "ja", "yes yes", "yesterday"],
)  # fmt: skip
def test_what_is_no_yes(club: Club, asked: bytes, other: str) -> None:
    """It does nothing; its writer is told how, once, and an answer to that may say it."""
    assert answered(club, asked, "top", other) == 1
    how = club.got(ALICE)[-1]
    assert own(asked) in header(how, "Subject")
    assert SEEK in words(how)
    assert answered(club, asked, "outlook", other) == 0
    assert club.games == []
    club.write(ALICE, "yes", answers=how, threads=False, quotes=False)
    club.turn()
    assert len(club.games) == 1


# Once.


@pytest.mark.parametrize("text", ["Thanks! When will it start?", "Great", "", "yes please"])
def test_a_word_of_thanks_begins_nothing(club: Club, asked: bytes, text: str) -> None:
    """Neither in the thread of the question nor in that of its answer."""
    answered(club, asked, "top", "yes")
    for mail in (asked, club.got(ALICE)[-1]):
        answered(club, mail, "top", text)
    assert len(club.games) == 1


def test_a_second_yes_is_told_that_it_is_done(club: Club, asked: bytes) -> None:
    """A few times an hour, however often it is said."""
    answered(club, asked, "top", "yes")
    assert answered(club, asked, "top", "yes") == 1
    assert "This was done already, and is not done again: seek sugar-dog" in words(
        club.got(ALICE)[-1]
    )
    for _ in range(40):
        answered(club, asked, "top", "yes")
    assert len(club.games) == 1
    assert len(club.got(ALICE)) <= 32


def test_what_was_refused_is_not_done(club: Club, asked: bytes) -> None:
    """Once there is room, a second yes to the same mail does it; and no third one."""
    club.house = House(open=0)
    answered(club, asked, "top", "yes")
    assert "too many games wait for players here" in words(club.got(ALICE)[-1])
    club.house = House()
    answered(club, asked, "top", "yes")
    assert len(club.games) == 1
    answered(club, asked, "top", "yes")
    assert "This was done already" in words(club.got(ALICE)[-1])


def test_a_full_disk_is_nobodys_fault(
    club: Club, asked: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """The mail stays, its writer reads nothing of this machine, and then it is done."""
    with monkeypatch.context() as full:
        refused = Refused("unwritable", "'/home/referee/games' cannot be written: disk full")
        full.setattr(Referee, "_begin", lambda *_: (_ for _ in ()).throw(refused))
        club.write(ALICE, "yes", answers=asked)
        assert any("disk full" in line for line in club.turn().faults)
    assert len(club.got(ALICE)) == 1
    assert club.turn().faults == []
    assert len(club.games) == 1


@pytest.mark.parametrize(("days", "done"), [(13, True), (15, False)])
def test_a_yes_is_good_for_two_weeks(club: Club, asked: bytes, days: int, done: bool) -> None:
    """Then its writer hears that nothing waits for it, and may ask anew."""
    club.clock.skip(days * DAY)
    answered(club, asked, "top", "yes")
    assert bool(club.games) == done
    if not done:
        told = words(club.got(ALICE)[-1])
        assert "waits for a yes of yours, or it is older than two weeks" in told
        club.ask(ALICE, SEEK)
        assert len(club.games) == 1


AWAY = "I am out of the office until Monday. In urgent cases write to bob@example.org."


@pytest.mark.parametrize("threads", [True, False])
@pytest.mark.parametrize("before", ["Re: ", ""])
@pytest.mark.parametrize(
    "line",
    [SEEK, "standby sugar-dog", "games", "help", "new", "leave", "mine", "standings", "weekly"],
)
def test_an_out_of_office_without_a_mark(
    club: Club, line: str, before: str, threads: bool
) -> None:  # fmt: skip
    """It answers each mail of ours under our subject: nothing is begun, and it soon ends."""
    club.write(ALICE, line)
    seen = 0
    for _ in range(30):
        club.turn()
        mails = club.got(ALICE)
        for mail in mails[seen:]:
            club.write(ALICE, AWAY, answers=mail, threads=threads, quotes=False,
                       subject=before + header(mail, "Subject"))  # fmt: skip
        seen = len(mails)
    assert seen <= 3
    assert club.games == []


def test_an_out_of_office_of_a_player(club: Club) -> None:
    """It answers what each word brings, and no answer of ours asks for another one."""
    name = begun(club)
    for line in ("status", "who", "rules", "history", "orders", "help", "resend", "mine"):
        club.write(BOB, line)
    club.turn()
    seen = 0
    for _ in range(30):
        mails = club.got(BOB)
        for mail in mails[seen:]:
            club.write(BOB, AWAY, answers=mail, threads=False, quotes=False,
                       subject=header(mail, "Subject"))  # fmt: skip
        seen = len(mails)
        club.turn()
    assert len(club.got(BOB)) <= seen <= 14
    assert club.host(name).begun().last.step == 0


# Whose it is.


def test_answers_go_where_the_token_went(club: Club, asked: bytes) -> None:
    """Whoever writes under whatever name; Alice's game is Alice's."""
    club.write(MALLORY, "yes", answers=asked)
    club.turn()
    assert len(club.games) == 1
    assert club.got(MALLORY) == []
    assert "You asked for this game" in words(club.got(ALICE)[-1])


def test_a_token_of_another_reader_below_ones_own(club: Club, asked: bytes) -> None:
    """Mallory's question lies below what Bob answers: Bob's word is Bob's."""
    club.write(BOB, "games")
    club.write(MALLORY, "leave")
    club.turn()
    mine, foreign = club.got(BOB)[-1], own(club.got(MALLORY)[-1])
    club.write(BOB, f"standby sugar-dog\n\n> {own(mine)}\n> {foreign}\n")
    club.turn()
    assert "You will be asked when a seat" in words(club.got(BOB)[-1])
    assert len(club.got(MALLORY)) == 1


def test_two_questions_in_one_mail(club: Club, asked: bytes) -> None:
    """The first that is not done counts: the newer one, which stands above; then the older."""
    club.write(ALICE, "standby sugar-dog")
    club.turn()
    newer = club.got(ALICE)[-1]
    text = f"yes\n\n> {own(newer)}\n>> {own(asked)}\n"
    club.write(ALICE, text)
    club.turn()
    assert "when a seat in a game of sugar-dog is empty" in words(club.got(ALICE)[-1])
    assert club.games == []
    club.write(ALICE, text)
    club.turn()
    assert len(club.games) == 1
    club.write(ALICE, text)
    club.turn()
    assert "This was done already" in words(club.got(ALICE)[-1])


def test_a_token_of_another_mailbox_and_one_that_is_made_up(
    club: Club, asked: bytes, tmp_path: Path
) -> None:  # fmt: skip
    """They prove nothing here."""
    other = Club(tmp_path / "other")
    other.write(ALICE, SEEK)
    other.turn()
    foreign = own(other.got(ALICE)[-1])
    assert foreign != own(asked)
    for token in (foreign, "a" * 16, "responsibilities", own(asked)[:-1], f"{own(asked)}a"):
        club.write(ALICE, f"yes\n\n> {token}\n")
        club.turn()
        assert club.games == []


def test_words_as_long_as_a_token(club: Club, asked: bytes) -> None:
    """They are in nobody's way, and ten thousand of them cost little."""
    above = "Our responsibilities, Characterization, counterproposals and microelectronics.\n"
    club.write(ALICE, f"yes\n\n{above}\n> {own(asked)}")
    club.turn()
    assert len(club.games) == 1
    many = "\n".join(f"{'abcdefghijklmnop'[n % 16 :]:z<16.16}" for n in range(10_000))
    found = read_mail(f"Subject: x\nMessage-ID: <1@example.org>\n\n{many}".encode())
    assert len(found.tokens) <= 500


@pytest.mark.parametrize("unit", ["a" * 64 + "\n", "responsibilities ", "a" * 15 + " ", "2" * 17])
def test_what_may_be_tokens_is_found_in_linear_time(unit: str) -> None:
    """In a mail of megabytes, all of which is looked at as a server may quote ours anywhere."""
    start = time.process_time()
    read_mail(b"Subject: x\nFrom: MAILER-DAEMON@x.org\n\n" + (unit * (2**21 // len(unit))).encode())
    assert time.process_time() - start < 2


# What comes back.


def full(mail: bytes) -> str:
    return mail.decode().replace("\r\n", "\n")


def head_of(mail: bytes) -> str:
    return full(mail).partition("\n\n")[0] + "\n"


FROM_SERVER = f"""\
Return-Path: <>
From: {{sender}}
To: {ADDRESS}
Subject: {{subject}}
Message-ID: <{{mark}}@mx.example.org>
{{head}}
{{text}}
"""


def server(
    text: str, *, sender: str = "Mail Delivery System <MAILER-DAEMON@mx.example.org>",
    subject: str = "Undelivered Mail Returned to Sender", head: str = "",
) -> str:  # fmt: skip
    """A mail of a mail server's."""
    return FROM_SERVER.format(sender=sender, subject=subject, head=head, text=text, mark=next(ids))


def report(mail: bytes, action: str, *, whole: bool = True) -> str:
    """As RFC 3464 has it."""
    return bounce(mail, f"r{next(ids)}", action, whole=whole).decode().replace("\r\n", "\n")


def exim(mail: bytes) -> str:
    return server(
        "This message was created automatically by mail delivery software.\n\nA message that you "
        "sent could not be delivered to one or more of its\nrecipients. This is a permanent error. "
        "The following address(es) failed:\n\n  bob@example.org\n    host mx.example.org "
        "[192.0.2.1]\n    SMTP error from remote mail server after RCPT TO:<bob@example.org>:\n"
        "    550 5.1.1 User unknown\n\n------ This is a copy of the message, including all the "
        f"headers. ------\n\n{full(mail)}",
        subject="Mail delivery failed: returning message to sender",
        head="X-Failed-Recipients: bob@example.org\nAuto-Submitted: auto-replied\n",
    )  # fmt: skip


def qmail(mail: bytes) -> str:
    return server(
        "Hi. This is the qmail-send program at mx.example.org.\nI'm afraid I wasn't able to "
        "deliver your message to the following addresses.\nThis is a permanent error; I've given "
        "up. Sorry it didn't work out.\n\n<bob@example.org>:\nSorry, no mailbox here by that name. "
        "(#5.1.1)\n\n--- Below this line is a copy of the message.\n\nReturn-Path: "
        f"<{ADDRESS}>\n{full(mail)}", sender="MAILER-DAEMON@mx.example.org",
        subject="failure notice",
    )  # fmt: skip


def exchange(mail: bytes) -> str:
    quoted = words(mail)[:400].replace("<", "&lt;")
    return server(
        "<html><body><p><b>Delivery has failed to these recipients or groups:</b></p><p><a "
        'href="mailto:bob@example.org">bob@example.org</a><br>The e-mail address you entered '
        f"couldn't be found.</p><hr><p>Original message:</p><blockquote>{quoted}<br>Leave this "
        f"line in an answer: {own(mail)}</blockquote></body></html>",
        sender="postmaster@example.org", subject="Undeliverable: your orders",
        head="MIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n",
    )  # fmt: skip


def gmail(mail: bytes, action: str = "failed") -> str:
    said = {"failed": "Failure", "delayed": "Delay"}[action]
    return server(
        "--=g\nContent-Type: multipart/related; boundary=\"=h\"\n\n--=h\nContent-Type: "
        "multipart/alternative; boundary=\"=i\"\n\n--=i\nContent-Type: text/plain; "
        "charset=\"UTF-8\"\n\n** Address not found **\n\nYour message wasn't delivered to "
        "bob@example.org because the address couldn't be found.\n\n--=i\nContent-Type: text/html"
        "\n\n<html><body>Address not found</body></html>\n\n--=i--\n\n--=h--\n\n--=g\n"
        "Content-Type: message/delivery-status\n\nReporting-MTA: dns; googlemail.com\n\n"
        f"Final-Recipient: rfc822; bob@example.org\nAction: {action}\nStatus: 5.1.1\n\n--=g\n"
        f"Content-Type: message/rfc822\n\n{full(mail)}\n--=g--\n",
        sender="Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
        subject=f"Delivery Status Notification ({said})",
        head="Auto-Submitted: auto-replied\nMIME-Version: 1.0\nContent-Type: multipart/report; "
        "boundary=\"=g\"; report-type=delivery-status\n"
        + ("X-Failed-Recipients: bob@example.org\n" if action == "failed" else ""),
    )  # fmt: skip


def own_words(mail: bytes) -> str:
    """Only the head of it, in a server's own words and language."""
    return server(f"Leider konnte Ihre Nachricht nicht zugestellt werden.\n\n{head_of(mail)}",
                  subject="Unzustellbar: entry 0")  # fmt: skip


LOST = {
    "report": lambda mail: report(mail, "failed"),
    "report, head alone": lambda mail: report(mail, "failed", whole=False),
    "exim": exim, "qmail": qmail, "exchange": exchange, "gmail": gmail, "own words": own_words,
}  # fmt: skip


def bounced(club: Club) -> list[str]:
    """To whom mails went that came back."""
    with contextlib.closing(Outbox(club.folder / "mail.state")) as outbox:
        return [one.recipient for one in outbox.listed() if one.state == "bounced"]


def turn_mail(club: Club) -> tuple[str, bytes]:
    """A game that has begun, and the mail that asks Bob for his first orders."""
    name = begun(club)
    return name, club.got(BOB)[-1]


def whose_time(club: Club, name: str) -> str:
    """After Bob's deadline: who was missing, or why Bob has more time."""
    club.person("alice").order(name, "start C4")
    club.turn()
    club.clock.skip(3 * DAY + 60)
    club.turn()
    entry = club.host(name).begun().last.entry
    assert isinstance(entry, Entry)
    return ", ".join(entry.missing) if entry.ruling is None else entry.ruling.reason


@pytest.mark.parametrize("relayed", [False, True])
@pytest.mark.parametrize("server", LOST)
def test_a_mail_that_a_server_sends_back(club: Club, server: str, relayed: bool) -> None:
    """Whatever its words: it is noted, the host is told, and Bob has his turn once more. Where a
    relay changed all of it that is left, nobody knows which mail it was."""
    name, mail = turn_mail(club)
    text = LOST[server](relay(mail) if relayed else mail)
    club.box.put(text.encode())
    done = club.turn()
    if own(mail) not in text:
        assert relayed
        assert bounced(club) == []
        assert whose_time(club, name) == "bob"
        return
    assert bounced(club) == [BOB]
    assert any(line.startswith(f"a mail to {BOB} came back") for line in done.faults)
    assert whose_time(club, name) == "entry 0 could not be delivered to bob"


@pytest.mark.parametrize("to", ["To", "Delivered-To", "X-Original-To"])
def test_a_server_that_quotes_nothing(tmp_path: Path, to: str) -> None:
    """The envelope sender has the token, and so the address to which it writes."""
    club = Club(tmp_path, House(options=("away=1",)), tagged=True)
    club.turn()
    name, mail = turn_mail(club)
    (sender,) = [sender for sender, _, data in club.wire.out if data == mail]
    assert sender == plus(ADDRESS, own(mail))
    text = server("Sorry, it did not work.", subject="Mail failure")
    if to == "To":
        text = text.replace(f"To: {ADDRESS}", f"To: <{sender}>")
    else:
        text = f"{to}: {sender}\n{text}"
    raw(club, text)
    assert bounced(club) == [BOB]
    assert whose_time(club, name) == "entry 0 could not be delivered to bob"


def late_exim(mail: bytes) -> str:
    return server(
        "This message was created automatically by mail delivery software.\nA message that you "
        "sent has not yet been delivered to one or more of its\nrecipients after more than 24 "
        f"hours on the queue on mx.example.org.\n\n{head_of(mail)}\nNo action is required on your "
        "part.", subject="Warning: message 1rAbCd-000123-4X delayed 24 hours",
        head="Auto-Submitted: auto-replied\n",
    )  # fmt: skip


def late_sendmail(mail: bytes) -> str:
    return server(
        "    **********************************************\n    **      THIS IS A WARNING MESSAGE "
        "ONLY      **\n    **  YOU DO NOT NEED TO RESEND YOUR MESSAGE  **\n    ********************"
        "**************************\n\nThe original message was received at Tue, 24 Nov 2026 "
        f"18:00:00 GMT\n\n   ----- Message header follows -----\n{head_of(mail)}",
        subject="Warning: could not send message for past 4 hours",
        head="Auto-Submitted: auto-generated (warning-timeout)\n",
    )  # fmt: skip


def read_notice(how: str, sender: str = BOB) -> Callable[[bytes], str]:
    """As RFC 8098 has it."""

    def made(mail: bytes) -> str:
        return server(
            "--=m\nContent-Type: text/plain\n\nYour message was read.\n\n--=m\nContent-Type: "
            "message/disposition-notification\n\nReporting-UA: mail.example.org; Mailer 1\n"
            f"Final-Recipient: rfc822;bob@example.org\nOriginal-Message-ID: "
            f"{header(mail, 'Message-ID')}\nDisposition: {how}\n\n--=m\nContent-Type: "
            f"message/rfc822\n\n{full(mail)}\n--=m--\n",
            sender=sender, subject=f"Disposition notification: {header(mail, 'Subject')}",
            head="MIME-Version: 1.0\nContent-Type: multipart/report; "
            "report-type=disposition-notification; boundary=\"=m\"\n",
        )  # fmt: skip

    return made


def away(head: str, sender: str = BOB) -> Callable[[bytes], str]:
    """An answer of a machine for Bob; `head`: its marks."""

    def made(mail: bytes) -> str:
        text = server(f"I am away until Monday.\n\n> {own(mail)}", sender=f"Bob <{sender}>",
                      subject=f"Re: {header(mail, 'Subject')}", head=head)  # fmt: skip
        return text if "<>" in head else text.replace("Return-Path: <>\n", "")

    return made


NOT_LOST = {
    "delayed": lambda mail: report(mail, "delayed"),
    "relayed": lambda mail: report(mail, "relayed"),
    "delivered": lambda mail: report(mail, "delivered"), "exim": late_exim,
    "sendmail": late_sendmail, "gmail": lambda mail: gmail(mail, "delayed"),
    "read": read_notice("manual-action/MDN-sent-manually; displayed"),
    "read, its server says": read_notice(
        "manual-action/MDN-sent-automatically; displayed", "postmaster@example.org"
    ),
    "away, elsewhere": away("Auto-Submitted: auto-replied\nX-Was: <>\n", "bob@work.example.org"),
    "deleted": read_notice("automatic-action/MDN-sent-automatically; deleted"),
    "away": away(""), "away, marked": away("Auto-Submitted: auto-replied\n"),
    "away, bulk": away("Precedence: bulk\n"), "away, no return path": away("X-Was: <>\n"),
    "away, no return path, capitals": away("X-Was: <>\n", "BOB@Example.ORG"),
}  # fmt: skip


@pytest.mark.parametrize("notice", NOT_LOST)
def test_a_mail_that_only_tells_of_one(club: Club, notice: str) -> None:
    """That it is late, was read or deleted, or that its reader is away: it is not lost, no time is
    granted for it, and no machine is answered."""
    name, mail = turn_mail(club)
    sent = raw(club, NOT_LOST[notice](mail))
    assert sent == (1 if notice == "away" else 0)
    assert bounced(club) == []
    assert whose_time(club, name) == "bob"


def test_who_sends_their_own_mails_back(club: Club) -> None:
    """Entry after entry: Bob has more time twice in the game, then he is missing, and the mail to
    the host says so."""
    name = begun(club)
    host = Settings(clock_is_right=True, alarm="host@example.net")
    told = list[str]()
    club.person("alice").order(name, "start C4")
    for _ in range(12):
        for mail in club.got(BOB)[-2:]:
            club.box.put(report(mail, "failed").encode())
        until = club.host(name).begun().last.clocks.awaited
        for player in until:
            if player == "alice":
                club.person("alice").order(name, "silent")
        club.turn(settings=host)
        club.clock.skip(2 * DAY)
        club.turn(settings=host)
    links = club.host(name).begun().ledger.links()
    rulings = [one.entry.ruling.reason for one in links if one.entry.ruling is not None]
    assert len([one for one in rulings if "could not be delivered to bob" in one]) == 2
    assert ("bob",) in [one.entry.missing for one in links]
    told = [words(mail) for mail in club.got("host@example.net")]
    assert any("mails do not reach bob, who was given more time for it 2 times" in one
               for one in told)  # fmt: skip


# The mails of a referee to its own mailbox.


def checks(club: Club) -> int:
    """How often a mail to the own mailbox left."""
    return sum(key.startswith("check/") for key in club.sent)


@pytest.fixture
def watched(tmp_path: Path) -> Callable[..., Club]:
    """A club whose wire notes which mails leave, by their keys."""

    def make(*, tagged: bool) -> Club:
        club: Any = Club(tmp_path, tagged=tagged)
        club.sent, send = [], club.wire.send

        def noted(key: str, *more: Any) -> None:
            club.sent.append(key)
            send(key, *more)

        club.wire.send = noted
        made: Club = club
        return made

    return make


ALARM = Settings(clock_is_right=True, alarm="host@example.net")


def needs(club: Club) -> tuple[str, ...]:
    """What `status` says needs a hand."""
    with contextlib.closing(Outbox(club.folder / "mail.state")) as outbox:
        return overview.hand(outbox, club.clock.now(), [], overview.last_turn(outbox)[1])


@pytest.mark.parametrize("how", ["taken", "refused", "comes back", "refused for now"])
def test_the_first_turn_writes_to_itself(watched: Callable[..., Club], how: str) -> None:
    """Twice, and never again; whether addresses with a token are taken is noted, and it is no
    fault if they are not."""
    club = watched(tagged=how in ("taken", "comes back"))
    if how == "comes back":
        club.wire.relay = lambda data: (
            server("no such user", subject="failure notice").encode() + data
            if b"To: games+" in data else data
        )  # fmt: skip
    if how == "refused for now":
        send = club.wire.send

        def later(key: str, *more: Any) -> None:
            if key == "check/tagged":
                club.sent.append(key)  # type: ignore[attr-defined]
                raise NotSent("450 try later")
            send(key, *more)

        club.wire.send = later  # type: ignore[method-assign]
    faults = [line for _ in range(4) for line in club.turn(settings=ALARM).faults]
    assert checks(club) == 2
    assert faults == []
    assert needs(club) == ()
    assert club.wire.out == []
    said = [line for line in club.log if "addresses with a token" in line]
    assert len(said) == (how == "taken")
    club.write(ALICE, SEEK)
    club.turn()
    mail = club.got(ALICE)[-1]
    back = plus(ADDRESS, own(mail)) if how == "taken" else "None"
    assert header(mail, "Reply-To") == back
    assert (back in full(mail)) == (how == "taken")


def test_a_relay_that_calls_mails_anew_is_told_once(watched: Callable[..., Club]) -> None:
    """In the log, as nobody needs to do anything."""
    club = watched(tagged=True)
    club.wire.relay = relay
    assert [line for _ in range(4) for line in club.turn(settings=ALARM).faults] == []
    assert sum("a relay gives mails from here other Message-IDs" in line
               for line in club.log) == 1  # fmt: skip
    assert any("addresses with a token" in line for line in club.log)


def test_a_server_that_is_down_is_told_also_by_the_first_turn(
    watched: Callable[..., Club],
) -> None:  # fmt: skip
    """The mail that is not sent is one to the own mailbox, and the fault is everybody's."""
    club = watched(tagged=False)
    club.wire.fault = NotSent("535 password expired", down=True)
    (fault,) = club.turn(settings=ALARM).faults
    assert "535 password expired" in fault


# Refusals.

TYPOS = {
    "new sugardog with bob@example.org": ("there are silent-ships", "did you mean 'sugar-dog'"),
    "new sugar-dog bob@example.org": ("new names nobody", "new GAME with ADDRESS"),
    "new sugar-dog with bob": ("is no mail address of a player", "new GAME with ADDRESS"),
    "seek sugar-dog turn_time=2": ("option turn_time = what you wrote: expected a time", "3d"),
    "seek sugar-dog players=99": ("the game is for 2 to 26 players", ""),
    "seek sugar-dog live": ("what you wrote is no option of sugar-dog", "the presets club"),
    "seek sugar-dog first=Buy_Pills.At_Evil": ("first", ""),
    "seek backgammon": ("there are silent-ships", "submarine-warfare"),
    "seek sugar-dog live=it's-cheap-at-evil.example": ("is no option", "it has first"),
    "seek sugar-dog turn_time=it's\"cheap\"-at-evil.example": ("turn_time", ""),
    "new sugar-dog with it's-cheap-at-evil.example": ("is no mail address of a player", ""),
    f"new sugar-dog with visit-evil.example/{'x' * 200}": ("is no mail address of a player", ""),
    f"seek Visit-Evil.example/{'x' * 200}": ("there are silent-ships", ""),
    f"seek sugar-dog VISIT-evil.example/{'x' * 200}": ("it has", ""),
}  # fmt: skip


@pytest.mark.parametrize("line", TYPOS)
def test_a_refusal_says_why_and_what_to_write(club: Club, line: str) -> None:
    """Of the line itself it repeats nothing to whom it may be forged for, and what is wrong with it
    to who is proven."""
    club.write(ALICE, line)
    club.turn()
    (mail,) = club.got(ALICE)
    assert "It was not done: " in words(mail)
    for said in TYPOS[line]:
        assert said in words(mail)
    for one in set(re.split(r"[\s=]+", line)[2:]) - {"turn_time", "players", "first", "with"}:
        assert not re.search(rf"\b{re.escape(one[:12])}\b", words(mail)), one
    assert "evil" not in full(mail).lower()
    club.write(ALICE, line, answers=mail)
    club.turn()
    assert "It was not done: " in words(club.got(ALICE)[-1])
    assert "what you wrote" not in words(club.got(ALICE)[-1])
    assert club.games == []


# Bytes.


def test_a_mail_made_twice_has_the_same_bytes(tmp_path: Path) -> None:
    """Its token stands in its Message-ID and its last line, and in the subject only where a `yes`
    does something."""
    club = Club(tmp_path, tagged=True)
    club.turn()
    begun(club)
    mails = [data for _, _, data in club.wire.out]
    for data in mails:
        token = own(data)
        assert header(data, "Message-ID") == f"<{token}@example.net>"
        assert header(data, "Reply-To") == plus(ADDRESS, token)
        assert (token in header(data, "Subject")) == ("is this yours" in header(data, "Subject"))
        assert ("This link writes the answer" in full(data)) == (token in header(data, "Subject"))
    assert len({own(data) for data in mails}) == len(mails)
    for name in club.games:
        host = club.host(name)
        for mail in host.news(0):
            made = [render(mail, ADDRESS, tagged=True) for _ in range(2)]
            assert made[0] == made[1]
            assert any(data.endswith(made[0]) for data in mails)


def test_the_link_writes_what_does_it(tmp_path: Path) -> None:
    """What its subject and body say is understood, from wherever it is sent."""
    club = Club(tmp_path, tagged=True)
    club.turn()
    club.write(ALICE, SEEK)
    club.turn()
    link = re.search(r"mailto:(\S+)\?subject=yes%20(\S+)&body=(\S+)", full(club.got(ALICE)[-1]))
    assert link is not None
    to, token, body = link.groups()
    assert to == plus(ADDRESS, token)
    raw(
        club, f"From: {ALICE}\nTo: {ADDRESS}\nSubject: yes {token}\nMessage-ID: <9@x.org>\n\n{body}"
    )
    assert len(club.games) == 1


def test_tokens_tell_no_players_mails_apart(tmp_path: Path) -> None:
    """The same entry is as long for each of two players whose names are as long."""
    for tagged in (False, True):
        club = Club(tmp_path / str(tagged), tagged=tagged)
        club.turn()
        name = begun(club, "carol", "david")
        assert club.host(name).begun().last.step == 0
        (one, two) = (
            next(data for data in club.got(to) if "] entry 0" in header(data, "Subject"))
            for to in ("carol@example.org", "david@example.org")
        )
        assert len(one) == len(two)
        assert own(one) != own(two)
