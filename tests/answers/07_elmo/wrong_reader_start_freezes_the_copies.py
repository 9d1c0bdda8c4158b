# wrong: copied layers are frozen, as the biLM in question 8; only the output layer can learn then (breaks 'make a classifier of it and go on training all of its weights'; the function copies only)
# loses: q12-start-test
# says: arrays of weights of the classifier are frozen

# %% q12-start
def start_from(language_model, classifier):
    olds = [language_model.embedding, *language_model.recurrences]
    news = [classifier.encoder.embedding, *classifier.encoder.recurrences]
    for old, new in zip(olds, news):
        new.set_weights(old.get_weights())
        new.trainable = False
