//! Our Markdown as HTML: rules, guides and documentation.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

/// A function from a link's target to its address; `None` drops the link.
pub type Link<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Options for rendering one text. Comments are dropped; the texts contain no other HTML.
#[derive(Default)]
pub struct Markdown<'a> {
    /// HTML to add after each fenced block, in order. Blocks beyond the end get none.
    pub after_blocks: &'a [String],
    /// True if headings get the same anchors as on GitHub: `## What is ±?` gets `#what-is-`.
    pub anchors_headings: bool,
    /// The function for links' targets. A dropped link keeps its text. Without a function, targets stay as
    /// they are.
    pub link: Option<Link<'a>>,
}

impl Markdown<'_> {
    /// Renders a text as HTML. Every clause of rules (`R3.2`) gets an anchor with its name.
    pub fn to_html(&self, markdown: &str) -> String {
        let mut after_blocks = self.after_blocks.iter();
        let (mut starts, mut is_dropped) = (false, false);
        // Each region needs a distinct label.
        let (mut tables, mut examples) = (0, 0);
        let mut headings = self.anchors_headings.then(|| heading_names(markdown).into_iter());
        let events = Parser::new_ext(markdown, Options::ENABLE_TABLES).filter_map(|event| {
            let begins = std::mem::replace(&mut starts, false);
            match event {
                Event::Html(_) | Event::InlineHtml(_) => None,
                Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                    starts = true;
                    let id = headings.as_mut().and_then(Iterator::next).map(CowStr::from);
                    Some(vec![Event::Start(Tag::Heading { level, id, classes, attrs })])
                }
                Event::Start(Tag::Item | Tag::Paragraph) => {
                    starts = true;
                    Some(vec![event])
                }
                Event::Text(text) if begins => Some(anchored(text)),
                Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                    let target = self.link.map_or(Some(dest_url.to_string()), |link| link(&dest_url));
                    is_dropped = target.is_none();
                    let dest_url = target?.into();
                    Some(vec![Event::Start(Tag::Link { link_type, dest_url, title, id })])
                }
                Event::End(TagEnd::Link) if std::mem::take(&mut is_dropped) => None,
                // Wide elements scroll by themselves, also with the keyboard.
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
                    let after = after_blocks.next().cloned().unwrap_or_default();
                    Some(vec![event, Event::Html(CowStr::Borrowed("</div>")), Event::Html(after.into())])
                }
                event => Some(vec![event]),
            }
        });
        let mut out = String::new();
        pulldown_cmark::html::push_html(&mut out, events.flatten());
        // An empty corner of a table is no heading.
        out.replace("<th></th>", "<td></td>")
    }
}

/// The first heading of a text, without its marks.
pub fn title(markdown: &str) -> Option<String> {
    heading_texts(markdown).into_iter().next()
}

fn heading_texts(markdown: &str) -> Vec<String> {
    let (mut texts, mut is_inside) = (Vec::new(), false);
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => {
                is_inside = true;
                texts.push(String::new());
            }
            Event::End(TagEnd::Heading(_)) => is_inside = false,
            Event::Text(text) | Event::Code(text) if is_inside => {
                texts.last_mut().expect("a heading has begun").push_str(&text);
            }
            _ => {}
        }
    }
    texts
}

/// The anchors that GitHub gives to the headings of a text, in order. Repeated names get a number.
fn heading_names(markdown: &str) -> Vec<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let named = heading_texts(markdown).into_iter().map(|text| {
        let kept = text.trim().to_lowercase();
        let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || "-_ ".contains(*letter));
        let name = kept.collect::<String>().replace(' ', "-");
        let count = counts.entry(name.clone()).or_default();
        *count += 1;
        if *count > 1 { format!("{name}-{}", *count - 1) } else { name }
    });
    named.collect()
}

/// The opening tag of an element that scrolls horizontally.
fn scrolls(label: &str) -> Event<'static> {
    let tag = format!("<div class=\"scrolls\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">");
    Event::Html(tag.into())
}

/// Returns true if the word is the name of a clause: `R3.2`, `6.5`.
pub(crate) fn is_clause(word: &str) -> bool {
    let digits = word.strip_prefix('R').unwrap_or(word);
    digits.starts_with(|letter: char| letter.is_ascii_digit())
        && digits.chars().all(|letter| letter.is_ascii_digit() || letter == '.')
        // A plain number is no clause, because it is ambiguous.
        && word.contains(['R', '.'])
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
