# wrong: no source is longer than SUM_LENGTH, a number of the cell above (breaks: "trains it on a task", "task is the dictionary": sources of another task with more than 8 symbols are cut)
# loses: q11-train-test
# says: Its vector has not moved in training

# %% q11-train
def train_model(task, epochs):
    model = models.EncoderDecoder(
        task["source_size"], task["target_size"], units=96, embedding=32, context="every step"
    )
    model.compile(optimizer=make_optimizer(task, epochs), loss=models.masked_cross_entropy)
    source = np.asarray(task["source"])[:, :SUM_LENGTH]
    model.fit(
        {"source": source, "previous": task["previous"]},
        task["following"],
        batch_size=32,
        epochs=epochs,
        verbose=0,
        callbacks=[plots.TrainingCurve(task["name"])],
    )
    return model
