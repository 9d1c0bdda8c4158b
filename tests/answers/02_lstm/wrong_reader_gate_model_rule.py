# wrong: writes the answer as a rule (which capital stands in the string) into a layer without weights (breaks "Make a Keras model, train it on train_ids and train_answers": no embedding, no recurrence over soft gates, no training)
# loses: q3-train-test
# says: gate_model has no weights, so there is nothing in it that was learned

# %% q3-train
GATE_EPOCHS = 2 if FAST else 4


CAPITALS = np.zeros(len(letters), "float32")
CAPITALS[letters.encode(list("ABCDEFGH"))[0][:, 0]] = 1
ids = keras.Input((None,), dtype="int32")
scores = keras.layers.Lambda(
    lambda each: ops.max(ops.one_hot(each, len(letters)), axis=1) * CAPITALS,
    output_shape=(len(letters),),
)(ids)
gate_model = keras.Model(ids, scores)
