"""Ready workflow files: their steps run here, as a runner would, one after another."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from adjudicator.cli import cli
from adjudicator.git import ci
from adjudicator.git.tree import record_at
from adjudicator.host.folder import HostFolder
from adjudicator.install import read_pin
from adjudicator.store.clock import SystemClock
from adjudicator.verifier.verify import verify
from orders.errors import Refused

PROGRAM = "/tmp/program/bin/"  # noqa: S108 - on the site's machine
"""Where jobs install the program."""

SPEC = "git+https://example.org/sealed-orders@" + "0123456789" * 4
PIN = read_pin(SPEC)
TRACKED = ("refs/remotes/origin/HEAD", "refs/remotes/origin/main")


def scripts(text: str, job: str, keys: tuple[str, ...]) -> list[str]:
    """The shell text of a job: its `run:` values (GitHub), or the items of `script:` (GitLab).

    Reads the part of YAML that these files use. What installs the program is left out: it is here.
    """
    lines = text.splitlines()
    start = next(at for at, line in enumerate(lines) if re.fullmatch(rf" *{job}:", line))
    depth = len(lines[start]) - len(lines[start].lstrip())
    found = []
    at = start + 1
    inside: int | None = None
    while at < len(lines):
        line = lines[at]
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent <= depth:
            break
        key = re.fullmatch(r" *(?:- )?([a-z_]+):(?: (.*))?", line)
        value = None
        if key and key[1] in keys and key[2]:
            value = key[2]
        elif key and key[1] in keys:
            inside = indent
        elif inside is not None and indent <= inside and line.strip():
            inside = None
        elif inside is not None and line.lstrip().startswith("- "):
            value = line.lstrip()[2:]
        if value == "|":
            block = []
            while at + 1 < len(lines) and (
                not lines[at + 1].strip()
                or len(lines[at + 1]) - len(lines[at + 1].lstrip()) > indent
            ):
                at += 1
                block.append(lines[at].strip())
            value = "\n".join(block)
        if value is not None:
            found.append(value)
        at += 1
    return [one.replace(PROGRAM, "") for one in found if "pip install" not in one]


def read(table, path: str) -> str:
    return (table.record.root / path).read_text()


@pytest.fixture
def runner(tmp_path, run_git, program):
    """Runs shell steps in fresh checkouts, with a program on PATH and an environment given."""
    count = 0

    class Runner:
        output = ""

        def checkout(self, table, text: str) -> Path:
            """A fresh clone, as the site makes one for a job of that file."""
            nonlocal count
            count += 1
            folder = tmp_path / f"work{count}"
            run_git(tmp_path, "init", "-q", str(folder))
            run_git(folder, "remote", "add", "origin", f"file://{table.bare}")
            depth = re.search(r'(?:fetch-depth|GIT_DEPTH): "?(\d+)', text)[1]
            ref = "refs/heads/main" if depth != "0" else "refs/heads/*"
            more = ["--no-tags", f"--depth={depth}"] if depth != "0" else []
            local = ref.replace("heads", "remotes/origin")
            run_git(folder, "fetch", "-q", *more, "origin", f"+{ref}:{local}")
            run_git(folder, "checkout", "-q", "-B", "main", "origin/main")
            return folder

        def run(self, folder: Path, steps: list[str], **env: str) -> int:
            code = 0
            for step in steps:
                if code and not step.startswith("rm "):
                    continue
                done = subprocess.run(
                    ["bash", "-e", "-c", step], cwd=folder, capture_output=True, text=True,
                    check=False, timeout=120,
                    env={**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", **env},
                )  # fmt: skip
                self.output += done.stdout + done.stderr
                code = code or done.returncode
            return code

    return Runner()


def secrets_of(table) -> dict[str, str]:
    folder = table.record.host
    return {
        ci.MASTER: (folder / "master").read_text(),
        ci.LETTERS: (folder / "letters").read_text(),
        ci.KEY: (table.folder / "host.key").read_text(),
    }


@pytest.fixture(scope="session")
def with_workflows(tmp_path_factory, begun):
    """A game begun, with a site's workflow files on main, and both players' orders pushed. Each
    is made once, and not to be changed: to be copied."""

    @cache
    def made(site: str):
        table = begun.copy(tmp_path_factory.mktemp(site) / "t")
        args = ["git", "setup", site, "--host", "-g", str(table.record.root)]
        assert CliRunner().invoke(cli, [*args, "--install", SPEC]).exit_code == 0
        table.sync_host()
        # CI's machines go by the clock.
        table.clock = SystemClock()
        for name, line in {"alice": "start C4", "bob": "start F1"}.items():
            table.order(name, line)
            table.sync(name)
        return table

    return made


def check_advanced(table, runner, folder: Path, env: dict[str, str]) -> None:
    """CI has adjudicated; the players go on; nothing secret was told or left behind.

    Players read the log: it must not tell them whose orders are in, and how they were judged.
    """
    assert not Path(f"{folder}.host").exists()
    assert re.fullmatch(r"\S+\.host: made from the environment\n", runner.output)
    table.clock = SystemClock()
    for name in table.players:
        table.sync(name)
        assert table.records[name].last_step() == 1
        assert table.statuses(name) == ["accepted"]
    for value in env.values():
        for line in value.strip().splitlines():
            if not line.startswith("-----"):
                assert line not in runner.output
    assert verify(table.records["alice"]).code == 4


def test_github_host(with_workflows, runner, tmp_path):
    """Its steps adjudicate from a fresh checkout with the secrets of the store, and push."""
    table = with_workflows("github").copy(tmp_path / "table")
    text = read(table, ".github/workflows/host.yml")
    steps = scripts(text, "steps", ("run",))
    assert len(steps) == 3
    folder, env = runner.checkout(table, text), secrets_of(table)
    assert runner.run(folder, steps, **env) == 0, runner.output
    check_advanced(table, runner, folder, env)
    # Nothing is due: the next run ends well, and main stays.
    before = table.main()
    assert runner.run(runner.checkout(table, text), steps, **env) == 0
    assert table.main() == before


def test_gitlab_host(with_workflows, runner, tmp_path):
    """The same on the other site; there the key is a file."""
    table = with_workflows("gitlab").copy(tmp_path / "table")
    text = read(table, ".gitlab-ci.yml")
    # A runner gives all lines to one shell.
    steps = ["\n".join(scripts(text, "host", ("script",)))]
    key = tmp_path / "key"
    key.write_text(secrets_of(table)[ci.KEY])
    key.chmod(0o600)
    made = tmp_path / "made"
    made.mkdir()
    env = {**secrets_of(table), ci.KEY: str(key)}
    folder = runner.checkout(table, text)
    given = {
        **env, "ADJUDICATOR_REMOTE": str(table.bare), ci.DEPLOY_KEY: str(key),
        ci.KNOWN_HOSTS: str(tmp_path / "known_hosts"), "TMPDIR": str(made),
    }  # fmt: skip
    assert runner.run(folder, steps, **given) == 0, runner.output
    check_advanced(table, runner, folder, {**env, ci.KEY: key.read_text()})
    assert list(made.iterdir()) == []
    assert runner.run(folder, steps, **{**given, ci.MASTER: "ab" * 32}) != 0
    assert list(made.iterdir()) == []
    # Of what players push nothing is fetched before the program does.
    table.order("alice", "silent")
    table.sync("alice")
    cloned = steps[0].partition("adjudicator ")[0]
    runner.output = ""
    runner.run(folder, [f'{cloned}git -C "$work/game" for-each-ref --format="%(refname)"'], **given)
    assert set(runner.output.split()) <= {"refs/heads/main", *TRACKED}


@pytest.mark.parametrize("site", ci.FORGES)
def test_verify(site, with_workflows, runner, run_git):
    """Green while a game is under way, red once something is false."""
    table = with_workflows(site)
    if site == "github":
        text = read(table, ".github/workflows/verify.yml")
        steps = scripts(text, "steps", ("run",))
    else:
        text = read(table, ".gitlab-ci.yml")
        steps = scripts(text, "verify", ("script",))
    folder = runner.checkout(table, text)
    # Nothing that players push is fetched, and all of main is.
    assert run_git(folder, "for-each-ref", "--format=%(refname)", "refs/remotes", "refs/tags") == (
        "refs/remotes/origin/main"
    )
    assert run_git(folder, "rev-parse", "--is-shallow-repository") == "false"
    env = {"CI_COMMIT_SHA": table.main()}
    assert runner.run(folder, steps, **env) == 0, runner.output
    (folder / "entries/0000.toml").write_bytes(b"x")
    run_git(folder, "commit", "-qam", "x")
    bad = run_git(folder, "rev-parse", "HEAD")
    assert runner.run(folder, steps, CI_COMMIT_SHA=bad) != 0


@pytest.fixture
def written(tmp_path):
    """Both sites' files, as a repository has them."""
    for site in ci.FORGES:
        for path, data in ci.workflows(site, PIN, hosts=True).items():
            target = tmp_path / "written" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    return tmp_path / "written"


# Two programs of the extra `test`; they ask nobody, all that they know is in their packages.


def audit(folder: Path) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).parent / "zizmor"
    return subprocess.run(
        [program, *AUDIT, str(folder)], capture_output=True, text=True, check=False
    )


def check_schema(site: str, paths: list[Path]) -> Result:
    from check_jsonschema import main

    return CliRunner().invoke(main, [*SCHEMAS[site], *map(str, paths)])


SCHEMAS = {
    "github": ["--builtin-schema", "vendor.github-workflows"],
    "gitlab": ["--builtin-schema", "vendor.gitlab-ci", "--data-transform", "gitlab-ci"],
}


@pytest.mark.parametrize("site", ci.FORGES)
def test_workflows_are_what_a_site_reads(site, written):
    """By the sites' own schemas; a word that they do not know is found."""
    paths = [written / path for path in ci.workflows(site, PIN, hosts=True)]
    done = check_schema(site, paths)
    assert done.exit_code == 0, done.output
    text = paths[-1].read_text()
    word = "runs-on:" if site == "github" else "resource_group:"
    paths[-1].write_text(text.replace(word, "no_such_word:"))
    assert check_schema(site, paths).exit_code == 1


AUDIT = ("--offline", "--no-progress", "--persona", "pedantic", "--format", "plain")


def test_workflows_pass_an_audit(written):
    """Nothing is found; the one thing that is ignored is ignored by name, with its reason."""
    done = audit(written)
    assert done.returncode == 0, done.stdout + done.stderr
    texts = [path.read_text() for path in (written / ".github" / "workflows").iterdir()]
    ignored = [line for text in texts for line in text.splitlines() if "zizmor: ignore" in line]
    assert len(ignored) == 1
    assert "main alone is checked out" in ignored[0]


@pytest.mark.parametrize(
    ("good", "bad", "found"),
    [
        (r"checkout@[0-9a-f]{40} # v\S+", "checkout@v5", "unpinned-uses"),
        ("permissions: {}", "permissions: write-all", "excessive-permissions"),
        ("          persist-credentials: (true|false)\n", "", "artipacked"),
        (r"# zizmor: ignore\S+", "#", "dangerous-triggers"),
    ],
)
def test_the_audit_finds_each_fault(written, good, bad, found):
    """What the test above passes fails it once undone."""
    for path in (written / ".github" / "workflows").iterdir():
        path.write_text(re.sub(good, bad, path.read_text()))
    done = audit(written)
    assert done.returncode != 0
    assert found in done.stdout


def test_no_job_may_write(written):
    """No job's own token can push: the host's deploy key can, which main alone sees."""
    for path in (written / ".github" / "workflows").iterdir():
        text = path.read_text()
        assert "write" not in text.replace("written", "")
        assert (ci.DEPLOY_KEY in text) == (path.name == "host.yml")


@pytest.mark.parametrize("site", ci.FORGES)
def test_verify_alone_needs_no_secret(site):
    """Without --host there is no job that names a secret or may write."""
    for data in ci.workflows(site, PIN, hosts=False).values():
        assert b"ADJUDICATOR_" not in data
        assert b"contents: write" not in data
    both = b"".join(ci.workflows(site, PIN, hosts=True).values())
    assert b"ADJUDICATOR_MASTER" in both
    assert b"@INSTALL@" not in both


@pytest.mark.parametrize("site", ci.FORGES)
def test_every_job_installs_what_the_host_named(site):
    """What runs beside the secrets is the host's source, by its bytes, and nothing else."""
    texts = [data.decode() for data in ci.workflows(site, PIN, hosts=True).values()]
    lines = [one.strip() for text in texts for one in text.splitlines() if "pip install" in one]
    jobs = 2 if site == "github" else 1
    assert len(lines) == 2 * jobs
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        assert " --require-hashes --only-binary=:all: -r " in first
        assert second.endswith(f'--no-deps --no-build-isolation "sealed-orders @ {SPEC}"')
    for row in LOCK:
        assert sum(text.count(f"{row}\n") for text in texts) == jobs


LOCK = (Path(ci.__file__).parent / "workflows" / "lock.txt").read_text().splitlines()


def test_the_lock_is_of_this_program():
    """A line for each distribution, with hashes; of all that the program and its building need, in
    versions that it takes. `bash .ci/lock` makes it anew."""
    form = re.compile(r"([a-z0-9-]+)==([0-9.]+)((?: --hash=sha256:[0-9a-f]{64})+)", re.ASCII)
    rows = [form.fullmatch(row) for row in LOCK]
    assert all(rows)
    locked = {row[1]: tuple(map(int, row[2].split("."))) for row in rows}
    assert len(locked) == len(rows)
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    needed = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for one in needed:
        name, _, least = one.partition(">=")
        assert locked[name] >= tuple(map(int, least.split("."))), one
    # With what these need in turn, as their own metadata say where they are installed.
    for name in [one for one in locked if find_spec(one.replace("-", "_"))]:
        for text in metadata.requires(name) or []:
            if ";" not in text:
                assert re.match("[A-Za-z0-9-]+", text)[0].lower() in locked, (name, text)


def test_no_workflow_without_a_source(make_table, monkeypatch):
    """Without --install, or with a name for a source, nothing is written; the error says why."""
    table = make_table(started=False)
    args = ["git", "setup", "github", "-g", str(table.record.root)]
    for more in ([], ["--install", "adjudicator"], ["--install", "sealed-orders==0.1.0"]):
        done = CliRunner().invoke(cli, [*args, *more])
        assert done.exit_code == 1
        assert "[bad-option]" in done.output
        assert "git+https://HOST/REPOSITORY@COMMIT" in done.output
        assert not (table.record.root / ".github").exists()
    monkeypatch.setenv("ADJUDICATOR_INSTALL", SPEC)
    assert CliRunner().invoke(cli, args).exit_code == 0
    assert SPEC in read(table, ".github/workflows/verify.yml")


def test_secrets_never_stand_in_a_command_line():
    """Workflow steps take values through the environment, never into the text of a script."""
    for data in ci.workflows("github", PIN, hosts=True).values():
        text = data.decode()
        for script in scripts(text, "steps", ("run",)):
            assert "${{" not in script


def test_what_players_push_starts_no_job_with_secrets():
    """host.yml runs after a knock and as main has it: no push and no request is its trigger."""
    files = ci.workflows("github", PIN, hosts=True)
    host = files[".github/workflows/host.yml"].decode()
    triggers = host.partition("\non:\n")[2].partition("\npermissions:")[0]
    assert "push" not in triggers
    assert "pull_request" not in triggers
    assert "schedule" in triggers
    name = re.search(r"workflows: \[(.+)\]", triggers)[1].strip('"')
    knock = files[".github/workflows/knock.yml"].decode()
    assert f"\nname: {name}\n" in knock
    assert scripts(knock, "steps", ("run",)) == ['"true"']
    for word in ("uses:", "${{ secrets", "pip", "adjudicator", "environment:"):
        assert word not in knock
    assert ".github/workflows/knock.yml" not in ci.workflows("github", PIN, hosts=False)


def test_on_the_other_site_no_push_of_a_players_starts_a_job():
    """Each job there runs on main alone."""
    text = ci.workflows("gitlab", PIN, hosts=True)[".gitlab-ci.yml"].decode()
    rules = re.findall(r"    - if: (.+)", text)
    assert len(rules) == 3
    for rule in rules:
        assert rule.startswith('$CI_COMMIT_BRANCH == "main" && ')


@pytest.mark.parametrize("site", ci.FORGES)
def test_a_file_in_the_checkout_is_not_run(site, tmp_path):
    """Whatever is called like a module of Python's stays unread while the program is installed."""
    lines = [
        line.strip()
        for data in ci.workflows(site, PIN, hosts=True).values()
        for line in data.decode().splitlines()
        if re.search(r"\bpython3? ", line)
    ]
    assert len(lines) == (6 if site == "github" else 3)
    for module in ("venv", "pip", "ensurepip"):
        (tmp_path / f"{module}.py").write_text("open('ran', 'w')")
    commands = {re.fullmatch(r"\S*python3? (-I -m \w+) .+", line)[1] for line in lines}
    for command in commands:
        for options in (command, command.removeprefix("-I ")):
            subprocess.run(
                [sys.executable, *options.split(), "--help"], cwd=tmp_path, capture_output=True,
                check=options == command,
            )  # fmt: skip
            assert (tmp_path / "ran").exists() == (options != command)
            (tmp_path / "ran").unlink(missing_ok=True)


def test_wrong_secrets_are_refused_and_never_quoted(make_table, monkeypatch):
    """Each of the three is compared with the invite; nothing is left where one is wrong."""
    table = make_table(started=False)
    env = secrets_of(table)
    shutil.rmtree(table.record.host)
    other = table._key("other")
    assert other.public
    wrong = {
        ci.MASTER: "ab" * 32,
        ci.LETTERS: "cd" * 32,
        ci.KEY: (table.folder / "other.key").read_text(),
    }
    for name, value in wrong.items():
        with pytest.raises(Refused) as error:
            ci.write_secrets(table.record, {**env, name: value})
        assert name in str(error.value)
        assert value.split()[0] not in str(error.value) or name == ci.KEY
        assert not table.record.host.exists()
        with pytest.raises(Refused) as error:
            ci.write_secrets(table.record, {k: v for k, v in env.items() if k != name})
        assert error.value.word == "missing"
    for name in (ci.MASTER, ci.LETTERS):
        with pytest.raises(Refused) as error:
            ci.write_secrets(table.record, {**env, name: "secret-thing"})
        assert "secret-thing" not in str(error.value)
    ci.write_secrets(table.record, env)
    assert table.record.host.stat().st_mode & 0o077 == 0
    folder = HostFolder(table.record.host)
    assert folder.key_path().stat().st_mode & 0o077 == 0
    assert folder.master().hex == env[ci.MASTER].strip()
    ci.write_secrets(table.record, env)
    (table.record.host / "master").write_text("ab" * 32 + "\n")
    with pytest.raises(Refused, match="is there already, with another master"):
        ci.write_secrets(table.record, env)
    shutil.rmtree(table.record.host)
    with pytest.raises(Refused, match="expected an OpenSSH private key, or the path of its file"):
        ci.write_secrets(table.record, {**env, ci.KEY: "no-key"})


def test_what_lies_beside_is_no_part_of_the_record(make_table, run_git):
    """Workflows and a page beside the record leave the verdict as it is; they are named."""
    table = make_table()
    args = ["git", "setup", "github", "--host", "-g", str(table.record.root)]
    assert CliRunner().invoke(cli, [*args, "--install", SPEC]).exit_code == 0
    table.sync_host()
    for source in (table.record, record_at(table.record.root, "main")):
        found = verify(source)
        assert found.code == 4
        told = next(claim.details for claim in found.claims if claim.name == "entries")
        assert ".github is not part of the record" in told
