//! Deduplication of shapes in a drawing, by SVG symbols.

use std::collections::BTreeMap;

use crate::mark::mark;

/// Smallest group worth a symbol, in bytes: a reference costs as much as a smaller group.
const MIN_SYMBOL_BYTES: usize = 200;

/// Returns the same drawing with repeated groups replaced by one definition and `use` elements. A repeated
/// group is, for example, a piece drawn at every possible place. Names are hashes of the content, so they are
/// stable from one drawing to the next.
///
/// Texts, tooltips and spots stay in place, so that they can be found, measured and pressed.
///
/// The drawing is parsed line by line, in the format that [`to_svg`](meeple_scene::Scene::to_svg) documents.
pub fn with_symbols(svg: &str) -> String {
    let lines: Vec<&str> = svg.split_inclusive('\n').collect();
    let groups = groups(svg, &lines);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, inside) in groups.iter().flatten() {
        *counts.entry(inside).or_default() += 1;
    }
    let mut symbols: BTreeMap<u64, &str> = BTreeMap::new();
    let mut made = String::with_capacity(svg.len());
    let mut at = 0;
    while at < lines.len() {
        if at + 1 == lines.len() && !symbols.is_empty() {
            made.push_str("<defs>\n");
            for (name, inside) in &symbols {
                made.push_str(&format!("<g id=\"s{name:016x}\">\n{inside}</g>\n"));
            }
            made.push_str("</defs>\n");
        }
        made.push_str(lines[at]);
        at += 1;
        if let Some((end, inside)) = groups[at - 1]
            && counts[inside] > 1
        {
            let name = mark(inside);
            symbols.insert(name, inside);
            made.push_str(&format!("<use href=\"#s{name:016x}\"/>\n"));
            at = end;
        }
    }
    made.shrink_to_fit();
    made
}

/// Candidates for symbols, by line: for the first line of a group the line of its end, and the content
/// between.
fn groups<'a>(svg: &'a str, lines: &[&str]) -> Vec<Option<(usize, &'a str)>> {
    struct Open {
        line: usize,
        inside: usize,
        plain: bool,
    }
    let mut found = vec![None; lines.len()];
    let mut open: Vec<Open> = Vec::new();
    let mut offset = 0;
    for (line, text) in lines.iter().enumerate() {
        if *text == "</g>\n"
            && let Some(Open { line: begin, inside, plain }) = open.pop()
        {
            let inside = &svg[inside..offset];
            if plain && inside.len() >= MIN_SYMBOL_BYTES {
                found[begin] = Some((line, inside));
            }
            if let Some(outer) = open.last_mut() {
                outer.plain &= plain;
            }
        }
        offset += text.len();
        let is_plain = !["<text", "<title>", "class="].iter().any(|mark| text.contains(mark));
        if let Some(outer) = open.last_mut() {
            outer.plain &= is_plain;
        }
        if text.starts_with("<g ") {
            // A part of the drawing remains a group of its own, because pages display parts separately.
            let plain = !text.starts_with("<g class=\"part\"");
            open.push(Open { line, inside: offset, plain });
        }
    }
    found
}
