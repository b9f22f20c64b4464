//! Names of browsers, from their user agents.

/// Tokens that identify products. A token that several products send comes after their own tokens.
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

/// Tokens that identify systems, in the same order.
const SYSTEMS: [(&str, &str); 7] = [
    ("Windows", "Windows"),
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Upper bound on an unknown user agent's text, in characters.
const MAX_LETTERS: usize = 60;

/// A user agent in words: `Firefox 145 on Linux`. An unknown one is shown as it is, shortened if necessary.
pub fn browser(header: &str) -> String {
    let version = |word: &str| {
        let (_, rest) = header.split_once(word)?;
        let number: String = rest.chars().take_while(char::is_ascii_digit).take(4).collect();
        (!number.is_empty()).then_some(number)
    };
    let product = PRODUCTS.iter().find_map(|(word, name)| Some((name, version(word)?)));
    // The tokens have their usual meaning only after this prefix.
    let usual = header.starts_with("Mozilla/5.0 (");
    let system = SYSTEMS.iter().find(|(word, _)| header.contains(word));
    match (product.filter(|_| usual), system) {
        (Some((name, version)), Some((_, system))) => format!("{name} {version} on {system}"),
        (Some((name, version)), None) => format!("{name} {version}"),
        _ if header.is_empty() => "a browser without a name".to_owned(),
        _ if header.chars().nth(MAX_LETTERS).is_some() => {
            header.chars().take(MAX_LETTERS - 1).chain(['…']).collect()
        }
        _ => header.to_owned(),
    }
}
