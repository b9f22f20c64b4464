use std::sync::Arc;

use meeple_core::{
    Consequence, Defined as _, Episode, EpisodeSeed, Phase, PlayerLabel, Replay, ReplayError, ReplayFault,
    Seat,
};
use meeple_testkit::toys::{Hands, Nim, NimVariant, Take};

fn names() -> Vec<PlayerLabel> {
    vec!["Ann".into(), "Bob".into()]
}

fn finished() -> Replay {
    let nim = Arc::new(Nim::new(NimVariant { sticks: 5, most: 3 }, 2).unwrap());
    let seed = EpisodeSeed::new(1, 0);
    let mut episode = Episode::new(nim, seed);
    for (seat, take) in [(0, 3), (1, 1), (0, 1)] {
        episode.act(Seat::new(seat), &Take(take)).unwrap();
    }
    Replay::of(&episode, &names(), Some(seed))
}

const TEXT: &str = r#"{
  "format": 1,
  "game": "nim",
  "rules_version": 1,
  "variant": {
    "sticks": 5,
    "most": 3
  },
  "players": [
    "Ann",
    "Bob"
  ],
  "seed": "5e41ab087439611e",
  "steps": [
    "0 take 3",
    "1 take 1",
    "0 take 1"
  ],
  "result": {
    "scores": [
      1,
      0
    ],
    "places": [
      1,
      2
    ],
    "end": "rules"
  }
}
"#;

#[test]
fn the_text_form_is_fixed_and_reads_back() {
    let replay = finished();
    assert_eq!(replay.to_text(), TEXT);
    assert_eq!(Replay::parse(TEXT).unwrap(), replay);
}

#[test]
fn verifying_shows_every_moment() {
    let mut sticks = Vec::new();
    let episode =
        finished().verify(&Nim::definition(), |episode| sticks.push(episode.state().sticks)).unwrap();
    assert_eq!(sticks, [5, 2, 1, 0]);
    assert_eq!(episode.phase(), Phase::Over);
}

#[test]
fn an_episode_broken_off_has_no_result_and_verifies() {
    let mut replay = finished();
    replay.steps.pop();
    replay.result = None;
    let episode = replay.verify(&Nim::definition(), |_| {}).unwrap();
    assert_ne!(episode.phase(), Phase::Over);
    assert!(!replay.to_text().contains("result"));
}

/// An error with its causes, as the command line prints it.
fn chain(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Damages the text, parses and verifies it, and compares the error.
fn check(from: &str, to: &str, expected: &str) -> ReplayError {
    let text = TEXT.replacen(from, to, 1);
    assert_ne!(text, TEXT, "{from:?} is there to be damaged");
    let error = Replay::parse(&text)
        .and_then(|replay| replay.verify(&Nim::definition(), |_| {}).map(drop))
        .expect_err("a damaged replay is refused");
    let message = chain(&error);
    assert!(message.contains(expected), "{from:?} -> {to:?}: expected {expected:?}, found {message}");
    error
}

#[test]
fn syntax() {
    let error = check("{", "", "expected a replay in JSON: ");
    assert!(matches!(error, ReplayError::Syntax(_)));
    let message = chain(&error);
    assert_eq!(message.matches("line ").count(), 1, "the cause is named once: {message}");
    check("\"players\"", "\"people\"", "unknown field `people`");
    check("\"steps\": [", "\"steps\": [7,", "invalid type: integer `7`");
    check("\"seed\": \"5e41ab087439611e\"", "\"seed\": 5", "invalid type: integer `5`");
}

#[test]
fn steps_have_one_text() {
    check("\"0 take", "\"00 take", "expected '0 take");
    check("\"0 take", "\"+0 take", "expected '0 take");
}

#[test]
fn format() {
    let error = check("\"format\": 1", "\"format\": 2", "expected a replay of format 1, found 2");
    assert!(matches!(error, ReplayError::Format { .. }));
    check("\"format\": 1,", "", "expected a replay of format 1, found none");
}

#[test]
fn another_format_is_reported_even_if_its_fields_differ() {
    let error = Replay::parse(r#"{"format": 7, "moves": []}"#).unwrap_err();
    assert_eq!(error.to_string(), "expected a replay of format 1, found 7");
}

#[test]
fn game() {
    let error = check("\"nim\"", "\"chess\"", "expected a replay of nim, found one of chess");
    assert!(matches!(error, ReplayError::Game { .. }));
}

#[test]
fn rules() {
    let error =
        check("\"rules_version\": 1", "\"rules_version\": 9", "expected rules version 1, found 9\nhint: ");
    assert!(matches!(error, ReplayError::Rules { expected: 1, found: 9 }));
}

#[test]
fn setup() {
    let error = check("\"sticks\": 5", "\"sticks\": 0", "sticks: expected a whole number from 1 to 100");
    assert!(matches!(error, ReplayError::Setup { .. }));
    check("\"sticks\"", "\"stcks\"", "unknown parameter 'stcks'\nhint: did you mean 'sticks'?");
    check("\"sticks\": 5,", "", "variant: expected a value of 'sticks', found none");
    check("5e41ab087439611e", "zz", "seed: expected 16 hexadecimal digits, found 'zz'");
    check("5e41ab087439611e", "5E41ab087439611e", "seed: expected 16 hexadecimal digits");
    check("5e41ab087439611e", "5e41ab0874396é", "seed: expected 16 hexadecimal digits");
    check("\"Ann\",", "", "expected 2 to 2 players, found 1");
    let long = format!("\"{}\"", "a".repeat(1_001));
    check("\"Ann\"", &long, "player of seat 0: expected a name of at most 1000 characters");
    let mut hands = {
        let game = Arc::new(Hands::new(Default::default(), 2).unwrap());
        Replay::of(&Episode::new(game, EpisodeSeed::new(1, 0)), &names(), None)
    };
    hands.variant["rounds"] = 6.into();
    hands.variant["cards"] = 4.into();
    let error = hands.verify(&Hands::definition(), |_| {}).err().unwrap();
    assert_eq!(error.to_string(), "6 rounds of 2 seats need 12 cards, found 4");
}

#[test]
fn step() {
    let error =
        check("1 take 1", "1 take 3", "step 2 ('1 take 3'): expected one of take 1, take 2, found take 3");
    assert!(matches!(error, ReplayError::Step { step: 2, .. }));
    check("1 take 1", "0 take 1", "step 2 ('0 take 1'): seat 0 owes no decision; seat 1 owes a decision");
    check("1 take 1", "1 grab 1", "step 2 ('1 grab 1'): action 'grab 1': expected 'take N'");
    check("1 take 1", "c 1", "step 2 ('c 1'): chance '1': there is no chance");
    check("1 take 1", "2 take 1", "step 2 ('2 take 1'): seat 2 owes no decision; seat 1 owes a decision");
    check(
        "\"0 take 1\"",
        "\"0 take 1\", \"1 take 1\"",
        "step 4 ('1 take 1'): seat 1 cannot act: the episode is over",
    );
}

#[test]
fn result() {
    let error = check("1,\n      0", "2,\n      0", "the steps lead to ");
    assert!(matches!(error, ReplayError::Result { .. }));
    check("\"end\": \"rules\"", "\"end\": \"time\"", "but the stored result is");
}

#[test]
fn truncated() {
    let error = check(
        ",\n    \"0 take 1\"",
        "",
        "the steps stop after step 2, before the episode is over, but a result is stored",
    );
    assert!(matches!(error, ReplayError::Truncated(2)));
}

/// Iterations belong to decisions; replays without iterations still parse.
#[test]
fn iterations_belong_to_decisions() {
    let mut replay = finished();
    assert!(replay.iterations.is_empty() && !replay.to_text().contains("iterations"));
    replay.iterations.extend([(0, 7), (2, 300)]);
    let text = replay.to_text();
    assert!(text.contains("\"iterations\": {\n    \"0\": 7,\n    \"2\": 300\n  }"), "{text}");
    assert_eq!(Replay::parse(&text).unwrap(), replay);
    replay.verify(&Nim::definition(), |_| {}).map(drop).unwrap();
    replay.iterations.insert(3, 1);
    let error = replay.verify(&Nim::definition(), |_| {}).map(drop).unwrap_err().to_string();
    assert_eq!(error, "iterations: expected the step of a decision, found 3");
}

/// Faults are optional, have one form, and fit the episode.
#[test]
fn faults_are_of_the_episode() {
    let mut replay = finished();
    assert!(replay.faults.is_empty() && !replay.to_text().contains("faults"));
    let fault = |seat, step, kind: &str| ReplayFault::new(Seat::new(seat), step, kind, Consequence::Fallback);
    replay.faults.push(fault(1, 1, "TIMEOUT"));
    let text = replay.to_text();
    let written = "\"faults\": [\n    {\n      \"seat\": 1,\n      \"step\": 1,\n      \"kind\": \"TIMEOUT\",\n      \"then\": \"fallback\"\n    }\n  ]";
    assert!(text.contains(written), "{text}");
    assert_eq!(Replay::parse(&text).unwrap(), replay);
    replay.verify(&Nim::definition(), |_| {}).map(drop).unwrap();
    let long = "X".repeat(33);
    for (wrong, expected) in [
        (fault(2, 1, "CRASH"), "fault 2: expected a seat below 2, found 2"),
        (fault(1, 4, "CRASH"), "fault 2: expected at most 3 steps before it, found 4"),
        (fault(1, 0, "CRASH"), "fault 2: expected faults in the order of their steps"),
        (fault(1, 1, ""), "fault 2: expected a kind of 1 to 32 capital letters"),
        (fault(1, 1, "<b>"), "fault 2: expected a kind of 1 to 32 capital letters"),
        (fault(1, 1, &long), "fault 2: expected a kind of 1 to 32 capital letters"),
        (
            ReplayFault { at: Some("noon".to_owned()), ..fault(1, 1, "CRASH") },
            "fault 2: expected a moment, as 2026-01-31T12:00:00Z, found 'noon'",
        ),
    ] {
        let mut replay = replay.clone();
        replay.faults.push(wrong);
        let error = replay.verify(&Nim::definition(), |_| {}).map(drop).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}
