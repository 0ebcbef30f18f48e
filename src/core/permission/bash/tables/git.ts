import { flagTable, type FlagTable } from "./flags.ts"

/** The sub-commands of git that only show something, with the flags that keep it so. */
export interface GitVerb {
  readonly flags: string
  /**
   * any: revisions and paths; none: there must not be any; listing: only with a flag that makes it a list;
   * or the first operands that are accepted.
   */
  readonly operands: "any" | "none" | "listing" | ReadonlyArray<string>
  /** Without an operand it does something else. */
  readonly operandNeeded?: true
  /** With more operands it does something else. */
  readonly most?: number
  /** With one operand it shows, without any of the flags that say so. */
  readonly readsAlone?: true
  /** At least one of these flags must be there. */
  readonly oneOf?: string
}

const DIFF = `-p -u --patch -s --no-patch -U:k --unified:k --raw -z --full-index --binary --text -a --relative[t]
  --stat[t] --shortstat --numstat --dirstat[t] --compact-summary --summary --name-only --name-status --no-renames
  -M[t] -C[t] -D -B[t] --find-renames[t] --find-copies[t] --find-copies-harder --diff-filter:w -w -b
  --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-cr-at-eol
  --word-diff[w] --word-diff-regex:t --color-words[t] --color[w] --no-color --color-moved[w] --minimal --patience
  --histogram --diff-algorithm:w --function-context -W --no-prefix --inter-hunk-context:k --no-ext-diff --no-textconv
  -S:t -G:t --pickaxe-all --pickaxe-regex --exit-code --quiet --check --abbrev[k] --ignore-submodules[w] -R
  --ignore-matching-lines:t -I:t --src-prefix:t --dst-prefix:t --ita-invisible-in-index`

const SELECT = `-n:k --max-count:k --skip:k --since:t --until:t --after:t --before:t --author:t --committer:t --grep:t
  -i --regexp-ignore-case --all-match --invert-grep -E --extended-regexp -F --fixed-strings -P --perl-regexp --all
  --branches[t] --tags[t] --remotes[t] --glob:t --exclude:t --merges --no-merges --first-parent --reverse --topo-order
  --date-order --author-date-order --simplify-by-decoration --ancestry-path --boundary --left-right --left-only
  --right-only --cherry --cherry-pick --cherry-mark --no-walk[w] --full-history --dense --sparse --not --min-parents:k
  --max-parents:k --ignore-missing --count -g --walk-reflogs`

const SHOW = `--oneline --graph --decorate[w] --no-decorate --format:t --pretty[t] --abbrev-commit --no-abbrev-commit
  --date:t --relative-date --follow --source --cc -c -m --notes[t] --no-notes --parents --children --encoding:w
  --use-mailmap --no-mailmap --decorate-refs:t --decorate-refs-exclude:t --full-diff --log-size -L:t --expand-tabs[k]`

const LIST = `--sort:t --format:t --column[t] --no-column --color[w] --no-color -i --ignore-case --contains[t]
  --no-contains[t] --merged[t] --no-merged[t] --points-at[t]`

/** `-5` is accepted by these. */
export const GIT_NUMBERS: ReadonlySet<string> = new Set([
  "log",
  "show",
  "rev-list",
  "shortlog",
  "reflog",
  "stash list",
  "whatchanged"
])

/** A flag that makes branch and tag list instead of making something. */
export const GIT_LISTING: ReadonlySet<string> = new Set([
  "--list",
  "--contains",
  "--no-contains",
  "--merged",
  "--no-merged",
  "--points-at"
])

/** Sub-commands of two words are found under both. */
export const GIT_VERBS: Readonly<Record<string, GitVerb>> = {
  status: {
    operands: "any",
    flags: `-s -b -v -u[w] -z --short --branch --porcelain[w] --long --verbose --untracked-files[w] --ignored[w]
      --column[t] --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames[t] --show-stash
      --ignore-submodules[w]`
  },
  log: { operands: "any", flags: `${SELECT} ${SHOW} ${DIFF}` },
  show: { operands: "any", flags: `${SELECT} ${SHOW} ${DIFF}` },
  diff: { operands: "any", flags: `${DIFF} --staged --cached --merge-base -1 -2 -3 --base --ours --theirs --cc` },
  blame: {
    operands: "any",
    flags: `-L:t -e -w -M[t] -C[t] -s -l -t -f -n -p -c -b --porcelain --line-porcelain --incremental --date:t
      --since:t --abbrev[k] --root --show-stats --show-name --show-number --show-email --color-lines --color-by-age
      --reverse --first-parent --progress --no-progress`
  },
  shortlog: {
    operands: "any",
    flags: `${SELECT} -s -e -c -w[t] --summary --numbered --email --group:t --format:t`.replace("-n:k", "-n")
  },
  describe: {
    operands: "any",
    flags: `--tags --all --long --always --abbrev[k] --match:t --exclude:t --exact-match --contains --dirty[t]
      --broken[t] --first-parent --candidates:k --debug`
  },
  "rev-parse": {
    operands: "any",
    flags: `--short[k] --abbrev-ref[w] --show-toplevel --git-dir --git-common-dir --absolute-git-dir --show-prefix
      --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --show-cdup --verify -q
      --quiet --symbolic --symbolic-full-name --all --branches[t] --tags[t] --remotes[t] --revs-only --no-revs
      --show-object-format[w]`
  },
  "rev-list": { operands: "any", flags: `${SELECT} --oneline --parents --children --timestamp --abbrev-commit --pretty[t]` },
  "name-rev": { operands: "any", flags: "--tags --refs:t --exclude:t --all --name-only --always --no-undefined" },
  "merge-base": { operands: "any", flags: "-a --all --octopus --is-ancestor --independent --fork-point" },
  "ls-files": {
    operands: "any",
    flags: `-c -d -m -o -i -s -u -k -z -t -v -x:t --cached --deleted --modified --others --ignored --stage --unmerged
      --killed --exclude:t --exclude-standard --full-name --error-unmatch --abbrev[k] --eol --directory
      --no-empty-directory --deduplicate --format:t`
  },
  "ls-tree": {
    operands: "any",
    flags: `-d -r -t -l -z --name-only --name-status --full-name --full-tree --long --abbrev[k]
      --object-only --format:t`
  },
  "cat-file": { operands: "any", oneOf: "-p -t -s -e", flags: "-p -t -s -e" },
  "for-each-ref": { operands: "any", flags: `${LIST} --count:k --exclude:t` },
  "show-ref": {
    operands: "any",
    flags: "--head --heads --branches --tags --verify -s --hash[k] --abbrev[k] -d --dereference -q --quiet"
  },
  "count-objects": { operands: "none", flags: "-v -H --verbose --human-readable" },
  "check-ignore": {
    operands: "any",
    flags: "-v -q -n --verbose --quiet --non-matching --no-index"
  },
  reflog: { operands: ["show", "HEAD"], flags: `${SELECT} ${SHOW} ${DIFF}` },
  "stash list": { operands: "none", flags: `${SELECT} ${SHOW} ${DIFF}` },
  "stash show": { operands: "any", flags: `${DIFF} --include-untracked --only-untracked` },
  "worktree list": { operands: "none", flags: "--porcelain -v -z --verbose" },
  remote: { operands: "none", flags: "-v --verbose" },
  branch: { operands: "listing", flags: `${LIST} -a -r -v -vv --list --all --remotes --verbose --show-current --abbrev[k]` },
  tag: { operands: "listing", flags: `${LIST} -n[k] --list -l` },
  "diff-tree": {
    operands: "any",
    flags: `${DIFF} -r -t --root --no-commit-id -m -c --cc --pretty[t] --format:t --merge-base`
  },
  "diff-index": { operands: "any", flags: `${DIFF} --cached -m --merge-base` },
  "diff-files": { operands: "any", flags: `${DIFF} -0 -1 -2 -3 --base --ours --theirs` },
  whatchanged: { operands: "any", flags: `${SELECT} ${SHOW} ${DIFF}` },
  cherry: { operands: "any", flags: "-v --verbose --abbrev[k]" },
  "check-attr": { operands: "any", flags: "-a --all --cached -z --source:t" },
  "notes list": { operands: "any", flags: "" },
  "notes show": { operands: "any", flags: "" },
  "remote get-url": { operands: "any", flags: "--push --all" },
  "symbolic-ref": { operands: "any", most: 1, operandNeeded: true, flags: "-q --quiet --short" },
  config: {
    operands: "any",
    oneOf: "--get --get-all --get-regexp --list -l",
    readsAlone: true,
    flags: `--get --get-all --get-regexp --list -l --name-only --show-origin --show-scope --global --local --system
      --worktree -z --null --type:w --bool --int --path --includes --no-includes --default:t`
  },
  grep: {
    operands: "any",
    flags: `-n -i -l -L -w -E -F -P -G -e:t -c -o -q -v -h -H -a -I -W -p -z -A:k -B:k -C:k -m:k --line-number
      --ignore-case --files-with-matches --files-without-match --name-only --word-regexp --extended-regexp
      --fixed-strings --perl-regexp --basic-regexp --count --only-matching --quiet --invert-match --full-name --cached
      --heading --break --show-function --function-context --after-context:k --before-context:k
      --context:k --max-depth:k --max-count:k --color[w] --no-color --and --or --not --all-match --text --no-textconv
      --column`
  }
}

const tables = new Map<string, FlagTable>()

/** The flags of a sub-command, made when it is met for the first time. */
export const gitFlags = (name: string, flags: string): FlagTable => {
  const made = tables.get(name) ?? flagTable(flags)
  tables.set(name, made)
  return made
}

const verbs = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** Sub-commands whose words are revisions, paths, names and messages: nothing in them is run. */
export const GIT_PLAIN_VERBS = verbs(
  `add am annotate apply blame branch bundle cat-file check-attr check-ignore check-mailmap check-ref-format checkout
  cherry cherry-pick clean commit count-objects describe diff diff-files diff-index diff-tree fast-export for-each-ref
  format-patch fsck gc grep hash-object help init log ls-files ls-tree merge merge-base merge-file merge-tree mktag mktree mv
  name-rev notes pack-refs patch-id prune range-diff read-tree rebase reflog rerere reset restore rev-list rev-parse revert
  rm shortlog show show-branch show-ref sparse-checkout stage stash status stripspace switch symbolic-ref tag update-index
  update-ref var verify-commit verify-pack verify-tag version whatchanged worktree write-tree`
)

/** The other sub-commands that git brings: no alias takes their place. */
export const GIT_OTHER_VERBS = verbs(
  `archimport archive bisect bugreport checkout-index citool clone column commit-graph commit-tree config credential
  credential-cache credential-store cvsexportcommit cvsimport cvsserver daemon diagnose difftool fast-import fetch
  fetch-pack filter-branch fmt-merge-msg for-each-repo fsmonitor--daemon get-tar-commit-id gui hook http-backend
  http-fetch http-push imap-send index-pack instaweb interpret-trailers lfs ls-remote mailinfo mailsplit maintenance
  merge-index merge-one-file mergetool multi-pack-index p4 pack-objects pack-redundant prune-packed pull push quiltimport
  receive-pack remote repack replace request-pull send-email send-pack shell sh-i18n sh-setup show-index
  submodule subtree svn unpack-file unpack-objects update-server-info upload-archive upload-pack web--browse`
)

/** Global options before the sub-command that change nothing; `-C` only with the directory one is in. */
export const GIT_SAFE_GLOBALS: ReadonlySet<string> = new Set(["--no-pager", "--no-optional-locks"])

/** Global options with a value in the next word. */
export const GIT_VALUED_GLOBALS: ReadonlySet<string> = new Set(
  "-C -c --git-dir --work-tree --namespace --exec-path --config-env --super-prefix --attr-source".split(" ")
)

/** Keys of a repository's configuration that make git run something or read another file. All in lower case. */
export const EXECUTING_KEYS = new RegExp(
  `^(?:${[
    String.raw`core\.(?:fsmonitor|hookspath|pager|editor|sshcommand|gitproxy|askpass)`,
    String.raw`pager\..*|alias\..*|include\..*|includeif\..*|uploadpack\..*|interactive\.difffilter`,
    String.raw`diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|merge\..*\.driver`,
    String.raw`gpg\.(?:.*\.)?program|credential\.(?:.*\.)?helper|diff\.submodule|log\.showsignature|pretty\..*`,
    String.raw`remote\..*\.(?:uploadpack|receivepack|vcs)|protocol\.(?:.*\.)?allow|sequence\.editor`
  ].join("|")})$`,
  "s"
)

/** What `git lfs install` writes. */
export const LFS_FILTERS: ReadonlyMap<string, RegExp> = new Map([
  ["filter.lfs.clean", /^git-lfs clean -- %f$/],
  ["filter.lfs.smudge", /^git-lfs smudge (?:--skip )?-- %f$/],
  ["filter.lfs.process", /^git-lfs filter-process(?: --skip)?$/]
])
