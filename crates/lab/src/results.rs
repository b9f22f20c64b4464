//! The results directory: locking, and atomic replacement of its files.

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
use crate::plots::{MAX_AGENTS, MAX_SHEETS, sheet_name};
use crate::simulation::Simulation;
use crate::tally::Tally;

/// Options of writing the files of a run.
#[derive(Clone, Debug, Default)]
pub struct OutputOptions {
    /// Handling of earlier results.
    pub existing: Existing,
    /// The command that plays this setting, for the report; may be empty. The number of episodes is appended;
    /// options without effect on results are left out.
    pub command: String,
}

impl OutputOptions {
    pub(crate) fn command_for(&self, episodes: u64) -> String {
        if self.command.is_empty() { String::new() } else { format!("{} -n {episodes}", self.command) }
    }
}

/// Results in memory and the outcome of writing them: a write error never loses the results.
#[derive(Debug)]
#[must_use = "the files may not have been written"]
pub struct Filed<T> {
    /// The results.
    pub played: T,
    /// `Ok` if the files are written, otherwise the error. [`LabError`] describes the state of earlier
    /// results.
    pub written: Result<(), LabError>,
}

impl<T> Filed<T> {
    /// The results, if their files are written.
    ///
    /// # Errors
    /// If writing failed.
    pub fn into_result(self) -> Result<T, LabError> {
        self.written.map(|()| self.played)
    }
}

/// Handling of earlier results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Refuses a directory that is not empty.
    #[default]
    Refuse,
    /// Replaces earlier results and files with the name of a new one; other files stay.
    Replace,
    /// Continues results of the same setting and seed; a directory without results starts afresh.
    Resume,
}

/// Plan of the results; they are continued only under an equal plan.
pub(crate) const PLAN: &str = "plan.json";
/// Exact counts, from which results are continued.
pub(crate) const TALLY: &str = "tally.json";
pub(crate) const SUMMARY: &str = "summary.json";
pub(crate) const TIMING: &str = "timing.json";
pub(crate) const EPISODES: &str = "episodes.parquet";
pub(crate) const REPORT: &str = "report.html";
const PAY_OFFS: &str = "pay-offs.parquet";
/// Sizes and checksums of all files except those in [`UNSUMMED`].
pub(crate) const CHECKSUMS: &str = "checksums.json";
const PLOTS: &str = "plots";
/// The plots of the balance crate, besides `lengths`.
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
const REVIEW_PLOTS: [&str; 1] = ["curve"];
const FILES: [&str; 8] = [PLAN, TALLY, CHECKSUMS, SUMMARY, TIMING, EPISODES, PAY_OFFS, REPORT];
/// Files without a checksum: the plan, which is compared as a whole, the list itself, and the timing, which
/// differs every time.
const UNSUMMED: [&str; 3] = [PLAN, CHECKSUMS, TIMING];

pub(crate) const CHANGED: &str = "the files were changed; replace them with --force";

const LOCK: &str = ".meeple.lock";
/// Staging directory of new files. Its content is disposable until complete.
const STAGE: &str = ".meeple.tmp";
/// Name of the staging directory once complete: its files only remain to be moved into place.
const COMPLETE: &str = ".meeple.complete";
/// File in the staging directory with the names of all its files; removed last.
const LIST: &str = "files.json";
/// File in the staging directory with the names of earlier files without a successor.
const GONE: &str = "gone.json";
/// Files needed for resuming, which are moved into place last.
const LAST: [&str; 4] = [EPISODES, TALLY, CHECKSUMS, PLAN];

/// An output directory, locked for this run.
///
/// New files are written into a staging directory inside it. Renaming that directory, once all are on disk,
/// commits the new results; then they replace the old ones. A crash before the commit leaves the old results
/// intact. A crash after the commit is repaired by the next run that continues or replaces the results.
pub struct Directory {
    path: PathBuf,
    /// True to continue results of the same plan.
    pub(crate) resumes: bool,
    staged: Vec<String>,
    /// Files of earlier results; only these may be removed.
    earlier: Vec<String>,
    // Drop order matters: the lock is a file in the directory.
    _lock: Lock,
    _made: Made,
}

impl Directory {
    /// Opens or creates the directory. Earlier results stay unchanged, except that a commit interrupted by a
    /// crash is completed if they are to be continued or replaced.
    ///
    /// # Errors
    /// If the directory holds foreign files or results of another plan, is in use by another run, or is not
    /// writable.
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
            // The lock is this run's own; a stage may be left over from a killed run.
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

    fn refuse_others(&self) -> Result<(), LabError> {
        let kind = self.read::<PlanKind>(PLAN)?.kind;
        match self.foreign(&names_of(kind.as_deref())) {
            None => Ok(()),
            Some(name) => Err(LabError::occupied(
                &self.path,
                format!("'{name}', which is not part of the earlier results,"),
                "move it away: results may need its name",
            )),
        }
    }

    fn foreign<'n>(&self, names: &'n [String]) -> Option<&'n String> {
        names.iter().find(|name| !self.earlier.contains(name) && self.file(name).exists())
    }

    /// Names of the files of earlier results. Older versions stored no list: all names known for their kind
    /// of results are assumed.
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
        // The stored plan is parsed only if its bytes differ: a plan is far larger in memory than on disk.
        let stored: Value = self.read(PLAN)?;
        let plan = &serde_json::to_value(plan).map_err(|error| LabError::read(&self.path, error))?;
        if !stored.is_object() {
            return Err(LabError::read(&self.path.join(PLAN), "expected an object"));
        }
        let Some((expected, found)) = plan::difference(game, plan, &stored) else { return Ok(()) };
        let hint = "results are continued with the same game, variant, line-up, seed and seating; name another directory for others";
        Err(self.refused(expected, found, hint))
    }

    pub(crate) fn refused(&self, expected: String, found: String, hint: &str) -> LabError {
        LabError::Resume(self.path.clone(), Mismatch::new(expected, found, hint))
    }

    /// Compares a plan with the stored one byte by byte, as written.
    fn has_plan(&self, plan: &impl Serialize) -> bool {
        let Ok(stored) = File::open(self.file(PLAN)) else { return false };
        let mut same = SameBytes(BufReader::new(stored));
        let equal = write_pretty(&mut same, plan).is_ok();
        equal && same.0.read(&mut [0]).is_ok_and(|more| more == 0)
    }

    /// Settings for continuing the results in a directory. Rule parameters that are newer than the results
    /// take their former values, unless `set` overrides them.
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

    /// The path of a file in the directory.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn read<T: DeserializeOwned>(&self, name: &str) -> Result<T, LabError> {
        let path = self.file(name);
        let text = fs::read_to_string(&path).map_err(|error| LabError::read(&path, error))?;
        serde_json::from_str(&text).map_err(|error| LabError::read(&path, error))
    }

    /// Checks files of earlier results against their checksums.
    ///
    /// # Errors
    /// If one is missing or changed.
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

    /// Checks stored counts, which `what` describes. The simulation may have more episodes than they have.
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

    /// The path of a new file in the staging directory; the commit moves it into place.
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

    /// Stages a file with these bytes; the commit moves it into place.
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

    /// Stores the checksums of the new files, for [`verify`](Self::verify) and for recognising own files.
    fn write_checksums(&mut self) -> Result<(), LabError> {
        let mut sums = BTreeMap::new();
        for name in self.staged.iter().filter(|name| !UNSUMMED.contains(&name.as_str())) {
            let path = self.file(STAGE).join(name);
            let sum = Checksum::of(&path).map_err(|error| LabError::write(&path, error))?;
            sums.insert(name.clone(), sum);
        }
        self.write_json(CHECKSUMS, &sums)
    }

    /// Replaces the results by the staged files.
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

    /// Moves the files of a complete stage into place, also after an interrupted commit, and removes earlier
    /// files without a successor.
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

    /// Stages a JSON file, pretty-printed.
    pub fn write_json(&mut self, name: &str, value: &impl Serialize) -> Result<(), LabError> {
        self.write_by(name, |file| write_pretty(file, value))
    }

    /// Stages a JSON file on a single line.
    pub fn write_compact(&mut self, name: &str, value: &impl Serialize) -> Result<(), LabError> {
        self.write_by(name, |file| {
            serde_json::to_writer(&mut *file, value)?;
            file.write_all(b"\n")
        })
    }

    /// Stages plots as SVG and PNG.
    pub fn write_plots(&mut self, plots: &[crate::plots::Plot]) -> Result<(), LabError> {
        plots.iter().try_for_each(|plot| self.write_plot(plot).map(drop))
    }

    /// Stages a plot and returns the path of its SVG.
    pub(crate) fn write_plot(&mut self, plot: &crate::plots::Plot) -> Result<PathBuf, LabError> {
        let name = format!("{PLOTS}/{}.svg", plot.name);
        self.write(&name, plot.to_svg().as_bytes())?;
        self.write(&format!("{PLOTS}/{}.png", plot.name), &plot.to_png()?)?;
        self.stage(&name)
    }
}

/// Removes staged files that were not committed.
impl Drop for Directory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(self.file(STAGE));
    }
}

/// All names that results of a kind may have; of any kind if `None`.
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
    let sheets = |name: &'static str| (1..=MAX_SHEETS).map(move |number| sheet_name(name, number));
    let mut plots: Vec<String> = sheets("figures").collect();
    plots.push("lengths".to_owned());
    if simulation {
        plots.extend(["scores", "results", "seats", "turns"].map(str::to_owned));
        plots.extend(sheets("distributions"));
    }
    if sweep {
        plots.extend(["win-share", "scores", "heat"].map(str::to_owned));
        plots.extend(sheets("endings"));
        plots.extend((1..=MAX_AGENTS).flat_map(|agent| [format!("scores-{agent}"), format!("heat-{agent}")]));
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

/// True for the name of a plot file without further path components.
fn is_plot(name: &str) -> bool {
    let stem = name
        .strip_prefix("plots/")
        .and_then(|name| name.strip_suffix(".svg").or_else(|| name.strip_suffix(".png")));
    stem.is_some_and(|stem| {
        !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

fn write_pretty(file: &mut impl Write, value: &impl Serialize) -> std::io::Result<()> {
    serde_json::to_writer_pretty(&mut *file, value)?;
    file.write_all(b"\n")
}

#[derive(Deserialize)]
struct PlanKind {
    kind: Option<String>,
}

/// A writer that fails unless the written bytes equal those of a reader.
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

fn removed(path: &Path, remove: fn(&Path) -> std::io::Result<()>) -> Result<(), LabError> {
    match remove(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(LabError::write(path, error)),
        _ => Ok(()),
    }
}

/// Directories that this run created, innermost first. They are removed again if they are empty.
struct Made(Vec<PathBuf>);

impl Made {
    /// Creates a directory with its missing parents.
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
            let _ = fs::remove_dir(path);
        }
    }
}

/// Syncs a directory, so its renames reach the disk before later ones. Some systems do not support this;
/// errors are ignored.
fn sync_directory(path: &Path) {
    let _ = File::open(path).and_then(|directory| directory.sync_all());
}

/// A locked file. The system releases the lock when its holder dies.
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
                // Without lock support the run goes on: an unguarded directory is better than an unusable
                // one.
                Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
                Err(TryLockError::Error(error)) => return Err(wrong(error)),
                Ok(()) => {}
            }
            // The previous holder may have removed the file between opening and locking.
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

/// Removes the file while it is locked: a process that opened it before notices the removal.
impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
