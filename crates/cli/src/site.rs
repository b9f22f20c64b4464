//! The documentation as a site of HTML files: every page and picture of `docs/`, the rules and guides of the
//! games, and the pages beside the source.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use meeple_server::markdown::{Markdown, title};

/// All files of the documentation with their paths in the source, sorted.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/docs.rs"));
/// The first page, which links to all parts of the documentation.
const FIRST: &str = "docs/README.md";
const STYLE: &str = include_str!("site.css");
/// The group for pages outside the folders of all other groups.
const PROJECT: &str = "Project";
/// Groups in the list of pages: the title, and the folder of the group's pages.
const GROUPS: [(&str, &str); 8] = [
    ("Tutorials", "docs/tutorials/"),
    ("How to", "docs/how-to/"),
    ("Reference", "docs/reference/"),
    ("Explanation", "docs/explanation/"),
    ("Studies of games", "docs/studies/"),
    ("Games", "games/"),
    (PROJECT, ""),
    ("Measurements", "docs/internals/"),
];

/// A page of the documentation.
#[derive(Clone, Copy)]
pub struct DocPage {
    /// Path in the source, for example `docs/reference/bots.md`.
    pub path: &'static str,
    markdown: &'static str,
}

/// All pages, in the order of their paths.
pub fn pages() -> impl Iterator<Item = DocPage> {
    FILES.iter().filter(|(path, _)| path.ends_with(".md")).map(|(path, bytes)| DocPage {
        path,
        markdown: std::str::from_utf8(bytes).expect("pages are UTF-8: a test reads them all"),
    })
}

/// The page that the site opens with.
pub fn first_page() -> DocPage {
    pages().find(|page| page.path == FIRST).expect("the documentation has its first page: a test opens it")
}

/// All files of the site, with their paths below its folder.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let pages: Vec<DocPage> = pages().collect();
    let groups = grouped(&pages);
    let mut files: Vec<(String, Vec<u8>)> =
        pages.iter().map(|page| (page.address(), page.html(&groups).into_string().into_bytes())).collect();
    let others = FILES.iter().filter(|(path, _)| !path.ends_with(".md"));
    files.extend(others.map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())));
    files.push(("site.css".to_owned(), STYLE.into()));
    files
}

/// The pages of each group, with their titles.
type Groups = Vec<(&'static str, Vec<(DocPage, String)>)>;

fn grouped(pages: &[DocPage]) -> Groups {
    let group_of = |page: &DocPage| {
        let found = GROUPS.iter().find(|(_, folder)| !folder.is_empty() && page.path.starts_with(folder));
        found.map_or(PROJECT, |(name, _)| name)
    };
    let of = |(name, _): &(&'static str, _)| {
        let own = pages.iter().filter(|page| page.path != FIRST && group_of(page) == *name);
        (*name, own.map(|page| (*page, page.title())).collect())
    };
    GROUPS.iter().map(of).collect()
}

impl DocPage {
    /// Path of the HTML file, below the folder of the site.
    pub fn address(self) -> String {
        format!("{}.html", self.path.strip_suffix(".md").unwrap_or(self.path))
    }

    pub fn title(self) -> String {
        title(self.markdown).unwrap_or_else(|| self.path.to_owned())
    }

    fn html(self, groups: &Groups) -> Markup {
        let up = "../".repeat(self.path.matches('/').count());
        let link = |target: &str| self.link(target);
        let rendering = Markdown { anchors_headings: true, link: Some(&link), ..Markdown::default() }
            .to_html(self.markdown);
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    title { (self.title()) " · Meeple" }
                    link rel="stylesheet" href={ (up) "site.css" };
                }
                body {
                    a class="skip" href="#text" { "Skip to the text" }
                    header {
                        a href={ (up) (first_page().address()) } { "Meeple documentation" }
                        a.list href="#pages" { "Pages" }
                    }
                    main id="text" { (PreEscaped(rendering)) }
                    nav id="pages" aria-label="Pages" {
                        @for (name, pages) in groups {
                            @let is_here = pages.iter().any(|(page, _)| page.path == self.path);
                            details open[is_here] {
                                summary { (name) }
                                ul {
                                    @for (page, title) in pages {
                                        li {
                                            a href={ (up) (page.address()) } aria-current=[(page.path == self.path).then_some("page")] {
                                                (title)
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// The address for a link's target: the HTML of a page, a picture of the site, or a page of the web.
    /// `None` for files of the source that are not in the site.
    fn link(self, target: &str) -> Option<String> {
        if target.starts_with('#') || target.contains("://") || target.starts_with("mailto:") {
            return Some(target.to_owned());
        }
        let (path, anchor) = target
            .split_once('#')
            .map_or((target, String::new()), |(path, anchor)| (path, format!("#{anchor}")));
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let found = resolved(folder, path);
        FILES.iter().any(|(file, _)| *file == found).then(|| match path.strip_suffix(".md") {
            Some(page) => format!("{page}.html{anchor}"),
            None => target.to_owned(),
        })
    }
}

/// A relative path from a folder, without `.` and `..`.
fn resolved(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => parts.truncate(parts.len().saturating_sub(1)),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
