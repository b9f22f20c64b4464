//! A drawing: a page and what stands on it.

use crate::color::Color;
use crate::item::{Anchor, Item, Shape, Transform};
use crate::palette;
use crate::path::Path;

/// A drawing in board units: x to the right, y down, from (0, 0) to (`width`, `height`).
///
/// The methods that add a shape return it, in the usual paint of its kind (areas and text filled
/// with ink, lines as thin ink strokes), to be painted and explained in the same breath:
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
    /// Colour of the ground; none is transparent.
    pub background: Option<Color>,
    /// What the drawing shows, in a few words.
    pub title: String,
    /// What the drawing shows, in full sentences, for those who cannot see it.
    pub description: String,
    /// What is drawn, later items above earlier ones.
    pub items: Vec<Item>,
    /// Parts that can be shown apart from each other, if there are any; see [`Scene::begin_part`].
    pub parts: Vec<ScenePart>,
    /// Places that can be pointed at; see [`Scene::target`].
    pub targets: Vec<Target>,
}

/// A place of a drawing that is not drawn itself: a square of a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// By what it is named.
    pub name: String,
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A part of a drawing: its name, its place in board units, and which items it has.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenePart {
    /// What it is, for people: `map`, `prices`.
    pub name: String,
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// For a board: where its own origin lies, and how large its own unit is, on the drawing. A page with little room
    /// shows a piece of a board; any other part is shown whole.
    pub board: Option<Transform>,
    /// Where on a board something happened last; see [`Scene::look_at`].
    pub focus: Option<(f64, f64)>,
    /// Its items: from this one on, up to the other or to the last.
    pub(crate) from: usize,
    pub(crate) to: Option<usize>,
}

impl ScenePart {
    /// Whether the middle of a target lies in it.
    pub(crate) fn has(&self, target: &Target) -> bool {
        let (x, y) = (target.x + target.width / 2.0 - self.x, target.y + target.height / 2.0 - self.y);
        (0.0..self.width).contains(&x) && (0.0..self.height).contains(&y)
    }
}

impl Scene {
    /// An empty page of the colour of paper.
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

    /// Adds a ready item on top.
    pub fn push(&mut self, item: Item) -> &mut Item {
        let index = self.items.len();
        self.items.push(item);
        &mut self.items[index]
    }

    /// Adds a rectangle with its upper left corner at `x`, `y`.
    pub fn rect(&mut self, x: f64, y: f64, w: f64, h: f64) -> &mut Item {
        self.push(Item::plain(Shape::Rect { x, y, w, h, radius: 0.0 }))
    }

    /// Adds a circle about `x`, `y`.
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

    /// Adds a text whose baseline starts at `x`, `y`; see [`Item::centered`] and [`Item::anchor`].
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

    /// Adds items that share a place, a turn and a scale.
    pub fn group(&mut self, transform: Transform, items: Vec<Item>) -> &mut Item {
        self.push(Item::plain(Shape::Group { transform, items }))
    }

    /// Adds another drawing as a group, on its own ground if it has one; what stands out of its page
    /// is not cut off.
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

    /// Names a place, so that a page can let people point at it where no single action can be named. An interactive
    /// picture has it as an invisible rectangle on top; a picture that is only drawn has not.
    pub fn target(&mut self, name: impl Into<String>, [x, y, width, height]: [f64; 4]) {
        self.targets.push(Target { name: name.into(), x, y, width, height });
    }

    /// Explains items that stand for an action and whose tooltip says no more than the action's text.
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
