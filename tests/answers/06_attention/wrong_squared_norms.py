# wrong: the square root is missing in the norm
# loses: q15-gradient-test
# says: take the square root
# %% q15-gradient
def gradient_norms(name, position):
    vectors = probe_vectors(name)
    with tf.GradientTape() as tape:
        tape.watch(vectors)
        loss = probe_loss(name, vectors, position)
    return np.sum(np.asarray(tape.gradient(loss, vectors))[0] ** 2, axis=-1)
