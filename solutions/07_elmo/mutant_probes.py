"""What two answers come to, for `rnnkit mutants`: they return nothing and change a model."""


def q8_freeze(names, generator):
    """Which weights move when the tagger is trained on sentences of random letters."""
    letters = list("abcdefgh")
    words = ["".join(generator.choice(letters, 4)) for _ in range(2)]
    before, after = names["train_two_steps"]([words], [[0, 1, 0, 1]])
    pairs = [(a, b) for parts in zip(before, after) for a, b in zip(*parts)]
    return [bool((a == b).all()) for a, b in pairs]


def q12_start(names, generator):
    """All weights of both models, for a random kind of cell and depth."""
    cell = str(generator.choice(["elman", "gru", "lstm"]))
    return names["after_start"](cell, int(generator.integers(1, 4)))
