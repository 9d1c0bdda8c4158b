"""Training a model again and again from fresh weights, with its graph made only once."""

from collections.abc import Callable
from typing import Any

import keras
from keras import ops


class FreshStarts:
    """Gives a compiled model new first weights, as if it had just been made.

    To trace a model's graph takes longer than a short training. So the
    trainings of one kind share a model.

    Args:
        make: Makes the model, all its weights with it.
        compile: Compiles it.

    Example:

    >>> def make():
    ...     return keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    >>> starts = FreshStarts(make, lambda model: model.compile("adam", "mse"))
    >>> starts.begin(1)
    >>> first = starts.model.get_weights()[0]
    >>> starts.begin(2)
    >>> bool((starts.model.get_weights()[0] == first).all())
    False
    """

    def __init__(self, make: Callable[[], Any], compile: Callable[[Any], None]) -> None:
        self._make = make
        self.model = make()
        compile(self.model)
        self.model.optimizer.build(self.model.trainable_variables)
        self._memory = [ops.convert_to_numpy(each) for each in self.model.optimizer.variables]

    def begin(self, seed: int, change: Callable[[Any], None] | None = None) -> None:
        """Begin anew.

        Args:
            seed: Of the weights, and of all chance in the training.
            change: Called with a new model before its weights are taken over.
        """
        keras.utils.set_random_seed(seed)
        fresh = self._make()
        if change is not None:
            change(fresh)
        self.model.set_weights(fresh.get_weights())
        for own, new in zip(_chances(self.model), _chances(fresh), strict=True):
            own.assign(new)
        for variable, value in zip(self.model.optimizer.variables, self._memory, strict=True):
            variable.assign(value)


def _chances(model: Any) -> list[Any]:
    """The states of the generators of random numbers, such as dropout's: no weights to Keras."""
    layers = model._flatten_layers()
    generators = [getattr(layer, "seed_generator", None) for layer in layers]
    return [generator.state for generator in generators if generator is not None]
