# wrong: the decoder sees the symbols that it should predict
# loses: q9-train-test
# says: does it get the shifted targets
# %% q9-train
date_model = models.EncoderDecoder(
    len(source_vocabulary),
    len(target_vocabulary),
    units=64,
    embedding=32,
    attention=layers.AdditiveAttention(64),
)
date_model.compile(
    optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0),
    loss=models.masked_cross_entropy,
)
date_model.fit(
    {"source": date_source, "previous": date_following},
    date_following,
    batch_size=64,
    epochs=1,
    verbose=0,
)
