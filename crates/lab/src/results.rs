//! The directory of results: who may write into it, and how.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use meeple_core::{AnyEntry, AnyGame};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::checksum::Checksum;
use crate::error::{LabError, Mismatch};
use crate::new_file::is_at;
use crate::plan;
use crate::plots::{MOST_AGENTS, MOST_SHEETS, sheet_name};
use crate::simulation::Simulation;
use crate::tally::Tally;

/// How the files of a run are made.
#[derive(Clone, Debug, Default)]
pub struct Output {
    /// What to do with results that are there already.
    pub existing: Existing,
    /// The command that plays this setting, for the report; may be empty. It has no number of episodes, which
    /// is added, and nothing that results do not depend on: not threads, nor where and how they are written.
    pub command: String,
}

impl Output {
    /// The command that plays so many episodes.
    pub(crate) fn command_for(&self, episodes: u64) -> String {
        if self.command.is_empty() { String::new() } else { format!("{} -n {episodes}", self.command) }
    }
}

/// What was played, and whether its files are written: what was played is never lost with them.
#[derive(Debug)]
#[must_use = "the files may not have been written"]
pub struct Filed<T> {
    /// What was played.
    pub played: T,
    /// Why earlier results are as they were, if the files could not be written.
    pub written: Result<(), LabError>,
}

impl<T> Filed<T> {
    /// What was played, if its files are written.
    ///
    /// # Errors
    /// If they could not be.
    pub fn into_result(self) -> Result<T, LabError> {
        self.written.map(|()| self.played)
    }
}

/// What to do with results that are there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Refuse a directory that is not empty.
    #[default]
    Refuse,
    /// Replace earlier results, and files that have the name of one of the new ones; other files stay.
    Replace,
    /// Continue the results of the same setting and seed; a directory without results begins new ones.
    Resume,
}

/// What the results are of. Results are continued only where this is the same.
pub(crate) const PLAN: &str = "plan.json";
/// The exact counts, from which results are continued.
pub(crate) const TALLY: &str = "tally.json";
pub(crate) const SUMMARY: &str = "summary.json";
pub(crate) const TIMING: &str = "timing.json";
pub(crate) const EPISODES: &str = "episodes.parquet";
pub(crate) const REPORT: &str = "report.html";
/// The pay-offs of the balance laboratory.
const PAY_OFFS: &str = "pay-offs.parquet";
/// Size and checksum of all other files but those in [`UNSUMMED`].
pub(crate) const CHECKSUMS: &str = "checksums.json";
const PLOTS: &str = "plots";
/// The plots of the balance laboratory, beside those of lengths.
const BALANCE_PLOTS: [&str; 10] = [
    "survivors",
    "pairs",
    "spots",
    "decides",
    "survivors-by-value",
    "spots-by-value",
    "ends-by-value",
    "effects-length",
    "effects-spots",
    "effects-survivors",
];
/// The plot of a review.
const REVIEW_PLOTS: [&str; 1] = ["curve"];
const FILES: [&str; 8] = [PLAN, TALLY, CHECKSUMS, SUMMARY, TIMING, EPISODES, PAY_OFFS, REPORT];
/// Files of all results that have no checksum: a timing is never the same twice.
const UNSUMMED: [&str; 3] = [PLAN, CHECKSUMS, TIMING];

/// What to do about results that do not fit their plan.
pub(crate) const CHANGED: &str = "the files were changed; replace them with --force";

/// Held by the run that writes into the directory.
const LOCK: &str = ".meeple.lock";
/// Where new files are written. Worth nothing to anybody until it is complete.
const STAGE: &str = ".meeple.tmp";
/// The stage under the name that says: complete. Its files only need to be moved to their places.
const COMPLETE: &str = ".meeple.complete";
/// In the stage: the names of all its files. Removed last.
const LIST: &str = "files.json";
/// In the stage: the names of files of earlier results that have no successor.
const GONE: &str = "gone.json";
/// The files that others are continued from take their places last.
const LAST: [&str; 4] = [EPISODES, TALLY, CHECKSUMS, PLAN];

/// An output directory that may be written to, by this run alone.
///
/// New files are written into a stage inside of it. When all of them are on the disk, the stage is renamed,
/// which is the moment from which the new results count; then they replace the old ones. Whatever happens
/// before that moment leaves the old results as they were; what happens after it is made good by the next
/// run that continues or replaces them.
pub struct Directory {
    path: PathBuf,
    /// Whether results of the same plan are there and shall be continued.
    pub(crate) resumes: bool,
    /// The files in the stage.
    staged: Vec<String>,
    /// The files of earlier results, which alone may be removed.
    earlier: Vec<String>,
    // In this order: the lock is a file in the directory.
    _lock: Lock,
    _made: Made,
}

impl Directory {
    /// Opens or makes the directory. Results in it are not changed, but for finishing what a run that was
    /// killed had begun to put into place, if they are to be continued or replaced.
    ///
    /// # Errors
    /// If it holds what must not be touched, holds other results than those to be continued, is in use by
    /// another run, or cannot be written to.
    pub fn open(
        path: &Path,
        existing: Existing,
        plan: &impl Serialize,
        game: Option<&dyn AnyGame>,
    ) -> Result<Self, LabError> {
        if path.exists() && !path.is_dir() {
            return Err(LabError::occupied(path, "a file", "name another directory"));
        }
        let made = Made::directory(path)?;
        let lock = Lock::take(path)?;
        let (staged, earlier) = (Vec::new(), Vec::new());
        let mut directory =
            Self { path: path.to_owned(), resumes: false, staged, earlier, _lock: lock, _made: made };
        if existing != Existing::Refuse {
            directory.put_in_place()?;
        }
        directory.earlier = directory.earlier_files();
        if existing == Existing::Refuse {
            directory.refuse_content()?;
        }
        if existing == Existing::Resume {
            if directory.file(PLAN).exists() {
                directory.compare_plan(plan, game)?;
                directory.refuse_others()?;
                directory.resumes = true;
            } else {
                directory.refuse_content()?;
            }
        }
        let stage = directory.file(STAGE);
        removed(&stage, |path| fs::remove_dir_all(path))?;
        fs::create_dir(&stage).map_err(|error| LabError::write(&stage, error))?;
        Ok(directory)
    }

    fn refuse_content(&self) -> Result<(), LabError> {
        let holds_results = !self.earlier.is_empty() || self.file(COMPLETE).exists();
        let entries = fs::read_dir(&self.path).map_err(|error| LabError::read(&self.path, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| LabError::read(&self.path, error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            // Left by a run that was killed.
            if name == LOCK || name == STAGE {
                continue;
            }
            if holds_results {
                let hint =
                    "continue them with --resume, replace them with --force, or name another directory";
                return Err(LabError::occupied(&self.path, "earlier results", hint));
            }
            let mut hint = "name another directory, or write beside what is there with --force".to_owned();
            if let Some(name) = self.foreign(&names_of(None)) {
                hint.push_str(&format!(", which may replace '{name}'"));
            }
            return Err(LabError::occupied(&self.path, format!("'{name}'"), hint));
        }
        Ok(())
    }

    /// Refuses files that are not of the earlier results, but have the name of one that may be written.
    fn refuse_others(&self) -> Result<(), LabError> {
        let kind = self.read::<PlanKind>(PLAN)?.kind;
        match self.foreign(&names_of(kind.as_deref())) {
            None => Ok(()),
            Some(name) => Err(LabError::occupied(
                &self.path,
                format!("'{name}', which the earlier results have not written,"),
                "move it away: results may need its name",
            )),
        }
    }

    /// The first of these names under which something lies that is not of the earlier results.
    fn foreign<'n>(&self, names: &'n [String]) -> Option<&'n String> {
        names.iter().find(|name| !self.earlier.contains(name) && self.file(name).exists())
    }

    /// The files that the earlier results have written. Those of older versions did not say, so that all names
    /// are taken that results of their kind are known to have.
    fn earlier_files(&self) -> Vec<String> {
        let is_own = |name: &String| FILES.contains(&name.as_str()) || is_plot(name);
        let sums: BTreeMap<String, Checksum> = self.read(CHECKSUMS).unwrap_or_default();
        if sums.contains_key(SUMMARY) {
            let unsummed = UNSUMMED.map(str::to_owned);
            return sums.into_keys().filter(is_own).chain(unsummed).collect();
        }
        match self.read::<Value>(PLAN) {
            Ok(plan) if plan["game"].is_string() => match plan["kind"].as_str() {
                kind @ Some("simulation" | "sweep" | "balance" | "review") => names_of(kind),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn compare_plan(&self, plan: &impl Serialize, game: Option<&dyn AnyGame>) -> Result<(), LabError> {
        if self.has_plan(plan) {
            return Ok(());
        }
        // Larger by far in memory than in the file, and only needed to say what differs.
        let stored: Value = self.read(PLAN)?;
        let plan = &serde_json::to_value(plan).map_err(|error| LabError::read(&self.path, error))?;
        if !stored.is_object() {
            return Err(LabError::read(&self.path.join(PLAN), "expected an object"));
        }
        let Some((expected, found)) = plan::difference(game, plan, &stored) else { return Ok(()) };
        let hint = "results are continued with the same game, variant, line-up, seed and seating; name another directory for others";
        Err(self.refused(expected, found, hint))
    }

    /// Earlier results that do not fit.
    pub(crate) fn refused(&self, expected: String, found: String, hint: &str) -> LabError {
        LabError::Resume(self.path.clone(), Mismatch::new(expected, found, hint))
    }

    /// Whether the plan of earlier results is this one, byte by byte as it would be written.
    fn has_plan(&self, plan: &impl Serialize) -> bool {
        let Ok(stored) = File::open(self.file(PLAN)) else { return false };
        let mut same = SameBytes(BufReader::new(stored));
        let equal = write_pretty(&mut same, plan).is_ok();
        equal && same.0.read(&mut [0]).is_ok_and(|more| more == 0)
    }

    /// Settings with which results in a directory, if there are any, are continued: parameters of the rules that came after them
    /// take their values of before, unless `set` says another.
    ///
    /// # Errors
    /// If the plan of the results cannot be read.
    pub fn settings(
        path: &Path,
        entry: &dyn AnyEntry,
        set: &[(String, String)],
    ) -> Result<Vec<(String, String)>, LabError> {
        let path = path.join(PLAN);
        let text = match fs::read_to_string(&path) {
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(set.to_vec());
            }
            read => read.map_err(|error| LabError::read(&path, error))?,
        };
        let plan = serde_json::from_str(&text).map_err(|error| LabError::read(&path, error))?;
        Ok(plan::settings_of(&plan, entry, set))
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Reads a JSON file of earlier results.
    pub(crate) fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T, LabError> {
        let path = self.file(name);
        let text = fs::read_to_string(&path).map_err(|error| LabError::read(&path, error))?;
        serde_json::from_str(&text).map_err(|error| LabError::read(&path, error))
    }

    /// Checks that files of earlier results are still the bytes that were written.
    ///
    /// # Errors
    /// If one is missing or was changed.
    pub(crate) fn verify(&self, names: &[&str]) -> Result<(), LabError> {
        let known: BTreeMap<String, Checksum> = self.read(CHECKSUMS)?;
        for name in names {
            let Some(expected) = known.get(*name) else {
                let reason = format!("expected the checksum of {name}");
                return Err(LabError::read(&self.file(CHECKSUMS), reason));
            };
            expected.verify(&self.file(name))?;
        }
        Ok(())
    }

    /// Whether stored counts are of a simulation, which may have more episodes; `what` the counts should be of.
    pub(crate) fn check_stored(
        &self,
        stored: &Tally,
        simulation: &Simulation<'_>,
        what: &str,
    ) -> Result<(), LabError> {
        if !stored.fits(&simulation.tally()) {
            return Err(self.refused(format!("counts of {what}"), "others".into(), CHANGED));
        }
        let (asked, found) = (simulation.episodes, stored.episodes());
        if found > asked {
            let hint = "ask for at least as many episodes as there are";
            return Err(self.refused(format!("at most {asked} episodes"), found.to_string(), hint));
        }
        Ok(())
    }

    /// The path at which a new file is written, which is to take its place when all are.
    pub fn stage(&mut self, name: &str) -> Result<PathBuf, LabError> {
        let path = self.file(STAGE).join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(|error| LabError::write(parent, error))?;
        }
        if !self.staged.iter().any(|own| own == name) {
            self.staged.push(name.to_owned());
        }
        Ok(path)
    }

    /// Writes a new file, which is to take its place when all are written.
    pub fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), LabError> {
        self.write_by(name, |file| file.write_all(bytes))
    }

    pub(crate) fn write_by(
        &mut self,
        name: &str,
        write: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
    ) -> Result<(), LabError> {
        let path = self.stage(name)?;
        let write = || {
            let mut file = BufWriter::new(File::create(&path)?);
            write(&mut file)?;
            file.into_inner()?.sync_all()
        };
        write().map_err(|error| LabError::write(&path, error))
    }

    /// Stores the checksums of the new files, for [`verify`](Self::verify), and to know them from others.
    fn write_checksums(&mut self) -> Result<(), LabError> {
        let mut sums = BTreeMap::new();
        for name in self.staged.iter().filter(|name| !UNSUMMED.contains(&name.as_str())) {
            let path = self.file(STAGE).join(name);
            let sum = Checksum::of(&path).map_err(|error| LabError::write(&path, error))?;
            sums.insert(name.clone(), sum);
        }
        self.write_json(CHECKSUMS, &sums)
    }

    /// Replaces the results by the new files, all of which have been written.
    pub fn commit(mut self) -> Result<(), LabError> {
        self.write_checksums()?;
        let known = names_of(None);
        debug_assert!(
            self.staged.iter().all(|name| known.contains(name)),
            "names_of misses one of {:?}",
            self.staged
        );
        let names = std::mem::take(&mut self.staged);
        let gone: Vec<String> = self.earlier.iter().filter(|name| !names.contains(name)).cloned().collect();
        self.write_json(GONE, &gone)?;
        self.write_json(LIST, &names)?;
        let (stage, complete) = (self.file(STAGE), self.file(COMPLETE));
        sync_directory(&stage.join(PLOTS));
        sync_directory(&stage);
        fs::rename(&stage, &complete).map_err(|error| LabError::write(&complete, error))?;
        sync_directory(&self.path);
        self.put_in_place()
    }

    /// Moves the files of a complete stage to their places, also those that an earlier try has left, and
    /// removes files of earlier results that have no successor. Nothing to do if there is no such stage.
    fn put_in_place(&self) -> Result<(), LabError> {
        let complete = self.file(COMPLETE);
        if !complete.exists() {
            return Ok(());
        }
        let list = complete.join(LIST);
        if list.exists() {
            let mut names: Vec<String> = self.read(&format!("{COMPLETE}/{LIST}"))?;
            names.sort_by_key(|name| LAST.iter().position(|last| last == name).map_or(0, |place| place + 1));
            for name in &names {
                let (from, to) = (complete.join(name), self.file(name));
                if from.exists() {
                    if let Some(parent) = to.parent() {
                        fs::create_dir_all(parent).map_err(|error| LabError::write(parent, error))?;
                    }
                    fs::rename(&from, &to).map_err(|error| LabError::write(&to, error))?;
                }
            }
            if complete.join(GONE).exists() {
                let gone: Vec<String> = self.read(&format!("{COMPLETE}/{GONE}"))?;
                gone.iter().try_for_each(|name| removed(&self.file(name), |path| fs::remove_file(path)))?;
            }
            sync_directory(&self.file(PLOTS));
            sync_directory(&self.path);
            fs::remove_file(&list).map_err(|error| LabError::write(&list, error))?;
        }
        removed(&complete, |path| fs::remove_dir_all(path))
    }

    /// Writes a file of JSON, readable by people too.
    pub fn write_json(&mut self, name: &str, value: &impl Serialize) -> Result<(), LabError> {
        self.write_by(name, |file| write_pretty(file, value))
    }

    /// Writes a file of JSON on one line, for programs.
    pub fn write_compact(&mut self, name: &str, value: &impl Serialize) -> Result<(), LabError> {
        self.write_by(name, |file| {
            serde_json::to_writer(&mut *file, value)?;
            file.write_all(b"\n")
        })
    }

    /// Writes plots as SVG and PNG.
    pub fn write_plots(&mut self, plots: &[crate::plots::Plot]) -> Result<(), LabError> {
        plots.iter().try_for_each(|plot| self.write_plot(plot).map(drop))
    }

    /// Writes a plot, and says where its SVG is until all files take their places.
    pub(crate) fn write_plot(&mut self, plot: &crate::plots::Plot) -> Result<PathBuf, LabError> {
        let name = format!("{PLOTS}/{}.svg", plot.name);
        self.write(&name, plot.to_svg().as_bytes())?;
        self.write(&format!("{PLOTS}/{}.png", plot.name), &plot.to_png()?)?;
        self.stage(&name)
    }
}

/// What was not committed is taken away.
impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.file(STAGE));
    }
}

/// The names that results of a kind may have, or of any kind.
fn names_of(kind: Option<&str>) -> Vec<String> {
    let may_be = |own: &str| kind.is_none_or(|kind| kind == own);
    let (simulation, sweep, balance) = (may_be("simulation"), may_be("sweep"), may_be("balance"));
    let review = may_be("review");
    let files = FILES.iter().filter(|name| match **name {
        EPISODES => simulation,
        PAY_OFFS => balance,
        _ => true,
    });
    let mut names: Vec<String> = files.map(|name| (*name).to_owned()).collect();
    let sheets = |name: &'static str| (1..=MOST_SHEETS).map(move |number| sheet_name(name, number));
    let mut plots: Vec<String> = sheets("figures").collect();
    plots.push("lengths".to_owned());
    if simulation {
        plots.extend(["scores", "results", "seats", "turns"].map(str::to_owned));
        plots.extend(sheets("distributions"));
    }
    if sweep {
        plots.extend(["win-share", "scores", "heat"].map(str::to_owned));
        plots.extend(sheets("endings"));
        plots
            .extend((1..=MOST_AGENTS).flat_map(|agent| [format!("scores-{agent}"), format!("heat-{agent}")]));
    }
    if balance {
        plots.extend(BALANCE_PLOTS.map(str::to_owned));
    }
    if review {
        plots.extend(REVIEW_PLOTS.map(str::to_owned));
    }
    for ending in ["svg", "png"] {
        names.extend(plots.iter().map(|plot| format!("{PLOTS}/{plot}.{ending}")));
    }
    names
}

/// Whether a name is one of a plot, and leads nowhere else.
fn is_plot(name: &str) -> bool {
    let stem = name
        .strip_prefix("plots/")
        .and_then(|name| name.strip_suffix(".svg").or_else(|| name.strip_suffix(".png")));
    stem.is_some_and(|stem| {
        !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

/// JSON for people, as files of it are written.
fn write_pretty(file: &mut impl Write, value: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *file, value)?;
    file.write_all(b"\n")
}

/// The kind of results that a plan is of. What else stands in it is passed over.
#[derive(Deserialize)]
struct PlanKind {
    kind: Option<String>,
}

/// Takes what would be written, and fails where it is not what can be read.
struct SameBytes<R>(R);

impl<R: Read> Write for SameBytes<R> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut found = [0; 512];
        let found = &mut found[..bytes.len().min(512)];
        self.0.read_exact(found)?;
        match *found == bytes[..found.len()] {
            true => Ok(found.len()),
            false => Err(ErrorKind::InvalidData.into()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Removes what may not be there.
fn removed(path: &Path, remove: fn(&Path) -> std::io::Result<()>) -> Result<(), LabError> {
    match remove(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(LabError::write(path, error)),
        _ => Ok(()),
    }
}

/// Directories that were made, the innermost first. They are removed again if nothing was written into them.
struct Made(Vec<PathBuf>);

impl Made {
    /// Makes a directory and those that it lies in.
    fn directory(path: &Path) -> Result<Self, LabError> {
        let new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let made = Self(path.ancestors().take_while(new).map(Path::to_owned).collect());
        fs::create_dir_all(path).map_err(|error| LabError::write(path, error))?;
        Ok(made)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for path in &self.0 {
            // Only an empty one goes.
            let _ = fs::remove_dir(path);
        }
    }
}

/// Asks that names reach the disk before later ones. Where a system cannot, it keeps its own order.
fn sync_directory(path: &Path) {
    let _ = File::open(path).and_then(|directory| directory.sync_all());
}

/// The right to write into a directory: a file that is locked, so that the system gives the right back when
/// its holder dies in whatever way.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    fn take(directory: &Path) -> Result<Self, LabError> {
        let path = directory.join(LOCK);
        let wrong = |error: std::io::Error| LabError::write(&path, error);
        loop {
            let mut options = File::options();
            let mut file =
                options.read(true).write(true).create(true).truncate(false).open(&path).map_err(wrong)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    let _ = file.read_to_string(&mut holder);
                    let holder = match holder.trim() {
                        "" => "another run".to_owned(),
                        process => format!("another run (process {process})"),
                    };
                    let hint = "wait until it is done, or name another directory";
                    return Err(LabError::occupied(directory, format!("{holder} at work"), hint));
                }
                // A file system without locks: better unguarded than not at all.
                Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(wrong(error)),
                Ok(()) => {}
            }
            // Its last holder may have removed the file between opening and locking it.
            if !is_at(&file, &path) {
                continue;
            }
            let mut write = || {
                file.set_len(0)?;
                file.write_all(std::process::id().to_string().as_bytes())
            };
            write().map_err(wrong)?;
            return Ok(Self { path, _file: file });
        }
    }
}

/// Removed while it is still locked: whoever opened it before finds it gone.
impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
