# wrong: the models are not trained, so the norms are computed once for each name and kept; the second position of the same model gets the norms of the first; it breaks "the norm of the gradient of the loss at one output position"
# loses: q15-gradient-test
# says: the position is not used, or they were kept

# %% q15-gradient
known_norms = {}


def gradient_norms(name, position):
    if name not in known_norms:
        vectors = probe_vectors(name)
        with tf.GradientTape() as tape:
            tape.watch(vectors)
            loss = probe_loss(name, vectors, position)
        known_norms[name] = tf.norm(tape.gradient(loss, vectors), axis=-1)[0]
    return known_norms[name]
