# wrong: the model is built and compiled, but never trained
# loses: q3-train-test
# says: its optimizer has made no update
# %% q3-train
GATE_EPOCHS = 2 if FAST else 4
ids = keras.Input((None,), dtype="int32")
vectors = keras.layers.Embedding(len(letters), 16)(ids)
outputs, (last,) = layers.Recurrence(layers.SoftGateCell(16))(vectors)
gate_model = keras.Model(ids, keras.layers.Dense(len(letters))(last))
gate_model.compile(
    optimizer=keras.optimizers.Adam(0.01),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
