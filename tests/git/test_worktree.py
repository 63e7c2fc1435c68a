"""A clone's folder: only plain bytes are written there."""

from __future__ import annotations

import os

from adjudicator.git.objects import Item
from adjudicator.git.process import Repo
from adjudicator.git.writing import Writer


def test_no_filter_runs_on_what_lies_beside(make_table, run_git, tmp_path):
    """Attributes on main name a filter that a player has, as git-lfs sets up: it stays idle."""
    table = make_table()
    folder, marker = table.record.root / ".github", tmp_path / "SMUDGED"
    folder.mkdir()
    (folder / ".gitattributes").write_text("*.md filter=lfs\n")
    (folder / "x.md").write_text("hello\n")
    table.sync_host()
    root = table.records["alice"].root
    for kind in ("smudge", "clean", "process"):
        run_git(root, "config", f"filter.lfs.{kind}", f"touch {marker}; cat")
    table.sync("alice")
    assert (root / ".github" / "x.md").read_text() == "hello\n"
    assert not marker.exists()


def test_a_link_beside_the_record_is_not_written(make_table, run_git):
    """Not even one that the host signed."""
    table = make_table()
    writer = Writer(Repo(table.bare), "host", table.key)
    writer.start(table.main())
    writer.put("README.md", b"/etc/passwd")
    root = writer._folder("")
    root.put("README.md", Item("120000", root.items["README.md"].id))
    made = writer.commit([table.main()], {}, table.clock.now(), "A link")
    writer.store()
    run_git(table.bare, "update-ref", "refs/heads/main", made)
    table.sync("alice")
    assert run_git(table.records["alice"].root, "rev-parse", "HEAD") == made
    assert not os.path.lexists(table.records["alice"].root / "README.md")
