//! A program that does one thing: `attacker NAME OUTSIDE PID`.
//!
//! It prints `done` on success. `OUTSIDE` is a foreign folder, and `PID` a foreign process.

use std::ffi::{CString, c_char, c_int, c_long, c_void};
use std::fs::{self, File, OpenOptions, Permissions};
use std::hint::black_box;
use std::io::{self, Error, IsTerminal as _, Read as _, Write as _};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{self, Command};
use std::time::{Duration, Instant, SystemTime};
use std::{env, panic, ptr, thread};

unsafe extern "C" {
    fn chown(path: *const c_char, owner: u32, group: u32) -> c_int;
    fn fcntl(descriptor: c_int, command: c_int, ...) -> c_int;
    fn flock(descriptor: c_int, operation: c_int) -> c_int;
    fn fork() -> c_int;
    fn ioctl(descriptor: c_int, request: u64, ...) -> c_int;
    fn kill(process: c_int, signal: c_int) -> c_int;
    fn memfd_create(name: *const c_char, flags: u32) -> c_int;
    fn mknod(path: *const c_char, mode: u32, device: u64) -> c_int;
    fn mmap(_: *mut c_void, _: usize, _: c_int, _: c_int, _: c_int, _: i64) -> *mut c_void;
    fn prctl(option: c_int, ...) -> c_int;
    fn ptrace(request: c_long, ...) -> c_long;
    fn setpriority(which: c_int, who: u32, priority: c_int) -> c_int;
    fn setrlimit(resource: c_int, limit: *const [u64; 2]) -> c_int;
    fn setsid() -> c_int;
    fn setxattr(_: *const c_char, _: *const c_char, _: *const c_void, _: usize, _: c_int) -> c_int;
    fn shmctl(memory: c_int, command: c_int, _: *mut c_void) -> c_int;
    fn shmget(key: c_int, size: usize, flags: c_int) -> c_int;
    fn syscall(number: c_long, ...) -> c_long;
    fn truncate(path: *const c_char, length: i64) -> c_int;
    fn unshare(flags: c_int) -> c_int;
}

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let [_, name, outside, pid] = arguments.as_slice() else {
        panic!("attacker NAME OUTSIDE PID")
    };
    let pid = pid.parse().unwrap();
    match attack(name, Path::new(outside), pid) {
        Ok(()) => println!("done"),
        Err(error) => println!("{error}"),
    }
}

fn attack(name: &str, outside: &Path, pid: c_int) -> io::Result<()> {
    let file = outside.join("folder/file");
    let new = outside.join("new");
    match name {
        // Foreign files.
        "remove a folder" => fs::remove_dir_all(outside.join("folder")),
        "remove a file" => fs::remove_file(file),
        "overwrite" => fs::write(file, "x"),
        "append" => OpenOptions::new().append(true).open(file)?.write_all(b"x"),
        "truncate" => done(unsafe { truncate(text(&file).as_ptr(), 0) }),
        "truncate by reading" => {
            OpenOptions::new().read(true).custom_flags(0o1000).open(file).map(drop)
        }
        "create a file" => fs::write(new, "x"),
        "create a folder" => fs::create_dir(new),
        "create a pipe" => done(unsafe { mknod(text(&new).as_ptr(), 0o010_600, 0) }),
        "create by .." => fs::write("../outside/new", "x"),
        "move out" => {
            fs::write("mine", "x")?;
            fs::rename("mine", new)
        }
        "move in" => fs::rename(file, "stolen"),
        "write through a hard link" => {
            fs::hard_link(file, "linked")?;
            fs::write("linked", "x")
        }
        "write through a symbolic link" => {
            symlink(file, "linked")?;
            fs::write("linked", "x")
        }
        "create through a linked folder" => {
            symlink(outside, "linked")?;
            fs::write("linked/new", "x")
        }
        "write by /proc" => {
            let descriptor = File::open(file)?;
            fs::write(format!("/proc/self/fd/{}", descriptor.as_raw_fd()), "x")
        }
        "change a mode" => fs::set_permissions(file, Permissions::from_mode(0o777)),
        "change a mode by descriptor" => {
            File::open(file)?.set_permissions(Permissions::from_mode(0o777))
        }
        "change an owner" => done(unsafe { chown(text(&file).as_ptr(), u32::MAX, u32::MAX) }),
        "change a time" => File::open(file)?.set_modified(SystemTime::UNIX_EPOCH),
        "set an attribute" => {
            let (file, name) = (text(&file), c"user.x");
            done(unsafe { setxattr(file.as_ptr(), name.as_ptr(), ptr::null(), 0, 0) })
        }
        "set a flag" => {
            let flags: c_long = 0x80;
            let file = File::open(file)?;
            done(unsafe { ioctl(file.as_raw_fd(), 0x4008_6602, &flags) })
        }
        "lock a file" => done(unsafe { flock(File::open(file)?.as_raw_fd(), 2) }),
        "write shared memory" => {
            fs::write("/dev/shm/tdg-attacker", "x")?;
            fs::remove_file("/dev/shm/tdg-attacker")
        }
        "open a terminal" => File::open("/dev/ptmx").map(drop),

        // Sockets.
        "send a datagram" => UdpSocket::bind("127.0.0.1:0")?.send_to(b"x", "127.0.0.1:9").map(drop),
        "listen" => TcpListener::bind("127.0.0.1:0").map(drop),
        "connect" => match TcpStream::connect("127.0.0.1:1") {
            Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
            result => result.map(drop),
        },
        "listen locally" => UnixListener::bind("socket").map(drop),
        "connect locally" => UnixStream::connect(outside.join("socket")).map(drop),
        "connect a pair" => UnixStream::pair().map(drop),

        // Processes.
        "start sh" => Command::new("sh").arg("-c").arg("true").status().map(drop),
        "become sh" => {
            let script = format!("echo x > {} && echo done", new.display());
            Err(Command::new("sh").arg("-c").arg(script).exec())
        }
        "fork" => match unsafe { fork() } {
            0 => process::exit(0),
            process => done(process),
        },
        "make a program of memory" => {
            done(unsafe { memfd_create(c"program".as_ptr(), 0) })
        }
        "signal" => done(unsafe { kill(pid, 0) }),
        "signal the group" => done(unsafe { kill(0, 0) }),
        "signal everybody" => done(unsafe { kill(-1, 0) }),
        "signal by a pipe" => done(unsafe { fcntl(1, 8, pid) }),
        "write another's memory" => {
            OpenOptions::new().write(true).open(format!("/proc/{pid}/mem")).map(drop)
        }
        "read another's memory" => File::open(format!("/proc/{pid}/mem")).map(drop),
        "write its own memory" => {
            OpenOptions::new().write(true).open("/proc/self/mem").map(drop)
        }
        "offer itself to the killer" => fs::write("/proc/self/oom_score_adj", "1000"),
        "trace" => done(unsafe { ptrace(0x4206, pid, 0, 0) }),
        "leave its session" => done(unsafe { setsid() }),
        "outlive its parent" => done(unsafe { prctl(1, 0) }),
        "raise a limit" => done(unsafe { setrlimit(4, &[0, 0]) }),
        "change a priority" => done(unsafe { setpriority(0, pid as u32, 19) }),

        // The whole system.
        "use io_uring" => {
            let parameters = [0_u64; 15];
            done(unsafe { syscall(425, 1_u32, &parameters) })
        }
        "unshare" => done(unsafe { unshare(0x1000_0000) }),
        "keep shared memory" => {
            let memory = unsafe { shmget(0, 4096, 0o600) };
            unsafe { shmctl(memory, 0, ptr::null_mut()) };
            done(memory)
        }
        "share memory" => {
            let memory = unsafe { mmap(ptr::null_mut(), 4096, 3, 0x21, -1, 0) };
            if memory.addr() == usize::MAX { Err(Error::last_os_error()) } else { Ok(()) }
        }
        "keep a key" => {
            let number = if cfg!(target_arch = "x86_64") { 248 } else { 217 };
            let (kind, name) = (c"user".as_ptr(), c"tdg".as_ptr());
            done(unsafe { syscall(number, kind, name, b"x".as_ptr(), 1_usize, -2) })
        }
        #[cfg(target_arch = "x86_64")]
        "make a call of 32 bits" => {
            // getpid
            let mut result: i64 = 20;
            unsafe { std::arch::asm!("int 0x80", inout("rax") result) };
            done(result)
        }

        // Allowed actions.
        "work on its files" => {
            fs::create_dir("a")?;
            fs::write("a/b", "text")?;
            OpenOptions::new().append(true).open("a/b")?.set_len(2)?;
            fs::rename("a/b", "a/c")?;
            fs::hard_link("a/c", "a/d")?;
            let listed = fs::read_dir("a")?.count();
            let text = fs::read_to_string("a/d")?;
            fs::remove_dir_all("a")?;
            assert_eq!((listed, text.as_str()), (2, "te"));
            Ok(())
        }
        "read" => {
            assert_eq!(fs::read_to_string(file)?, "kept");
            fs::read_dir("/")?;
            fs::metadata(outside)?;
            File::open("/dev/urandom").map(drop)
        }
        "write to /dev/null" => fs::write("/dev/null", "x"),
        "use threads" => {
            thread::available_parallelism()?;
            let threads: Vec<_> = (0..32)
                .map(|n| thread::Builder::new().name(format!("t{n}")).spawn(move || vec![n; 100_000]))
                .collect::<io::Result<_>>()?;
            let sum: usize = threads.into_iter().map(|thread| thread.join().unwrap()[0]).sum();
            assert_eq!(sum, 496);
            Ok(())
        }
        "change the environment" => {
            unsafe { env::set_var("TDG_ATTACKER", "x") };
            env::var("TDG_ATTACKER").map(drop).map_err(Error::other)
        }
        "read the input" => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text)?;
            assert_eq!(text, "");
            Ok(())
        }
        "print a megabyte" => io::stdout().write_all(&vec![b'x'; 1 << 20]),
        "wait" => {
            let start = Instant::now();
            thread::sleep(Duration::from_millis(1));
            assert!(start.elapsed() >= Duration::from_millis(1));
            Ok(())
        }
        "ask for a terminal" => {
            assert!(!io::stdout().is_terminal());
            Ok(())
        }
        "catch a panic" => {
            let caught = panic::catch_unwind(|| panic!("as ever"));
            assert!(caught.is_err());
            Ok(())
        }

        // Ways to end.
        "exit" => process::exit(7),
        "abort" => process::abort(),
        "abort in a thread" => {
            thread::spawn(|| process::abort()).join().unwrap();
            Ok(())
        }
        "allocate" => {
            black_box(vec![1_u8; 100 << 30]);
            Ok(())
        }
        "allocate in small pieces" => {
            let mut all = Vec::new();
            loop {
                all.push(black_box(vec![1_u8; 4096]));
            }
        }
        "recurse" => {
            black_box(recurse(black_box(1)));
            Ok(())
        }
        "recurse in a thread" => {
            thread::spawn(|| black_box(recurse(black_box(1)))).join().unwrap();
            Ok(())
        }
        "access no memory" => {
            unsafe { ptr::null::<u8>().wrapping_add(black_box(8)).read_volatile() };
            Ok(())
        }
        "loop" => loop {
            black_box(());
        },
        "write a large file" => fs::write("large", vec![0; 2 << 20]),
        "stay" => {
            println!("here");
            thread::sleep(Duration::from_secs(60));
            Ok(())
        }
        _ => panic!("no attack is called {name}"),
    }
}

#[expect(unconditional_recursion)]
fn recurse(depth: u64) -> u64 {
    black_box([depth; 64])[0] + recurse(depth + 1)
}

fn text(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).unwrap()
}

/// Converts the result of a C function, which is negative on failure.
fn done(result: impl Into<i64>) -> io::Result<()> {
    if result.into() < 0 { Err(Error::last_os_error()) } else { Ok(()) }
}
