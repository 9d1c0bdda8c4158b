# wrong: the judge is trained on labels that were shuffled apart from their sentences
# loses: q8-train-test
# says: Do the labels stand in the order of the inputs
# %% q8-train
judge = models.SequenceClassifier(
    len(judged_vocabulary), classes=2, units=48, embedding=32, cell="elman", directions="both"
)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
order = np.random.default_rng(0).permutation(len(judged_ids))
judge.fit(judged_ids[order], judged_labels, batch_size=32, epochs=JUDGE_EPOCHS, verbose=0)
