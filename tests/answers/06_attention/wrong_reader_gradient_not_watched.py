# wrong: the vectors are not watched by the tape
# loses: q15-gradient-test
# says: call tape.watch(vectors)

# %% q15-gradient
def gradient_norms(name, position):
    vectors = probe_vectors(name)
    with tf.GradientTape() as tape:
        loss = probe_loss(name, vectors, position)
    gradient = tape.gradient(loss, vectors)
    return tf.norm(gradient, axis=-1)[0]
