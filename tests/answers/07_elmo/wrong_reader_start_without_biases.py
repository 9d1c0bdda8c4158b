# wrong: the matrices hold what was learned, the biases stay as new; in two new models these are equal, but not when the language model is trained (breaks 'Copy the weights of all these layers')
# loses: q12-start-test
# says: not right

# %% q12-start
def start_from(language_model, classifier):
    encoder = classifier.encoder
    encoder.embedding.set_weights(language_model.embedding.get_weights())
    for old, new in zip(language_model.recurrences, encoder.recurrences):
        pairs = zip(old.get_weights(), new.get_weights())
        new.set_weights([a if a.ndim > 1 else b for a, b in pairs])
