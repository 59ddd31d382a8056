//! Attacks by a confined program.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{BufRead as _, BufReader};
use std::os::unix::net::UnixListener;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};
use tempfile::TempDir;

/// Attacks that are impossible for a confined program but possible for others.
const FORBIDDEN: &[&str] = &[
    "remove a folder",
    "remove a file",
    "overwrite",
    "append",
    "truncate",
    "truncate by reading",
    "create a file",
    "create a folder",
    "create a pipe",
    "create by ..",
    "move out",
    "move in",
    "write through a hard link",
    "write through a symbolic link",
    "create through a linked folder",
    "write by /proc",
    "change a mode",
    "change a mode by descriptor",
    "change an owner",
    "change a time",
    "lock a file",
    "send a datagram",
    "listen",
    "connect",
    "listen locally",
    "connect locally",
    "connect a pair",
    "start sh",
    "become sh",
    "fork",
    "make a program of memory",
    "signal",
    "signal the group",
    "signal everybody",
    "signal by a pipe",
    "write its own memory",
    "offer itself to the killer",
    "outlive its parent",
    "raise a limit",
    "change a priority",
    "share memory",
];

/// Attacks that are impossible for a confined program but possible for others on most systems.
const FORBIDDEN_AND_RARE: &[&str] = &[
    "set an attribute",
    "set a flag",
    "write shared memory",
    "open a terminal",
    "write another's memory",
    "read another's memory",
    "trace",
    "leave its session",
    "use io_uring",
    "unshare",
    "keep shared memory",
    "keep a key",
];

const ALLOWED: &[&str] = &[
    "work on its files",
    "read",
    "write to /dev/null",
    "use threads",
    "change the environment",
    "read the input",
    "wait",
    "ask for a terminal",
    "catch a panic",
];

/// The limits for memory, seconds of CPU time, and the largest file.
const BUDGET: [&str; 3] = ["268435456", "1", "1000000"];

/// The folders of an attack, and the attacked process.
struct Scene {
    folder: TempDir,
    victim: Child,
    _listener: UnixListener,
}

impl Scene {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("own")).unwrap();
        fs::create_dir_all(folder.path().join("outside/folder")).unwrap();
        fs::write(folder.path().join("outside/folder/file"), "kept").unwrap();
        let listener = UnixListener::bind(folder.path().join("outside/socket")).unwrap();
        let victim = Command::new("sleep").arg("600").spawn().unwrap();
        Self {
            folder,
            victim,
            _listener: listener,
        }
    }

    fn own(&self) -> PathBuf {
        self.folder.path().join("own")
    }

    /// Returns the launcher, which becomes the attacker. An empty `own` means unconfined.
    fn launch(&self, own: &Path, attacker: &Path, attack: &str) -> Command {
        let mut launch = Command::new(env!("CARGO_BIN_EXE_cargo-tdg"));
        launch
            .arg("--launch")
            .args(BUDGET)
            .args([own, attacker])
            .arg(attack)
            .arg(self.folder.path().join("outside"))
            .arg(self.victim.id().to_string())
            .current_dir(self.own())
            .env_remove("RUST_BACKTRACE")
            .stdin(Stdio::null());
        launch
    }

    /// Returns true if everything outside the attacker's folder is unchanged.
    fn is_intact(&self) -> bool {
        let outside = self.folder.path().join("outside");
        let names = |folder: &Path| -> Vec<_> {
            let entries = fs::read_dir(folder).into_iter().flatten();
            entries.map(|entry| entry.unwrap().file_name()).collect()
        };
        let file = outside.join("folder/file");
        names(&outside).len() == 2
            && names(&outside.join("folder")) == ["file"]
            && fs::read_to_string(file).is_ok_and(|text| text == "kept")
            && names(self.folder.path()).len() == 2
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        self.victim.kill().unwrap();
        self.victim.wait().unwrap();
    }
}

fn confined(attacker: &Path, attack: &str) -> (Output, bool) {
    let scene = Scene::new();
    let output = scene.launch(&scene.own(), attacker, attack).output();
    (output.unwrap(), scene.is_intact())
}

fn unconfined(attack: &str) -> Output {
    let scene = Scene::new();
    let output = scene.launch(Path::new(""), attacker(), attack).output();
    output.unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn is_done(output: &Output) -> bool {
    stdout(output).ends_with("done\n")
}

/// Returns the attacking program, compiled once.
fn attacker() -> &'static Path {
    static ATTACKER: OnceLock<PathBuf> = OnceLock::new();
    ATTACKER.get_or_init(|| compile(&[]).unwrap())
}

/// Compiles the attacker, unless cached by source and arguments; fails with rustc's message.
fn compile(arguments: &[&str]) -> Result<PathBuf, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands/confine/attacker.rs");
    let mut hash = DefaultHasher::new();
    (fs::read(&source).unwrap(), arguments).hash(&mut hash);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join(format!("attacker-{:x}", hash.finish()));
    if !program.exists() {
        let own = tempfile::tempdir_in(folder).unwrap();
        let new = own.path().join("attacker");
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition", "2024"]).args(arguments);
        let compiled = rustc.arg(source).arg("-o").arg(&new).output().unwrap();
        if !compiled.status.success() {
            return Err(stderr(&compiled));
        }
        // Another process may rename at the same time.
        fs::rename(new, &program).unwrap();
    }
    Ok(program)
}

fn probe() -> Command {
    let mut probe = Command::new(env!("CARGO_BIN_EXE_cargo-tdg"));
    probe.arg("--probe");
    probe
}

/// Some kernels and containers can't confine, which isn't a failure of the tests.
pub(crate) fn needs_confinement() {
    let probed = probe().output().unwrap();
    if !probed.status.success() {
        panic!("not run: needs Landlock and seccomp: {}", stderr(&probed));
    }
}

/// Returns the attacks that succeeded or had effects, with their output.
fn possible(attacker: &Path) -> Vec<String> {
    let attacks = FORBIDDEN.iter().chain(FORBIDDEN_AND_RARE);
    let possible = attacks.filter_map(|attack| {
        let (output, intact) = confined(attacker, attack);
        let started = !stdout(&output).is_empty() || *attack == "become sh";
        let refused = started && !is_done(&output) && intact;
        (!refused).then(|| format!("{attack}: {output:?}, intact: {intact}"))
    });
    possible.collect()
}

fn impossible(attacker: &Path) -> Vec<String> {
    let attempts = ALLOWED.iter().map(|attempt| confined(attacker, attempt).0);
    let failed = attempts.filter(|output| !is_done(output));
    failed.map(|output| format!("{output:?}")).collect()
}

#[test]
fn a_confined_program_can_do_no_harm() {
    needs_confinement();
    assert_eq!(possible(attacker()), Vec::<String>::new());
}

#[test]
fn the_attacks_succeed_without_confinement() {
    needs_confinement();
    let outputs = FORBIDDEN.iter().map(|attack| (attack, unconfined(attack)));
    let failed: Vec<_> = outputs.filter(|(_, output)| !is_done(output)).collect();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn a_confined_program_can_compute() {
    needs_confinement();
    assert_eq!(impossible(attacker()), Vec::<String>::new());
    let (printed, _) = confined(attacker(), "print a megabyte");
    assert_eq!(printed.stdout.len(), (1 << 20) + "done\n".len());
}

#[test]
fn the_same_holds_without_a_dynamic_loader() {
    needs_confinement();
    let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
    let compiled = compile(&["--target", &target]);
    let attacker = compiled.unwrap_or_else(|error| {
        panic!("not run: needs {target}: run `rustup target add {target}`\n{error}")
    });
    assert_eq!(possible(&attacker), Vec::<String>::new());
    assert_eq!(impossible(&attacker), Vec::<String>::new());
}

/// Describes the end of the process and of its standard error.
fn ending(output: &Output) -> String {
    let status = output.status;
    let end = match status.signal() {
        Some(signal) => format!("signal {signal}"),
        None => format!("code {}", status.code().unwrap()),
    };
    let said = ["has overflowed its stack", "memory allocation of"];
    let said = said
        .into_iter()
        .filter(|said| stderr(output).contains(said));
    [end]
        .into_iter()
        .chain(said.map(str::to_owned))
        .collect::<Vec<_>>()
        .join(", ")
}

#[test]
fn each_ending_is_distinguished_and_the_same_without_confinement() {
    needs_confinement();
    let attacks = [
        "exit",
        "abort",
        "abort in a thread",
        "allocate",
        "allocate in small pieces",
        "recurse",
        "recurse in a thread",
        "access no memory",
        "loop",
        "write a large file",
    ];
    let confined = attacks.map(|attack| (attack, ending(&confined(attacker(), attack).0)));
    let unconfined = attacks.map(|attack| (attack, ending(&unconfined(attack))));
    assert_eq!(confined, unconfined);
    insta::assert_debug_snapshot!(BTreeMap::from(confined), @r#"
    {
        "abort": "signal 6",
        "abort in a thread": "signal 6",
        "access no memory": "signal 11",
        "allocate": "signal 6, memory allocation of",
        "allocate in small pieces": "signal 6, memory allocation of",
        "exit": "code 7",
        "loop": "signal 24",
        "recurse": "signal 6, has overflowed its stack",
        "recurse in a thread": "signal 6, has overflowed its stack",
        "write a large file": "signal 25",
    }
    "#);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn system_calls_of_another_architecture_end_the_program() {
    needs_confinement();
    let (output, _) = confined(attacker(), "make a call of 32 bits");
    assert_eq!(output.status.signal(), Some(libc::SIGSYS));
}

#[test]
fn the_program_ends_with_the_thread_that_waits_for_it() {
    let scene = Scene::new();
    let mut launch = scene.launch(Path::new(""), attacker(), "stay");
    let spawn = move || {
        let mut program = launch.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(program.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        (program, line)
    };
    let (mut program, line) = thread::spawn(spawn).join().unwrap();
    assert_eq!(line, "here\n");
    assert_eq!(program.wait().unwrap().signal(), Some(libc::SIGKILL));
}

/// Runs a command for which a system call fails, as in some containers.
fn without(system_call: libc::c_long, error: libc::c_int, mut command: Command) -> Output {
    let confined = move || {
        let filter = SeccompFilter::new(
            BTreeMap::from([(system_call, Vec::new())]),
            SeccompAction::Allow,
            SeccompAction::Errno(error.cast_unsigned()),
            std::env::consts::ARCH.try_into().unwrap(),
        );
        let filter = BpfProgram::try_from(filter.unwrap()).unwrap();
        seccompiler::apply_filter(&filter).unwrap();
        command.output().unwrap()
    };
    // The filter applies to this thread and its children.
    thread::spawn(confined).join().unwrap()
}

#[test]
fn the_reason_is_given_if_a_program_cant_be_confined() {
    needs_confinement();
    let landlock = without(libc::SYS_landlock_create_ruleset, libc::ENOSYS, probe());
    assert_eq!(landlock.status.code(), Some(2));
    insta::assert_snapshot!(stderr(&landlock), @r"
    can't confine the functions, so none was called: Landlock: the kernel doesn't offer it to this process
    Confinement needs Linux 5.13 or newer on x86-64 or ARM64, with Landlock in the boot option `lsm`, and in a container a seccomp profile that allows Landlock (Docker's and Podman's do); or pass --unconfined to call the functions with all your rights
    ");
    let seccomp = without(libc::SYS_seccomp, libc::EPERM, probe());
    assert_eq!(seccomp.status.code(), Some(2));
    insta::assert_snapshot!(
        stderr(&seccomp).lines().next().unwrap(),
        @"can't confine the functions, so none was called: seccomp: Error calling `seccomp`: Operation not permitted (os error 1)"
    );
}

#[test]
fn a_program_that_cant_be_confined_is_not_started() {
    needs_confinement();
    let scene = Scene::new();
    for call in [
        libc::SYS_landlock_create_ruleset,
        libc::SYS_landlock_restrict_self,
        libc::SYS_seccomp,
    ] {
        let launch = scene.launch(&scene.own(), attacker(), "create a file");
        let output = without(call, libc::EPERM, launch);
        assert_eq!(
            (output.status.code(), stdout(&output).as_str()),
            (Some(2), "")
        );
    }
    assert!(scene.is_intact());
}
