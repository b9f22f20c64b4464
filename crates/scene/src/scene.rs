//! A drawing: a page with items.

use crate::color::Color;
use crate::item::{Anchor, Item, Shape, Transform};
use crate::palette;
use crate::path::Path;

/// A drawing in board units: x to the right, y down, from (0, 0) to (`width`, `height`).
///
/// The methods that add a shape return the item for further calls. The default paint of an item depends on
/// the kind of shape: areas and text are filled with ink, lines are thin ink strokes.
///
/// ```
/// use meeple_scene::{palette, Scene, Style};
/// let mut scene = Scene::new(10.0, 10.0);
/// scene.rect(1.0, 1.0, 2.0, 2.0).style(Style::fill(palette::GRASS)).action("a1");
/// scene.line(0.0, 5.0, 10.0, 5.0).stroke(palette::LINE, 0.1).dashed();
/// assert_eq!(scene.items.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Width in board units.
    pub width: f64,
    /// Height in board units.
    pub height: f64,
    /// Background colour; `None` is transparent.
    pub background: Option<Color>,
    /// Content of the drawing, in a few words.
    pub title: String,
    /// Content of the drawing in full sentences, for people who cannot see it.
    pub description: String,
    /// Items in drawing order, later ones on top.
    pub items: Vec<Item>,
    /// Parts that can be shown separately, if any; see [`Scene::begin_part`].
    pub parts: Vec<ScenePart>,
    /// Places that people can point at; see [`Scene::target`].
    pub targets: Vec<Target>,
}

/// An invisible place in a drawing, such as a square of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Name for people and pages.
    pub name: String,
    /// Left edge, in board units.
    pub x: f64,
    /// Upper edge, in board units.
    pub y: f64,
    /// Width, in board units.
    pub width: f64,
    /// Height, in board units.
    pub height: f64,
}

/// A part of a drawing: its name, its place in board units, and its items.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenePart {
    /// Name for people: `map`, `prices`.
    pub name: String,
    /// Left edge, in board units.
    pub x: f64,
    /// Upper edge, in board units.
    pub y: f64,
    /// Width, in board units.
    pub width: f64,
    /// Height, in board units.
    pub height: f64,
    /// For a board, the placement of its own origin and unit on the drawing; else `None`. A small page shows
    /// a section of a board, but other parts as a whole.
    pub board: Option<Transform>,
    /// Point of the last event on a board; see [`Scene::look_at`].
    pub focus: Option<(f64, f64)>,
    /// Range of the part's items: from this index up to `to`, or to the end.
    pub(crate) from: usize,
    pub(crate) to: Option<usize>,
}

impl ScenePart {
    /// Returns true if the middle of a target lies in this part.
    pub(crate) fn has(&self, target: &Target) -> bool {
        let (x, y) = (target.x + target.width / 2.0 - self.x, target.y + target.height / 2.0 - self.y);
        (0.0..self.width).contains(&x) && (0.0..self.height).contains(&y)
    }
}

impl Scene {
    /// An empty page on paper colour.
    pub fn new(width: f64, height: f64) -> Scene {
        Scene {
            width,
            height,
            background: Some(palette::PAPER),
            title: String::new(),
            description: String::new(),
            items: Vec::new(),
            parts: Vec::new(),
            targets: Vec::new(),
        }
    }

    /// Adds an item above all others.
    pub fn push(&mut self, item: Item) -> &mut Item {
        let index = self.items.len();
        self.items.push(item);
        &mut self.items[index]
    }

    /// Adds a rectangle with its upper left corner at (`x`, `y`).
    pub fn rect(&mut self, x: f64, y: f64, w: f64, h: f64) -> &mut Item {
        self.push(Item::plain(Shape::Rect { x, y, w, h, radius: 0.0 }))
    }

    /// Adds a circle about (`x`, `y`) with radius `r`.
    pub fn circle(&mut self, x: f64, y: f64, r: f64) -> &mut Item {
        self.push(Item::plain(Shape::Circle { x, y, r }))
    }

    /// Adds a straight line.
    pub fn line(&mut self, x1: f64, y1: f64, x2: f64, y2: f64) -> &mut Item {
        self.push(Item::plain(Shape::Line { x1, y1, x2, y2 }))
    }

    /// Adds a closed outline of straight lines.
    pub fn polygon(&mut self, points: impl Into<Vec<(f64, f64)>>) -> &mut Item {
        self.push(Item::plain(Shape::Polygon(points.into())))
    }

    /// Adds an open chain of straight lines.
    pub fn polyline(&mut self, points: impl Into<Vec<(f64, f64)>>) -> &mut Item {
        self.push(Item::plain(Shape::Polyline(points.into())))
    }

    /// Adds an outline with curves.
    pub fn path(&mut self, path: Path) -> &mut Item {
        self.push(Item::plain(Shape::Path(path)))
    }

    /// Adds a text whose baseline starts at (`x`, `y`); see [`Item::centered`] and [`Item::anchor`].
    pub fn text(&mut self, x: f64, y: f64, size: f64, text: impl Into<String>) -> &mut Item {
        self.push(Item::plain(Shape::Text {
            x,
            y,
            size,
            anchor: Anchor::Start,
            bold: false,
            text: text.into(),
        }))
    }

    /// Adds items with a common position, turn and scale.
    pub fn group(&mut self, transform: Transform, items: Vec<Item>) -> &mut Item {
        self.push(Item::plain(Shape::Group { transform, items }))
    }

    /// Adds another drawing as a group, with its background if it has one. Items beyond its page are not
    /// clipped.
    ///
    /// ```
    /// use meeple_scene::{palette, Scene, Transform};
    /// let mut tile = Scene::new(1.0, 1.0);
    /// tile.circle(0.5, 0.5, 0.3).fill(palette::GRASS);
    /// let mut board = Scene::new(8.0, 8.0);
    /// board.place(Transform::at(3.0, 2.0), tile).action("put d3");
    /// ```
    pub fn place(&mut self, transform: Transform, mut scene: Scene) -> &mut Item {
        if let Some(color) = scene.background {
            scene.rect(0.0, 0.0, scene.width, scene.height).fill(color);
            scene.items.rotate_right(1);
        }
        self.group(transform, scene.items)
    }

    /// Names a place that people can point at although it represents no single action. Interactive pictures
    /// contain the place as an invisible rectangle on top; static pictures omit it.
    pub fn target(&mut self, name: impl Into<String>, [x, y, width, height]: [f64; 4]) {
        self.targets.push(Target { name: name.into(), x, y, width, height });
    }

    /// Sets the tooltips of items with an action if they are missing, empty or equal to the action's text.
    /// `words` explains an action.
    pub fn explain_actions(&mut self, words: impl Fn(&str) -> Option<String>) {
        explain(&mut self.items, &words);
    }

    /// The actions of all items, in drawing order, each once.
    pub fn actions(&self) -> Vec<&str> {
        let mut actions = Vec::new();
        collect_actions(&self.items, &mut actions);
        actions
    }
}

fn explain(items: &mut [Item], words: &impl Fn(&str) -> Option<String>) {
    for item in items {
        if let Some(action) = &item.action
            && item.tooltip.as_ref().is_none_or(|tooltip| tooltip.is_empty() || tooltip == action)
            && let Some(words) = words(action)
        {
            item.tooltip = Some(words);
        }
        if let Shape::Group { items, .. } = &mut item.shape {
            explain(items, words);
        }
    }
}

fn collect_actions<'scene>(items: &'scene [Item], actions: &mut Vec<&'scene str>) {
    for item in items {
        if let Some(action) = &item.action
            && !actions.contains(&action.as_str())
        {
            actions.push(action);
        }
        if let Shape::Group { items, .. } = &item.shape {
            collect_actions(items, actions);
        }
    }
}
