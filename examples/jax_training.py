"""Learn with JAX from the arrays of a batch, which are shared, not copied: on the CPU by DLPack, on a GPU through the CUDA array interface.

    python examples/jax_training.py [cpu|cuda] [steps]

One seat learns against the bot `random` by policy gradients with a baseline. Acting, and learning from a decision's outcome, are jitted functions. A
GPU's batch and JAX do not run in order by themselves, so each waits for the other: `synchronize` and `block_until_ready`.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

from branchline.batch import Batch, Rewards

GAMES, WIDTH, RATE, DECAY = 512, 128, 1e-3, 0.98


def new_net(key, size, decisions):
    first, head = jax.random.split(key)
    scaled = lambda key, rows, columns: jax.random.normal(key, (rows, columns)) / np.sqrt(rows)  # noqa: E731
    return {"first": scaled(first, size, WIDTH), "bias": jnp.zeros(WIDTH), "head": 0.1 * scaled(head, WIDTH, decisions + 1)}


def evaluated(net, observations, legal):
    """Logarithms of the decisions' chances, and the value."""
    out = jax.nn.relu(observations @ net["first"] + net["bias"]) @ net["head"]
    return jax.nn.log_softmax(jnp.where(legal, out[:, :-1], -1e9)), out[:, -1]


@jax.jit
def act(net, key, observations, legal):
    chances, value = evaluated(net, observations, legal)
    return jax.random.categorical(key, chances), value


def loss(net, observations, legal, decisions, rewards, following):
    chances, value = evaluated(net, observations, legal)
    chosen = jnp.take_along_axis(chances, decisions[:, None], 1)[:, 0]
    surprise = rewards + following - value
    entropy = -(jnp.exp(chances) * chances).sum(1)
    return (-chosen * jax.lax.stop_gradient(surprise) + 0.5 * surprise**2 - 0.005 * entropy).mean()


@jax.jit
def learn(net, means, *experience):
    """One step of Adam."""
    slope = jax.grad(loss)(net, *experience)
    means = (
        jax.tree.map(lambda old, new: 0.9 * old + 0.1 * new, means[0], slope),
        jax.tree.map(lambda old, new: 0.99 * old + 0.01 * new**2, means[1], slope),
    )
    return jax.tree.map(lambda weight, mean, square: weight - RATE * mean / (jnp.sqrt(square) + 1e-6), net, *means), means


def main(device="cpu", steps=1000):
    batch = Batch("london", GAMES, device=device, seed=1, opponents=["random"], packed=True, rewards=Rewards(shaping=1.0, scale=20))
    share = jax.dlpack.from_dlpack if device == "cpu" else jnp.asarray
    net = new_net(jax.random.key(1), batch.observation_size, batch.legal.shape[1])
    zeros = jax.tree.map(jnp.zeros_like, net)
    means, won, ended, before = (zeros, zeros), 0.0, 0, None
    for step in range(steps):
        observations, legal = share(batch.observe()), share(batch.legal)
        batch.synchronize()
        decisions, value = act(net, jax.random.key(step), observations, legal)
        if before is not None:  # what followed the decision before is known now
            following = jnp.where(share(batch.finished), 0.0, DECAY * value)
            net, means = learn(net, means, *before, share(batch.rewards)[:, 0], following)
        before = jnp.array(observations), jnp.array(legal), decisions  # copies: the batch's arrays change with the step
        jax.block_until_ready((before, net))
        batch.step(np.asarray(decisions) if device == "cpu" else decisions)
        if step >= steps // 2:
            won, ended = won + float(share(batch.shares)[:, 0].sum()), ended + int(share(batch.finished).sum())
    shared = observations.unsafe_buffer_pointer() == address(batch.observe())
    print(f"{steps} steps of {GAMES} games on {device}; the observations were {'shared' if shared else 'copied'}")
    print(f"wins in the second half: {100 * won / max(ended, 1):.1f} % of {ended} games")


def address(array):
    return array.ctypes.data if isinstance(array, np.ndarray) else array.__cuda_array_interface__["data"][0]


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
