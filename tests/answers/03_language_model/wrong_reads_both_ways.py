# wrong: a bidirectional model sees the characters that it should predict
# loses: q4-train-test
# says: it sees what comes later
# %% q4-train
inputs = np.concatenate([pair[0] for pair in learned_windows[:60]])
targets = np.concatenate([pair[1] for pair in learned_windows[:60]])
char_model = keras.Sequential(
    [
        keras.layers.Embedding(len(characters), 32),
        keras.layers.Bidirectional(keras.layers.LSTM(32, return_sequences=True)),
        keras.layers.Dense(len(characters)),
    ]
)
char_model.compile(
    optimizer=keras.optimizers.Adam(0.01),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
char_model.fit(inputs, targets, batch_size=STREAMS, epochs=1, verbose=0)
