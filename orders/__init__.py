"""What is signed: the files that people exchange. Knows no game and no record folder."""
