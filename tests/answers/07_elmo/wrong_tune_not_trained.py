# wrong: made from the language model, but fit was forgotten
# loses: q13-tune-test
# says: judge was not fine-tuned
# %% q13-tune
judge = models.SequenceClassifier.from_language_model(language_model, classes=2)
judge.compile(keras.optimizers.Adam(0.003, global_clipnorm=1.0))
