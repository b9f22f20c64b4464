//! Values of the starts of rounds. Solving a round needs no other information about later rounds, so long
//! computations store nothing else.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use meeple_core::ToolHost;

use super::super::policy::seen_size;
use super::super::rules::{ExactError, Rules};
use super::super::start::{Start, all_starts};
use crate::info::INFO;

/// The first words of a file of values.
const FORMAT: &str = "meeple values 1";

/// Numbers for starts of rounds, from one computation under one set of rules.
///
/// The text form has a line for each fact that the numbers depend on, a line for each start, and a checksum.
/// Numbers are written as hexadecimal bits. The text has no commas, so it can be the parameter of an agent.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Values {
    head: String,
    /// Number of values per start.
    numbers: usize,
    rows: BTreeMap<(u32, Start), Vec<f64>>,
}

impl Values {
    /// No values yet. `what` names the computation in one line; `numbers` is the number of values per start.
    pub(crate) fn new(rules: &Rules, what: &str, numbers: usize) -> Self {
        let list = |values: &[u32]| values.iter().map(|value| format!(" {value}")).collect::<String>();
        let head = format!(
            "{FORMAT}\ngame {} rules {}\nof {what}\nrounds {}\ngems{}\nhazards {} {}\nartifacts{}\nunclaimed {}\n",
            INFO.id,
            INFO.rules_version,
            rules.rounds,
            list(&rules.gems),
            rules.hazard_kinds,
            rules.hazard_copies,
            list(&rules.artifact_values),
            rules.unclaimed_in_words(),
        );
        Self { head, numbers, rows: BTreeMap::new() }
    }

    /// A name for a file with these values. Different computations have different names, up to collisions of
    /// 64 bits.
    pub(crate) fn file_name(&self) -> String {
        format!("{}-{:016x}.values", INFO.id, checksum(&self.head))
    }

    /// Reads the values of a text that [`to_text`](Self::to_text) has written for the same computation.
    ///
    /// # Errors
    /// If the text does not fit; the error names what was expected and found.
    pub(crate) fn read(&mut self, text: &str) -> Result<(), String> {
        let (body, sum) = text
            .trim_end()
            .rsplit_once("\nsum ")
            .ok_or("expected a last line with a checksum, found none")?;
        let body = format!("{body}\n");
        let found = format!("{:016x}", checksum(&body));
        if sum.trim() != found {
            return Err(format!("expected the checksum {}, found {found}", sum.trim()));
        }
        let Some(lines) = body.strip_prefix(&self.head) else {
            let pair = self.head.lines().zip(body.lines()).find(|(mine, other)| mine != other);
            let (expected, found) = pair.unwrap_or((FORMAT, "another format"));
            return Err(format!("expected values of '{expected}', found '{found}'"));
        };
        let numbers = self.numbers;
        let rows = lines.lines().map(|line| row(line, numbers).ok_or(line));
        let rows: Result<_, &str> = rows.collect();
        self.rows =
            rows.map_err(|line| format!("expected a start with {numbers} numbers, found '{line}'"))?;
        Ok(())
    }

    /// The text form.
    pub(crate) fn to_text(&self) -> String {
        let mut text = self.head.clone();
        for ((round, start), numbers) in &self.rows {
            let kinds: Vec<String> = start.kinds.iter().map(u8::to_string).collect();
            let (artifacts, claimed) = (start.artifacts, start.claimed);
            // Writing to a string cannot fail.
            let _ = write!(text, "{round} {} {artifacts} {claimed}", kinds.join("."));
            for number in numbers {
                let _ = write!(text, " {:016x}", number.to_bits());
            }
            text.push('\n');
        }
        let _ = writeln!(text, "sum {:016x}", checksum(&text));
        text
    }

    /// The values of a start, if known.
    pub(super) fn get(&self, round: u32, start: Start) -> Option<&[f64]> {
        self.rows.get(&(round, start)).map(Vec::as_slice)
    }

    /// The values of the start that follows from `next` when the artifact of the next round has entered;
    /// zeros after the last round.
    pub(super) fn after<const N: usize>(&self, rules: &Rules, round: u32, next: Start) -> [f64; N] {
        if round == rules.rounds {
            return [0.0; N];
        }
        let numbers =
            self.get(round + 1, next.enter(rules, round + 1)).and_then(|numbers| numbers.try_into().ok());
        numbers.expect("later rounds are solved first")
    }

    /// Number of starts with known values.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns true if the values of all starts are known.
    pub(crate) fn is_complete(&self, rules: &Rules) -> Result<bool, ExactError> {
        let starts = all_starts(rules)?;
        let mut all =
            (1..).zip(&starts).flat_map(|(round, starts)| starts.iter().map(move |start| (round, *start)));
        Ok(all.all(|at| self.rows.contains_key(&at)))
    }
}

/// Parses the start and the values of a line.
fn row(line: &str, numbers: usize) -> Option<((u32, Start), Vec<f64>)> {
    let mut words = line.split(' ');
    let round = words.next()?.parse().ok()?;
    let kinds: Vec<u8> = words.next()?.split('.').map(|count| count.parse().ok()).collect::<Option<_>>()?;
    let (artifacts, claimed) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let start = Start { kinds: kinds.try_into().ok()?, artifacts, claimed };
    let number = |word: &str| {
        let bits = u64::from_str_radix(word, 16).ok().filter(|_| word.len() == 16)?;
        Some(f64::from_bits(bits)).filter(|number| number.is_finite())
    };
    let found: Vec<f64> = words.map(number).collect::<Option<_>>()?;
    (found.len() == numbers).then_some(((round, start), found))
}

/// 64-bit FNV-1a. It detects every change of a single byte.
fn checksum(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Groups the starts of a round, each in ascending order of artifacts in the deck. In a group, a start
/// follows from another if one player takes artifacts and the others go on.
pub(super) fn groups(starts: &[Start]) -> Vec<Vec<Start>> {
    let mut groups: BTreeMap<_, Vec<Start>> = BTreeMap::new();
    for &start in starts {
        groups.entry((start.kinds, start.artifacts + start.claimed)).or_default().push(start);
    }
    let ascending = |mut group: Vec<Start>| {
        group.sort_by_key(|start| start.artifacts);
        group
    };
    groups.into_values().map(ascending).collect()
}

/// Number of places in a group of starts, which is roughly proportional to the solving time.
pub(super) fn places(group: &[Start]) -> u64 {
    group.iter().map(|start| (u64::from(start.artifacts) + 1) * seen_size(&start.kinds) as u64).sum()
}

/// Progress of a computation.
pub(crate) struct Step<'s> {
    /// The values known so far.
    pub(crate) values: &'s Values,
    /// Number of places of solved starts.
    pub(crate) done: u64,
    /// Number of places of all starts.
    pub(crate) total: u64,
}

/// A solver for a group of starts of a round. It receives the known values of later rounds, and returns the
/// values of each start.
pub(super) type SolveGroup<'s> = dyn Fn(u32, &[Start], &Values) -> Vec<Vec<f64>> + Sync + 's;

/// Solves all rounds that are not known, from the last to the first. `tell` is called after each group.
///
/// # Errors
/// If the rules are too large, or if the host or `tell` stops the computation. Values solved before are in
/// `values`.
pub(crate) fn solve_backwards(
    rules: &Rules,
    values: &mut Values,
    host: &dyn ToolHost,
    solve: &SolveGroup<'_>,
    tell: &mut dyn FnMut(Step<'_>) -> ControlFlow<()>,
) -> Result<(), ExactError> {
    let starts = all_starts(rules)?;
    let total = starts.iter().map(|starts| places(starts)).sum();
    let mut done = 0;
    for (index, starts) in starts.iter().enumerate().rev() {
        let round = index as u32 + 1;
        let all = groups(starts);
        let is_known = |group: &&Vec<Start>| group.iter().all(|start| values.get(round, *start).is_some());
        let (known, mut missing): (Vec<_>, Vec<_>) = all.iter().partition(is_known);
        done += known.into_iter().map(|group| places(group)).sum::<u64>();
        // The longest groups come first, so that no thread works alone at the end.
        missing.sort_by_key(|group| std::cmp::Reverse(places(group)));
        if tell(Step { values, done, total }).is_break() || host.is_stopped() {
            return Err(ExactError::Stopped);
        }
        let later = values.clone();
        let solved: Vec<OnceLock<Vec<Vec<f64>>>> = missing.iter().map(|_| OnceLock::new()).collect();
        let item = |index: usize| {
            // Each item is solved once.
            let _ = solved[index].set(solve(round, missing[index], &later));
        };
        let mut finished = 0;
        host.each(missing.len(), &item, &mut |index| {
            let numbers = solved[index].get().cloned().unwrap_or_default();
            for (start, numbers) in missing[index].iter().zip(numbers) {
                values.rows.insert((round, *start), numbers);
            }
            finished += 1;
            done += places(missing[index]);
            match tell(Step { values, done, total }) {
                ControlFlow::Continue(()) if !host.is_stopped() => ControlFlow::Continue(()),
                _ => ControlFlow::Break(()),
            }
        });
        if finished < missing.len() {
            return Err(ExactError::Stopped);
        }
    }
    Ok(())
}
