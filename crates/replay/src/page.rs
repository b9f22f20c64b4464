//! An episode as one self-contained HTML page, without network or other files.

mod lines;
mod portion;

use meeple_core::{EpisodeView, Information, Phase, PlayerLabel, Replay, Seat, Viewer};
use meeple_scene::Scene;
use serde_json::{Value, json};

use self::lines::{DistinctLines, Drawing, STILL};
use self::portion::Marks;
pub use self::portion::{PageBudget, Portion};
use crate::faults::FaultLog;
use crate::names::Names;
use crate::panels::{DrawingPanel, PanelPlacement, panels};
use crate::watch::{MomentWatcher, may_hear};

/// Interval between moments stored in full, in moments. It bounds the changes that a jump must apply.
const WHOLE_EVERY: usize = 100;
/// Tables with more players group neighbours with the same label in one row.
const MAX_ROWS: usize = 16;
pub const PLAYER_SCRIPT: &str = include_str!("page/player.js");

/// The names, with runs of equal players collapsed: `one, other ×195`.
fn collapsed(names: &[PlayerLabel]) -> String {
    let group_text = |group: &[PlayerLabel]| match group {
        [player] => player.name.to_string(),
        _ => format!("{} ×{}", group[0].name, group.len()),
    };
    names.chunk_by(|one, other| one == other).map(group_text).collect::<Vec<_>>().join(", ")
}

/// The moments of an episode as shown to a viewer, or a portion of them. Successive drawings are mostly
/// equal. Therefore each distinct line is stored once, and most moments are stored as changes to the previous
/// one.
pub struct Page {
    viewer: Viewer,
    players: Vec<PlayerLabel>,
    /// First seat and number of seats of each row.
    groups: Vec<(usize, usize)>,
    worth: MomentWatcher,
    faults: FaultLog,
    lines: DistinctLines,
    moments: Vec<Value>,
    drawing: Drawing,
    scores: Vec<Value>,
    /// Number of moments that the viewer may notice, as counted by `render --at`; some have no picture.
    seen: usize,
    steps: usize,
    log: Vec<String>,
    /// Length at the last moment, in rounds or another length unit.
    length: u64,
    /// True if a landmark has come since the last moment.
    landmark: bool,
    /// Marks of the whole episode, also outside the portion.
    marks: Marks,
    portion: Portion,
    spent: PageBudget,
    until: Option<usize>,
}

impl Page {
    /// The page of a replay for this viewer. The moments are [added](Self::add) one by one.
    pub fn new(viewer: Viewer, replay: &Replay) -> Self {
        Self::with_portion(viewer, replay, Portion::default())
    }

    pub fn with_portion(viewer: Viewer, replay: &Replay, portion: Portion) -> Self {
        let players = &replay.players;
        let mut groups = Vec::new();
        let mut first = 0;
        for group in players.chunk_by(|one, other| one == other) {
            match players.len() {
                0..=MAX_ROWS => groups.extend((first..first + group.len()).map(|seat| (seat, 1))),
                _ => groups.push((first, group.len())),
            }
            first += group.len();
        }
        Self {
            viewer,
            players: players.clone(),
            groups,
            worth: MomentWatcher::new(viewer),
            faults: FaultLog::new(viewer, replay),
            lines: DistinctLines::default(),
            moments: Vec::new(),
            drawing: Drawing::default(),
            scores: Vec::new(),
            seen: 0,
            steps: 0,
            log: Vec::new(),
            length: 0,
            landmark: false,
            marks: Marks::default(),
            portion,
            spent: PageBudget { bytes: 0, lines: 0 },
            until: None,
        }
    }

    pub fn until(&self) -> Option<usize> {
        self.until
    }

    /// Adds the next moment that the viewer may notice.
    pub fn add(&mut self, episode: &dyn EpisodeView) {
        let number = self.seen;
        self.seen += 1;
        let is_drawn = number >= self.portion.from && self.until.is_none();
        for index in self.steps..episode.steps() {
            if self.until.is_some() {
                break;
            }
            self.log.extend(self.faults.until(index, episode));
            if let Some((seat, action)) = episode.step_text(index).split_once(' ')
                && let Ok(seat) = seat.parse::<usize>()
                && may_hear(episode, self.viewer, seat)
            {
                let player = self.players.get(seat).map_or("", |player| player.name.as_str());
                self.log.push(format!("seat {seat} {player}: {action}"));
            }
        }
        self.steps = episode.steps();
        self.log.extend(self.faults.news(episode));
        let news = self.worth.news(episode);
        self.landmark |= news.landmark;
        self.log.extend(news.texts);
        if !news.shown {
            return;
        }
        self.marks.add(number, self.landmark, self.counted(episode), self.owing(episode));
        if !is_drawn {
            self.log.clear();
            self.landmark = false;
            return;
        }
        let first = self.moments.is_empty();
        let drawing = self.draw(&episode.draw(self.viewer, &self.players));
        // A moment without a visible change or event is not stored, because it must stay hidden from this
        // viewer.
        self.spent.lines += drawing.numbers.len();
        if drawing.numbers == self.drawing.numbers && self.log.is_empty() {
            self.stop_if_spent(number);
            return;
        }
        let logged: usize = self.log.iter().map(String::len).sum();
        let mut moment = json!({ "at": number, "log": std::mem::take(&mut self.log) });
        match self.moments.len() % WHOLE_EVERY {
            0 => moment["lines"] = json!(drawing.numbers),
            _ => moment["changes"] = json!(drawing.changes(&self.drawing)),
        }
        let scores: Vec<Value> = self.groups.iter().map(|group| self.score(episode, *group)).collect();
        if scores != self.scores {
            moment["scores"] = json!(scores);
        }
        if std::mem::take(&mut self.landmark) {
            moment["landmark"] = json!(true);
        }
        let length = self.counted(episode);
        if length > self.length || first {
            moment["length"] = json!(length);
        }
        if let Some(owing) = self.owing(episode) {
            moment["owing"] = json!(owing);
        }
        // Estimated size in JSON: each number has at most six digits and a comma.
        let numbers = match (&moment["lines"], &moment["changes"]) {
            (Value::Array(lines), _) => lines.len(),
            (_, Value::Array(changes)) => {
                changes.iter().map(|change| 3 + change[2].as_array().map_or(0, Vec::len)).sum()
            }
            _ => 0,
        };
        self.spent.bytes += logged + 7 * numbers + 16 * self.scores.len();
        self.moments.push(moment);
        (self.drawing, self.scores, self.length) = (drawing, scores, length);
        if !first {
            self.stop_if_spent(number);
        }
    }

    fn stop_if_spent(&mut self, number: usize) {
        let PageBudget { bytes, lines } = self.portion.budget;
        if self.spent.bytes + self.lines.bytes() > bytes || self.spent.lines > lines {
            self.until = Some(number + 1);
        }
    }

    /// Length in rounds or another length unit. 0 if the unit is decisions and the viewer may not know their
    /// number.
    fn counted(&self, episode: &dyn EpisodeView) -> u64 {
        let is_secret = episode.info().length_unit == "decisions" && !self.sees_all(episode);
        if is_secret { 0 } else { episode.length() }
    }

    fn sees_all(&self, episode: &dyn EpisodeView) -> bool {
        self.viewer == Viewer::Everything || episode.info().information != Information::Hidden
    }

    /// Rows of players who owe a decision, if the viewer may know them all.
    fn owing(&self, episode: &dyn EpisodeView) -> Option<Vec<usize>> {
        let Phase::Decide(seats) = episode.phase() else { return None };
        let row = |seat: Seat| {
            self.groups.iter().position(|(first, count)| (*first..first + count).contains(&seat.index()))
        };
        self.sees_all(episode).then(|| {
            let mut rows: Vec<usize> = seats.filter_map(row).collect();
            rows.dedup();
            rows
        })
    }

    /// Score of a row, as far as the viewer may know it. Before the end of a game with hidden information,
    /// viewers know only their own score.
    fn score(&self, episode: &dyn EpisodeView, (first, count): (usize, usize)) -> Value {
        let over = episode.phase() == Phase::Over;
        let seats = first..(first + count).min(episode.seats());
        let known = seats.filter(|seat| over || may_hear(episode, self.viewer, *seat));
        let scores: Vec<i64> = known.map(|seat| episode.score(Seat::new(seat))).collect();
        match (scores.iter().min(), scores.iter().max()) {
            (Some(low), Some(high)) if low == high => json!(low.to_string()),
            (Some(low), Some(high)) => json!(format!("{low} to {high}")),
            _ => Value::Null,
        }
    }

    /// The lines of a drawing's parts. Each part is an element with its name and size.
    fn draw(&mut self, scene: &Scene) -> Drawing {
        let mut drawing = Drawing::default();
        for DrawingPanel { scene, place, style } in panels(scene) {
            let class = match place {
                PanelPlacement::Board => "part board",
                PanelPlacement::Line => "part line",
                PanelPlacement::Next => "part",
            };
            let name = escaped(&scene.title);
            let opened =
                format!("<div class=\"{class}\" role=\"region\" aria-label=\"{name}\" style=\"{style}\">");
            self.lines.add(&mut drawing, &opened);
            self.lines.draw(&mut drawing, &self.drawing, scene);
            self.lines.add(&mut drawing, "</div>");
        }
        drawing
    }

    /// The page. `last` is the final state of the episode.
    pub fn to_html(&self, last: &dyn EpisodeView, around: &PageSurroundings<'_>) -> String {
        let info = last.info();
        let outcome = last.outcome();
        let rows = self.groups.iter().map(|(first, count)| {
            let color = last.player_color(Seat::new(*first), &self.players);
            let seats = match count {
                1 => first.to_string(),
                _ => format!("{first} to {}", first + count - 1),
            };
            let wins = outcome.as_ref().is_some_and(|outcome| {
                (*first..first + count).any(|seat| outcome.places.get(seat) == Some(&1))
            });
            let name = collapsed(&self.players[*first..first + count]);
            json!({ "color": color.to_string(), "seats": seats, "name": name, "wins": wins })
        });
        let result = outcome
            .as_ref()
            .map(|_| Names::new(&self.players).result(last).lines().next().unwrap_or_default().to_owned());
        let legend = last.legend(&self.players);
        let legend = legend.iter().map(|key| json!({ "picture": svg(&key.picture), "text": key.text }));
        let data = json!({
            "lines": self.lines.texts(),
            "moments": self.moments,
            "until": self.until,
            "source": around.moments,
            "marks": self.marks.to_json(),
            "last": self.seen.saturating_sub(1),
            "players": rows.collect::<Vec<_>>(),
            "winners": outcome.as_ref().map_or(0, |outcome| outcome.winners()),
            "result": result,
            "scoreUnit": info.score_unit,
            "lengthUnit": info.length_unit,
            "legend": legend.collect::<Vec<_>>(),
        });
        // Texts must not end the script element, so `<` is escaped.
        let data = data.to_string().replace('<', "\\u003c");
        let title = escaped(&format!("{}: {}", info.name, collapsed(&self.players)));
        let inlined = format!("<script>\n{PLAYER_SCRIPT}</script>");
        let linked = |address| format!("<script src=\"{}\"></script>", escaped(address));
        let script = around.script.map_or(inlined, linked);
        let mut html = String::new();
        // The template is scanned only once, because inserted texts may contain placeholders.
        for (index, piece) in include_str!("page/page.html").split("{{").enumerate() {
            let (place, rest) =
                if index == 0 { ("", piece) } else { piece.split_once("}}").unwrap_or((piece, "")) };
            html += match place {
                "title" => &title,
                "head" => around.head,
                "top" => around.top,
                "below" => around.below,
                "data" => &data,
                "script" => &script,
                _ => place,
            };
            html += rest;
        }
        html
    }
}

impl Page {
    /// The moments alone, as JSON, in response to a request for another portion.
    pub fn moments_to_json(&self) -> String {
        json!({ "lines": self.lines.texts(), "moments": self.moments, "until": self.until }).to_string()
    }
}

/// HTML around an episode; empty in a standalone file.
#[derive(Clone, Copy, Default)]
pub struct PageSurroundings<'a> {
    pub head: &'a str,
    /// HTML above everything.
    pub top: &'a str,
    /// HTML below the player. In elements with `data-moment`, the page sets `value` to the number of the
    /// shown moment. In links, the number replaces the word `MOMENT` in the attribute, and the result becomes
    /// the address.
    pub below: &'a str,
    /// Address of [`PLAYER_SCRIPT`]; `None` if the script is inlined.
    pub script: Option<&'a str>,
    /// Address of other portions, without the number of their first moment. `None` if the page is complete.
    pub moments: Option<&'a str>,
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn svg(scene: &Scene) -> String {
    scene.to_svg(&STILL)
}
