//! An episode of a simulation that is replayed step by step equals the counted one.

use meeple_core::{Seating, Viewer};
use meeple_games::games;
use meeple_lab::{ColumnValues, NoProgress, SetUp, Simulation, StopFlag, replay, simulate_keeping};

#[test]
fn an_episode_played_again_is_the_one_that_was_counted() {
    for entry in games() {
        let info = entry.info();
        let words: Vec<String> = info.demo.iter().map(|word| (*word).to_owned()).collect();
        let set_up = SetUp::new(entry, None, &[], &words).unwrap();
        for seating in [Seating::Fixed, Seating::Rotate, Seating::Shuffle, Seating::DealGroups] {
            let simulation = Simulation {
                game: &*set_up.game,
                line_up: set_up.line_up.clone(),
                seed: 7,
                episodes: 3,
                seating,
                threads: 1,
            };
            let (_, columns) = simulate_keeping(&simulation, &mut NoProgress, &StopFlag::new()).unwrap();
            let whole = |name: &str| match columns.columns.iter().find(|(own, _)| own == name) {
                Some((_, ColumnValues::Whole(values))) => values.clone(),
                _ => panic!("there is no column {name}"),
            };
            let Some((_, ColumnValues::Words(places, names))) =
                columns.columns.iter().find(|(own, _)| own == "agent")
            else {
                panic!("there is no column of agents")
            };
            let (scores, lengths, seats) = (whole("score"), whole("length"), set_up.game.seats());
            for index in 0..3_u64 {
                let again = replay(&simulation, index).unwrap();
                let end = entry.replay(&again, Viewer::Everything, &mut |_| {}).unwrap();
                let rows = index as usize * seats..(index as usize + 1) * seats;
                let what = format!("{} {seating:?} {index}", info.id);
                assert_eq!(end.view().outcome().unwrap().scores, scores[rows.clone()], "{what}");
                assert_eq!(end.view().length() as i64, lengths[rows.start], "{what}");
                for (player, row) in again.players.iter().zip(rows) {
                    assert_eq!(player.name, names[places[row] as usize].as_str(), "{what}");
                }
            }
        }
    }
}
