# wrong: the position is counted from 1, so the loss is that of the output before it
# loses: q15-gradient-test
# says: the loss at the output before it

# %% q15-gradient
def gradient_norms(name, position):
    vectors = probe_vectors(name)
    with tf.GradientTape() as tape:
        tape.watch(vectors)
        loss = probe_loss(name, vectors, position - 1)
    return tf.norm(tape.gradient(loss, vectors), axis=-1)[0]
