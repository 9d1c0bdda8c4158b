# wrong: the sizes of the two vocabularies change places, which the sums do not show: they have one vocabulary
# loses: q11-train-test
# says: sizes of source and target are swapped

# %% q11-train
def train_model(task, epochs):
    model = models.EncoderDecoder(
        task["target_size"], task["source_size"], units=96, embedding=32, context="every step"
    )
    model.compile(make_optimizer(task, epochs), loss=models.masked_cross_entropy)
    inputs = {"source": task["source"], "previous": task["previous"]}
    model.fit(inputs, task["following"], batch_size=32, epochs=epochs, verbose=0)
    return model
