"""Check, on a machine with a GPU, that GPU and CPU play the same games, byte for byte.

It compares last states, results, numbers of decisions and tallies of random games on every board with every number of seats; the same for games
between all built-in bots, with a user's own bot, and with the options of the Card Game; statistics; batches, with what training needs, and in
CUDA graphs; and all events of some games.

    python scripts/check_gpu.py [games of random play] [games of bots] [games with events]

Boards are checked in parallel processes, because most of the time goes into compiling kernels.
"""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from branchline.batch import Batch, Rewards, play_batch, statistic
from branchline.batch.compiled.playing import play
from branchline.batch.matches import Match
from branchline.batch.warm import ALL, is_warm
from branchline.boards import Board, available_boards, load_board
from branchline.bots.compiled.policies import pick
from branchline.bots.compiled.thoughts import can
from branchline.compiling import rule, wipe
from branchline.compiling.fallback import way
from branchline.cuda import GpuPlayer, load_cuda
from branchline.cuda.compiling import private, short_code
from branchline.play.events import named_events
from branchline.play.games import Game
from branchline.rules.bits import count
from branchline.rules.log import new_log
from branchline.rules.scoring import RESULT
from branchline.rules.sizes import MASK_WORDS, NONE, SEATS
from branchline.rules.state import MAY_DRAW_ONE, STATE, TABLE_OPTIONS, TICKETS_OTHERWISE
from branchline.rules.vocabulary.decisions import CLAIM
from branchline.rules.work import WORK

AT_ONCE = (
    16  # parts: the threads of a GPU take up to eight gigabytes for the kernels of bots, and more parts than this found no more memory on an H200
)
EVENTS = 16_000  # rows that a game's log has room for; few five-seat games of the World need more
RECORDS = 20  # games whose events are also compared with their records
DICE_SHAPE = (SEATS, 3)
MIXED = ["planner", "greedy", "random", "planner", "greedy"]
OWN = f"{Path(__file__).stem}:longest_claim"
# the bots, and the options of their table
LINE_UPS = {"bots": (MIXED, 0), "own": ([OWN, *MIXED[:3], OWN], 0), "options": (MIXED, TICKETS_OTHERWISE | MAY_DRAW_ONE)}


def compare(what: str, on_gpu: Any, on_cpu: Any) -> None:
    for field in ("states", "results", "decisions", "tallies"):
        if getattr(on_gpu, field).tobytes() != getattr(on_cpu, field).tobytes():
            sys.exit(f"{what}: {field} differ between GPU and CPU")


def check_games(board: Board, bots: list[str], games: int, options: int = 0) -> None:
    player = GpuPlayer(board, bots, options=options)
    started = time.perf_counter()
    on_gpu = player.play(games, seed=1)
    seconds = time.perf_counter() - started
    wait_for_cpu()
    chosen = [name for name in board.options if options & TABLE_OPTIONS[name]]
    names = ", ".join([*dict.fromkeys(bots), *chosen])
    compare(f"{board.game} with {len(bots)} seats of {names}", on_gpu, play_batch(board, bots, games, 1, options=options))
    print(f"{board.game:9} {len(bots)} seats, {names}: {games} games equal ({seconds:.1f} s with building the kernel)", flush=True)


def events_kernel() -> Any:
    """Random games with all their events, one per thread, on any board."""
    cuda = load_cuda()
    from numba import from_dtype, types

    state_type, work_type, result_type = from_dtype(STATE), from_dtype(WORK), from_dtype(RESULT)

    @cuda.jit
    def kernel(boards, logs, players, seed):
        game = cuda.grid(1)
        if game < logs.shape[0]:
            mask, dice = cuda.local.array(MASK_WORDS, types.uint64), cuda.local.array(DICE_SHAPE, types.uint64)
            state, work, result = cuda.local.array(1, state_type), cuda.local.array(1, work_type), cuda.local.array(1, result_type)
            wipe(state[0])
            wipe(result[0])
            minds, table, key = (None, None, None, None, dice), (players, NONE, 0), (np.uint64(seed), np.uint64(game))
            play(boards[0], state[0], logs[game], mask, work[0], result[0], minds, (None, None, None), table, key, None, None)

    return kernel


def events_on_cpu() -> Any:
    """A game with all its events, by the compiled rules of the CPU."""
    from numba import njit

    @njit
    def one_game(boards, states, log, mask, works, results, dice, players, seed, game):
        wipe(states[0])
        wipe(results[0])
        log[0, 0] = 0
        minds, table, key = (None, None, None, None, dice), (players, NONE, 0), (np.uint64(seed), np.uint64(game))
        play(boards[0], states[0], log, mask, works[0], results[0], minds, (None, None, None), table, key, None, None)

    return one_game


def same_events(board: Board, players: int, logs: Any, one_game: Any) -> None:
    """Compare row by row; if a game has more events than there is room for, compare those that fit and their number."""
    states, results, works = np.zeros(1, STATE), np.zeros(1, RESULT), np.zeros(1, WORK)
    log, mask, dice = new_log(EVENTS), np.zeros(MASK_WORDS, np.uint64), np.zeros(DICE_SHAPE, np.uint64)
    for game, on_gpu in enumerate(logs):
        one_game(board.records, states, log, mask, works, results, dice, players, 1, game)
        rows = min(int(log[0, 0]), EVENTS) + 1
        if on_gpu[:rows].tobytes() != log[:rows].tobytes():
            sys.exit(f"{board.game} with {players} seats: the events of game {game} differ between GPU and CPU")


def same_records(board: Board, players: int, logs: Any) -> None:
    """Compare with the named events in the records of these games."""
    match = Match(Game(board.game, players), ["random"] * players)
    for game, log in enumerate(logs):
        if log[0, 0] <= EVENTS and named_events(board, log[1 : log[0, 0] + 1].tolist()) != match.play((1 << 64) + game).events:
            sys.exit(f"{board.game} with {players} seats: the events of game {game} are not those of its record")


def check_events(name: str, games: int) -> None:
    cuda, kernel, one_game = load_cuda(), events_kernel(), events_on_cpu()
    board = load_board(name)
    for players in range(board.players[0], board.players[1] + 1):
        logs = cuda.to_device(np.zeros((games, *new_log(EVENTS).shape), np.int32))
        with short_code():
            kernel[(games + 127) // 128, 128](cuda.to_device(board.records), logs, players, 1)
        written = logs.copy_to_host()
        wait_for_cpu()
        same_events(board, players, written, one_game)
        same_records(board, players, written[:RECORDS])
        fit = np.minimum(written[:, 0, 0], EVENTS)
        print(f"{name:9} {players} seats: {int(fit.sum()):,} events of {games} games equal, of {(fit == written[:, 0, 0]).sum()} all", flush=True)


def check_board(name: str, bots: list[str], games: int, options: int = 0) -> None:
    board = load_board(name)
    for players in range(board.players[0], board.players[1] + 1):
        check_games(board, bots[:players], games, options)


def check_results(name: str, games: int) -> None:
    """The kernel that writes nothing but results."""
    board = load_board(name)
    bots = ["random"] * board.players[1]
    on_gpu, on_cpu = GpuPlayer(board, bots, only_results=True).play(games, 1), play_batch(board, bots, games, 1)
    if on_gpu.results.tobytes() != on_cpu.results.tobytes() or on_gpu.decisions.tobytes() != on_cpu.decisions.tobytes():
        sys.exit(f"{name}: results differ between GPU and CPU")
    print(f"{name:9} {len(bots)} seats, only results: {games} games equal", flush=True)


@statistic(size=SEATS)
def cards_in_turns(board, state, seat, action, turn, out):
    """Cards in hand after each turn, with the turn's number and action, added up: any difference shows."""
    for kind in range(board.kinds):
        out[seat] += state.hands[seat, kind] * turn + action


@rule
def longest_claim(board, seen, mask, thoughts, dice):  # noqa: ARG001  # like any bot
    """A user's own bot: the longest claim, or any legal decision."""
    best, length = np.int64(pick(mask, count(mask), dice)), np.int64(0)
    for route in range(board.routes):
        if can(board, mask, CLAIM, route) and board.length[route] > length:
            best, length = np.int64(board.starts[CLAIM] + route), np.int64(board.length[route])
    return best


def check_statistics(name: str, games: int) -> None:
    """Enough games that the last block is not full and that there are more blocks than run at once."""
    board, games = load_board(name), 40 * games + 1
    bots = ["random"] * board.players[1]
    on_gpu = GpuPlayer(board, bots, [cards_in_turns]).play(games, 1)
    wait_for_cpu()
    on_cpu = play_batch(board, bots, games, 1, statistics=[cards_in_turns])
    if on_gpu.extra.tobytes() != on_cpu.extra.tobytes():
        sys.exit(f"{name}: statistics differ between GPU and CPU")
    print(f"{name:9} {len(bots)} seats: statistics of {games} games equal", flush=True)


def same_batches(what: str, on_gpu: Any, on_cpu: Any) -> None:
    there = on_gpu.save()
    for field, array in on_cpu.save().items():
        if there[field].tobytes() != array.tobytes():
            sys.exit(f"{what}: {field} of the batches differ between GPU and CPU")


def same_rows(what: str, on_gpu: Any, on_cpu: Any) -> None:
    if on_gpu.copy_to_host().tobytes("C") != on_cpu.tobytes():
        sys.exit(f"{what} differ between GPU and CPU")


def check_batch(name: str, games: int) -> None:
    """Step batches side by side through several games per slot, checked and unchecked, and compare observations in both orders."""
    players = load_board(name).players[1]
    on_gpu = Batch(name, games, players, device="cuda", seed=1)
    wait_for_cpu()
    on_cpu = Batch(name, games, players, seed=1)
    columns = load_cuda().device_array((games, on_cpu.observation_size), np.float32, order="F")
    for step in range(1200):
        on_gpu.step(on_gpu.sample(), check=step % 2 == 0)
        on_cpu.step(on_cpu.sample())
        if step % 100 == 0:
            same_rows(f"{name}: observations", on_gpu.observe(), on_cpu.observe())
            same_rows(f"{name}: observations in columns", on_gpu.observe(columns), on_cpu.observe())
            same_batches(name, on_gpu, on_cpu)
    print(f"{name:9} {players} seats: batches of {games} equal, {on_cpu.games_played} games", flush=True)


def check_training(name: str, games: int) -> None:
    """What training needs: opponents inside, bots asked, resets, rewards, packed, normalised and final observations."""
    for players in {2, load_board(name).players[1]}:
        opponents = [None, *["planner", "greedy", "random", "planner"][: players - 1]]
        options = {"players": players, "opponents": opponents, "packed": True, "seed": 1}
        on_gpu, halves = Batch(name, games, device="cuda", **options), Batch(name, games, device="cuda", dtype="bfloat16", pad=16, **options)
        wait_for_cpu()
        on_cpu = Batch(name, games, rewards=Rewards(), **options)
        size = on_cpu.observation_size
        mean, scale = np.linspace(0, 0.5, size, dtype=np.float32), np.linspace(0.1, 1, size, dtype=np.float32)
        halves.normalise(mean, scale)
        for step in range(300):
            if step == 100:
                for batch in (on_cpu, on_gpu):
                    batch.reset(np.arange(0, games, 3), np.arange(0, games, 3) + 1000)
            for bot in ("planner", "greedy") if step % 50 == 0 else ():
                same_rows(f"{name}: what {bot} decides", on_gpu.ask(bot), on_cpu.ask(bot))
            if step % 50 == 0:
                same_batches(f"{name} against {opponents}", on_gpu, on_cpu)
                for rows, others in ((on_gpu.observe(), on_cpu.observe()), (on_gpu.observe_final(), on_cpu.observe_final())):
                    same_rows(f"{name}: packed observations", rows, others)
                same_rows(f"{name}: another seat's observations", on_gpu.observe_seat(players - 1), on_cpu.observe_seat(players - 1))
            if step <= 50:
                if step == 50:
                    same_halves(name, halves.observe().copy_to_host(), (on_cpu.observe() - mean) / scale)
                halves.step(halves.sample(), check=False)
            on_gpu.step(on_gpu.sample(), check=False)
            on_cpu.step(on_cpu.sample())
        print(f"{name:9} {players} seats: batches for training equal, {on_cpu.games_played} games", flush=True)


def same_halves(name: str, bits: Any, expected: Any) -> None:
    """Rounded to eight bits, and padded with zeros."""
    rows = (bits.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    size = expected.shape[1]
    if not np.allclose(rows[:, :size], expected, rtol=2**-8, atol=1e-6) or rows[:, size:].any():
        sys.exit(f"{name}: normalised observations differ between GPU and CPU")


def check_graph(name: str, games: int) -> None:
    """Steps and observations inside a CUDA graph of PyTorch, on a stream of its own, equal those outside."""
    import torch

    inside, outside = (Batch(name, games, device="cuda", seed=1, packed=True) for _ in range(2))

    def work() -> None:
        inside.observe()
        inside.step(inside.sample(), check=False)

    aside = torch.cuda.Stream()
    with torch.cuda.stream(aside):
        work()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    for _ in range(200):
        graph.replay()
    torch.cuda.synchronize()
    for _ in range(201):
        outside.observe()
        outside.step(outside.sample(), check=False)
    outside.synchronize()
    same_batches(f"{name} in a CUDA graph", inside, outside)
    if inside.observe().copy_to_host().tobytes() != outside.observe().copy_to_host().tobytes():
        sys.exit(f"{name}: observations in a CUDA graph differ")
    print(f"{name:9} 2 seats: 200 steps in a CUDA graph equal, {outside.games_played} games", flush=True)


def wait_for_cpu() -> None:
    """Wait for the process that compiles the rules for the CPU."""
    deadline = time.monotonic() + 400
    while not is_warm(ALL):
        if time.monotonic() > deadline:
            sys.exit("the rules were not compiled for the CPU in time: see above, or run python -m branchline.batch.warm batches")
        time.sleep(0.2)


def check_part(name: str, what: str, games: int, bot_games: int, event_games: int) -> None:
    if what == "events":
        check_events(name, event_games)
    elif what == "random":
        check_board(name, ["random"] * SEATS, games)
        check_results(name, games)
    elif what == "batch":
        check_batch(name, bot_games)
    elif what == "training":
        check_training(name, bot_games)
    elif what == "graph":
        check_graph(name, bot_games)
    elif what == "statistics":
        check_statistics(name, bot_games)
    else:
        bots, options = LINE_UPS.get(what, ([what] * SEATS, 0))
        check_board(name, bots, bot_games, options)


def main() -> None:
    if len(sys.argv) > 4:
        check_part(*sys.argv[4].split(":"), *map(int, sys.argv[1:4]))
        return
    if way() == "private" and private() is None:
        sys.exit("what we rely on in numba-cuda does not work: see the warning above, and cuda/numba_cuda_private.py")
    numbers = (*sys.argv[1:4], *("4000", "500", "1000")[len(sys.argv) - 1 :])
    parts = [f"{name}:{what}" for what in ("bots", "random", "batch", "training", "events") for name in available_boards()]
    parts += ["europe:graph"] * bool(find_spec("torch"))
    parts += ["europe:greedy", "europe:planner", "europe:statistics", "europe:own", "card-game:options"]
    warming = subprocess.Popen([sys.executable, "-m", "branchline.batch.warm", "batches"])
    with ThreadPoolExecutor(AT_ONCE) as workers:
        ended = list(workers.map(lambda part: subprocess.run([sys.executable, __file__, *numbers, part], check=False).returncode, parts))
    failed = [part for part, code in zip(parts, ended, strict=True) if code]
    if warming.wait():
        sys.exit("the rules could not be compiled for the CPU")
    if failed:
        sys.exit(f"GPU and CPU do not agree, or could not be compared (see above): {', '.join(failed)}")
    print("GPU and CPU play the same games.")


if __name__ == "__main__":
    main()
