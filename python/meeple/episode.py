"""Single episodes: a game that is set up, its episodes, and what an agent is given."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from meeple import _meeple
from meeple._errors import Failure, IllegalAction, UsageError
from meeple._words import Seat, Settings, Viewer, action_id, index, plain, settings, text, viewer_word, whole

#: The largest index of an action that the engines are asked for.
LARGEST_INDEX = 2**63 - 1

# Known before an array is made: numpy looks them up each time otherwise.
_FLAGS, _NUMBERS = np.dtype(np.int8), np.dtype(np.float32)

#: An action: its text, its `Id`, its index among the legal ones, or its JSON form (a dict or list).
Action = str | SupportsIndex | dict[str, Any] | list[Any]


class Id(int):
    """The dense id of an action, from 0 to `game.action_bound - 1`, as masks and policies count. An action as a plain whole number
    is an index into the legal actions instead.

    Raises `UsageError` for anything but a whole number from 0 on.
    """

    __slots__ = ()

    def __new__(cls, value: SupportsIndex) -> Id:
        return super().__new__(cls, whole("id", value, 0, LARGEST_INDEX))

    def __repr__(self) -> str:
        return f"Id({int(self)})"


@dataclass(frozen=True)
class Phase:
    """Who must act next."""

    #: `decide`, `chance` or `over`.
    kind: str
    #: The seats that owe a decision and have not given it.
    seats: tuple[int, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """How an episode ended, by seat."""

    #: The game's own points.
    scores: tuple[int, ...]
    #: From 1; seats that tie share the better place.
    places: tuple[int, ...]
    #: From -1 to 1, zero in sum: 1 for the only winner.
    utilities: tuple[float, ...]
    #: The reason.
    end: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats on the first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


@dataclass(frozen=True)
class Field:
    """Numbers of an encoding that stand side by side and mean the same."""

    #: Its name.
    name: str
    #: How many numbers.
    size: int
    #: No number is below this.
    low: float
    #: No number is above this.
    high: float
    #: What 1 stands for.
    unit: str
    #: What the numbers say, and in which order they stand.
    doc: str


@dataclass(frozen=True)
class Encoding:
    """What a seat knows, as numbers."""

    #: Raised when the numbers mean something else; keep it beside whatever was learned from them.
    version: int
    #: How many numbers.
    size: int
    #: What they are, in order.
    fields: tuple[Field, ...]

    def slices(self) -> dict[str, slice]:
        """Where each field stands."""
        ends = np.cumsum([field.size for field in self.fields]).tolist()
        return {field.name: slice(end - field.size, end) for field, end in zip(self.fields, ends, strict=True)}

    def low(self) -> npt.NDArray[np.float32]:
        """The lower bound of every number."""
        return np.repeat(*self._bounds("low")).astype(np.float32)

    def high(self) -> npt.NDArray[np.float32]:
        """The upper bound of every number."""
        return np.repeat(*self._bounds("high")).astype(np.float32)

    def _bounds(self, side: str) -> tuple[list[float], list[int]]:
        return [getattr(field, side) for field in self.fields], [field.size for field in self.fields]


class Game:
    """A game with its variant and seats: `Game("carcassonne/towers", seats=3, set={"hand": 1})`.

    `seats` is how many players are named; where the variant adds seats, the table has more. Without it there are as many as
    in the game's first look.
    """

    def __init__(self, name: str, seats: int | None = None, *, set: Settings | None = None) -> None:
        self._asked = (text("game", name), seats, dict(set or {}))
        named = None if seats is None else whole("seats", seats, 0, 4096)
        self._read(name, _meeple.Game(name, settings(set), named))

    @classmethod
    def _of(cls, native: _meeple.Game) -> Game:
        """A game that was set up elsewhere."""
        game = cls.__new__(cls)
        game._read("", native)
        game.name = game.info["id"]
        game._asked = (game.name, game.seats, game.variant)
        return game

    def _read(self, name: str, native: _meeple.Game) -> None:
        self._native = native
        #: The game, or game/preset.
        self.name = name
        #: All facts: presets, parameters, what a score counts, …
        self.info: dict[str, Any] = json.loads(self._native.describe())
        #: Number of seats at the table.
        self.seats: int = self.info["table"]
        #: Every parameter of the rules.
        self.variant: dict[str, Any] = self.info["variant"]
        #: Ids of actions are below this; 0 where actions cannot be listed.
        self.action_bound: int = self.info["action_bound"]
        #: Whether several seats may owe a decision at once.
        self.simultaneous: bool = self.info["simultaneous"]
        #: How what a seat knows becomes numbers, if somebody has said.
        self.encoding: Encoding | None = None
        if (told := self.info["encoding"]) is not None:
            fields = tuple(Field(**field) for field in told["fields"])
            self.encoding = Encoding(told["version"], told["size"], fields)

    def episode(self, seed: int = 1, index: int = 0) -> Episode:
        """A new episode: the one of this index in the run with this seed, as `sim` plays it."""
        return Episode(self, self._native.episode(whole("seed", seed), whole("index", index)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _game, self._asked

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.info["id"], self.seats, self.variant) == (other.info["id"], other.seats, other.variant)

    def __hash__(self) -> int:
        return hash((self.info["id"], self.seats))

    def __repr__(self) -> str:
        return f"Game({self.name!r}, seats={self.seats})"


def _game(name: str, seats: int | None, set: dict[str, object]) -> Game:
    return Game(name, seats, set=set)


def with_ids(game: Game) -> None:
    """Refuses a game whose actions have no ids."""
    if game.action_bound == 0:
        raise UsageError(
            f"the actions of {game.info['id']} have no ids\nhint: play it by text or JSON, one episode at a time"
        )


class Turn:
    """What an agent is given to decide: what its seat may know, and nothing else. Nothing is computed before it is asked for."""

    __slots__ = ("_episode", "_observation", "game", "seat")

    def __init__(self, episode: Episode, seat: int) -> None:
        self._episode = episode
        self._observation: dict[str, Any] | None = None
        #: The seat that decides.
        self.seat = seat
        #: The rules.
        self.game = episode.game

    @property
    def observation(self) -> dict[str, Any]:
        """What the seat may know, as JSON has it: read once, when it is asked for first."""
        if self._observation is None:
            self._observation = self._episode.observation(self.seat)
        return self._observation

    @property
    def legal(self) -> list[str]:
        """The texts of the legal actions; empty where actions cannot be listed."""
        return self._episode.legal_actions(self.seat)

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """The ids of the legal actions, int64 `[n_legal]`: `ids[i]` is the id of `legal[i]`. Empty where actions have no ids."""
        return self._episode.legal_ids(self.seat)

    @property
    def numbers(self) -> npt.NDArray[np.float32]:
        """What the seat knows as numbers, float32 `[features]`, within `game.encoding.low()` and `high()`."""
        return self._episode.numbers(self.seat)

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """1 where an id belongs to a legal action and 0 elsewhere, int8 `[n_actions]`. Answer with `Id(i)`, not with `i`."""
        return self._episode.mask(self.seat)

    def sample(self) -> str:
        """A random legal action, from the seat's own stream: the same seed gives the same one."""
        return self._episode.sample_action(self.seat)


class Agent(Protocol):
    """An agent as an object; a plain function of a turn is one, too."""

    def act(self, turn: Turn) -> Action:
        """Decides."""
        ...


#: Who plays a seat: the words of an agent of the game, a function, an object, or a class, of which every episode has a new one.
Player = str | Callable[[Turn], Action] | Agent | type[Agent]


@dataclass(frozen=True)
class Fault:
    """A decision that a player in Python failed to give, so that the fallback action stood in."""

    #: Whose.
    seat: int
    #: How many steps there had been.
    step: int
    #: What it raised.
    error: Exception


class Episode:
    """One play of a game, step by step. Every action is checked; what is refused changes nothing.

    It can be copied (`copy.copy`, `copy.deepcopy`) and pickled; a copy goes on exactly as the original would, with
    players seated anew by `play`.
    """

    def __init__(self, game: Game, native: _meeple.Episode) -> None:
        #: The rules.
        self.game = game
        self._native = native
        self._size = game.encoding.size if game.encoding else 0
        #: What players in Python failed to decide, if `play` was told to go on.
        self.faults: list[Fault] = []
        #: For pickling: whose world this is, if it was drawn.
        self._drawn_from: tuple[Episode, Viewer, int] | None = None

    @property
    def phase(self) -> Phase:
        """Who must act next."""
        return self._native.phase()

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return self._native.phase().kind == "over"

    def legal_actions(self, seat: Seat) -> list[str]:
        """The texts of the legal actions of a seat, in order; none if it owes no decision or they cannot be listed."""
        return self._native.legal_actions(self._seat(seat))

    def legal_ids(self, seat: Seat) -> npt.NDArray[np.int64]:
        """The ids of the legal actions of a seat, int64 `[n_legal]`, in the order of `legal_actions`.

        None if it owes no decision or actions have no ids.
        """
        return np.array(self._native.legal_ids(self._seat(seat)), np.int64)

    def apply(self, seat: Seat, action: Action) -> None:
        """Takes an action of a seat: its text, its `Id`, its JSON form (numbers of numpy too), or its index among the legal actions.

        A plain whole number is an index into `legal_actions(seat)`, from 0 to `len(...) - 1`; what a mask or a policy counts is an
        id: `apply_id(seat, i)`, or `Id(i)` as the action. Where several seats decide at once, decisions are held back until the last
        one has come.

        Raises `IllegalAction` if the action cannot be taken; nothing has changed then.
        """
        # Plain numbers, as most are, at once; what else there may be is looked at here.
        if self._native.act_plain_index(seat, action):
            return
        seat = self._seat(seat)
        if isinstance(action, str):
            self._native.act_text(seat, action)
        elif isinstance(action, Id):
            self._native.act_id(seat, action_id(action, self.game.action_bound))
        elif isinstance(action, (dict, list)):
            self._native.act_json(seat, _json(action))
        else:
            number = index(action)
            if number is None:
                raise IllegalAction(
                    f"expected an action as text, index or JSON, found {action!r}\n"
                    "hint: legal_actions(seat) lists what can be done"
                )
            if not 0 <= number <= LARGEST_INDEX:
                count = len(self.legal_actions(seat))
                raise IllegalAction(f"expected an index below {count}, found {number}")
            self._native.act_index(seat, number)

    def apply_id(self, seat: Seat, id: SupportsIndex) -> None:
        """Takes an action by its dense id, from 0 to `game.action_bound - 1`, as masks and policies have it.

        Raises `IllegalAction` if no legal action has it; nothing has changed then.
        """
        if self._native.act_plain_id(seat, id):
            return
        seat = self._seat(seat)
        self._native.act_id(seat, action_id(id, self.game.action_bound))

    def apply_fallback(self, seat: Seat) -> None:
        """Takes the action that the rules have for who fails to decide."""
        self._native.act_fallback(self._seat(seat))

    def step_chance(self) -> bool:
        """Lets chance draw once. Returns whether it was chance's turn; otherwise nothing happens."""
        return self._native.step_chance()

    def settle_chance(self) -> None:
        """Lets chance draw until a seat owes a decision or it is over."""
        self._native.settle()

    def chance_outcomes(self) -> dict[str, float] | None:
        """What chance may draw now, by its text, with probabilities; `None` if it is not chance's turn, or too much to list."""
        outcomes = self._native.chance_outcomes()
        return None if outcomes is None else dict(outcomes)

    def apply_chance(self, outcome: str) -> None:
        """Makes this happen, as if chance had drawn it: one of `chance_outcomes`, or what can be read in `steps` after `c`."""
        self._native.force_chance(text("outcome", outcome))

    def determinize(self, viewer: Viewer, seed: int) -> Episode:
        """A world that the viewer cannot tell from this one, as a searching agent needs it.

        What the viewer cannot know is drawn anew, and so is all chance to come: the same seed gives the same world. Of
        decisions that are held back the viewer's own stay. `steps`, `events` and `replay` begin anew.
        """
        drawn = Episode(self.game, self._native.determinize(viewer_word(viewer), whole("seed", seed)))
        drawn._drawn_from = (self.copy(), viewer, seed)
        return drawn

    def sample_action(self, seat: Seat) -> str:
        """A random legal action of a seat that owes a decision, from the seat's own stream. It is not taken."""
        return self._native.sample_action(self._seat(seat))

    def advise(self, seat: Seat, agent: str) -> str | None:
        """What an agent of the game would do at a seat; `None` if the seat owes no decision. Nothing is done."""
        seat = self._seat(seat)
        asked = self._native.fork()
        asked.seat_agent(seat, text("agent", agent))
        return asked.ask_agent(seat)

    def observation(self, viewer: Viewer) -> dict[str, Any]:
        """What a viewer may know."""
        seen: dict[str, Any] = json.loads(self._native.observation(viewer_word(viewer)))
        return seen

    def information_key(self, viewer: Viewer) -> int:
        """The key (128 bits) of what a viewer knows: equal where and only where it knows the same."""
        return self._native.information_key(viewer_word(viewer))

    def events(self, viewer: Viewer, first: int = 0) -> list[dict[str, Any]]:
        """The events from number `first` on that a viewer may see: `number`, `text`, `level`, and `event` for programs."""
        events: list[dict[str, Any]] = json.loads(self._native.events(viewer_word(viewer), whole("first", first)))
        return events

    def numbers(self, seat: Seat, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """What a seat knows as numbers (`game.encoding`), float32 `[features]`: a fresh array, or the one that is given.

        Raises `UsageError` if `out` has another dtype, shape or order.
        """
        if out is None:
            # An array around memory that was just filled is made sooner than one that is filled.
            return np.ndarray(self._size, _NUMBERS, self._native.numbers(self._seat(seat)))
        self._native.numbers_into(self._seat(seat), out)
        return out

    def mask(self, seat: Seat, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """1 where an id belongs to a legal action of a seat and 0 elsewhere, int8 `[n_actions]`: a fresh array, or the one that is
        given. All 0 if the seat owes no decision.

        Raises `UsageError` if `out` has another dtype, shape or order.
        """
        if out is None:
            return np.ndarray(self.game.action_bound, _FLAGS, self._native.mask(self._seat(seat)))
        self._native.mask_into(self._seat(seat), out)
        return out

    @property
    def steps(self) -> list[str]:
        """What has happened, as in replays: `c OUTCOME` for chance, `SEAT ACTION` for a seat."""
        return self._native.steps(0)

    @property
    def scores(self) -> tuple[int, ...]:
        """Scores as they stand, by seat."""
        return tuple(self._native.scores())

    @property
    def length(self) -> int:
        """Length so far, in `game.info["length_unit"]`."""
        return self._native.length()

    @property
    def outcome(self) -> Outcome | None:
        """How it ended; `None` before the end."""
        ended = self._native.outcome()
        if ended is None:
            return None
        scores, places, utilities, end = ended
        return Outcome(tuple(scores), tuple(places), tuple(utilities), end)

    def play(
        self, players: Players, *, on_fault: str = "raise"
    ) -> Outcome:
        """Plays to the end. `players` are agents of the game by their words, or functions of a turn, by seat.

        A player in Python answers with a text, an `Id`, JSON, or a whole number if that means the same as an id and as an index; any
        other number is refused with `IllegalAction`.

        What a player in Python raises, an action that is refused included, is raised here; with `on_fault="fallback"` it is
        kept in `faults`, and the rules' fallback action stands in.
        """
        if on_fault not in ("raise", "fallback"):
            raise UsageError(f"on_fault: expected raise or fallback, found '{on_fault}'")
        seated = self._seat_players(players)
        while True:
            phase = self._native.phase()
            if phase.kind == "chance":
                self._native.step_chance()
            elif phase.kind == "over":
                outcome = self.outcome
                assert outcome is not None
                return outcome
            for seat in phase.seats:
                decide = seated[seat]
                if decide is None:
                    self._native.agent_decides(seat)
                    continue
                try:
                    self._let_decide(seat, decide)
                except Exception as error:
                    if on_fault == "raise":
                        error.add_note(f"seat {seat}, after {len(self.steps)} steps")
                        raise
                    self.faults.append(Fault(seat, len(self.steps), error))
                    self._native.act_fallback(seat)

    def svg(self, viewer: Viewer = "all", players: Sequence[str] = ()) -> str:
        """The table as a drawing."""
        return self._native.svg(viewer_word(viewer), list(players))

    def png(self, viewer: Viewer = "all", players: Sequence[str] = (), width: int = 1200) -> bytes:
        """The table as a picture of this width in pixels."""
        return self._native.png(viewer_word(viewer), list(players), whole("width", width, 16, 10_000))

    def pixels(
        self, viewer: Viewer = "all", players: Sequence[str] = (), width: int = 1200
    ) -> npt.NDArray[np.uint8]:
        """The table as a picture of this width, uint8 `[height, width, 3]`: red, green and blue from 0 to 255."""
        height, wide, rgb = self._native.pixels(viewer_word(viewer), list(players), whole("width", width, 16, 10_000))
        return np.ndarray((height, wide, 3), np.uint8, rgb)

    def screen(self, viewer: Viewer = "all", players: Sequence[str] = ()) -> str:
        """The table as text."""
        return self._native.screen(viewer_word(viewer), list(players))

    def replay(self, players: Sequence[str] = ()) -> str:
        """The replay so far, as `meeple replay` and `meeple.render` read it."""
        if self._drawn_from:
            raise UsageError("expected an episode from its beginning, found a world that was drawn\nhint: it has no replay")
        names = list(players) or [f"seat {seat}" for seat in range(self.game.seats)]
        return self._native.replay(names)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        phase, steps = self.phase, len(self.steps)
        owing = f", seats {', '.join(map(str, phase.seats))} decide" if phase.seats else f", {phase.kind}"
        return f"<Episode of {self.game.name}: {steps} steps{owing}>"

    def copy(self) -> Episode:
        """A copy that goes on exactly as this one would."""
        copied = Episode(self.game, self._native.fork())
        copied.faults, copied._drawn_from = list(self.faults), self._drawn_from
        return copied

    def __copy__(self) -> Episode:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Episode:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        begun = self._drawn_from or (self.game, self._native.seed)
        return _restored, (begun, self._native.save(), self.faults)

    def _seat(self, seat: Seat) -> int:
        if type(seat) is int and 0 <= seat < self.game.seats:
            return seat
        return whole("seat", seat, 0, self.game.seats - 1)

    def _let_decide(self, seat: int, decide: Callable[[Turn], Action]) -> None:
        """Asks a player and takes its answer: the one way from a player to the engine."""
        action = asked(decide, Turn(self, seat))
        number = None if isinstance(action, (str, Id, dict, list)) else index(action)
        if number is not None and 0 <= number <= LARGEST_INDEX and self.game.action_bound:
            if not self._native.is_unambiguous(seat, number):
                raise IllegalAction(
                    f"seat {seat}: expected an action that says what it is, found the number {number}, which is not the same"
                    f" as an id and as an index\nhint: meeple.Id({number}) for an id of the mask, turn.legal[{number}] for an index"
                )
        self.apply(seat, action)

    def _seat_players(self, players: Players) -> list[Callable[[Turn], Action] | None]:
        """Seats agents of the game; the others' functions."""
        by_seat = players.items() if isinstance(players, Mapping) else enumerate(players)
        given = {int(seat): player for seat, player in by_seat}
        missing = [seat for seat in range(self.game.seats) if seat not in given]
        if missing or len(given) != self.game.seats:
            raise UsageError(
                f"players: expected one for every seat from 0 to {self.game.seats - 1}, found {sorted(given)}\n"
                "hint: an agent of the game by its words, or a function of a turn"
            )
        seated: list[Callable[[Turn], Action] | None] = []
        for seat, player in sorted(given.items()):
            if isinstance(player, str):
                self._native.seat_agent(seat, player)
                seated.append(None)
            else:
                seated.append(decision_of(player))
        return seated


#: A player for every seat.
Players = Mapping[int, Player] | Mapping[np.integer[Any], Player] | Sequence[Player]


def decision_of(player: Any) -> Callable[[Turn], Action]:
    """The function by which a player decides: itself, its method `act`, or that of a new one if it is a class.

    Raises `UsageError` for what does not decide when it is called: coroutines and generators, too.
    """
    player = asked(lambda _: player(), None) if isinstance(player, type) else player
    decide: Any = getattr(player, "act", player)
    if not callable(decide):
        raise UsageError(f"players: expected an agent's words or a function, found {player!r}")
    for function in (decide, getattr(decide, "__call__", None)):  # noqa: B004
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            raise UsageError(f"players: expected a function, found one that is async: {player!r}\nhint: def instead of async def")
        if inspect.isgeneratorfunction(function):
            raise UsageError(f"players: expected a function, found a generator: {player!r}\nhint: return instead of yield")
    return cast("Callable[[Turn], Action]", decide)


def asked(player: Callable[[Any], Any], turn: Turn | None) -> Any:
    """Calls a player. One that ends the program has failed like any other: what it raises becomes a `Failure`."""
    try:
        return player(turn)
    except (SystemExit, GeneratorExit) as error:
        raise Failure(f"expected a player that decides, found one that ends the program: {error!r}") from error


def _json(action: dict[str, Any] | list[Any]) -> str:
    try:
        return json.dumps(action, default=plain)
    except (TypeError, ValueError) as error:
        raise IllegalAction(f"expected an action as JSON, found {action!r}: {error}") from error


def _restored(begun: tuple[Any, ...], saved: _meeple._Saved, faults: list[Fault]) -> Episode:
    episode: Episode
    if len(begun) == 3:
        drawn_from, viewer, seed = begun
        episode = drawn_from.determinize(viewer, seed)
    else:
        game, bits = begun
        episode = Episode(game, game._native.seeded(bits))
    episode._native.restore(saved)
    episode.faults = list(faults)
    return episode
