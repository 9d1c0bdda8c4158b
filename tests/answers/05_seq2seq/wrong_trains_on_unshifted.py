# wrong: the decoder sees the symbols that it should predict
# loses: q11-train-test
# says: previous as input and following as what to predict
# %% q11-train
def train_model(task, epochs):
    model = models.EncoderDecoder(task["source_size"], task["target_size"], units=64, embedding=16)
    model.compile(
        optimizer=keras.optimizers.Adam(0.005, global_clipnorm=1.0),
        loss=models.masked_cross_entropy,
    )
    model.fit(
        {"source": task["source"], "previous": task["following"]},
        task["following"],
        batch_size=64,
        epochs=1,
        verbose=0,
    )
    return model
