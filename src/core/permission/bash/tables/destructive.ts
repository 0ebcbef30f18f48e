import type { Danger } from "../shell-analysis.ts"
import { SHELLS } from "./programs.ts"

/** Sub-commands of git that lose work: the words that make them so, and what is lost. */
export interface GitLoss {
  /** Further words of the sub-command; one of them must be there. */
  readonly second?: ReadonlyArray<string>
  /** Flags or operands with which work is lost, as whole words, as short letters or by how they begin. */
  readonly words?: ReadonlyArray<string>
  readonly letters?: string
  readonly begins?: ReadonlyArray<string>
  readonly loses: NonNullable<Danger["loses"]>
  readonly sentence: string
}

export const GIT_LOSSES: Readonly<Record<string, GitLoss>> = {
  reset: {
    words: ["--hard", "--merge", "--keep"],
    loses: "files",
    sentence: "Would throw away changes in files that are not committed"
  },
  clean: {
    words: ["--force"],
    letters: "f",
    loses: "untracked",
    sentence: "Would remove files that git does not know"
  },
  checkout: {
    words: ["--", ".", "--force", "--ours", "--theirs", "--patch", "--pathspec-from-file"],
    letters: "fp",
    loses: "files",
    sentence: "Would overwrite files that have changed"
  },
  switch: {
    words: ["--force", "--discard-changes"],
    letters: "f",
    loses: "files",
    sentence: "Would throw away changes in files that are not committed"
  },
  restore: { loses: "files", sentence: "Would overwrite files that have changed" },
  stash: { second: ["drop", "clear"], loses: "stashes", sentence: "Would throw away stashed changes" },
  branch: {
    words: ["-D", "--force"],
    letters: "Df",
    loses: "commits",
    sentence: "Would remove a branch whose commits may be nowhere else"
  },
  push: {
    words: ["--force", "--force-with-lease", "--force-if-includes", "--delete", "--mirror", "--prune"],
    letters: "fd",
    begins: ["+", ":"],
    loses: "commits",
    sentence: "Would overwrite or remove commits on the remote"
  },
  reflog: {
    second: ["expire", "delete"],
    loses: "commits",
    sentence: "Would forget commits that only the reflog knows"
  },
  gc: { begins: ["--prune"], loses: "commits", sentence: "Would remove commits that nothing points to" },
  prune: { loses: "commits", sentence: "Would remove commits that nothing points to" },
  worktree: {
    second: ["remove"],
    words: ["--force"],
    letters: "f",
    loses: "files",
    sentence: "Would remove a working tree with its changes"
  },
  rm: { words: ["--force"], letters: "f", loses: "files", sentence: "Would remove files with changes in them" },
  "read-tree": { words: ["--reset"], loses: "files", sentence: "Would overwrite files that have changed" },
  "filter-branch": { loses: "commits", sentence: "Would rewrite the history" },
  "filter-repo": { loses: "commits", sentence: "Would rewrite the history" },
  "update-ref": { words: ["--delete"], letters: "d", loses: "commits", sentence: "Would remove a reference" }
}

/** Global options of git that make it run something or obey another configuration. */
export const GIT_RUNNING_GLOBALS: ReadonlySet<string> = new Set([
  "-c",
  "--config-env",
  "--exec-path",
  "--git-dir",
  "--work-tree",
  "--bare"
])

/** Words behind sub-commands of git that make it run something it was given; long ones also when they are shortened. */
export const GIT_RUNNING_WORDS: ReadonlyArray<string> = [
  "--exec",
  "--upload-pack",
  "--receive-pack",
  "--extcmd",
  "foreach",
  "--open-files-in-pager",
  "--ext-diff",
  "--template"
]

/** Letters that do the same, by sub-command: alone, with their value attached, or at the end of a bundle. */
export const GIT_RUNNING_LETTERS: Readonly<Record<string, string>> = {
  rebase: "x",
  difftool: "x",
  grep: "O",
  clone: "cu"
}

/** Long flags of sub-commands that do the same. */
export const GIT_RUNNING_FLAGS: Readonly<Record<string, string>> = { clone: "--config" }

/** Sub-commands beyond the plain ones that do what their name says. Any other may be an alias or bring its own tools. */
export const GIT_ORDINARY_VERBS: ReadonlySet<string> = new Set(
  (
    "archive bisect clone column commit-graph commit-tree config fetch interpret-trailers lfs ls-remote pull push remote " +
    "repack request-pull submodule subtree"
  ).split(" ")
)

/** Programs whose work cannot be undone. */
export const DESTROYERS: Readonly<Record<string, string>> = {
  shred: "Would make files unreadable for good",
  truncate: "Would cut files off"
}

/** Flags of interpreters behind which code stands; their names without versions. */
export const INLINE_CODE: ReadonlyMap<string, RegExp> = new Map([
  ...Array.from(SHELLS, (name) => [name, /^-[A-Za-z]*c|^--command/] as const),
  ...["python", "pypy", "ipython"].map((name) => [name, /^-[A-Za-z]*c/] as const),
  ...["node", "nodejs", "bun", "tsx", "ts-node"].map(
    (name) => [name, /^-[A-Za-z]*[ep]|^--(?:eval|print)|^(?:--[\w-]+=)?data:/] as const
  ),
  ["deno", /^eval$|^data:/],
  ...["ruby", "jruby", "luajit"].map((name) => [name, /^-[A-Za-z]*e/] as const),
  ["perl", /^-[A-Za-z]*[eE]/],
  ["php", /^-[A-Za-z]*[rBRE]/],
  ["lua", /^-[A-Za-z]*e/],
  ["osascript", /^-e/],
  ["pwsh", /^-[cC]/],
  ["Rscript", /^-e/]
])
