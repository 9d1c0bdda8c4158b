# wrong: the decoder reads following while it should predict following; it learns to copy and can't write alone
# loses: q11-train-test
# says: previous as input and following as what to predict

# %% q11-train
def train_model(task, epochs):
    model = models.EncoderDecoder(
        task["source_size"], task["target_size"], units=96, embedding=32, context="every step"
    )
    model.compile(make_optimizer(task, epochs), loss=models.masked_cross_entropy)
    inputs = {"source": task["source"], "previous": task["following"]}
    model.fit(inputs, task["following"], batch_size=32, epochs=epochs, verbose=0)
    return model
