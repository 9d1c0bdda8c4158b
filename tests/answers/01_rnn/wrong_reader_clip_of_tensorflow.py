# wrong: TensorFlow's own function does the clipping
# loses: q12-clip-test
# says: calls the ready-made clip_by_global_norm of TensorFlow

# %% q12-clip
def clip_by_global_norm(gradients, limit):
    clipped, norm = tf.clip_by_global_norm([tf.convert_to_tensor(g) for g in gradients], limit)
    return clipped
