"""What the models of the course have in common: how they are compiled."""

from typing import Any

import keras


class CourseModel(keras.Model):
    """A Keras model that starts to train soon."""

    def default_loss(self) -> Any:
        """The loss where `compile` gets none."""
        return None

    def compile(self, optimizer: Any = "rmsprop", loss: Any = None, **kwargs: Any) -> None:
        """As in Keras; without XLA unless `jit_compile` says otherwise.

        XLA (`jit_compile=True`) runs a step faster and takes up to a minute to
        compile a model, more than a short training gets back. JAX has no other
        way to make a graph, so there it is the default.

        The optimizer makes its own weights here. Left to the first training
        step, this makes TensorFlow trace the model twice.

        Args:
            optimizer: An optimizer, or its name.
            loss: A loss, or its name; None for the one that fits this kind of model.
            **kwargs: As in `keras.Model.compile`.
        """
        settings = {"jit_compile": keras.backend.backend() == "jax", **kwargs}
        loss = self.default_loss() if loss is None else loss
        super().compile(optimizer=optimizer, loss=loss, **settings)
        self.optimizer.build(self.trainable_variables)
