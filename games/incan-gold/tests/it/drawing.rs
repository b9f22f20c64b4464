//! The drawing: nothing stands outside of its frame.

use meeple_core::{PlayerLabel, Present, Seat, Viewer};
use meeple_incan_gold::IncanGold;
use meeple_scene::{Anchor, ColorMode, Item, Scene, Shape, text_width};

use crate::table::TestTable;

/// Left and right edge of the area of all panels.
const LEFT: f64 = 24.0;
const RIGHT: f64 = 976.0;

/// The drawing after these cards, if all seats stay.
fn drawing(seats: usize, set: &[(&str, &str)], cards: &[String]) -> Scene {
    let mut table = TestTable::new(seats, set);
    for card in cards {
        table.turn(card, &"s".repeat(seats));
    }
    let names = vec![PlayerLabel::from("a player of a very long name indeed"); seats];
    let draw = |view: &meeple_core::View<'_, IncanGold>| table.episode.game().draw(view);
    table.episode.with_view(Viewer::Seat(Seat::new(0)), &names, draw)
}

/// Left, upper, right and lower edge of a shape.
fn extent(item: &Item) -> (f64, f64, f64, f64) {
    let around = |points: &[(f64, f64)]| {
        points.iter().fold((f64::MAX, f64::MAX, f64::MIN, f64::MIN), |edge, (x, y)| {
            (edge.0.min(*x), edge.1.min(*y), edge.2.max(*x), edge.3.max(*y))
        })
    };
    match &item.shape {
        Shape::Rect { x, y, w, h, .. } => (*x, *y, x + w, y + h),
        Shape::Circle { x, y, r } => (x - r, y - r, x + r, y + r),
        Shape::Line { x1, y1, x2, y2 } => around(&[(*x1, *y1), (*x2, *y2)]),
        Shape::Polygon(points) | Shape::Polyline(points) => around(points),
        Shape::Text { x, y, size, anchor, bold, text } => {
            let width = text_width(text, *size, *bold);
            let left = match anchor {
                Anchor::Start => *x,
                Anchor::Middle => x - width / 2.0,
                Anchor::End => x - width,
            };
            (left, y - size, left + width, y + size / 4.0)
        }
        // The masks of artifacts lie on their cards, whose frames are rectangles.
        Shape::Path(_) => (LEFT, 0.0, RIGHT, 1.0),
        Shape::Group { .. } => panic!("the drawing has no groups"),
    }
}

fn longest_path() -> Vec<String> {
    let gems = [1, 2, 3, 4, 5, 5, 7, 7, 9, 11, 11, 13, 14, 15, 17];
    let mut cards: Vec<String> = gems.iter().map(|value| format!("gem:{value}")).collect();
    cards.push("artifact".to_owned());
    cards
}

#[test]
fn a_path_of_26_cards_lies_inside() {
    let gems = vec!["100"; 26].join(",");
    let cards = vec!["gem:100".to_owned(); 26];
    for (seats, cards) in [(1, &cards), (16, &cards), (3, &longest_path())] {
        let set: &[(&str, &str)] = if cards.len() == 26 { &[("gems", gems.as_str())] } else { &[] };
        let scene = drawing(seats, set, cards);
        let frames = scene.items.iter().filter(|item| item.tooltip.as_deref() == Some(&cards[0])).count();
        assert!(frames >= 1, "the cards are drawn");
        for item in &scene.items {
            let (left, top, right, bottom) = extent(item);
            assert!(
                left >= LEFT && right <= RIGHT && top >= 0.0 && bottom <= scene.height,
                "{seats} seats: {:?} spans {left:.1} to {right:.1} and {top:.1} to {bottom:.1}",
                item.shape
            );
        }
    }
}

#[test]
fn large_backpacks_stay_in_their_box() {
    let gems = vec!["60"; 20].join(",");
    for turns in [1, 4, 20] {
        let scene = drawing(1, &[("gems", gems.as_str())], &vec!["gem:60".to_owned(); turns]);
        // Seat 0's box is the only shape of its size; the backpack's number is a text of its own.
        let backpack = (60 * turns).to_string();
        let seat_box = scene.items.iter().map(extent).find(|(left, top, right, bottom)| {
            (right - left - 229.0).abs() < 1e-9 && (bottom - top - 108.0).abs() < 1e-9
        });
        let (.., edge, _) = seat_box.expect("the seat has a box");
        let number = scene
            .items
            .iter()
            .filter(|item| matches!(&item.shape, Shape::Text { text, bold: false, .. } if *text == backpack))
            .map(extent)
            .next();
        let (left, _, right, _) = number.expect("the backpack's gems are written");
        assert!(right <= edge - 6.0, "{backpack} spans {left:.1} to {right:.1}, the box ends at {edge:.1}");
    }
}

#[test]
fn a_round_that_is_over_is_shown_as_it_ended() {
    // The text of the screen, and the description of the drawing.
    let shown = |table: &TestTable| {
        let game = table.episode.game();
        let look = |view: &meeple_core::View<'_, IncanGold>| {
            (game.screen(view).to_ansi(ColorMode::None), game.draw(view).description)
        };
        table.episode.with_view(Viewer::Public, &[], look)
    };
    let mut table = TestTable::new(2, &[("rounds", "2")]);
    table.turn("gem:7", "ss").turn("fire", "ls").turn("fire", "");
    let (screen, drawing) = shown(&table);
    assert!(screen.contains("Round 1 of 2 is over: a second fire"), "{screen}");
    assert!(screen.contains("[7] [fire!] [fire!]"), "{screen}");
    assert_eq!((screen.matches("in the tent").count(), screen.matches("busted").count()), (1, 1), "{screen}");
    assert_eq!(drawing, "Round 1 of 2 is over: a second fire. On the path: gem:7, fire, fire.");

    table.turn("gem:5", "ss");
    let (screen, drawing) = shown(&table);
    assert!(screen.contains("Round 2 of 2, turn 1") && screen.matches("backpack").count() == 2, "{screen}");
    assert!(drawing.ends_with("On the path: gem:5. 1 spare gem on the path."), "{drawing}");

    table.turn("artifact", "ss").bust("mummy", 2);
    let (screen, drawing) = shown(&table);
    assert!(screen.starts_with("The game is over") && screen.contains("[artifact] [mummy!] [mummy!]"));
    for word in ["backpack", "deck", "danger", "spare", "worth"] {
        assert!(!screen.contains(word), "nothing is at stake any more: {word} in {screen}");
    }
    assert!(drawing.starts_with("The game is over. On the path: gem:5, artifact, "), "{drawing}");

    let mut table = TestTable::new(2, &[]);
    table.turn("gem:7", "ll");
    assert!(shown(&table).0.contains("Round 1 of 5 is over: everybody is in the tent"));
}
