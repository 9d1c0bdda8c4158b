# wrong: the optimizer of the sums serves for every task (breaks: "The optimizer is `make_optimizer(task, epochs)`": with a task of another size the learning rate does not fall to 0 in these epochs, or does too early)
# loses: q11-train-test
# says: Is the optimizer make_optimizer(task, epochs)

# %% q11-train
def train_model(task, epochs):
    model = models.EncoderDecoder(
        task["source_size"], task["target_size"], units=96, embedding=32, context="every step"
    )
    model.compile(optimizer=make_optimizer(sums_task, epochs), loss=models.masked_cross_entropy)
    model.fit(
        {"source": task["source"], "previous": task["previous"]},
        task["following"],
        batch_size=32,
        epochs=epochs,
        verbose=0,
        callbacks=[plots.TrainingCurve(task["name"])],
    )
    return model
