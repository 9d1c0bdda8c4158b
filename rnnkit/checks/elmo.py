"""Checks for unit 07: characters, both losses of a biLM, its layers, their mixture, the recipe."""

import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from rnnkit.checks.answers import expect_answers
from rnnkit.checks.check import check
from rnnkit.checks.inputs import (
    Function,
    log_softmax,
    random_mask,
    random_numbers,
    softmax,
    telling_apart,
)

Array = np.ndarray
BEGIN_WORD, END_WORD, PADDING = 259, 260, 261
PLACEMENTS = ("none", "input", "output", "both")


@check
def word_characters(answer: Function, words: Sequence[str] = (), seed: int = 0) -> None:
    """Check `answer(word, length)`, section s31: the character ids of a word.

    Args:
        answer: The student's function of a word and a length; it returns that
            many ids: 259, the word's bytes in UTF-8 raised by 1, 260, and 261
            up to the length. Of a long word the last bytes are left out.
        words: More words to ask for.
        seed: Chooses the lengths.

    Raises:
        AssertionError: An id is not right.
    """

    def ids(
        before: Sequence[int] = (BEGIN_WORD,),
        after: Sequence[int] = (END_WORD,),
        codes: Callable[[str], list[int]] = lambda word: [byte + 1 for byte in word.encode()],
        fill: int = PADDING,
        room: int | None = None,
        in_front: bool = False,
        cut_last: bool = False,
        cut_letters: bool = False,
    ) -> Function:
        def way(word: str, length: int) -> Array:
            inner = codes(word[: length - 2] if cut_letters else word)
            if not (cut_last or cut_letters):
                inner = inner[: length - (len(before) + len(after) if room is None else room)]
            marked = [*before, *inner, *after]
            if not cut_letters:  # of which there may be fewer than bytes: the row gets too long
                marked = marked[:length]
            padding = [fill] * (length - len(marked))
            return np.array([*padding, *marked] if in_front else [*marked, *padding])

        return way

    right = ids()
    more = seed % 3
    cases = {
        "the word 'café'": ("café", 9 + more),
        "a word that is cut": ("understanding", 9 + more),
        "a word with é that is cut": ("cafétéria", 9 + more),
        "a short word": ("at", 7),
        "a word that just fits": ("river", 7),
        "a word with a capital letter": ("Zoe", 9 + more),
        "the accent of é as a character of its own": ("cafe\u0301", 12 + more),
        "a short word in a long row": ("at", 130),
        **{f"the word {word!r}": (word, 12 + more) for word in words},
    }

    def raw(word: str) -> list[int]:
        return list(word.encode())

    def raised(word: str) -> list[int]:
        return [byte + 1 for byte in word.encode()]

    def changed(form: Literal["NFC", "NFD", "NFKC", "NFKD"]) -> Function:
        return ids(codes=lambda word: raised(unicodedata.normalize(form, word)))

    def at_most(paddings: int) -> Function:
        return lambda word, length: right(word, length)[: len(word.encode()) + 2 + paddings]

    expect_answers(
        "word_characters(word, length)",
        answer,
        cases,
        right,
        {
            "The bytes are not raised by 1; the id of a byte is its number plus 1.": ids(codes=raw),
            "The marks and the padding are not raised by 1: they are 259, 260 and 261.": ids(
                (258,), (259,), fill=260
            ),
            "No id is raised by 1: 0 should stay free.": ids((258,), (259,), raw, 260),
            "The marks and the padding are raised by 1 as well; only the bytes are. The marks stay "
            "259 and 260, the padding stays 261.": ids((260,), (261,), fill=262),
            "The two marks are raised by 1 as well; only the bytes are. The marks stay 259 and "
            "260.": ids((260,), (261,)),
            "These are the numbers of characters (ord), not of bytes: é has two bytes in UTF-8. "
            "Take word.encode().": ids(codes=lambda word: [ord(letter) + 1 for letter in word]),
            "The padding is 0; here it has an id of its own, 261.": ids(fill=0),
            "The mark of the word's end is missing.": ids(after=()),
            "The mark of the word's beginning is missing.": ids(before=()),
            "Both marks are missing.": ids((), ()),
            "The two marks are swapped.": ids((END_WORD,), (BEGIN_WORD,)),
            "A long word loses its end mark: cut the bytes first, to length - 2, and then put the "
            "marks round them.": ids(cut_last=True),
            "A long word is cut to length - 2 letters, and é has two bytes, so that the row gets "
            "longer than `length`. Take word.encode() first, then cut its bytes.": ids(
                cut_letters=True
            ),
            "A long word is cut by one byte too many.": ids(room=3),
            "The padding stands in front; it belongs at the end.": ids(in_front=True),
            "The word is written in small letters first; take the bytes of the word as it is.": [
                ids(codes=lambda word: raised(word.lower())),
                ids(codes=lambda word: raised(word.casefold())),
            ],
            "The characters of the word are exchanged for others that look the same "
            "(unicodedata.normalize); take the bytes of the word as it is.": [
                changed("NFC"),
                changed("NFD"),
                changed("NFKC"),
                changed("NFKD"),
            ],
            "The row ends too early: it has always `length` ids, however many paddings that "
            "takes.": [at_most(paddings) for paddings in (10, 20, 25, 30, 32, 40, 50, 64, 100)],
            "A word that just fits is lost: [:-0] is [:0], and leaves nothing. Cut with "
            "[: length - 2].": lambda word, length: (
                right("", length) if len(word.encode()) == length - 2 else right(word, length)
            ),
        },
    )


@check
def bilm_losses(answer: Function, batch: int = 3, time: int = 6, seed: int = 0) -> None:
    """Check `answer(forward_logits, backward_logits, ids, mask)`, section s31.

    Args:
        answer: The student's function of the logits of both language models,
            `(batch, time, words)`, the ids of the words, `(batch, time)`, and a
            mask. It returns two numbers: the mean loss of the forward model,
            which predicts at each position the word after it, and of the
            backward model, which predicts the word before it.
        batch: Sentences side by side.
        time: The length of the longest.
        seed: For the random logits.

    Raises:
        AssertionError: A loss is not right.
    """
    words = 5

    def logs(logits: Array, ids: Array) -> Array:
        """The log probability of an id at each position, `(batch, time)`."""
        found: Array = np.take_along_axis(log_softmax(logits), ids[..., None], axis=-1)[..., 0]
        return found

    def after(logits: Array, ids: Array) -> Array:
        return -logs(logits[:, :-1], ids[:, 1:])

    def before(logits: Array, ids: Array) -> Array:
        return -logs(logits[:, 1:], ids[:, :-1])

    def over_all(losses: Array, mask: Array) -> Array:
        return np.asarray(losses[mask].mean())

    def predicted(mask: Array) -> Array:
        return mask[:, 1:]

    def way(
        ahead: Callable[[Array, Array], Array] = after,
        back: Callable[[Array, Array], Array] = before,
        real: Callable[[Array], Array] = predicted,
        mean: Callable[[Array, Array], Array] = over_all,
        real_back: Callable[[Array], Array] | None = None,
    ) -> Function:
        def losses(forward: Array, backward: Array, ids: Array, mask: Array) -> dict[str, Array]:
            return {
                "forward": mean(ahead(forward, ids), real(mask)),
                "backward": mean(back(backward, ids), (real_back or real)(mask)),
            }

        return losses

    def same(logits: Array, ids: Array) -> Array:
        return -logs(logits, ids)[:, 1:]

    def rolled(step: int) -> Callable[[Array, Array], Array]:
        return lambda logits, ids: -logs(logits, np.roll(ids, step, axis=1))

    def by_sentence(losses: Array, mask: Array) -> Array:
        return np.asarray(((losses * mask).sum(axis=1) / mask.sum(axis=1)).mean())

    def unnormalised(logits: Array, ids: Array) -> Array:
        return -np.take_along_axis(logits, ids[..., None], axis=-1)[..., 0]

    sentence_by_sentence = way(mean=by_sentence)
    slips: dict[str, Function | Sequence[Function]] = {
        "The forward model is compared with the word that it has just read; it predicts the word "
        "after it.": way(ahead=same),
        "The backward model is compared with the word that it has just read; it predicts the word "
        "before it.": way(back=same),
        "Both models are compared with the words that they have just read.": way(same, same),
        "The backward model is compared with the word after; it reads from right to left, so it "
        "predicts the word before.": way(back=after),
        "The forward model is compared with the word before; it predicts the word after.": way(
            ahead=before
        ),
        "The two directions are swapped: the forward model predicts the word after, the backward "
        "model the word before.": way(before, after),
        "The padding counts too: leave it out of the mean.": way(
            real=lambda mask: np.ones_like(mask[:, 1:])
        ),
        "The pair of each last word and the padding behind it counts too: a pair counts where both "
        "words are real, which is mask[:, 1:].": way(real=lambda mask: mask[:, :-1]),
        "The forward loss counts one step too many in each sentence, where the padding behind the "
        "last word is predicted: a step counts where both words are real, which is mask[:, 1:].": (
            way(real=lambda mask: mask[:, :-1], real_back=predicted)
        ),
        "The backward loss counts one step too many in each sentence, where the padding behind the "
        "last word is read: a step counts where both words are real, which is mask[:, 1:].": (
            way(real_back=lambda mask: mask[:, :-1])
        ),
        "The backward logits were turned round; here position k of them belongs to word k already, "
        "as it does in the forward logits.": way(
            back=lambda logits, ids: before(logits[:, ::-1], ids)
        ),
        "The ids were turned in a circle (roll): the first word has no word before it, the last "
        "none after it.": [
            way(rolled(-1), rolled(1), real=lambda mask: mask),
            way(back=rolled(1), ahead=rolled(-1), real=lambda mask: np.ones_like(mask)),
        ],
        "These are sums; divide by the number of predicted words.": way(
            mean=lambda losses, mask: np.asarray(losses[mask].sum())
        ),
        "These are divided by the number of all positions, padding too; divide by the number of "
        "predicted words.": way(
            mean=lambda losses, mask: np.asarray((losses * mask).sum() / mask.size)
        ),
        "These are divided by the number of words; divide by the number of predicted words, which "
        "is one less for each sentence.": way(
            mean=lambda losses, mask: np.asarray(losses[mask].sum() / (mask.sum() + len(mask)))
        ),
        "These are means of the means of sentences, so that a word of a short sentence counts "
        "more: take one mean over all predicted words.": sentence_by_sentence,
        "These are perplexities; the loss is their logarithm.": way(
            mean=lambda losses, mask: np.exp(over_all(losses, mask))
        ),
        "The sign is missing: a loss is minus the log probability.": way(
            mean=lambda losses, mask: -over_all(losses, mask)
        ),
        "The softmax is missing: these are logits, not log probabilities.": way(
            lambda logits, ids: unnormalised(logits[:, :-1], ids[:, 1:]),
            lambda logits, ids: unnormalised(logits[:, 1:], ids[:, :-1]),
        ),
        "The logarithm is in base 2; take the natural one.": way(
            mean=lambda losses, mask: over_all(losses, mask) / np.log(2)
        ),
        "Both numbers are the sum of the two losses; give each for itself.": lambda *inputs: {
            name: np.asarray(sum(way()(*inputs).values())) for name in ("forward", "backward")
        },
    }

    def make(generator: np.random.Generator) -> tuple[Array, ...] | None:
        # Lengths of at least 2, so that each sentence has something to predict.
        lengths = generator.integers(2, time, batch)
        # A column of padding, for those who count it; a sentence alone has two, so that one step
        # too many is not all of them.
        lengths[0] = time - (2 if batch == 1 else 1)
        if len(set(lengths.tolist())) < 2 and batch > 1:
            return None
        mask = np.arange(time) < lengths[:, None]
        ids = np.where(mask, generator.integers(1, words, (batch, time)), 0)
        forward, backward = (
            random_numbers(int(generator.integers(10**6)), batch, time, words) for _ in range(2)
        )
        return forward, backward, ids, mask

    def flat(function: Function) -> Function:
        return lambda *inputs: np.array([*function(*inputs).values()])

    ways = [each for way in slips.values() for each in ([way] if callable(way) else way)]
    if batch == 1:  # the mean of one sentence is the mean over all
        ways.remove(sentence_by_sentence)
    inputs = telling_apart(make, [flat(each) for each in (way(), *ways)], seed)
    large = (1000.0 * inputs[0], 1000.0 * inputs[1], *inputs[2:])
    alone = tuple(each[:1, : int(inputs[3][0].sum())] for each in inputs)
    short = tuple(np.concatenate([each[:, :2], each[:1, 1:3]]) for each in inputs[:3])
    cases = {
        "": inputs,
        "a sentence alone, without padding": alone,
        "large logits": large,
        "0 as the id of a word, and other ids on the padding": (
            *inputs[:2],
            (inputs[2] + 1) % words,
            inputs[3],
        ),
        "sentences of two words": (*short, np.ones((batch + 1, 2), bool)),
    }
    expect_answers(
        "bilm_losses(forward_logits, backward_logits, ids, mask)",
        answer,
        cases,
        way(),
        {**slips, **_losses_at_the_edges(way, after, before)},
    )


def _losses_at_the_edges(
    way: Callable[..., Function],
    after: Callable[[Array, Array], Array],
    before: Callable[[Array, Array], Array],
) -> dict[str, Sequence[Function]]:
    """The slips that ordinary words, logits and lengths do not show."""

    def by_ids(*inputs: Array) -> Any:
        return way()(*inputs[:3], inputs[2] != 0)

    def squeezed(losses: Array, mask: Array) -> Array:
        return np.asarray((losses.squeeze() * mask).sum() / mask.sum())

    def kept_from_zero(small: float) -> Function:
        def at(logits: Array, ids: Array) -> Array:
            return -np.log(np.exp(-logits) + small)

        return way(
            lambda logits, ids: at(after(logits, ids), ids),
            lambda logits, ids: at(before(logits, ids), ids),
        )

    return {
        "Where the id is 0 is taken for padding; a word can have the id 0, and the padding another "
        "one. The mask says what is real.": [by_ids],
        "With sentences of two words, squeeze takes the axis of the words away too, and a product "
        "with the mask counts each sentence with each other one: take the last axis away alone.": [
            way(mean=squeezed)
        ],
        "A small number is added inside the logarithm, so that no loss can be large: take "
        "log_softmax of the logits.": [kept_from_zero(10.0**-digits) for digits in range(5, 16)],
    }


@check
def representations(
    answer: Function, time: int = 4, layers: int = 2, size: int = 3, seed: int = 0
) -> None:
    """Check `answer(tokens, forward, backward)`, section s32: all that a biLM knows of its words.

    Args:
        answer: The student's function of the token layer of one sentence,
            `(time, size)`, the outputs of the forward layers, `(layers, time,
            size)`, and those of the backward layers in the order in which the
            backward model reads, from the last word. It returns `(layers + 1,
            time, 2 * size)`.
        time: How many words there are.
        layers: How many layers each direction has.
        size: The size of their outputs.
        seed: For the random numbers.

    Raises:
        AssertionError: A representation is not right.
    """

    def inputs(time: int, layers: int, size: int, seed: int) -> tuple[Array, ...]:
        return (
            random_numbers(seed, time, size),
            random_numbers(seed + 1, layers, time, size),
            random_numbers(seed + 2, layers, time, size),
        )

    def way(
        first: Callable[[Array], Array] = lambda x: np.concatenate([x, x], axis=-1),
        pair: Callable[[Array, Array], Array] = lambda f, b: np.concatenate(
            [f, b[:, ::-1]], axis=-1
        ),
        whole: Callable[[Array, Array], Array] = lambda x, h: np.concatenate([x[None], h]),
    ) -> Function:
        return lambda tokens, forward, backward: whole(first(tokens), pair(forward, backward))

    def joined(one: Array, other: Array) -> Array:
        return np.concatenate([one, other], axis=-1)

    expect_answers(
        "representations(tokens, forward, backward)",
        answer,
        {
            "": inputs(time, layers, size, seed),
            "one layer": inputs(time + 1, 1, size, seed + 10),
            "three layers": inputs(time, 3, size + 1, seed + 20),
            "one word": inputs(1, layers, size, seed + 30),
        },
        way(),
        {
            "The backward outputs were not turned round: position 0 of them belongs to the last "
            "word, so the two halves belong to different words.": way(pair=joined),
            "The layers of the backward model are turned round; turn the words, axis 1.": way(
                pair=lambda f, b: joined(f, b[::-1])
            ),
            "The backward outputs are turned round along each axis, as np.flip does without an "
            "axis: the layers and the numbers of each vector too. Turn the words alone, axis=1.": (
                way(pair=lambda f, b: joined(f, b[::-1, ::-1, ::-1]))
            ),
            "The layers of the backward model are turned round together with its words; turn the "
            "words alone, axis 1.": way(pair=lambda f, b: joined(f, b[::-1, ::-1])),
            "The numbers inside each backward vector are turned round, axis 2; turn the words, "
            "axis 1.": way(pair=lambda f, b: joined(f, b[:, :, ::-1])),
            "The forward outputs were turned round too: only the backward ones need it.": way(
                pair=lambda f, b: joined(f[:, ::-1], b[:, ::-1])
            ),
            "The forward outputs were turned round in place of the backward ones.": way(
                pair=lambda f, b: joined(f[:, ::-1], b)
            ),
            "The backward half stands first; the forward half comes first.": way(
                pair=lambda f, b: joined(b[:, ::-1], f)
            ),
            "The second half of the token layer is turned round: both halves of h_0 are the same "
            "vector of the same word.": way(first=lambda x: joined(x, x[::-1])),
            "The second half of the token layer is 0; h_0 holds the token's vector twice.": way(
                first=lambda x: joined(x, 0 * x)
            ),
            "The two directions are added; join them.": [
                way(lambda x: 2 * x, lambda f, b: f + b[:, ::-1]),
                way(lambda x: x, lambda f, b: f + b[:, ::-1]),
                way(lambda x: x, lambda f, b: (f + b[:, ::-1]) / 2),
            ],
            "The token layer stands last; it is the lowest layer, number 0.": way(
                whole=lambda x, h: np.concatenate([h, x[None]])
            ),
            "The layers stand from the highest to the lowest.": way(
                whole=lambda x, h: np.concatenate([x[None], h])[::-1]
            ),
            "The token layer is missing: there are layers + 1 representations.": way(
                whole=lambda x, h: h
            ),
            "The axes are in another order: the layers come first, then the words.": way(
                whole=lambda x, h: np.concatenate([x[None], h]).swapaxes(0, 1)
            ),
            "The first and the last word keep their places, and only what lies between is turned "
            "round: turn all words, the sentence marks too.": way(
                pair=lambda f, b: joined(
                    f, np.concatenate([b[:, :1], b[:, -2:0:-1], b[:, 1:][:, -1:]], axis=1)
                )
            ),
            "Forward and backward are different layers here; each layer holds both, side by "
            "side.": lambda x, f, b: np.concatenate([x[None], f, b[:, ::-1]]),
        },
    )


@check
def scalar_mix(
    answer: Function, batch: int = 2, layers: int = 3, time: int = 4, size: int = 5, seed: int = 0
) -> None:
    """Check `answer(layers, w, gamma)`, section s33: the layers, weighted by a softmax.

    Args:
        answer: The student's function of the layers, `(batch, layers, time,
            size)`, their scores w, `(layers,)`, and the number gamma; it
            returns `(batch, time, size)`.
        batch: Sentences side by side.
        layers: How many layers there are.
        time: The length of a sentence.
        size: The size of a vector.
        seed: For the random numbers.

    Raises:
        AssertionError: The mixture is not right.
    """

    def inputs(batch: int, layers: int, time: int, size: int, seed: int) -> tuple[Any, ...]:
        gamma = float(np.float32(1.5 + np.random.default_rng(seed).random()))
        scores = random_numbers(seed + 1, layers)
        return random_numbers(seed, batch, layers, time, size), scores, gamma

    def mixed(layers: Array, weights: Array) -> Array:
        result: Array = np.einsum("blts,l->bts", layers, weights)
        return result

    def right(layers: Array, w: Array, gamma: float) -> Array:
        return gamma * mixed(layers, softmax(w))

    def naive(layers: Array, w: Array, gamma: float) -> Array:
        w = w.astype("float32")  # in which exp overflows at 89
        return gamma * mixed(layers, np.exp(w) / np.exp(w).sum())

    def near(number: float, scores: Array) -> Array:
        return (number + scores).astype("float32").astype("float64")  # what the answer gets

    def cut_off(limit: float) -> Function:
        return lambda layers, w, gamma: right(layers, np.clip(w, -limit, limit), gamma)

    main = inputs(batch, layers, time, size, seed)
    expect_answers(
        "scalar_mix(layers, w, gamma)",
        answer,
        {
            "": main,
            "as many words as layers": inputs(1, 4, 4, 4, seed + 10),
            "scores of 0": (main[0], 0 * main[1], 1.0),
            "large scores": (main[0], 500.0 * main[1], main[2]),
            "scores near 500": (main[0], near(500.0, main[1]), main[2]),
            "scores near -500": (main[0], near(-500.0, main[1]), main[2]),
        },
        right,
        {
            "The softmax is missing: w are scores, and the weights s are their softmax.": (
                lambda h, w, gamma: gamma * mixed(h, w)
            ),
            "The scores are divided by their sum; take the softmax.": lambda h, w, gamma: (
                gamma * mixed(h, w / w.sum())
            ),
            "gamma has no part in it: multiply the mixture by gamma.": lambda h, w, gamma: mixed(
                h, softmax(w)
            ),
            "gamma stands inside the softmax; it belongs outside.": lambda h, w, gamma: mixed(
                h, softmax(gamma * w)
            ),
            "gamma is added; multiply by it.": lambda h, w, gamma: gamma + mixed(h, softmax(w)),
            "w has no part in it: this is gamma times the plain mean of the layers.": (
                lambda h, w, gamma: gamma * h.mean(axis=1)
            ),
            "This is gamma times the plain sum of the layers: each s is 1. Over which axis does "
            "the softmax run?": lambda h, w, gamma: gamma * h.sum(axis=1),
            "This is gamma times the top layer alone; mix all layers.": lambda h, w, gamma: (
                gamma * h[:, -1]
            ),
            "The sum over the layers is divided by their number; the weights sum to 1 already.": (
                lambda h, w, gamma: right(h, w, gamma) / len(w)
            ),
            "These are the weighted layers before they are summed.": lambda h, w, gamma: (
                gamma * h * softmax(w)[None, :, None, None]
            ),
            "The sum runs over the words; it should run over the layers.": lambda h, w, gamma: (
                gamma * (h * softmax(w)[None, :, None, None]).sum(axis=2)
            ),
            "exp overflows for large scores: subtract the largest score first.": naive,
            "Scores far from 0 are cut off, so that different scores count the same: subtract the "
            "largest score instead.": [
                cut_off(limit) for limit in (*range(10, 101, 5), 88, 300, 500)
            ],
            "Each axis of length 1 was taken away, as squeeze does without an axis; the result is "
            "(batch, time, size), also for a batch of one.": lambda *i: right(*i).squeeze(),
        },
    )


@check
def mix_penalty(answer: Function, seed: int = 0) -> None:
    """Check `answer(w, strength)`, section s33: what λ adds to the loss.

    Args:
        answer: The student's function of the scores w, `(layers,)`, and the
            number λ; it returns λ times the sum of their squares.
        seed: For the random scores.

    Raises:
        AssertionError: The number is not right.
    """

    def of(number: Callable[[Array], Any]) -> Function:
        return lambda w, strength: np.asarray(strength * number(w))

    strength = float(np.float32(0.4 + np.random.default_rng(seed).random()))
    w = random_numbers(seed, 3)
    expect_answers(
        "mix_penalty(w, strength)",
        answer,
        {
            "": (w, strength),
            "five layers": (random_numbers(seed + 1, 5), strength / 2),
            "scores of 0": (np.zeros(3), strength),
        },
        of(lambda w: (w**2).sum()),
        {
            "lambda has no part in it: multiply by it.": lambda w, strength: np.asarray(
                (w**2).sum()
            ),
            "This is the mean of the squares; take their sum.": of(lambda w: (w**2).mean()),
            "This is half of it: there is no 1/2 here.": of(lambda w: (w**2).sum() / 2),
            "This is the norm; take no square root.": of(lambda w: np.sqrt((w**2).sum())),
            "These are absolute values (L1); take squares.": of(lambda w: np.abs(w).sum()),
            "The scores are summed without a square.": of(lambda w: w.sum()),
            "The sum is squared; square each score, then sum.": of(lambda w: w.sum() ** 2),
            "The penalty is on the softmax weights s; it is on the scores w, so that it is least "
            "where all layers count the same.": of(lambda w: (softmax(w) ** 2).sum()),
            "The squares are not summed yet.": of(lambda w: w**2),
            "Only the first three scores count; there is one for each layer, however many there "
            "are.": of(lambda w: (w[:3] ** 2).sum()),
            "lambda is squared too.": lambda w, strength: np.asarray((strength * w) ** 2).sum(),
        },
    )


@check
def padded_layers(answer: Function, seed: int = 0) -> None:
    """Check `answer(vectors)`, section s34: what a biLM gave for some sentences, as one batch.

    Args:
        answer: The student's function of a list of arrays `(layers, words,
            size)`, one for each sentence. It returns `(batch, layers, longest,
            size)`, zeros behind the last word, and the mask `(batch, longest)`.
        seed: For the random vectors.

    Raises:
        AssertionError: The batch or the mask is not right.
    """

    def inputs(lengths: Sequence[int], layers: int, size: int, seed: int) -> tuple[list[Array]]:
        return (
            [random_numbers(seed + n, layers, n, size) for n in lengths],
        )  # a tuple of one argument

    def batch(vectors: list[Array], in_front: bool = False) -> Array:
        longest = max(each.shape[1] for each in vectors)
        shape = (len(vectors), len(vectors[0]), longest, vectors[0].shape[-1])
        result = np.zeros(shape)
        for row, each in enumerate(vectors):
            words = each.shape[1]
            result[row, :, longest - words if in_front else 0 : longest if in_front else words] = (
                each
            )
        return result

    def mask(vectors: list[Array], axis: int = 1) -> Array:
        longest = max(each.shape[1] for each in vectors)
        return np.arange(longest) < np.array([[each.shape[axis]] for each in vectors])

    def with_zeros(vectors: list[Array]) -> tuple[list[Array]]:
        """A number of a real word may be 0 too: here the first of one, the last of another."""
        longest = max(vectors, key=lambda each: each.shape[1])
        longest[:, 1, 0] = longest[:, 3, -1] = 0.0
        return (vectors,)

    def way(
        layers: Callable[[list[Array]], Array] = batch, real: Callable[[list[Array]], Array] = mask
    ) -> Function:
        return lambda vectors: {"layers": layers(vectors), "mask": real(vectors)}

    def shortest(vectors: list[Array]) -> list[Array]:
        words = min(each.shape[1] for each in vectors)
        return [each[:, :words] for each in vectors]

    lengths = [int(n) for n in np.random.default_rng(seed).permutation([2, 5, 3])]
    expect_answers(
        "padded_layers(vectors)",
        answer,
        {
            "": with_zeros(*inputs(lengths, 3, 4, seed)),
            "a sentence alone": inputs([4], 3, 2, seed + 10),
            "two layers": inputs([1, 6], 2, 3, seed + 20),
        },
        way(),
        {
            "The mask is inverted: True means a real word.": way(real=lambda v: ~mask(v)),
            "The mask is True everywhere: behind the last word of a sentence it is False.": way(
                real=lambda v: np.ones_like(mask(v))
            ),
            "The mask counts the layers: len() of an array (layers, words, size) is the number of "
            "layers. The words are its axis 1, .shape[1].": way(real=lambda v: mask(v, axis=0)),
            "The mask is made from zeros in the vectors, and a number of a real word can be 0 too: "
            "make it from the number of words, .shape[1].": [
                way(real=lambda v: batch(v)[:, 0, :, 0] != 0),
                way(real=lambda v: batch(v)[:, 0, :, -1] != 0),
                way(real=lambda v: (batch(v) != 0).all(axis=(1, 3))),
            ],
            "The padding stands in front; it belongs behind the last word.": way(
                lambda v: batch(v, in_front=True), lambda v: mask(v)[:, ::-1]
            ),
            "The vectors are padded in front, but the mask behind.": way(
                lambda v: batch(v, in_front=True)
            ),
            "The axes are in another order; they should be (batch, layers, words, size).": [
                way(lambda v: batch(v).swapaxes(1, 2)),
                way(lambda v: batch(v).swapaxes(0, 1)),
            ],
            "The long sentences were cut to the shortest one; pad the short ones.": way(
                lambda v: batch(shortest(v)), lambda v: mask(shortest(v))
            ),
            "There is one word too few: the longest sentence is cut.": way(
                lambda v: batch(v)[:, :, :-1], lambda v: mask(v)[:, :-1]
            ),
            "The sentences are in another order, by their length; row i belongs to sentence i.": [
                lambda v: way()(sorted(v, key=lambda each: -each.shape[1])),
                lambda v: way()(sorted(v, key=lambda each: each.shape[1])),
            ],
            "Only the top layer is there; keep all of them.": way(lambda v: batch(v)[:, -1]),
        },
    )


@check
def placement(answer: Function, batch: int = 2, time: int = 4, seed: int = 0) -> None:
    """Check `answer(static, elmo, mask, rnn, to_logits, where)`, section s34.

    Args:
        answer: The student's function of static vectors and ELMo vectors,
            `(batch, time, size)` each, a mask, a recurrent network (a function
            of inputs and a mask), an output layer (a function), and where ELMo
            is joined: "none", "input", "output" or "both". It returns logits.
        batch: Sentences side by side.
        time: The length of the longest.
        seed: For the random vectors.

    Raises:
        AssertionError: The logits are not right.
    """

    def rnn(inputs: Any, mask: Any) -> Array:
        """Something that reads in both directions; zeros on padding."""
        inputs, mask = np.asarray(inputs, dtype="float64"), np.asarray(mask)
        if mask.ndim == 2:  # what was joined along a wrong axis is read too, to name that slip
            mask = np.resize(mask, inputs.shape[:2])
        real = mask[..., None]
        made = np.where(real, np.tanh(inputs @ _matrix(inputs.shape[-1], 4, 1)), 0.0)
        back = np.cumsum(made[:, ::-1], axis=1)[:, ::-1]
        both = np.concatenate([np.cumsum(made, axis=1), back], axis=-1)
        return np.where(real, both, 0.0).astype("float32")

    def to_logits(inputs: Any) -> Array:
        inputs = np.asarray(inputs, dtype="float64")
        return (inputs @ _matrix(inputs.shape[-1], 3, 2)).astype("float32")

    def joined(*parts: Array) -> Array:
        return np.concatenate(parts, axis=-1)

    def way(
        below: Callable[[Array, Array], Array] = joined,
        above: Callable[[Array, Array], Array] = joined,
        at_input: Sequence[str] = ("input", "both"),
        at_output: Sequence[str] = ("output", "both"),
        real: Callable[[Array], Array] = lambda mask: mask,
    ) -> Function:
        def logits(
            static: Array, elmo: Array, mask: Array, rnn: Function, to_logits: Function, where: str
        ) -> Array:
            states = rnn(below(static, elmo) if where in at_input else static, real(mask))
            logits: Array = to_logits(above(states, elmo) if where in at_output else states)
            return logits

        return logits

    def above(take: Callable[[Array, Array, Array], Array]) -> Function:
        """What the output layer reads, made of the static vectors, ELMo's, and the states."""

        def logits(static: Array, elmo: Array, mask: Array, *rest: Any) -> Array:
            rnn, to_logits, where = rest
            states = rnn(joined(static, elmo) if where in ("input", "both") else static, mask)
            result: Array = to_logits(
                take(static, elmo, states) if where in ("output", "both") else states
            )
            return result

        return logits

    def masked_at_input(otherwise: Callable[[Array], Array]) -> Function:
        def logits(static: Array, elmo: Array, mask: Array, *rest: Any) -> Array:
            real = mask if rest[-1] in ("input", "both") else otherwise(mask)
            result: Array = way()(static, elmo, real, *rest)
            return result

        return logits

    def along(axis: int) -> Callable[[Array, Array], Array]:
        return lambda *parts: np.concatenate(parts, axis=axis)

    def cases(
        batch: int, time: int, seed: int, name: str, sizes: tuple[int, int]
    ) -> dict[str, tuple[Any, ...]]:
        mask = random_mask(batch, time, seed)
        static, elmo = (
            random_numbers(seed + number, batch, time, size) for number, size in enumerate(sizes)
        )
        return {
            f"where={where!r}{name}": (static, elmo, mask, rnn, to_logits, where)
            for where in PLACEMENTS
        }

    seed = 2 * seed  # an even seed has padding
    expect_answers(
        "tagger_logits(static, elmo_vectors, mask, rnn, to_logits, where)",
        answer,
        {
            # Sizes as the states have, so that they can be joined along a wrong axis as well.
            **cases(batch, time, seed, "", (8, 8)),
            **cases(1, time + 2, seed + 2, ", a batch of one", (3, 4)),
        },
        way(),
        {
            "The ELMo vectors stand before the static ones; the static vector comes first.": way(
                below=lambda static, elmo: joined(elmo, static)
            ),
            "At the output the ELMo vector stands before the state; the state comes first.": way(
                above=lambda states, elmo: joined(elmo, states)
            ),
            "The ELMo vectors stand first at the input and at the output; they come second.": way(
                lambda static, elmo: joined(elmo, static), lambda states, elmo: joined(elmo, states)
            ),
            "At the input the ELMo vectors take the place of the static ones; join the two.": way(
                below=lambda static, elmo: elmo
            ),
            "At the output the ELMo vectors take the place of the states; join the two.": way(
                above=lambda states, elmo: elmo
            ),
            "At the output the static vectors are joined; it should be the ELMo vectors.": above(
                lambda static, elmo, states: joined(states, static)
            ),
            "At the output the static vectors take the place of the states, so that what the "
            "recurrent network gave is lost: join the ELMo vectors to its output.": above(
                lambda static, elmo, states: joined(static, elmo)
            ),
            "The vectors are joined along the first axis, the sentences, as concatenate does "
            "without an axis: axis=-1 puts the two vectors of a word side by side.": [
                way(along(0), along(0)),
                way(above=along(0)),
                way(below=along(0)),
            ],
            "The vectors are joined along axis 1, the words: axis=-1 puts the two vectors of a "
            "word side by side.": [
                way(along(1), along(1)),
                way(above=along(1)),
                way(below=along(1)),
            ],
            "The two placements are swapped: at the input means before the recurrent network.": way(
                at_input=("output", "both"), at_output=("input", "both")
            ),
            'With "both" the ELMo vectors are joined at the input alone.': way(
                at_output=("output",)
            ),
            'With "both" the ELMo vectors are joined at the output alone.': way(
                at_input=("input",)
            ),
            'With "both" the ELMo vectors are not joined at all.': way(
                at_input=("input",), at_output=("output",)
            ),
            'With "none" the ELMo vectors are joined too.': way(
                at_input=("none", "input", "both"),
            ),
            "The ELMo vectors are joined at both places, whatever `where` says.": way(
                at_input=PLACEMENTS, at_output=PLACEMENTS
            ),
            "The ELMo vectors are joined at the input, whatever `where` says.": way(
                at_input=PLACEMENTS, at_output=()
            ),
            "The ELMo vectors have no part in it, whatever `where` says.": way(
                at_input=(), at_output=()
            ),
            "The recurrent network does not get the mask.": way(
                real=lambda mask: np.ones_like(mask)
            ),
            "The recurrent network gets the mask only where it reads the ELMo vectors; it needs it "
            "always.": [masked_at_input(np.ones_like), masked_at_input(np.zeros_like)],
            "The logits of the padding are set to 0; return what to_logits returns.": (
                lambda static, elmo, mask, *rest: way()(static, elmo, mask, *rest) * mask[..., None]
            ),
        },
    )


def _matrix(rows: int, columns: int, seed: int) -> Array:
    """Fixed weights: each row is the same however many there are."""
    return np.random.default_rng(seed).normal(size=(64, columns))[:rows]


@check
def nearest(answer: Function, count: int = 4, seed: int = 0) -> None:
    """Check `answer(query, vectors, count)`, sections s30 and s36: nearest neighbours.

    Args:
        answer: The student's function of a vector `(size,)`, many vectors `(n,
            size)` and a number; it returns so many indices of those rows
            with the largest cosine, the nearest first.
        count: How many neighbours are asked for.
        seed: For the random vectors.

    Raises:
        AssertionError: The neighbours are others.
    """

    def unit(vectors: Array) -> Array:
        return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)

    def order(score: Callable[[Array, Array], Array], first: int = 0) -> Function:
        return lambda query, vectors, count: np.argsort(-score(query, vectors))[
            first : count + first
        ]

    def cosine(query: Array, vectors: Array) -> Array:
        return unit(vectors) @ unit(query)

    right = order(cosine)
    slips: dict[str, Function] = {
        "These are in the order of the dot product, which prefers long vectors: divide by the "
        "norms.": order(lambda query, vectors: vectors @ query),
        "These are in the order of the Euclidean distance; take the cosine.": order(
            lambda query, vectors: -np.linalg.norm(vectors - query, axis=-1)
        ),
        "These are the farthest ones: sort by falling cosine.": order(
            lambda query, vectors: -cosine(query, vectors)
        ),
        "These are the right ones, but the nearest stands last; it should stand first.": (
            lambda *inputs: right(*inputs)[::-1]
        ),
        "The nearest one is left out: the query is not among the vectors here.": order(
            cosine, first=1
        ),
        "These are cosines; return the indices of the rows.": lambda query, vectors, count: np.sort(
            cosine(query, vectors)
        )[::-1][:count],
        "These are all of them; return only the first `count`.": (
            lambda query, vectors, count: np.argsort(-cosine(query, vectors))
        ),
    }

    def make(rows: int, count: int) -> Callable[[np.random.Generator], tuple[Any, ...] | None]:
        def inputs(generator: np.random.Generator) -> tuple[Any, ...] | None:
            query = generator.normal(size=5)
            vectors = query + generator.normal(size=(rows, 5)) * generator.uniform(
                0.5, 3, (rows, 1)
            )
            vectors *= generator.uniform(0.3, 3.0, (rows, 1))
            query, vectors = (each.astype("float32").astype("float64") for each in (query, vectors))
            gaps = np.diff(np.sort(cosine(query, vectors)))
            return (query, vectors, count) if gaps.min() > 1e-3 else None

        return inputs

    cases = {
        name: telling_apart(make(rows, number), [right, *slips.values()], seed + rows)
        for name, rows, number in (
            ("", 12, count),
            ("more neighbours", 15, count + 3),
        )
    }
    query, vectors, _ = cases[""]
    away = np.concatenate([-1.5 * query[None], vectors])
    cases["a row that points the other way"] = (query, away, count)
    # Of fewer rows, argpartition may leave all in order.
    cases["many rows"] = (query, _fan(query, 1500, seed), 700 + count)
    cases["one neighbour"] = (query, vectors, 1)
    cases["as many neighbours as rows"] = (query, vectors, len(vectors))

    def partly_sorted(kind: str) -> Function:
        """By numbers of this kind: the order that is left depends on it."""
        return lambda query, vectors, count: np.argpartition(
            -cosine(query, vectors).astype(kind), count - 1
        )[:count]

    def from_the_end(kind: str, step: int) -> Function:
        return lambda query, vectors, count: np.argpartition(
            cosine(query, vectors).astype(kind), -count
        )[-count:][::step]

    kinds = ("float32", "float64")

    more: dict[str, Function | Sequence[Function]] = {
        "These are the right ones, but not in order: argpartition does not sort them. Sort them by "
        "their cosine.": [
            *(partly_sorted(kind) for kind in kinds),
            *(from_the_end(kind, step) for kind in kinds for step in (1, -1)),
            lambda *inputs: np.sort(right(*inputs)),
        ],
        "One neighbour came as a number alone, as squeeze makes it; return a list or an array of "
        "one index.": lambda *inputs: right(*inputs).squeeze(),
        "The cosine counts without its sign; the smallest cosine, -1, is the farthest.": order(
            lambda query, vectors: np.abs(cosine(query, vectors))
        ),
    }
    expect_answers("nearest(query, vectors, count)", answer, cases, right, {**slips, **more})


def _fan(query: Array, rows: int, seed: int) -> Array:
    """Vectors of random lengths, whose cosines with the query are evenly spaced."""
    generator = np.random.default_rng(seed)
    unit = query / np.linalg.norm(query)
    across = generator.normal(size=(rows, len(query)))
    across -= (across @ unit)[:, None] * unit
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    cosines = generator.permutation(np.linspace(-0.3, 0.98, rows))[:, None]
    vectors = cosines * unit + np.sqrt(1 - cosines**2) * across
    vectors *= generator.uniform(0.3, 3.0, (rows, 1))
    result: Array = vectors.astype("float32").astype("float64")
    return result


@check
def nearest_meaning(answer: Function, size: int = 4, seed: int = 0) -> None:
    """Check `answer(known, meanings, vectors)`, section s35: the nearest mean vector.

    Args:
        answer: The student's function of known vectors `(n, size)`, their
            meanings `(n,)`, whole numbers, and new vectors `(m, size)`; it
            returns for each new vector the meaning whose mean vector has the
            largest cosine with it.
        size: The size of a vector.
        seed: For the random vectors.

    Raises:
        AssertionError: A meaning is not right.
    """

    def unit(vectors: Array) -> Array:
        return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)

    def means(known: Array, meanings: Array) -> tuple[Array, Array]:
        labels = np.unique(meanings)
        return labels, np.stack([known[meanings == label].mean(axis=0) for label in labels])

    def cosine(means: Array, vectors: Array) -> Array:
        return unit(vectors) @ unit(means).T

    def by(score: Callable[[Array, Array], Array]) -> Function:
        def labelled(known: Array, meanings: Array, vectors: Array) -> Array:
            labels, centres = means(known, meanings)
            found: Array = labels[score(centres, vectors).argmax(axis=1)]
            return found

        return labelled

    right = by(cosine)

    def by_unit(score: Callable[[Array, Array], Array]) -> Function:
        return lambda known, meanings, vectors: by(score)(unit(known), meanings, vectors)

    def places(known: Array, meanings: Array, vectors: Array) -> Array:
        order = {label: place for place, label in enumerate(np.unique(meanings).tolist())}
        return np.array([order[label] for label in right(known, meanings, vectors).tolist()])

    slips: dict[str, Function] = {
        "This is the meaning of the one nearest known vector; compare with the mean vector of each "
        "meaning.": lambda known, meanings, vectors: meanings[
            cosine(known, vectors).argmax(axis=1)
        ],
        "This is the meaning with the largest mean of the cosines to its known vectors; take the "
        "mean of the vectors first, then one cosine with it.": by_unit(
            lambda means, vectors: vectors @ means.T
        ),
        "The known vectors were divided by their norms before the mean; take the mean of the "
        "vectors as they are.": by_unit(cosine),
        "The means are compared by the dot product, which prefers a long mean: divide by the "
        "norms.": by(lambda means, vectors: vectors @ means.T),
        "The means are compared by the Euclidean distance; take the cosine.": by(
            lambda means, vectors: -np.linalg.norm(vectors[:, None] - means, axis=-1)
        ),
        "This is the farthest mean; take the largest cosine.": by(
            lambda means, vectors: -cosine(means, vectors)
        ),
        "These are places in the list of meanings; return the meanings themselves.": places,
        "This is the meaning that is the most frequent one, whatever the vector is.": (
            lambda known, meanings, vectors: np.full(len(vectors), np.bincount(meanings).argmax())
        ),
    }

    def make(labels: Sequence[int]) -> Callable[[np.random.Generator], tuple[Any, ...] | None]:
        def inputs(generator: np.random.Generator) -> tuple[Any, ...] | None:
            centres = generator.normal(size=(len(labels), size)) + generator.normal(size=size)
            centres *= np.linspace(0.5, 2.0, len(labels))[:, None]
            counts = 3 + np.arange(len(labels))
            meanings = np.repeat(np.array(labels), counts)
            known = np.repeat(centres, counts, axis=0) + generator.normal(size=(counts.sum(), size))
            order = generator.permutation(len(meanings))
            vectors = centres[generator.integers(len(labels), size=12)] + 1.2 * generator.normal(
                size=(12, size)
            )
            known, vectors = (
                each.astype("float32").astype("float64") for each in (known[order], vectors)
            )
            near = np.sort(cosine(means(known, meanings[order])[1], vectors), axis=1)
            sure = (near[:, -1] - near[:, -2]).min() > 1e-3
            return (known, meanings[order], vectors) if sure else None

        return inputs

    cases = {
        name: telling_apart(make(labels), [right, *slips.values()], seed)
        for name, labels in (("", (2, 4, 7)), ("two meanings", (1, 3)))
    }

    def with_empty_ones(known: Array, meanings: Array, vectors: Array) -> Array:
        centres = np.zeros((meanings.max() + 1, known.shape[1]))
        labels, found = means(known, meanings)
        centres[labels] = unit(found)
        return np.asarray((vectors @ centres.T).argmax(axis=1))

    def as_they_appear(known: Array, meanings: Array, vectors: Array) -> Array:
        _, centres = means(known, meanings)
        in_order = np.array(list(dict.fromkeys(meanings.tolist())))
        found: Array = in_order[cosine(centres, vectors).argmax(axis=1)]
        return found

    def of_two(known: Array, meanings: Array, vectors: Array) -> Array:
        either = (meanings == meanings.min()) | (meanings == meanings.max())
        return np.asarray(right(known[either], meanings[either], vectors))

    more: dict[str, Function] = {
        "A number that no known vector has as its meaning gets a mean of zeros, and its cosine 0 "
        "can be the largest: take only the meanings that are there.": with_empty_ones,
        "The mean vectors are in rising order of the meanings, but their names in the order in "
        "which they appear; take both from one list.": as_they_appear,
        "Only the smallest and the largest meaning are compared; take all that are known.": of_two,
    }
    expect_answers(
        "nearest_meaning(known, meanings, vectors)", answer, cases, right, {**slips, **more}
    )
