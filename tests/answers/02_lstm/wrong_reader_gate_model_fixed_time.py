# wrong: fixes the number of steps to that of the training strings (breaks "leave the time open: keras.Input((None,), dtype="int32")"; strings twice as long do not fit)
# loses: q3-train-test
# says: is incompatible with the layer

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4


ids = keras.Input((LENGTH,), dtype="int32")
vectors = keras.layers.Embedding(len(letters), 16)(ids)
outputs, (last,) = layers.Recurrence(layers.SoftGateCell(16))(vectors)
gate_model = keras.Model(ids, keras.layers.Dense(len(letters))(last))

gate_model.compile(
    optimizer=keras.optimizers.Adam(0.01),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
gate_model.fit(
    train_ids, train_answers, batch_size=32, epochs=GATE_EPOCHS, verbose=0,
    callbacks=[plots.TrainingCurve("Capitals")],
);
