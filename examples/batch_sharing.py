"""Let a network play a batch in NumPy, PyTorch, JAX or CuPy, whichever are installed. Observations and legal decisions are shared, not copied.

    python examples/batch_sharing.py

The networks are untrained. The point is how to pass arrays back and forth.
"""

from importlib import import_module

import numpy as np

from branchline.batch import Batch
from branchline.errors import BranchlineError

GAMES, STEPS = 64, 20


def with_torch(torch):
    """`from_numpy` shares memory, so you call it once: each step and each `observe` updates the tensors."""
    batch = Batch("london", GAMES, players=2, seed=1)
    observations, legal = torch.from_numpy(batch.observe()), torch.from_numpy(batch.legal)
    network = torch.nn.Linear(batch.observation_size, legal.shape[1])
    with torch.no_grad():
        for _ in range(STEPS):
            batch.observe()
            batch.step(network(observations).masked_fill(~legal, -torch.inf).argmax(1).numpy())
    return observations.data_ptr() == batch.observe().ctypes.data


def with_torch_on_gpu(torch):
    """On a GPU, `as_tensor` shares the arrays on the device, and decisions stay there too."""
    batch = Batch("london", GAMES, players=2, seed=1, device="cuda")
    observations, legal = torch.as_tensor(batch.observe(), device="cuda"), torch.as_tensor(batch.legal, device="cuda")
    network = torch.nn.Linear(batch.observation_size, legal.shape[1], device="cuda")
    with torch.no_grad():
        for _ in range(STEPS):
            batch.observe()
            batch.step(network(observations).masked_fill(~legal, -torch.inf).argmax(1))
    return observations.data_ptr() == torch.as_tensor(batch.observe(), device="cuda").data_ptr()


def with_jax(jax):
    """JAX treats arrays as constants, so share them again in every step, and finish with them before the next."""
    batch = Batch("london", GAMES, players=2, seed=1)
    weights = jax.random.normal(jax.random.key(1), (batch.observation_size, batch.legal.shape[1]))
    decide = jax.jit(lambda observations, legal: jax.numpy.where(legal, observations @ weights, -jax.numpy.inf).argmax(1))
    for _ in range(STEPS):
        observations = jax.dlpack.from_dlpack(batch.observe())
        batch.step(np.asarray(decide(observations, jax.dlpack.from_dlpack(batch.legal))))
    return observations.unsafe_buffer_pointer() == batch.observe().ctypes.data


def with_jax_on_gpu(jax):
    """On a GPU, `asarray` shares the arrays on the device, and a step takes JAX's decisions from there. JAX does not queue its work behind the
    batch's, so each has to wait for the other."""
    batch = Batch("london", GAMES, players=2, seed=1, device="cuda")
    weights = jax.random.normal(jax.random.key(1), (batch.observation_size, batch.legal.shape[1]))
    decide = jax.jit(lambda observations, legal: jax.numpy.where(legal, observations @ weights, -jax.numpy.inf).argmax(1))
    for _ in range(STEPS):
        observations = jax.numpy.asarray(batch.observe())
        batch.synchronize()
        batch.step(decide(observations, jax.numpy.asarray(batch.legal)).block_until_ready())
    return observations.unsafe_buffer_pointer() == batch.observe().__cuda_array_interface__["data"][0]


def with_cupy(cupy):
    """On the GPU, games, observations and network share the same memory; `asarray` takes the arrays as they are."""
    batch = Batch("london", GAMES, players=2, seed=1, device="cuda")
    weights = cupy.random.standard_normal((batch.observation_size, batch.legal.shape[1]), cupy.float32)
    for _ in range(STEPS):
        observations, legal = cupy.asarray(batch.observe()), cupy.asarray(batch.legal)
        batch.step(cupy.where(legal, observations @ weights, -cupy.inf).argmax(1))
    return observations.data.ptr == cupy.asarray(batch.observe()).data.ptr


def with_numpy(numpy):
    """NumPy supports DLPack too, the standard by which libraries share arrays."""
    batch = Batch("london", GAMES, players=2, seed=1)
    observations, legal = numpy.from_dlpack(batch.observe()), numpy.from_dlpack(batch.legal)
    weights = numpy.random.default_rng(1).standard_normal((batch.observation_size, legal.shape[1]), numpy.float32)
    for _ in range(STEPS):
        batch.observe()
        batch.step(numpy.where(legal, observations @ weights, -numpy.inf).argmax(1))
    return numpy.shares_memory(observations, batch.observe())


ON_CPU = (("numpy", with_numpy), ("torch", with_torch), ("jax", with_jax))
ON_GPU = (("torch", with_torch_on_gpu), ("jax", with_jax_on_gpu), ("cupy", with_cupy))
for name, play in ON_CPU + ON_GPU:
    try:
        shared = play(import_module(name))
    except ImportError as error:
        print(f"{name}: not installed ({error})")
    except (BranchlineError, RuntimeError) as error:
        print(f"{name}: {error}")
    else:
        where = "on a GPU" if (name, play) in ON_GPU else "on the CPU"
        print(f"{name} {where}: {STEPS} steps of {GAMES} games; the observations are {'shared' if shared else 'copied'}")
