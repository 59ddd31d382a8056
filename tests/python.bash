# For the scripts that use programs from PyPI. Source it in the root of the workspace.

# not_run <what> <why>: ends the script here, in CI with a failure.
not_run() {
  printf '\n*** NOT RUN: %s. %s\n' "$1" "$2" >&2
  case "${CI:-}" in '' | 0 | false) exit 0 ;; esac
  echo '*** That is a failure, because CI is set.' >&2
  exit 1
}

# install_packages <what> <venv> <list>: creates the venv if it isn't there or the list has changed.
install_packages() {
  ! cmp -s "$3" "$2/packages.txt" || return 0
  command -v python3 >/dev/null || not_run "$1" "Python is missing: install 3.11 or later"
  python3 -m venv "$2" || not_run "$1" "Python's venv is missing (Debian: apt-get install python3-venv)"
  "$2/bin/pip" install -q -r "$3" || not_run "$1" "pip can't install $3: it needs PyPI and Python 3.11 or later"
  cp "$3" "$2/packages.txt"
}
