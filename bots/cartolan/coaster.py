"""A player of Cartolan as the original's are: a class whose hooks move its Adventurers and say what they do on the way.

    meeple match cartolan bots/cartolan/coaster.py explorer trader

It stays near its city: it explores wherever a tile is missing on the way round, and comes home with what it has found. It
uses what docs/reference/cartolan-bots.md lists, and no base class.
"""


class Coaster:
    # How far from its city it goes, and how much wealth it comes home with.
    reach = 9
    purse = 4

    def __init__(self, colour):
        self.colour = colour
        self.seen = []

    def continue_turn(self, adventurer):
        self.seen = []
        while adventurer.turns_moved < adventurer.game.turn:
            self.seen.append(self.place(adventurer.current_tile))
            self.continue_move(adventurer)

    def continue_move(self, adventurer):
        ways = [way for way in "nesw" if adventurer.can_move(way)]
        if adventurer.wealth >= self.purse:
            # Against the wind the first move of a turn is free, so that waiting for the next brings it home at last.
            now = self.distance(adventurer, self.place(adventurer.current_tile))
            ways = [way for way in ways if self.distance(adventurer, self.beyond(adventurer, way)) < now]
        ways.sort(key=lambda way: self.cost(adventurer, way))
        for way in ways:
            if self.beyond(adventurer, way) in self.seen:
                continue
            self.seen.append(self.beyond(adventurer, way))
            if adventurer.move(way) or adventurer.turns_moved >= adventurer.game.turn:
                return
        adventurer.end_turn()

    def distance(self, adventurer, place):
        """How far a place is from the city that it was in last."""
        home = self.place(adventurer.latest_city)
        return abs(place[0] - home[0]) + abs(place[1] - home[1])

    def cost(self, adventurer, way):
        """How little it wants to go this way."""
        there = self.beyond(adventurer, way)
        far = self.distance(adventurer, there)
        if adventurer.wealth >= self.purse:
            return far
        if adventurer.exploration_needed(*there) and far <= self.reach:
            return -self.reach
        return max(far - self.reach, 0) * 10 - far

    @staticmethod
    def place(tile):
        return tile.tile_position.longitude, tile.tile_position.latitude

    def beyond(self, adventurer, way):
        """The place over this side."""
        x, y = self.place(adventurer.current_tile)
        return x + (way == "e") - (way == "w"), y + (way == "n") - (way == "s")

    def check_trade(self, adventurer, tile):
        return True

    def check_collect_wealth(self, agent):
        return True

    def check_rest(self, adventurer, agent):
        return agent.player is self or adventurer.wealth > 2

    def check_bank_wealth(self, adventurer, report=""):
        return adventurer.wealth

    def check_buy_adventurer(self, adventurer, report=""):
        return self.vault_wealth > 2 * adventurer.game.cost_adventurer

    def check_place_agent(self, adventurer):
        return adventurer.current_tile.is_wonder and adventurer.wealth > 5

    def check_move_agent(self, adventurer):
        return min(self.agents, key=lambda agent: agent.wealth)

    def check_buy_agent(self, adventurer, report=""):
        return None

    def check_attack_adventurer(self, adventurer, other_adventurer):
        return other_adventurer.pirate_token

    def check_attack_agent(self, adventurer, agent):
        return False

    def check_restore_agent(self, adventurer, agent):
        return adventurer.wealth > 3

    def check_court_disaster(self, adventurer, disaster_tile):
        return adventurer.wealth == 0
