"""The verifier: a record in, a line for each claim and a verdict out."""
