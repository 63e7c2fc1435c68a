"""A game over a repository to which anybody may push: a bare folder that everybody reaches.

What is promised where: two machines of one host can both make an entry of one number, where each
has fetched before the other pushed. Only one of them can push it, and nothing of the other's leaves
its machine, which says so (`fork`) and is put aside. So what counts is what was ever pushed, and
what players hold. Where the server lacks what it once had, only the machine that pushed it last may
go on; any other one first brings back what players have (`restore`), as the pages say.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from random import Random

from adjudicator.core.opening import read_offer
from adjudicator.git.submission import FILE, read_branch
from adjudicator.host.folder import HostFolder
from orders import sshsig
from orders.errors import Refused
from orders.public_key import PublicKey
from orders.sshsig import Signed

from .promises import Seen
from .sail import Broken, Event
from .table import GAME, NAMED, PLAYERS, Person, Said, Table
from .world import DAY, Done, Machine, World

REFUSES = "#!/bin/sh\nexit 1\n"


class Git(Table):
    """The scene."""

    def __init__(self, world: World, chance: Random, said: Said | None = None) -> None:
        super().__init__(world, chance, said)
        self.bare = world.root / "remote.git"
        self.url = str(self.bare)
        self.git("init", "-q", "--bare", "--template=", "-b", "main", self.url, at=world.root)
        for setting in ("receive.autogc=false", "gc.auto=0", "core.fsync=none"):
            self.git("config", *setting.split("="))
        self.mine: dict[str, str] = {}
        """The branches that players' own programs pushed, with their commits."""
        self.boxes: list[str] = []
        """The host's boxes, as they were pushed."""
        self.noise: set[str] = set()
        self.tips: set[str] = set()
        self.most = -1
        """The last entry that was ever pushed."""
        self.days: list[Path] = []
        self.publisher: Machine | None = None
        """The host's machine that has all that was ever pushed; None: perhaps none has."""
        self.begin()

    def git(
        self, *words: str, given: bytes = b"", at: Path | None = None, code: int | None = 0
    ) -> str:
        """Plain git in the repository."""
        date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.world.time))
        who = {
            f"GIT_{role}_{what}": value
            for role in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "m"), ("EMAIL", "m@m.invalid"), ("DATE", date))
        }
        done = subprocess.run(
            ["git", "-C", str(at or self.bare), *words], input=given, capture_output=True,
            check=False, env={**os.environ, **who},
        )  # fmt: skip
        if code is not None and done.returncode != code:
            raise AssertionError(f"git {words}: {done.stderr.decode()}")
        return done.stdout.decode().strip()

    def begin(self) -> None:
        """The host invites, publishes, all join, and the game begins."""
        host = self.host
        named = ("--key", "host.key", "-o", GAME, "--name", GAME, *self.terms)
        self.run(host, "invite", self.game.id, *named, "-y")
        self.run(host, "invite", "--git", self.url, "-g", GAME)
        for name, person in self.players.items():
            self.join(person)
            assert (person.at.disk / f"{name}.seat").is_dir()
        self.publisher = host.at
        done = self.run(host, "start", *self.players, "-y", "-g", GAME)
        assert done.code == 0, done.told
        for person in self.players.values():
            self.sync_player(person)
        self.collect()
        self.day(self.world.chance)

    def join(self, person: Person) -> Done:
        """A clone, and a seat if there is none."""
        named = ("--name", person.name, "--key", f"{person.name}.key", "-o", GAME)
        return self.run(person, "join", self.url, *named, "-y")

    # Events.

    def events(self) -> Mapping[str, Event]:
        """See Scene."""
        harm = (self.remove, self.move, self.junk, self.request, self.receipt_harm, self.main)
        return {
            "order": (30, lambda chance: self.sent(self.player(chance), self.play, chance)),
            "sync of a player": (16, self.some_sync),
            "sync of the host": (26, self.some_host_sync),
            "late sync of the host": (9, self.late),
            "two machines of the host at once": (4, self.hosts_at_once),
            "another machine of the host": (3, lambda _: self.host.another()),
            "host and players at once": (5, self.all_at_once),
            "another machine of a player": (3, lambda chance: self.player(chance).another()),
            "a disk is put back": (5, self.old_disk),
            "a clone is lost": (3, self.lost_clone),
            "the server is put back": (2, self.old_server),
            "the server loses a push": (3, self.loses),
            "the server refuses": (2, self.refuses),
            "the server is away": (2, self.gone),
            "what was pushed cannot be read": (4, self.unreadable),
            "a clock is wrong": (3, self.clocks),
            "clocks are right": (3, self.right),
            "days pass": (5, self.day),
            "a player is away": (2, self.leave),
            "a ruling": (3, self.rule),
            "a look": (3, self.status),
            "a stranger verifies": (2, self.stranger),
            **{f"harm: {one.__name__}": (3, one) for one in harm},
            "a message": (8 * self.talks, self.say),
        }

    def act(self, person: Person, *words: str, ends: Random | None = None) -> Done:
        """See Table; git brings no messages, so they go by hand, to the host and from there."""
        done = self.run(person, *words, ends=ends)
        for name in dict.fromkeys(NAMED.findall(done.out)):
            path = person.at.disk / name
            named = [one for one in self.players if one in re.split("[-.]", name)]
            readers = [self.players[one] for one in named] if person is self.host else [self.host]
            for one in readers if path.is_file() and name not in words else ():
                (one.at.disk / name).write_bytes(path.read_bytes())
                take = self.act if one is self.host else self.run
                take(one, "take", name, "-g", GAME, ends=ends)
                (one.at.disk / name).unlink(missing_ok=True)
        return done

    def heads(self) -> dict[str, str]:
        """The branches there, with their commits."""
        if not self.bare.is_dir():
            return {}
        rows = self.git("for-each-ref", "--format=%(refname) %(objectname)").splitlines()
        return dict(row.split() for row in rows)

    def sent(self, person: Person, do: Callable[[Random, Person], object], chance: Random) -> None:
        """A player's command; what it pushes is theirs."""
        if person.name in self.away:
            return
        before = self.heads()
        do(chance, person)
        after = self.heads()
        self.mine |= {
            ref: end for ref, end in after.items()
            if ref.startswith(f"refs/heads/in.{person.name}.") and before.get(ref) != end
        }  # fmt: skip

    def play(self, chance: Random, person: Person) -> None:
        self.order(chance, person)

    def some_sync(self, chance: Random) -> None:
        """A player syncs."""
        self.sent(self.player(chance), lambda c, who: self.sync_player(who, c), chance)

    def sync_player(self, person: Person, ends: Random | None = None) -> Done:
        """A player's sync."""
        return self.run(person, "sync", "-g", GAME, ends=ends)

    def some_host_sync(self, chance: Random) -> None:
        """The host syncs."""
        self.hosted(chance)

    def hosted(self, chance: Random | None, *more: str) -> Done:
        """The host's sync."""
        host = self.host
        if not (host.at.disk / GAME / ".git").is_dir():
            self.clone_host(host)
        if self.lacks(host.at):
            self.bring_back()
        before, lay, ends = host.last(), self.there() | self.receipts(), self.ends()
        done = self.run(host, "sync", "-g", GAME, *more, ends=chance)
        self.kept(before, lay)
        if ends != self.ends():
            self.publisher = host.at
        return done

    def ends(self) -> tuple[str | None, str | None]:
        """Where the host's two branches end."""
        heads = self.heads()
        return heads.get("refs/heads/main"), heads.get("refs/heads/receipts")

    def lacks(self, machine: Machine) -> bool:
        """Whether neither this machine of the host's nor the server may have what was pushed."""
        if machine is self.publisher or not self.bare.is_dir():
            return False
        box = self.ends()[1]
        return self.at_remote() < self.most or (bool(self.boxes) and box != self.boxes[-1])

    def there(self) -> set[tuple[str, int]]:
        """Player and step of the orders that lie where their own program pushed them."""
        found = set()
        for ref, end in self.heads().items():
            branch = read_branch(ref.removeprefix("refs/heads/"))
            if branch is not None and self.mine.get(ref) == end and branch.place[0]:
                found.add((branch.player, branch.place[0]))
        return found

    def knows(self) -> bool:
        """See Table; what the host can fetch is fetched first."""
        return not self.lacks(self.host.at) and self.hosted(None).code == 0

    def late(self, chance: Random) -> None:
        """The deadline passes, and the host waits no longer."""
        self.world.time += chance.choice((4 * DAY, 4 * DAY, 11 * DAY))
        self.hosted(chance, "--late")

    def hosts_at_once(self, chance: Random) -> None:
        """Two machines of the host sync at once."""
        first = self.host.at
        self.host.another()
        second = self.host.at
        if any(map(self.lacks, (first, second))):
            return
        if not all((one.disk / GAME / ".git").is_dir() for one in (first, second)):
            return
        self.publisher = None
        self.world.overlap(
            chance, *(lambda at=at: at.run("sync", "-g", GAME, "--late") for at in (first, second))
        )

    def all_at_once(self, chance: Random) -> None:
        """The host and the players sync at once, and some of them twice."""
        people = [*self.people, self.player(chance)]
        if self.lacks(self.host.at) or self.away:
            return
        self.publisher = None
        before = self.heads()
        self.world.overlap(
            chance, *(lambda at=one.at: at.run("sync", "-g", GAME) for one in people)
        )
        self.mine |= {
            ref: end for ref, end in self.heads().items()
            if ref.startswith("refs/heads/in.") and before.get(ref) != end
        }  # fmt: skip

    def old_disk(self, chance: Random) -> None:
        """Somebody's disk is as on an earlier day."""
        person = self.person(chance)
        machine = person.at
        if not machine.days:
            return
        del machine.days[1 + chance.randrange(len(machine.days)) :]
        machine.put_back(-1)
        self.looked = {}
        if machine is self.publisher:
            self.publisher = None

    def lost_clone(self, chance: Random) -> None:
        """Somebody's clone is gone; seat, host's folder and key are there."""
        person = self.person(chance)
        if not self.bare.is_dir() or "refs/heads/main" not in self.heads():
            return
        shutil.rmtree(person.at.disk / GAME, ignore_errors=True)
        if person is self.host:
            self.clone_host(person)
            self.publisher = None
        else:
            self.join(person)

    def clone_host(self, host: Person) -> None:
        """A host clones the record into the folder that holds `friday.host`."""
        if "refs/heads/main" in self.heads():
            self.git("clone", "-q", "--template=", "-b", "main", self.url, GAME, at=host.at.disk)

    def at_remote(self) -> int:
        """The last entry at the repository."""
        if "refs/heads/main" not in self.heads():
            return -1
        listed = self.git("ls-tree", "--name-only", "main", "entries/", code=None)
        steps = [int(Path(line).stem) for line in listed.splitlines() if line.endswith(".toml")]
        return max(steps, default=-1)

    def bring_back(self) -> None:
        """The host gathers what players and the other machine have. What nobody has is forgotten:
        nobody can show it."""
        folder = self.host.at.disk / "from-players"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        names = []
        for person in self.people:
            for machine in (one for one in person.machines if one is not self.host.at):
                for what in (GAME, f"{person.name}.seat", f"{GAME}.host/inbox"):
                    if (machine.disk / what).is_dir():
                        name = f"{machine.name}-{what.replace('/', '-')}"
                        shutil.copytree(machine.disk / what, folder / name, symlinks=True)
                        names.append(f"from-players/{name}")
        done = self.run(self.host, "restore", "-g", GAME, *names)
        self.world.counts["restored from players"] += 1
        shutil.rmtree(folder)
        if done.code in (0, 4):
            self.publisher = self.host.at
            own, held = HostFolder(self.host.record.host), {one.slip for one in self.promised()}
            self.seen.keep(lambda slip: slip in held or own.receipt(slip) is not None)
            if self.host.last() < self.most:
                self.most = self.host.last()
                self.seen, self.looked, self.tips = Seen(), {}, set()
                self.world.counts["entries that nobody has any more"] += 1

    def old_server(self, chance: Random) -> None:
        """The repository is as on an earlier day."""
        if not self.days or not self.bare.is_dir():
            return
        del self.days[1 + chance.randrange(len(self.days)) :]
        shutil.rmtree(self.bare)
        shutil.copytree(self.days[-1], self.bare, symlinks=True)

    def loses(self, chance: Random) -> None:
        """Somebody syncs, and the server forgets what that changed."""
        before = self.heads()
        if not before:
            return
        person = self.person(chance)
        if person is self.host:
            self.hosted(None)
        else:
            self.sync_player(person)
        self.collect()
        for ref, end in self.heads().items():
            if ref not in before:
                self.git("update-ref", "-d", ref)
            elif before[ref] != end:
                self.git("update-ref", ref, before[ref])
        for ref in before.keys() - self.heads().keys():
            self.git("update-ref", ref, before[ref])

    def refuses(self, chance: Random) -> None:
        """The server takes no push, or takes them again."""
        if not self.bare.is_dir():
            return
        hook = self.bare / "hooks" / "pre-receive"
        if hook.exists():
            hook.unlink()
        else:
            hook.parent.mkdir(exist_ok=True)
            hook.write_text(REFUSES)
            hook.chmod(0o755)

    def unreadable(self, chance: Random) -> None:
        """The server's disk cannot read some of what players pushed, while the host syncs."""
        aside = []
        for ref, end in self.heads().items():
            if ref.startswith("refs/heads/in.") and chance.random() < 0.6:
                one = self.git("rev-parse", "-q", "--verify", f"{end}:{FILE}", code=None)
                path = self.bare / "objects" / one[:2] / one[2:]
                if path.is_file():
                    path.rename(path.with_suffix(".away"))
                    aside.append(path)
        self.world.time += chance.choice((0, 4 * DAY, 11 * DAY))
        self.hosted(None, "--late")
        for path in aside:
            path.with_suffix(".away").rename(path)

    def gone(self, chance: Random) -> None:
        """The server does not answer, or answers again."""
        away = self.bare.with_suffix(".away")
        if away.is_dir():
            away.rename(self.bare)
        else:
            self.bare.rename(away)

    def day(self, chance: Random) -> None:
        """See Table; the server is kept too."""
        super().day(chance)
        if self.bare.is_dir():
            kept = self.world.root / f"remote.day{len(self.days)}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(self.bare, kept, symlinks=True)
            self.days.append(kept)

    def rule(self, chance: Random) -> None:
        """The host rules, and publishes that."""
        host = self.host
        if self.lacks(host.at) or host.last() < 0:
            return
        act = chance.random()
        if act < 0.6:
            what = ("--until", "9d")
        elif act < 0.9 and host.last() > 0:
            what = ("--annul", str(1 + chance.randrange(host.last())))
        else:
            return
        self.run(host, "rule", *what, "--reason", "so", "-g", GAME, "-y", ends=chance)
        self.hosted(chance)

    def status(self, chance: Random) -> None:
        """Somebody looks."""
        word = chance.choice(("status", "show", "log"))
        self.run(self.person(chance), word, "-g", GAME)

    def stranger(self, chance: Random) -> None:
        """Somebody who has nothing verifies what lies at the repository."""
        if "refs/heads/main" not in self.heads():
            return
        done = self.world.machine("stranger").run("verify", self.url)
        if done.code == 1:
            # Without what the host signed last there is nothing to judge an honest host by.
            raise Broken(3, f"a stranger: {done.told[-600:]}")

    # Harm: what anybody does who may push.

    def handed_in(self) -> list[str]:
        """Branches of players."""
        return [ref for ref in self.heads() if ref.startswith("refs/heads/in.")]

    def made(self, chance: Random) -> str:
        """A commit with noise for the host."""
        noise = chance.randbytes(chance.choice((0, 100, 300_000)))
        blob = self.git("hash-object", "-w", "--stdin", given=noise)
        tree = self.git("mktree", given=f"100644 blob {blob}\t{FILE}\n".encode())
        made = self.git("commit-tree", tree, "-m", "m")
        self.noise.add(made)
        return made

    def point(self, ref: str, commit: str | None) -> None:
        """Move a branch by force."""
        if commit is None:
            self.git("update-ref", "-d", ref, code=None)
        else:
            self.git("update-ref", ref, commit)

    def remove(self, chance: Random) -> None:
        """Somebody's branch."""
        if refs := self.handed_in():
            self.point(chance.choice(refs), None)

    def move(self, chance: Random) -> None:
        """Somebody's branch, to something else."""
        if refs := self.handed_in():
            self.point(chance.choice(refs), self.made(chance))

    def junk(self, chance: Random) -> None:
        """A branch in somebody's name, with noise; its ID fits or does not."""
        if not self.bare.is_dir():
            return
        name, step = self.player(chance).name, chance.randint(0, 6)
        commit = self.made(chance)
        mark = commit[:16] if chance.random() < 0.7 else f"{chance.getrandbits(64):016x}"
        what = f"{step:04d}-1" if step else "join"
        self.point(f"refs/heads/in.{name}.{what}.{mark}", commit)

    def request(self, chance: Random) -> None:
        """A request: noise, or a copy of what somebody handed in."""
        heads = self.heads()
        refs = self.handed_in()
        if not heads:
            return
        copied = refs and chance.random() < 0.5
        end = heads[chance.choice(refs)] if copied else self.made(chance)
        self.point(f"refs/pull/{chance.randint(1, 9)}/head", end)

    def receipt_harm(self, chance: Random) -> None:
        """Old boxes of the host's, a commit of main, noise, or none."""
        if not self.bare.is_dir() or not self.boxes:
            return
        act = chance.randrange(4)
        if act == 0:
            there = [one for one in self.boxes if self.git("cat-file", "-t", one, code=None)]
            self.point("refs/heads/receipts", chance.choice(there) if there else None)
        elif act == 1 and "refs/heads/main" in self.heads():
            back = f"main~{chance.randrange(3)}"
            at = self.git("rev-parse", "-q", "--verify", back, code=None)
            self.noise.add(at)
            self.point("refs/heads/receipts", at or None)
        elif act == 2:
            self.point("refs/heads/receipts", self.made(chance))
        else:
            self.point("refs/heads/receipts", None)

    def main(self, chance: Random) -> None:
        """A commit of somebody's upon it, the one before it, or none."""
        at = self.heads().get("refs/heads/main")
        if at is None:
            return
        act = chance.randrange(3)
        if act == 0:
            blob = self.git("hash-object", "-w", "--stdin", given=chance.randbytes(50))
            rows = self.git("ls-tree", at)
            row = f"100644 blob {blob}\t{chance.choice(('README.md', 'junk.txt'))}"
            kept = [one for one in rows.splitlines() if not one.endswith(row.partition("\t")[2])]
            tree = self.git("mktree", given="\n".join([*kept, row, ""]).encode())
            self.point("refs/heads/main", self.git("commit-tree", tree, "-p", at, "-m", "m"))
        elif act == 1:
            before = self.git("rev-parse", "-q", "--verify", f"{at}~1", code=None)
            if before:
                self.point("refs/heads/main", before)
        else:
            self.point("refs/heads/main", None)

    # What must hold.

    def collect(self) -> None:
        """Look at what lies at the repository now: entries that the host signed."""
        heads = self.heads()
        boxes = heads.get("refs/heads/receipts")
        if boxes is not None and boxes not in self.boxes and boxes not in self.noise:
            self.boxes.append(boxes)
        tip = heads.get("refs/heads/main")
        if tip is None or tip in self.tips:
            return
        self.tips.add(tip)
        rows = self.git("ls-tree", "-r", tip, "entries/", "slips/").splitlines()
        found = {path: row.split()[2] for row, _, path in (one.partition("\t") for one in rows)}
        for path, blob in found.items():
            if not path.endswith(".toml") or f"{path}.sig" not in found or blob in self.tips:
                continue
            self.tips.add(blob)
            data = self.raw(blob)
            if path.startswith("slips/"):
                self.seen.files({path: data})
                continue
            try:
                Signed(data, self.raw(found[f"{path}.sig"])).verify(self.key, sshsig.ENTRY)
            except Refused:
                continue
            self.seen.files({path: data})
            self.most = max(self.most, int(Path(path).stem))

    def raw(self, blob: str) -> bytes:
        done = subprocess.run(
            ["git", "-C", str(self.bare), "cat-file", "blob", blob], capture_output=True, check=True
        )
        return done.stdout

    def check(self, chance: Random) -> None:
        """See Scene."""
        self.collect()
        super().check(chance)

    # The end.

    def mend(self) -> None:
        """See Scene."""
        super().mend()
        away = self.bare.with_suffix(".away")
        if away.is_dir():
            away.rename(self.bare)
        (self.bare / "hooks" / "pre-receive").unlink(missing_ok=True)
        for ref in self.handed_in():
            self.point(ref, None)

    def mended_sync(self, *more: str) -> Done:
        """The host syncs, and does what the program says."""
        for _ in range(6):
            done = self.hosted(None, *more)
            if done.code == 0:
                return done
            if "[fork]" in done.told:
                # Go on with the machine that published; a folder that forked is put aside.
                self.host.another()
                if "[fork]" in self.hosted(None, *more).told:
                    raise Broken(6, f"both of the host's machines forked: {done.told}")
            elif "[rewritten]" in done.told:
                self.git(
                    "push", "-q", "--force", "origin", "refs/adjudicator/seen:refs/heads/main",
                    at=self.host.at.disk / GAME,
                )  # fmt: skip
            elif "--clock-is-right" in done.told and "--clock-is-right" not in more:
                more = (*more, "--clock-is-right")
            elif "adjudicator restore" in done.told:
                self.bring_back()
            else:
                break
        raise Broken(6, f"the host is healthy, and its sync is not: {done.told[-600:]}")

    def go_on(self, quiet: int) -> None:
        """See Table."""
        if quiet == 2:
            # Players say that the server lacks entries that they have.
            self.bring_back()
        self.mended_sync()

    def state(self) -> object:
        """See Table; and the branches."""
        return super().state(), self.heads()

    @cached_property
    def key(self) -> PublicKey:
        """The host's."""
        return read_offer(self.players[PLAYERS[0]].record).host
