import type { Danger } from "../analysis.ts"

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
    words: ["--", ".", "--force", "--ours", "--theirs"],
    letters: "f",
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
    letters: "D",
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
  "filter-branch": { loses: "commits", sentence: "Would rewrite the history" },
  "filter-repo": { loses: "commits", sentence: "Would rewrite the history" },
  "update-ref": { words: ["--delete"], letters: "d", loses: "commits", sentence: "Would remove a reference" }
}

/** Global options of git that make it run something or obey another configuration. */
export const GIT_RUNNING_GLOBALS: ReadonlySet<string> = new Set(
  ["-c", "--config-env", "--exec-path", "--git-dir", "--work-tree"]
)

/** Words behind sub-commands of git that make it run something it was given. */
export const GIT_RUNNING_WORDS: ReadonlySet<string> = new Set(
  ["--exec", "--upload-pack", "--receive-pack", "--extcmd", "foreach", "--open-files-in-pager", "--ext-diff"]
)

/** Programs whose work cannot be undone. */
export const DESTROYERS: Readonly<Record<string, string>> = {
  shred: "Would make files unreadable for good",
  truncate: "Would cut files off"
}

/** Flags of interpreters behind which code stands. */
export const INLINE_CODE: ReadonlyMap<string, RegExp> = new Map([
  ...["sh", "bash", "zsh", "dash", "ksh", "ash", "fish"].map((name) => [name, /^-[A-Za-z]*c|^--command/] as const),
  ...["python", "python2", "python3"].map((name) => [name, /^-[A-Za-z]*c/] as const),
  ...["node", "nodejs", "bun", "tsx", "ts-node"].map((name) => [name, /^-[A-Za-z]*[ep]|^--(?:eval|print)/] as const),
  ["deno", /^eval$/],
  ["ruby", /^-[A-Za-z]*e/],
  ["perl", /^-[A-Za-z]*[eE]/],
  ["php", /^-[A-Za-z]*[rBRE]/],
  ["lua", /^-[A-Za-z]*e/],
  ["osascript", /^-e/],
  ["pwsh", /^-[cC]/],
  ["Rscript", /^-e/]
])
