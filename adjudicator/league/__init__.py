"""What plays or judges many games: a demo's, a simulation's, a trial's, an archive's."""
