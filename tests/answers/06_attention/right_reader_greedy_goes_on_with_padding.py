# right: the table is full of padding from the start and is returned whole, as a tensor of max_length columns; the step is called no more once all have ended ("you may also go on to max_length and write only PAD_ID"), and one array of int32 is used again for previous (a copy is given to step)

# %% q8-greedy
def greedy_decode(step, state, batch, max_length):
    written = np.zeros((batch, max_length), dtype="int32")
    going = np.arange(batch)
    previous = np.full((batch,), BOS_ID, dtype="int32")
    number = 0
    while number < max_length and going.size:
        scores, state = step(previous.copy(), state)
        previous[:] = PAD_ID
        previous[going] = ops.convert_to_numpy(ops.argmax(scores, axis=1))[going]
        written[:, number] = previous
        going = going[previous[going] != EOS_ID]
        number += 1
    return tf.constant(written)
