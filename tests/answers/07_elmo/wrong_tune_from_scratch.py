# wrong: the classifier starts from fresh weights
# loses: q13-tune-test
# says: not to start from the pretrained model
# %% q13-tune
judge = models.SequenceClassifier(
    len(judged_vocabulary), classes=2, units=64, embedding=32, directions="forward"
)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
judge.fit(judged_ids, judged_labels, batch_size=32, epochs=JUDGE_EPOCHS, verbose=0)
