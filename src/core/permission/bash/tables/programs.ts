import { CHANGERS } from "./changers.ts"
import { flagTable, type FlagTable } from "./flags.ts"
import { READERS } from "./readers.ts"
import type { ProgramRow } from "./row.ts"
import { RUNNER_VERBS, WRAPPERS, type WrapperRow } from "./wrappers.ts"

/** A row with its lists made ready. They are made when a program is met for the first time. */
export interface Known<Row> {
  readonly row: Row
  readonly flags: FlagTable
  /** Behind some of its flags stands code. */
  readonly runsByFlag: boolean
  /** Behind some of its flags stands a file that it writes. */
  readonly writesByFlag: boolean
}

const madeReady = <Row extends { readonly flags?: string }>(row: Row): Known<Row> => {
  const flags = flagTable(row.flags ?? "")
  const kinds = new Set([...flags.values()].map(({ kind }) => kind))
  return { row, flags, runsByFlag: kinds.has("x"), writesByFlag: kinds.has("o") }
}

const named = <Row extends { readonly names: string; readonly flags?: string }>(rows: ReadonlyArray<Row>) => {
  const rowOf = new Map(rows.flatMap((row) => row.names.split(" ").map((name) => [name, row] as const)))
  const made = new Map<Row, Known<Row>>()
  return (name: string): Known<Row> | undefined => {
    const row = rowOf.get(name)
    if (row === undefined) return undefined
    const found = made.get(row) ?? madeReady(row)
    made.set(row, found)
    return found
  }
}

export type KnownProgram = Known<ProgramRow>
export type KnownWrapper = Known<WrapperRow>

export const programNamed: (name: string) => KnownProgram | undefined = named([...READERS, ...CHANGERS])
export const wrapperNamed: (name: string) => KnownWrapper | undefined = named(WRAPPERS)

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "))

export const SHELLS = names("sh bash zsh dash ksh ash fish rbash mksh lksh pdksh yash csh tcsh")

/** Run code given in a word or a file. */
export const INTERPRETERS = names(
  "python python2 python3 node nodejs deno bun tsx ts-node ruby perl php lua osascript pwsh Rscript awk gawk mawk nawk " +
    "pypy ipython jruby luajit"
)

const endsInDigit = (name: string): boolean => {
  const last = name.charCodeAt(name.length - 1)
  return last >= 0x30 && last <= 0x39
}

/** `python3.12` is python, `ksh93` is ksh. */
export const withoutVersion = (name: string): string => name.replace(/-?\d+(?:\.\d+)*$/, "")

const isOneOf = (known: ReadonlySet<string>, name: string): boolean =>
  known.has(name) || (endsInDigit(name) && known.has(withoutVersion(name)))

export const isShellName = (name: string): boolean => isOneOf(SHELLS, name)
export const isInterpreter = (name: string): boolean => isOneOf(INTERPRETERS, name)

/** Take commands in their words, or run what comes in as a list of commands. */
export const EDITORS = names("ed ex vi vim nvim view nano emacs")
export const INPUT_RUNNERS = names(
  "ed ex vi vim nvim at batch crontab tclsh wish expect sqlite3 psql mysql mariadb ftp sftp lftp mail mailx gdb lldb make " +
    "gmake dc telnet nc ncat socat screen tmux"
)

/** Builtins that change the shell itself: nothing vouches for what happens after them. */
export const SHELL_CHANGING = names(
  "eval source . exec export declare typeset local readonly set unset shopt alias unalias enable hash bind complete " +
    "compgen compopt read mapfile readarray getopts ulimit umask let trap pushd popd coproc disown suspend logout " +
    "zmodload emulate sysopen sysread syswrite sysseek zpty ztcp zsocket zf_rm zf_mv zf_ln zf_chmod zf_mkdir " +
    "zf_rmdir zf_chown zf_chgrp autoload setopt unsetopt vared zcompile"
)

/** Assignments before a command that change nothing but how it prints. */
const HARMLESS_VARIABLES = names(
  "LANG LANGUAGE TZ NO_COLOR FORCE_COLOR CLICOLOR COLORTERM TERM COLUMNS LINES CI NODE_ENV RUST_BACKTRACE RUST_LOG " +
    "PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE GOOS GOARCH CGO_ENABLED BLOCKSIZE TIME_STYLE"
)

export const isHarmlessVariable = (name: string): boolean => HARMLESS_VARIABLES.has(name) || /^LC_[A-Z]+$/.test(name)

/** Programs with sub-commands, and how many words name one. */
export const VERB_PROGRAMS: ReadonlyMap<string, number> = new Map([
  ...(
    "git npm yarn pnpm bun cargo go make gmake docker podman kubectl terraform pip pip3 poetry composer bundle brew " +
    "dotnet gradle mvn rustup helm systemctl apt apt-get dnf swift flutter dart mix rake just task nx turbo lerna " +
    "tox pre-commit ansible vagrant heroku vercel firebase supabase prisma alembic hatch pdm uv conda opam stack cabal"
  )
    .split(" ")
    .map((name) => [name, 2] as const),
  ...["gh", "aws", "gcloud", "az"].map((name) => [name, 3] as const)
])

/** Sub-commands that take the name of another program or script as their next word. */
export const VERBS_THAT_RUN = names("run exec x dlx explore tool debug sh shell compose")

export const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1)

/** In the known-program table: words of other programs may be programs themselves. */
export const isKnownProgram = (name: string): boolean =>
  programNamed(name) !== undefined || RUNNER_VERBS.has(name) || wrapperNamed(name) !== undefined
