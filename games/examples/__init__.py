"""Small games to begin one of your own with (docs/new-game.md)."""
