# wrong: only the embedding is copied
# loses: q12-start-test
# says: recurrent layer 1 of the classifier, array 1 of its weights: not right. These are still its first random numbers
# %% q12-start
def start_from(language_model, classifier):
    classifier.encoder.embedding.set_weights(language_model.embedding.get_weights())
