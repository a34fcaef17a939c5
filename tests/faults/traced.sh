#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What SECURITY.md says of files, programs and networks, of every command, as the kernel sees it: traced.sh PROGRAM CALLER.
# Nothing is written outside what the command was told, the cache and the temporary folder; temporary files are private and
# of names that nobody can foresee, though no umask takes anything away; programs are started by the commands that say so
# alone, and get few variables; no network is used. CALLER, a program that calls the library, writes nothing at all.
# Status 77: nothing can be traced here.
set -u
tests=$(cd -- "$(dirname -- "$0")/.." && pwd) program=$(realpath -- "$1") caller=$(realpath -- "$2")
strace -qq -o /dev/null true 2>/dev/null || { echo 'skipped: nothing can be traced here (Debian: strace)'; exit 77; }
scratch=$(realpath -- "$(mktemp -d)")
trap 'rm -rf -- "$scratch"' EXIT
export TMPDIR="$scratch/tmp" HOME="$scratch/home" SECRET_OF_THE_USER=1
unset XDG_CACHE_HOME XDG_CONFIG_HOME
mkdir "$TMPDIR" "$HOME"
umask 000
. "$tests/support/every_command.sh"

traced() { # program, word, words...
    rm -rf "$scratch/trace"
    mkdir "$scratch/trace"
    case $2 in doctor) follow='' ;; *) follow=-ff ;; esac # what it looks for does as it does
    strace $follow -y -v -qq -s 4096 -e signal=none -o "$scratch/trace/process" -e trace=open,openat,openat2,creat,rename,renameat,renameat2,\
mkdir,mkdirat,mknod,mknodat,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat,chmod,fchmodat,chown,lchown,fchownat,truncate,\
setxattr,utimensat,socket,execve "$@" >"$scratch/answer" 2>"$scratch/errors"
}

# The calls that succeeded, one a line: what was done, the mode, the path. What was opened to be read is left out.
changes() {
    cat "$scratch"/trace/* | grep -v ' = -1 ' | awk '
        function path_of(text, result) { # the last text between quotation marks, below the folder before it
            if (!match(text, /"[^"]*"[^"]*$/)) return ""
            result = substr(text, RSTART + 1)
            sub(/".*/, "", result)
            if (result !~ /^\// && match(text, /<[^>]*>, "[^"]*"[^"]*$/)) {
                text = substr(text, RSTART + 1)
                sub(/>.*/, "", text)
                result = text "/" result
            }
            return result
        }
        /^(open|openat|openat2|creat)\(/ {
            if ($0 !~ /O_WRONLY|O_RDWR|O_CREAT|O_TMPFILE|^creat/) next
            path = $0
            sub(/^.* = [0-9]+</, "", path)
            sub(/>$/, "", path)
            mode = "-"
            if ($0 ~ /O_CREAT|O_TMPFILE/) { mode = $0; sub(/\) *= [0-9]+<.*/, "", mode); sub(/.*, /, "", mode) }
            print ($0 ~ /O_EXCL/ ? "make" : "open"), mode, path
            next
        }
        /^mkdir(at)?\(/ { mode = $0; sub(/\) *= 0$/, "", mode); sub(/.*, /, "", mode); print "mkdir", mode, path_of($0); next }
        /^rename/ { print "rename", "-", path_of($0); sub(/, [^"]*"[^"]*"[^"]*$/, ""); print "rename", "-", path_of($0); next }
        /^(mknod|unlink|rmdir|link|symlink|chmod|fchmodat|chown|lchown|fchownat|truncate|setxattr|utimensat)/ {
            call = $0; sub(/\(.*/, "", call); print call, "-", path_of($0)
        }' | sort -u
}

complain() { # command, what is wrong, lines
    printf 'bnbench %s: %s:\n%s\n' "$1" "$2" "$3"
    failed=1
}

none() { # command, what is wrong, pattern
    found=$(printf '%s\n' "$changed" | grep -E -- "$3")
    [ -z "$found" ] || complain "$1" "$2" "$found"
}

check_changes() { # command
    # What the kernel keeps of processes is no file; a program for pictures may keep its fonts in the user's cache.
    other=$(printf '%s\n' "$changed" | grep -vE -e " ($scratch/folder/(out|cache)|$TMPDIR)(/|$)" -e ' /dev/(null|tty)$' \
        -e ' /proc/([0-9]+|self)/(clear_refs$|fd/)' -e ' /sys/fs/cgroup/(.*/)?bnbench-job-[A-Za-z0-9]{6}(/cgroup.kill|/memory[.a-z]*)?$' \
        -e " $HOME/.cache(/fontconfig.*)?$" -e ' /memfd:' -e '^$')
    [ -z "$other" ] || complain "$1" 'written elsewhere' "$other"
    none "$1" 'a path with steps up' '/\.\./'
    none "$1" 'a temporary file or folder of anyone' "^(make|open|mkdir) 0*([1-7]?[0-7][1-7]|[1-7]?[1-7]0|[1-7]?[0-7][0-7][1-7]|0?[0-7]{2}[1-7]) $TMPDIR/[^/]*$"
    none "$1" 'a file in the temporary folder that may have been there' "^open 0[0-7]+ $TMPDIR/[^/]*$"
    names=$(printf '%s\n' "$changed" | sed -nE "s#^(make|mkdir) [0-7]+ ($TMPDIR/[^/]*|.*/\\.[^/]*)\$#\\2#p")
    for name in $names; do
        case ${name##*/} in
        .bnbench-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]*.tmp) ;;
        .drawing-??????|.plot-??????|.fetch-??????|bnbench-job-??????|bnbench-repeat-??????|.room) ;;
        *) complain "$1" 'a temporary file of a name that can be foreseen' "$name" ;;
        esac
        echo "$name" >>"$scratch/names"
    done
}

# The words behind which a command may start others, and which.
check_programs() { # command
    started=$(cat "$scratch"/trace/* | sed -nE 's/^execve\("([^"]*)".* = 0$/\1/p' | sed 's#.*/##' | sort -u | grep -vx "${program##*/}")
    case $1 in
    doctor*) return ;;
    run*dry-run*) allowed='none' ;;
    run*) allowed='sh|gnuplot|dot' ;;
    report*|discretize*--plot*|nightly*) allowed='gnuplot|dot' ;;
    *) allowed='none' ;;
    esac
    other=$(printf '%s\n' "$started" | grep -vxE -e "$allowed" -e '')
    [ -z "$other" ] || complain "$1" 'starts a program' "$other"
    told=$(cat "$scratch"/trace/* | grep -E '^execve\(.* = 0$' | grep -vE "^execve\(\"$program\"" | grep 'SECRET_OF_THE_USER')
    [ -z "$told" ] || complain "$1" 'a program gets a variable that is none of its business' "$told"
}

check() { # expected status, command...
    expected=$1
    shift
    traced "$program" "$@"
    status=$?
    [ $status -eq "$expected" ] || complain "$*" "status $status, expected $expected" "$(tail -n 3 "$scratch/errors")"
    changed=$(changes)
    n_changes=$((n_changes + $(printf '%s\n' "$changed" | grep -c .)))
    check_changes "$*"
    check_programs "$*"
    network=$(grep -h -E '^socket\((AF|PF)_INET' "$scratch"/trace/*)
    [ -z "$network" ] || complain "$*" 'uses a network' "$network"
}

n_changes=0
every_command "$program" "$scratch/folder"
left=$(ls -A "$TMPDIR")
[ -z "$left" ] || complain 'of all commands' 'left in the temporary folder' "$left"
again=$(sort "$scratch/names" | uniq -d)
[ -z "$again" ] || complain 'of all commands' 'a temporary name came twice' "$again"
[ "$n_changes" -gt 200 ] || complain 'of all commands' 'too few changes of files were seen' "$n_changes"

traced "$caller" library || complain 'as a library' 'failed' "$(cat "$scratch/answer" "$scratch/errors")"
changed=$(changes | grep -vE ' /dev/(null|tty)$')
[ -z "$changed" ] || complain 'as a library' 'writes' "$changed"
started=$(grep -h -E '^(execve.* = 0$|socket\((AF|PF)_INET)' "$scratch"/trace/* | tail -n +2)
[ -z "$started" ] || complain 'as a library' 'starts a program or uses a network' "$started"
[ $failed -eq 0 ] && echo "$n_calls calls of $(echo "$called" | wc -w) commands, $n_changes changes of files, all where they belong"
exit $failed
