# wrong: the tagger of the bank sentences reads forward only
# loses: q4-train-test
# says: the model reads forward only
# %% q4-train
bank_tagger = models.TokenTagger(
    len(bank_vocabulary), tags=4, units=64, embedding=32, cell="lstm", directions="forward"
)
bank_tagger.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0))
bank_tagger.fit(bank_ids, bank_labels, batch_size=32, epochs=BANK_EPOCHS, verbose=0)
