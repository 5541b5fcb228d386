# What the scripts share. To be sourced, after `set -euo pipefail`.
#
# Functions that print a result are called in $(...), where `set -e` does not reach: each of their
# steps that can fail says `|| return`.
# shellcheck shell=bash

# The folder of the package, wherever the script is called from and through whatever link.
root=$(readlink -f -- "${BASH_SOURCE[0]}")
root=${root%/Scripts/lib/common.bash}

# How C is compiled outside of the package.
c_flags=(-std=gnu11 -O2 -Wall -Wextra -Werror -pthread)

# Prints the comment that opens the running script, which is its help.
print_help() {
  awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"
}

# Prints a message under the script's name, and ends the script. Usage: fail MESSAGE [STATUS]
fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit "${2-1}"
}

# Ends the script: its command line is wrong. Usage: fail_usage MESSAGE
fail_usage() {
  fail "$1 (${0##*/} --help lists the options)" 2
}

# Fails unless a word is a count of at least 1. Usage: need_count OPTION WORD
need_count() {
  [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || fail_usage "option '$1' takes a count from 1, not '$2'"
}

# Prints the whole path of a directory, and fails if it is none. Usage: find_directory PATH
find_directory() {
  [[ -d $1 ]] || fail "$1: not a directory"
  readlink -f -- "$1"
}

# Prints the whole path of a program, and fails if it is none. Usage: find_program PATH
find_program() {
  [[ -f $1 && -x $1 ]] || fail "$1: not a program"
  readlink -f -- "$1"
}

# Compiles Scripts/NAME.c if that changed since, and prints the path of the program.
# Usage: build_tool NAME [LIBRARY...] -- libraries as the linker takes them, such as -lcairo
build_tool() {
  local source=$root/Scripts/$1.c tool=$root/.build/tools/$1
  if [[ ! -x $tool || $source -nt $tool ]]; then
    mkdir -p "${tool%/*}" || return
    "${CC:-cc}" "${c_flags[@]}" "$source" -o "$tool.$$" "${@:2}" -lm || return
    mv -f "$tool.$$" "$tool" || return
  fi
  printf '%s\n' "$tool"
}

# Compiles Scripts/NAME.c as a library for LD_PRELOAD if that changed since, and prints its path.
# Usage: build_library NAME
build_library() {
  local source=$root/Scripts/$1.c library=$root/.build/tools/$1.so
  if [[ ! -x $library || $source -nt $library ]]; then
    mkdir -p "${library%/*}" || return
    "${CC:-cc}" "${c_flags[@]}" -shared -fPIC "$source" -o "$library.$$" || return
    mv -f "$library.$$" "$library" || return
  fi
  printf '%s\n' "$library"
}

# Builds plat with optimization, if anything changed since the last time, and prints its path.
# Silent, but for one line on a terminal, and for what the build says if it fails.
build_plat() {
  local binary=$root/.build/release/plat stamp=$root/.build/plat-built log
  if [[ -x $binary && -e $stamp ]] &&
    [[ -z $(find "$root/Package.swift" "$root/Sources" -newer "$stamp" -print -quit) ]]; then
    printf '%s\n' "$binary"
    return
  fi
  "$root/Scripts/bootstrap" >&2 || return
  mkdir -p "$root/.build" || return
  log=$(mktemp) || return
  # Stamped before the build: what changes while it runs is newer, and built the next time.
  touch "$stamp.$$" || return
  [[ ! -t 2 ]] || printf 'Building plat ...' >&2
  if ! swift build --package-path "$root" -c release --product plat </dev/null >"$log" 2>&1; then
    [[ ! -t 2 ]] || printf '\n' >&2
    cat "$log" >&2
    rm -f "$log" "$stamp.$$"
    return 1
  fi
  [[ ! -t 2 ]] || printf '\r\e[K' >&2
  rm -f "$log"
  mv -f "$stamp.$$" "$stamp" || return
  printf '%s\n' "$binary"
}

# Makes a tree of ENTRIES entries for measuring, or finds the one made earlier, and prints its path. FLAT
# of them are in one directory; without it, as many as make-tree finds usual.
# Usage: prepare_tree ENTRIES [FLAT]
prepare_tree() {
  local folder=${TMPDIR:-/tmp}/plat-bench tree marker maker
  tree=$folder/tree-$1${2:+-flat-$2} marker=$folder/tree-$1${2:+-flat-$2}.made
  mkdir -p "$folder" || return
  [[ -O $folder ]] || fail "$folder belongs to somebody else; set TMPDIR"
  # The marker says which generator made the tree, and that it came to its end.
  maker=$(cksum <"$root/Scripts/make-tree.c") || return
  if [[ ! -d $tree || ! -e $marker || $(<"$marker") != "$maker" ]]; then
    printf 'Making a tree of %d entries in %s ...\n' "$1" "$tree" >&2
    rm -rf "$tree" "$marker" || return
    "$root/Scripts/make-tree" --entries "$1" ${2:+--flat "$2"} "$tree" >&2 || return
    printf '%s\n' "$maker" >"$marker" || return
  fi
  printf '%s\n' "$tree"
}
