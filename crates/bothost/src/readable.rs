//! Files of the system that a bot may read: those that its program needs. All processes of a machine can
//! observe which pages of a file are in memory, so these pages can carry messages. A smaller set of files
//! leaks less.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use elf::ElfStream;
use elf::abi::{DT_NEEDED, PT_INTERP};
use elf::endian::AnyEndian;

use crate::runtime::{Runtime, SYSTEM, candidates, is_of_system};
use crate::shown::shown;

/// Programs that every bot may run, for bots that are shell scripts.
const TOOLS: &str = "[ awk base64 basename bash bc cat chmod cksum cmp comm cp cut dash date dd diff dirname echo egrep env \
    expand expr factor false fgrep find fmt fold gawk grep head id install join kill ln ls mawk md5sum mkdir \
    mkfifo mktemp mv nice nl nproc numfmt od paste pr printenv printf pwd readlink realpath rm rmdir sed seq \
    sh sha256sum shuf sleep sort split stat stdbuf tac tail tee test timeout touch tr true tsort uname uniq \
    wc which xargs yes";

/// Libraries that programs load dynamically, beyond their linked ones.
const LIBRARIES: [&str; 12] = [
    "libatomic.so.1",
    "libc.so.6",
    "libdl.so.2",
    "libgcc_s.so.1",
    "libgomp.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "libresolv.so.2",
    "librt.so.1",
    "libstdc++.so.6",
    "libutil.so.1",
    "libz.so.1",
];

/// Data of tools and libraries: locale, time zones, and the parts of `stdbuf`.
const DATA: [&str; 3] = ["/usr/lib/locale/C.utf8", "/usr/share/zoneinfo", "/usr/libexec/coreutils"];

/// Folders that hold many programs. A program elsewhere has its data in its own folder.
const COMMON: [&str; 6] = ["/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin", "/usr/local/sbin"];

/// Shells, which run other programs.
const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];
/// Longest part of a script that is read, in bytes.
const MAX_SCRIPT: usize = 64 << 10;

/// Longest chain of scripts and interpreters that is followed.
const MAX_SCRIPTS: usize = 4;

/// The part of the system that a bot may read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Readable {
    /// Files, and folders with all their content; no links.
    paths: BTreeSet<PathBuf>,
    /// A program with unknown dependencies: the bot may read all of the system.
    unknown: Option<PathBuf>,
    /// Names of libraries already looked up.
    libraries: BTreeSet<String>,
}

impl Readable {
    pub(crate) fn by_all() -> Self {
        static FOUND: OnceLock<Readable> = OnceLock::new();
        let find = || {
            let mut found = Self::default();
            let tools = TOOLS
                .split(' ')
                .flat_map(|tool| ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(tool)));
            tools.filter_map(|tool| tool.canonicalize().ok()).for_each(|tool| found.file(tool));
            LIBRARIES.iter().for_each(|name| found.library(name));
            DATA.iter()
                .filter_map(|path| Path::new(path).canonicalize().ok())
                .for_each(|path| found.folder(path));
            found
        };
        FOUND.get_or_init(find).clone()
    }

    /// The needs of this program, with the bot's files in `folder`. `visible` lists the paths that the bot
    /// sees outside the system; `others` is true if it runs as another user.
    pub(crate) fn by(program: &Path, folder: &Path, visible: &[PathBuf], others: bool) -> Self {
        type Known = BTreeMap<(PathBuf, Vec<PathBuf>, bool), Readable>;
        static KNOWN: Mutex<Known> = Mutex::new(BTreeMap::new());
        let find = || {
            let mut found = Self::by_all();
            found.program(program, others, MAX_SCRIPTS);
            visible.iter().for_each(|folder| found.libraries_of(folder));
            found
        };
        let mut found = if program.starts_with(folder) {
            find()
        } else {
            let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
            known.entry((program.to_owned(), visible.to_vec(), others)).or_insert_with(find).clone()
        };
        found.libraries_of(folder);
        for script in fs::read_dir(folder).into_iter().flatten().flatten() {
            found.programs_of_script(&script.path(), others);
        }
        found
    }

    fn programs_of_script(&mut self, script: &Path, others: bool) {
        let is_shell = |path: &PathBuf| SHELLS.iter().any(|shell| path.ends_with(shell));
        if script.extension().is_none_or(|ending| ending != "sh")
            && !interpreters(script).iter().any(is_shell)
        {
            return;
        }
        let text = fs::read(script).unwrap_or_default();
        let text = String::from_utf8_lossy(&text[..text.len().min(MAX_SCRIPT)]).into_owned();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
        let words = lines.flat_map(|line| {
            line.split(|letter: char| letter.is_whitespace() || "\"'`;|&()$<>={}".contains(letter))
        });
        for word in words.filter(|word| !word.is_empty()).collect::<BTreeSet<_>>() {
            let named =
                if word.starts_with('/') { vec![PathBuf::from(word)] } else { candidates(word).collect() };
            let named = named.into_iter().filter(|path| path.is_file() && is_of_system(path));
            named.for_each(|path| self.program(&path, others, MAX_SCRIPTS));
        }
    }

    /// Readable files and folders; the whole system if the needs of a program are unknown.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        match &self.unknown {
            Some(_) => SYSTEM.map(PathBuf::from).into(),
            None => self.paths.iter().cloned().collect(),
        }
    }

    /// Reads all readable files into memory, and those in the `further` files and folders. This erases
    /// patterns that predecessors left by reading some of them. Files already in memory cost little. The
    /// error says why not all files can be kept in memory.
    pub(crate) fn read_all(&self, further: &[PathBuf]) -> Result<(), String> {
        if let Some(program) = &self.unknown {
            return Err(format!("the system files that '{}' needs are unknown", shown(program)));
        }
        let (mut files, mut bytes) = (Vec::new(), 0);
        let mut paths: Vec<PathBuf> = self.paths.iter().chain(further).cloned().chain(settings()).collect();
        while let Some(path) = paths.pop() {
            // Targets of links are readable by their own name, or not at all.
            match path.symlink_metadata() {
                Ok(found) if found.is_dir() => {
                    paths.extend(
                        fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()),
                    );
                }
                Ok(found) if found.is_file() => {
                    bytes += found.len();
                    files.push(path);
                }
                _ => {}
            }
        }
        let free = free_memory().unwrap_or(0);
        if bytes > free / 2 {
            let [bytes, free] = [bytes, free].map(|bytes| bytes >> 20);
            return Err(format!("it may read {bytes} MiB of files, and only {free} MiB of memory are free"));
        }
        for file in files {
            // An unreadable file carries no message.
            let _ = File::open(file).and_then(|mut file| io::copy(&mut file, &mut io::sink()));
        }
        Ok(())
    }

    /// Adds a program by its path: its libraries, its interpreter if it is a script, and its data.
    fn program(&mut self, path: &Path, others: bool, scripts: usize) {
        let Ok(real) = path.canonicalize() else { return };
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        self.needed_by(&real);
        for interpreter in interpreters(&real).into_iter().filter(|_| scripts > 0) {
            self.program(&interpreter, others, scripts - 1);
        }
        if !is_of_system(&real) || TOOLS.split(' ').any(|tool| tool == name) {
            return;
        }
        self.file(real.clone());
        let known = path
            .to_str()
            .and_then(|text| Runtime::of_program(text, others))
            .and_then(|runtime| runtime.system);
        match (known, real.parent()) {
            (Some(folders), _) => folders.into_iter().for_each(|folder| self.folder(folder)),
            (None, Some(own)) if COMMON.iter().all(|common| own != Path::new(common)) => {
                let home = if own.ends_with("bin") { own.parent() } else { Some(own) };
                home.map(Path::to_owned).into_iter().for_each(|home| self.folder(home));
            }
            _ => self.unknown = Some(path.to_owned()),
        }
    }

    fn folder(&mut self, folder: PathBuf) {
        self.libraries_of(&folder);
        self.paths.insert(folder);
    }

    fn file(&mut self, file: PathBuf) {
        if !self.paths.contains(&file) {
            self.needed_by(&file);
            self.paths.insert(file);
        }
    }

    /// Adds the libraries of all libraries and programs below a folder.
    fn libraries_of(&mut self, folder: &Path) {
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                    // A program has no extension; other files are excluded by their first bytes.
                    Ok(_) if name.contains(".so") || !name.contains('.') => self.needed_by(&entry.path()),
                    _ => {}
                }
            }
        }
    }

    fn needed_by(&mut self, file: &Path) {
        let Some(Linked { loader, libraries }) = Linked::of(file) else { return };
        if let Some(loader) =
            loader.and_then(|path| path.canonicalize().ok()).filter(|path| is_of_system(path))
        {
            self.paths.insert(loader);
        }
        libraries.iter().for_each(|name| self.library(name));
    }

    /// Adds all libraries of this name, for any processor.
    fn library(&mut self, name: &str) {
        if !name.contains('/') && self.libraries.insert(name.to_owned()) {
            let found = library_folders().iter().filter_map(|folder| folder.join(name).canonicalize().ok());
            found.filter(|path| is_of_system(path)).for_each(|path| self.file(path));
        }
    }
}

/// The libraries that a program or library declares.
struct Linked {
    loader: Option<PathBuf>,
    libraries: Vec<String>,
}

impl Linked {
    /// Parses the file; `None` if it is neither a program nor a library.
    fn of(path: &Path) -> Option<Self> {
        // Only regular files are opened, because opening a pipe may block and opening a device may act.
        let mut file =
            fs::metadata(path).ok().filter(fs::Metadata::is_file).and_then(|_| File::open(path).ok())?;
        let mut magic = [0; 4];
        file.read_exact(&mut magic).ok().filter(|()| magic == *b"\x7fELF")?;
        let mut elf = ElfStream::<AnyEndian, _>::open_stream(file).ok()?;
        let interpreter = elf.segments().iter().copied().find(|segment| segment.p_type == PT_INTERP);
        let loader = interpreter.and_then(|segment| {
            let text = std::str::from_utf8(elf.segment_data(&segment).ok()?).ok()?;
            Some(PathBuf::from(text.trim_end_matches('\0')))
        });
        let entries = elf.dynamic().ok().flatten().map(|table| table.iter().collect::<Vec<_>>());
        let needed: Vec<u64> = entries
            .into_iter()
            .flatten()
            .filter(|entry| entry.d_tag == DT_NEEDED)
            .map(|entry| entry.d_val())
            .collect();
        let libraries = match elf.dynamic_symbol_table() {
            Ok(Some((_, names))) => needed
                .iter()
                .filter_map(|at| Some(names.get(usize::try_from(*at).ok()?).ok()?.to_owned()))
                .collect(),
            _ => Vec::new(),
        };
        Some(Self { loader, libraries })
    }
}

/// Free memory, or memory that can be freed without a disk write, in bytes; `None` if the system does not
/// report it.
fn free_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
}

/// Files of /etc that programs need: for the dynamic linker, and for Java, which keeps no secrets there.
pub(crate) fn settings() -> Vec<PathBuf> {
    let folder = fs::read_dir("/etc").into_iter().flatten().flatten();
    let java = folder.filter(|entry| entry.file_name().to_string_lossy().starts_with("java-"));
    let linker = ["/etc/ld.so.cache", "/etc/alternatives"].map(PathBuf::from);
    linker.into_iter().chain(java.map(|entry| entry.path())).collect()
}

/// The programs that may run a script, by its first line; none if it is no script.
fn interpreters(script: &Path) -> Vec<PathBuf> {
    let mut first = [0; 256];
    let read = fs::metadata(script)
        .ok()
        .filter(fs::Metadata::is_file)
        .and_then(|_| File::open(script).ok()?.read(&mut first).ok());
    let text = String::from_utf8_lossy(&first[..read.unwrap_or_default()]).into_owned();
    let Some(words) = text.lines().next().and_then(|line| line.strip_prefix("#!")) else { return Vec::new() };
    let mut words = words.split_whitespace();
    let Some(program) = words.next().map(PathBuf::from) else { return Vec::new() };
    if !program.ends_with("env") {
        return vec![program];
    }
    let looked_for = words.find(|word| !word.starts_with('-') && !word.contains('='));
    looked_for.into_iter().flat_map(candidates).filter(|path| is_of_system(path)).collect()
}

/// Folders in which the dynamic linker looks for libraries: ld.so(8).
fn library_folders() -> &'static [PathBuf] {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let further =
            fs::read_dir("/etc/ld.so.conf.d").into_iter().flatten().flatten().map(|entry| entry.path());
        let texts =
            further.chain(["/etc/ld.so.conf".into()]).filter_map(|path| fs::read_to_string(path).ok());
        let named: Vec<PathBuf> = texts
            .flat_map(|text| text.lines().map(|line| PathBuf::from(line.trim())).collect::<Vec<_>>())
            .filter(|path| path.is_absolute())
            .collect();
        let usual = ["/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"].map(PathBuf::from);
        let all: BTreeSet<PathBuf> =
            named.into_iter().chain(usual).filter_map(|path| path.canonicalize().ok()).collect();
        // Subfolders with variants for newer processors.
        let newer =
            all.iter().flat_map(|folder| fs::read_dir(folder.join("glibc-hwcaps")).into_iter().flatten());
        let newer: Vec<PathBuf> = newer.flatten().map(|entry| entry.path()).collect();
        all.into_iter().chain(newer).collect()
    })
}
