"""Players with the hooks of Cartolan's original, for bots that build on its explorer, trader, router or pirate.

The behaviour is that of RULES.md's heuristic agents. Where the game pays for filling gaps of the map (as the original's
did from October 2020 on) they explore where that pays most, and otherwise straight away from home.
"""

import random

from _meeple_cartolan_tokens import DIRECTIONS, OPPOSITE

# Steps without any effect after which a player waits instead.
PATIENCE = 16


def downwind(tile):
    """The edge that the arrow points to clockwise, and the one anticlockwise."""
    wind = tile.wind_direction
    if wind.north:
        return ("e", "n") if wind.east else ("n", "w")
    return ("s", "e") if wind.east else ("w", "s")


def beyond(adventurer, letter):
    """The place over this side."""
    here, (east, north) = adventurer.current_tile.tile_position, DIRECTIONS[letter]
    return here.longitude + east, here.latitude + north


def offset(adventurer, tile):
    """How far east and north of a tile it is."""
    here, there = adventurer.current_tile.tile_position, tile.tile_position
    return here.longitude - there.longitude, here.latitude - there.latitude


def pays_for_gaps(game):
    """Whether a tile pays by its neighbours."""
    return any(map(any, game.VALUE_FILL_MAP_GAP))


def fortune(player):
    """What a player has, and what its Adventurers carry."""
    return player.vault_wealth + sum(adventurer.wealth for adventurer in player.adventurers)


class Player:
    """A name and what belongs to it."""

    def __init__(self, colour="red"):
        self.colour = self.name = colour
        self.vault_wealth, self.adventurers, self.agents = 0, [], []
        self.locations_to_avoid, self.attack_history = [], {}
        self.p_deviate = 0.1

    def continue_turn(self, adventurer):
        """Moves until the Adventurer's turn is over."""
        self.locations_to_avoid = []
        return self.keep_moving(adventurer)

    def keep_moving(self, adventurer):
        """Moves until the Adventurer's turn is over; waits where `continue_move` does nothing again and again."""
        pilot, idle = adventurer.game.pilot, 0
        while adventurer.turns_moved < adventurer.game.turn:
            here = adventurer.current_tile.tile_position
            self.locations_to_avoid.append([here.longitude, here.latitude])
            before = pilot.heard
            self.continue_move(adventurer)
            idle = idle + 1 if pilot.heard == before else 0
            if idle == PATIENCE:
                adventurer.wait()
        return True

    def continue_move(self, adventurer):
        """Does nothing with a move."""
        return adventurer.wait()


class PlayerBeginnerExplorer(Player):
    """Explores away from home, and banks what puts it ahead."""

    def continue_move(self, adventurer):
        if not self.deviates(adventurer):
            self.explore_or_return(adventurer)
        return True

    def deviates(self, adventurer):
        """Takes a random direction now and then, which frees it where it is stuck."""
        if random.random() >= self.p_deviate:
            return False
        adventurer.move(random.choice("nesw"))
        return True

    def explore_or_return(self, adventurer):
        """Explores, or goes home with what puts it ahead."""
        if adventurer.wealth > adventurer.game.wealth_difference:
            return self.move_towards_tile(adventurer, adventurer.latest_city)
        return self.explore_best_space(adventurer)

    def check_location_to_avoid(self, longitude, latitude):
        """Whether it has been there, or failed to get there, in this turn."""
        return [longitude, latitude] in [list(place) for place in self.locations_to_avoid]

    def explore_best_space(self, adventurer):
        """Explores where a tile pays most by its neighbours, or away from home."""
        if not pays_for_gaps(adventurer.game):
            return self.explore_away_from_tile(adventurer, adventurer.latest_city)
        clockwise, anticlockwise = downwind(adventurer.current_tile)
        best, most = None, 0
        for letter in (clockwise, anticlockwise, OPPOSITE[clockwise], OPPOSITE[anticlockwise]):
            place = beyond(adventurer, letter)
            if not adventurer.can_move(letter) or not adventurer.exploration_needed(*place):
                continue
            value = adventurer.get_exploration_value(adventurer.get_adjoining_edges(*place), letter)
            if value > most and not self.check_location_to_avoid(*place):
                best, most = letter, value
        if best is None:
            return self.move_away_from_tile(adventurer, adventurer.latest_city)
        return self.tries(adventurer, [best])

    def explore_away_from_tile(self, adventurer, tile):
        """Explores away from a tile, or else moves away."""
        for letter in self.away(adventurer, tile):
            empty = adventurer.exploration_needed(*beyond(adventurer, letter))
            if empty and adventurer.can_move(letter) and adventurer.move(letter):
                return True
        return adventurer.turns_moved >= adventurer.game.turn or self.move_away_from_tile(adventurer, tile)

    def explore_above_distance(self, adventurer, tile, distance):
        """Moves away from a tile, and explores once it is farther away than this."""
        east, north = offset(adventurer, tile)
        if abs(east) + abs(north) > distance:
            return self.explore_best_space(adventurer)
        return self.move_away_from_tile(adventurer, tile)

    @staticmethod
    def away(adventurer, tile):
        """The two directions away from a tile, that of the smaller distance first."""
        east, north = offset(adventurer, tile)
        ways = ["e" if east >= 0 else "w", "n" if north > 0 else "s"]
        return ways[::-1] if abs(east) > abs(north) else ways

    @staticmethod
    def toward(adventurer, tile):
        """The two directions towards a tile, that of the larger distance first."""
        east, north = offset(adventurer, tile)
        ways = ["e" if east <= 0 else "w", "n" if north < 0 else "s"]
        return ways[::-1] if abs(east) < abs(north) else ways

    def tries(self, adventurer, letters):
        """Tries directions until one works or the turn is over; places that did not work are avoided."""
        for letter in letters:
            place = beyond(adventurer, letter)
            if pays_for_gaps(adventurer.game) and self.check_location_to_avoid(*place):
                continue
            if adventurer.move(letter):
                return True
            self.locations_to_avoid.append(list(place))
            if adventurer.turns_moved >= adventurer.game.turn:
                return True
        return False

    def move_away_from_tile(self, adventurer, tile):
        """Moves away from a tile, or where the wind and chance take it."""
        ways = self.away(adventurer, tile)
        if pays_for_gaps(adventurer.game):
            return self.tries(adventurer, ways) or adventurer.move(random.choice("nesw"))
        return self.tries(adventurer, [*ways, downwind(adventurer.current_tile)[1]]) or adventurer.wait()

    def move_towards_tile(self, adventurer, tile):
        """Moves towards a tile, or where that may become possible, or waits."""
        ways = self.toward(adventurer, tile)
        last = OPPOSITE[ways[1]] if pays_for_gaps(adventurer.game) else downwind(adventurer.current_tile)[0]
        return self.tries(adventurer, [*ways, last]) or adventurer.wait()

    def check_trade(self, adventurer, tile):
        return True

    def check_collect_wealth(self, agent):
        return True

    def check_rest(self, adventurer, agent):
        if pays_for_gaps(adventurer.game):
            return adventurer.wealth >= adventurer.game.cost_agent_rest
        return agent.player is self

    def check_bank_wealth(self, adventurer, report=""):
        return adventurer.wealth

    def check_deposit(self, adventurer, maximum, minimum=0, report=""):
        return maximum

    def check_travel_money(self, adventurer, maximum, default):
        return default

    def check_buy_adventurer(self, adventurer, report=""):
        """If it can pay, and nobody is about to win."""
        game, price, margin = adventurer.game, adventurer.game.cost_adventurer, adventurer.game.game_winning_difference
        if self.vault_wealth <= price:
            return False
        if not pays_for_gaps(game):
            return all(fortune(player) <= margin - game.wealth_difference for player in game.players)
        others = [player for player in game.players if player is not self]
        best = max((player.vault_wealth for player in others), default=0)
        near = any(fortune(player) > margin + self.vault_wealth - price for player in others)
        return self.vault_wealth <= best + margin and not near

    def check_place_agent(self, adventurer):
        return False

    def check_buy_agent(self, adventurer, report=""):
        return None

    def check_move_agent(self, adventurer):
        return None

    def check_transfer_agent(self, adventurer):
        return None


class PlayerBeginnerTrader(PlayerBeginnerExplorer):
    """Settles Agents at wonders and goes from one to the next."""

    def station(self, adventurer):
        """How many of its Agents have been passed since it was in a city."""
        return vars(self).setdefault("stations", {}).get(self.counted_for(adventurer), 0)

    @staticmethod
    def counted_for(adventurer):
        """The earlier players count for all their Adventurers together, the later ones for each."""
        return adventurer.number if pays_for_gaps(adventurer.game) else 0

    def next_agent(self, adventurer):
        """The Agent to go to next, or None."""
        number = self.station(adventurer)
        return self.agents[number] if number < len(self.agents) else None

    def note_city(self, adventurer):
        """In a city the round of its Agents begins anew."""
        if adventurer.current_tile is adventurer.latest_city:
            vars(self).setdefault("stations", {})[self.counted_for(adventurer)] = 0

    def continue_move(self, adventurer):
        self.note_city(adventurer)
        if self.deviates(adventurer):
            return True
        agent, game = self.next_agent(adventurer), adventurer.game
        ahead = adventurer.wealth > game.wealth_difference
        if ahead or agent is None and len(self.agents) >= game.MAX_AGENTS:
            self.move_towards_tile(adventurer, adventurer.latest_city)
        elif agent is None:
            self.explore_best_space(adventurer)
        else:
            self.move_towards_tile(adventurer, agent.current_tile)
        return True

    def check_rest(self, adventurer, agent):
        if agent is self.next_agent(adventurer):
            passed = self.station(adventurer) + 1
            self.stations[self.counted_for(adventurer)] = passed
        return True

    def check_bank_wealth(self, adventurer, report=""):
        self.note_city(adventurer)
        return super().check_bank_wealth(adventurer, report)

    def check_place_agent(self, adventurer):
        return adventurer.current_tile.is_wonder and len(self.agents) < adventurer.game.MAX_AGENTS


class PlayerBeginnerRouter(PlayerBeginnerTrader):
    """Puts an Agent where its moves end, and goes along them."""

    def continue_move(self, adventurer):
        self.note_city(adventurer)
        if self.deviates(adventurer):
            return True
        agent = self.next_agent(adventurer)
        if agent is None:
            self.explore_or_return(adventurer)
        else:
            self.move_towards_tile(adventurer, agent.current_tile)
        return True

    def check_place_agent(self, adventurer):
        return not adventurer.can_move(None) and len(self.agents) < adventurer.game.MAX_AGENTS


class PlayerRegularExplorer(PlayerBeginnerExplorer):
    """An explorer that arrests pirates and restores its Agents."""

    def continue_turn(self, adventurer):
        self.locations_to_avoid = []
        for tile in adventurer.game.disaster_tiles:
            self.locations_to_avoid.append([tile.tile_position.longitude, tile.tile_position.latitude])
        self.wait_for_prey(adventurer)
        return self.keep_moving(adventurer)

    def wait_for_prey(self, adventurer):
        """Waits where somebody stands whom it would attack; whether it did."""
        others = [other for other in adventurer.current_tile.adventurers if other.player is not self]
        prey = any(self.check_attack_adventurer(adventurer, other) for other in others)
        return prey and adventurer.wait()

    def check_attack_adventurer(self, adventurer, other_adventurer):
        enemy = other_adventurer.player is not self and other_adventurer.pirate_token
        return enemy and adventurer.wealth < adventurer.game.value_arrest

    def check_attack_agent(self, adventurer, agent):
        return False

    def check_restore_agent(self, adventurer, agent):
        return agent.player is self and adventurer.wealth >= adventurer.game.cost_agent_restore

    def check_court_disaster(self, adventurer, disaster_tile):
        return False


class PlayerRegularTrader(PlayerBeginnerTrader, PlayerRegularExplorer):
    """A trader that arrests pirates and restores its Agents."""


class PlayerRegularRouter(PlayerBeginnerRouter, PlayerRegularExplorer):
    """A router that arrests pirates and restores its Agents."""


class PlayerRegularPirate(PlayerRegularExplorer):
    """Hunts what promises most: Adventurers, Agents, disasters."""

    def continue_move(self, adventurer):
        if pays_for_gaps(adventurer.game) and self.wait_for_prey(adventurer):
            return True
        if self.deviates(adventurer):
            return True
        prey = self.prey(adventurer)
        if prey is None or adventurer.wealth > adventurer.game.wealth_difference:
            self.explore_or_return(adventurer)
        else:
            self.move_towards_tile(adventurer, prey)
        return True

    def prey(self, adventurer):
        """The tile that promises most, or None."""
        best, most = None, 0
        for prize, tile in self.prizes(adventurer.game):
            if prize > most:
                best, most = tile, prize
        return best

    def prizes(self, game):
        """What there is to win, and where."""
        others = [player for player in game.players if player is not self]
        for other in (one for player in others for one in player.adventurers):
            yield (other.wealth + 1) // 2, other.current_tile
        for agent in (one for player in others for one in player.agents if not one.is_dispossessed):
            yield agent.wealth + 1, agent.current_tile
        for tile in game.disaster_tiles:
            yield (tile.dropped_wealth + 1) // 2, tile

    def check_attack_adventurer(self, adventurer, other_adventurer):
        return other_adventurer.player is not self and adventurer.wealth < (other_adventurer.wealth + 1) // 2

    def check_attack_agent(self, adventurer, agent):
        return agent.player is not self

    def check_court_disaster(self, adventurer, disaster_tile):
        return adventurer.wealth < (disaster_tile.dropped_wealth + 1) // 2
