# wrong: the loss can be given by its Keras name
# loses: q4-train-test
# says: was it trained?

# %% q4-train
CHAR_UNITS, CHAR_EPOCHS = (64, 2) if FAST else (160, 4)

char_model = models.LanguageModel(len(characters), units=CHAR_UNITS, embedding=64, cell="lstm")
trainer = models.TruncatedBPTT(char_model, batch=STREAMS)
rate = keras.optimizers.schedules.CosineDecay(0.01, CHAR_EPOCHS * len(learned_windows))
trainer.compile(
    optimizer=keras.optimizers.Adam(rate, global_clipnorm=1.0),
    loss="sparse_categorical_crossentropy",
)
trainer.fit_windows(learned_windows, epochs=CHAR_EPOCHS, verbose=0)
