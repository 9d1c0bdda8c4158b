# wrong: the dense layer looks at the state after the first letter
# loses: q3-train-test
# says: are they made from the state after the last symbol
# %% q3-train
GATE_EPOCHS = 2 if FAST else 4
ids = keras.Input((None,), dtype="int32")
vectors = keras.layers.Embedding(len(letters), 16)(ids)
outputs, last = layers.Recurrence(layers.SoftGateCell(16))(vectors)
gate_model = keras.Model(ids, keras.layers.Dense(len(letters))(outputs[:, 0]))
gate_model.compile(
    optimizer=keras.optimizers.Adam(0.01),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
gate_model.fit(train_ids, train_answers, batch_size=32, epochs=GATE_EPOCHS, verbose=0)
