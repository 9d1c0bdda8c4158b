# right: the biLM is frozen variable by variable (the given cells build the model before they call the function), the start is one loop over all layers with copies of the arrays, and the judge gets its data by name

# %% q8-freeze
def freeze_bilm(model):
    for variable in model.bilm.variables:
        variable.trainable = False

# %% q12-start
def start_from(language_model, classifier):
    pairs = {"embedding": (language_model.embedding, classifier.encoder.embedding)}
    for n, pair in enumerate(zip(language_model.recurrences, classifier.encoder.recurrences)):
        pairs[n] = pair
    for old, new in reversed(list(pairs.values())):
        new.set_weights([np.array(array, dtype="float64") for array in old.get_weights()])

# %% q13-tune
judge = models.SequenceClassifier.from_language_model(language_model, classes=2)
judge.compile(optimizer=keras.optimizers.Adam(learning_rate=0.003, global_clipnorm=1.0))
history = judge.fit(
    x=tf.constant(judged_ids),
    y=tf.constant(judged_labels),
    epochs=JUDGE_EPOCHS,
    batch_size=32,
    verbose=0,
    callbacks=[plots.TrainingCurve("Fine-tuning")],
)
