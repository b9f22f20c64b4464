//! The rule constants, all in one place: parameters and their consistency checks.

use meeple_core::{choice, params};

use crate::tiles::{Back, CSV_TILES, Edges, GUIDE_TILES, Kind, Mark, Stock, parse_catalogue};

pub const MAX_SEATS: usize = 4;
pub const MAX_ADVENTURERS: usize = 4;
pub const MAX_AGENTS: usize = 8;
/// Upper bound on dealt tiles: 30 by sea and 15 by land for each of four players.
pub const MAX_DEALT: usize = 4 * (30 + 15);
/// Upper bound on the distance of the Mythical City.
pub const MAX_MYTHICAL_DISTANCE: i16 = 40;
/// Capacity of a Chest; any surplus returns to the bank. The printed game has pieces for 300.
pub const MAX_CHEST: u16 = 3000;

choice! {
    /// The budget of moves in a turn.
    pub enum Movement { Initial = "initial", Budgetted = "budgetted" }
    /// The relation of land and upwind moves in budgetted movement.
    pub enum Budget { Exclusive = "exclusive", LandAfterUpwind = "land_after_upwind" }
    /// The orientations in which a new tile is tried.
    pub enum Exploration { Clockwise = "clockwise", Continuous = "continuous" }
    /// The source of the tiles.
    pub enum Catalogue { Guide = "guide", Csv = "csv", File = "file" }
    /// The rule for the number of dealt tiles.
    pub enum Supply { PerPlayerCapped = "per_player_capped", Fixed = "fixed" }
    /// The place of a second city, if there is one.
    pub enum Mythical { None = "none", Fixed = "fixed", InLandPile = "in_land_pile" }
    /// The rule for the first player.
    pub enum Start { GustRoll = "gust_roll", Uniform = "uniform", FirstSeat = "first_seat" }
    /// The kind of a city's edges, as seen by adjacent tiles.
    pub enum CityEdges { Land = "land", Water = "water" }
    /// The edges of Disaster tiles.
    pub enum DisasterEdges { ByBack = "by_back", AllLand = "all_land" }
    /// The place where a disaster sends an Adventurer.
    pub enum DisasterReturn { LastCity = "last_city", Capital = "capital" }
    /// The Adventurers that may move onto a known Disaster tile.
    pub enum DisasterEntry { Pirates = "pirates", Anyone = "anyone" }
    /// The fate of a pirate that turns over a disaster.
    pub enum PirateAtDisaster { Stays = "stays", SentBack = "sent_back" }
    /// The handling of trades: automatic or by decision.
    pub enum Trading { Automatic = "automatic", Decision = "decision" }
    /// The handling of the wealth that a courted disaster gives.
    pub enum CourtedWealth { Taken = "taken", Copied = "copied" }
    /// The die's effect on moves against the wind.
    pub enum Gust { Off = "off", Attempt = "attempt" }
    /// The mechanism of conflicts.
    pub enum Conflict { Die = "die", Flat = "flat" }
    /// The destination of an arrest's reward.
    pub enum ArrestTo { Vault = "vault", Chest = "chest" }
    /// The time at which a newly placed Agent can rest its placer.
    pub enum PlacedAgentRest { LaterMove = "later_move", NextTurn = "next_turn" }
    /// The time of a hired Adventurer's first move.
    pub enum HireMoves { Now = "now", NextRound = "next_round" }
    /// The time at which discards go back into their pile.
    pub enum Discards { UntilEmpty = "until_empty", EverySubturn = "every_subturn" }
    /// The order of acts: free, or by the original's script.
    pub enum ActOrder { Free = "free", Scripted = "scripted" }
    /// The treatment of a lead of exactly the margin.
    pub enum MarginRule { Strict = "strict", Inclusive = "inclusive" }
    /// Permission to buy before the margin is checked.
    pub enum BuyFirst { No = "no", Yes = "yes" }
    /// The order of attacks and purchases in a city.
    pub enum CityOrder { AttacksFirst = "attacks_first", PurchasesFirst = "purchases_first" }
    /// The winner among equals.
    pub enum Tie { Shared = "shared", FirstSeat = "first_seat" }
    /// The way a Named-Adventurer card is drawn.
    pub enum CardDraw { Random = "random", ChooseOfTwo = "choose_of_two" }
}

params! {
    pub struct Variant {
        /// Regular and Advanced: land-backed tiles, disasters, attacks, piracy, arrests, dispossession.
        pub inland: bool = true => "inland", switch();
        /// Advanced: named Adventurers, Discovery cards, Technologies.
        pub cards: bool = false => "cards", switch();
        /// Limits on land and upwind moves: only at the beginning of a turn, or one of the two kinds at any
        /// time.
        pub movement: Movement = Movement::Initial => "movement", choice(Movement::WORDS);
        /// In budgetted movement: land and upwind moves exclude each other, or land moves may follow upwind
        /// ones in the Regular game.
        pub budget: Budget = Budget::Exclusive => "budget", choice(Budget::WORDS);
        /// Orientations tried for a new tile: as the last one, then both turns; or as the last one, then
        /// the turn that joins the winds.
        pub exploration: Exploration = Exploration::Clockwise => "exploration", choice(Exploration::WORDS);
        /// The tiles: as the guide counts them, as the original's file does, or from the parameter `tiles`.
        pub catalogue: Catalogue = Catalogue::Guide => "catalogue", choice(Catalogue::WORDS);
        /// A catalogue of tiles: lines `back,edges,plain,wonder,disaster`, with that line as the first.
        pub tiles: String = String::new() => "tiles", text();
        /// Meaning of `water_tiles` and `land_tiles`: per player, capped at the tiles there are, or in
        /// total.
        pub supply: Supply = Supply::PerPlayerCapped => "supply", choice(Supply::WORDS);
        /// Water-backed tiles dealt.
        pub water_tiles: u16 = 30 => "water_tiles", int(1, MAX_DEALT as i64);
        /// Land-backed tiles dealt.
        pub land_tiles: u16 = 15 => "land_tiles", int(1, MAX_DEALT as i64);
        /// The Mythical City: nowhere, on the map from the beginning, or among the land tiles.
        pub mythical: Mythical = Mythical::Fixed => "mythical", choice(Mythical::WORDS);
        /// Minimal number of players for a Mythical City on the map.
        pub mythical_players: u8 = 3 => "mythical_players", int(2, 4);
        /// Distance of the Mythical City east of the Capital, in tiles.
        pub mythical_distance: u16 = 10 => "mythical_distance", int(4, MAX_MYTHICAL_DISTANCE as i64);
        /// First player: the first to roll a gust, a random one, or the first seat.
        pub start: Start = Start::GustRoll => "start", choice(Start::WORDS);
        /// Kind of a city's edges for the tiles beside it.
        pub city_edges: CityEdges = CityEdges::Land => "city_edges", choice(CityEdges::WORDS);
        /// Edges of Disaster tiles: those of the back's colour, or all land.
        pub disaster_edges: DisasterEdges = DisasterEdges::ByBack => "disaster_edges", choice(DisasterEdges::WORDS);
        /// City to which a disaster sends an Adventurer.
        pub disaster_return: DisasterReturn = DisasterReturn::LastCity => "disaster_return", choice(DisasterReturn::WORDS);
        /// Adventurers that may move onto a known Disaster tile.
        pub disaster_entry: DisasterEntry = DisasterEntry::Pirates => "disaster_entry", choice(DisasterEntry::WORDS);
        /// Fate of a pirate that turns over a disaster: it stays there, or is sent back without its Chest
        /// like others.
        pub pirate_at_disaster: PirateAtDisaster = PirateAtDisaster::Stays => "pirate_at_disaster", choice(PirateAtDisaster::WORDS);
        /// Gives pirates the wealth or card for discovering a wonder outside all domains.
        pub pirate_rewards: bool = true => "pirate_rewards", switch();
        /// Fate of wealth won by courting: taken from the tile, or copied.
        pub courted_wealth: CourtedWealth = CourtedWealth::Taken => "courted_wealth", choice(CourtedWealth::WORDS);
        /// Lets the die carry an Adventurer against the wind.
        pub gust: Gust = Gust::Attempt => "gust", choice(Gust::WORDS);
        /// Faces of the wind die; one of them is the gust.
        pub die_faces: u8 = 6 => "die_faces", int(2, 100);
        /// Resolution of conflicts: two rolls of the die that must differ, or a flat probability.
        pub conflict: Conflict = Conflict::Die => "conflict", choice(Conflict::WORDS);
        /// Probability of success in a conflict and in courting a disaster, with `conflict=flat`.
        pub conflict_chance: f64 = 1.0 / 3.0 => "conflict_chance", real(0.0, 1.0);
        /// Counts the numbers of Adventurers in a conflict.
        pub numbers_matter: bool = true => "numbers_matter", switch();
        /// Destination of the reward for an arrest.
        pub arrest_to: ArrestTo = ArrestTo::Vault => "arrest_to", choice(ArrestTo::WORDS);
        /// Allows attacks on Adventurers in a city.
        pub city_attacks: bool = false => "city_attacks", switch();
        /// Allows attacks on targets without any wealth.
        pub attack_poor: bool = true => "attack_poor", switch();
        /// Earliest rest of an Adventurer at an Agent that it has placed.
        pub placed_agent_rest: PlacedAgentRest = PlacedAgentRest::LaterMove => "placed_agent_rest", choice(PlacedAgentRest::WORDS);
        /// First move of a hired Adventurer.
        pub hire_moves: HireMoves = HireMoves::Now => "hire_moves", choice(HireMoves::WORDS);
        /// Time at which discards go back into their pile.
        pub discards: Discards = Discards::UntilEmpty => "discards", choice(Discards::WORDS);
        /// Order of an Adventurer's actions: free, or by the original's script.
        pub act_order: ActOrder = ActOrder::Free => "act_order", choice(ActOrder::WORDS);
        /// Lead that wins: more than the margin (`strict`), or at least the margin (`inclusive`).
        pub margin_rule: MarginRule = MarginRule::Strict => "margin_rule", choice(MarginRule::WORDS);
        /// Allows purchases before the margin is checked.
        pub purchase_before_margin_check: BuyFirst = BuyFirst::No => "purchase_before_margin_check", choice(BuyFirst::WORDS);
        /// With `city_attacks=on`: order of attacks and purchases in a city.
        pub city_order: CityOrder = CityOrder::AttacksFirst => "city_order", choice(CityOrder::WORDS), before "purchases_first";
        /// Winner of a tie.
        pub tie: Tie = Tie::Shared => "tie", choice(Tie::WORDS);
        /// Lead in Vaults that wins.
        pub margin: u16 = 25 => "margin", int(1, 1000);
        /// Adventurers per player.
        pub adventurers: u8 = 3 => "adventurers", int(1, MAX_ADVENTURERS as i64);
        /// Adventurers per player at the beginning.
        pub start_adventurers: u8 = 1 => "start_adventurers", int(1, MAX_ADVENTURERS as i64);
        /// Agents per player.
        pub agents: u8 = 5 => "agents", int(0, MAX_AGENTS as i64);
        /// Wealth for discovering a water-backed wonder outside all domains.
        pub reward_water: u16 = 5 => "reward_water", int(0, 100);
        /// Wealth for discovering a land-backed wonder outside all domains.
        pub reward_land: u16 = 10 => "reward_land", int(0, 100);
        /// Wealth for discovering a city.
        pub reward_city: u16 = 0 => "reward_city", int(0, 100);
        /// Trades on arrival: automatic, or a decision.
        pub trading: Trading = Trading::Automatic => "trading", choice(Trading::WORDS);
        /// Counts the discovery of a wonder for wealth or a card as the Adventurer's trade there until it
        /// visits a city; if off, a later visit may trade.
        pub discovery_uses_trade: bool = true => "discovery_uses_trade", switch();
        /// Wealth for a trade.
        pub trade: u16 = 2 => "trade", int(0, 100);
        /// Wealth that an Agent earns when anybody trades on its tile.
        pub trade_bonus: u16 = 1 => "trade_bonus", int(0, 100);
        /// Wealth for each water edge that a placed tile meets, but for the entry.
        pub gap_water: u16 = 0 => "gap_water", int(0, 20);
        /// Wealth for each land edge that a placed tile meets, but for the entry.
        pub gap_land: u16 = 0 => "gap_land", int(0, 20);
        /// Wealth for a placed tile that meets tiles on all four sides.
        pub gap_closed: u16 = 0 => "gap_closed", int(0, 100);
        /// Wealth for the player who exhausts a pile, into the Vault.
        pub exhaustion_bonus: u16 = 0 => "exhaustion_bonus", int(0, 100);
        /// Price of an Adventurer, from the Vault.
        pub price_adventurer: u16 = 10 => "price_adventurer", int(1, 200);
        /// Price of an Agent placed while exploring, from the Chest.
        pub price_place: u16 = 3 => "price_place", int(0, 200);
        /// Price of an Agent hired at a city, from the Vault.
        pub price_hire: u16 = 5 => "price_hire", int(1, 200);
        /// Price of an Agent hired at a city for a tile where an own Adventurer stands, from the Vault.
        pub price_hire_near: u16 = 3 => "price_hire_near", int(1, 200);
        /// Price of a rest at another player's Agent, from Chest to Agent.
        pub price_rest: u16 = 1 => "price_rest", int(0, 200);
        /// Price of restoring a dispossessed Agent, from the Chest.
        pub price_restore: u16 = 1 => "price_restore", int(0, 200);
        /// Wealth for a successful attack on an Agent, in addition to the Agent's own.
        pub agent_loot: u16 = 1 => "agent_loot", int(0, 200);
        /// Reward for an arrest.
        pub arrest_reward: u16 = 5 => "arrest_reward", int(0, 200);
        /// Tiles tried in one exploration.
        pub tries: u8 = 5 => "tries", int(1, 100);
        /// Moves in a turn.
        pub moves: u8 = 4 => "moves", int(1, 20);
        /// Land moves in a turn.
        pub land_moves: u8 = 2 => "land_moves", int(0, 20);
        /// Upwind moves in a turn.
        pub upwind_moves: u8 = 1 => "upwind_moves", int(0, 20);
        /// Land moves in a turn with an empty Chest, if more than `land_moves`.
        pub unburdened_land_moves: u8 = 2 => "unburdened_land_moves", int(0, 20);
        /// Upwind moves in a turn with an empty Chest, if more than `upwind_moves`.
        pub unburdened_upwind_moves: u8 = 1 => "unburdened_upwind_moves", int(0, 20);
        /// Radius of a city's domain.
        pub domain: u8 = 4 => "domain", int(0, 40);
        /// Way of drawing a Named-Adventurer card.
        pub card_draw: CardDraw = CardDraw::Random => "card_draw", choice(CardDraw::WORDS);
        /// Maximal number of rounds.
        pub rounds: u16 = 1000 => "rounds", int(1, 60000);
    }
}

/// Bounds on an Adventurer's moves in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub moves: u8,
    pub land: u8,
    pub upwind: u8,
}

/// The tiles of one colour: kinds with their numbers, and the number of dealt tiles.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Deal {
    pub stock: Vec<Stock>,
    pub dealt: u16,
    /// The number of dealt tiles that the parameters request.
    pub wanted: u16,
}

impl Variant {
    /// Limits of moves with a loaded and with an empty Chest, without the effects of cards.
    pub(crate) fn limits(&self) -> [Limits; 2] {
        let Self { moves, land_moves: land, upwind_moves: upwind, .. } = *self;
        // An empty Chest never lowers a limit.
        let unburdened = (self.unburdened_land_moves.max(land), self.unburdened_upwind_moves.max(upwind));
        [(land, upwind), unburdened].map(|(land, upwind)| Limits { moves, land, upwind })
    }

    /// R13: the smallest lead that wins.
    pub(crate) fn winning_lead(&self) -> u32 {
        u32::from(self.margin) + u32::from(self.margin_rule == MarginRule::Strict)
    }

    /// Returns true if the Mythical City lies on the map from the start.
    pub fn has_second_city(&self, seats: usize) -> bool {
        self.mythical == Mythical::Fixed && seats >= usize::from(self.mythical_players)
    }

    /// R17: returns true if an Adventurer, pirate or not, may not enter known disasters.
    #[inline]
    pub(crate) fn bars_from_disasters(&self, is_pirate: bool) -> bool {
        !is_pirate && self.disaster_entry != DisasterEntry::Anyone
    }

    /// R5: the wealth for discovering a wonder outside all domains, by the tile's back.
    #[inline]
    pub(crate) fn reward(&self, back: Back) -> u16 {
        match back {
            Back::Water => self.reward_water,
            Back::Land => self.reward_land,
        }
    }

    pub fn conflict_probability(&self) -> f64 {
        match self.conflict {
            Conflict::Die => {
                let gust = 1.0 / f64::from(self.die_faces);
                2.0 * gust * (1.0 - gust)
            }
            Conflict::Flat => self.conflict_chance,
        }
    }

    /// Probability that courting a disaster succeeds; with the die, the two rolls must match.
    pub fn courting_probability(&self) -> f64 {
        match self.conflict {
            Conflict::Die => 1.0 - self.conflict_probability(),
            Conflict::Flat => self.conflict_chance,
        }
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        let (beginner, scripted) = (!self.inland, self.act_order == ActOrder::Scripted);
        let (mythical, gust) = (self.mythical != Mythical::None, self.gust != Gust::Off);
        let (start, adventurers) = (self.start_adventurers, self.adventurers);
        let too_many = format!("expected start_adventurers up to adventurers ({adventurers}), found {start}");
        let (file, given) = (self.catalogue == Catalogue::File, !self.tiles.is_empty());
        let clashes = [
            (beginner && mythical, "the Mythical City lies inland, but inland is off", "set mythical=none"),
            (beginner && gust, "the Beginner game has no gusts, but gust is attempt", "set gust=off"),
            (
                beginner && self.cards,
                "the cards need attacks and land, but inland is off",
                "set inland=on or cards=off",
            ),
            (
                scripted && self.cards,
                "the scripted order knows no cards, but cards is on",
                "set cards=off or act_order=free",
            ),
            (scripted && gust, "the scripted order knows no gusts, but gust is attempt", "set gust=off"),
            (
                scripted && self.hire_moves == HireMoves::Now,
                "in the scripted order Adventurers move by age, but hire_moves is now",
                "set hire_moves=next_round",
            ),
            (start > adventurers, &too_many, "raise adventurers"),
            (
                file && !given,
                "catalogue is file, but tiles is empty",
                "set tiles=@FILE with lines back,edges,plain,wonder,disaster",
            ),
            (given && !file, "tiles are given, but catalogue does not use them", "set catalogue=file"),
        ];
        match clashes.into_iter().find(|(clashes, ..)| *clashes) {
            Some((_, what, hint)) => Err(format!("{what}\nhint: {hint}")),
            None => Ok(()),
        }
    }

    pub(crate) fn deals(&self, seats: usize) -> Result<[Deal; 2], String> {
        let text = match self.catalogue {
            Catalogue::Guide => GUIDE_TILES,
            Catalogue::Csv => CSV_TILES,
            Catalogue::File => &self.tiles,
        };
        let mut stock = parse_catalogue(text)?;
        for (kind, count) in &mut stock {
            if kind.mark != Mark::Disaster {
                continue;
            }
            // R15. In Beginner, disasters stay in the box unless the file counts them among the plain tiles.
            if self.disaster_edges == DisasterEdges::AllLand {
                kind.edges = Edges::LAND;
            } else if kind.edges != (if kind.back == Back::Water { Edges::WATER } else { Edges::LAND }) {
                return Err(format!(
                    "a {} Disaster tile has the edges of its back on all sides, found {}\nhint: set disaster_edges=all_land",
                    kind.back, kind.edges
                ));
            }
            if !self.inland {
                *count = 0;
            }
        }
        if !self.inland && self.catalogue != Catalogue::Guide {
            // The file's counts include disasters, which are ordinary tiles in Beginner.
            let missing: Vec<Stock> =
                parse_catalogue(text)?.into_iter().filter(|(kind, _)| kind.mark == Mark::Disaster).collect();
            for (disaster, count) in missing {
                let plain = Kind { mark: Mark::Plain, ..disaster };
                match stock.iter_mut().find(|(kind, _)| *kind == plain) {
                    Some((_, there)) => {
                        *there =
                            there.checked_add(count).ok_or_else(|| too_many_alike(plain, *there, count))?;
                    }
                    None => stock.push((plain, count)),
                }
            }
        }
        let wonders: u32 = stock
            .iter()
            .filter(|(kind, _)| kind.mark == Mark::Wonder)
            .map(|(_, count)| u32::from(*count))
            .sum();
        if wonders > 64 {
            return Err(format!("expected up to 64 wonders, found {wonders}"));
        }
        let deal = |back: Back, wanted: u16| -> Result<Deal, String> {
            let stock: Vec<Stock> =
                stock.iter().copied().filter(|(kind, count)| kind.back == back && *count > 0).collect();
            let there: u16 = stock.iter().map(|(_, count)| u16::from(*count)).sum();
            if there == 0 {
                return Err(format!(
                    "expected {back}-backed tiles, found none in the catalogue\nhint: add lines that begin with {back}"
                ));
            }
            match self.supply {
                // R2: the deal is capped at the tiles of the catalogue.
                Supply::PerPlayerCapped => {
                    let wanted = wanted * seats as u16;
                    Ok(Deal { stock, dealt: there.min(wanted), wanted })
                }
                Supply::Fixed if wanted > there => Err(format!(
                    "expected {wanted} {back}-backed tiles, but the catalogue has {there}\nhint: set {back}_tiles={there}"
                )),
                Supply::Fixed => Ok(Deal { stock, dealt: wanted, wanted }),
            }
        };
        let water = deal(Back::Water, self.water_tiles)?;
        let mut land = match self.inland {
            true => deal(Back::Land, self.land_tiles)?,
            false => Deal { stock: Vec::new(), dealt: 0, wanted: 0 },
        };
        if self.mythical == Mythical::InLandPile {
            land.stock.push((Kind { back: Back::Land, edges: Edges::LAND, mark: Mark::City }, 1));
        }
        let total = usize::from(water.dealt) + usize::from(land.dealt);
        if total > MAX_DEALT {
            return Err(format!(
                "expected up to {MAX_DEALT} tiles in all, found {} water-backed and {} land-backed to be dealt to {seats} players\nhint: lower water_tiles or land_tiles",
                water.dealt, land.dealt
            ));
        }
        Ok([water, land])
    }
}

/// The error for too many tiles of one kind. In Beginner, a file's disasters count as plain tiles.
fn too_many_alike(plain: Kind, there: u8, disasters: u8) -> String {
    let sum = u32::from(there) + u32::from(disasters);
    format!(
        "expected up to {} plain tiles {plain}, found {sum}: {there} and {disasters} with a disaster, which are plain where inland is off\nhint: lower either number in the parameter tiles",
        u8::MAX
    )
}
