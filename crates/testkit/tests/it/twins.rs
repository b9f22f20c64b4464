//! The law of twin episodes detects every leak of a secret, and only leaks.

use crate::toys::pockets::{Leak, Pockets};
use crate::toys::whisper::{Whisper, WhisperVariant};
use meeple_testkit::Laws;

use crate::every_law::note;

/// The law that detects a leak; `None` for the sound game.
fn noticed_by(leak: Leak) -> Option<&'static str> {
    match leak {
        Leak::None => None,
        Leak::Observation | Leak::Question => Some("twins-see-alike"),
        Leak::Event => Some("twins-hear-alike"),
        Leak::Moments => Some("twins-have-equal-moments"),
        Leak::Drawing => Some("twins-have-equal-pages"),
        Leak::Everything => Some("twins-survive"),
    }
}

#[test]
pub fn every_leak_is_noticed_by_twins() {
    for leak in Leak::ALL {
        for seats in 2..=4 {
            // Twins only: other laws would detect some of the leaks, too.
            let laws = Laws::new(Pockets::with_leak(*leak, seats)).episodes(0).agent_episodes(0).twins(60);
            let found = laws.run().err();
            let law = found.as_ref().map(|broken| broken.law);
            assert_eq!(law, noticed_by(*leak), "{leak}, {seats} seats: {found:?}");
            law.into_iter().for_each(note);
        }
    }
}

#[test]
fn a_leak_is_reported_with_both_episodes() {
    let laws = Laws::new(Pockets::with_leak(Leak::Moments, 3)).episodes(0).agent_episodes(0).twins(60);
    let message = laws.run().unwrap_err().to_string();
    for part in
        ["one: ", "two: ", "moments more", "decision_audience", "the twins parted after", ".twins(60)"]
    {
        assert!(message.contains(part), "{part:?} is missing in:\n{message}");
    }
}

#[test]
fn who_decides_in_secret_does_not_decide_openly() {
    fn found<const OPENLY: bool>() -> Option<String> {
        let game = Whisper::<OPENLY>::new(WhisperVariant::default(), 3).unwrap();
        Laws::new(game).episodes(20).agent_episodes(0).twins(20).run().err().map(|broken| broken.to_string())
    }
    assert_eq!(found::<false>(), None);
    let message = found::<true>().unwrap();
    assert!(message.contains("list of who owes a decision differs"), "{message}");
}
