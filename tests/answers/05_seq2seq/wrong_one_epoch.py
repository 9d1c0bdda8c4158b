# wrong: the number of epochs is not passed on, so that fit makes one
# loses: q11-train-test
# says: It was trained for 1 of the 14 epochs
# %% q11-train
def train_model(task, epochs):
    model = models.EncoderDecoder(task["source_size"], task["target_size"], units=96, embedding=32)
    model.compile(
        optimizer=make_optimizer(task, epochs),
        loss=models.masked_cross_entropy,
    )
    inputs = {"source": task["source"], "previous": task["previous"]}
    model.fit(inputs, task["following"], batch_size=32, verbose=0)
    return model
