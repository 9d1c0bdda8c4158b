# wrong: the words after it decide, so reading from right to left is enough
# loses: q4-train-test
# says: the model reads backward only

# %% q4-train
keras.utils.set_random_seed(4)
turned_tagger = models.TokenTagger(
    len(bank_vocabulary), tags=4, units=32, embedding=32, cell="elman", directions="forward"
)
turned_tagger.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0))
turned_tagger.fit(
    bank_ids[:, ::-1], bank_labels[:, ::-1], batch_size=32, epochs=BANK_EPOCHS, verbose=0
)


def bank_tagger(ids):
    return np.asarray(turned_tagger(np.asarray(ids)[:, ::-1]))[:, ::-1]
