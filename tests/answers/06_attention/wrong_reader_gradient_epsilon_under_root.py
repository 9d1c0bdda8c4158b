# wrong: a small number under the root keeps it away from 0, as in many normalisations; a small gradient (far away, without attention) comes out as about 3e-4 in place of its own norm; it breaks g_j = sqrt(sum over u of (d loss_i / d x_ju)^2)
# loses: q15-gradient-test
# says: A small number is added to the sum of squares

# %% q15-gradient
def gradient_norms(name, position):
    vectors = probe_vectors(name)
    with tf.GradientTape() as tape:
        tape.watch(vectors)
        loss = probe_loss(name, vectors, position)
    gradients = tape.gradient(loss, vectors)
    return tf.sqrt(tf.reduce_sum(gradients**2, axis=-1) + keras.config.epsilon())[0]
