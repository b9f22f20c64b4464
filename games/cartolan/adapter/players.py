"""Bots of Cartolan's original: a class of players whose hooks choose moves and say what to do on the way.

A hook of the original acts while it runs: it calls `adventurer.move("n")` and goes on with what has become of it. So
the bot's code runs in a thread of its own, which stands still in each such call until the next question is there. Only
one of the two threads ever runs. Calling the hook again from its beginning for every question would repeat its random
numbers and its side effects, and reading messages from inside the bot's calls would let its `except` clauses swallow
the end of an episode.
"""

import copy
import inspect
import queue
import threading

import _meeple_cartolan_heuristics as heuristics
import _meeple_cartolan_tokens as tokens

GAME = "cartolan"
WANTED = "one class with hooks such as continue_turn, continue_move or check_rest (cartolan)"
NEWS = False
# The original's modules, in both of its layouts.
OFFERED = {
    "base": False,
    "beginner": False,
    "regular": False,
    "advanced": False,
    "game": False,
    "players_heuristical": False,
    "cartolan": True,
    "cartolan.players": True,
    "cartolan.players.base": False,
    "cartolan.players.heuristical": False,
    "cartolan.core": True,
    "cartolan.core.tiles": False,
    "cartolan.core.tokens": False,
}

HOOKS = (
    "continue_turn",
    "continue_move",
    "check_trade",
    "check_collect_wealth",
    "check_rest",
    "check_bank_wealth",
    "check_deposit",
    "check_buy_adventurer",
    "check_place_agent",
    "check_buy_agent",
    "check_move_agent",
    "check_attack_adventurer",
    "check_attack_agent",
    "check_restore_agent",
    "check_court_disaster",
)
# Colours of the players by seat, as the original names them.
COLOURS = ("blue", "red", "green", "orange")
# What may be done on a tile, in the order in which the original asks.
SCRIPT = ("trade", "collect", "rest", "restore", "attack agent", "attack adventurer", "court", "place")
# Calls without any effect before a bot is told that it goes round in circles.
PATIENCE = 1000


def fill(module):
    """Gives a module of the original what we have of it."""
    for source in (tokens, heuristics):
        classes = {name: value for name, value in vars(source).items() if inspect.isclass(value)}
        vars(module).update(classes)
    for mode in ("Beginner", "Regular", "Advanced"):
        for name in ("Adventurer", "Agent", "CityTile", "Game"):
            setattr(module, name + mode, getattr(tokens, name))


def has_hooks(value):
    """Whether a class is a player."""
    return inspect.isclass(value) and any(callable(getattr(value, hook, None)) for hook in HOOKS)


def player_in(bot):
    """What begins an episode with the module's player, or None if it has none."""
    named = getattr(bot, "player", None)
    if has_hooks(named) or named is not None and has_hooks(type(named)):
        return lambda start: Episode(named, start)
    own = {name: value for name, value in vars(bot).items() if has_hooks(value) and value.__module__ == bot.__name__}
    # A class that another one builds on is material.
    found = {
        name: one
        for name, one in own.items()
        if not any(two is not one and issubclass(two, one) for two in own.values())
    }
    if not found:
        return None
    if len(found) > 1:
        raise ValueError(
            "expected one class with hooks, found %d: %s\nhint: name the one to play: set  player = TheOne"
            % (len(found), ", ".join(found))
        )
    one = next(iter(found.values()))
    return lambda start: Episode(one, start)


def with_all_hooks(kind):
    """The class with whatever it does not define from the explorer."""
    if issubclass(kind, heuristics.PlayerRegularExplorer):
        return kind
    return type(kind.__name__, (kind, heuristics.PlayerRegularExplorer), {})


def seated(one, colour):
    """A player of this class, or a copy of this player."""
    if not inspect.isclass(one):
        player = copy.deepcopy(one)
        player.__class__ = with_all_hooks(type(one))
    else:
        kind = with_all_hooks(one)
        wanted = [
            parameter
            for parameter in inspect.signature(kind).parameters.values()
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
        player = kind(colour) if wanted else kind()
    for name, value in vars(heuristics.Player(colour)).items():
        # What the game shows is ours; the rest is the bot's, if it has set it.
        if name in ("vault_wealth", "adventurers", "agents") or not hasattr(player, name):
            setattr(player, name, value)
    return player


class Left(BaseException):
    """The episode is over; raised where the bot's code stands, which may catch it once."""


class Episode:
    """One game of a player."""

    running = None

    def __init__(self, one, start):
        if Episode.running is not None:
            Episode.running.close()
        players = [heuristics.Player(colour) for colour in COLOURS[: start["seats"]]]
        self.player = players[start["seat"]] = seated(one, COLOURS[start["seat"]])
        self.game = tokens.Game(start["opts"], players, self)
        self.questions, self.answers = queue.SimpleQueue(), queue.SimpleQueue()
        self.question, self.kind, self.legal = None, "", ()
        # The turn that the bot's code is playing, of which Adventurer, and what the question belongs to.
        self.turn = self.mover = self.now = self.hero = None
        # What has been asked since the last move; whether a hook is being asked, and what it called; the Agent that
        # moves.
        self.asked, self.asking, self.called, self.moving = set(), False, None, None
        # Calls without effect since the last question, and how many questions there were.
        self.vain, self.heard, self.closed = 0, 0, False
        # Whether the bot's code has been told to end, and whether it has: or stands still for good.
        self.left, self.gone = False, threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        Episode.running = self

    def answer(self, message):
        """The answer to a question: of the bot's code, or what it raised."""
        self.questions.put(message)
        answer = self.answers.get()
        if isinstance(answer, BaseException):
            raise answer
        return {"a": message["legal"].index(answer)}

    def close(self):
        """Ends the bot's code."""
        self.closed = True
        self.questions.put(None)
        self.gone.wait()
        Episode.running = None

    # From here on everything runs in the bot's thread.

    def run(self):
        try:
            self.listen()
            while not self.closed:
                try:
                    self.take_turn()
                except Exception as error:
                    self.fail(error)
                except SystemExit as error:
                    self.fail(error)
        except Left:
            pass
        finally:
            self.gone.set()

    def leave(self):
        """Ends the bot's code. One that catches everything and goes on calling stands still here for good."""
        if self.left:
            self.gone.set()
            threading.Event().wait()
        self.left = True
        raise Left

    def fail(self, error):
        """What the bot has raised costs it the question that it stands at."""
        self.asking = False
        self.answers.put(error)
        self.listen()

    def listen(self):
        """Waits for the next question."""
        question = None if self.closed else self.questions.get()
        if question is None:
            self.leave()
        self.question = question
        observation = self.question["obs"]
        self.legal, self.kind = self.question["legal"], observation["step"].split()[0]
        turn = observation["turn"]
        # Between two turns of the same player nobody's is on.
        nobodys = self.kind == "pick" or self.kind == "move" and turn["overtime"]
        self.now = None if nobodys else (observation["round"], turn["adventurer"])
        self.vain, self.heard = 0, self.heard + 1
        self.game.show(observation)
        self.hero = self.game.tokens[turn["seat"], tokens.Adventurer, turn["adventurer"]]

    def give(self, text):
        """Answers the question and waits for the next."""
        if self.closed:
            self.leave()
        self.answers.put(text)
        self.listen()

    def take_turn(self):
        """Answers what is asked when none of the bot's code is running."""
        self.turn, self.mover, self.asking = self.now, self.hero, False
        if self.turn is None:
            self.give(self.plain())
        elif self.kind == "move":
            self.asked.clear()
            self.player.continue_turn(self.hero)
            self.finish()
        else:
            # Where a hook has failed, the turn goes on.
            self.settle()
            if not self.is_over() and self.kind == "act":
                self.give("done")

    def finish(self):
        """Ends the turn: at once where the rules let it, else by waiting."""
        while not self.is_over():
            if self.kind == "move":
                self.asked.clear()
                self.give("end" if "end" in self.legal else "wait")
            else:
                self.give(self.wish() or "done" if self.kind == "act" else self.plain())

    def is_over(self):
        """Whether the turn that the bot's code is playing has ended."""
        return self.closed or self.turn is None or self.now != self.turn

    def settle(self):
        """Asks the hooks until the Adventurer may move, has nothing more to do on its tile, or its turn is over."""
        while not self.is_over() and self.kind != "move":
            text = self.wish() if self.kind == "act" else self.plain()
            if text is None:
                return
            self.give(text)

    def wish(self):
        """The first thing on the tile that a hook wants; None if there is none."""
        for what in SCRIPT:
            for text in self.legal:
                if text.startswith(what) and text not in self.asked:
                    self.asked.add(text)
                    said = self.ask_about(what, text)
                    if self.called or said:
                        return self.called or text
        return None

    def ask_about(self, what, text):
        """What the hook for this says."""
        hero, tile = self.hero, self.hero.current_tile
        if what == "trade":
            return self.ask("check_trade", (hero, tile))
        if what == "collect":
            return self.ask("check_collect_wealth", (tile.agent,), (hero, tile.agent))
        if what == "attack adventurer":
            seat, number = map(int, text.split()[-1].split("."))
            return self.ask("check_attack_adventurer", (hero, self.game.tokens[seat, tokens.Adventurer, number]))
        if what == "court":
            return self.ask("check_court_disaster", (hero, tile))
        if what == "place":
            return self.ask("check_place_agent", (hero,)) and self.has_agent_left()
        hook = {"rest": "check_rest", "restore": "check_restore_agent", "attack agent": "check_attack_agent"}[what]
        return self.ask(hook, (hero, tile.agent), (tile.agent,))

    def ask(self, hook, *forms):
        """Calls a hook with the first of these arguments that it takes."""
        function = getattr(self.player, hook)
        signature = inspect.signature(function)
        arguments = next((form for form in forms if fits(signature, form)), forms[0])
        self.asking, self.called = True, None
        try:
            return function(*arguments)
        finally:
            self.asking = False

    def has_agent_left(self):
        """Whether there is an Agent to put somewhere: one in supply, or one that the bot takes from where it is."""
        self.moving = None
        if len(self.player.agents) < self.game.MAX_AGENTS:
            return True
        agent = self.ask("check_move_agent", (self.hero,))
        if agent is None or agent is False:
            return False
        if not isinstance(agent, tokens.Agent) or agent.player is not self.player:
            raise TypeError("check_move_agent: expected one of the own agents or None, found %r" % (agent,))
        self.moving = agent
        return True

    def plain(self):
        """An answer where a city or the cards ask."""
        if self.kind == "bank":
            return "bank %d" % self.deposit()
        if self.kind == "buy":
            return self.purchase()
        if self.kind == "relocate" and self.moving is not None:
            text = "relocate %d" % self.moving.number
            if text in self.legal:
                return text
        preferred = {"try": "draw", "move": "end", "reward": "wealth", "act": "done"}.get(self.kind)
        return preferred if preferred in self.legal else self.legal[0]

    def deposit(self):
        """How much is banked."""
        chest = self.hero.wealth
        hook, forms = "check_bank_wealth", ((self.hero,), (self.hero, ""))
        if type(self.player).check_deposit is not heuristics.PlayerBeginnerExplorer.check_deposit:
            hook, forms = "check_deposit", ((self.hero, chest, 0), (self.hero, chest, 0, ""), (self.hero, chest))
        amount = self.ask(hook, *forms)
        try:
            whole = int(amount)
        except (TypeError, ValueError, OverflowError):
            raise TypeError("%s: expected how much to bank, 0 to %d, found %r" % (hook, chest, amount)) from None
        # More than there is moves nothing, as in the original; nothing comes back from the Vault.
        return whole if 0 <= whole <= chest else 0

    def purchase(self):
        """What is hired next."""
        if "hire adventurer" in self.legal and "hire adventurer" not in self.asked:
            self.asked.add("hire adventurer")
            if self.ask("check_buy_adventurer", (self.hero,), (self.hero, "")):
                return "hire adventurer"
        if any(text.startswith("hire agent") for text in self.legal) and "hire agent" not in self.asked:
            tile = self.ask("check_buy_agent", (self.hero,), (self.hero, ""))
            if tile is not None and tile is not False:
                if not isinstance(tile, tokens.Tile):
                    raise TypeError("check_buy_agent: expected a tile of the map or None, found %r" % (tile,))
                text = "hire agent %d %d" % (tile.tile_position.longitude, tile.tile_position.latitude)
                if text in self.legal and self.has_agent_left():
                    return text
            self.asked.add("hire agent")
        return "done"

    # What the Adventurers' methods call.

    def sail(self, adventurer, text):
        """Moves, waits or ends the turn, and answers what follows; whether it is elsewhere then, or has waited."""
        if self.asking:
            raise RuntimeError("expected an answer of the hook, found a call of '%s' in it" % text)
        if adventurer is self.hero and not self.is_over() and text == "end":
            self.finish()
            return True
        if adventurer is self.hero and not self.is_over() and self.kind == "act":
            self.give("done")
            self.settle()
        if adventurer is not self.hero or self.is_over() or text not in self.legal:
            return self.fail_to_act(text)
        before = adventurer.current_tile
        self.asked.clear()
        self.give(text)
        self.settle()
        return text == "wait" or adventurer.current_tile is not before

    def fail_to_act(self, text):
        """Nothing has happened; if nothing else ever does, the bot is told."""
        self.vain += 1
        if self.closed:
            self.leave()
        if self.vain > PATIENCE:
            raise RuntimeError(
                "expected something that is legal, found %d calls without effect, such as '%s'" % (self.vain, text)
            )
        return False

    def is_offered(self, adventurer, text):
        """Whether this can be done now."""
        return adventurer is self.hero and not self.is_over() and self.kind == "act" and text in self.legal

    def act(self, adventurer, text):
        """Does something on the tile, if it can be done now; in a hook, as its answer."""
        if not self.is_offered(adventurer, text):
            return self.fail_to_act(text)
        if self.asking:
            self.called = text
            return True
        if text == "place" and not self.has_agent_left():
            return False
        self.asked.add(text)
        self.give(text)
        self.settle()
        return True

    def has_moved(self, adventurer):
        """Whether the turn of an Adventurer is over."""
        if adventurer is self.mover:
            return self.is_over() or not adventurer.can_move(None)
        turn = self.question["obs"]["turn"]
        return adventurer.player is self.player and adventurer.number in turn["moved"]

    def can_go(self, adventurer, letter):
        """Whether an Adventurer may leave its tile over this side."""
        if adventurer is self.hero and self.kind == "move" and not self.is_over():
            return "go " + letter in self.legal
        options, tile = self.game.options, adventurer.current_tile
        beyond = self.game.tile_at(*heuristics.beyond(adventurer, letter))
        disaster = isinstance(tile, tokens.DisasterTile) or isinstance(beyond, tokens.DisasterTile)
        unburdened = "unburdened_" if options["cards"] and adventurer.wealth == 0 else ""
        land, upwind = adventurer.land_moves, adventurer.upwind_moves
        total = land + upwind + adventurer.downwind_moves
        budgetted = options["movement"] == "budgetted"
        if total >= options["moves"]:
            return False
        if not tile.water[letter] or isinstance(tile, tokens.CityTile) or disaster:
            used = land if budgetted else total
            return used < options[unburdened + "land_moves"] and not (budgetted and upwind)
        if tile.compass_edge_downwind(letter):
            return True
        used = upwind if budgetted else total
        return used < options[unburdened + "upwind_moves"] and not (budgetted and land)


def fits(signature, arguments):
    """Whether a function takes these."""
    try:
        signature.bind(*arguments)
    except TypeError:
        return False
    return True
