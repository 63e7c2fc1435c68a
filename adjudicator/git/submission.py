"""What a player hands in by git: one block, in one file, in one commit, on one branch.

The block is the one that also goes by mail or by hand (`orders.bundle`). It lies in `to-host.txt`,
which is all that its commit adds to a commit of main, and the branch is called

    in.NAME.WHAT.ID         in the game's repository: in.alice.0003-1.0123456789abcdef
    in.NAME                 in a fork of the player's own, where it is replaced by force

WHAT is `join`, or step and revision of orders. ID is the beginning of the commit's own id. So a
branch certifies itself: whoever moves it makes a name that does not fit, which everybody sees in
the list of branches alone. Nobody's name holds a dot, and nobody can take a place by pushing a
branch of that name, or a folder of it, since a new commit has a new one.

Nothing is ever built on what others pushed, and nothing is merged. The commit stands on main only
because sites open no request between unrelated histories, and need CI's files in a commit to run
them. It is not signed: the block in it is.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from adjudicator.core import bundles
from adjudicator.git import objects
from adjudicator.git.process import Repo
from orders.bundle import KINDS, Bundle, encode
from orders.documents import read_join, read_slip
from orders.errors import Refused
from orders.fields import NAME, Digest, Time, digest

START = "in."
"""The beginning of every branch of a player's."""

FILE = "to-host.txt"

JOIN = (0, 0)
"""The place of a join: before the orders of all steps."""

_ID = 16
_FORM = re.compile(
    rf"in\.({NAME})\.(?:join|([0-9]{{4}}|[1-9][0-9]{{4,6}})-([1-9][0-9]?))\.([0-9a-f]{{{_ID}}})",
    re.ASCII,
)
_FORKED = re.compile(rf"in\.({NAME})", re.ASCII)


class Branch(NamedTuple):
    """The name of a branch, taken apart. `place`: step and revision, or JOIN."""

    player: str
    place: tuple[int, int]
    id: str

    @property
    def name(self) -> str:
        """The branch's name."""
        step, revision = self.place
        what = "join" if self.place == JOIN else f"{step:04d}-{revision}"
        return f"{START}{self.player}.{what}.{self.id}"

    def fits(self, commit: str) -> bool:
        """Whether it ends at that commit, as its name says."""
        return commit.startswith(self.id)


def read_branch(name: str) -> Branch | None:
    """The parts of a branch's name; None for any other name."""
    found = _FORM.fullmatch(name)
    if found is None:
        return None
    return Branch(found[1], (int(found[2] or 0), int(found[3] or 0)), found[4])


def forked(player: str) -> str:
    """The branch in that player's own fork."""
    return f"{START}{player}"


def read_forked(name: str) -> str | None:
    """The player in the name of a branch in a fork; None for any other name."""
    found = _FORKED.fullmatch(name)
    return None if found is None else found[1]


class Submission(NamedTuple):
    """A block that was handed in. `document`: the digest of the join or slip in it, whose signature
    nobody has checked yet; `place`: as in `Branch`; `where`: its branch or request in words;
    `number`: that of the request, 0 for a branch."""

    bundle: Bundle
    document: Digest
    player: str
    place: tuple[int, int]
    where: str = ""
    number: int = 0


def read(bundle: Bundle) -> Submission:
    """The submission in a bundle; raises Refused for one that is not handed in by git."""
    if bundle.kind not in ("join", "order"):
        raise Refused(
            "bad-bundle",
            f"this block holds {KINDS[bundle.kind]}: by git only joins and orders are handed in",
        )
    _, data = bundles.document(bundle)
    if bundle.kind == "join":
        return Submission(bundle, digest(data), read_join(data).player, JOIN)
    slip = read_slip(data)
    return Submission(bundle, digest(data), slip.player, (slip.step, slip.revision))


def branch(player: str, bundle: Bundle, commit: str) -> Branch:
    """The branch on which a commit hands in a player's bundle; raises Refused."""
    return Branch(player, read(bundle).place, commit[:_ID])


def commit(
    repo: Repo, main: str, player: str, bundle: Bundle, time: Time, *, instead: str | None = None
) -> str:
    """Make the commit that hands in a player's bundle, on a commit of main.

    `instead`: one with the same whose branch was moved, so that this one is another. Raises
    Refused.
    """
    step, revision = read(bundle).place
    what = f"orders for step {step}, revision {revision}" if step else "join"
    writer = objects.Writer(repo, player, None)
    writer.start(main)
    made = writer.commit(
        [main], {FILE: encode(bundle)}, time, f"{player}: {what}{objects.instead(instead)}"
    )
    writer.store()
    return made
