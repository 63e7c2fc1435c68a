"""A row of the table of order words: what errors quote of it."""

from __future__ import annotations

from games.sugar_dog.word import Word


def word(*forms):
    """A word with these forms and nothing else."""
    return Word(forms, make=lambda: None, offers=lambda sight: ())


def test_errors_quote_every_form():
    """Each as it is written, headings spelt out, the last after `or`."""
    assert word("").expected("ping") == "'ping'"
    assert word("", "CELL").expected("silent") == "'silent' or 'silent CELL'"
    assert word("HEADING").expected("fire") == "'fire N', 'fire E', 'fire S' or 'fire W'"
    assert word("CELL HEADING").expected("ram").startswith("'ram CELL N', 'ram CELL E', ")


def test_a_row_finds_no_fault_where_none_is_named():
    """Nor may its line stand beside another, alone, or in the setup."""
    row = word("")
    assert row.fault(None, None) is None
    assert not (row.in_setup or row.beside or row.alone)
