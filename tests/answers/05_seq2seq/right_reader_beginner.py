# right: a beginner's loops and lists, prints and warnings, one symbol at a time, a summary after training

# %% q1-vocabulary
def build_vocabulary(texts):
    characters = []
    for text in texts:
        for character in text:
            if character not in characters:
                characters.append(character)
    characters.sort()
    my_dictionary = {}
    number = 4
    for character in characters:
        my_dictionary[character] = number
        number = number + 1
    print("there are", len(my_dictionary), "characters")
    return my_dictionary

# %% q2-encode
import warnings


def encode_texts(texts, ids):
    longest = 0
    for text in texts:
        if len(text) > longest:
            longest = len(text)
    all_ids = []
    all_masks = []
    for text in texts:
        row = []
        mask_row = []
        for position in range(longest):
            if position < len(text):
                if text[position] in ids:
                    row.append(ids[text[position]])
                else:
                    warnings.warn("unknown character: " + text[position])
                    row.append(UNK_ID)
                mask_row.append(True)
            else:
                row.append(PAD_ID)
                mask_row.append(False)
        all_ids.append(row)
        all_masks.append(mask_row)
    return np.array(all_ids), np.array(all_masks)

# %% q3-shift
def shift_targets(targets, mask):
    previous = []
    following = []
    for b in range(len(targets)):
        real = []
        for t in range(len(targets[b])):
            if mask[b][t]:
                real.append(int(targets[b][t]))
        padding = [PAD_ID] * (len(targets[b]) - len(real))
        previous.append([BOS_ID] + real + padding)
        following.append(real + [EOS_ID] + padding)
    print(previous[0], "->", following[0])
    return np.array(previous), np.array(following)

# %% q4-encoder
def encoder_context(inputs, mask, W, U, b):
    answer = []
    for row in range(len(inputs)):
        h = np.zeros((1, len(b)))
        for t in range(len(inputs[row])):
            if mask[row][t] == True:
                x = np.array(inputs[row][t]).reshape(1, -1)
                h = rnn_step(x, h, W, U, b)
        answer.append(h[0])
    return np.array(answer)

# %% q5-first-state
def decode_from_context(inputs, context, W, U, b):
    batch = inputs.shape[0]
    time = inputs.shape[1]
    units = context.shape[1]
    answer = np.zeros((batch, time, units))
    s = context
    for i in range(time):
        s = rnn_step(inputs[:, i, :], s, W, U, b)
        answer[:, i, :] = s
    return answer

# %% q6-every-step
def decode_with_context(inputs, context, W, U, b):
    batch = inputs.shape[0]
    time = inputs.shape[1]
    units = context.shape[1]
    answer = np.zeros((batch, time, units))
    for row in range(batch):
        s = np.zeros((1, units))
        for i in range(time):
            both = list(inputs[row, i]) + list(context[row])
            s = rnn_step(np.array([both]), s, W, U, b)
            answer[row, i] = s[0]
    return answer

# %% q7-mix
def scheduled_mix(true, predicted, probability, draws):
    answer = []
    for k in range(len(draws)):
        if draws[k] < probability:
            answer.append(true[k])
        else:
            answer.append(predicted[k])
    return np.array(answer)

# %% q8-separator
def join(source, target, sep_id, eos_id):
    text = []
    for symbol in source:
        text.append(symbol)
    text.append(sep_id)
    for symbol in target:
        text.append(symbol)
    text.append(eos_id)
    inputs = text[:-1]
    targets = text[1:]
    mask = []
    for position in range(len(targets)):
        mask.append(position >= len(source))
    return np.array(inputs), np.array(targets), np.array(mask)

# %% q9-greedy
def greedy_decode(step, state, batch, max_length):
    previous = np.array([BOS_ID] * batch)
    sentences = []
    finished = []
    for b in range(batch):
        sentences.append([])
        finished.append(False)
    for i in range(max_length):
        if False not in finished:
            print("all have ended after", i, "steps")
            break
        scores, state = step(previous, state)
        scores = np.array(scores)  # it was very slow before
        for b in range(batch):
            best = 0
            for v in range(len(scores[b])):
                if scores[b][v] > scores[b][best]:
                    best = v
            if finished[b]:
                best = PAD_ID
            if best == EOS_ID:
                finished[b] = True
            sentences[b].append(best)
            previous[b] = best
    return np.array(sentences)

# %% q10-beam
def beam_search(step, state, width, max_length, power):
    beam = [[[], 0.0, state]]
    complete = []
    for i in range(max_length):
        if len(beam) == 0:
            break
        longer = []
        for hypothesis in beam:
            symbols = hypothesis[0]
            total = hypothesis[1]
            if len(symbols) == 0:
                previous = BOS_ID
            else:
                previous = symbols[-1]
            scores, new_state = step(previous, hypothesis[2])
            logs = log_probabilities(scores)
            for v in range(len(logs)):
                longer.append([symbols + [v], total + logs[v], new_state])
        longer.sort(key=lambda hypothesis: hypothesis[1], reverse=True)
        beam = []
        for hypothesis in longer[0:width]:
            if hypothesis[0][-1] == EOS_ID:
                complete.append(hypothesis)
            else:
                beam.append(hypothesis)
    best_symbols = None
    best_score = -999999999
    for hypothesis in complete + beam:
        score = hypothesis[1] / len(hypothesis[0]) ** power
        if score > best_score:
            best_symbols = hypothesis[0]
            best_score = score
    print("best:", best_symbols, best_score)
    return best_symbols, best_score

# %% q11-train
def train_model(task, epochs):
    my_model = models.EncoderDecoder(
        task["source_size"], task["target_size"], units=96, embedding=32, context="every step"
    )
    my_optimizer = make_optimizer(task, epochs)
    my_model.compile(optimizer=my_optimizer, loss=models.masked_cross_entropy)
    my_inputs = {}
    my_inputs["source"] = task["source"]
    my_inputs["previous"] = task["previous"]
    my_history = my_model.fit(
        my_inputs,
        task["following"],
        batch_size=32,
        epochs=epochs,
        verbose=0,
        callbacks=[plots.TrainingCurve(task["name"])],
    )
    print(my_history.history["loss"])
    my_model.summary()
    return my_model

# %% q12-groups
def accuracy_by_group(predictions, targets, groups):
    right = {}
    count = {}
    for k in range(len(groups)):
        group = groups[k]
        if group not in count:
            count[group] = 0
            right[group] = 0
        count[group] += 1
        if predictions[k] == targets[k]:
            right[group] += 1
    answer = {}
    for group in count:
        answer[group] = right[group] / count[group]
        print("group", group, ":", right[group], "of", count[group])
    return answer
