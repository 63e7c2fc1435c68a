"""Answers to mails that nobody signed, and to mails that were refused.

Who answers a mail of ours is who it went to, for two weeks; anybody else is who they say, and is
answered there. A word that does anything is done only for the first. The word is looked up in one
table (`office.words`); what it does is an act of the referee's, or tells of somebody's games.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import games
from adjudicator.core import deadlines
from adjudicator.mail.mime import Mail
from adjudicator.mail.outgoing import Outgoing
from adjudicator.office import mine, replies, words
from adjudicator.office.outbox import KEPT
from adjudicator.office.replies import Reply
from adjudicator.office.served import Asked, Served
from adjudicator.office.words import WORDS, Request, Whose
from games.options import OfferRefused
from orders.errors import TEMPORARY, Refused

if TYPE_CHECKING:
    from adjudicator.office.referee import Referee

TRUSTED = KEPT
"""Seconds for which an answer to a mail shows who writes."""

_OF_EACH_GAME = ("resend", "orders", "history", "who")
"""Words that are answered for each of a player's games, if the mail names no game."""

_TELLS = ("status", "orders", "resend", "history", "mine")
"""Words whose answers tell what was signed."""

_LONG = ("history", "rules")
"""Words with an answer longer than a page. What is not understood counts as such a word too: a
machine that does not say that it is one would answer each answer."""


class Answers:
    """What is answered for the games that are `served`; with a `referee`, to anybody's words."""

    def __init__(self, served: Served, referee: Referee | None) -> None:
        self.served, self.referee = served, referee

    def refusal(self, error: Refused, mail: Mail) -> list[Outgoing]:
        """The answer to a mail from which nothing was taken: to a player's signed address, or a
        fixed text to a stranger. It says what is wrong with the mail, never what the game holds."""
        seats = self.served.seats_of(mail)
        if not seats:
            return self.stranger(mail, mail.sender)
        game, player = seats[0]
        return game.tell(player, mail, replies.refused(error))

    def stranger(self, mail: Mail, to: str | None) -> list[Outgoing]:
        """The fixed text for somebody unknown, at the address `to`."""
        if (
            to is None
            or to.lower() == self.served.address.lower()
            or not (self.served.games or self.referee)
        ):
            return []
        asked = Asked(mail, to, proven=False)
        if self.referee is None:
            said = replies.write("unknown", invite="INVITATION")
        elif self.referee.house.admits(to):
            said = self._help(asked, understood=False)
        else:
            return []
        budget = (f"stranger/{to.lower()}", "strangers")
        return [replace(self._answer(asked, said), budget=budget, stranger=True)]

    def obey(self, mail: Mail) -> tuple[str, list[Outgoing]]:
        """Answer a mail that nobody signed: a line for the log, and the answers."""
        since = deadlines.add(self.served.clock.now(), -TRUSTED)
        known = [
            one for one in self.served.outbox.known(mail.tokens) if not one.sent or one.sent > since
        ]
        acts = [one for one in known if one.act and one.recipient == known[0].recipient]
        answered = next((one for one in acts if not one.done), next(iter([*acts, *known]), None))
        request = words.read("" if acts else mail.subject, mail.text)
        to = mail.sender if answered is None else answered.recipient
        if to is None or to.lower() == self.served.address.lower():
            return "from nobody who can be answered", []
        asked = Asked(mail, to, proven=answered is not None)
        if request.word == "yes" and acts:
            assert answered is not None  # noqa: S101 - one of the acts
            if answered.done:
                done = self._answer(asked, replies.write("done-already", line=answered.act))
                return f"yes again of {to}", [replace(done, budget=self._budget(asked))]
            request = words.read("", answered.act)
            asked = replace(asked, does=answered.token)
        elif not request.word and acts and answered and not answered.done:
            how = replies.write("how", line=answered.act, token=answered.token)
            # A machine that does not say that it is one would answer each answer.
            one = replace(self._answer(asked, how), key=f"how/{answered.token}", reply=False)
            return f"no yes of {to}", [one]
        if self.referee is not None and not self.referee.house.admits(to):
            return "from somebody who is not admitted", []
        if asked.proven and mail.zone is not None and self.served.seats_at(to):
            self.served.register.keep_zone(to, mail.zone)
        if self.referee is not None and request.word in WORDS:
            whose, organises = WORDS[request.word].whose, self.referee.house.organises(to)
            if whose in (Whose.ALL, Whose.CLUB) or (whose is Whose.ORGANISER and organises):
                return self._do(request, asked)
        return self._tell_players(request, asked)

    def _do(self, request: Request, asked: Asked) -> tuple[str, list[Outgoing]]:
        """Do what a word asks, once its writer is proven; raises Refused (try later)."""
        assert self.referee is not None  # noqa: S101 - its caller looks
        to, acts = asked.to, WORDS[request.word].acts
        budget = self._budget(asked)
        if any(self.served.post.is_spent(one, self.served.clock.now()) for one in budget):
            return f"{request.word}: too many of {to}", []
        what = f"{request.word}{'' if asked.proven or not acts else '?'} of {to}"
        try:
            if request.word == "help":
                mails = [self._answer(asked, self._help(asked, understood=True))]
            elif request.word == "yes":
                mails = [self._answer(asked, replies.write("no-question"))]
            else:
                act = self.referee.act(request, asked, self.served)
                if asked.proven or not acts:
                    mails = [
                        said if isinstance(said, Outgoing) else self._answer(asked, said)
                        for said in act()
                    ]
                else:
                    confirm = self._answer(asked, replies.write("confirm", line=request.line))
                    mails = [replace(confirm, act=request.line)]
        except (Refused, OfferRefused) as error:
            if isinstance(error, Refused) and error.word in TEMPORARY:
                raise
            what = f"{request.word} refused: {error}"
            line, asked = "" if asked.proven else request.line, replace(asked, does="")
            mails = [self._answer(asked, replies.not_done(error, line))]
        mails = [replace(one, budget=(*one.budget, *budget)) if one.to == to else one
                 for one in mails]  # fmt: skip
        return what, [replace(one, does=asked.does) for one in mails[:1]] + mails[1:]

    def _budget(self, asked: Asked) -> tuple[str, ...]:
        """By which budgets somebody is answered."""
        if asked.proven:
            return (f"word/{asked.to.lower()}",)
        known = bool(self.served.seats_of(asked.mail))
        return (f"command/{asked.to.lower()}",) + (() if known else ("strangers",))

    def _answer(self, asked: Asked, said: Reply) -> Outgoing:
        """An answer to a mail that nobody signed, of no one game."""
        secret = (
            self.served.games[0].secret
            if self.referee is None
            else self.referee.secret(self.served.outbox)
        )
        return Outgoing(f"answer/{asked.origin}", secret, asked.to, *said).answering(asked.mail)

    def _help(self, asked: Asked, *, understood: bool) -> Reply:
        """What somebody may write here."""
        whose = [Whose.PLAYER] * bool(self.served.seats_of(asked.mail)) + [Whose.ALL]
        if self.referee is None:
            return replies.helping(whose, (), understood=understood)
        whose += [Whose.CLUB] + [Whose.ORGANISER] * self.referee.house.organises(asked.to)
        return replies.helping(whose, games.installed(), understood=understood)

    def _tell_players(self, request: Request, asked: Asked) -> tuple[str, list[Outgoing]]:
        """Answer a word about somebody's games, at the address that each player signed."""
        mail = asked.mail
        seats = self.served.seats_at(asked.to)
        if not seats:
            return "from a stranger", self.stranger(mail, asked.to)
        named = [seat for seat in seats if seat[0].name == request.game] or seats
        if request.word in _TELLS:
            # What is signed and in no copy may yet come second.
            copies = self.served.copies
            told = seats if request.word == "mine" else named
            self.served.waits += [(game, one) for game, _ in told for one in copies.lacks(game)]
        out: list[Outgoing] = []
        for game, player in named if request.word in _OF_EACH_GAME else named[:1]:
            if request.word == "resend":
                step = int(request.rest[0]) if request.rest else None
                out += game.resend(player, step, mail)
            elif request.word == "orders":
                out += game.orders(player, mail)
            elif request.word == "status":
                states = "\n\n".join(one.status(who) for one, who in dict(named).items())
                out += game.tell(player, mail, Reply("how it stands", states + "\n"))
            elif request.word in ("history", "who", "rules"):
                tell = {"history": game.history, "who": game.who, "rules": game.rules}
                long = request.word in _LONG
                out += game.tell(player, mail, tell[request.word](player), long=long)
            elif request.word == "mine":
                where = self.referee.calendar(self.served, asked.to) if self.referee else ""
                out += game.tell(player, mail, mine.mine(self.served, asked.to, where, mail.zone))
            elif request.word == "note":
                out += game.tell(player, mail, replies.write("no-note"))
            elif request.word == "message":
                out += game.tell(player, mail, replies.write("unsigned"))
            elif request.word == "form":
                out += game.tell(player, mail, replies.write("unsealed"))
            else:
                understood = request.word == "help"
                said = self._help(asked, understood=understood)
                out += game.tell(player, mail, said, long=not understood)
        return f"command {request.word or '(none)'} in the name of {player}", out
