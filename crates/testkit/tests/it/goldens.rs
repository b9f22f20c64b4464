#![allow(clippy::disallowed_methods, reason = "goldens are files")]

use std::path::{Path, PathBuf};

use meeple_core::{Defined as _, Game};
use meeple_testkit::playthrough::{check_playthroughs, playthrough};
use meeple_testkit::toys::{Flaw, Hands, HandsVariant, Nim, Posts};
use meeple_testkit::{Mode, check_perft, hold_golden, perft, perft_from, signature_text};

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn playthroughs_of_hands_are_golden() {
    meeple_testkit::playthroughs::<Hands>(concat!(env!("CARGO_MANIFEST_DIR"), "/goldens/hands"));
}

#[test]
fn playthroughs_of_posts_are_golden() {
    meeple_testkit::playthroughs::<Posts>(concat!(env!("CARGO_MANIFEST_DIR"), "/goldens/posts"));
}

#[test]
fn signature_of_hands_is_golden() {
    meeple_testkit::signature::<Hands>(concat!(env!("CARGO_MANIFEST_DIR"), "/goldens/hands.signature.txt"));
}

#[test]
fn signature_of_nim_is_golden() {
    meeple_testkit::signature::<Nim>(concat!(env!("CARGO_MANIFEST_DIR"), "/goldens/nim.signature.txt"));
}

const PRESETS: &[meeple_core::Preset] = Hands::INFO.presets;

#[test]
fn missing_changed_and_stray_playthroughs_are_noticed() {
    let folder = folder("playthroughs");
    let missing = check_playthroughs(&Hands::definition(), &folder, PRESETS, &[], Mode::Compare);
    assert_eq!(missing.len(), 2, "{missing:?}");
    assert!(missing[0].contains("short.txt is missing"), "{}", missing[0]);
    assert!(missing[0].contains("cargo xtask bless hands"), "{}", missing[0]);

    assert_eq!(
        check_playthroughs(&Hands::definition(), &folder, PRESETS, &[], Mode::Bless).len(),
        2,
        "blessing tells what it did"
    );
    assert_eq!(
        check_playthroughs(&Hands::definition(), &folder, PRESETS, &[], Mode::Compare),
        Vec::<String>::new()
    );

    let path = folder.join("short.txt");
    let stored = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, stored.replacen("> c ", "> c 1", 1)).unwrap();
    let changed = check_playthroughs(&Hands::definition(), &folder, PRESETS, &[], Mode::Compare);
    assert_eq!(changed.len(), 1);
    assert!(changed[0].contains("\n-   > c 1"), "{}", changed[0]);
    assert!(changed[0].contains("\n+   > c "), "{}", changed[0]);

    std::fs::write(&path, stored).unwrap();
    std::fs::write(folder.join("old.txt"), "").unwrap();
    let stray = check_playthroughs(&Hands::definition(), &folder, PRESETS, &[], Mode::Compare);
    assert!(stray.len() == 1 && stray[0].contains("old.txt is the playthrough of no preset"), "{stray:?}");
}

#[test]
fn a_playthrough_tells_phases_actions_events_and_scores() {
    let text = playthrough(&Hands::definition(), &Hands::INFO.presets[0], &[], 3).unwrap();
    for part in [
        "game hands rules 1\npreset short\n",
        "step 1: chance draws\n  public sees round 0; scores [0,0,0]; ",
        "seats 0, 1, 2 decide",
        "] seat 0 is dealt ",
        "\nend rules after ",
        "  figures by seat ",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert_eq!(
        Ok(text),
        playthrough(&Hands::definition(), &Hands::INFO.presets[0], &[], 3),
        "same seed, same text"
    );
}

#[test]
fn a_playthrough_tells_every_viewer_what_changes_for_it() {
    let text = playthrough(&Hands::definition(), &Hands::INFO.presets[0], &[], 3).unwrap();
    let steps: Vec<&str> = text.split("\n\n").collect();
    let dealt = steps.windows(2).filter_map(|pair| Some((pair[0].split_once("] seat ")?.1, pair[1])));
    let mut cards = 0;
    for (event, next) in dealt {
        let Some((seat, rest)) = event.split_once(" is dealt ") else { continue };
        let card = rest.split(' ').next().unwrap();
        let seen: Vec<&str> =
            next.lines().filter(|line| line.contains(&format!("own.hand {card}"))).collect();
        assert_eq!(seen, [format!("  {seat} sees own.hand {card}")], "only the seat sees its card:\n{next}");
        cards += 1;
    }
    assert!(cards >= 4, "{cards} cards in\n{text}");
}

#[test]
fn goldens_are_compared_line_by_line() {
    let path = folder("golden").join("file.txt");
    std::fs::write(&path, "a\nb\nc\nd\n").unwrap();
    assert_eq!(hold_golden(&path, "a\nb\nc\nd\n", "toy", Mode::Compare), Ok(()));
    let wrong = hold_golden(&path, "a\nb\nx\nd\n", "toy", Mode::Compare).unwrap_err();
    assert!(wrong.contains("  b\n- c\n+ x\n  (from line 3)"), "{wrong}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a\nb\nc\nd\n", "comparing writes nothing");
}

#[test]
fn the_signature_changes_with_the_rules() {
    let text = signature_text(&Nim::definition()).unwrap();
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.lines().last().unwrap().starts_with("signature "), "{text}");
}

#[test]
fn perft_counts_sequences() {
    // 3 sticks, up to 2 at once: 1+1+1, 1+2, 2+1.
    let nim = |sticks: u8, most: u8| Nim::new(meeple_testkit::toys::NimVariant { sticks, most }, 2).unwrap();
    check_perft(&nim(3, 2), &[2, 3, 1, 0]);
    check_perft(&nim(12, 3), &[3, 9, 27, 81]);
    // Twelve cards to the first seat, eleven to the second; then each folds, or stays unless it has card 1.
    let hands = Hands::new(HandsVariant { flaw: Flaw::None, ..HandsVariant::default() }, 2).unwrap();
    check_perft(&hands, &[12, 132, 132 * 2 - 11, 132 * 4 - 2 * 11 - 2 * 11]);
    let posts = Posts::new(Default::default(), 2).unwrap();
    assert_eq!(perft(&posts, 1), Err(meeple_testkit::PerftError::Structured));
    assert_eq!(perft_from(&nim(3, 2), &nim(2, 2).initial_state(), 2), Ok(1));
}
