"""A clone's folder: only plain bytes are written there."""

from __future__ import annotations

from git.conftest import push


def test_no_filter_runs_on_what_lies_beside(make_table, mallory, run_git, tmp_path):
    """Attributes on main name a filter that the user has, as git-lfs sets up: it stays idle."""
    table = make_table()
    folder = mallory(table)
    marker = tmp_path / "SMUDGED"
    (folder / ".github").mkdir()
    (folder / ".github" / ".gitattributes").write_text("*.md filter=lfs\n")
    (folder / ".github" / "x.md").write_text("hello\n")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-qm", "page")
    push(folder, "HEAD:main")
    root = table.records["alice"].root
    for kind in ("smudge", "clean", "process"):
        run_git(root, "config", f"filter.lfs.{kind}", f"touch {marker}; cat")
    table.sync("alice")
    assert (root / ".github" / "x.md").read_text() == "hello\n"
    assert not marker.exists()


def test_a_link_beside_the_record_is_not_written(make_table, mallory, run_git):
    """Neither a link, nor a file through a link that lies in the clone."""
    table = make_table()
    folder = mallory(table)
    (folder / "README.md").symlink_to("/etc/passwd")
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-qm", "link")
    push(folder, "HEAD:main")
    table.sync("alice")
    assert not (table.records["alice"].root / "README.md").is_symlink()
