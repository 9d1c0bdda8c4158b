# wrong: the weights are copied from the classifier to the language model
# loses: q12-start-test
# says: has changed
# %% q12-start
def start_from(language_model, classifier):
    encoder = classifier.encoder
    language_model.embedding.set_weights(encoder.embedding.get_weights())
    for new, trained in zip(encoder.recurrences, language_model.recurrences):
        trained.set_weights(new.get_weights())
