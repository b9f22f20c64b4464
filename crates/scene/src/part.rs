//! Parts of a drawing that a narrow page can show separately.

use std::ops::Range;

use crate::item::{Item, Shape, Style, Transform};
use crate::scene::{Scene, ScenePart};

impl Scene {
    /// Begins a part of the drawing. The following items belong to it, until the next part begins or
    /// [`end_part`](Self::end_part) is called. The part's place is in board units. If the part is shown
    /// alone, its items are clipped to that place.
    ///
    /// ```
    /// use meeple_scene::Scene;
    /// let mut scene = Scene::new(12.0, 8.0);
    /// scene.begin_part("board", 0.0, 0.0, 8.0, 8.0);
    /// scene.circle(4.0, 4.0, 1.0);
    /// scene.begin_part("scores", 8.0, 0.0, 4.0, 2.0);
    /// scene.text(8.5, 1.0, 0.5, "Ann: 3");
    /// let parts = scene.in_parts();
    /// assert_eq!((parts[1].title.as_str(), parts[1].width, parts[1].items.len()), ("scores", 4.0, 1));
    /// ```
    pub fn begin_part(&mut self, name: impl Into<String>, x: f64, y: f64, width: f64, height: f64) {
        self.end_part();
        let from = self.items.len();
        let name = name.into();
        self.parts.push(ScenePart { name, x, y, width, height, board: None, focus: None, from, to: None });
    }

    /// Begins a part that is a board: a small page shows a section of it, which people can move and zoom.
    /// `at` maps the board's own origin and unit to the drawing, so a page can keep its section in place when
    /// the board grows. The rotation of `at` is ignored.
    ///
    /// ```
    /// use meeple_scene::{Scene, Transform};
    /// let mut scene = Scene::new(12.0, 8.0);
    /// scene.begin_board("map", [0.0, 0.0, 8.0, 8.0], Transform::at(4.0, 4.0).scaled(0.5));
    /// assert_eq!(scene.parts[0].board.map(|at| at.scale), Some(0.5));
    /// ```
    pub fn begin_board(&mut self, name: impl Into<String>, [x, y, width, height]: [f64; 4], at: Transform) {
        self.begin_part(name, x, y, width, height);
        if let Some(part) = self.parts.last_mut() {
            part.board = Some(at);
        }
    }

    /// Sets the point of the last event on the current part's board, in the drawing's units. A page that
    /// shows a section of the board centres the section on this point, unless people choose another one.
    pub fn look_at(&mut self, x: f64, y: f64) {
        if let Some(part) = self.parts.last_mut() {
            part.focus = Some((x, y));
        }
    }

    /// Ends the current part. The following items belong to no part, and are omitted if parts are shown
    /// separately. They must only repeat content that the page shows elsewhere, such as the latest events.
    pub fn end_part(&mut self) {
        let end = self.items.len();
        if let Some(last) = self.parts.last_mut() {
            last.to.get_or_insert(end);
        }
    }

    /// The parts with the ranges of their items. A drawing without parts is one board.
    pub(crate) fn panels(&self) -> Vec<(ScenePart, Range<usize>)> {
        let end = self.items.len();
        if self.parts.is_empty() {
            let (x, y, width, height) = (0.0, 0.0, self.width, self.height);
            let board = Some(Transform::default());
            let name = "board".to_owned();
            let whole = ScenePart { name, x, y, width, height, board, focus: None, from: 0, to: None };
            return vec![(whole, 0..end)];
        }
        let items = |part: &ScenePart| part.from.min(end)..part.to.unwrap_or(end).min(end);
        self.parts.iter().map(|part| (part.clone(), items(part))).collect()
    }

    /// The parts as separate drawings, in the order in which they begin; the whole drawing if it has no
    /// parts. The title of each drawing is the name of its part. The first drawing has the description of the
    /// whole.
    pub fn in_parts(&self) -> Vec<Scene> {
        if self.parts.is_empty() {
            return vec![self.clone()];
        }
        let part = |(index, (part, items)): (usize, (ScenePart, Range<usize>))| {
            let items = &self.items[items];
            let mut scene = Scene::new(part.width, part.height);
            scene.background = self.background;
            scene.title.clone_from(&part.name);
            if index == 0 {
                scene.description.clone_from(&self.description);
            }
            let moved = Shape::Group { transform: Transform::at(-part.x, -part.y), items: items.to_vec() };
            scene.push(Item::new(moved, Style::default()));
            scene
        };
        self.panels().into_iter().enumerate().map(part).collect()
    }

    /// The size of the smallest text in board units; `None` without text. It determines the smallest legible
    /// scale of the drawing.
    ///
    /// ```
    /// use meeple_scene::{Scene, Transform};
    /// let mut tile = Scene::new(1.0, 1.0);
    /// tile.text(0.5, 0.5, 0.4, "7");
    /// let mut board = Scene::new(8.0, 8.0);
    /// board.text(0.0, 1.0, 0.3, "a board");
    /// board.place(Transform::at(1.0, 1.0).scaled(0.5), tile);
    /// assert_eq!(board.smallest_text(), Some(0.2));
    /// ```
    pub fn smallest_text(&self) -> Option<f64> {
        smallest_text(&self.items).filter(|size| *size > 0.0)
    }
}

pub(crate) fn smallest_text(items: &[Item]) -> Option<f64> {
    let size = |item: &Item| match &item.shape {
        Shape::Text { size, text, .. } if !text.trim().is_empty() => Some(*size),
        Shape::Group { transform, items } => smallest_text(items).map(|size| size * transform.scale),
        _ => None,
    };
    items.iter().filter_map(size).reduce(f64::min)
}
