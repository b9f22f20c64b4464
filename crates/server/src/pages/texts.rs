//! Rules and guides as pages.

use maud::{Markup, PreEscaped, html};
use meeple_core::{AnyEntry, GameInfo};
use meeple_scene::{Scene, SvgOptions};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use super::page;
use crate::example::drawings;

/// The rules. Every clause has an anchor of its name.
pub fn rules(info: &GameInfo) -> Markup {
    text_page(info, &format!("Rules of {}", info.name), info.rules, &[])
}

/// The guide, with the table after every step of its first example game.
pub fn guide(entry: &dyn AnyEntry) -> Markup {
    let info = entry.info();
    text_page(info, &format!("How to play {}", info.name), info.guide, &drawings(entry))
}

fn text_page(info: &GameInfo, title: &str, markdown: &str, drawings: &[Option<Scene>]) -> Markup {
    page(
        title,
        false,
        &html! {
            nav class="presets" aria-label="Texts" {
                a href={ "/guide/" (info.id) } { "How to play" }
                a href={ "/rules/" (info.id) } { "Rules" }
                a href={ "/new/" (info.id) } { "Play" }
            }
            article class="text" { (PreEscaped(to_html(markdown, drawings))) }
        },
    )
}

/// Renders one of our Markdown texts, with drawings after their fenced blocks. Comments are dropped; the
/// texts contain no other HTML.
fn to_html(markdown: &str, drawings: &[Option<Scene>]) -> String {
    let parser = Parser::new_ext(markdown, Options::ENABLE_TABLES);
    let (mut starts, mut drawings) = (false, drawings.iter());
    // Each region needs a distinct label.
    let (mut tables, mut examples) = (0, 0);
    let events = parser.filter_map(|event| {
        let begins = std::mem::replace(&mut starts, false);
        match event {
            Event::Html(_) | Event::InlineHtml(_) => None,
            Event::Start(Tag::Item | Tag::Paragraph | Tag::Heading { .. }) => {
                starts = true;
                Some(vec![event])
            }
            Event::Text(text) if begins => Some(anchored(text)),
            // Wide elements scroll separately, also with the keyboard.
            Event::Start(Tag::Table(_)) => {
                tables += 1;
                Some(vec![scrolls(&format!("table {tables}")), event])
            }
            Event::Start(Tag::CodeBlock(_)) => {
                examples += 1;
                Some(vec![scrolls(&format!("example {examples}")), event])
            }
            Event::End(TagEnd::Table) => Some(vec![event, Event::Html(CowStr::Borrowed("</div>"))]),
            Event::End(TagEnd::CodeBlock) => {
                let drawing = drawings.next().and_then(Option::as_ref).map(drawn).unwrap_or_default();
                Some(vec![event, Event::Html(CowStr::Borrowed("</div>")), Event::Html(drawing.into())])
            }
            event => Some(vec![event]),
        }
    });
    let mut out = String::new();
    pulldown_cmark::html::push_html(&mut out, events.flatten());
    // A corner of a table heads nothing.
    out.replace("<th></th>", "<td></td>")
}

fn drawn(scene: &Scene) -> String {
    let svg = scene.to_svg(&SvgOptions::default());
    html! {
        figure class="drawn" tabindex="0" {
            (PreEscaped(svg))
            figcaption { "The table as you see it." }
        }
    }
    .into_string()
}

/// The opening tag of an element that scrolls horizontally.
fn scrolls(label: &str) -> Event<'static> {
    let tag = format!("<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">");
    Event::Html(tag.into())
}

/// Returns true if the word is the name of a clause: `R3.2`, `6.5`.
fn is_clause(word: &str) -> bool {
    let digits = word.strip_prefix('R').unwrap_or(word);
    digits.starts_with(|letter: char| letter.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
        // A plain number is ambiguous.
        && word.contains(['R', '.'])
}

/// An error text, with links to the clauses that it names: `(R3.4)`, `5.1: …`.
pub fn with_clauses(info: &GameInfo, text: &str) -> Markup {
    html! {
        @for (index, word) in text.split(' ').enumerate() {
            @if index > 0 { " " }
            @let name = word.trim_matches(['(', ')', ',', ';', ':', '.']);
            // A decimal number is ambiguous without brackets or a colon.
            @let is_named = name.starts_with('R') || word.starts_with('(') || word.ends_with(':');
            @match word.split_once(name).filter(|_| is_clause(name) && is_named) {
                Some((before, after)) => { (before) a href={ "/rules/" (info.id) "#" (name) } { (name) } (after) }
                None => { (word) }
            }
        }
    }
}

/// A text that begins with a clause's name, with an anchor before it.
fn anchored(text: CowStr<'_>) -> Vec<Event<'_>> {
    let word = text.split(' ').next().unwrap_or("");
    if is_clause(word) {
        let anchor = format!("<a class=\"clause\" id=\"{word}\" href=\"#{word}\">{word}</a>");
        let rest = text[word.len()..].to_owned();
        vec![Event::InlineHtml(anchor.into()), Event::Text(rest.into())]
    } else {
        vec![Event::Text(text)]
    }
}
