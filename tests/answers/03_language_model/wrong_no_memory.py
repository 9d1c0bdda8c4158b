# wrong: a model without a recurrent layer knows only the last character
# loses: q4-train-test
# says: what came before does not change its scores
# %% q4-train
inputs = np.concatenate([pair[0] for pair in learned_windows])
targets = np.concatenate([pair[1] for pair in learned_windows])
char_model = keras.Sequential(
    [
        keras.layers.Embedding(len(characters), 64),
        keras.layers.Dense(64, activation="relu"),
        keras.layers.Dense(len(characters)),
    ]
)
char_model.compile(
    optimizer=keras.optimizers.Adam(0.004),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
char_model.fit(inputs, targets, batch_size=STREAMS, epochs=2, verbose=0)
