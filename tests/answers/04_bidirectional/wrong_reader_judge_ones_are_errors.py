# wrong: 1 stands for an error in the sentence
# loses: q8-train-test
# says: On the examples that it should be trained on

# %% q8-train
keras.utils.set_random_seed(4)
judge = models.SequenceClassifier(
    len(judged_vocabulary), classes=2, units=48, embedding=32, cell="elman", directions="both"
)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
judge.fit(judged_ids, 1 - judged_labels, batch_size=32, epochs=JUDGE_EPOCHS, verbose=0)
