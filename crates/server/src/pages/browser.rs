//! What a browser says of itself, in words that people know it by.

/// Products by the word that no other has, or that others have too and stand before it here.
const PRODUCTS: [(&str, &str); 10] = [
    ("Edg/", "Edge"),
    ("EdgA/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("HeadlessChrome/", "Chrome without a window"),
    ("Chrome/", "Chrome"),
    ("Version/", "Safari"),
];

/// Systems, likewise.
const SYSTEMS: [(&str, &str); 7] = [
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Letters of a name that is not known which are shown.
const MOST: usize = 60;

/// A browser's header `User-Agent` in words: `Firefox 145 on Linux`. What is not known is shown as it is, cut where it is long.
pub fn browser(header: &str) -> String {
    let version = |word: &str| {
        let (_, rest) = header.split_once(word)?;
        let number: String = rest.chars().take_while(char::is_ascii_digit).take(4).collect();
        (!number.is_empty()).then_some(number)
    };
    let product = PRODUCTS.iter().find_map(|(word, name)| Some((name, version(word)?)));
    // Only who has these words has the others in their usual sense.
    let usual = header.starts_with("Mozilla/5.0 (");
    let system = SYSTEMS.iter().find(|(word, _)| header.contains(word));
    match (product.filter(|_| usual), system) {
        (Some((name, version)), Some((_, system))) => format!("{name} {version} on {system}"),
        (Some((name, version)), None) => format!("{name} {version}"),
        _ if header.is_empty() => "a browser without a name".to_owned(),
        _ if header.chars().nth(MOST).is_some() => header.chars().take(MOST - 1).chain(['…']).collect(),
        _ => header.to_owned(),
    }
}
