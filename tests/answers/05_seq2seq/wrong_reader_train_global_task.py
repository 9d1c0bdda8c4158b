# wrong: the function reads sums_task of the notebook instead of its argument, which the sums do not show
# loses: q11-train-test
# says: sizes from the task that it gets

# %% q11-train
def train_model(task, epochs):
    size = len(number_vocabulary)
    model = models.EncoderDecoder(size, size, units=96, embedding=32, context="every step")
    model.compile(make_optimizer(sums_task, epochs), loss=models.masked_cross_entropy)
    inputs = {"source": sums_task["source"], "previous": sums_task["previous"]}
    model.fit(inputs, sums_task["following"], batch_size=32, epochs=epochs, verbose=0)
    return model
