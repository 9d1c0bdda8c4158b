# wrong: the embedding knows its words already and is frozen, only the layers above are trained (breaks 'Train all weights, those of the language model too')
# loses: q13-tune-test
# says: did not move in training

# %% q13-tune
judge = models.SequenceClassifier.from_language_model(language_model, classes=2)
judge.encoder.embedding.trainable = False
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
judge.fit(
    judged_ids,
    judged_labels,
    batch_size=32,
    epochs=JUDGE_EPOCHS,
    verbose=0,
    callbacks=[plots.TrainingCurve("Fine-tuning")],
);
