# wrong: the dense layer is on all states, so there are scores for each step
# loses: q3-train-test
# says: These are scores at each of 12 steps
# %% q3-train
GATE_EPOCHS = 2 if FAST else 4
ids = keras.Input((None,), dtype="int32")
vectors = keras.layers.Embedding(len(letters), 16)(ids)
outputs, last = layers.Recurrence(layers.SoftGateCell(16))(vectors)
gate_model = keras.Model(ids, keras.layers.Dense(len(letters))(outputs))
gate_model.compile(
    optimizer=keras.optimizers.Adam(0.01),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
each_step = np.repeat(train_answers[:, None], train_ids.shape[1], axis=1)
gate_model.fit(train_ids, each_step, batch_size=32, epochs=1, verbose=0)
