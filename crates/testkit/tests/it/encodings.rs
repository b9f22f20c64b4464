//! Goldens of encodings, and the law that games with symmetric seats check themselves.
#![allow(clippy::disallowed_methods, reason = "goldens are files")]

use std::path::Path;

use meeple_core::{Defined as _, Encoding, Field};
use meeple_testkit::Mode;
use meeple_testkit::encodings::{SeatRotation, check_encodings, turned_encodings};
use meeple_testkit::toys::{Hands, Posts, PostsVariant};

#[test]
fn numbers_do_not_change_without_a_new_version() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("encodings");
    let _ = std::fs::remove_dir_all(&folder);
    let check = |mode| check_encodings(&Hands::definition(), &folder, mode);
    assert!(check(Mode::Compare)[0].contains("short.txt is missing"));
    assert_eq!(check(Mode::Bless).len(), 2, "blessing tells what it did");
    assert_eq!(check(Mode::Compare), Vec::<String>::new());

    let path = folder.join("short.txt");
    let stored = std::fs::read_to_string(&path).unwrap();
    let other = stored.replacen("scores: ", "scores: 0.125 ", 1);
    std::fs::write(&path, &other).unwrap();
    for mode in [Mode::Compare, Mode::Bless] {
        let wrong = check(mode);
        assert!(wrong.len() == 1 && wrong[0].contains("hint: raise the version"), "{wrong:?}");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), other, "nothing is written");

    // Under another version, numbers may differ.
    std::fs::write(&path, other.replacen("version 1", "version 7", 1)).unwrap();
    assert_eq!(check(Mode::Bless).len(), 1);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), stored);
}

#[test]
fn an_encoding_that_knows_a_seat_by_its_number_is_noticed() {
    let game = Posts::new(PostsVariant::default(), 3).unwrap();
    let turned = SeatRotation::<Posts> { chance: |chance, _| match *chance {}, action: |action, _| *action };
    let fields = |_: &Posts| {
        let (name, unit, doc) = ("place", "10 seats", "Who it is.");
        vec![Field { name, size: 1, low: 0.0, high: 1.0, unit, doc }]
    };
    let sound: Encoding<Posts> = Encoding { version: 1, fields, write: |_, _, _, out| out[0] = 0.5 };
    turned_encodings(&game, sound, &turned, 1).unwrap();
    let flawed = Encoding { write: |_, _, seat, out| out[0] = seat.index() as f32 / 10.0, ..sound };
    let broken = turned_encodings(&game, flawed, &turned, 1).unwrap_err();
    assert_eq!(broken.law, "encoding-turns-with-the-seats");
    assert!(broken.message.contains("field 'place' differs: 0 and 0.1"), "{broken}");
}
