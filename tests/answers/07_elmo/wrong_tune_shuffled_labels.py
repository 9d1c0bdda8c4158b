# wrong: the labels are drawn in another order than the sentences
# loses: q13-tune-test
# says: judge: MCC
# %% q13-tune
judge = models.SequenceClassifier.from_language_model(language_model, classes=2)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
order = np.random.default_rng(0).permutation(len(judged_ids))
judge.fit(judged_ids, judged_labels[order], batch_size=32, epochs=JUDGE_EPOCHS, verbose=0)
