//! The parts of a drawing as pages show them apart from each other, in the order in which they were drawn.

use meeple_scene::Scene;

/// The smallest text on a page, in pixels.
const LEGIBLE: f64 = 12.0;

/// A part of a drawing, and what a page must know to give it room.
pub struct Panel {
    /// The part alone; its title is its name.
    pub scene: Scene,
    /// How it stands to the others.
    pub place: Place,
    /// For its element: its shape (`--ratio`), its share of the drawing's width (`--share`), and how wide it must be for its texts to
    /// be read (`--least`).
    pub style: String,
}

/// How a part of a drawing stands to the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// It is the board, which others may stand beside.
    Board,
    /// It begins a new line of them.
    Line,
    /// It follows the one before.
    Next,
}

/// The parts of a drawing; the whole drawing if it has none.
pub fn panels(scene: &Scene) -> Vec<Panel> {
    let parts = scene.in_parts();
    // Pixels of a board unit; a part without text is drawn like the largest of the others.
    let scale = |part: &Scene| part.smallest_text().map(|size| LEGIBLE / size);
    let largest = parts.iter().filter_map(scale).fold(0.0, f64::max);
    let panel = |(index, part): (usize, Scene)| {
        let style = format!(
            "--ratio:{:.4};--share:{:.4};--least:{}px",
            part.width / part.height.max(f64::MIN_POSITIVE),
            part.width / scene.width.max(f64::MIN_POSITIVE),
            (part.width * scale(&part).unwrap_or(largest)).ceil()
        );
        let place = match (index, starts_line(scene, index)) {
            (0, _) if scene.parts.first().is_some_and(|part| part.board.is_some()) => Place::Board,
            (_, true) => Place::Line,
            _ => Place::Next,
        };
        Panel { scene: part, place, style }
    };
    parts.into_iter().enumerate().map(panel).collect()
}

/// Whether a part begins a new line of them: it lies below the one before, and further to the left.
fn starts_line(scene: &Scene, index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| scene.parts.get(before));
    before
        .zip(scene.parts.get(index))
        .is_some_and(|(before, part)| part.y + 1e-6 >= before.y + before.height && part.x + 1e-6 < before.x)
}
