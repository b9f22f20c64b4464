//! The heuristic players of October 2020 compared with recorded games: their decision trees give the recorded
//! tries.

#![allow(clippy::disallowed_macros, reason = "the rates are worth seeing")]

use meeple_cartolan::{Action, Captain, Cartolan, Generation, Order, Role, Temper, Try};
use meeple_core::{
    Agent, AgentInfo, AgentSpec, Defined as _, Game, NoParams, Playouts, Seating, Stream, Turn, Viewer,
    build_agents,
};

use crate::table::variant;
use crate::traces::{Feed, all};

#[derive(Default)]
struct Rate {
    tried: u32,
    differed: u32,
}

impl Rate {
    fn count(&mut self, differs: bool) {
        self.tried += 1;
        self.differed += u32::from(differs);
    }

    fn share(&self) -> f64 {
        f64::from(self.differed) / f64::from(self.tried)
    }
}

#[test]
fn recorded_tries_are_those_of_the_trees_but_for_random_steps() {
    let (mut first, mut later) = (Rate::default(), Rate::default());
    let mut by_role = std::collections::BTreeMap::<String, Rate>::new();
    let mut rng = Stream::from_seed(1);
    for trace in all() {
        let captain = |seat| {
            let role = match trace.player(seat).as_str() {
                "explorer" => Role::Explorer,
                "trader" => Role::Trader,
                "router" => Role::Router,
                "pirate" => Role::Pirate,
                other => panic!("{other} is no type of player"),
            };
            let mut captain =
                Captain::new(role, Generation::Second, &Temper { whim: 0.0, ..Temper::default() });
            captain.begin(seat);
            captain
        };
        let mut captains: Vec<Captain> = (0..trace.seats()).map(captain).collect();
        let mut others: Vec<Option<Captain>> = vec![None; trace.seats()];
        let mut feed = Feed::new(&trace);
        while let Some((event, _)) = feed.next_move() {
            feed.close_overtime(event);
            let observation = feed.episode.game().observe(feed.episode.state(), Viewer::Everything);
            let seat = usize::from(observation.turn().seat);
            let tried = match event["d"].as_str() {
                Some(dir) => Try::Go(dir.parse().expect("a direction")),
                None => Try::Wait,
            };
            let mut said = captains[seat].next_try(&observation, &mut rng);
            // A random try may equal the tree's try. The step ended after it, and only the other captain
            // knows this.
            if let Some(mut other) = others[seat].take()
                && said.map(|(said, _)| said) != Some(tried)
            {
                let other_said = other.next_try(&observation, &mut rng);
                if other_said.map(|(said, _)| said) == Some(tried) {
                    (captains[seat], said) = (other, other_said);
                }
            }
            let differs = said.map(|(said, _)| said) != Some(tried);
            match said {
                None | Some((_, Order::First)) => {
                    first.count(differs);
                    by_role.entry(trace.player(seat)).or_default().count(differs);
                }
                Some((_, Order::Later)) => later.count(differs),
                Some((_, Order::Random)) => {}
            }
            if !differs && matches!(said, Some((Try::Go(_), Order::First))) {
                let mut other = captains[seat].clone();
                other.tell(&observation, None, tried);
                others[seat] = Some(other);
            }
            captains[seat].tell(&observation, said.map(|(said, _)| said), tried);
            assert!(feed.feed().expect("it replays"));
        }
    }
    println!("first tries: {} of {} differ ({:.4})", first.differed, first.tried, first.share());
    println!("later tries: {} of {} differ ({:.4})", later.differed, later.tried, later.share());
    for (role, rate) in &by_role {
        println!("{role}: {} of {} ({:.4})", rate.differed, rate.tried, rate.share());
    }
    // A tenth of the steps is random, and three quarters of those go elsewhere: 7.5 %.
    assert!(first.tried > 4000, "{} first tries", first.tried);
    assert!(first.share() > 0.065 && first.share() < 0.085, "{:.4} of the first tries differ", first.share());
    assert!(later.share() < 0.01, "{:.4} of the later tries differ", later.share());
}

#[test]
fn merchants_end_the_games_they_play_among_themselves() {
    // Equal players that trade at the same wonders for ever would reach the round cap.
    for (preset, seats) in [("beginner", 2), ("regular", 2), ("advanced", 2), ("regular", 3)] {
        let game = Cartolan::new(variant(preset, &[]), seats).expect("it can be set up");
        let specs: Vec<AgentSpec> = (0..seats).map(|_| AgentSpec::parse("merchant")).collect();
        let agents = build_agents(&game, &Cartolan::definition().agents, &specs).expect("the agents exist");
        let mut playouts = Playouts::new(&game, agents);
        let capped = (0..8).filter(|index| {
            let report = playouts.play(1, Seating::Rotate, *index);
            Cartolan::definition().info.ends[report.outcome.end] == "round cap"
        });
        assert_eq!(capped.count(), 0, "{preset} for {seats}");
    }
}

#[test]
fn every_agent_plays_with_every_value_of_a_switch() {
    let names: Vec<&str> =
        Cartolan::definition().agents.iter().map(|agent| agent.name).chain(["random"]).collect();
    let mut agents = Cartolan::definition().agents;
    agents.push(AgentInfo::new("random", "any legal action", |_: &Cartolan, _: NoParams| Ok(Any)));
    for (preset, key, value) in [
        ("advanced", "trading", "automatic"),
        ("regular", "trading", "decision"),
        ("beginner", "trading", "decision"),
        ("regular", "discovery_uses_trade", "off"),
        ("advanced", "discovery_uses_trade", "off"),
        ("regular", "pirate_at_disaster", "sent_back"),
        ("advanced", "pirate_rewards", "off"),
        ("regular", "pirate_rewards", "off"),
        ("regular", "purchase_before_margin_check", "yes"),
    ] {
        let settings = [(key, value), ("domain", "1"), ("rounds", "60")];
        let game = Cartolan::new(variant(preset, &settings), 3).expect("it can be set up");
        for name in &names {
            let specs = [name, "pirate", "random"].map(AgentSpec::parse);
            let seated = build_agents(&game, &agents, &specs).expect("the agents exist");
            let mut playouts = Playouts::new(&game, seated);
            for index in 0..2 {
                // Debug builds check that every action is legal.
                let report = playouts.play(5, Seating::Rotate, index);
                assert!(report.length > 0, "{preset} {key}={value} {name}");
            }
        }
    }
}

struct Any;

impl Agent<Cartolan> for Any {
    fn act(&mut self, mut turn: Turn<'_, Cartolan>) -> Action {
        let legal = turn.legal_actions().to_vec();
        legal[turn.rng().index(legal.len())]
    }
}

#[test]
fn a_whim_is_a_parameter() {
    let game = Cartolan::new(variant("regular", &[]), 2).expect("it can be set up");
    let rounds = |agent: &str| {
        let specs = [AgentSpec::parse(agent), AgentSpec::parse(agent)];
        let agents = build_agents(&game, &Cartolan::definition().agents, &specs).expect("the agents exist");
        let mut playouts = Playouts::new(&game, agents);
        let report = playouts.play(1, Seating::Rotate, 0);
        (report.length, report.outcome.scores.clone())
    };
    assert_eq!(rounds("explorer"), rounds("explorer:whim=0.1"), "the default");
    assert_ne!(rounds("explorer"), rounds("explorer:whim=0.9"));
    let wrong = build_agents(&game, &Cartolan::definition().agents, &[AgentSpec::parse("explorer:whim=2")]);
    assert!(wrong.is_err(), "a probability");
}
