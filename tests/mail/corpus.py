# ruff: noqa: E501, RUF001 - mails are written here as they look, long lines and odd dashes too
"""The corpus: mails as clients, lists and servers leave them, each with its verdict."""

import base64
import binascii
import quopri
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from orders.bundle import Bundle, encode


def noise(seed: int, size: int) -> bytes:
    """Bytes that look drawn; the same on every machine."""
    out = bytearray()
    while len(out) < size:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        out.append(seed >> 56)
    return bytes(out)


ORDER = Bundle(
    "order",
    (
        ("orders/0007-alice.sealed", noise(1, 560)),
        ("slips/0007-alice.toml", b'kind = "slip/1"\nstep = 7\nplayer = "alice"\n'),
        ("slips/0007-alice.toml.sig", noise(2, 90)),
    ),
)
OTHER = Bundle("order", (("slips/0007-alice.toml", b'kind = "slip/1"\nrevision = 2\n'),))
ENTRY = Bundle("entry", (("entries/0006.toml", b'kind = "entry/1"\nstep = 6\n' + noise(3, 200)),))
BLOCK = encode(ORDER).decode()
SECOND = encode(OTHER).decode()
HOSTS = encode(ENTRY).decode()
FROM_HOST = "The game goes on.\n\nYour orders are awaited until 2026-11-24 18:00 UTC.\n\n" + HOSTS

HEAD = (
    "From: Alice <alice@example.org>\n"
    "To: referee@example.net\n"
    "Subject: Re: [friday] step 7\n"
    "Message-ID: <m1@example.org>\n"
    "In-Reply-To: <a.1@example.net>\n"
    "Date: Sat, 21 Nov 2026 19:00:00 +0000\n"
    "MIME-Version: 1.0\n"
)
PLAIN = "Content-Type: text/plain; charset=utf-8\n"


@dataclass(frozen=True)
class Case:
    """A mail and what must come of it.

    `reader` is who looks at it (host or player); `verdict` is `taken`, `nothing` or the word of the
    refusal; `digest` is of the bundle taken; `answer` is `no` where a host must keep silent.
    """

    name: str
    mail: bytes
    verdict: str = "taken"
    reader: str = "host"
    answer: str = "yes"
    digest: str = ORDER.digest


def mail(body: str | bytes, kind: str = PLAIN, head: str = HEAD, *, crlf: bool = False) -> bytes:
    """A mail of one part."""
    data = body.encode() if isinstance(body, str) else body
    out = (head + kind + "\n").encode() + data
    return out.replace(b"\n", b"\r\n") if crlf else out


def parts(*given: tuple[str, str | bytes], kind: str = "mixed", head: str = HEAD) -> bytes:
    """A mail of several parts: the headers of each, and its content."""
    out = [f'{head}Content-Type: multipart/{kind}; boundary="=_b1"\n\n'.encode()]
    for headers, body in given:
        data = body.encode() if isinstance(body, str) else body
        out.append(f"--=_b1\n{headers}\n".encode() + data + b"\n")
    return b"".join([*out, b"--=_b1--\n"])


def attached(name: str, content: bytes, kind: str = "text/plain") -> tuple[str, bytes]:
    """An attachment in base64."""
    headers = (
        f"Content-Type: {kind}; name={name}\nContent-Transfer-Encoding: base64\n"
        f"Content-Disposition: attachment; filename={name}\n"
    )
    return headers, base64.encodebytes(content)


def quoted(text: str, mark: str = "> ") -> str:
    """Every line with a quote mark before it."""
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def wrapped(text: str, width: int) -> str:
    """The text broken anew, as a mailer that knows nothing of blocks does."""
    return "\n".join(
        textwrap.wrap(" ".join(text.split()), width, break_long_words=True, break_on_hyphens=False)
    )


def html(text: str) -> str:
    """A page with a line in each paragraph."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "<html><body>" + "".join(f"<div>{x}</div>\n" for x in escaped.splitlines()) + "</body>"


def qp(text: str) -> bytes:
    """Quoted-printable."""
    return quopri.encodestring(text.encode())


def flowed(text: str, width: int = 40) -> str:
    """format=flowed as a mailer writes it that breaks every line (RFC 3676)."""
    out = []
    for line in text.splitlines():
        pieces = [line[at : at + width] for at in range(0, len(line), width)] or [""]
        out += [f"{piece} " for piece in pieces[:-1]] + [pieces[-1]]
    return "\n".join(out) + "\n"


def encodings() -> Iterator[Case]:
    """What transport does to bytes."""
    cte = "Content-Transfer-Encoding: "
    yield Case("plain", mail(BLOCK))
    yield Case("crlf", mail(BLOCK, crlf=True))
    yield Case("cr-only-body", mail(BLOCK.replace("\n", "\r")))
    yield Case("quoted-printable", mail(qp(BLOCK), PLAIN + cte + "quoted-printable\n"))
    lowered = qp(BLOCK).replace(b"=3D", b"=3d")
    yield Case("quoted-printable-lower", mail(lowered, PLAIN + cte + "quoted-printable\n"))
    yield Case("quoted-printable-header-lost", mail(qp(BLOCK)))
    every = "".join(f"={ord(c):02X}" if c != "\n" else "\n" for c in BLOCK)
    yield Case("quoted-printable-every-byte", mail(every, PLAIN + cte + "quoted-printable\n"))
    body = base64.encodebytes(BLOCK.encode())
    yield Case("base64", mail(body, PLAIN + cte + "base64\n"))
    crlf_inside = base64.encodebytes(BLOCK.replace("\n", "\r\n").encode())
    yield Case("base64-of-crlf", mail(crlf_inside, PLAIN + cte + "base64\n", crlf=True))
    one_line = base64.b64encode(BLOCK.encode()) + b"\n"
    yield Case("base64-on-one-line", mail(one_line, PLAIN + cte + "BASE64\n"))
    yield Case("utf-16", mail(BLOCK.encode("utf-16"), "Content-Type: text/plain; charset=utf-16\n"))
    marked = b"\xef\xbb\xbf" + BLOCK.encode()
    yield Case("byte-order-mark", mail(marked))
    yield Case("byte-order-mark-no-charset", mail(marked, "Content-Type: text/plain\n"))
    yield Case("no-content-type", mail(BLOCK, ""))
    yield Case("no-headers-but-from", mail(BLOCK, "", "From: alice@example.org\n"))
    wrong = ("Gr\xfc\xdfe\n\n" + BLOCK).encode("latin-1")
    yield Case("wrong-charset-utf-8", mail(wrong))
    yield Case(
        "windows-1252",
        mail("Grüße – ".encode("cp1252") + BLOCK.encode(), PLAIN.replace("utf-8", "windows-1252")),
    )
    yield Case("charset-unknown", mail(BLOCK, PLAIN.replace("utf-8", "x-nobody")), "nothing")
    yield Case("charset-that-is-no-charset", mail(BLOCK, PLAIN.replace("utf-8", "idna")), "nothing")
    yield Case(
        "charset-unknown-but-html-known",
        parts(
            ("Content-Type: text/plain; charset=x-nobody\n", BLOCK),
            ("Content-Type: text/html; charset=utf-8\n", html(BLOCK)),
            kind="alternative",
        ),
    )


def layouts() -> Iterator[Case]:
    """What mailers do to lines."""
    yield Case("flowed", mail(flowed(BLOCK), "Content-Type: text/plain; format=flowed\n"))
    delsp = "Content-Type: text/plain; format=flowed; delsp=yes\n"
    yield Case("flowed-delsp", mail(flowed(BLOCK), delsp))
    stuffed = "".join(f" {line}\n" for line in BLOCK.splitlines())
    yield Case("space-stuffed", mail(stuffed, "Content-Type: text/plain; format=flowed\n"))
    yield Case("quoted", mail(quoted(BLOCK)))
    yield Case("quoted-thrice", mail(quoted(quoted(quoted(BLOCK, ">"), ">"), "> ")))
    yield Case("quoted-with-bars", mail(quoted(BLOCK, "| ")))
    yield Case("quoted-with-initials", mail(quoted(BLOCK, "AB> ")))
    yield Case("quoted-and-rewrapped", mail(quoted(wrapped(BLOCK, 50))))
    longer = "".join(
        f"> {line[:60]}\n{line[60:]}\n" if len(line) > 60 else f"> {line}\n"
        for line in BLOCK.splitlines()
    )
    yield Case("quoted-then-wrapped", mail(longer))
    for width in (20, 33, 60, 72, 76, 120, 5000):
        yield Case(f"rewrapped-at-{width}", mail(wrapped(BLOCK, width)))
    yield Case("indented", mail(textwrap.indent(BLOCK, "        ")))
    yield Case("tabs", mail(textwrap.indent(BLOCK, "\t")))
    yield Case("trailing-blanks", mail(BLOCK.replace("\n", "   \n")))
    yield Case("no-break-spaces", mail(BLOCK.replace(" ", "\u00a0")))
    trailing = BLOCK.replace("\n", "\u00a0\n")
    yield Case("no-break-spaces-trailing", mail(trailing))
    yield Case("zero-width-spaces", mail(BLOCK.replace("\n", "\u200b\n")))
    yield Case("blank-lines-between", mail(BLOCK.replace("\n", "\n\n")))
    yield Case("no-empty-line-inside", mail(BLOCK.replace("\n\n", "\n")))
    yield Case("smart-dashes", mail(BLOCK.replace("-----", "—–-")))
    dashes = BLOCK.replace("-----BEGIN", "- -----BEGIN").replace("-----END", "- -----END")
    yield Case("dash-escaped", mail(dashes))
    yield Case("pad-lost", mail(BLOCK.replace("=", "")))
    yield Case("from-escaped", mail(f">From the desk of Alice\n\n>From {BLOCK}"))
    below = f"{BLOCK}\n-- \nAlice\n+1 555 0100 -- call me --\n"
    yield Case("signature-below", mail(below))
    footer = (
        f"{BLOCK}\n_______________________________________________\nFriday mailing list\n"
        "https://lists.example.org/mailman/listinfo/friday\n"
    )
    yield Case("list-footer", mail(footer, PLAIN + "List-Id: <friday.example.org>\n"))
    disclaimer = "\nCONFIDENTIAL: this message -----BEGIN and END----- may hold secrets.\n"
    yield Case("disclaimer-around", mail(disclaimer + BLOCK + disclaimer))
    yield Case("block-on-one-line", mail(" ".join(BLOCK.split())))


def clients() -> Iterator[Case]:
    """Answers and attachments as the well-known mail programs write them."""
    text = "Content-Type: text/plain; charset=UTF-8\n"
    page = "Content-Type: text/html; charset=UTF-8\n"
    said = "On Sat, Nov 21, 2026 at 6:00 PM Referee <referee@example.net> wrote:\n\n"
    answer = f"{BLOCK}\n{said}{quoted(FROM_HOST)}"
    gmail_page = (
        f'<div dir="ltr">{html(BLOCK)}</div><br><div class="gmail_quote"><div dir="ltr">{said}</div>'
        f'<blockquote class="gmail_quote">{html(FROM_HOST)}</blockquote></div>'
    )
    yield Case("gmail-reply", parts((text, answer), (page, gmail_page), kind="alternative"))
    yield Case("gmail-reply-folded", parts(
        (text, f"{wrapped(BLOCK, 76)}\n\n{said}{quoted(FROM_HOST)}"), (page, gmail_page),
        kind="alternative"))  # fmt: skip
    outlook_page = (
        "<html><head><style>p.MsoNormal {margin:0cm}</style></head><body>"
        + "".join(
            f'<p class="MsoNormal"><span>{x or "&nbsp;"}<o:p></o:p></span></p>'
            for x in BLOCK.replace(" ", "&nbsp;").splitlines()
        )
        + "<hr><b>From:</b> Referee<br></body></html>"
    )
    outlook = (
        f"{BLOCK}\n________________________________\nFrom: Referee\nSent: today\n\n{FROM_HOST}"
    )
    yield Case("outlook-reply", parts((text, outlook), (page, outlook_page), kind="alternative"))
    yield Case("outlook-html-only", mail(outlook_page, page))
    apple = parts(
        (text + "Content-Transfer-Encoding: quoted-printable\n", qp(f"Here.\n\n{BLOCK}\n> On 21 Nov "
         f"2026, at 19:00, Referee wrote:\n{quoted(FROM_HOST)}")),
        (page, f"<html><body>{html(BLOCK)}<blockquote type=cite>{html(FROM_HOST)}</blockquote>"),
        kind="alternative",
    )  # fmt: skip
    yield Case("apple-mail-reply", apple)
    apple_attached = parts(
        (text, "Sent from my phone\n"), attached("alice-0007-1.txt", BLOCK.encode(), "text/plain")
    )
    yield Case("apple-mail-attachment", apple_attached)
    yield Case("mutt-reply", mail(f"* Referee [2026-11-21 19:00]:\n{quoted(FROM_HOST)}\n{BLOCK}"))
    yield Case("mutt-attachment", parts((PLAIN, "Hi,\n\nmy orders.\n"),
        ("Content-Type: text/plain; charset=us-ascii\nContent-Disposition: attachment; "
         'filename="alice-0007-1.txt"\n', BLOCK)))  # fmt: skip
    yield Case("thunderbird-flowed-reply", mail(
        f"On 21/11/2026 19:00, Referee wrote:\n{quoted(FROM_HOST)}\n{flowed(BLOCK, 66)}",
        "Content-Type: text/plain; charset=UTF-8; format=flowed\n"))  # fmt: skip
    yield Case("attachment-octet-stream", parts(
        (text, "See the file.\n"),
        attached("alice-0007-1.txt", BLOCK.encode(), "application/octet-stream")))  # fmt: skip
    yield Case("attachment-crlf-and-mark", parts(
        (text, "See the file.\n"),
        attached("a.txt", b"\xef\xbb\xbf" + BLOCK.replace("\n", "\r\n").encode(),
                 "application/octet-stream")))  # fmt: skip
    yield Case("attachment-only", mail(attached("a.txt", BLOCK.encode())[1],
        attached("a.txt", b"")[0]))  # fmt: skip
    inner = mail(BLOCK).decode()
    yield Case("forwarded-as-attachment", parts(
        (text, "Please pass this on.\n"), ("Content-Type: message/rfc822\n", inner)))  # fmt: skip
    forwarded = f"---------- Forwarded message ---------\nFrom: Alice\n\n{BLOCK}"
    yield Case("forwarded-inline", mail(forwarded))
    yield Case("html-only-pre", mail(f"<pre>{BLOCK}</pre>", page))
    yield Case("html-only-br", mail("<br>".join(BLOCK.splitlines()), page))
    yield Case("html-only-entities", mail(
        BLOCK.replace("=", "&#61;").replace("+", "&#x2B;").replace("\n", "<br />"), page))  # fmt: skip
    yield Case("html-escaped-in-plain", mail(quoted(BLOCK, "&gt; ")))
    signed = parts(
        (PLAIN, BLOCK), ("Content-Type: application/pgp-signature\n", "-----BEGIN PGP\n")
    )
    yield Case("pgp-signed", signed)


def doubtful() -> Iterator[Case]:
    """More than one block, damaged ones, none, and what must be left unanswered."""
    text = "Content-Type: text/plain; charset=UTF-8\n"
    page = "Content-Type: text/html; charset=UTF-8\n"
    yield Case("same-twice", mail(BLOCK + "\n" + BLOCK))
    yield Case("same-in-text-and-attached", parts(
        (text, BLOCK), attached("a.txt", BLOCK.encode())))  # fmt: skip
    yield Case("two-different", mail(BLOCK + "\n" + SECOND), "ambiguous")
    yield Case("text-and-html-differ", parts(
        (text, BLOCK), (page, html(SECOND)), kind="alternative"), "ambiguous")  # fmt: skip
    yield Case("two-different-attached", parts(
        attached("a.txt", BLOCK.encode()), attached("b.txt", SECOND.encode())),
        "ambiguous")  # fmt: skip
    cut = BLOCK[: len(BLOCK) // 2]
    yield Case("cut-short", mail(cut), "bad-bundle")
    yield Case("cut-copy-in-html", parts((text, BLOCK), (page, html(cut)), kind="alternative"))
    yield Case("cut-then-whole", mail(f"{quoted(cut)}\n{BLOCK}"))
    flipped = BLOCK[:400] + ("A" if BLOCK[400] != "A" else "B") + BLOCK[401:]
    yield Case("one-character-changed", mail(flipped), "bad-bundle")
    lines = BLOCK.splitlines(keepends=True)
    yield Case("one-line-lost", mail("".join(lines[:6] + lines[7:])), "bad-bundle")
    yield Case("lines-exchanged", mail(
        "".join([*lines[:6], lines[7], lines[6], *lines[8:]])), "bad-bundle")  # fmt: skip
    yield Case("digest-of-other", mail(
        BLOCK.replace(ORDER.digest, OTHER.digest)), "bad-bundle")  # fmt: skip
    yield Case("kind-changed", mail(BLOCK.replace("kind: order", "kind: join")), "bad-bundle")
    damaged_host = FROM_HOST.replace("-----END", "")
    yield Case("damaged-host-block-quoted", mail(f"{BLOCK}\n{quoted(damaged_host)}"))
    yield Case("host-block-only", mail(quoted(FROM_HOST)), "nothing")
    yield Case("no-block", mail("status\n"), "nothing")
    yield Case("empty-body", mail(""), "nothing")
    yield Case("empty-file", b"", "nothing")
    yield Case("begin-in-words", mail("Paste it from -----BEGIN ADJUDICATOR on.\n"), "nothing")
    gzipped = base64.b64decode("H4sIAAAAAAAAA0vKLy/KTAEAbtYrggYAAAA=")
    yield Case("gzip-attached", parts(
        (text, "status\n"), attached("a.txt.gz", gzipped, "application/gzip")),
        "nothing")  # fmt: skip
    yield Case("two-from-lines", mail(BLOCK, PLAIN + "From: mallory@example.com\n"))
    yield Case("reply-to-elsewhere", mail(BLOCK, PLAIN + "Reply-To: mallory@example.com\n"))
    yield Case("auto-submitted", mail(BLOCK, PLAIN + "Auto-Submitted: auto-replied\n"), answer="no")
    away = "I am away until Monday.\n\n" + quoted(FROM_HOST)
    vacation = mail(away, PLAIN + "Auto-Submitted: auto-replied (vacation)\n")
    yield Case("vacation-reply", vacation, "nothing", answer="no")
    yield Case("vacation-precedence", mail(
        away, PLAIN + "Precedence: bulk\n"), "nothing", answer="no")  # fmt: skip
    bounce_head = HEAD.replace(
        "Alice <alice@example.org>", "Mail System <MAILER-DAEMON@example.org>"
    )
    yield Case("bounce", parts(
        (text, "Your message could not be delivered.\n"),
        ("Content-Type: message/delivery-status\n", "Reporting-MTA: dns; example.org\n"),
        ("Content-Type: message/rfc822\n", mail(FROM_HOST).decode()),
        kind="report; report-type=delivery-status", head="Return-Path: <>\n" + bounce_head),
        "nothing", answer="no")  # fmt: skip
    yield Case("null-sender", mail(
        "hello\n", PLAIN, "Return-Path: <>\n" + HEAD), "nothing", answer="no")  # fmt: skip
    own = mail(FROM_HOST, PLAIN + "X-Adjudicator: host\nAuto-Submitted: auto-generated\n")
    yield Case("own-mail-coming-back", own, "nothing", answer="no")
    yield Case("host-mail-for-player", own, reader="player", digest=ENTRY.digest, answer="no")
    forwarded = mail(quoted(FROM_HOST) + BLOCK)
    yield Case("player-reads-quoted-thread", forwarded, reader="player", digest=ENTRY.digest)
    nested = "".join(f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(60))
    yield Case("nested-60-deep", (HEAD + nested + "\n").encode(), "too-deep")
    yield Case("parts-300", parts(*[(PLAIN, "x\n")] * 300), "too-big")
    boundary = (HEAD + "Content-Type: multipart/mixed\n\n" + BLOCK).encode()
    yield Case("multipart-without-boundary", boundary)
    yield Case("nul-bytes", mail(b"\0\0\0" + BLOCK.encode() + b"\0"))


def mangled() -> Iterator[Case]:
    """What the second trial by mail found besides: each is read rightly or refused."""
    text = "Content-Type: text/plain; charset=UTF-8\n"
    twice = "Content-Transfer-Encoding: quoted-printable\n"
    yield Case("quoted-printable-twice", mail(qp(qp(BLOCK).decode()), PLAIN + twice))
    yield Case("attachment-as-pdf", parts(
        (text, "My move.\n"), attached("a.pdf", BLOCK.encode(), "application/pdf")))  # fmt: skip
    yield Case("attachment-as-winmail", parts(
        (text, "My move.\n"),
        attached("winmail.dat", b"\x78\x9f\x3e\x22" + BLOCK.encode(), "application/ms-tnef"),
    ))  # fmt: skip
    yield Case("attached-mail", parts(
        (text, "See below.\n"), ("Content-Type: message/rfc822\n", mail(BLOCK))))  # fmt: skip
    yield Case("one-dash-for-five", mail(BLOCK.replace("-----", "\u2014")))
    yield Case("dashes-gone", mail(BLOCK.replace("-----", "")))
    yield Case("colon-before-lines", mail(quoted(BLOCK, ": ")), "bad-bundle")
    numbered = "".join(f"{n} {line}\n" for n, line in enumerate(BLOCK.splitlines(), 1))
    yield Case("line-numbers", mail(numbered), "bad-bundle")
    yield Case("names-with-capitals", mail(BLOCK.replace("kind:", "Kind:")))
    yield Case("uuencoded", mail("begin 644 a.txt\n" + "".join(
        binascii.b2a_uu(BLOCK.encode()[at : at + 45]).decode()
        for at in range(0, len(BLOCK), 45)) + "`\nend\n"), "nothing")  # fmt: skip
    yield Case("utf-16-undeclared", mail(BLOCK.encode("utf-16-le")), "nothing")


def cases() -> list[Case]:
    """All of them, in order."""
    return [*encodings(), *layouts(), *clients(), *doubtful(), *mangled()]
