# wrong: the sizes of the two vocabularies are swapped
# loses: q9-train-test
# says: the size of the source vocabulary comes first

# %% q9-train
DATE_EPOCHS = 4 if FAST else 5

date_model = models.EncoderDecoder(
    len(target_vocabulary),
    len(source_vocabulary),
    units=64,
    embedding=32,
    attention=layers.AdditiveAttention(64),
)
date_model.compile(
    optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0), loss=models.masked_cross_entropy
)
date_model.fit(
    {"source": date_source, "previous": date_previous},
    date_following,
    batch_size=64,
    epochs=DATE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Dates")],
)
