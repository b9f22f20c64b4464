//! System calls of bots: an allow list for the kernel. Unlisted calls are denied.

use std::collections::BTreeMap;

use nix::libc::{self, c_long};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter,
};
use serde::{Deserialize, Serialize};

use super::needed;

/// The set of allowed system calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Calls {
    /// All calls.
    #[default]
    All,
    /// All except those by which a process leaves its group, or resumes after a stop. Stopping, counting and
    /// ending the group then covers every process.
    Grouped,
    /// The calls that programs need, for bots in namespaces of their own. Calls whose effect stays in the
    /// namespace are included.
    Inside,
    /// The calls that programs need, for bots in the host's process space: only those that reach no other
    /// process.
    Alone,
}

/// Permission to share memory without a file. Pages of such memory that no process has mapped are counted by
/// control groups only.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NamelessSharing {
    /// For bots whose memory the kernel counts.
    #[default]
    Allowed,
    /// For bots whose shared memory no counter includes.
    Denied,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Own {
    pub pid: u32,
    /// True if landlock confines signals of this process and its descendants to themselves.
    pub signals_stay: bool,
    /// Permission to share memory.
    pub sharing: NamelessSharing,
}

/// Call numbers that are equal on all architectures of Linux. Programs probe for such recent calls, so they
/// get "not implemented"; older ones are refused.
const NEWER: std::ops::RangeInclusive<c_long> = 424..=511;

/// The calls of the x32 ABI, which reach the same kernel code by other numbers.
const X32: std::ops::RangeInclusive<c_long> = 0x4000_0000..=0x4000_0000 + 547;

/// Rules by call; a call without rules matches always.
type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

pub(crate) fn restrict(calls: Calls, own: Own) -> Result<(), String> {
    match calls {
        Calls::All => Ok(()),
        Calls::Grouped => {
            install(missing([libc::SYS_clone3]), SeccompAction::Allow, error(libc::ENOSYS))?;
            install(leaving()?, SeccompAction::Allow, error(libc::EPERM))
        }
        Calls::Inside | Calls::Alone => {
            let allowed = allowed(calls, own)?;
            let unknown = missing(NEWER.filter(|call| !allowed.contains_key(call)));
            install(unknown.clone(), SeccompAction::Allow, error(libc::ENOSYS))?;
            let granted = granted()?;
            install(granted.clone(), SeccompAction::Allow, error(0))?;
            // The kernel applies the strictest verdict of all filters. So this filter does not allow what the
            // other denies, and granted calls are not executed.
            let mut rules = allowed;
            for (call, alternatives) in unknown.into_iter().chain(granted) {
                rules.entry(call).or_default().extend(alternatives);
            }
            install(rules, error(libc::EPERM), SeccompAction::Allow)
        }
    }
}

fn error(number: i32) -> SeccompAction {
    SeccompAction::Errno(number.unsigned_abs())
}

fn install(rules: Rules, otherwise: SeccompAction, matched: SeccompAction) -> Result<(), String> {
    let machine = std::env::consts::ARCH.try_into().map_err(text)?;
    let filter = SeccompFilter::new(rules, otherwise, matched, machine).map_err(text)?;
    let program: BpfProgram = filter.try_into().map_err(text)?;
    apply_filter(&program).map_err(text)
}

fn text(error: impl std::fmt::Display) -> String {
    format!("seccomp: {error}")
}

fn missing(calls: impl IntoIterator<Item = c_long>) -> Rules {
    calls.into_iter().map(|call| (call, Vec::new())).collect()
}

/// Calls that leave the process group, or resume it after a stop.
fn leaving() -> Result<Rules, String> {
    let mut rules =
        missing([libc::SYS_setsid, libc::SYS_setpgid, libc::SYS_timer_create, libc::SYS_mq_notify]);
    for (call, signal_at) in SIGNALS.into_iter().chain([
        (libc::SYS_rt_sigqueueinfo, 1),
        (libc::SYS_rt_tgsigqueueinfo, 2),
        (libc::SYS_pidfd_send_signal, 1),
    ]) {
        rules.insert(call, vec![rule([equal(signal_at, libc::SIGCONT as u64)?])?]);
    }
    rules.insert(libc::SYS_fcntl, vec![rule([equal(1, F_SETSIG)?])?]);
    rules.insert(libc::SYS_prctl, vec![rule([equal(0, libc::PR_SET_PDEATHSIG as u64)?])?]);
    // Children of the caller's own parent, and children whose exit signal is SIGCONT.
    let parents = libc::CLONE_PARENT as u64;
    let mut clones = vec![rule([masked(0, parents, parents)?])?];
    let thread = libc::CLONE_THREAD as u64;
    clones.push(rule([
        masked(0, thread, 0)?,
        condition(0, Width::Int, SeccompCmpOp::MaskedEq(ENDING), libc::SIGCONT as u64)?,
    ])?);
    rules.insert(libc::SYS_clone, clones);
    if cfg!(target_arch = "x86_64") {
        rules.extend(missing(X32));
    }
    Ok(rules)
}

/// Calls that send a signal by number, with the position of the signal among their arguments.
const SIGNALS: [(c_long, u8); 3] = [(libc::SYS_kill, 1), (libc::SYS_tkill, 1), (libc::SYS_tgkill, 2)];
/// The command of `fcntl` that chooses the signal of a file; the `libc` crate lacks it.
const F_SETSIG: u64 = 10;
/// Mask of the exit signal among the flags of `clone`.
const ENDING: u64 = 0xff;

fn allowed(calls: Calls, own: Own) -> Result<Rules, String> {
    let mut rules = missing(needed::ALWAYS.iter().chain(needed::OLD_NAMES).copied());
    if calls == Calls::Inside {
        rules.extend(missing(needed::INSIDE.iter().chain(needed::INSIDE_OLD_NAMES).copied()));
    }
    rules.extend(options(needed::OPTIONS)?);
    let mut allow = |call: c_long, alternatives: Vec<SeccompRule>| {
        rules.insert(call, alternatives);
    };
    // Only the caller's own limits and priorities. Limits can only be lowered, because soft and hard limits
    // are equal.
    allow(libc::SYS_prlimit64, vec![rule([equal(0, 0)?])?]);
    allow(libc::SYS_sched_setaffinity, vec![rule([equal(0, 0)?])?]);
    for call in [libc::SYS_getpriority, libc::SYS_setpriority] {
        allow(call, vec![rule([equal(0, libc::PRIO_PROCESS as u64)?, equal(1, 0)?])?]);
    }
    allow(libc::SYS_clone, clones()?);
    // Open files stay shared by all threads, so the flag that separates them is denied.
    let unshare = u64::from(libc::CLOSE_RANGE_UNSHARE);
    allow(libc::SYS_close_range, vec![rule([masked(2, unshare, 0)?])?]);
    if own.sharing == NamelessSharing::Denied {
        let flags = |mask: i32, value: i32| masked(3, mask as u64, value as u64);
        let own_pages = rule([flags(libc::MAP_TYPE, libc::MAP_PRIVATE)?])?;
        allow(libc::SYS_mmap, vec![own_pages, rule([flags(libc::MAP_ANONYMOUS, 0)?])?]);
    }
    for (call, signal_at) in SIGNALS {
        let other = || condition(signal_at, Width::Int, SeccompCmpOp::Ne, libc::SIGCONT as u64);
        let alternatives = if calls == Calls::Inside || own.signals_stay {
            vec![rule([other()?])?]
        } else {
            // Without confinement by landlock, only the target's id is checked: the own id, or 0 for the own
            // group.
            let group = (call == libc::SYS_kill).then_some(0);
            let targets = [Some(u64::from(own.pid)), group].into_iter().flatten();
            targets.map(|target| rule([equal(0, target)?, other()?])).collect::<Result<_, _>>()?
        };
        allow(call, alternatives);
    }
    // New folders stay readable, because their content counts against the limits.
    if calls == Calls::Alone {
        allow(libc::SYS_umask, vec![rule([masked(0, OWNER, 0)?])?]);
        allow(libc::SYS_mkdirat, vec![rule([masked(2, OWNER, OWNER)?])?]);
        #[cfg(target_arch = "x86_64")]
        allow(libc::SYS_mkdir, vec![rule([masked(1, OWNER, OWNER)?])?]);
        // Higher clock ids are those of other processes.
        for call in [libc::SYS_clock_gettime, libc::SYS_clock_getres, libc::SYS_clock_nanosleep] {
            allow(call, vec![rule([condition(0, Width::Int, SeccompCmpOp::Le, HIGHEST_CLOCK)?])?]);
        }
    }
    // Named pipes, by which the bots of one original communicate, but no devices.
    let kind = |argument: u8| masked(argument, libc::S_IFMT.into(), libc::S_IFIFO.into());
    allow(libc::SYS_mknodat, vec![rule([kind(2)?])?]);
    #[cfg(target_arch = "x86_64")]
    allow(libc::SYS_mknod, vec![rule([kind(1)?])?]);
    let unix = || equal(0, libc::AF_UNIX as u64);
    if calls == Calls::Inside {
        allow(libc::SYS_socket, vec![rule([unix()?])?]);
        allow(libc::SYS_socketpair, vec![rule([unix()?])?]);
    } else {
        // Datagrams can reach any address, streams only the other end.
        let kind = |kind: i32| masked(1, 0xf, kind as u64);
        let pairs = [libc::SOCK_STREAM, libc::SOCK_SEQPACKET];
        let pairs = pairs.map(|stream| rule([unix()?, kind(stream)?]));
        allow(libc::SYS_socketpair, pairs.into_iter().collect::<Result<_, _>>()?);
        allow(libc::SYS_sendto, vec![rule([condition(4, Width::Long, SeccompCmpOp::Eq, 0)?])?]);
    }
    Ok(rules)
}

/// Calls reported as successful without execution.
fn granted() -> Result<Rules, String> {
    let whole = missing(needed::GRANTED.iter().copied());
    Ok(whole.into_iter().chain(options(needed::GRANTED_OPTIONS)?).collect())
}

/// Rules for multiplexed calls, by the argument that selects the operation.
fn options(calls: &[(c_long, u8, &[u64])]) -> Result<Rules, String> {
    let alternatives = |(call, argument, values): &(c_long, u8, &[u64])| {
        let one = |value: &u64| rule([equal(*argument, *value)?]);
        Ok((*call, values.iter().map(one).collect::<Result<_, String>>()?))
    };
    calls.iter().map(alternatives).collect()
}

/// The owner's permissions.
const OWNER: u64 = 0o700;
/// `CLOCK_TAI`, the highest of the allowed clock ids.
const HIGHEST_CLOCK: u64 = 11;

/// Rules for `clone`: processes with the usual exit signal, and threads that share the open files of the
/// process. Shared files can be counted per process.
fn clones() -> Result<Vec<SeccompRule>, String> {
    let flags = |flags: &[i32]| flags.iter().fold(0, |all, flag| all | *flag as u32 as u64);
    let kinds = flags(&[
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
        libc::CLONE_PARENT,
        libc::CLONE_PTRACE,
        libc::CLONE_UNTRACED,
        libc::CLONE_IO,
    ]);
    let (thread, files) = (flags(&[libc::CLONE_THREAD]), flags(&[libc::CLONE_FILES]));
    Ok(vec![
        rule([masked(0, kinds | thread | ENDING, libc::SIGCHLD as u64)?])?,
        rule([masked(0, kinds | thread | files, thread | files)?])?,
    ])
}

/// The width of an argument, as the kernel reads it.
enum Width {
    Int,
    Long,
}

fn condition(
    argument: u8,
    width: Width,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, String> {
    let width = match width {
        Width::Int => SeccompCmpArgLen::Dword,
        Width::Long => SeccompCmpArgLen::Qword,
    };
    SeccompCondition::new(argument, width, operator, value).map_err(text)
}

fn equal(argument: u8, value: u64) -> Result<SeccompCondition, String> {
    condition(argument, Width::Int, SeccompCmpOp::Eq, value)
}

fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompCondition, String> {
    condition(argument, Width::Int, SeccompCmpOp::MaskedEq(mask), value)
}

fn rule(conditions: impl IntoIterator<Item = SeccompCondition>) -> Result<SeccompRule, String> {
    SeccompRule::new(conditions.into_iter().collect()).map_err(text)
}
