//! The rule parameters, with all numbers of the rules, and the values of features.

use meeple_core::{choice, params};

pub const MAX_SEATS: usize = 6;
pub const MAX_HAND: usize = 3;

choice! {
    /// The way the lake is laid.
    pub enum Lake {
        /// The lake is laid automatically, after the turn of the last river tile.
        Auto = "auto",
        /// The lake is the last tile of the river's stack: the next player lays it and may claim.
        Player = "player",
    }

    /// The curves of the river that are refused.
    pub enum Uturn {
        /// Curves whose way ahead is not free for all straight tiles to come.
        Lookahead = "lookahead",
        /// Curves for which the two cells ahead and their flanks are not free.
        TwoCells = "two-cells",
        /// Curves right after a curve that turned the same way.
        TwoCurves = "two-curves",
    }

    /// The time at which completed features score.
    pub enum Order {
        /// After the player's claim.
        ClaimFirst = "claim-first",
        /// Before the claim, so that returning meeples can be used at once.
        ScoreFirst = "score-first",
    }

    /// The seats that a complete feature pays.
    pub enum Pays {
        /// The seats with the most meeples, including ties.
        Majority = "majority",
        /// All seats with a meeple on the feature.
        Everybody = "everybody",
    }
}

params! {
    pub struct Variant {
        /// Starts the game with the river tiles.
        pub river: bool = true => "river", switch();
        /// Lets players claim fields.
        pub farms: bool = true => "farms", switch();
        /// Shuffles in the tower tiles and lets players build towers.
        pub towers: bool = true => "towers", switch();
        /// Tiles to choose from after drawing; one fewer is held between turns. With 1 everybody sees the
        /// drawn tile.
        pub hand: u8 = 3 => "hand", int(1, 3);
        /// Points that end the game after scoring; 0 for none.
        pub point_limit: i32 = 50 => "point-limit", int(0, 1000);
        /// Laying of the lake tile: automatic, or by the next player.
        pub lake: Lake = Lake::Auto => "lake", choice(Lake::WORDS);
        /// Rule by which curves of the river are refused.
        pub uturn: Uturn = Uturn::Lookahead => "uturn", choice(Uturn::WORDS);
        /// Meeples of each player.
        pub meeples: u8 = 7 => "meeples", int(0, 20);
        /// Points of a complete road, per tile.
        pub road: i32 = 1 => "road", int(0, 20);
        /// Points of a complete city, per tile.
        pub city: i32 = 2 => "city", int(0, 20);
        /// Points of a complete city, per banner.
        pub banner: i32 = 2 => "banner", int(0, 20);
        /// Points of a complete city of two tiles, per tile and per banner.
        pub small_city: i32 = 2 => "small-city", int(0, 20);
        /// Points of a complete monastery.
        pub monastery: i32 = 9 => "monastery", int(0, 40);
        /// Points of an incomplete road in the end, per tile.
        pub road_end: i32 = 1 => "road-end", int(0, 20);
        /// Points of an incomplete city in the end, per tile.
        pub city_end: i32 = 1 => "city-end", int(0, 20);
        /// Points of an incomplete city in the end, per banner.
        pub banner_end: i32 = 1 => "banner-end", int(0, 20);
        /// Points of an incomplete monastery in the end, for itself and for each tile around it.
        pub monastery_end: i32 = 1 => "monastery-end", int(0, 20);
        /// Points of a field in the end, per complete city that it touches.
        pub farm: i32 = 3 => "farm", int(0, 20);
        /// Tower floors of each player, at tables of 2, 3, 4, 5 and 6.
        pub floors: Vec<u8> = vec![10, 9, 7, 6, 5] => "floors", int_list(0, 20, 5, 5);
        /// Points a ransom costs, paid to the captor.
        pub ransom: i32 = 3 => "ransom", int(0, 50);
        /// Ransoms a player may pay in each of its own turns.
        pub ransoms: u8 = 1 => "ransoms", int(0, 7);
        /// Asks a player who has paid a ransom even if passing is the only action left.
        pub lone_pass: bool = false => "lone-pass", switch(), before "on";
        /// Order of claiming and scoring the features that a tile completes.
        pub order: Order = Order::ClaimFirst => "order", choice(Order::WORDS);
        /// Players paid by a complete feature: those with the most meeples in it, or everybody with a
        /// meeple.
        pub pays: Pays = Pays::Majority => "pays", choice(Pays::WORDS);
        /// With `order=score-first`: pays for the banners of a city that was complete when it was claimed.
        pub claimed_banners: bool = true => "claimed-banners", switch();
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// No open side, or all eight tiles around.
    Complete,
    /// An open side, or a missing tile around.
    Incomplete,
}

impl Variant {
    /// Points of a road on this many tiles.
    #[inline]
    pub fn road_value(&self, tiles: u32, progress: Progress) -> i32 {
        tiles as i32 * if progress == Progress::Complete { self.road } else { self.road_end }
    }

    /// Points of a city on this many tiles, with this many banners.
    #[inline]
    pub fn city_value(&self, tiles: u32, banners: u32, progress: Progress) -> i32 {
        let (tiles, banners) = (tiles as i32, banners as i32);
        match progress {
            // Ruling 9: a city of two tiles is no exception, unless the variant makes it one.
            Progress::Complete if tiles == 2 => (tiles + banners) * self.small_city,
            Progress::Complete => tiles * self.city + banners * self.banner,
            Progress::Incomplete => tiles * self.city_end + banners * self.banner_end,
        }
    }

    /// Points of a monastery with this many empty cells around it.
    #[inline]
    pub fn monastery_value(&self, empty: u32) -> i32 {
        if empty == 0 { self.monastery } else { (9 - empty as i32) * self.monastery_end }
    }

    /// Points of a field that touches this many complete cities.
    #[inline]
    pub fn farm_value(&self, cities: u32) -> i32 {
        cities as i32 * self.farm
    }
}
