"""The weights of a decoder, as plain arrays."""

import numpy as np
from keras import ops

from rnnkit.layers import AdditiveAttention
from rnnkit.models.encoder_decoder import EncoderDecoder


def decoder_parameters(model: EncoderDecoder) -> dict[str, np.ndarray]:
    """What one step of the decoder needs, by name.

    Used in unit 06, where students write the step as a function of these.

    Args:
        model: A model with `AdditiveAttention`.

    Returns:
        `embedding` (vocabulary, features); `W` (units, attention units), `U`
        (units, attention units) and `v` (attention units,) of the attention;
        `kernel` (features + units, 3 units), `recurrent_kernel`
        (units, 3 units) and `bias` (2, 3 units) of the GRU; `output`
        (2 units, vocabulary) and `output_bias` (vocabulary,).

    Raises:
        ValueError: The model has another attention, or none.

    Example:

    >>> model = EncoderDecoder(9, 7, units=8, embedding=4, attention=AdditiveAttention(5))
    >>> decoder_parameters(model)["output"].shape
    (16, 7)
    """
    attention = model.attention
    if not isinstance(attention, AdditiveAttention):
        raise ValueError(
            "decoder_parameters expects a model made with attention=AdditiveAttention(units). "
            f"Received: attention={attention!r}"
        )
    cell, output = model.decoder.cell, model.to_logits
    tensors = {
        "embedding": model.target_embedding.embeddings,
        "W": attention.W,
        "U": attention.U,
        "v": attention.v,
        "kernel": cell.kernel,
        "recurrent_kernel": cell.recurrent_kernel,
        "bias": cell.bias,
        "output": output.kernel,
        "output_bias": output.bias,
    }
    return {name: ops.convert_to_numpy(tensor) for name, tensor in tensors.items()}
