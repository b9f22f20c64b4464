//! Static files, compiled into the program. Their addresses contain a hash of their bytes, so that browsers
//! can cache them forever.

/// A static file.
pub struct Asset {
    /// The file name in addresses.
    pub name: &'static str,
    /// The content type.
    pub kind: &'static str,
    pub bytes: &'static [u8],
}

/// The style sheet of all pages.
pub const STYLE: Asset = Asset {
    name: "style.css",
    kind: "text/css; charset=utf-8",
    bytes: include_bytes!("../../../web/src/style.css"),
};
/// The script of table pages.
pub const SCRIPT: Asset = Asset {
    name: "table.js",
    kind: "text/javascript; charset=utf-8",
    bytes: include_bytes!("../../../web/dist/table.js"),
};
/// The script of laboratory pages.
pub const LAB_SCRIPT: Asset = Asset {
    name: "lab.js",
    kind: "text/javascript; charset=utf-8",
    bytes: include_bytes!("../../../web/dist/lab.js"),
};
/// The replay player.
pub const PLAYER: Asset = Asset {
    name: "player.js",
    kind: "text/javascript; charset=utf-8",
    bytes: meeple_replay::PLAYER_SCRIPT.as_bytes(),
};
/// The favicon.
pub const ICON: Asset =
    Asset { name: "icon.svg", kind: "image/svg+xml", bytes: include_bytes!("../../../web/src/icon.svg") };

/// All static files.
pub const ALL: [Asset; 5] = [STYLE, SCRIPT, LAB_SCRIPT, PLAYER, ICON];

impl Asset {
    /// The address of the current version.
    pub fn address(&self) -> String {
        format!("/assets/{}?v={:016x}", self.name, fingerprint(self.bytes))
    }
}

/// FNV-1a, 64 bits. It distinguishes versions of a file; collision resistance is not needed.
const fn fingerprint(bytes: &[u8]) -> u64 {
    let (mut hash, mut at) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}
