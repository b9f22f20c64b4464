//! Laws of drawings and screens.

use meeple_core::{ActionKind, Playable, PlayerLabel, View, Viewer};
use meeple_scene::{Camera, ColorMode, Room, Screen, SvgOptions, line_columns};

use super::fault::{Held, difference, granted, hold};
use super::memory::{Memory, Position};
use super::sight::viewer_text;

/// Names that break careless markup.
fn players(seats: usize) -> Vec<PlayerLabel> {
    let names =
        ["Ann", "<b>&\"'</b>", "", "a rather long name of somebody at the table", "\u{1b}[31m\u{202e}"];
    (0..seats).map(|seat| names[seat % names.len()].into()).collect()
}

/// Law: every viewer gets a well-formed drawing and a screen, and spots are legal actions.
pub(crate) fn drawn<G: Playable>(at: &Position<'_, G>, memory: &mut Memory<G>) -> Held {
    let players = players(at.game.seats());
    let mut viewers = memory.some_viewers(at.game, at.phase, 2);
    viewers.push(Viewer::Everything);
    for viewer in viewers {
        let who = viewer_text(viewer);
        let mut legal = Vec::new();
        let mut owes = false;
        if let Viewer::Seat(seat) = viewer
            && at.phase.owes(seat)
        {
            owes = true;
            at.game.legal_actions(at.state, seat, &mut legal);
        }
        let events: Vec<&G::Event> = at.log.seen_by(viewer).collect();
        let view = || View {
            viewer,
            observation: at.game.observe(at.state, viewer),
            legal: &legal,
            events: &events,
            players: &players,
        };
        let scene = at.game.draw(&view());
        hold!(
            "drawing-has-size",
            scene.width.is_finite() && scene.height.is_finite() && scene.width > 0.0 && scene.height > 0.0,
            "the drawing for {who} is {} by {}",
            scene.width,
            scene.height
        );
        let svg = scene.to_svg(&SvgOptions { interactive: true, ..SvgOptions::default() });
        let read = roxmltree::Document::parse(&svg);
        granted("drawing-well-formed", read, || format!("the drawing for {who} is no XML"))?;
        let again = at.game.draw(&view()).to_svg(&SvgOptions { interactive: true, ..SvgOptions::default() });
        hold!(
            "drawing-repeatable",
            again == svg,
            "the drawing for {who} differs when drawn twice {}",
            difference(&svg, &again)
        );
        for text in scene.actions() {
            let action = granted("spots-parse", text.parse::<G::Action>(), || {
                format!("the drawing for {who} has a spot '{text}', which is no action")
            })?;
            hold!("spots-only-for-owing", owes, "{who} owes nothing, but the drawing has a spot '{text}'");
            if let (ActionKind::Listed, Viewer::Seat(seat)) = (at.game.info().actions, viewer) {
                granted("spots-legal", at.game.check(at.state, seat, &action), || {
                    format!("the drawing for {who} has a spot '{text}', which is illegal")
                })?;
            }
        }
        let screen = at.game.screen(&view());
        hold!("screen-not-empty", !screen.to_plain().trim().is_empty(), "the screen for {who} is empty");
        hold!(
            "screen-repeatable",
            at.game.screen(&view()) == screen,
            "the screen for {who} differs when made twice"
        );
        let _ = screen.to_ansi(ColorMode::TrueColor);
        fits(&screen, &who)?;
    }
    Ok(())
}

/// Columns and lines of test windows: the part of 80 x 24 left for the table, a wide window and a small one.
const WINDOWS: [(usize, usize); 3] = [(80, 18), (120, 34), (40, 12)];

/// The screen fits its windows, and the first area that a board requests is visible.
fn fits(screen: &Screen, who: &str) -> Held {
    for (columns, lines) in WINDOWS {
        let room = Room { columns, lines: Some(lines), cut: "", torn: "" };
        let fitted = screen.fitted(room, &mut Camera::default());
        let widest = fitted.lines.iter().map(|line| line_columns(line)).max().unwrap_or(0);
        hold!(
            "screen-fits",
            widest <= columns && fitted.lines.len() <= lines,
            "the screen for {who} takes {widest} columns and {} lines of {columns} x {lines}",
            fitted.lines.len()
        );
        let board = screen.panels.iter().find(|panel| panel.part == meeple_scene::Part::Board);
        let (Some(board), Some(sight)) = (board, fitted.sight) else { continue };
        let inside = |area: &meeple_scene::Area| {
            // Saturating arithmetic: the law must not panic, whatever a game returns.
            let (column, line) =
                (area.column.saturating_add(area.columns / 2), area.line.saturating_add(area.lines / 2));
            let (above, left) = board.labels;
            let seen = sight.seen;
            (seen.column..seen.column + seen.columns).contains(&column.saturating_sub(left))
                && (seen.line..seen.line + seen.lines).contains(&line.saturating_sub(above))
        };
        hold!(
            "board-follows",
            board.focus.first().is_none_or(inside),
            "the screen for {who} asks to see {:?} of its board first, but {columns} x {lines} show {:?}",
            board.focus[0],
            sight.seen
        );
    }
    Ok(())
}
