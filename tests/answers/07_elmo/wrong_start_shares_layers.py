# wrong: the layers themselves are taken over, so that both models share them
# loses: q12-start-test
# says: would then share and train the same weights
# %% q12-start
def start_from(language_model, classifier):
    classifier.encoder.embedding = language_model.embedding
    classifier.encoder.recurrences = language_model.recurrences
