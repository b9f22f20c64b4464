//! Interpreters: their paths, and the folders that they need.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use crate::reap::finish;
use crate::spec::Language;

/// Time limit for an interpreter to report its paths. A busy machine may take most of a minute to start one,
/// and that must not read as "not found".
const PATHS_TIMEOUT: Duration = Duration::from_secs(180);

/// Folders of the system: programs, their libraries and their data.
pub(crate) const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];

/// System folders of Node packages.
const NODE: [&str; 2] = ["/usr/share/nodejs", "/usr/lib/node_modules"];

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Runtime {
    pub program: PathBuf,
    /// Folders that the interpreter needs, beside those of the system.
    pub visible: Vec<PathBuf>,
    /// System folders with the interpreter's data, if known.
    pub system: Option<Vec<PathBuf>>,
}

impl Language {
    pub(crate) fn program(self) -> &'static str {
        match self {
            Self::Python => "python3",
            Self::JavaScript => "node",
        }
    }
}

/// Cache, since asking an interpreter takes a while. Keys: path, and whether other users must be able to read
/// it.
static KNOWN: Mutex<BTreeMap<(PathBuf, bool), Option<Runtime>>> = Mutex::new(BTreeMap::new());

impl Runtime {
    /// The interpreter of a language: the first working one on PATH, readable by other users if `others`.
    pub(crate) fn of_language(language: Language, others: bool) -> Option<Self> {
        candidates(language.program()).find_map(|path| Self::known(path, Some(language), others))
    }

    pub(crate) fn of_python(program: &Path, others: bool) -> Option<Self> {
        programs(program).into_iter().find_map(|path| Self::known(path, Some(Language::Python), others))
    }

    pub(crate) fn of_program(name: &str, others: bool) -> Option<Self> {
        let program = Path::new(name);
        let file = program.file_name()?.to_str()?;
        let language = if file.starts_with("python") {
            Some(Language::Python)
        } else if file == "node" || file == "nodejs" {
            Some(Language::JavaScript)
        } else {
            None
        };
        programs(program).into_iter().find_map(|path| Self::known(path, language, others))
    }

    fn known(path: PathBuf, language: Option<Language>, others: bool) -> Option<Self> {
        let open = |runtime: &Self| {
            std::iter::once(&runtime.program).chain(&runtime.visible).all(|path| open_to_others(path))
        };
        let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let found = known.entry((path, others)).or_insert_with_key(|(path, _)| {
            Self::ask(path, language, others).filter(|runtime| !others || open(runtime))
        });
        found.clone()
    }

    /// Asks the interpreter for its real path: the file on PATH may be a script that searches for the
    /// interpreter. With `others`, search folders that other users cannot read are left out.
    fn ask(path: &Path, language: Option<Language>, others: bool) -> Option<Self> {
        let question: [&str; 2] = match language {
            Some(Language::Python) => {
                // The path includes the source folders of packages installed in place. Additions by the
                // environment or the user are excluded, because bots do not see them.
                [
                    "-Esc",
                    "import sys; print(sys.executable, sys.prefix, sys.base_prefix, *sys.path[1:], sep='\\n')",
                ]
            }
            Some(Language::JavaScript) => [
                "-e",
                "console.log(process.execPath); console.log(require('path').dirname(process.execPath))",
            ],
            None => {
                // A program of no known language needs its own folder.
                let program = path.to_owned();
                let visible = vec![path.canonicalize().ok()?.parent()?.to_owned(), path.parent()?.to_owned()];
                let visible = outside_system(visible);
                return Some(Self { program, visible, system: None });
            }
        };
        let mut command = Command::new(path);
        command.args(question).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let output =
            finish(command.spawn().ok()?, PATHS_TIMEOUT).ok().filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stdout).ok()?;
        let mut lines = text.lines().map(PathBuf::from);
        let program = lines.next().filter(|program| program.is_file())?;
        let mut lines = lines.filter(|folder| folder.is_dir());
        let mut visible: Vec<PathBuf> = lines.by_ref().take(2).collect();
        visible.extend(program.canonicalize().ok()?.parent().map(Path::to_owned));
        let visible = outside_system(visible);
        let further = lines.filter(|folder| {
            folder.components().count() > 2 && !visible.iter().any(|seen| folder.starts_with(seen))
        });
        let further = further.filter(|folder| !others || open_to_others(folder));
        let (mut system, further): (Vec<_>, Vec<_>) = further.partition(|folder| is_of_system(folder));
        if language == Some(Language::JavaScript) {
            system.extend(NODE.map(PathBuf::from).into_iter().filter(|folder| folder.is_dir()));
        }
        let visible = outside_system(visible.iter().cloned().chain(further));
        Some(Self { program, visible, system: Some(system) })
    }
}

/// Returns true if a path is below the folders of the system.
pub(crate) fn is_of_system(path: &Path) -> bool {
    SYSTEM.iter().any(|folder| path.starts_with(folder))
}

/// Removes duplicates and folders of the system, which bots see anyway.
fn outside_system(folders: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = folders.into_iter().filter(|folder| !is_of_system(folder)).collect();
    folders.sort();
    folders.dedup();
    folders
}

/// The programs that a word names, as in a shell: a path is used directly, a bare name is searched.
fn programs(program: &Path) -> Vec<PathBuf> {
    if program.components().count() == 1 {
        return program.to_str().map(|name| candidates(name).collect()).unwrap_or_default();
    }
    // Links are kept: an environment is identified by the path of its interpreter.
    std::path::absolute(program).into_iter().filter(|path| path.is_file()).collect()
}

/// The programs of this name on PATH and in the usual folders.
pub(crate) fn candidates(name: &str) -> impl Iterator<Item = PathBuf> + use<> {
    let path = std::env::var("PATH").unwrap_or_default();
    let usual = ["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from);
    let mut folders: Vec<PathBuf> =
        std::env::split_paths(&path).filter(|folder| folder.is_absolute()).collect();
    folders.extend(usual);
    let name = name.to_owned();
    folders.into_iter().map(move |folder| folder.join(&name)).filter(|path| path.is_file())
}

/// Returns true if other users can reach and read the path.
fn open_to_others(path: &Path) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    path.ancestors().all(|part| {
        part.metadata().is_ok_and(|metadata| {
            let needed = if metadata.is_dir() && part != path { 0o001 } else { 0o005 };
            metadata.permissions().mode() & needed == needed
        })
    })
}
