/** Commands of the shell itself that change how the rest of the text runs, or run texts as commands. */
export const STATEFUL_BUILTINS: ReadonlySet<string> = new Set([
  "eval",
  "source",
  ".",
  "exec",
  "export",
  "declare",
  "typeset",
  "local",
  "readonly",
  "set",
  "shopt",
  "alias",
  "unalias",
  "enable",
  "builtin",
  "hash",
  "bind",
  "complete",
  "compgen",
  "compopt",
  "read",
  "readarray",
  "mapfile",
  "getopts",
  "ulimit",
  "umask",
  "let",
  "trap",
  "unset",
  "coproc",
  "select",
  "function",
  "fc",
  "history",
  "jobs",
  "wait",
  "shift",
  "for",
  "while",
  "until",
  "case",
  "do",
  "done",
  "esac",
  "then",
  "elif",
  "else",
  "fi",
  "in",
  "if",
  "{",
  "}",
  "!",
  "[[",
  "]]"
])

/** Commands of zsh that reach past the shell. */
export const ZSH_BUILTINS: ReadonlySet<string> = new Set([
  "zmodload",
  "emulate",
  "sysopen",
  "sysread",
  "syswrite",
  "sysseek",
  "zpty",
  "ztcp",
  "zsocket",
  "zf_rm",
  "zf_mv",
  "zf_ln",
  "zf_chmod",
  "zf_mkdir",
  "zf_rmdir",
  "zf_chown",
  "zf_chgrp"
])

/** Words behind which another command of the shell may stand. */
export const TRANSPARENT_BUILTINS: ReadonlySet<string> = new Set(["command", "builtin", "time", "noglob", "nocorrect"])

/** Flags with which an otherwise harmless command of the shell sets variables or evaluates a name. */
export const EVALUATING_FLAGS: Readonly<Record<string, RegExp>> = {
  printf: /^-v/,
  test: /^-[vR]$/,
  "[": /^-[vR]$/
}
