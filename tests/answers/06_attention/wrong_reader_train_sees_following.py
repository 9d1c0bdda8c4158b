# wrong: the decoder sees date_following in training, the very symbols it should predict, and learns to copy them
# loses: q9-train-test
# says: previous as input and following as what to predict

# %% q9-train
DATE_EPOCHS = 4 if FAST else 5

date_model = models.EncoderDecoder(
    len(source_vocabulary),
    len(target_vocabulary),
    units=64,
    embedding=32,
    attention=layers.AdditiveAttention(64),
)
date_model.compile(
    optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0), loss=models.masked_cross_entropy
)
date_model.fit(
    {"source": date_source, "previous": date_following},
    date_following,
    batch_size=64,
    epochs=DATE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Dates")],
)
