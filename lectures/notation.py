# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     notebook_metadata_filter: rnnkit
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Notation: all symbols of the course
#
# One letter means one thing in all seven lectures. Papers, books and Keras write some of them in another way; the last columns say how. Keep this page open while you read a paper.

# %% [markdown]
# ## What holds everywhere
#
# - **Vectors are rows**, as in the code: $x_t W$ is `x @ W`. Many books write columns: their $W x_t$ is our $x_t W^\top$.
# - **Shapes** stand for one example; in a batch, one more axis stands in front: (units,) becomes (batch, units).
# - **Steps count from 1** in formulas and from 0 in code: $x_1$ is `x[0]`. The state $h_0$ is the one before the first step, usually zeros.
# - $[a; b]$ joins two vectors, $\odot$ multiplies number by number, $\sigma$ is the logistic function $1 / (1 + e^{-a})$.
# - **Masks** are True for a real symbol and False for padding; padding stands at the end.

# %% [markdown]
# <a id="network"></a>
#
# ## One network, one step (lectures 1 and 2)
#
# | symbol | what it is | shape | in our code | in Keras | elsewhere |
# | --- | --- | --- | --- | --- | --- |
# | $x_t$ | input of step $t$ | (features,) | `x`, `inputs[:, t]` | `inputs` | $x_i$; $x^{(t)}$; $e^{(t)}$ for a word's vector |
# | $h_t$ | state after step $t$ | (units,) | `h`, `states[:, t]` | `states` | $s_i$ (Goldberg); $h^{(t)}$; $h_m$ (Eisenstein) |
# | $W$ | weights of the input | (features, units) | `W`, `kernel` | `kernel` | $W_x$, $W_e$; $W^x$ (Goldberg); often $W x_t$, a column |
# | $U$ | weights of the old state | (units, units) | `U`, `recurrent_kernel` | `recurrent_kernel` | $W_h$; $W^s$ (Goldberg) |
# | $b$ | bias | (units,) | `b`, `bias` | `bias` | $b_h$, $b_1$ |
# | $V$, $c$ | weights and bias of the output layer | (units, labels), (labels,) | `V`, `c` | `Dense` | $W_y$, $b_y$; $U$, $b_2$ where $W_h$ is our $U$ |
# | $o_t$ | output before the softmax: scores | (labels,) | `o`, `logits` | `logits` | $z_t$ |
# | $y_t$ | output; in training, the right answer | (labels,) | `y`, `targets` | `y_true`, `y_pred` | $\hat{y}_t$ for what the network says |

# %% [markdown]
# | symbol | what it is | shape | in our code | elsewhere |
# | --- | --- | --- | --- | --- |
# | $R$, $O$ | the step and the output, whatever is inside: $s_t = R(s_{t-1}, x_t)$, $y_t = O(s_t)$; there the state is called $s$ | | `R`, `O` | Goldberg's letters |
# | $a_t$ | what stands inside the $\tanh$ | (units,) | `a` | $z_t$, net input |
# | $L$ | loss | a number | `loss` | $J(\theta)$, $\mathcal{L}$, $E$ |
# | $\frac{\partial h_t}{\partial h_{t-1}}$ | Jacobian of one step | (units, units) | `jacobian` | often transposed |
# | $\lVert a \rVert$ | length of a vector | a number | `np.linalg.norm(a)` | $\lvert a \rvert$ |

# %% [markdown]
# The Elman step, in this notation and in two others:
#
# | text | state | output |
# | --- | --- | --- |
# | here, and `keras.layers.SimpleRNN` | $h_t = \tanh(x_t W + h_{t-1} U + b)$ | $o_t = h_t V + c$ |
# | Goldberg | $s_i = g(s_{i-1} W^s + x_i W^x + b)$ | $y_i = s_i$ |
# | often, with columns | $h_t = \sigma(W_x x_t + W_h h_{t-1} + b_h)$ | $y_t = \mathrm{softmax}(W_y h_t + b_y)$ |
#
# In the third, $\sigma$ is any non-linear function, most often $\tanh$. With us $\sigma$ is always the logistic function.

# %%
# First, because it tells TensorFlow and Keras how to start.
from rnnkit import layers, plots

import keras
import numpy as np

plots.unrolled(["x₁", "x₂"], ["y₁", "y₂"], attention=True)

# %% [markdown]
# **Figure 1.** Where the letters stand, in an encoder-decoder with attention: inputs $x_j$ and encoder states $h_j$ below, a context $c_i$ for each step, decoder states $s_i$ and outputs $y_i$ above.

# %% [markdown]
# <a id="gates"></a>
#
# ## Gates (lecture 2)
#
# | symbol | what it is | shape | in our code | in Keras | elsewhere |
# | --- | --- | --- | --- | --- | --- |
# | $i_t$, $f_t$, $o_t$ | input, forget and output gate of the LSTM, each between 0 and 1 | (units,) | `i`, `f`, `o` | parts 1, 2 and 4 of the weights | the same letters nearly everywhere |
# | $g_t$ | candidate: what could be written | (units,) | `g` | part 3 of the weights; its order is called i, f, c, o | $\tilde{c}_t$; $z$ (Goldberg) |
# | $c_t$ | memory, also called cell state | (units,) | `c` | second state | "context vector" in some slides: not the context of attention |
# | $r_t$, $z_t$ | reset and update gate of the GRU | (units,) | `r`, `z` | parts 2 and 1 of the weights | $z$ may mean its opposite, see below |
#
# The LSTM: $c_t = f_t \odot c_{t-1} + i_t \odot g_t$ and $h_t = o_t \odot \tanh(c_t)$.
# The GRU: $h_t = z_t \odot h_{t-1} + (1 - z_t) \odot g_t$.

# %% [markdown]
# <a id="text"></a>
#
# ## Texts and both directions (lectures 3 and 4)
#
# | symbol | what it is | shape | in our code | elsewhere |
# | --- | --- | --- | --- | --- |
# | $w_t$ | symbol of a text: a character, a word, a piece of a word | a whole number | `ids` | $x^{(t)}$ as a vector of zeros with a single 1 |
# | $V$ | vocabulary; its size is $\lvert V \rvert$. (The output matrix has the same letter; the bars tell them apart.) | | `vocabulary` | $\mathcal{V}$ |
# | $p(w_t \mid w_{<t})$ | probability of a symbol after all those before it | a number | `p`, `probabilities` | $\hat{y}^{(t)}$, the whole distribution |
# | $J$ | mean of $-\log p$ over a text, in nats; perplexity is $e^{J}$ | a number | `J`, `loss` | $J(\theta)$; CE, the cross-entropy |
# | $T$ | temperature of sampling | a number | `temperature` | $\tau$; in sums over a text, $T$ is its length |
# | $\overrightarrow{h}_t$, $\overleftarrow{h}_t$ | forward state, which has read $x_1$ to $x_t$; backward state, which has read $x_n$ to $x_t$ | (units,) | `ahead`, `back` | $\mathrm{RNN}_f(x_{1:i})$, $\mathrm{RNN}_b(x_{n:i})$ (Goldberg) |
# | $h^l_t$ | what layer $l$ gives at position $t$, both directions joined | (2 · units,) | `outputs` | $h_t^{(l)}$ |

# %% [markdown]
# <a id="attention"></a>
#
# ## Encoder, decoder, attention (lectures 5 and 6)
#
# | symbol | what it is | shape | in our code | elsewhere |
# | --- | --- | --- | --- | --- |
# | $h_j$ | encoder's state at source position $j$ | (key_units,) | `keys[:, j]` | $h_j^e$ (Jurafsky and Martin); $h_j^{\text{(enc)}}$ |
# | $s_i$ | decoder's state after step $i$ | (units,) | `state`, `query` | $h_i^d$ (Jurafsky and Martin); $h_i^{\text{(dec)}}$ |
# | $c$ | context: one vector for the whole source | (units,) | `context` | $h_n$, $c$, $v$ |
# | $c_i$ | context of step $i$, with attention | (key_units,) | `context` | the same |
# | $e_{ij}$ | score: how well position $j$ fits step $i$ | a number | `scores` | $\mathrm{score}(h_{i-1}^d, h_j^e)$; $f_{\text{att}}$; $\hat{a}_j$ |
# | $\alpha_{ij}$ | weight: softmax of the scores over $j$ | a number | `weights` | $a_j$ |
# | $W$, $U$, $v$ | weights of a score | (query_units, units), (key_units, units), (units,) | `W`, `U`, `v` | $W_a$, $U_a$, $v_a$ |
#
# The decoder looks with its state **before** the step: $e_{ij}$ is made from $s_{i-1}$ and $h_j$. Luong et al. (2015) look with $s_i$, after the step.

# %% [markdown]
# | score | formula | author | in Keras |
# | --- | --- | --- | --- |
# | dot product | $e_{ij} = s_{i-1} \cdot h_j$ | Luong et al. 2015 | `Attention` |
# | multiplicative, also called bilinear or general | $e_{ij} = s_{i-1} W h_j^\top$ | Luong et al. 2015; some slides say Bahdanau | none |
# | additive | $e_{ij} = \tanh(s_{i-1} W + h_j U)\, v$ | Bahdanau, Cho and Bengio 2015 | none: `AdditiveAttention` has no $W$ and no $U$ |

# %% [markdown]
# <a id="elmo"></a>
#
# ## ELMo (lecture 7)
#
# Letters of Peters et al. (2018); here $k$ is the position and $j$ the layer.
#
# | symbol | what it is | shape | in our code |
# | --- | --- | --- | --- |
# | $x_k$ | vector of word $k$, made from its characters | (size,) | `tokens[k]` |
# | $h_{k,j}$ | output of layer $j$ at word $k$, both directions joined; $h_{k,0}$ is the token layer, twice | (2 · size,) | `layers[:, j, k]` |
# | $R_k$ | all $2L + 1$ vectors of word $k$: $x_k$ and two for each of $L$ layers | | |
# | $s_j$ | weight of layer $j$ in a task: a softmax, so they sum to 1 | a number | `ScalarMix` |
# | $\gamma$ | scales the mixture | a number | `gamma` |
# | $\lambda$ | how strongly the weights are held equal | a number | `regularization` |
#
# $\mathrm{ELMo}_k = \gamma \sum_{j=0}^{L} s_j h_{k,j}$. This $s_j$ is a number, no decoder state.

# %% [markdown]
# <a id="traps"></a>
#
# ## What trips people
#
# The next cells show each on numbers.

# %% [markdown]
# **Keras's GRU keeps the old state with $z$.** Two papers of 2014, with authors in common, disagree: in Cho et al. $z$ keeps the old state, as here and in Keras; in Chung et al. it lets the new one in, $h_t = (1 - z_t) \odot h_{t-1} + z_t \odot g_t$. Where a text has the second form, read $1 - z$ for our $z$.

# %%
gru = keras.layers.GRUCell(1)
gru.build((1, 1))
kernel, recurrent_kernel, bias = (np.zeros(weight.shape) for weight in gru.weights)
bias[0, 0] = 100.0  # part 1: z becomes 1
gru.set_weights([kernel, recurrent_kernel, bias])
x, h = np.zeros((1, 1)), np.full((1, 1), 0.7)
new, _ = gru(x, [h])
ours = layers.gru_step(x, h, kernel, recurrent_kernel, bias)
print(f"old state 0.7, z = 1; new state in Keras {float(new[0, 0]):.1f}, ours {float(ours[0, 0]):.1f}")

# %% [markdown]
# **Keras's GRU has two biases**, `bias[0]` for the part of the input and `bias[1]` for that of the state. For $z$ and $r$ only their sum matters. For the candidate it matters where the second stands, because the reset gate multiplies it: $g_t = \tanh(x_t W_g + b_g + r_t \odot (h_{t-1} U_g + b'_g))$.

# %%
print("weights of GRUCell(1):", [tuple(weight.shape) for weight in gru.weights])
lstm = keras.layers.LSTMCell(1)
lstm.build((1, 1))
print("weights of LSTMCell(1):", [tuple(weight.shape) for weight in lstm.weights])

# %% [markdown]
# **The order of the gates.** One matrix holds all of them side by side: $i$, $f$, $g$, $o$ in the LSTM, and $z$, $r$, $g$ in the GRU. The bias of the LSTM starts with a 1 for the forget gate; where it stands shows the order.

# %%
print("bias of LSTMCell(1), for i, f, g, o:", np.asarray(lstm.bias).tolist())

# %% [markdown]
# **Rows against columns.** A matrix for columns is the transpose of one for rows. With square matrices no error tells you that it is the wrong way round.

# %%
x = np.array([1.0, 2.0])  # a vector
W = np.array([[1.0, 2.0], [3.0, 4.0]])  # square, as U always is
print("x W, a row:     ", x @ W)
print("W x, a column:  ", W @ x)
print("x W transposed: ", x @ W.T)

# %% [markdown]
# **One letter, two things.** Some pairs cannot be avoided; look at the shape.
#
# | letter | is | and also |
# | --- | --- | --- |
# | $c$ | bias of the output layer | memory $c_t$ of the LSTM; context $c_i$ of the decoder |
# | $o_t$ | scores of the output layer | output gate |
# | $s$ | abstract state; decoder's state $s_i$ | ELMo's weight $s_j$; a softmax |
# | $V$ | weights of the output layer | vocabulary, in $\lvert V \rvert$ |
# | $T$ | temperature | length of a text; as $^\top$, transposed |
# | $i$ | input gate | decoding step |

# %% [markdown]
# ## Where to look things up
#
# - Yoav Goldberg, *Neural Network Methods for Natural Language Processing*, 2017: rows, $s_i$, $R$ and $O$.
# - Daniel Jurafsky and James H. Martin, *Speech and Language Processing*, third edition (draft): columns, $h^e$ and $h^d$.
# - Jacob Eisenstein, *Introduction to Natural Language Processing*, 2019: columns, $\Theta$ for weights.
# - Matthew E. Peters and others, *Deep contextualized word representations*, 2018: $h_{k,j}$, $s_j$, $\gamma$.
# - Kyunghyun Cho and others, *Learning phrase representations using RNN encoder-decoder*, 2014, and Junyoung Chung and others, *Empirical evaluation of gated recurrent neural networks*, 2014: the two forms of the GRU.
