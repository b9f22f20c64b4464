//! Colours and letters of owners.

use std::collections::BTreeMap;

use meeple_core::PlayerLabel;
use meeple_scene::{Color, palette};

/// R8.2: the colour of zombies, if players have colours.
pub const ZOMBIE_COLOR: Color = Color(116, 116, 232);

const T800_COLOR: &str = "xkcd:dark purple";

/// Parses a colour. It may be any CSS form (a name, `#rgb`, `#rrggbb`, …), or `xkcd:` with a name of the xkcd
/// colour survey. It may also be another form of matplotlib (`r`, `C1`, `tab:blue`, `0.5`). Colours are
/// opaque, so an alpha part is ignored.
pub fn parse_color(text: &str) -> Result<Color, String> {
    let text = text.trim();
    if let Some(name) = text.to_lowercase().strip_prefix("xkcd:") {
        return of_survey(name.trim()).ok_or_else(|| {
            format!("unknown colour '{text}'\nhint: the names are those of the xkcd colour survey, as in {T800_COLOR}")
        });
    }
    if let Ok(color) = csscolorparser::parse(text) {
        let [red, green, blue, _] = color.to_rgba8();
        return Ok(Color(red, green, blue));
    }
    of_plots(text).ok_or_else(|| {
        format!(
            "unknown colour '{text}'\nhint: a CSS name (teal), #rrggbb, or xkcd: and a name ({T800_COLOR})"
        )
    })
}

/// The colours of matplotlib, which the original uses. They are letters, `C0` to `C9` (the names after `tab:`
/// in this order), and shades of grey from 0 to 1.
fn of_plots(text: &str) -> Option<Color> {
    const LETTERS: [(&str, Color); 8] = [
        ("b", Color(0, 0, 255)),
        ("g", Color(0, 128, 0)),
        ("r", Color(255, 0, 0)),
        ("c", Color(0, 191, 191)),
        ("m", Color(191, 0, 191)),
        ("y", Color(191, 191, 0)),
        ("k", Color(0, 0, 0)),
        ("w", Color(255, 255, 255)),
    ];
    const TABLE: [(&str, &str); 10] = [
        ("blue", "#1f77b4"),
        ("orange", "#ff7f0e"),
        ("green", "#2ca02c"),
        ("red", "#d62728"),
        ("purple", "#9467bd"),
        ("brown", "#8c564b"),
        ("pink", "#e377c2"),
        ("gray", "#7f7f7f"),
        ("olive", "#bcbd22"),
        ("cyan", "#17becf"),
    ];
    let text = text.to_lowercase();
    if let Some((_, color)) = LETTERS.iter().find(|(letter, _)| *letter == text) {
        return Some(*color);
    }
    let name = text.strip_prefix("tab:").map(|name| if name == "grey" { "gray" } else { name });
    let number = text.strip_prefix('c').and_then(|number| number.parse::<usize>().ok());
    let at = match name {
        Some(name) => TABLE.iter().position(|(own, _)| *own == name),
        None => number.map(|number| number % TABLE.len()),
    };
    if let Some(at) = at {
        return Some(Color::hex(TABLE[at].1));
    }
    let grey = text.parse::<f64>().ok().filter(|grey| (0.0..=1.0).contains(grey))?;
    let shade = (grey * 255.0).round() as u8;
    Some(Color(shade, shade, shade))
}

/// The colour of a name in the xkcd colour survey (xkcd.com/color/rgb, in the public domain).
fn of_survey(name: &str) -> Option<Color> {
    let lines = include_str!("xkcd.txt").lines().filter_map(|line| line.split_once(' '));
    lines.into_iter().find(|(_, own)| *own == name).map(|(code, _)| Color::hex(code))
}

/// The style of a board. Without players, every square shows its owner's id on a shade of purple; more pieces
/// make it brighter. With players, every square shows its pieces on its owner's colour, and a letter for
/// people who cannot distinguish the colours.
#[derive(Clone, Debug, Default)]
pub struct BoardStyle {
    players: BTreeMap<u16, Player>,
    /// The viewer's owner id. The viewer is also a player.
    own: Option<u16>,
    counts: bool,
}

#[derive(Clone, Debug)]
struct Player {
    color: Color,
    letter: char,
    name: String,
}

impl BoardStyle {
    /// The style with owner ids on purple and without players.
    pub fn ids() -> Self {
        Self::default()
    }

    /// The style of a table: every owner is a player, unless its label is empty or a zombie's. Invalid
    /// colours are ignored.
    pub fn of_players(labels: &[PlayerLabel]) -> Self {
        let mut style = Self::default();
        for (owner, label) in labels.iter().enumerate() {
            let (name, color) =
                (&label.name, label.color.as_deref().and_then(|color| parse_color(color).ok()));
            if name.is_empty() || name == "zombie" || name.starts_with("zombie:") {
                continue;
            }
            let color = color.or_else(|| {
                name.starts_with("t800").then(|| parse_color(T800_COLOR).expect("a name of the survey"))
            });
            style.add(owner as u16, name, color);
        }
        style
    }

    /// Makes an owner a player. Without a colour, it gets the next one of the palette.
    pub fn add(&mut self, owner: u16, name: &str, color: Option<Color>) {
        let index = self.players.len();
        let letter = char::from(b'A' + (index % 26) as u8);
        let color = color.unwrap_or_else(|| palette::seat_color(index));
        self.players.insert(owner, Player { color, letter, name: name.to_owned() });
    }

    /// Makes an owner a player, as given by `ID=COLOUR` (or `ID:COLOUR`, as in the original). `size` is the
    /// side of the board.
    pub fn add_player(&mut self, text: &str, size: usize) -> Result<(), String> {
        let last = size * size - 1;
        let (owner, color) = text
            .split_once(['=', ':'])
            .and_then(|(owner, color)| Some((owner.trim().parse::<u16>().ok()?, color)))
            .filter(|(owner, _)| usize::from(*owner) <= last)
            .ok_or_else(|| format!("expected ID=COLOUR with an id from 0 to {last}, found '{text}'"))?;
        self.add(owner, "player", Some(parse_color(color)?));
        Ok(())
    }

    /// R8.1: the same style with a line of counts below every row of owner ids.
    pub fn with_counts(self) -> Self {
        Self { counts: true, ..self }
    }

    pub(crate) fn counts(&self) -> bool {
        self.counts && self.players.is_empty()
    }

    pub fn has_players(&self) -> bool {
        !self.players.is_empty()
    }

    pub(crate) fn color(&self, owner: u16, number: i64, most: i64) -> Color {
        match self.players.get(&owner) {
            Some(player) => player.color,
            None if self.has_players() => ZOMBIE_COLOR,
            None => purple(number, most),
        }
    }

    pub(crate) fn legend_color(&self, owner: u16) -> Color {
        if self.has_players() { self.color(owner, 0, 0) } else { purple(1, 2) }
    }

    /// The letter of a player; `None` for zombies.
    pub(crate) fn letter(&self, owner: u16) -> Option<char> {
        self.players.get(&owner).map(|player| player.letter)
    }

    pub(crate) fn set_own(&mut self, owner: u16) {
        self.own = Some(owner);
        if !self.players.contains_key(&owner) {
            self.add(owner, "you", None);
        }
    }

    pub(crate) fn is_own(&self, owner: u16) -> bool {
        self.own == Some(owner)
    }

    /// The owner's name within a sentence.
    pub(crate) fn title(&self, owner: u16) -> String {
        match self.players.get(&owner) {
            _ if self.is_own(owner) => "yours".to_owned(),
            Some(player) => format!("{} ({})", player.letter, player.name),
            None => format!("zombie {owner}"),
        }
    }

    /// The name of a player; `None` for zombies.
    pub(crate) fn player(&self, owner: u16) -> Option<&str> {
        self.players.get(&owner).map(|player| player.name.as_str())
    }

    /// The owner's name in lists.
    pub(crate) fn name(&self, owner: u16) -> String {
        match self.players.get(&owner) {
            Some(player) => format!("{} {owner} ({})", player.letter, player.name),
            None => owner.to_string(),
        }
    }
}

/// R8.1: a shade of purple; more pieces make it brighter.
fn purple(number: i64, most: i64) -> Color {
    let level = (70 + i128::from(number.max(0)) * 185 / i128::from(most.max(1))).min(255);
    Color(level as u8, level as u8, (2 * level).min(255) as u8)
}
