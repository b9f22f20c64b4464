//! Games join the registry at run time: a separate test program, because other tests count the games.

use meeple_core::{AgentInfo, AgentSpec, Defined as _, Definition, GameInfo, NoParams, Turn};
use meeple_games::{NameTaken, Registered, environment, find_game, register, replace};
use meeple_incan_gold::IncanGold;
use meeple_testkit::toys::{Nim, Take};

/// Takes one stick.
struct One;

impl meeple_core::Agent<Nim> for One {
    fn act(&mut self, _: Turn<'_, Nim>) -> Take {
        Take(1)
    }
}

fn nim(info: &'static GameInfo) -> Definition<Nim> {
    Definition { info, ..Nim::definition() }
}

#[test]
fn a_type_can_be_many_games_and_rules_can_be_replaced() {
    static FIRST: GameInfo = GameInfo { id: "nim-one", ..Nim::INFO };
    static SECOND: GameInfo = GameInfo { id: "nim-two", ..Nim::INFO };
    register(Registered::new(nim(&FIRST))).unwrap();
    assert_eq!(register(Registered::new(nim(&FIRST))), Err(NameTaken("nim-one".to_owned())));
    let mut other = nim(&SECOND);
    other.variant.sticks = 5;
    register(Registered::new(other)).unwrap();
    let sticks = |id: &str| find_game(id).unwrap().variant(None, &[]).unwrap()["sticks"].clone();
    assert_eq!((sticks("nim-one"), sticks("nim-two")), (12.into(), 5.into()));

    // Games that are set up keep their rules and agents; later ones have the new ones.
    let before = find_game("nim-one").unwrap().set_up(None, &[], 2).unwrap();
    let mut changed = nim(&FIRST);
    changed.variant.sticks = 7;
    changed.agents.push(AgentInfo::new("one", "takes one", |_: &Nim, _: NoParams| Ok(One)));
    replace(Registered::new(changed));
    assert_eq!((before.variant()["sticks"].clone(), sticks("nim-one")), (12.into(), 7.into()));
    let line_up = [AgentSpec::parse("one"), AgentSpec::parse("random")];
    assert!(before.check_line_up(&line_up).is_err());
    let after = find_game("nim-one").unwrap().set_up(None, &[], 2).unwrap();
    after.check_line_up(&line_up).unwrap();
    // Training needs the type of a game.
    assert!(environment(&*after).is_ok());
}

#[test]
fn a_game_gives_its_type_back() {
    let game = find_game("incan-gold").unwrap().set_up(Some("boxed"), &[], 3).unwrap();
    let typed = game.typed::<IncanGold>().expect("it is Incan Gold");
    assert_eq!(meeple_core::Game::seats(&*typed.game), 3);
    assert!(typed.agents.iter().any(|agent| agent.name == "mcts"), "general agents are among them");
    assert!(game.typed::<Nim>().is_none());
}
