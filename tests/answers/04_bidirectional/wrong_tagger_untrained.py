# wrong: the tagger is compiled, and never trained
# loses: q4-train-test
# says: bank_tagger: accuracy
# %% q4-train
bank_tagger = models.TokenTagger(
    len(bank_vocabulary), tags=4, units=32, embedding=32, cell="elman", directions="both"
)
bank_tagger.compile(keras.optimizers.Adam(0.005, global_clipnorm=1.0))
