"""The games to learn from: batches of several numbers of seats, as one row of slots in tensors."""

from __future__ import annotations

from typing import Any

import torch

from branchline.batch import Batch, Rewards

PAD = 16  # numbers of a row are filled up to a multiple of that, as tensor cores like it
FEWEST = 2  # seats
Statistics = tuple[Any, Any]  # mean and scale of each number of an observation


class Table:
    """A batch and its arrays as tensors that share its memory."""

    def __init__(self, game: str, players: int, slots: int, device: str, seed: int, statistics: Statistics) -> None:
        self.on_gpu, self.players, self.slots = device == "cuda", players, slots
        self.batch = Batch(game, slots, players, device=device, seed=seed, pad=PAD, dtype="bfloat16" if self.on_gpu else "float32")
        self.batch.normalise(*statistics)
        share = self.shared
        self.seats, self.legal, self.finished = share(self.batch.seats), share(self.batch.legal), share(self.batch.finished)
        self.rewards = share(self.batch.rewards)

    def shared(self, array: Any) -> torch.Tensor:
        return torch.as_tensor(array, device="cuda") if self.on_gpu else torch.from_numpy(array)

    def observe(self, out: torch.Tensor) -> None:
        self.batch.observe(out if self.on_gpu else out.numpy())

    def step(self, decisions: torch.Tensor) -> None:
        """Unchecked: the decisions come from a masked distribution, and a check would make the GPU wait."""
        self.batch.step(decisions if self.on_gpu else decisions.numpy(), check=False)


class Tables:
    """Tables side by side: slots of all of them in one row."""

    def __init__(self, game: str, shares: dict[int, int], device: str, seed: int, statistics: Statistics) -> None:
        self.tables = [Table(game, players, slots, device, seed + players, statistics) for players, slots in shares.items()]
        self.slots, self.most, self.on_gpu = sum(shares.values()), max(shares), device == "cuda"
        ends = [sum(table.slots for table in self.tables[: number + 1]) for number in range(len(self.tables))]
        self.parts = [slice(end - table.slots, end) for table, end in zip(self.tables, ends, strict=True)]
        self.size, self.decisions = self.tables[0].batch.observation_shape[1], self.tables[0].legal.shape[1]
        self.kind = torch.bfloat16 if self.on_gpu else torch.float32

    def look(self, rows: torch.Tensor, legal: torch.Tensor | None, seats: torch.Tensor) -> None:
        """Write down what the deciding seats see, what they may do, and which they are."""
        for table, part in zip(self.tables, self.parts, strict=True):
            table.observe(rows[part])
            seats[part] = table.seats
            if legal is not None:
                legal[part] = table.legal

    def step(self, decisions: torch.Tensor, finished: torch.Tensor, rewards: torch.Tensor) -> None:
        """Carry out a decision per slot; write down which games have ended, and what each seat earned."""
        for table, part in zip(self.tables, self.parts, strict=True):
            table.step(decisions[part])
            finished[part] = table.finished
            rewards[part, : table.players] = table.rewards

    def parts_of_others(self, share: float) -> list[slice]:
        """The slots in which all seats but one are somebody else's: the last ones of each table, a quarter as many with two seats."""
        taken = [int(table.slots * (share if table.players > FEWEST else share / 4)) for table in self.tables]
        return [slice(part.stop - number, part.stop) for part, number in zip(self.parts, taken, strict=True) if number]

    def seats_of_others(self, share: float) -> torch.Tensor:
        """(slots, seats) bool: the seats that are somebody else's. Ours is another one from slot to slot."""
        theirs = torch.zeros(self.slots, self.most, dtype=torch.bool)
        players = torch.cat([torch.full((table.slots,), table.players) for table in self.tables])
        for part in self.parts_of_others(share):
            theirs[part] = (torch.arange(part.start, part.stop) % players[part])[:, None] != torch.arange(self.most)
        return theirs.to("cuda" if self.on_gpu else "cpu")

    def begin_some_again(self, share: float) -> None:
        for table in self.tables:
            table.batch.reset((torch.rand(table.slots) < share).numpy())

    def weigh(self, margin: float, scale: float) -> None:
        for table in self.tables:
            table.batch.weigh(Rewards(win=1 - margin, margin=margin, scale=scale))
