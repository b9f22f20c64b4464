//! Random maps, generated from a seed.

use std::collections::VecDeque;

use meeple_core::{Stream, params};

use crate::map::{PORTS, SIDES, SeaMap};

/// Number of seeds tried before the generator gives up.
pub const ATTEMPTS: u64 = 64;

params! {
    /// Requirements of a generated map.
    pub struct Wish {
        /// Columns.
        pub width: usize = 24 => "width", int(3, 64);
        /// Rows.
        pub height: usize = 16 => "height", int(3, 64);
        /// Ports.
        pub ports: usize = 8 => "ports", int(2, 52);
        /// Share of land in percent.
        pub land: usize = 22 => "land", int(0, 90);
    }
}

/// A map generated from a seed. The same arguments give the same map on every machine.
///
/// All ports and sea cells are connected over water. Every port lies on a coast of the main sea. Ports are at
/// least `max(3, (width + height) / 8)` cells of sailing apart, so no two are adjacent.
///
/// # Errors
/// If the wish is out of range, or if none of the 64 seeds from `seed` on gives a map. In the second case the
/// wish asks for too many ports, or for too much or too little land.
pub fn generate(seed: u64, wish: &Wish) -> Result<SeaMap, String> {
    if !SIDES.contains(&wish.width) || !SIDES.contains(&wish.height) {
        return Err(format!("expected 3 to 64 columns and rows, found {} x {}", wish.width, wish.height));
    }
    if !PORTS.contains(&wish.ports) {
        return Err(format!("expected 2 to 52 ports, found {}", wish.ports));
    }
    let mut reason = String::new();
    for attempt in 0..ATTEMPTS {
        match Draft::draw(seed.wrapping_add(attempt), wish).and_then(|draft| draft.finish(seed, wish)) {
            Ok(map) => return Ok(map),
            Err(error) => reason = error,
        }
    }
    Err(format!(
        "no map found with {ATTEMPTS} seeds from {seed} on; the last failed because {reason}\n\
         hint: ask for fewer ports, another share of land, or a larger map"
    ))
}

const NEIGHBOURS: [(isize, isize); 4] = [(0, -1), (-1, 0), (0, 1), (1, 0)];

/// A map in progress: land and sea, row by row.
struct Draft {
    width: usize,
    height: usize,
    land: Vec<bool>,
    ports: Vec<usize>,
}

impl Draft {
    fn draw(seed: u64, wish: &Wish) -> Result<Self, String> {
        let (width, height) = (wish.width, wish.height);
        let mut draft = Self { width, height, land: vec![false; width * height], ports: Vec::new() };
        let mut rng = Stream::from_seed(seed ^ 0x5ea_c4a7);
        draft.raise_islands(&mut rng, wish.land * width * height / 100);
        let sea = draft.keep_main_sea()?;
        draft.place_ports(&mut rng, &sea, wish.ports)?;
        Ok(draft)
    }

    fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let (width, height) = (self.width as isize, self.height as isize);
        let (x, y) = (index as isize % width, index as isize / width);
        NEIGHBOURS.iter().filter_map(move |(dx, dy)| {
            let (x, y) = (x + dx, y + dy);
            ((0..width).contains(&x) && (0..height).contains(&y)).then_some((y * width + x) as usize)
        })
    }

    fn is_inner(&self, index: usize) -> bool {
        let (x, y) = (index % self.width, index / self.width);
        x > 0 && y > 0 && x + 1 < self.width && y + 1 < self.height
    }

    /// Adds islands of 4 to 20 cells until there is enough land. The outer ring stays sea.
    fn raise_islands(&mut self, rng: &mut Stream, target: usize) {
        let inner: Vec<usize> = (0..self.land.len()).filter(|index| self.is_inner(*index)).collect();
        let target = target.min(inner.len());
        let mut count = 0;
        while count < target {
            let start = inner[rng.index(inner.len())];
            let size = 4 + rng.index(17);
            let mut blob = vec![start];
            count += usize::from(!std::mem::replace(&mut self.land[start], true));
            for _ in 1..size {
                if count >= target {
                    break;
                }
                let from = blob[rng.index(blob.len())];
                let around: Vec<usize> = self.neighbours(from).filter(|cell| self.is_inner(*cell)).collect();
                if around.is_empty() {
                    break;
                }
                let cell = around[rng.index(around.len())];
                blob.push(cell);
                count += usize::from(!std::mem::replace(&mut self.land[cell], true));
            }
        }
    }

    /// Turns all sea except the largest connected part into land. Returns the cells that are sea.
    fn keep_main_sea(&mut self) -> Result<Vec<bool>, String> {
        let mut best: Vec<usize> = Vec::new();
        let mut seen = self.land.clone();
        for start in 0..seen.len() {
            if std::mem::replace(&mut seen[start], true) {
                continue;
            }
            let mut part = vec![start];
            let mut next = 0;
            while next < part.len() {
                for cell in self.neighbours(part[next]) {
                    if !std::mem::replace(&mut seen[cell], true) {
                        part.push(cell);
                    }
                }
                next += 1;
            }
            if part.len() > best.len() {
                best = part;
            }
        }
        if best.is_empty() {
            return Err("there is no sea".into());
        }
        self.land.fill(true);
        for cell in best {
            self.land[cell] = false;
        }
        Ok(self.land.iter().map(|land| !land).collect())
    }

    /// Chooses ports on the coasts, each as far from the others as possible.
    fn place_ports(&mut self, rng: &mut Stream, sea: &[bool], ports: usize) -> Result<(), String> {
        let candidates: Vec<usize> = (0..sea.len())
            .filter(|index| !sea[*index] && self.neighbours(*index).any(|cell| sea[cell]))
            .collect();
        if candidates.is_empty() {
            return Err("there is no coast".into());
        }
        let apart = ((self.width + self.height) / 8).max(3);
        let mut nearest = vec![usize::MAX; sea.len()];
        let mut port = candidates[rng.index(candidates.len())];
        loop {
            self.ports.push(port);
            self.flood(port, sea, &mut nearest);
            if self.ports.len() == ports {
                return Ok(());
            }
            // Farthest-point sampling; ties go to the lowest index.
            let (mut best, mut distance) = (port, 0);
            for candidate in &candidates {
                if nearest[*candidate] > distance && nearest[*candidate] != usize::MAX {
                    (best, distance) = (*candidate, nearest[*candidate]);
                }
            }
            if distance < apart {
                let placed = self.ports.len();
                return Err(format!("port {} would be {distance} cells from one of {placed}", placed + 1));
            }
            port = best;
        }
    }

    /// Lowers `nearest` to the sailing distance from `port`. Paths cross the sea and may end on a coast.
    fn flood(&self, port: usize, sea: &[bool], nearest: &mut [usize]) {
        let mut seen = vec![false; sea.len()];
        seen[port] = true;
        nearest[port] = 0;
        let mut queue = VecDeque::from([(port, 0)]);
        while let Some((cell, distance)) = queue.pop_front() {
            if cell != port && !sea[cell] {
                continue;
            }
            for next in self.neighbours(cell) {
                if !std::mem::replace(&mut seen[next], true) {
                    nearest[next] = nearest[next].min(distance + 1);
                    queue.push_back((next, distance + 1));
                }
            }
        }
    }

    fn finish(mut self, seed: u64, wish: &Wish) -> Result<SeaMap, String> {
        self.ports.sort_unstable();
        let labels = ('A'..='Z').chain('a'..='z');
        let mut cells: Vec<char> = self.land.iter().map(|land| if *land { '#' } else { '.' }).collect();
        for (port, label) in self.ports.iter().zip(labels) {
            cells[*port] = label;
        }
        let rows: Vec<String> = cells.chunks(self.width).map(|row| row.iter().collect()).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let name = format!("Chart {seed} ({} x {})", wish.width, wish.height);
        SeaMap::from_rows(name, "generator".into(), &rows).map_err(|error| error.to_string())
    }
}
