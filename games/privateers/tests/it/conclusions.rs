//! Sampled worlds agree with everything that a viewer has heard. A listener hears the events of one
//! viewer, without the game's bookkeeping, and notes its conclusions on every ship. Each world
//! sampled for that viewer must agree with them.

use meeple_core::{ChanceStreams, EpisodeSeed, EventLog, Game, Phase, Seat, Stream, Viewer};
use meeple_privateers::{
    Action, Build, Cell, Class, Event, Privateers, Product, ShipSetup, Stage, State, Wind,
};

use crate::bench::{Bench, cell, episode, game, open_sea, seat};

/// Conclusions on one ship since it was last in a port on its turn.
#[derive(Clone, Debug, Default)]
struct Facts {
    money: i64,
    goods: [u16; 6],
    cannons: u16,
    /// True if nothing else is on board.
    exact: bool,
    mounted: Option<u16>,
    /// True if the ship took loot, so that room may have been made.
    took: bool,
    /// True if room may have been made before the ship took more loot.
    trimmed: bool,
}

impl Facts {
    /// Units that the goods and cannons would take.
    fn load(&self, build: &Build) -> u16 {
        self.goods.iter().sum::<u16>() + self.cannons.saturating_sub(build.mounts)
    }

    /// True if some of the contents may have gone overboard, which nobody hears.
    fn may_be_trimmed(&self, build: &Build) -> bool {
        self.trimmed || self.took && (!self.exact || self.load(build) > build.hold)
    }

    /// Removes uncertain contents before something else comes on board.
    fn settle(&mut self, build: &Build) {
        if self.may_be_trimmed(build) {
            self.exact = false;
            self.trimmed = true;
            self.cannons = self.cannons.min(build.mounts);
        }
    }
}

#[derive(Default, Debug)]
struct Coverage {
    money: u64,
    goods: u64,
    cannons: u64,
    exact: u64,
    mounted: u64,
    trimmed: u64,
    /// Worlds counted in `trimmed` in which some loot is missing.
    missing: u64,
    points: u64,
}

struct Listener<'a> {
    game: &'a Privateers,
    viewer: Viewer,
    heard: usize,
    at: Vec<Cell>,
    class: Vec<Class>,
    facts: Vec<Facts>,
    fighters: [Seat; 2],
    lost: [u16; 2],
    points: Option<[u16; 2]>,
}

impl<'a> Listener<'a> {
    fn new(game: &'a Privateers, viewer: Viewer) -> Self {
        Self {
            game,
            viewer,
            heard: 0,
            at: vec![cell(0, 0); game.seats()],
            class: vec![Class::Schooner; game.seats()],
            facts: vec![Facts::default(); game.seats()],
            fighters: [seat(0), seat(1)],
            lost: [0; 2],
            points: None,
        }
    }

    fn listen(&mut self, log: &EventLog<Event>, state: &State) {
        for (audience, event) in &log.entries()[self.heard..] {
            if audience.includes(self.viewer) {
                self.hear(event);
            }
        }
        self.heard = log.entries().len();
        let public = self.game.observe(state, Viewer::Public);
        if public.stage() == Stage::Act {
            self.comes_to_trade(public.current());
        }
    }

    fn comes_to_trade(&mut self, seat: Seat) {
        if self.game.map().port_at(self.at[seat.index()]).is_some() {
            self.facts[seat.index()] = Facts::default();
        }
    }

    fn hear(&mut self, event: &Event) {
        let map = self.game.map();
        match *event {
            Event::Fitted { seat, port } => {
                let port = (0..map.ports()).find(|index| map.label(*index) == port).unwrap();
                self.at[seat.index()] = map.port_cell(port);
                self.class[seat.index()] = Class::Schooner;
                self.facts[seat.index()] = Facts {
                    money: i64::from(self.game.variant().start_money),
                    cannons: self.game.variant().start_cannons,
                    exact: true,
                    ..Facts::default()
                };
            }
            Event::Wind { seat, .. } => self.comes_to_trade(seat),
            Event::Moved { seat, heading } => {
                self.at[seat.index()] = map.next(self.at[seat.index()], heading).unwrap();
                self.comes_to_trade(seat);
            }
            Event::ClosedUp { seat, heading } => {
                self.at[seat.index()] = map.next(self.at[seat.index()], heading).unwrap();
            }
            Event::Upgraded { seat, class } => self.class[seat.index()] = class,
            Event::Attacked { seat, defender, .. } => {
                (self.fighters, self.lost, self.points) = ([seat, defender], [0; 2], None);
            }
            Event::FightPoints { points, .. } => self.points = Some(points.map(u16::from)),
            Event::Rolled { lost, .. } => {
                for (sum, lost) in self.lost.iter_mut().zip(lost) {
                    *sum += u16::from(lost);
                }
            }
            Event::Sunk { seat, winner } => self.hear_of_sinking(seat, winner),
            Event::Looted { seat, loser, money, units } if self.viewer == Viewer::Seat(loser) => {
                let mounts = self.game.build(self.class[seat.index()]).mounts;
                let facts = &mut self.facts[seat.index()];
                facts.money += money;
                for (have, took) in facts.goods.iter_mut().zip(units) {
                    *have += took;
                }
                facts.cannons += units[Product::Cannon.index()];
                facts.mounted = facts.mounted.map(|mounted| (mounted + units[6]).min(mounts));
            }
            _ => {}
        }
    }

    fn hear_of_sinking(&mut self, loser: Seat, winner: Seat) {
        let side = usize::from(self.fighters[1] == winner);
        let build = self.game.build(self.class[winner.index()]);
        let mounts = build.mounts;
        let mut prey = self.facts[loser.index()].clone();
        prey.settle(self.game.build(self.class[loser.index()]));
        if prey.trimmed {
            prey.goods = [0; 6];
        }
        let facts = &mut self.facts[winner.index()];
        facts.settle(build);
        facts.cannons = facts.cannons.max(self.lost[side]);
        facts.mounted = None;
        if let Some(points) = self.points {
            facts.cannons = facts.cannons.max(points[side]);
            facts.mounted = Some(points[side]);
        }
        if facts.exact && facts.cannons.min(mounts) == 0 {
            return;
        }
        facts.took = true;
        facts.exact &= prey.exact || self.viewer == Viewer::Seat(loser);
        // The loser knows its own loss.
        if facts.cannons.min(mounts) > 0 && self.viewer != Viewer::Seat(loser) {
            facts.money += prey.money;
            for (have, took) in facts.goods.iter_mut().zip(prey.goods) {
                *have += took;
            }
            facts.cannons += prey.cannons;
        } else if self.viewer != Viewer::Seat(loser) {
            facts.exact = false;
        }
    }

    fn check(&self, drawn: &State, coverage: &mut Coverage) {
        let view = self.game.observe(drawn, Viewer::Everything);
        for seat in view.living().filter(|seat| !self.viewer.sees(*seat)) {
            let facts = &self.facts[seat.index()];
            let cargo = view.cargo(seat).unwrap();
            let say = || format!("{:?}, seat {seat}: {cargo:?} against {facts:?}", self.viewer);
            assert!(cargo.money >= facts.money, "{}", say());
            let build = self.game.build(view.class(seat));
            let (mounted, room) = (view.mounted(seat), build.hold);
            let makes_room = view.stage() == Stage::Loot && self.game.phase(drawn).owes(seat);
            let load = view.load(seat).unwrap();
            let goods = || cargo.units.iter().zip(facts.goods);
            let missing = cargo.units[6] < facts.cannons || goods().any(|(have, least)| *have < least);
            let may_be_trimmed = facts.may_be_trimmed(build);
            assert!(!missing || may_be_trimmed && load >= room, "{}", say());
            assert!(cargo.units[6] >= facts.cannons.min(build.mounts), "{}", say());
            if facts.exact {
                assert_eq!(cargo.money, facts.money, "{}", say());
                assert!(cargo.units[6] <= facts.cannons, "{}", say());
                assert!(goods().all(|(have, most)| *have <= most), "{}", say());
                assert!(missing == (facts.load(build) > room) || makes_room, "{}", say());
            }
            assert!(facts.mounted.is_none() || facts.mounted == mounted, "{}", say());
            assert!(load <= room || makes_room, "{}", say());
            if view.stage() == Stage::Roll
                && let Some(side) = self.fighters.iter().position(|fighter| *fighter == seat)
            {
                let start = mounted.unwrap();
                assert!(start >= self.lost[side], "{}", say());
                assert!(self.points.is_none_or(|points| points[side] == start), "{}", say());
                assert_eq!(u16::from(view.fight().unwrap().points.unwrap()[side]), start - self.lost[side]);
                coverage.points += 1;
            }
            coverage.money += u64::from(facts.money > 0 && !facts.exact);
            coverage.goods += u64::from(facts.goods.iter().sum::<u16>() > 0);
            coverage.cannons += u64::from(facts.cannons > 0 && !facts.exact);
            coverage.exact += u64::from(facts.exact);
            coverage.mounted += u64::from(facts.mounted.is_some());
            coverage.trimmed += u64::from(may_be_trimmed);
            coverage.missing += u64::from(missing);
        }
    }
}

/// Plays a random game whose ships carry goods and seek fights, and checks worlds drawn for every viewer.
fn check(game: &Privateers, index: u64, coverage: &mut Coverage) {
    let viewers = Seat::all(game.seats()).map(Viewer::Seat).chain([Viewer::Public]);
    let mut listeners: Vec<Listener<'_>> = viewers.map(|viewer| Listener::new(game, viewer)).collect();
    let listen = |state: &State, log: &EventLog<Event>, rng: &mut Stream| {
        if let Some(fault) = game.find_fault(state) {
            panic!("the true state: {fault}");
        }
        for listener in &mut listeners {
            listener.listen(log, state);
            listener.check(state, &mut Coverage::default());
            for _ in 0..2 {
                let mut drawn = game.initial_state();
                let draw = &mut Stream::from_seed(u64::from(rng.below(u32::MAX)));
                game.determinize(&game.observe(state, listener.viewer), draw, &mut drawn);
                listener.check(&drawn, coverage);
                if let Some(fault) = game.find_fault(&drawn) {
                    panic!("{:?}: {fault}", listener.viewer);
                }
            }
        }
    };
    episode(game, EpisodeSeed::new(41, index), listen, |legal, rng| {
        let legal: Vec<Action> =
            legal.iter().copied().filter(|action| !matches!(action, Action::Retire)).collect();
        let buys = legal.iter().rposition(|action| matches!(action, Action::Buy(_)));
        match (legal.last(), buys) {
            (Some(attack @ Action::Attack(_)), _) if rng.chance(0.8) => *attack,
            (_, Some(buys)) if rng.chance(0.5) => legal[rng.index(buys + 1)],
            _ => legal[rng.index(legal.len())],
        }
    });
}

#[test]
fn drawn_worlds_agree_with_all_that_was_heard() {
    let sets: [&[(&str, &str)]; 7] = [
        &[],
        &[("mode", "survival"), ("start_cannons", "4")],
        &[("start_cannons", "6"), ("start_money", "700"), ("ranges", "1,2,3")],
        &[("closing", "physical"), ("ranges", "2,2,2"), ("start_money", "3000")],
        &[("start_cannons", "0"), ("ranges", "2,3,4"), ("start_money", "200")],
        &[("holds", "2,3,6"), ("mounts", "1,2,3"), ("ranges", "3,3,3"), ("start_money", "900")],
        &[("mounts", "0,1,2"), ("ranges", "3,3,3"), ("prices", PRICES), ("closing", "physical")],
    ];
    let mut coverage = Coverage::default();
    for set in sets {
        let game = game(4, &[&[("map", "pocket"), ("max_rounds", "12")], set].concat());
        (0..8).for_each(|index| check(&game, index, &mut coverage));
    }
    let Coverage { money, goods, cannons, exact, mounted, trimmed, missing, points } = coverage;
    assert!(exact > 5_000 && money > 2_000 && cannons > 2_000, "{coverage:?}");
    assert!(goods > 200 && mounted > 500 && points > 500, "{coverage:?}");
    assert!(trimmed > 2_000 && missing > 100, "{coverage:?}");
}

const PRICES: &str = "A: 5 2 3 4 5 6 7\nB: 8 9 10 11 12 13 14\nC: 1 1 1 1 1 1 1\nD: 2 2 2 2 2 2 2\n";

/// A hundred samples of seat 1's hold after the fight, as `viewer` sees it.
fn supposed(bench: &Bench, viewer: Viewer) -> Vec<(i64, [u16; 7])> {
    let draw = |draw| {
        let mut drawn = bench.game.initial_state();
        let obs = bench.game.observe(&bench.state, viewer);
        bench.game.determinize(&obs, &mut Stream::from_seed(draw), &mut drawn);
        let cargo = bench.game.observe(&drawn, Viewer::Everything).cargo(seat(1)).unwrap();
        (cargo.money, cargo.units)
    };
    (0..100).map(draw).collect()
}

/// Seat 0 attacks seat 1 at sea and is sunk; seat 2 looks on.
fn lost_fight(goods: [u16; 6]) -> Bench {
    let ships = vec![
        ShipSetup::at(cell(1, 1)).cannons(1).money(333).goods(goods),
        ShipSetup::at(cell(1, 1)).cannons(2).money(1000),
        ShipSetup::at(cell(9, 9)),
    ];
    let mut bench = Bench::new(&[("map", &open_sea())], ships);
    bench.wind(Wind::Fickle, 6).act(Action::Attack(seat(1))).roll(2, 1).roll(1, 6);
    bench
}

#[test]
fn a_loser_remembers_what_he_lost() {
    let mut bench = lost_fight([0, 0, 0, 0, 0, 2]);
    for after in [false, true] {
        for (money, units) in supposed(&bench, Viewer::Seat(seat(0))) {
            assert!(money >= 333 && units[5] >= 2 && units[6] == 3, "{money} {units:?}");
        }
        // A spectator has seen the winner lose a point, so the winner had at least one cannon.
        let seen = supposed(&bench, Viewer::Seat(seat(2)));
        assert!(seen.iter().all(|(_, units)| units[6] >= 1), "{seen:?}");
        assert!(seen.iter().any(|(money, _)| *money < 333), "{seen:?}");
        if !after {
            bench.act(Action::Respawn);
        }
    }
}

#[test]
fn a_loser_supposes_that_he_is_robbed_of_all_or_that_the_hold_is_full() {
    let mut bench = lost_fight([1, 0, 0, 0, 0, 4]);
    assert_eq!(bench.stage(), Stage::Loot);
    // Without a question about a fresh ship, the loser knows that the winner makes room.
    for (_, units) in supposed(&bench, Viewer::Seat(seat(0))) {
        assert!(units[..6].iter().sum::<u16>() > 4 && units[6] == 3, "{units:?}");
    }
    bench.act(Action::Discard(Product::Lumber));
    let worlds = supposed(&bench, Viewer::Seat(seat(0)));
    // Five units of goods do not fit a schooner: one is gone in every world.
    for (_, units) in &worlds {
        assert_eq!(units[..6].iter().sum::<u16>(), 4, "{units:?}");
        assert!(units[0] <= 1 && units[5] >= 3, "{units:?}");
    }
    assert!(worlds.iter().any(|(_, units)| units[0] == 1), "which one is not his to know");
    // With four units there may be room for all of them or for none.
    let mut bench = lost_fight([0, 0, 0, 0, 0, 4]);
    if bench.stage() == Stage::Respawn {
        bench.act(Action::Respawn);
    }
    assert!(supposed(&bench, Viewer::Seat(seat(0))).iter().all(|(_, units)| units[5] == 4));
}

#[test]
fn what_a_fresh_ship_took_is_known_to_the_last_unit() {
    // All ships have just been fitted out; seat 1 wins without having had a turn.
    let game = game(2, &[("map", "pocket"), ("ranges", "6,6,6")]);
    for index in 0..200 {
        let mut streams = ChanceStreams::new(EpisodeSeed::new(2, index));
        let (mut state, mut log) = (game.initial_state(), EventLog::new());
        while game.phase(&state) == Phase::Chance {
            let chance = game.sample_chance(&state, &mut streams);
            game.apply_chance(&mut state, &chance, &mut log);
        }
        let first = game.observe(&state, Viewer::Public).current();
        let second = seat(1 - first.index());
        if game.apply(&mut state, first, &Action::Attack(second), &mut log).is_err() {
            continue;
        }
        while game.observe(&state, Viewer::Public).stage() == Stage::Roll {
            let chance = game.sample_chance(&state, &mut streams);
            game.apply_chance(&mut state, &chance, &mut log);
        }
        if !game.observe(&state, Viewer::Public).lives(second) {
            continue;
        }
        for draw in 0..20 {
            let mut drawn = game.initial_state();
            let obs = game.observe(&state, Viewer::Seat(first));
            game.determinize(&obs, &mut Stream::from_seed(draw), &mut drawn);
            let cargo = game.observe(&drawn, Viewer::Everything).cargo(second).unwrap();
            assert_eq!((cargo.money, cargo.units), (100, [0, 0, 0, 0, 0, 0, 4]));
        }
        return;
    }
    panic!("no such fight in 200 games");
}
