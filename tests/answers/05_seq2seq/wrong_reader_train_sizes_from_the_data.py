# wrong: the size of a vocabulary is the largest id in the arrays plus one (breaks: "The model takes the sizes of the two vocabularies", which are in the dictionary; an id that does not stand in this data has no place in the model)
# loses: q11-train-test
# says: sizes from the task that it gets

# %% q11-train
def train_model(task, epochs):
    source_size = int(np.max(task["source"])) + 1
    target_size = int(np.max(task["following"])) + 1
    model = models.EncoderDecoder(
        source_size, target_size, units=96, embedding=32, context="every step"
    )
    model.compile(optimizer=make_optimizer(task, epochs), loss=models.masked_cross_entropy)
    model.fit(
        {"source": task["source"], "previous": task["previous"]},
        task["following"],
        batch_size=32,
        epochs=epochs,
        verbose=0,
        callbacks=[plots.TrainingCurve(task["name"])],
    )
    return model
