# For the scripts that build for other targets: a table of what ran, and of what could not run and why.

# What the shell or CI sets must not change what is built, or where.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS CARGO_BUILD_TARGET CARGO_TARGET_DIR

table=() failed=0 not_run=0

# A line of the table: <build> <verdict> <detail>.
row() { table+=("$(printf '%-50s %-8s %s' "$1" "$2" "$3")"); }
not_run() { row "$1" 'not run' "$2"; not_run=$((not_run + 1)); }

# needs <build> <program…>: whether all are here; else a line that says which is not.
needs() {
  local program
  for program in "${@:2}"; do
    command -v "$program" >/dev/null || { not_run "$1" "$program is missing"; return 1; }
  done
}

# library <build> <target>: whether the target's standard library is installed, now or before.
library() {
  [[ -d $(rustc --print sysroot)/lib/rustlib/$2/lib ]] && return
  local problem
  problem=$(rustup target add "$2" 2>&1) && return
  not_run "$1" "rustup target add $2: $(tail -n 1 <<<"$problem")"
  return 1
}

# finish [--all]: prints the table; fails if a build failed, or with --all if one could not run.
finish() {
  printf '\n'
  printf '%s\n' "${table[@]}"
  ((failed == 0)) && { [[ ${1-} != --all ]] || ((not_run == 0)); }
}
