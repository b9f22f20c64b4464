//! Long texts as lines: rules and guides in Markdown, lists verbatim.

use comfy_table::{ContentArrangement, LineStyle, Table, TableStyle};
use meeple_scene::{Ink, Line, Span, wrapped};

pub enum Text {
    /// Markdown with headings, paragraphs, lists, tables and examples.
    Markdown(String),
    /// Lines that wrap at words.
    Plain(String),
    /// Styled lines without wrapping, for sideways scrolling.
    Lines(Vec<Line>),
}

impl Text {
    pub fn lines(&self, columns: usize) -> Vec<Line> {
        match self {
            Self::Markdown(text) => markdown(text, columns),
            Self::Plain(text) => text.lines().flat_map(|line| wrapped(&[plain(line)], columns, 2)).collect(),
            Self::Lines(lines) => lines.clone(),
        }
    }
}

fn plain(text: &str) -> Span {
    Span { text: text.to_owned(), ink: Ink::plain() }
}

/// Kind of Markdown block that a line begins.
enum Block<'a> {
    Heading(&'a str),
    Fence,
    Table,
    Item,
    Blank,
    Comment,
    Text,
}

fn block(line: &str) -> Block<'_> {
    let trimmed = line.trim_start();
    let numbered = trimmed.trim_start_matches(|c: char| c.is_ascii_digit());
    if trimmed.is_empty() {
        Block::Blank
    } else if trimmed.starts_with("```") {
        Block::Fence
    } else if trimmed.starts_with("<!--") {
        Block::Comment
    } else if trimmed.starts_with('#') && trimmed.trim_start_matches('#').starts_with(' ') {
        Block::Heading(trimmed.trim_start_matches('#').trim())
    } else if trimmed.starts_with('|') {
        Block::Table
    } else if trimmed.starts_with("- ")
        || trimmed.starts_with("* ")
        || (numbered != trimmed && numbered.starts_with(". "))
    {
        Block::Item
    } else {
        Block::Text
    }
}

fn markdown(text: &str, columns: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut source = text.lines().peekable();
    while let Some(line) = source.next() {
        match block(line) {
            Block::Blank => {
                if lines.last().is_some_and(|last| !last.is_empty()) {
                    lines.push(Vec::new());
                }
            }
            Block::Comment => {}
            Block::Heading(heading) => {
                lines.extend(wrapped(
                    &[Span { text: bare(heading), ink: Ink::plain().bold().underline() }],
                    columns,
                    2,
                ));
            }
            Block::Fence => {
                for line in source.by_ref().take_while(|line| !matches!(block(line), Block::Fence)) {
                    let ink = if line.starts_with(['>', '$']) { Ink::plain().bold() } else { Ink::plain() };
                    lines.extend(wrapped(&[Span { text: format!("  {line}"), ink }], columns, 2));
                }
            }
            Block::Table => {
                let mut rows = vec![line];
                while let Some(row) = source.next_if(|row| matches!(block(row), Block::Table)) {
                    rows.push(row);
                }
                lines.extend(table(&rows, columns));
            }
            Block::Item | Block::Text => {
                let mut paragraph = line.trim_end().to_owned();
                while let Some(more) = source.next_if(|more| matches!(block(more), Block::Text)) {
                    paragraph.push(' ');
                    paragraph.push_str(more.trim());
                }
                // Hanging indent for items; none for paragraphs.
                let hang = if matches!(block(line), Block::Item) { 2 } else { 0 };
                lines.extend(wrapped(&spans(&paragraph), columns, hang));
            }
        }
    }
    lines
}

/// Inline Markdown: bold, emphasis and code as inks.
fn spans(text: &str) -> Line {
    let mut line = Vec::new();
    let (mut ink, mut emphasis) = (Ink::plain(), false);
    let mut piece = String::new();
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let after = letters.peek().copied().unwrap_or(' ');
        // Within code, which is underlined, a star is literal.
        let star = letter == '*' && !ink.underline;
        let changed = if star && letters.next_if_eq(&'*').is_some() {
            Some(Ink { bold: !ink.bold, ..ink })
        } else if star
            && (if emphasis {
                !before.is_whitespace()
            } else {
                !before.is_alphanumeric() && after.is_alphanumeric()
            })
        {
            emphasis = !emphasis;
            Some(Ink { bold: !ink.bold, ..ink })
        } else if letter == '`' {
            Some(Ink { underline: !ink.underline, ..ink })
        } else {
            None
        };
        before = letter;
        match changed {
            None => piece.push(letter),
            Some(changed) => {
                line.push(Span { text: std::mem::take(&mut piece), ink });
                ink = changed;
            }
        }
    }
    line.push(Span { text: piece, ink });
    line.retain(|span| !span.text.is_empty());
    line
}

/// A text without its inline marks.
fn bare(text: &str) -> String {
    spans(text).into_iter().map(|span| span.text).collect()
}

/// A table that fits the columns; cells wrap at words.
fn table(rows: &[&str], columns: usize) -> Vec<Line> {
    let cells = |row: &str| -> Vec<String> {
        let inner = row.trim().trim_start_matches('|').trim_end_matches('|');
        // An escaped bar is literal, so a control character stands in for it while cells are split.
        inner.replace("\\|", "\u{1}").split('|').map(|cell| bare(cell.trim()).replace('\u{1}', "|")).collect()
    };
    let is_rule = |row: &&str| row.chars().all(|letter| "|-: ".contains(letter));
    let mut grid = Table::new();
    // A line below the heads and two blanks between columns.
    grid.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    grid.set_content_arrangement(ContentArrangement::Dynamic);
    grid.set_width(u16::try_from(columns).unwrap_or(u16::MAX));
    let mut rows = rows.iter().filter(|row| !is_rule(row));
    if let Some(head) = rows.next() {
        grid.set_header(cells(head));
    }
    rows.for_each(|row| {
        grid.add_row(cells(row));
    });
    grid.to_string().lines().map(|line| vec![plain(line.trim_end())]).collect()
}
