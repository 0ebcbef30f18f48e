/** What is known about programs, as far as rules about commands need it. Names are base names. */
const names = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const NO_WORDS: ReadonlySet<string> = new Set()

/** Operands are plain text. */
export const TEXT_PROGRAMS = names("echo printf true false : expr seq date sleep kill pwd whoami id uname tty")

/** Operands are files that are read, never written. */
export const READERS = names(
  "cat head tail wc stat file nl tac rev cut uniq diff cmp comm join paste od xxd strings md5sum sha1sum " +
    "sha224sum sha256sum sha512sum cksum b2sum base64 base32 less more bat grep egrep fgrep rg ag ack ls tree du df " +
    "jq fd column fold fmt expand hexdump readlink realpath basename dirname"
)

/** Operands are files that are created, changed or removed. */
export const WRITERS = names(
  "cp install rsync mv ln rm rmdir unlink shred mkdir touch truncate mktemp tee mkfifo mknod chmod chown chgrp " +
    "setfacl xattr dd sed patch"
)

/** Programs with sub-commands that never run their operands, except after the words listed for them. */
export const EXECUTING_WORDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["git", names("-c run foreach --exec -x filter-branch --upload-pack --receive-pack --config-env difftool mergetool")],
  ["npm", names("exec x explore")],
  ["yarn", names("exec dlx")],
  ["pnpm", names("exec dlx")],
  ["bun", names("x run")],
  ["cargo", names("run")],
  ["go", names("run generate")],
  ["docker", names("exec run compose --entrypoint")],
  ["podman", names("exec run --entrypoint")],
  ["kubectl", names("exec run debug")],
  ["terraform", names("-exec")],
  ["find", names("-exec -execdir -ok -okdir")],
  ["tar", names("--to-command --checkpoint-action -I --use-compress-program")],
  ["sort", names("--compress-program")],
  ["rg", names("--pre --hostname-bin")],
  ["fd", names("-x -X --exec --exec-batch")],
  ["rsync", names("-e --rsh --rsync-path")],
  ["curl", NO_WORDS],
  ["wget", names("--use-askpass")],
  ["gh", names("alias extension")],
  ["tsc", NO_WORDS],
  ["eslint", NO_WORDS],
  ["prettier", NO_WORDS]
])

export const SHELLS = names("sh bash zsh dash ksh ash fish")

/** Programs that run what they are given on the command line or on stdin. */
export const WRAPPERS = names(
  "timeout time nice nohup stdbuf command builtin noglob xargs env sudo doas su setsid ionice chrt taskset flock " +
    "watch script unshare nsenter chroot strace ltrace gdb entr parallel busybox toybox exec npx bunx uvx pipx " +
    "direnv devbox mise nix ssh eval trap coproc"
)

/** Builtins that change the shell itself: no pattern vouches for what happens after them. */
export const SHELL_CHANGING = names(
  "eval source . exec export declare typeset local readonly set shopt alias unalias enable builtin hash bind " +
    "complete read mapfile getopts ulimit umask let trap zmodload emulate sysopen sysread syswrite sysseek zpty " +
    "ztcp zsocket zf_rm zf_mv zf_ln zf_chmod zf_mkdir zf_rmdir zf_chown zf_chgrp"
)

export const KEYWORDS = names(
  "if then else elif fi for while until do done case esac in select function coproc time [[ ]] { } !"
)

export const INTERPRETERS = names(
  "python python2 python3 node deno bun tsx ruby perl php lua osascript pwsh awk gawk mawk"
)

export const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1)
