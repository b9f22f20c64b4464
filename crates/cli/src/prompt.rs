//! Words that a person can type besides actions, the same in all games.

use meeple_games::games;

/// The words, for completion. None of them is an action in any game.
pub const WORDS: [&str; 15] = [
    "help", "list", "hint", "analyse", "undo", "board", "overview", "scroll", "follow", "log", "rules",
    "guide", "save", "quit", "exit",
];

/// Help text for the words. `advisor` names the agent that answers `hint`.
pub fn help(advisor: &str) -> String {
    format!(
        "list             all actions, which can also be typed by their numbers\n\
         hint             what {advisor} would do, an agent that sees what you see,\n                 \
         and what comes of it; hint AGENT asks another\n\
         analyse          what mcts thinks of every action, and what it expects;\n                 \
         analyse AGENT asks another, as in analyse mcts:iterations=2000\n\
         undo             takes your last decision back, until chance or another\n                 \
         seat has acted or it has shown you something\n\
         board, overview  the whole table; the board in small\n\
         scroll right 20  over a board that does not fit (left, right, up, down;\n                 \
         or Shift and arrows, Page Up, Page Down)\n\
         follow           back to where something happens\n\
         log, log 20      all that has happened, or the last 20 lines\n\
         rules, guide     the rules; a quick reference, a first game and tips\n\
         save FILE        a replay of the game so far\n\
         quit             leaves the table (so do Ctrl-D and Ctrl-C; what --save\n                 \
         names is written all the same)"
    )
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    Quit,
    Help,
    List,
    /// Ask this agent, or the default one, for advice.
    Hint(Option<String>),
    /// Show the evaluation of all actions by this agent, or the default one.
    Analyse(Option<String>),
    Undo,
    /// Show the whole table.
    Board,
    /// Show the board in small.
    Overview,
    /// Scroll right by columns and down by lines.
    Scroll(i32, i32),
    /// Let the view follow events again.
    Follow,
    /// Show this number of recent events, or all.
    Log(Option<usize>),
    Rules,
    Guide,
    Save(String),
}

/// Parses a word; `None` if it is unknown.
pub fn read(text: &str) -> Option<Result<Word, String>> {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    let alone = match word.to_ascii_lowercase().as_str() {
        "q" | "quit" | "exit" => Word::Quit,
        "?" | "h" | "help" => Word::Help,
        "list" => Word::List,
        "undo" => Word::Undo,
        "board" => Word::Board,
        "overview" => Word::Overview,
        "follow" => Word::Follow,
        "rules" => Word::Rules,
        "guide" => Word::Guide,
        "hint" => return Some(Ok(Word::Hint(agent(rest)))),
        "analyse" | "analyze" => return Some(Ok(Word::Analyse(agent(rest)))),
        "scroll" => return Some(scroll(rest)),
        "log" if rest.is_empty() => Word::Log(None),
        "log" => {
            let lines = rest
                .parse()
                .map_err(|_| format!("expected a number of lines, found '{rest}'\nhint: as in log 20"));
            return Some(lines.map(|lines| Word::Log(Some(lines))));
        }
        "save" if rest.is_empty() => {
            return Some(Err("expected a file name, found none\nhint: as in save game.json".to_owned()));
        }
        "save" => return Some(Ok(Word::Save(rest.to_owned()))),
        _ => return None,
    };
    // A known word with an argument may be an action of the game.
    if rest.is_empty() { Some(Ok(alone)) } else { None }
}

/// The agent named after a word, if any.
fn agent(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn scroll(text: &str) -> Result<Word, String> {
    let mut words = text.split_whitespace();
    let direction = words.next().unwrap_or("");
    let far = match words.next() {
        None => None,
        Some(number) => {
            Some(number.parse::<u16>().map_err(|_| format!("expected how far, found '{number}'"))?)
        }
    };
    let far = |usual: i32| far.map_or(usual, i32::from);
    match direction {
        "left" | "west" | "w" => Ok(Word::Scroll(-far(20), 0)),
        "right" | "east" | "e" => Ok(Word::Scroll(far(20), 0)),
        "up" | "north" | "n" => Ok(Word::Scroll(0, -far(6))),
        "down" | "south" | "s" => Ok(Word::Scroll(0, far(6))),
        _ => {
            Err(format!("expected left, right, up or down, found '{direction}'\nhint: as in scroll right 20"))
        }
    }
}

/// The section of a guide with this heading; empty if there is none.
pub fn guide_section<'a>(guide: &'a str, heading: &str) -> &'a str {
    let start = guide.find(&format!("\n## {heading}\n")).map_or(guide.len(), |at| at + 1);
    let end = guide[start..].find("\n## ").map_or(guide.len(), |at| start + at);
    guide[start..end].trim_end()
}

/// All names of games and presets.
pub fn game_names() -> Vec<String> {
    let presets = |info: &'static meeple_core::GameInfo| {
        let named = info.presets.iter().map(move |preset| format!("{}/{}", info.id, preset.name));
        std::iter::once(info.id.to_owned()).chain(named)
    };
    games().iter().flat_map(|entry| presets(entry.info())).collect()
}
