# wrong: the language model must not change later, so it is frozen; it can then not be trained on (breaks 'the language model must stay as it is')
# loses: q12-start-test
# says: arrays of weights of the language model are frozen

# %% q12-start
def start_from(language_model, classifier):
    classifier.encoder.embedding.set_weights(language_model.embedding.get_weights())
    for old, new in zip(language_model.recurrences, classifier.encoder.recurrences):
        new.set_weights(old.get_weights())
    language_model.trainable = False
