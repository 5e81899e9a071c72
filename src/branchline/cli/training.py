"""The command that trains networks: train."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from branchline.cli.shared import GAMES, OnCluster, app, compile_once, complete_bots, complete_games, console
from branchline.errors import GameOptionError, from_extra


@app.command()
def train(
    game: Annotated[str, typer.Argument(help=f"Which game: {GAMES}.", show_default=False, autocompletion=complete_games)],
    players: Annotated[str, typer.Option(help="Numbers of seats, such as 2 or 2,3,4, or all: one network learns all of them, the first most.")] = "2",
    seconds: Annotated[float, typer.Option(min=0, help="Seconds of self-play in all; a stopped run continues.")] = 600.0,
    folder: Annotated[Path | None, typer.Option(help="Folder of the run.", show_default="training-GAME")] = None,
    device: Annotated[str, typer.Option(help="cpu, or cuda (an NVIDIA GPU).")] = "cpu",
    slots: Annotated[int | None, typer.Option(min=8, help="Games side by side.", show_default="65536 on a GPU, 512 on a CPU")] = None,
    steps: Annotated[int, typer.Option(min=2, help="Steps between updates.")] = 48,
    minibatch: Annotated[int | None, typer.Option(min=8, help="Decisions per update.", show_default="32768 on a GPU, 4096 on a CPU")] = None,
    width: Annotated[int, typer.Option(min=16, max=1024, help="Units per hidden layer.")] = 768,
    depth: Annotated[int, typer.Option(min=2, help="Hidden layers.")] = 3,
    rate: Annotated[float, typer.Option(help="Learning rate; it falls to a twentieth.")] = 5e-4,
    lesson_slots: Annotated[int, typer.Option(min=1, help="Games of planner side by side to imitate first, for each number of seats.")] = 1024,
    lesson_steps: Annotated[int, typer.Option(min=1, help="Their steps.")] = 640,
    passes: Annotated[int | None, typer.Option(min=0, help="Epochs over them.", show_default="3, or 0 with --start")] = None,
    imitators: Annotated[
        float,
        typer.Option(min=0, max=1, help="Share of games with more than 2 seats in which the network that imitates planner plays all seats but one."),
    ] = 0.0,
    start: Annotated[Path | None, typer.Option(help="A checkpoint of another run to begin with.")] = None,
    teacher: Annotated[Path | None, typer.Option(help="A checkpoint of another run to imitate for two seats, perhaps of a larger network.")] = None,
    distil: Annotated[float, typer.Option(min=0, help="Seconds to imitate the teacher.")] = 45.0,
    against: Annotated[str, typer.Option(help="Bots to evaluate against, comma-separated.", autocompletion=complete_bots)] = "planner,greedy",
    games: Annotated[int, typer.Option(min=2, help="Games per evaluation.")] = 400,
    every: Annotated[float, typer.Option(min=0, help="Seconds between checkpoints and evaluations.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Seed. On a CPU with one thread, the same seed gives the same network.")] = 1,
    chances: Annotated[bool, typer.Option("--chances", help="Learn win chances instead, from games between bots of all kinds.")] = False,
    cluster: OnCluster = None,
    export: Annotated[Path | None, typer.Option(help="Write the network of the run's last checkpoint to this file and stop.")] = None,
) -> None:
    """Train a network by letting it play against itself. The bot `learned` plays what comes out, with BRANCHLINE_NETWORK=FILE."""
    with from_extra("train", "training"):
        import torch  # noqa: F401
    from branchline.batch.refusals import check_device
    from branchline.batch.warm import NEEDS
    from branchline.boards import load_board
    from branchline.bots.base import check_bot
    from branchline.training.chances import Fit
    from branchline.training.command import export_run, train_chances
    from branchline.training.command import train as run
    from branchline.training.measuring import Exam
    from branchline.training.settings import Settings

    game = load_board(game).game  # it may be a folder
    place, on_gpu, numbers = folder or Path(f"training-{game}"), check_device(device) == "cuda", seat_numbers(game, players)
    exam = Exam(tuple(map(check_bot, against.split(","))), numbers, games)
    settings = Settings(
        game, numbers, device, seconds, width, depth, slots or (65536 if on_gpu else 512), steps, minibatch or (32768 if on_gpu else 4096),
        rate=rate, imitators=imitators, passes=passes if passes is not None else 0 if start else 3, distil=distil, lesson_slots=lesson_slots,
        lesson_steps=lesson_steps, seed=seed,
    )  # fmt: skip
    if cluster is not None:
        check_cluster(cluster, chances)
    if export is not None:
        written = export_run(place, export)
    else:
        compile_once(NEEDS["batches"])
        written = (
            train_chances(console, game, numbers, place, Fit(device=device), games, seed)
            if chances
            else run(console, settings, place, exam, start, teacher, every, cluster)
        )
    console.print(f"Written: {written}", highlight=False, markup=False, soft_wrap=True)


def check_cluster(address: str, chances: bool) -> None:
    from branchline.cluster import ClusterOptionError, check_address

    check_address(address)
    if chances:
        raise ClusterOptionError("win chances are learned on one machine: leave out --cluster")


def seat_numbers(game: str, text: str) -> tuple[int, ...]:
    """Numbers of seats that the game allows, named as a list or as all of them."""
    from branchline.boards import load_board

    least, most = load_board(game).players
    allowed = range(least, most + 1)
    if text == "all":
        return tuple(allowed)
    if not all(number.strip().isdigit() and int(number) in allowed for number in text.split(",")):
        raise GameOptionError(f"--players must be numbers from {least} to {most}, such as {least},{most}, or all, not {text!r}")
    return tuple(dict.fromkeys(int(number) for number in text.split(",")))
