# wrong: the loss named by its string takes the logits for probabilities
# loses: q13-tune-test
# says: loss that expects probabilities

# %% q13-tune
keras.utils.set_random_seed(7)
judge = models.SequenceClassifier.from_language_model(language_model, classes=2)
judge.compile(
    keras.optimizers.Adam(0.003, global_clipnorm=1.0), loss="sparse_categorical_crossentropy"
)
judge.fit(judged_ids, judged_labels, batch_size=32, epochs=JUDGE_EPOCHS, verbose=0);
