"""`page`: the page that plays, watches and verifies in a browser."""

from __future__ import annotations

from pathlib import Path

import click

from adjudicator.cli.shared import AnyPath, check_out, say, write_out
from adjudicator.core.opening import read_offer
from adjudicator.core.source import MemoryFiles
from adjudicator.install import read_folder
from adjudicator.mail import pasted
from adjudicator.page import build, published
from adjudicator.store import files
from adjudicator.store.pack import LARGEST, Pack
from orders.errors import Refused


@click.command(epilog="Example: adjudicator page -o page.html --record friday.zip")
@click.option(
    "-o", "--out", metavar="FILE|FOLDER/",
    help="Where to write the page, or a folder for a web host.",
)  # fmt: skip
@click.option("--at", metavar="URL", help="With a FOLDER: the address that it will have.")
@click.option("--record", type=AnyPath, help="A pack that the page carries and shows.")
@click.option("--invite", type=AnyPath, help="An invite that the page carries, to join.")
@click.option("--check", type=AnyPath, help="Is this the page of this version? Another: 1.")
@click.pass_context
def page(
    ctx: click.Context, out: str | None, at: str | None, record: Path | None,
    invite: Path | None, check: Path | None,
) -> None:  # fmt: skip
    """The page: one HTML file that plays, watches and verifies in a browser, without a network.

    A release brings it; from a checkout, or with games from elsewhere, it is built with npm and
    node from packages that are pinned by their SHA-512. Its digest is that of the page without the
    record or invite that it carries.

    A FOLDER, which is there or ends in /, gets all that a web host needs: the page as index.html,
    its icons, and demo.zip, a game to watch. Chats show a picture of a link to it if --at says
    where it will be.
    """
    if (check is None) == (out is None):
        raise click.UsageError("name the page to write with -o, or one to --check")
    is_folder = out is not None and out != "-" and (out.endswith("/") or Path(out).is_dir())
    if at is not None and not is_folder:
        raise click.UsageError("--at is for a folder: -o FOLDER/")
    if check is not None:
        given = files.read(check, LARGEST)
        carries = build.parts_of(given)[1]
        place, whole = published.place_of(given), build.of_version()
        made = build.digest(whole if place is None else published.placed(whole, place))
        came = build.digest(given)
        say(f"{check}: page {came}")
        if place is not None:
            say(f"  it is published in a folder{f', at {place}' if place else ''}")
        for kind, data in carries.items():
            say(f"  it carries: {kind}, {len(data)} bytes")
        if came != made:
            raise Refused("mismatch", f"{str(check)!a} is another page: this version's is {made}")
        say("  it is the page of this version")
        ctx.exit(0)
    carried = {}
    if record is not None:
        carried["record"] = files.read(record, LARGEST)
        Pack.of(carried["record"])
    if invite is not None:
        carried["invite"] = files.read(invite, LARGEST)
        found = [one for one in pasted.read(carried["invite"]).bundles if one.kind == "invite"]
        if len(found) != 1:
            raise Refused(
                "malformed",
                f"{str(invite)!a}: expected one invitation, found {len(found)}",
                "adjudicator invite writes RECORD-invite.txt; the host's mail with it works too",
            )
        read_offer(MemoryFiles(dict(found[0].files)))
    if is_folder and out is not None:
        _publish(Path(out), read_folder(at) if at else "", carried)
        return
    check_out(out, like=build.BEGINS)
    made_page = build.of_version(carried)
    write_out(out or "-", made_page, like=build.BEGINS)
    say(f"{out}: {len(made_page)} bytes, page {build.digest(made_page)}", to=out)


def _publish(folder: Path, at: str, carried: dict[str, bytes]) -> None:
    """Write the folder for a web host, and tell what its address is good for."""
    index = build.of_version(carried)
    for name, data in published.files(index, at):
        path = folder / name
        like = build.BEGINS if name == published.INDEX else data[:4]
        check_out(str(path), like=like)
        folder.mkdir(parents=True, exist_ok=True)
        write_out(str(path), data, like=like)
    digest = build.digest(published.placed(index, at))
    say(f"{folder / published.INDEX}: page {digest}", f"{folder}: put all of it on a web host")
    if at:
        say(f"in invitations: adjudicator config page {at}{published.INDEX}#sha256={digest}")
    else:
        say("chats show no picture of a link to it: for that say --at https://HOST/FOLDER/")
