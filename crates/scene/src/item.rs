//! Shapes, their paint and their meaning.

use crate::color::Color;
use crate::palette;
use crate::path::Path;
use crate::text::{HALF_CAPITAL, LINE_HEIGHT, text_width};

/// Paint of a shape. The default paints nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Colour of the inside; in a text, of the letters.
    pub fill: Option<Color>,
    /// Colour of the outline. In a text it lies behind the letters, as a halo.
    pub stroke: Option<Color>,
    /// Width of the outline in board units.
    pub stroke_width: f64,
    /// Opacity from 0 (invisible) to 1, for inside and outline together, and for a group as a whole.
    pub opacity: f64,
    /// True if the outline is dashed; dashes are proportional to its width.
    pub dash: bool,
    /// True if ends and corners of the outline are round.
    pub round: bool,
}

impl Default for Style {
    fn default() -> Style {
        Style { fill: None, stroke: None, stroke_width: 0.0, opacity: 1.0, dash: false, round: false }
    }
}

impl Style {
    /// A filled inside without outline.
    pub fn fill(color: Color) -> Style {
        Style { fill: Some(color), ..Style::default() }
    }

    /// An outline without inside, `width` board units wide.
    pub fn stroke(color: Color, width: f64) -> Style {
        Style::default().with_stroke(color, width)
    }

    /// Adds an outline, `width` board units wide.
    pub fn with_stroke(mut self, color: Color, width: f64) -> Style {
        self.stroke = Some(color);
        self.stroke_width = width;
        self
    }

    /// Sets the opacity (0 to 1).
    pub fn opacity(mut self, opacity: f64) -> Style {
        self.opacity = opacity;
        self
    }

    /// Dashes the outline.
    pub fn dashed(mut self) -> Style {
        self.dash = true;
        self
    }

    /// Rounds ends and corners of the outline.
    pub fn rounded(mut self) -> Style {
        self.round = true;
        self
    }
}

/// Point of a text that lies at its `x`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// The left end of the text.
    #[default]
    Start,
    /// The middle of the text.
    Middle,
    /// The right end of the text.
    End,
}

/// Placement of a group: scaled and turned about its origin, then moved so that the origin lies at (`x`,
/// `y`).
///
/// ```
/// use meeple_scene::{Scene, Transform};
/// // A tile of 1 x 1 on square (3, 2) of a board, turned by a quarter about its middle.
/// let square = Transform::at(3.5, 2.5).about(0.5, 0.5).rotated(90.0);
/// Scene::new(8.0, 8.0).place(square, Scene::new(1.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Horizontal position of the origin, in units of the surrounding drawing.
    pub x: f64,
    /// Vertical position of the origin, in units of the surrounding drawing.
    pub y: f64,
    /// Reference point of the group in its own units: it is placed at (`x`, `y`) and is the centre of the
    /// turn.
    pub origin: (f64, f64),
    /// Clockwise turn in degrees.
    pub degrees: f64,
    /// Factor on all sizes.
    pub scale: f64,
}

impl Default for Transform {
    fn default() -> Transform {
        Transform { x: 0.0, y: 0.0, origin: (0.0, 0.0), degrees: 0.0, scale: 1.0 }
    }
}

impl Transform {
    /// Moves the group's (0, 0) to a point.
    pub fn at(x: f64, y: f64) -> Transform {
        Transform { x, y, ..Transform::default() }
    }

    /// Takes this point of the group, in its own units, as the origin.
    pub fn about(mut self, x: f64, y: f64) -> Transform {
        self.origin = (x, y);
        self
    }

    /// Turns the group clockwise.
    pub fn rotated(mut self, degrees: f64) -> Transform {
        self.degrees = degrees;
        self
    }

    /// Scales the group by this factor.
    pub fn scaled(mut self, scale: f64) -> Transform {
        self.scale = scale;
        self
    }
}

/// The geometry of an [`Item`], in board units with y down.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
pub enum Shape {
    /// A rectangle of size `w`, `h` with its upper left corner at (`x`, `y`). A `radius` of 0 makes sharp
    /// corners.
    Rect { x: f64, y: f64, w: f64, h: f64, radius: f64 },
    /// A circle with its centre at (`x`, `y`).
    Circle { x: f64, y: f64, r: f64 },
    /// A straight line from one point to the other.
    Line { x1: f64, y1: f64, x2: f64, y2: f64 },
    /// A closed outline of straight lines.
    Polygon(Vec<(f64, f64)>),
    /// An open chain of straight lines.
    Polyline(Vec<(f64, f64)>),
    /// An outline with curves.
    Path(Path),
    /// A text whose anchor lies at `x`. A line break starts a new line below. `y` is the baseline of the
    /// first line. `size` is the font size; a capital letter has 0.73 of this height.
    Text { x: f64, y: f64, size: f64, anchor: Anchor, bold: bool, text: String },
    /// Items with their own units and placement, drawn in order.
    Group { transform: Transform, items: Vec<Item> },
}

/// A painted shape, and the meaning of clicking it.
///
/// The methods change the item in place and return it, so calls can be chained after those of
/// [`Scene`](crate::Scene). Methods for one kind of shape ignore other kinds.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Geometry of the item.
    pub shape: Shape,
    /// Paint of the item.
    pub style: Style,
    /// Text form of the action this item represents, if it can be chosen now.
    pub action: Option<String>,
    /// A short explanation for people, shown on hovering and read by screen readers.
    pub tooltip: Option<String>,
    /// True if the spots of this group lie at one place, whose name is the tooltip; see [`Item::place`].
    pub is_place: bool,
}

impl Item {
    /// An item with a shape and a style, without action or tooltip.
    pub fn new(shape: Shape, style: Style) -> Item {
        Item { shape, style, action: None, tooltip: None, is_place: false }
    }

    /// An item in the usual paint of its kind: areas and text in ink, lines as thin ink strokes.
    pub fn plain(shape: Shape) -> Item {
        let style = match shape {
            Shape::Line { .. } | Shape::Polyline(_) => Style::stroke(palette::INK, 0.05),
            Shape::Group { .. } => Style::default(),
            _ => Style::fill(palette::INK),
        };
        Item::new(shape, style)
    }

    /// Replaces the style.
    pub fn style(&mut self, style: Style) -> &mut Item {
        self.style = style;
        self
    }

    /// Fills the inside; in a text, sets the colour of the letters.
    pub fn fill(&mut self, color: Color) -> &mut Item {
        self.style.fill = Some(color);
        self
    }

    /// Adds an outline, `width` board units wide; in a text, a halo behind the letters.
    pub fn stroke(&mut self, color: Color, width: f64) -> &mut Item {
        self.style.stroke = Some(color);
        self.style.stroke_width = width;
        self
    }

    /// Removes the fill and adds an outline, `width` board units wide.
    pub fn outline(&mut self, color: Color, width: f64) -> &mut Item {
        self.style.fill = None;
        self.stroke(color, width)
    }

    /// Sets the opacity (0 to 1).
    pub fn opacity(&mut self, opacity: f64) -> &mut Item {
        self.style.opacity = opacity;
        self
    }

    /// Dashes the outline.
    pub fn dashed(&mut self) -> &mut Item {
        self.style.dash = true;
        self
    }

    /// Rounds ends and corners of the outline.
    pub fn rounded(&mut self) -> &mut Item {
        self.style.round = true;
        self
    }

    /// Rounds the corners of a rectangle.
    pub fn corner(&mut self, corner_radius: f64) -> &mut Item {
        if let Shape::Rect { radius, .. } = &mut self.shape {
            *radius = corner_radius;
        }
        self
    }

    /// Sets the point of a text that lies at its `x`.
    pub fn anchor(&mut self, text_anchor: Anchor) -> &mut Item {
        if let Shape::Text { anchor, .. } = &mut self.shape {
            *anchor = text_anchor;
        }
        self
    }

    /// Centres a text on its point in both directions, by the height of capitals and digits.
    ///
    /// Call it once, after the text is final.
    pub fn centered(&mut self) -> &mut Item {
        if let Shape::Text { y, size, anchor, text, .. } = &mut self.shape {
            let breaks = text.matches('\n').count() as f64;
            *anchor = Anchor::Middle;
            *y += *size * (HALF_CAPITAL - breaks * LINE_HEIGHT / 2.0);
        }
        self
    }

    /// Makes a text bold.
    pub fn bold(&mut self) -> &mut Item {
        if let Shape::Text { bold, .. } = &mut self.shape {
            *bold = true;
        }
        self
    }

    /// Shrinks a text to fit a width in board units. A text that fits keeps its size.
    ///
    /// Call it after [`bold`](Item::bold) and before [`centered`](Item::centered).
    pub fn fit(&mut self, max_width: f64) -> &mut Item {
        if let Shape::Text { size, bold, text, .. } = &mut self.shape {
            let width = text_width(text, *size, *bold);
            if width > max_width && max_width >= 0.0 {
                *size *= max_width / width;
            }
        }
        self
    }

    /// Shortens a text wider than `max_width` board units and appends an ellipsis. The size of the letters
    /// stays, and the full text becomes the tooltip.
    ///
    /// Call it after [`bold`](Item::bold).
    pub fn cut(&mut self, max_width: f64) -> &mut Item {
        if let Shape::Text { size, bold, text, .. } = &mut self.shape
            && text_width(text, *size, *bold) > max_width
        {
            let whole = text.clone();
            // A binary search: names in uploaded replays can be long.
            let ends: Vec<usize> = text.char_indices().map(|(at, letter)| at + letter.len_utf8()).collect();
            let fits = |end: &usize| text_width(&format!("{}…", &text[..*end]), *size, *bold) <= max_width;
            let kept =
                ends[..ends.partition_point(fits)].last().map_or(0, |end| text[..*end].trim_end().len());
            text.truncate(kept);
            text.push('…');
            self.tooltip = Some(whole);
        }
        self
    }

    /// Sets the action that this item represents, in text form.
    pub fn action(&mut self, action: impl Into<String>) -> &mut Item {
        self.action = Some(action.into());
        self
    }

    /// Marks the spots of this group as one place with this name. If a page shows the spots too small to
    /// press each of them, people press the place and then choose among its spots.
    pub fn place(&mut self, name: impl Into<String>) -> &mut Item {
        self.is_place = true;
        self.tooltip(name)
    }

    /// Sets the explanation for people.
    pub fn tooltip(&mut self, tooltip: impl Into<String>) -> &mut Item {
        self.tooltip = Some(tooltip.into());
        self
    }
}
