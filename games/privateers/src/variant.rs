//! The rule parameters: all rule constants and defaults.

use meeple_core::{choice, params};

/// The state grows with the square of the seats, because every seat remembers every other. It has 15 KB for
/// 16 seats and would have 180 KB for 64; a search copies it for every playout.
pub const MAX_SEATS: usize = 16;
/// Upper bound on the half points of a turn: the largest power at two half points each.
pub const MAX_BUDGET: usize = 12;
/// Largest face of all dice.
pub const DIE: u8 = 6;

choice! {
    /// The consequence for a player whose ship is sunk.
    pub enum Mode {
        /// The player may continue with a fresh ship.
        Infinite = "infinite",
        Survival = "survival",
    }
}

choice! {
    /// The meaning of a wind's name.
    pub enum WindName {
        /// A north wind pushes towards north.
        Towards = "towards",
        /// A north wind comes from the north and pushes towards south.
        From = "from",
    }
}

choice! {
    /// The metric for the distance between two ships.
    pub enum Distance {
        /// Shortest path over sea.
        Sea = "sea",
        /// Shortest path over sea, but only within a row or a column.
        Straight = "straight",
    }
}

choice! {
    /// The effect of closing up by a defender.
    pub enum Closing {
        /// Only the distance of the fight shrinks.
        Abstract = "abstract",
        /// The defender's ship moves on the map.
        Physical = "physical",
    }
}

params! {
    pub struct Variant {
        /// Fate of a player whose ship is sunk: a fresh ship, or elimination.
        pub mode: Mode = Mode::Infinite => "mode", choice(Mode::WORDS);
        /// A built-in map (pocket, peninsula, archipelago) or the content of a map file.
        pub map: String = "peninsula".into() => "map", text();
        /// `random`, or the content of a file with one line of seven prices per port: `A: 10 21 45 95 201 425
        /// 95`.
        pub prices: String = "random".into() => "prices", text();
        /// Rounds after which the highest value wins; 0 for no limit.
        pub max_rounds: u32 = 200 => "max_rounds", int(0, 1_000_000);
        /// Value that ends the game at the end of a turn; 0 for no such end.
        pub target_value: i64 = 0 => "target_value", int(0, 1_000_000_000);
        /// Safety limit: decisions after which the highest value wins. An open fight is rolled to its end
        /// first.
        pub max_decisions: u32 = 1_000_000 => "max_decisions", int(1, 1_000_000_000);
        /// Smallest price by product: lumber, sugar, tobacco, rum, textile, spice, cannon.
        pub price_min: Vec<u16> = vec![10, 21, 45, 95, 201, 425, 95] => "price_min", int_list(1, 10_000, 7, 7);
        /// Average price by product.
        pub price_avg: Vec<u16> = vec![15, 30, 61, 124, 251, 510, 100] => "price_avg", int_list(1, 10_000, 7, 7);
        /// Largest price by product.
        pub price_max: Vec<u16> = vec![20, 39, 78, 153, 302, 595, 105] => "price_max", int_list(1, 10_000, 7, 7);
        /// Distance of the smallest and largest prices from the average, in percent of the above; no price
        /// falls below 1.
        pub price_spread: u16 = 100 => "price_spread", int(0, 300);
        /// Money of a fresh ship.
        pub start_money: u32 = 50 => "start_money", int(0, 100_000);
        /// Cannons of a fresh ship.
        pub start_cannons: u16 = 2 => "start_cannons", int(0, 60);
        /// Units of cargo by class: schooner, galleon, frigate.
        pub holds: Vec<u16> = vec![4, 10, 20] => "holds", int_list(1, 200, 3, 3);
        /// Maximal number of mounted cannons by class.
        pub mounts: Vec<u16> = vec![4, 12, 18] => "mounts", int_list(0, 60, 3, 3);
        /// Range of attack by class.
        pub ranges: Vec<u16> = vec![0, 1, 2] => "ranges", int_list(0, 6, 3, 3);
        /// List price by class; an upgrade costs the difference.
        pub ship_prices: Vec<u32> = vec![0, 350, 1350] => "ship_prices", int_list(0, 1_000_000, 3, 3);
        /// Half points for a cell against the wind by class; 0 if ships of the class cannot.
        pub cost_against: Vec<u16> = vec![0, 4, 2] => "cost_against", int_list(0, 12, 3, 3);
        /// Half points for a cell with the wind.
        pub cost_with: u8 = 1 => "cost_with", int(1, 12);
        /// Half points for a cell across the wind.
        pub cost_across: u8 = 2 => "cost_across", int(1, 12);
        /// Half points for a cell in fickle wind.
        pub cost_fickle: u8 = 2 => "cost_fickle", int(1, 12);
        /// Half points per point of wind power.
        pub half_points: u8 = 2 => "half_points", int(1, 2);
        /// Maximal number of cells sailed in a turn.
        pub max_moves: u8 = 12 => "max_moves", int(1, 12);
        /// Minimal Manhattan distance from other ships to the port of a fresh ship, if there is such a
        /// port.
        pub respawn_distance: u16 = 6 => "respawn_distance", int(0, 128);
        /// Rolls after which a fight is broken off: the ship with fewer points loses, at equal points the
        /// attacker.
        pub max_rolls: u16 = 10_000 => "max_rolls", int(1, 60_000);
        /// Counts money in the value.
        pub value_money: bool = true => "value_money", switch();
        /// Meaning of a wind's name: the direction it blows towards, or from.
        pub wind_name: WindName = WindName::Towards => "wind_name", choice(WindName::WORDS);
        /// Distance between two ships: by sea, or in a straight line.
        pub distance: Distance = Distance::Sea => "distance", choice(Distance::WORDS);
        /// Lets ports between two ships block an attack.
        pub ports_block: bool = true => "ports_block", switch();
        /// Closing up by a defender: abstract, without moving, or physical, by sailing.
        pub closing: Closing = Closing::Abstract => "closing", choice(Closing::WORDS);
        /// Offers the actions `buy-max` and `sell-all`.
        pub bulk: bool = true => "bulk", switch();
        /// Asks a seat in a port to end its turn, and a winner in `survival` to go on, even if nothing else
        /// is legal.
        pub asks_at_end: bool = true => "asks_at_end", switch(), before "off";
    }
}
