//! Files of the page, in the program itself. Their addresses change with their bytes, so that browsers keep them for good.

/// A file.
pub struct Asset {
    /// Its name in addresses.
    pub name: &'static str,
    /// What it is, as HTTP says it.
    pub kind: &'static str,
    /// Its content.
    pub bytes: &'static [u8],
}

/// How everything looks.
pub const STYLE: Asset = Asset {
    name: "style.css",
    kind: "text/css; charset=utf-8",
    bytes: include_bytes!("../../../web/src/style.css"),
};
/// What moves at a table.
pub const SCRIPT: Asset = Asset {
    name: "table.js",
    kind: "text/javascript; charset=utf-8",
    bytes: include_bytes!("../../../web/dist/table.js"),
};
/// What moves on the page of a run.
pub const LAB_SCRIPT: Asset = Asset {
    name: "lab.js",
    kind: "text/javascript; charset=utf-8",
    bytes: include_bytes!("../../../web/dist/lab.js"),
};
/// What plays a replay.
pub const PLAYER: Asset = Asset {
    name: "player.js",
    kind: "text/javascript; charset=utf-8",
    bytes: meeple_replay::PLAYER_SCRIPT.as_bytes(),
};
/// The picture in the browser's tab.
pub const ICON: Asset =
    Asset { name: "icon.svg", kind: "image/svg+xml", bytes: include_bytes!("../../../web/src/icon.svg") };

/// All of them.
pub const ALL: [Asset; 5] = [STYLE, SCRIPT, LAB_SCRIPT, PLAYER, ICON];

impl Asset {
    /// Where a page finds it.
    pub fn address(&self) -> String {
        format!("/assets/{}?v={:016x}", self.name, fingerprint(self.bytes))
    }
}

/// FNV-1a, 64 bits: tells versions of a file apart, and is not asked to do more.
const fn fingerprint(bytes: &[u8]) -> u64 {
    let (mut hash, mut at) = (0xcbf2_9ce4_8422_2325_u64, 0);
    while at < bytes.len() {
        hash = (hash ^ bytes[at] as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}
