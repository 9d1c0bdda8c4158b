# wrong: the numbers go from the new classifier into the trained language model
# loses: q12-start-test
# says: the language model stays as it is

# %% q12-start
def start_from(language_model, classifier):
    encoder = classifier.encoder
    language_model.embedding.set_weights(encoder.embedding.get_weights())
    for trained, new in zip(language_model.recurrences, encoder.recurrences):
        trained.set_weights(new.get_weights())
