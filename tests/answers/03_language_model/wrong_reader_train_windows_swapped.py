# wrong: a window is a pair (targets, inputs), so turn it round for the trainer
# loses: q4-train-test

# %% q4-train
CHAR_UNITS, CHAR_EPOCHS = (64, 2) if FAST else (160, 4)

char_model = models.LanguageModel(len(characters), units=CHAR_UNITS, embedding=64, cell="lstm")
trainer = models.TruncatedBPTT(char_model, batch=STREAMS)
rate = keras.optimizers.schedules.CosineDecay(0.01, CHAR_EPOCHS * len(learned_windows))
trainer.compile(
    optimizer=keras.optimizers.Adam(rate, global_clipnorm=1.0), loss=models.masked_cross_entropy
)
trainer.fit_windows(
    [(inputs, targets) for targets, inputs in learned_windows], epochs=CHAR_EPOCHS, verbose=0
)
