//! Programs with games of their own. This is a separate test program, because it changes the registry of
//! games.

use meeple::{NameTaken, game, only, register};
use meeple_games::games;
use meeple_testkit::toys::{Hands, Nim};

#[test]
fn games_stand_beside_ours_or_alone() {
    let ids = || games().iter().map(|entry| entry.info().id).collect::<Vec<_>>();
    let ours = ids();
    register([game::<Nim>()]).unwrap();
    assert_eq!(ids(), [&ours[..], &["nim"]].concat());
    assert_eq!(register([game::<Nim>()]), Err(NameTaken("nim".to_owned())));
    register(only([game::<Hands>()])).unwrap();
    assert_eq!(ids(), ["hands"]);
    let words = ["sim", "hands", "random", "random", "-n", "5", "--quiet"];
    assert_eq!(meeple::main(words.map(Into::into).into(), None), 0);
}
