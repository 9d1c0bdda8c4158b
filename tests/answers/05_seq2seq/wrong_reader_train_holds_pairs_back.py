# wrong: one always holds back a part for validation (breaks: "epochs: how often all pairs are read": a tenth of the pairs, the last ones, is never read)
# loses: q11-train-test
# says: Is a part of the pairs held back

# %% q11-train
def train_model(task, epochs):
    model = models.EncoderDecoder(
        task["source_size"], task["target_size"], units=96, embedding=32, context="every step"
    )
    model.compile(loss=models.masked_cross_entropy, optimizer=make_optimizer(task, epochs))
    model.fit(
        x={"source": task["source"], "previous": task["previous"]},
        y=task["following"],
        validation_split=0.1,
        batch_size=32,
        epochs=epochs,
        verbose=0,
        callbacks=[plots.TrainingCurve(task["name"])],
    )
    return model
