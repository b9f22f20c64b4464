//! Static files, compiled into the program. Their addresses contain a hash of their bytes, so that browsers
//! can cache them forever.

pub struct Asset {
    pub name: &'static str,
    pub kind: &'static str,
    pub bytes: &'static [u8],
}

pub const STYLE: Asset = Asset {
    name: "style.css",
    kind: "text/css; charset=utf-8",
    bytes: include_bytes!("../../../../web/src/style.css"),
};
pub const SCRIPT: Asset = Asset {
    name: "table.js",
    kind: "text/javascript; charset=utf-8",
    bytes: include_bytes!("../../../../web/dist/table.js"),
};
pub const LAB_SCRIPT: Asset = Asset {
    name: "lab.js",
    kind: "text/javascript; charset=utf-8",
    bytes: include_bytes!("../../../../web/dist/lab.js"),
};
pub const PLAYER: Asset = Asset {
    name: "player.js",
    kind: "text/javascript; charset=utf-8",
    bytes: meeple_replay::PLAYER_SCRIPT.as_bytes(),
};
pub const ICON: Asset =
    Asset { name: "icon.svg", kind: "image/svg+xml", bytes: include_bytes!("../../../../web/src/icon.svg") };

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
