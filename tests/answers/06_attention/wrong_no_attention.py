# wrong: the model for the dates has no attention
# loses: q9-train-test
# says: no attention
# %% q9-train
date_model = models.EncoderDecoder(
    len(source_vocabulary), len(target_vocabulary), units=64, embedding=32
)
