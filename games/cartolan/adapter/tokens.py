"""The game as a player's class of Cartolan's original sees it: tiles, tokens and the game as objects.

They are made once for an episode and brought up to date from each observation, so that a bot may keep them, compare
them and use them as keys. What an Adventurer is told to do is handed to whoever holds the question (`game.pilot`).
"""

DIRECTIONS = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
WORDS = ("north", "east", "south", "west")
OPPOSITE = {"n": "s", "e": "w", "s": "n", "w": "e"}
# For each wind, which edge of a tile lies north, east, south and west, relative to its arrow.
LAYOUT = {
    "NE": ("downwind_anti", "downwind_clock", "upwind_anti", "upwind_clock"),
    "SE": ("upwind_clock", "downwind_anti", "downwind_clock", "upwind_anti"),
    "SW": ("upwind_anti", "upwind_clock", "downwind_anti", "downwind_clock"),
    "NW": ("downwind_clock", "upwind_anti", "upwind_clock", "downwind_anti"),
}


def direction(compass_point):
    """n, e, s or w, of a letter or a word."""
    letter = compass_point[:1].lower() if isinstance(compass_point, str) else ""
    if letter not in DIRECTIONS or compass_point.lower() not in (letter, *WORDS):
        raise ValueError("expected a direction n, e, s or w, found %r" % (compass_point,))
    return letter


class TilePosition:
    """Where a tile lies."""

    def __init__(self, longitude=None, latitude=None):
        self.longitude, self.latitude = longitude, latitude


class WindDirection:
    """Where the arrow of a tile points to."""

    def __init__(self, north=True, east=True):
        self.north, self.east = north, east


class TileEdges:
    """Which edges are water, relative to the arrow."""

    def __init__(self, uc_water=True, ua_water=True, dc_water=True, da_water=True):
        self.upwind_clock_water, self.upwind_anti_water = uc_water, ua_water
        self.downwind_clock_water, self.downwind_anti_water = dc_water, da_water


class Tile:
    """A tile of the map."""

    def __init__(self, game, tile_back="water", wind_direction=None, tile_edges=None, is_wonder=False):
        self.game, self.tile_back, self.is_wonder = game, tile_back, is_wonder
        self.wind_direction = wind_direction or WindDirection()
        self.tile_edges = tile_edges or TileEdges()
        self.tile_position = TilePosition()
        self.adventurers, self.agent, self.dropped_wealth = [], None, 0
        self.in_domain = False
        self.water = dict.fromkeys(DIRECTIONS, True)

    def show(self, cell):
        """Takes over what the observation says of it."""
        wind, edges = cell["wind"], cell["edges"]
        self.wind_direction.north, self.wind_direction.east = wind[0] == "N", wind[1] == "E"
        for place, letter, edge in zip(LAYOUT[wind], DIRECTIONS, edges):
            self.water[letter] = edge == "W"
            setattr(self.tile_edges, place + "_water", edge == "W")
        self.dropped_wealth, self.in_domain = cell.get("dropped", 0), cell["domain"]
        self.adventurers.clear()
        self.agent = None

    def compass_edge_water(self, compass_point):
        """Whether an edge is water."""
        return self.water[direction(compass_point)]

    def compass_edge_downwind(self, compass_point):
        """Whether the arrow points to an edge."""
        letter, wind = direction(compass_point), self.wind_direction
        return {"n": wind.north, "e": wind.east, "s": not wind.north, "w": not wind.east}[letter]


class CityTile(Tile):
    """The Capital or the Mythical City."""


class DisasterTile(Tile):
    """A disaster."""


class TilePile:
    """How many tiles a pile has."""

    def __init__(self, tile_back="water"):
        self.tile_back, self.tiles = tile_back, range(0)


class Token:
    """A token on a tile."""

    def __init__(self, game, player, number):
        self.game, self.player, self.number = game, player, number
        self.current_tile, self.wealth, self.route = None, 0, []


class Agent(Token):
    """An Agent."""

    is_dispossessed = False


class Adventurer(Token):
    """An Adventurer. What it is told to do answers the question that the game asks."""

    downwind_moves = upwind_moves = land_moves = 0
    pirate_token = False
    latest_city = None

    def __init__(self, game, player, number):
        super().__init__(game, player, number)
        self.wonders_visited, self.agents_rested = [], []
        options = game.options
        self.max_downwind_moves, self.max_exploration_attempts = options["moves"], options["tries"]
        self.max_land_moves, self.max_upwind_moves = options["land_moves"], options["upwind_moves"]
        self.cost_agent_exploring = options["price_place"]

    @property
    def turns_moved(self):
        """The game's turn as soon as this one's is over, else the one before."""
        return self.game.turn - (0 if self.game.pilot.has_moved(self) else 1)

    def can_move(self, compass_point=None):
        """Whether it may leave over this side without a gust; without one, over any."""
        if compass_point is None:
            return any(self.can_move(letter) for letter in DIRECTIONS)
        return self.game.pilot.can_go(self, direction(compass_point))

    def exploration_needed(self, longitude, latitude):
        """Whether no tile lies there."""
        return self.game.tile_at(longitude, latitude) is None

    def get_adjoining_edges(self, longitude, latitude):
        """For each side of a place, whether the tile beyond has water there; None without a tile."""
        edges = {}
        for letter, (east, north) in DIRECTIONS.items():
            tile = self.game.tile_at(longitude + east, latitude + north)
            edges[letter] = None if tile is None else tile.water[OPPOSITE[letter]]
        return edges

    def get_exploration_value(self, adjoining_edges_water, compass_point_moving):
        """What a tile there pays by its neighbours, but for the one it is entered from."""
        entered = OPPOSITE[direction(compass_point_moving)]
        others = [edge for letter, edge in adjoining_edges_water.items() if letter != entered]
        return self.game.VALUE_FILL_MAP_GAP[others.count(True)][others.count(False)]

    def move(self, compass_point):
        """Goes over this side; whether it then is on another tile."""
        return self.game.pilot.sail(self, "go " + direction(compass_point))

    def gust(self, compass_point):
        """Rolls the die for a way against the wind; whether it then is elsewhere. The original has no such call."""
        return self.game.pilot.sail(self, "gust " + direction(compass_point))

    def wait(self):
        """Spends a move where it is."""
        return self.game.pilot.sail(self, "wait")

    def end_turn(self):
        """Does nothing more in this turn."""
        return self.game.pilot.sail(self, "end")

    def trade(self, tile=None):
        """Trades, if that is to be decided now."""
        return self.game.pilot.act(self, "trade")

    def collect_wealth(self):
        """Takes an own Agent's wealth, if it is offered now."""
        return self.game.pilot.act(self, "collect")

    def rest(self, agent=None):
        """Rests, if it is offered now."""
        return self.game.pilot.act(self, "rest")

    def place_agent(self):
        """Puts an Agent here, if it is offered now."""
        return self.game.pilot.act(self, "place")

    def restore_agent(self, agent=None):
        """Restores the own Agent here, if it is offered now."""
        return self.game.pilot.act(self, "restore")

    def attack(self, token):
        """Attacks an Adventurer or an Agent here, or courts a disaster, if it is offered now."""
        return self.game.pilot.act(self, attack_on(token))

    def can_rest(self):
        """Whether a rest is offered now."""
        return self.game.pilot.is_offered(self, "rest")

    def can_collect_wealth(self):
        """Whether an own Agent's wealth is offered now."""
        return self.game.pilot.is_offered(self, "collect")

    def check_tile_available(self, tile):
        """Whether an Agent may be put on a tile."""
        return tile.agent is None or tile.agent.is_dispossessed

    def abandon_expedition(self, city_tile=None):
        """Not in these rules: nothing happens."""
        return False


def attack_on(token):
    """What is said to attack something."""
    if isinstance(token, Adventurer):
        return "attack adventurer %d.%d" % (token.game.seats.index(token.player), token.number)
    return "attack agent" if isinstance(token, Agent) else "court"


class Game:
    """The game, as far as the bot may see it."""

    def __init__(self, options, players, pilot):
        self.options, self.players, self.pilot = options, list(players), pilot
        # By seat, whatever the bot does to its list.
        self.seats = tuple(players)
        self.turn, self.game_over, self.winning_player = 1, False, None
        self.wealth_difference = self.max_wealth = self.num_failed_explorations = self.exploration_attempts = 0
        self.total_vault_wealth = self.total_chest_wealth = self.dropped_wealth = 0
        self.play_area, self.cities, self.disaster_tiles = {}, [], []
        self.tile_piles = {back: TilePile(back) for back in ("water", "land")}
        self.discard_piles = {back: TilePile(back) for back in ("water", "land")}
        self.adventurers = {player: player.adventurers for player in players}
        self.agents = {player: player.agents for player in players}
        self.tokens = {}
        self.name_numbers()

    def name_numbers(self):
        """The numbers of the rules, under the names of both of the original's generations."""
        options = self.options
        numbers = {
            "max_adventurers": options["adventurers"],
            "max_agents": options["agents"],
            "cost_adventurer": options["price_adventurer"],
            "cost_agent_exploring": options["price_place"],
            "cost_agent_from_city": options["price_hire"],
            "cost_agent_rest": options["price_rest"],
            "cost_agent_restore": options["price_restore"],
            "value_trade": options["trade"],
            "value_agent_trade": options["trade_bonus"],
            "value_arrest": options["arrest_reward"],
            "value_discover_wonder": {"water": options["reward_water"], "land": options["reward_land"]},
            "value_fill_map_gap": [
                [water * options["gap_water"] + land * options["gap_land"] for land in range(4)] for water in range(4)
            ],
            "exploration_attempts_limit": options["tries"],
            "max_downwind_moves": options["moves"],
            "max_land_moves": options["land_moves"],
            "max_upwind_moves": options["upwind_moves"],
            "city_domain_radius": options["domain"],
            "game_winning_difference": options["margin"],
        }
        for name, number in numbers.items():
            setattr(self, name, number)
            setattr(self, name.upper(), number)
        self.EXPLORATION_ATTEMPTS = options["tries"]
        self.movement_rules, self.exploration_rules = options["movement"], options["exploration"]

    def tile_at(self, longitude, latitude):
        """The tile at a place, or None."""
        return self.play_area.get(longitude, {}).get(latitude)

    def show(self, observation):
        """Takes over an observation."""
        self.turn, self.wealth_difference = observation["round"], observation["lead"]
        self.num_failed_explorations = observation["failed_explorations"]
        for back in self.tile_piles:
            pile = observation[back]
            self.tile_piles[back].tiles = range(pile["left"])
            self.discard_piles[back].tiles = range(sum(count for _, count in pile["discards"]))
        tiles = [self.tile_of(cell) for cell in observation["map"]]
        for tile, cell in zip(tiles, observation["map"]):
            tile.show(cell)
        # Lists are filled anew at every question, whatever the bot has done to them.
        self.players[:] = self.seats
        self.cities[:] = [tile for tile in tiles if isinstance(tile, CityTile)]
        self.disaster_tiles[:] = [tile for tile in tiles if isinstance(tile, DisasterTile)]
        for player, shown in zip(self.seats, observation["players"]):
            self.show_player(player, shown)
        vaults = [player.vault_wealth for player in self.seats]
        self.max_wealth, self.total_vault_wealth = max(vaults), sum(vaults)
        self.total_chest_wealth = sum(one.wealth for player in self.seats for one in player.adventurers)
        self.winning_player = self.seats[vaults.index(max(vaults))]
        self.dropped_wealth = sum(tile.dropped_wealth for tile in self.disaster_tiles)
        turn = observation["turn"]
        hero = self.tokens[turn["seat"], Adventurer, turn["adventurer"]]
        hero.land_moves, hero.upwind_moves, hero.downwind_moves = turn["land"], turn["upwind"], turn["downwind"]
        rested = (self.tokens.get((seat, Agent, number)) for seat, number in turn["rested"])
        hero.agents_rested[:] = [agent for agent in rested if agent is not None]

    def tile_of(self, cell):
        """The tile of a cell, made when it is first seen."""
        longitude, latitude = cell["at"]
        column = self.play_area.setdefault(longitude, {})
        tile = column.get(latitude)
        if tile is None:
            kind = {"city": CityTile, "disaster": DisasterTile}.get(cell["ground"], Tile)
            tile = column[latitude] = kind(self, cell["back"], is_wonder=cell["ground"] == "wonder")
            tile.tile_position = TilePosition(longitude, latitude)
        return tile

    def token(self, kind, player, number):
        """The token of a player with this number, made when it is first seen."""
        key = self.seats.index(player), kind, number
        if key not in self.tokens:
            self.tokens[key] = kind(self, player, number)
        return self.tokens[key]

    def show_player(self, player, shown):
        """Takes over what is seen of a player."""
        player.vault_wealth = shown["vault"]
        agents = []
        for number, at, wealth, dispossessed in shown["agents"]:
            agent = self.token(Agent, player, number)
            agent.wealth, agent.is_dispossessed = wealth, dispossessed
            self.put(agent, at)
            agent.current_tile.agent = agent
            agents.append(agent)
        player.agents[:] = agents
        adventurers = []
        for number, one in enumerate(shown["adventurers"]):
            adventurer = self.token(Adventurer, player, number)
            adventurer.wealth, adventurer.pirate_token = one["chest"], one["pirate"]
            adventurer.latest_city = self.tile_at(*one["last_city"])
            adventurer.wonders_visited[:] = [self.tile_at(*at) for at in one["used_wonders"]]
            adventurer.land_moves = adventurer.upwind_moves = adventurer.downwind_moves = 0
            self.put(adventurer, one["at"])
            adventurer.current_tile.adventurers.append(adventurer)
            adventurers.append(adventurer)
        player.adventurers[:] = adventurers

    def put(self, token, at):
        """Where a token is now."""
        tile = self.tile_at(*at)
        if tile is not token.current_tile:
            token.current_tile = tile
            token.route.append(tile)
