"""The instructor's half: sources to notebooks, notebooks to exercises."""
