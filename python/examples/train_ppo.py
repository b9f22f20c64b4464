"""A small agent for Incan Gold that learns by proximal policy optimisation (PPO), with numpy alone.

    python train_ppo.py [FOLDER]        # with a folder, the network is written there

The learner sits beside two fixed agents. A `Batch` plays 512 tables at a time. Only one seat of each table
asks, so every step has one row per table, in the order of the tables. The reward is the learner's own score
at the end of an episode.

The output is in train_ppo.out. Scores are rounded to tens, because sums of floating-point numbers differ
between machines.
"""

import os
import sys
from pathlib import Path
from typing import Any

# With matrices this small, threads of a linear algebra library mostly wait for each other. The library reads
# these variables once, when it is loaded.
for library in ("OPENBLAS", "MKL", "OMP"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

import meeple
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

OPPONENTS = {1: "turn:7", 2: "backpack:20"}
TABLES, STEPS, UPDATES = 512, 32, 30
EPOCHS, MINIBATCH, HIDDEN = 4, 2048, 48
RATE, CLIP, ENTROPY, DISCOUNT, TRACE = 3e-3, 0.2, 0.01, 1.0, 0.95
#: Rewards are scores in hundreds.
SCALE = 0.01


class Network:
    """A network of two tanh layers. Its outputs are the logits of the actions and, last, the value."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator) -> None:
        sizes = [(inputs, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, actions + 1)]
        # The last layer starts near zero, so the first policy is nearly uniform.
        scales = [1.0, 1.0, 0.01]
        self.weights = [
            (rng.standard_normal(size) * scale / np.sqrt(size[0])).astype(np.float32)
            for size, scale in zip(sizes, scales, strict=True)
        ]
        self.biases = [np.zeros(size[1], np.float32) for size in sizes]
        self.moments = [(np.zeros_like(one), np.zeros_like(one)) for one in self.parameters()]
        self.updates = 0

    def parameters(self) -> list[Floats]:
        return [*self.weights, *self.biases]

    def layers(self, inputs: Floats) -> list[Floats]:
        """The inputs, both layers, and the outputs."""
        first = np.tanh(inputs @ self.weights[0] + self.biases[0])
        second = np.tanh(first @ self.weights[1] + self.biases[1])
        return [inputs, first, second, second @ self.weights[2] + self.biases[2]]

    def judge(self, inputs: Floats, masks: npt.NDArray[Any]) -> tuple[Floats, Floats]:
        """Log-probabilities of all actions, and the values."""
        outputs = self.layers(inputs)[-1]
        return log_softmax(outputs[:, :-1], masks), outputs[:, -1]

    def descend(self, layers: list[Floats], slope: Floats, rate: float) -> None:
        """One step of Adam. `slope` is the gradient of the loss with respect to the outputs; the whole
        gradient is clipped to the length 0.5."""
        weights: list[Floats] = []
        biases: list[Floats] = []
        for number in (2, 1, 0):
            weights.insert(0, layers[number].T @ slope)
            biases.insert(0, slope.sum(axis=0))
            slope = (slope @ self.weights[number].T) * (1 - layers[number] ** 2)
        slopes = [*weights, *biases]
        length = np.sqrt(sum(float((one**2).sum()) for one in slopes))
        shorter = min(1.0, 0.5 / (length + 1e-8))
        self.updates += 1
        for parameter, (mean, square), one in zip(self.parameters(), self.moments, slopes, strict=True):
            mean += 0.1 * (one * shorter - mean)
            square += 0.001 * ((one * shorter) ** 2 - square)
            unbiased = mean / (1 - 0.9**self.updates)
            parameter -= rate * unbiased / (np.sqrt(square / (1 - 0.999**self.updates)) + 1e-5)


def log_softmax(logits: Floats, masks: npt.NDArray[Any]) -> Floats:
    """Log-probabilities of actions. Actions that the mask forbids have the probability 0."""
    allowed: Floats = np.where(masks > 0, logits, np.float32(-1e9))
    allowed = allowed - allowed.max(axis=1, keepdims=True)
    logs: Floats = allowed - np.log(np.exp(allowed).sum(axis=1, keepdims=True))
    return logs


def draw(logs: Floats, rng: np.random.Generator) -> Ids:
    """Draws an action for every row by its probability: the maximum of log-probability and Gumbel noise."""
    ids: Ids = (logs + rng.gumbel(size=logs.shape)).argmax(axis=1)
    return ids


def collect(batch: meeple.Batch, network: Network, rng: np.random.Generator) -> dict[str, npt.NDArray[Any]]:
    """Plays `STEPS` steps at all tables. Returns observations and decisions, with advantages and returns."""
    names = ("inputs", "masks", "actions", "logs", "values", "rewards", "ends")
    kept: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in names}
    for _ in range(STEPS):
        rows = batch.recv()
        logs, values = network.judge(rows.observations, rows.masks)
        actions = draw(logs, rng)
        ended = batch.send(actions)
        rewards, ends = np.zeros(TABLES, np.float32), np.zeros(TABLES, np.float32)
        rewards[ended.lanes], ends[ended.lanes] = SCALE * ended.scores[:, 0], 1
        chosen = logs[np.arange(TABLES), actions]
        told: tuple[npt.NDArray[Any], ...] = (rows.observations, rows.masks, actions, chosen, values, rewards, ends)
        for name, array in zip(names, told, strict=True):
            kept[name].append(array)
    rows = batch.recv()
    later, advantage = network.judge(rows.observations, rows.masks)[1], np.zeros(TABLES, np.float32)
    advantages: list[Floats] = []
    for rewards, ends, values in zip(*(reversed(kept[name]) for name in ("rewards", "ends", "values")), strict=True):
        # Generalised advantage estimation: nothing follows the end of an episode.
        surprise = rewards + DISCOUNT * later * (1 - ends) - values
        advantage = surprise + DISCOUNT * TRACE * advantage * (1 - ends)
        advantages.insert(0, advantage)
        later = values
    whole = {name: np.concatenate(arrays) for name, arrays in kept.items()}
    whole["advantages"] = np.concatenate(advantages).astype(np.float32)
    whole["returns"] = whole["advantages"] + whole["values"]
    return whole


def learn(network: Network, data: dict[str, npt.NDArray[Any]], rate: float, rng: np.random.Generator) -> None:
    """Makes several passes over the collected data, in minibatches."""
    for _ in range(EPOCHS):
        order = rng.permutation(len(data["actions"]))
        for begin in range(0, len(order), MINIBATCH):
            part = {name: array[order[begin : begin + MINIBATCH]] for name, array in data.items()}
            layers = network.layers(part["inputs"])
            logs = log_softmax(layers[-1][:, :-1], part["masks"])
            shares, rows = np.exp(logs), np.arange(len(logs))
            ratio = np.exp(logs[rows, part["actions"]] - part["logs"])
            gain = (part["advantages"] - part["advantages"].mean()) / (part["advantages"].std() + 1e-8)
            # If the policy has moved far enough in the direction of the gain, the gradient is 0.
            moves = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            taken = np.zeros_like(logs)
            taken[rows, part["actions"]] = 1
            slope = np.zeros_like(layers[-1])
            slope[:, :-1] = -(gain * ratio * moves)[:, None] * (taken - shares)
            entropy = -(shares * np.where(shares > 0, logs, 0)).sum(axis=1, keepdims=True)
            slope[:, :-1] += ENTROPY * shares * (np.where(shares > 0, logs, 0) + entropy)
            slope[:, -1] = layers[-1][:, -1] - part["returns"]
            network.descend(layers, slope / np.float32(len(logs)), rate)


def play(network: Network, seed: int, episodes: int = 4_000) -> tuple[float, list[float]]:
    """Plays fresh deals, in which the network draws its actions. Returns the learner's mean score and the
    shares of wins by seat."""
    batch = meeple.Batch("incan-gold", lanes=TABLES, seats=3, opponents=OPPONENTS, seed=seed)
    rng = np.random.default_rng(seed)
    scores: list[list[int]] = []
    places: list[list[int]] = []
    while len(scores) < episodes:
        rows = batch.recv()
        ended = batch.send(draw(network.judge(rows.observations, rows.masks)[0], rng))
        # Short episodes end first. To avoid a bias, the episodes with the lowest indices count, whenever they
        # end.
        counted = ended.episodes < episodes
        scores += ended.scores[counted].tolist()
        places += ended.places[counted].tolist()
    won = np.array(places) == 1
    shares: list[float] = (won / won.sum(axis=1, keepdims=True)).mean(axis=0).tolist()
    return float(np.mean([row[0] for row in scores])), shares


def tens(score: float) -> str:
    """The two tens between which a score lies."""
    low = int(score // 10) * 10
    return f"{low} to {low + 10}"


def main() -> None:
    rng = np.random.default_rng(1)
    batch = meeple.Batch("incan-gold", lanes=TABLES, seats=3, opponents=OPPONENTS, seed=1)
    network = Network(batch.observation_size, batch.action_bound, rng)
    first, shares = play(network, seed=2)
    print("decisions learned from: mean score of the learner")
    print(f"{0:7}: {tens(first)}")
    score = first
    for update in range(1, UPDATES + 1):
        learn(network, collect(batch, network, rng), RATE * (1 - (update - 1) / UPDATES), rng)
        if update % 10 == 0:
            score, shares = play(network, seed=2)
            print(f"{update * STEPS * TABLES:7}: {tens(score)}")
    print("twice as good as at the start:", "yes" if score > 2 * first else "no")
    print("wins more often than both others:", "yes" if shares[0] > max(shares[1:]) else "no")
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        folder.mkdir(parents=True, exist_ok=True)
        np.savez(folder / "network.npz", *network.parameters())


if __name__ == "__main__":
    main()
