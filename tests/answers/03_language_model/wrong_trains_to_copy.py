# wrong: the targets are the inputs, so the model learns to copy
# loses: q4-train-test
# says: predicts the symbol that it sees
# %% q4-train
CHAR_EPOCHS = 1

char_model = models.LanguageModel(len(characters), units=64, embedding=64, cell="lstm")
trainer = models.TruncatedBPTT(char_model, batch=STREAMS)
trainer.compile(
    optimizer=keras.optimizers.Adam(0.01, global_clipnorm=1.0), loss=models.masked_cross_entropy
)
copies = [(inputs, inputs) for inputs, targets in learned_windows[:120]]
trainer.fit_windows(copies, epochs=2 if FAST else 3, verbose=0);
