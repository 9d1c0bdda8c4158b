# wrong: what fit gives back is returned, not the model
# loses: q11-train-test
# says: Received: History. This is what fit() gives back
# %% q11-train
def train_model(task, epochs):
    model = models.EncoderDecoder(task["source_size"], task["target_size"], units=32, embedding=16)
    model.compile(optimizer=keras.optimizers.Adam(0.005), loss=models.masked_cross_entropy)
    return model.fit(
        {"source": task["source"], "previous": task["previous"]},
        task["following"],
        batch_size=64,
        epochs=1,
        verbose=0,
    )
