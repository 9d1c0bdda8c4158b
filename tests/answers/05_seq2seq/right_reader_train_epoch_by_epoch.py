# right: one call of fit for each epoch, with initial_epoch, tensors in place of arrays, the arguments of the model by name, all other settings as asked; the groups as a Counter, which is a dictionary, with shares as float32 numbers of NumPy

# %% q11-train
def train_model(task, epochs):
    model = models.EncoderDecoder(
        task["source_size"], task["target_size"], embedding=32, units=96, context="every step"
    )
    model.compile(make_optimizer(task, epochs), models.masked_cross_entropy)
    inputs = {key: tf.constant(np.asarray(task[key])) for key in ("previous", "source")}
    following = tf.constant(np.asarray(task["following"]))
    curve = plots.TrainingCurve(task["name"])
    for epoch in range(epochs):
        last = [curve] if epoch == epochs - 1 else []
        model.fit(
            inputs,
            following,
            batch_size=32,
            initial_epoch=epoch,
            epochs=epoch + 1,
            verbose=0,
            callbacks=last,
        )
    return model


# %% q12-groups
from collections import Counter


def accuracy_by_group(predictions, targets, groups):
    total = Counter(groups)
    right = Counter(g for p, t, g in zip(predictions, targets, groups) if p == t)
    return Counter({group: np.float32(right[group] / total[group]) for group in total})
