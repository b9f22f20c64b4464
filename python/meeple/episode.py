"""Single episodes: a game with its variant, its episodes, and the turns that players decide."""

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

#: The largest index of an action that the engines accept.
LARGEST_INDEX = 2**63 - 1

# Made once, because numpy would look them up for every array.
_FLAGS, _NUMBERS = np.dtype(np.int8), np.dtype(np.float32)

#: An action: its text, its `Id`, its index among the legal ones, or its JSON form (a dict or list).
Action = str | SupportsIndex | dict[str, Any] | list[Any]


class Id(int):
    """The dense id of an action, from 0 to `game.action_bound - 1`, as masks and policies count. A plain
    whole number as an action is an index into the legal actions instead.

    Raises `UsageError` for anything but a whole number from 0 on.
    """

    __slots__ = ()

    def __new__(cls, value: SupportsIndex) -> Id:
        return super().__new__(cls, whole("id", value, 0, LARGEST_INDEX))

    def __repr__(self) -> str:
        return f"Id({int(self)})"


@dataclass(frozen=True)
class Phase:
    """The phase of an episode: it tells who must act next."""

    #: `decide`, `chance` or `over`.
    kind: str
    #: The seats that still owe a decision.
    seats: tuple[int, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """The outcome of an episode, by seat."""

    #: Scores, in the game's own points.
    scores: tuple[int, ...]
    #: Places, counted from 1. Seats that tie share the better place.
    places: tuple[int, ...]
    #: Utilities from -1 to 1, zero in sum. A sole winner has 1.
    utilities: tuple[float, ...]
    #: The reason of the end.
    end: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in the first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


@dataclass(frozen=True)
class Field:
    """A field of an encoding: adjacent numbers of the same kind."""

    #: Name of the field.
    name: str
    #: Count of its numbers.
    size: int
    #: Lower bound of its numbers.
    low: float
    #: Upper bound of its numbers.
    high: float
    #: The quantity that the value 1 stands for.
    unit: str
    #: The meaning and the order of its numbers.
    doc: str


@dataclass(frozen=True)
class Encoding:
    """The encoding of a game: a seat's observation as numbers."""

    #: Version of the encoding, raised when numbers change their meaning. Store it with everything that was
    #: learned from them.
    version: int
    #: Count of all numbers.
    size: int
    #: The fields, in order.
    fields: tuple[Field, ...]

    def slices(self) -> dict[str, slice]:
        """Position of each field among the numbers, by the field's name."""
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

    `seats` is the number of named players. If the variant adds seats, the table has more. The default is the
    number of players in the game's demo line-up.
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
        #: Name of the game, perhaps with a preset: `GAME/PRESET`.
        self.name = name
        #: All facts of the game: presets, parameters, the meaning of its scores, …
        self.info: dict[str, Any] = json.loads(self._native.describe())
        #: Number of seats at the table.
        self.seats: int = self.info["table"]
        #: Values of all variant parameters.
        self.variant: dict[str, Any] = self.info["variant"]
        #: Exclusive upper bound of action ids; 0 if actions have no ids.
        self.action_bound: int = self.info["action_bound"]
        #: True if several seats may owe a decision at the same time.
        self.simultaneous: bool = self.info["simultaneous"]
        #: The encoding of observations; `None` if the game has none.
        self.encoding: Encoding | None = None
        if (told := self.info["encoding"]) is not None:
            fields = tuple(Field(**field) for field in told["fields"])
            self.encoding = Encoding(told["version"], told["size"], fields)

    def episode(self, seed: int = 1, index: int = 0) -> Episode:
        """A new episode, the one with this index in the run with this seed. `sim` plays the same one."""
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
    """Checks that a game's actions have ids."""
    if game.action_bound == 0:
        raise UsageError(
            f"the actions of {game.info['id']} have no ids\nhint: play it by text or JSON, one episode at a time"
        )


class Turn:
    """A decision that a player has to take, with its seat's information only. Every attribute is computed
    when it is first used."""

    __slots__ = ("_episode", "_observation", "game", "seat")

    def __init__(self, episode: Episode, seat: int) -> None:
        self._episode = episode
        self._observation: dict[str, Any] | None = None
        #: The seat that decides.
        self.seat = seat
        #: The game with its variant.
        self.game = episode.game

    @property
    def observation(self) -> dict[str, Any]:
        """The seat's observation in the form of JSON. It is read at its first use."""
        if self._observation is None:
            self._observation = self._episode.observation(self.seat)
        return self._observation

    @property
    def legal(self) -> list[str]:
        """The texts of the legal actions; empty if they cannot be listed."""
        return self._episode.legal_actions(self.seat)

    @property
    def ids(self) -> npt.NDArray[np.int64]:
        """The ids of the legal actions, int64 `[n_legal]`: `ids[i]` is the id of `legal[i]`. Empty if actions
        have no ids."""
        return self._episode.legal_ids(self.seat)

    @property
    def numbers(self) -> npt.NDArray[np.float32]:
        """The seat's encoded observation, float32 `[features]`, within `game.encoding.low()` and `high()`."""
        return self._episode.numbers(self.seat)

    @property
    def mask(self) -> npt.NDArray[np.int8]:
        """The mask, int8 `[n_actions]`: 1 for ids of legal actions, 0 for all others. Answer with `Id(i)`,
        not with `i`."""
        return self._episode.mask(self.seat)

    def sample(self) -> str:
        """A random legal action from the seat's own stream. The same seed gives the same action."""
        return self._episode.sample_action(self.seat)


class Agent(Protocol):
    """A player as an object. A plain function of a turn is a player too."""

    def act(self, turn: Turn) -> Action:
        """Returns the action for a turn."""
        ...


#: A player of a seat: the spec of an agent of the game, a function, an object, or a class. Every episode
#: makes a new object of a class.
Player = str | Callable[[Turn], Action] | Agent | type[Agent]


@dataclass(frozen=True)
class Fault:
    """A failure of a player in Python to decide. The fallback action replaced its decision."""

    #: The player's seat.
    seat: int
    #: Number of steps before the failure.
    step: int
    #: The exception that the player raised.
    error: Exception


class Episode:
    """One play of a game, step by step. Every action is checked; a refused action changes nothing.

    An episode can be copied (`copy.copy`, `copy.deepcopy`) and pickled. A copy continues exactly as the
    original would; `play` seats its players anew.
    """

    def __init__(self, game: Game, native: _meeple.Episode) -> None:
        #: The game with its variant.
        self.game = game
        self._native = native
        self._size = game.encoding.size if game.encoding else 0
        #: Failures of players in Python, if `play` was told to forgive them.
        self.faults: list[Fault] = []
        #: Source of a determinization, for pickling: the original episode, the viewer and the seed. `None`
        #: for other episodes.
        self._drawn_from: tuple[Episode, Viewer, int] | None = None

    @property
    def phase(self) -> Phase:
        """The current phase: it tells who must act next."""
        return self._native.phase()

    @property
    def is_over(self) -> bool:
        """True if the episode has ended."""
        return self._native.phase().kind == "over"

    def legal_actions(self, seat: Seat) -> list[str]:
        """The texts of a seat's legal actions, in order. Empty if the seat owes no decision, or if actions
        cannot be listed."""
        return self._native.legal_actions(self._seat(seat))

    def legal_ids(self, seat: Seat) -> npt.NDArray[np.int64]:
        """The ids of a seat's legal actions, int64 `[n_legal]`, in the order of `legal_actions`.

        Empty if the seat owes no decision, or if actions have no ids.
        """
        return np.array(self._native.legal_ids(self._seat(seat)), np.int64)

    def apply(self, seat: Seat, action: Action) -> None:
        """Takes an action of a seat. The action is its text, its `Id`, its JSON form (also with numbers of
        numpy), or its index among the legal actions.

        A plain whole number is an index into `legal_actions(seat)`, from 0 to `len(...) - 1`. For an id,
        which masks and policies use, call `apply_id(seat, i)` or pass `Id(i)`. Simultaneous decisions are
        held until the last one is given.

        Raises `IllegalAction` if the action cannot be taken; the episode is then unchanged.
        """
        # Plain whole numbers, the most frequent actions, take the fast path. Other forms are handled below.
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
        """Takes an action by its dense id, from 0 to `game.action_bound - 1`, as masks and policies use it.

        Raises `IllegalAction` if no legal action has this id; the episode is then unchanged.
        """
        if self._native.act_plain_id(seat, id):
            return
        seat = self._seat(seat)
        self._native.act_id(seat, action_id(id, self.game.action_bound))

    def apply_fallback(self, seat: Seat) -> None:
        """Takes the fallback action, which the rules have for a player who fails to decide."""
        self._native.act_fallback(self._seat(seat))

    def step_chance(self) -> bool:
        """Lets chance draw once, if a draw is due. Returns true if it was."""
        return self._native.step_chance()

    def settle_chance(self) -> None:
        """Lets chance draw until a seat owes a decision or the episode is over."""
        self._native.settle()

    def chance_outcomes(self) -> dict[str, float] | None:
        """Probabilities of the outcomes that chance may draw now, by their texts. `None` if no draw is due,
        or if the outcomes are too many to list."""
        outcomes = self._native.chance_outcomes()
        return None if outcomes is None else dict(outcomes)

    def apply_chance(self, outcome: str) -> None:
        """Applies a chance outcome, as if it had been drawn. It is one of `chance_outcomes`, or the text
        after `c` in `steps`."""
        self._native.force_chance(text("outcome", outcome))

    def determinize(self, viewer: Viewer, seed: int) -> Episode:
        """A determinization for searching agents: an episode that the viewer cannot distinguish from this
        one.

        Everything that the viewer cannot know is drawn anew, and so are all later chance outcomes. The same
        seed gives the same episode. Of the decisions that are held, only the viewer's own stay. `steps`,
        `events` and `replay` start empty.
        """
        drawn = Episode(self.game, self._native.determinize(viewer_word(viewer), whole("seed", seed)))
        drawn._drawn_from = (self.copy(), viewer, seed)
        return drawn

    def sample_action(self, seat: Seat) -> str:
        """A random legal action of a seat that owes a decision, from the seat's own stream. It is not
        taken."""
        return self._native.sample_action(self._seat(seat))

    def advise(self, seat: Seat, agent: str) -> str | None:
        """The choice of an agent of the game for a seat, which is not taken. `None` if the seat owes no
        decision."""
        seat = self._seat(seat)
        asked = self._native.fork()
        asked.seat_agent(seat, text("agent", agent))
        return asked.ask_agent(seat)

    def observation(self, viewer: Viewer) -> dict[str, Any]:
        """A viewer's observation, in the form of JSON."""
        seen: dict[str, Any] = json.loads(self._native.observation(viewer_word(viewer)))
        return seen

    def information_key(self, viewer: Viewer) -> int:
        """A viewer's information key (128 bits). Keys are equal exactly if the viewer has the same
        information."""
        return self._native.information_key(viewer_word(viewer))

    def events(self, viewer: Viewer, first: int = 0) -> list[dict[str, Any]]:
        """The events that a viewer may see, from number `first` on. Each has `number`, `text`, `level`, and
        `event` for programs."""
        events: list[dict[str, Any]] = json.loads(self._native.events(viewer_word(viewer), whole("first", first)))
        return events

    def numbers(self, seat: Seat, out: npt.NDArray[np.float32] | None = None) -> npt.NDArray[np.float32]:
        """A seat's encoded observation (`game.encoding`), float32 `[features]`: in a new array, or in `out`.

        Raises `UsageError` if `out` has another dtype, shape or order.
        """
        if out is None:
            # Wrapping memory that the engine has filled is faster than filling an existing array.
            return np.ndarray(self._size, _NUMBERS, self._native.numbers(self._seat(seat)))
        self._native.numbers_into(self._seat(seat), out)
        return out

    def mask(self, seat: Seat, out: npt.NDArray[np.int8] | None = None) -> npt.NDArray[np.int8]:
        """The mask of a seat, int8 `[n_actions]`, in a new array or in `out`. It is 1 for ids of legal
        actions and 0 for all others. If the seat owes no decision, all are 0.

        Raises `UsageError` if `out` has another dtype, shape or order.
        """
        if out is None:
            return np.ndarray(self.game.action_bound, _FLAGS, self._native.mask(self._seat(seat)))
        self._native.mask_into(self._seat(seat), out)
        return out

    @property
    def steps(self) -> list[str]:
        """The steps so far, as in replays: `c OUTCOME` for chance, `SEAT ACTION` for a seat."""
        return self._native.steps(0)

    @property
    def scores(self) -> tuple[int, ...]:
        """Current scores, by seat."""
        return tuple(self._native.scores())

    @property
    def length(self) -> int:
        """Length so far, in `game.info["length_unit"]`."""
        return self._native.length()

    @property
    def outcome(self) -> Outcome | None:
        """The outcome; `None` before the end."""
        ended = self._native.outcome()
        if ended is None:
            return None
        scores, places, utilities, end = ended
        return Outcome(tuple(scores), tuple(places), tuple(utilities), end)

    def play(
        self, players: Players, *, on_fault: str = "raise"
    ) -> Outcome:
        """Plays the episode to its end. `players` are, by seat, specs of the game's agents or functions of a
        turn.

        A player in Python answers with a text, an `Id`, or JSON. It may also answer with a whole number that
        means the same action as an id and as an index. Other numbers raise `IllegalAction`.

        Exceptions of players in Python are raised here, and so are refusals of their actions. With
        `on_fault="fallback"` they are stored in `faults`, and the rules' fallback action is taken instead.
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
        """The table as a drawing in SVG."""
        return self._native.svg(viewer_word(viewer), list(players))

    def png(self, viewer: Viewer = "all", players: Sequence[str] = (), width: int = 1200) -> bytes:
        """The table as a PNG picture, `width` pixels wide."""
        return self._native.png(viewer_word(viewer), list(players), whole("width", width, 16, 10_000))

    def pixels(
        self, viewer: Viewer = "all", players: Sequence[str] = (), width: int = 1200
    ) -> npt.NDArray[np.uint8]:
        """The table as pixels, uint8 `[height, width, 3]`: red, green and blue from 0 to 255."""
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
        """A copy that continues exactly as this episode would."""
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
        """Asks a player and takes its answer. All answers of players reach the engine here."""
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
        """Seats the agents of the game. Returns by seat the function of a player in Python; `None` for an
        agent."""
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
    """The function by which a player decides: itself, its method `act`, or that of a new object of its class.

    Raises `UsageError` for a player that does not decide when it is called, such as a coroutine or a
    generator.
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
    """Calls a player. If the player tries to end the program, the exception becomes a `Failure`, like any
    other fault."""
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
