# wrong: puts a GRU of Keras where the soft gates should be (breaks "a recurrence over soft gates: layers.Recurrence(layers.SoftGateCell(16))")
# loses: q3-train-test
# says: gate_model has a layer GRU, which does the task in another way

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4


ids = keras.Input((None,), dtype="int32")
vectors = keras.layers.Embedding(len(letters), 16)(ids)
last = keras.layers.GRU(16)(vectors)
gate_model = keras.Model(ids, keras.layers.Dense(len(letters))(last))

gate_model.compile(
    optimizer=keras.optimizers.Adam(0.01),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
gate_model.fit(
    train_ids, train_answers, batch_size=32, epochs=GATE_EPOCHS, verbose=0,
    callbacks=[plots.TrainingCurve("Capitals")],
);
