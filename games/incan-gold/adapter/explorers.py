"""Bots of Incan Gold's original: functions (name, turn, backpack) or, of its earlier form, (turn, backpack), that are
true to leave; or players, which are objects with a name and such a function.
"""

import inspect

GAME = "incan-gold"
WANTED = "one strategy (name, turn, backpack) or (turn, backpack) (incan-gold)"
NEWS = False
# The original's own modules, for bots that import from them.
OFFERED = {"strategies": False, "game_mechanics": False}

SIGNATURES = (["name", "turn", "backpack"], ["turn", "backpack"])
# The attribute of a player that holds its strategy.
ATTRIBUTES = ("strat", "strategy")


def make_turn_strat(max_turns):
    """Leaves at this turn."""
    return lambda name, turn, backpack: turn >= max_turns


def make_backpack_strat(max_backpack):
    """Leaves with this much in the backpack."""
    return lambda name, turn, backpack: backpack >= max_backpack


def make_random_strat(prob_leave):
    """Leaves with this probability."""
    import random

    return lambda name, turn, backpack: random.random() < prob_leave


def interactive_strat(name, turn, backpack):
    """Nobody can be asked here."""
    raise RuntimeError("nobody sits at a bot; play yourself with meeple play incan-gold human")


class Player:
    """A name and a strategy."""

    def __init__(self, name, strat):
        self.name, self.strat = name, strat
        self.backpack = self.tent = self.artifacts = self.wins = self.draws = self.losses = 0
        self.log = []

    def leave(self, turn):
        return self.strat(self.name, turn, self.backpack)


class Simulator:
    """Games are played by others here, so this plays none."""

    def __init__(self, verbosity=0, manual=False, seed=None):
        pass

    def sim(self, games, players):
        print("games are played by meeple, not in the bot: none of these %d" % games)


def fill(module):
    if module.__name__ == "strategies":
        makers = (make_turn_strat, make_backpack_strat, make_random_strat, interactive_strat)
        vars(module).update((maker.__name__, maker) for maker in makers)
    else:
        module.Player, module.Simulator = Player, Simulator


def takes(value):
    """How many arguments a strategy takes; None for what is none."""
    if not callable(value) or inspect.isclass(value):
        return None
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return None
    names = [parameter.name for parameter in parameters]
    for wanted in SIGNATURES:
        # What goes beyond is left as it is, if it may be.
        rest = parameters[len(wanted) :]
        if names[: len(wanted)] == wanted and all(
            more.default is not more.empty or more.kind in (more.VAR_POSITIONAL, more.VAR_KEYWORD) for more in rest
        ):
            return len(wanted)
    return None


def strategy_in(value):
    """Strategy and name of a function or a player; None for what is neither."""
    if takes(value):
        return value, None
    for attribute in ATTRIBUTES:
        strategy = getattr(value, attribute, None)
        if isinstance(getattr(value, "name", None), str) and takes(strategy):
            return strategy, value.name
    return None


def named(bot):
    """What the module calls its strategy, whatever its parameters are called."""
    value = getattr(bot, "strategy", None)
    found = strategy_in(value)
    if found or value is None or not callable(value) or inspect.isclass(value):
        return found
    count = len(inspect.signature(value).parameters)
    if count not in (2, 3):
        raise ValueError("strategy: expected a function (name, turn, backpack), found one of %d arguments" % count)
    return value, None


def all_in(bot):
    """Every strategy of the module by name: players first, who stand for their functions."""
    players, functions = {}, {}
    for name, value in vars(bot).items():
        if name.startswith("_") or inspect.isclass(value) or inspect.ismodule(value):
            continue
        found = strategy_in(value)
        # What is only imported is material, not a player; what a factory has made is one.
        own = getattr(value, "__module__", None) == bot.__name__ or "<locals>" in getattr(value, "__qualname__", "")
        if found and found[1] is not None:
            players[name] = found
        elif found and (own or not inspect.isfunction(value)):
            functions[name] = found
    return players or functions


def player_in(bot):
    found = named(bot)
    if found is None:
        strategies = all_in(bot)
        if not strategies:
            return None
        if len(strategies) > 1:
            raise ValueError(
                "expected one strategy, found %d: %s\nhint: name the one to play: set  strategy = the_one_to_play"
                % (len(strategies), ", ".join(strategies))
            )
        found = next(iter(strategies.values()))
    strategy, name = found
    return lambda start: Episode(strategy, name, start)


class Episode:
    """One game of a strategy."""

    def __init__(self, strategy, name, start):
        names, seat = start["names"], start["seat"]
        self.strategy = strategy
        self.before = (name or (names[seat] if names else "player %d" % (seat + 1)),)
        if (takes(strategy) or len(inspect.signature(strategy).parameters)) == 2:
            self.before = ()

    def answer(self, message):
        obs = message["obs"]
        leaves = self.strategy(*self.before, obs["turn"], obs["backpack"])
        return {"a": message["legal"].index("leave" if leaves else "stay")}
