"""What is signed: the files that people exchange. No game and no record folder is known here."""
