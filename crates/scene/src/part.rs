//! Parts of a drawing that can be shown apart from each other, as on a narrow page.

use std::ops::Range;

use crate::item::{Item, Shape, Style, Transform};
use crate::scene::{Scene, ScenePart};

impl Scene {
    /// Begins a part of the drawing: what is added from here on belongs to it, until the next part begins or
    /// [`end_part`](Self::end_part) is called. Its place is in board units; what stands out of it is cut off
    /// where the part is shown alone.
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

    /// Begins a part that is a board: a page with little room shows a piece of it, which can be moved and enlarged. `at`
    /// is where the board's own origin lies, and how large its unit is, on the drawing: when the board grows, a page keeps
    /// what it shows where it is. A turn of `at` says nothing.
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

    /// Says where on the board of this part something happened last, on the drawing: a page that shows a piece of it
    /// shows this, as long as nothing else is asked for.
    pub fn look_at(&mut self, x: f64, y: f64) {
        if let Some(part) = self.parts.last_mut() {
            part.focus = Some((x, y));
        }
    }

    /// What is added from here on belongs to no part, and is left out where parts are shown apart: what a page
    /// tells otherwise, as the latest events.
    pub fn end_part(&mut self) {
        let end = self.items.len();
        if let Some(last) = self.parts.last_mut() {
            last.to.get_or_insert(end);
        }
    }

    /// The parts with their items, the whole drawing as one board if it has none.
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

    /// The parts as drawings of their own, in the order in which they were begun; the whole drawing if it has
    /// none. Each has its name as title, and the first the description of the whole.
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

    /// The size of the smallest text in board units, by which one can tell how large the drawing must be shown
    /// to be read; `None` if there is no text.
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

/// The size of the smallest text of these items.
pub(crate) fn smallest_text(items: &[Item]) -> Option<f64> {
    let size = |item: &Item| match &item.shape {
        Shape::Text { size, text, .. } if !text.trim().is_empty() => Some(*size),
        Shape::Group { transform, items } => smallest_text(items).map(|size| size * transform.scale),
        _ => None,
    };
    items.iter().filter_map(size).reduce(f64::min)
}
