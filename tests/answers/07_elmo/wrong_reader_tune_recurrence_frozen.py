# wrong: freezes the encoder, as ELMo's way would: nothing is fine-tuned but the output layer
# loses: q13-tune-test
# says: judge was not fine-tuned

# %% q13-tune
keras.utils.set_random_seed(7)
judge = models.SequenceClassifier.from_language_model(language_model, classes=2)
judge.encoder.trainable = False
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
judge.fit(judged_ids, judged_labels, batch_size=32, epochs=JUDGE_EPOCHS, verbose=0);
