# wrong: labels count from 0 and padding needs none, so each label is one less
# loses: q4-train-test
# says: accuracy 0.000

# %% q4-train
keras.utils.set_random_seed(4)
bank_tagger = models.TokenTagger(
    len(bank_vocabulary), tags=4, units=32, embedding=32, cell="elman", directions="both"
)
bank_tagger.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0))
bank_tagger.fit(
    bank_ids, np.maximum(bank_labels - 1, 0), batch_size=32, epochs=BANK_EPOCHS, verbose=0
)
