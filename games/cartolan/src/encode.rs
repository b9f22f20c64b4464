//! The encoding of a seat's observation as numbers, for learners.

use meeple_core::{Encode, FieldSink, Meaning, Seat, bent};

use crate::cards::EFFECTS;
use crate::game::Cartolan;
use crate::map::{Cell, CellId, Ground, NO_AGENT, NO_CELL};
use crate::observe::Observation;
use crate::outlook::{Ahead, Outlook};
use crate::rules::options;
use crate::state::{Adventurer, Player, Step};
use crate::tiles::{Back, Dir};

const ROUND: Meaning = Meaning::share("round", "bent at 30", "Rounds that are over.");
const STEP: Meaning = Meaning::flag(
    "step",
    "The pending step: chance, the choice of a named card, the next Adventurer, a move, a carried tile or \
     the pile, a reward, an act, an Agent to relocate, wealth to send, banking, buying, equipping, a \
     carried tile to put away, nothing.",
);
const TURN: Meaning = Meaning::flag("turn", "The seat on turn, from the own seat on.");
const VAULTS: Meaning =
    Meaning::share("vaults", "bent at the margin", "Wealth in the Vaults, from the own seat on.");
const LEAD: Meaning =
    Meaning::signed("lead", "bent at the margin", "Own Vault minus the fullest of the others.");
const LEAD_CHESTS: Meaning =
    Meaning::signed("lead_chests", "bent at the margin", "The same with all Chests counted.");
const CHESTS: Meaning =
    Meaning::share("chests", "bent at the margin", "Wealth in the Chests, from the own seat on.");
const CREWS: Meaning =
    Meaning::share("crews", "all Adventurers", "Adventurers in play, from the own seat on.");
const PIRATES: Meaning = Meaning::share("pirates", "all Adventurers", "Of these, pirates.");
const AGENTS: Meaning = Meaning::share("agents", "all Agents", "Agents on the map, from the own seat on.");
const AGENTS_WEALTH: Meaning =
    Meaning::share("agents_wealth", "bent at the margin", "Wealth of Agents, from the own seat on.");
const DISPOSSESSED: Meaning =
    Meaning::share("dispossessed", "all Agents", "Dispossessed Agents, from the own seat on.");
const PILES: Meaning =
    Meaning::share("piles", "tiles dealt", "Tiles in the water-backed, the land-backed pile; at most 1.");
const DISCARDS: Meaning = Meaning::share("discards", "tiles dealt", "Discards of the two; at most 1.");
const FAILED: Meaning = Meaning::share("failed", "bent at 10", "Explorations without success so far.");
const MAP: Meaning = Meaning::share("map", "bent at 10", "Wonders, disasters on the map.");
const LAID: Meaning = Meaning::share("laid", "bent at 30", "Tiles on the map.");
const HERO: Meaning = Meaning::flag(
    "hero",
    "Of the acting Adventurer: own, pirate, its turn ends after this move, its free rest is used.",
);
const HERO_CHEST: Meaning = Meaning::share("hero_chest", "bent at the margin", "Its Chest.");
const HERO_PLACE: Meaning =
    Meaning::signed("hero_place", "bent at 8 tiles", "Its place east and north of the Capital.");
const HERO_HOME: Meaning =
    Meaning::share("hero_home", "in a city", "1 / (1 + columns and rows to the nearest city).");
const HERO_MOVES: Meaning =
    Meaning::share("hero_moves", "its limit", "Moves made: all, over land, upwind; at most 1.");
const GROUND: Meaning =
    Meaning::flag("ground", "Its tile: empty, plain, a wonder, a disaster, a city; in a city's domain.");
const WONDER_USED: Meaning = Meaning::flag("wonder_used", "1 if it has used this wonder already.");
const AGENT_HERE: Meaning =
    Meaning::flag("agent_here", "Of the Agent on its tile: own, another's, dispossessed.");
const AGENT_WEALTH_HERE: Meaning =
    Meaning::share("agent_wealth_here", "bent at the margin", "Wealth of that Agent.");
const SHIPS_HERE: Meaning = Meaning::share("ships_here", "bent at 2", "Adventurers on its tile.");
const WAYS: Meaning = Meaning::flag(
    "ways",
    "If it moves next, for north, east, south, west: whether it may go, whether it may roll for a gust, whether the map is empty \
     there.",
);
const AHEAD: Meaning = Meaning::flag(
    "ahead",
    "The tile to the north, east, south, west: a wonder, a disaster, a city, an own Agent, another's \
     Agent, for each.",
);
const OFFERED: Meaning = Meaning::flag(
    "offered",
    "If it acts: trade, collect, rest, attack the Agent, restore, attack an Adventurer, court, place, send.",
);
const CREW: Meaning = Meaning::signed(
    "crew",
    "1, or bent at the margin or 8 tiles",
    "Of each own Adventurer: in play, Chest, places east and north of the Capital, pirate; then of the fullest Chest of each \
     other seat.",
);
const HANDS: Meaning =
    Meaning::share("hands", "bent at 3", "Technologies in the hands, from the own seat on.");
const HAND: Meaning = Meaning::share("hand", "bent at 1", "By effect: Technologies in the own hand.");
const CARDS: Meaning =
    Meaning::flag("cards", "By effect: the acting Adventurer's named card, then its Technology.");

const PURSE: Meaning = Meaning::signed(
    "purse",
    "10 wealth",
    "Not bent: wealth in the own Chests; the own Vault minus the fullest of the others; the same including all Chests; at most 10.",
)
.times(10.0);
const ERRANDS: Meaning = Meaning::signed(
    "errands",
    "4 wealth",
    "Value in wealth of five plans of the own Adventurer that acts: to go home, the best visit to a wonder or an own Agent, the \
     best exploration, the best robbery or arrest, and the best of all (or going home if it is time). A move on the way home costs \
     0.28, any other 0.19, including moves spent in this turn. If it is about to explore, only that counts. At most 8.",
)
.times(8.0);
const ERRANDS_OF_ALL: Meaning = Meaning::signed(
    "errands_of_all",
    "4 wealth",
    "The same, summed over all own Adventurers: going home, the best other plan, the best of all (or going home if it is time); at \
     most 8.",
)
.times(8.0);
const DUE: Meaning = Meaning::share(
    "due",
    "all Adventurers",
    "Own Adventurers that should go home, because that wins or because tiles run out; whether the acting one should.",
);

/// Distance in tiles that is encoded as one half.
const TILES: f32 = 8.0;

impl Encode for Cartolan {
    const VERSION: u32 = 2;

    fn encode(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        self.encode_table(seen, seat, sink);
        self.encode_hero(seen, seat, sink);
        self.encode_tile(seen, seat, sink);
        self.encode_crews(seen, seat, sink);
        self.encode_errands(seen, seat, sink);
        if self.variant.cards {
            self.encode_cards(seen, seat, sink);
        }
    }
}

impl Cartolan {
    /// Encodes wealth; the lead that wins becomes one half.
    fn wealth(&self, amount: f32) -> f32 {
        bent(amount, f32::from(self.variant.margin))
    }

    fn encode_table(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        sink.one(ROUND, bent(f32::from(seen.round().saturating_sub(1)), 30.0));
        let step = match seen.step() {
            Step::Start
            | Step::Person(..)
            | Step::Chart(..)
            | Step::Gust(_)
            | Step::Explore(..)
            | Step::Discover
            | Step::Conflict(..) => 0,
            Step::ChoosePerson(..) => 1,
            Step::Pick => 2,
            Step::Move => 3,
            Step::TryChart(_) => 4,
            Step::Reward => 5,
            Step::Act => 6,
            Step::Relocate(..) => 7,
            Step::Send(_) => 8,
            Step::Bank => 9,
            Step::Buy => 10,
            Step::Equip => 11,
            Step::Drop => 12,
            Step::Over(_) => 13,
        };
        sink.one_of(STEP, 14, Some(step));
        let around = || seat.around(self.seats).map(Seat::index);
        let players = || around().map(|seat| &seen.players()[seat]);
        sink.flags(TURN, around().map(|seat| seat == usize::from(seen.turn().seat)));
        sink.field(VAULTS, players().map(|player| self.wealth(player.vault as f32)));
        let [vaults, all] = leads(seen, seat);
        sink.one(LEAD, self.wealth(vaults));
        sink.one(LEAD_CHESTS, self.wealth(all));
        sink.field(CHESTS, players().map(|player| self.wealth(player.chests() as f32)));
        let crew = |count: usize| count as f32 / f32::from(self.variant.adventurers);
        sink.field(CREWS, players().map(|player| crew(player.adventurers.into())));
        let pirates = |player: &Player| player.crew().filter(|(adventurer, _)| adventurer.pirate).count();
        sink.field(PIRATES, players().map(|player| crew(pirates(player))));
        let agents = |count: usize| count as f32 / f32::from(self.variant.agents.max(1));
        sink.field(AGENTS, players().map(|player| agents(player.placed_agents().len())));
        let placed = |player: &'_ Player| -> (u32, usize) {
            (
                player.agents_on_map().map(|(_, agent)| u32::from(agent.wealth)).sum(),
                player.agents_on_map().filter(|(_, agent)| agent.dispossessed).count(),
            )
        };
        sink.field(AGENTS_WEALTH, players().map(|player| self.wealth(placed(player).0 as f32)));
        sink.field(DISPOSSESSED, players().map(|player| agents(placed(player).1)));
        let dealt = |back: Back| f32::from(self.supplies[back as usize].1.max(1));
        let part = |count: u16, back: Back| (f32::from(count) / dealt(back)).min(1.0);
        sink.field(PILES, [Back::Water, Back::Land].map(|back| part(seen.pile(back).left(), back)));
        sink.field(DISCARDS, [Back::Water, Back::Land].map(|back| part(seen.pile(back).discards_sum, back)));
        sink.one(FAILED, bent(seen.failed() as f32, 10.0));
        let map = seen.map();
        sink.field(MAP, [map.wonders(), map.disasters()].map(|count| bent(f32::from(count), 10.0)));
        sink.one(LAID, bent(map.placed() as f32, 30.0));
    }

    fn encode_hero(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let (hero, turn, limits) = (seen.hero(), seen.turn(), seen.limits());
        let own = usize::from(turn.seat) == seat.index();
        sink.flags(HERO, [own, hero.pirate, turn.over, turn.free_rest_used]);
        sink.one(HERO_CHEST, self.wealth(hero.chest.into()));
        let here = cell(seen, seen.here());
        sink.field(HERO_PLACE, here.map_or([0.0; 2], place));
        let home = here.map_or(0.0, |here| {
            let cities = seen.map().cells().iter().filter(|cell| cell.ground == Ground::City);
            cities.map(|city| here.distance(city)).min().map_or(0.0, |distance| 1.0 / (1.0 + distance as f32))
        });
        sink.one(HERO_HOME, home);
        let made = [(turn.total(), limits.moves), (turn.land, limits.land), (turn.upwind, limits.upwind)];
        sink.field(HERO_MOVES, made.map(|(made, most)| (f32::from(made) / f32::from(most.max(1))).min(1.0)));
    }

    fn encode_tile(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let here = cell(seen, seen.here());
        let is = |ground: &Ground| here.is_some_and(|here| here.ground == *ground);
        let in_domain = here.is_some_and(|here| here.in_domain);
        sink.flags(GROUND, Ground::ALL.iter().map(is).chain([in_domain]));
        let used = here.is_some_and(|here| here.ground == Ground::Wonder && seen.hero().has_used(here));
        sink.flags(WONDER_USED, [used]);
        let agent = here.map(|here| here.agent).filter(|agent| *agent != NO_AGENT);
        let placed =
            agent.map(|agent| seen.players()[usize::from(agent.seat())].agent_numbered(agent.number()));
        let agent_at = |cell: Option<&Cell>| {
            let own = cell.is_some_and(|cell| cell.agent_of(seat.index()).is_some());
            [own, cell.is_some_and(|cell| cell.agent != NO_AGENT) && !own]
        };
        let [own, others] = agent_at(here);
        sink.flags(AGENT_HERE, [own, others, placed.is_some_and(|agent| agent.dispossessed)]);
        sink.one(AGENT_WEALTH_HERE, placed.map_or(0.0, |agent| self.wealth(agent.wealth.into())));
        sink.one(SHIPS_HERE, here.map_or(0.0, |here| bent(f32::from(here.ships), 2.0)));
        let moves = seen.step() == Step::Move;
        let (go, roll) = if moves { seen.ways() } else { (0, 0) };
        let open = if moves { here.map_or(0, |here| here.open) } else { 0 };
        let sides = |mask: u8| Dir::ALL.iter().map(move |dir| mask & dir.bit() != 0);
        sink.flags(WAYS, sides(go).chain(sides(roll)).chain(sides(open)));
        let ahead = |dir: &Dir| {
            let there = here.and_then(|here| cell(seen, here.neighbours[dir.index()]));
            let is = |ground: Ground| there.is_some_and(|there| there.ground == ground);
            let [own, others] = agent_at(there);
            [is(Ground::Wonder), is(Ground::Disaster), is(Ground::City), own, others]
        };
        sink.flags(AHEAD, Dir::ALL.iter().flat_map(ahead));
        let offered = if seen.step() == Step::Act { seen.offered() } else { 0 };
        let one = |option: u8| offered >> option & 1 == 1;
        let attacks = options::ATTACK..options::COURT;
        sink.flags(
            OFFERED,
            [
                one(options::TRADE),
                one(options::COLLECT),
                one(options::REST),
                one(options::ATTACK_AGENT),
                one(options::RESTORE),
                attacks.into_iter().any(one),
                one(options::COURT),
                one(options::PLACE),
                offered >> options::COURIER != 0,
            ],
        );
    }

    fn encode_crews(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let encoded = |member: Option<(&Adventurer, CellId)>| {
            let Some((adventurer, at)) = member else { return [0.0; 5] };
            let [east, north] = cell(seen, at).map_or([0.0; 2], place);
            let pirate = f32::from(u8::from(adventurer.pirate));
            [1.0, self.wealth(adventurer.chest.into()), east, north, pirate]
        };
        let own = &seen.players()[seat.index()];
        let own = (0..usize::from(self.variant.adventurers)).map(|number| own.crew().nth(number));
        let fullest = |seat: Seat| {
            let crew = seen.players()[seat.index()].crew();
            // Among equally full Chests the first is chosen.
            crew.reduce(|best, other| if other.0.chest > best.0.chest { other } else { best })
        };
        let others = seat.around(self.seats).skip(1).map(fullest);
        sink.field(CREW, own.chain(others).flat_map(encoded));
    }

    fn encode_errands(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let own = &seen.players()[seat.index()];
        let straight = |wealth: f32, unit: f32, most: f32| (wealth / unit).clamp(-most, most);
        let [vaults, all] = leads(seen, seat);
        let purse = [own.chests() as f32, vaults, all];
        sink.field(PURSE, purse.map(|wealth| straight(wealth, 10.0, 10.0)));
        let (mut acting, mut sum, mut due) = ([0.0; 5], [0.0; 3], [0.0; 2]);
        // After the end there is no outlook.
        if !matches!(seen.step(), Step::Over(_)) {
            let mut outlook = Outlook::new(seen, seat.index());
            for number in 0..usize::from(own.adventurers) {
                let Ahead { home, visit, explore, meet, best, is_due } = outlook.of(number);
                let is_due = f32::from(u8::from(is_due));
                let errand = visit.max(explore).max(meet);
                sum.iter_mut().zip([home, errand, best]).for_each(|(sum, gain)| *sum += gain);
                due[0] += is_due / f32::from(self.variant.adventurers.max(1));
                let turn = seen.turn();
                if usize::from(turn.seat) == seat.index() && usize::from(turn.adventurer) == number {
                    acting = [home, visit, explore, meet, best];
                    due[1] = is_due;
                }
            }
        }
        sink.field(ERRANDS, acting.map(|gain| straight(gain, 4.0, 8.0)));
        sink.field(ERRANDS_OF_ALL, sum.map(|gain| straight(gain, 4.0, 8.0)));
        sink.field(DUE, due.map(|share| share.min(1.0)));
    }

    fn encode_cards(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let sizes = seat.around(self.seats).map(|seat| bent(seen.hand_size(seat.index()) as f32, 3.0));
        sink.field(HANDS, sizes);
        let hand = seen.hand(seat.index());
        let held = |effect: usize| hand.map_or(0.0, |hand| bent(f32::from(hand[effect]), 1.0));
        sink.field(HAND, (0..EFFECTS).map(held));
        let hero = seen.hero();
        let cards = [hero.person, hero.gear].into_iter();
        let flags = cards
            .flat_map(|card| (0..EFFECTS).map(move |effect| card.is_some_and(|card| card.index() == effect)));
        sink.flags(CARDS, flags);
    }
}

/// The own wealth minus the greatest of the other seats: by Vaults, and by Vaults plus Chests.
fn leads(seen: &Observation<'_>, seat: Seat) -> [f32; 2] {
    let wealth: [fn(&Player) -> u32; 2] = [|player| player.vault, |player| player.vault + player.chests()];
    wealth.map(|of| {
        let best = seen.others(seat.index()).map(of).max().unwrap_or(0);
        of(&seen.players()[seat.index()]) as f32 - best as f32
    })
}

fn cell<'a>(seen: &Observation<'a>, id: CellId) -> Option<&'a Cell> {
    (id != NO_CELL).then(|| seen.map().cell(id))
}

/// Position relative to the Capital, in tiles east and north, encoded by [`bent`].
fn place(cell: &Cell) -> [f32; 2] {
    [cell.x, cell.y].map(|tiles| bent(f32::from(tiles), TILES))
}
