import { type EnvironmentScrub, DEFAULT_SCRUB, type Env, readVariable, isOn } from "../../domain/env.ts"
/** How a command line becomes a process: shell, arguments, environment, and the note that brings its directory back. */
import { searchPathOutside } from "../../domain/path/search-path.ts"

export interface ShellRequest {
  readonly command: string
  readonly env: Env
  readonly sessionId: string
  readonly projectDir: string
  readonly effort?: string
  /** The setting; the variable CLAUDE_CODE_SHELL wins over it. */
  readonly defaultShell?: string
  /** Private file for the last directory. */
  readonly notePath: string
  /** The command runs without approval because it only reads: nothing that git is told elsewhere may change that. */
  readonly onlyReads?: boolean
  /** What of the environment commands do not see. */
  readonly scrub?: EnvironmentScrub
}

export interface ShellInvocation {
  readonly file: string
  readonly args: ReadonlyArray<string>
  readonly env: Env
  /** Text the note holds before the start; absent when this shell cannot report its directory. */
  readonly noteText?: string
}

/** One word for any POSIX shell. */
export const quoteWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Credentials of the product itself, which no command needs. */
const WITHHELD =
  /^(?:ANTHROPIC_\w*(?:KEY|TOKEN|SECRET|HEADERS)\w*|CLAUDE_CODE_OAUTH_TOKEN|NACRE_\w*TOKEN\w*|OTEL_EXPORTER_\w+)$/
/** The names of git's own settings are not secrets, and git fails when one of them is missing. */
const SECRET_NAME = /^(?!GIT_CONFIG_KEY_\d+$).*(?:KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL)/i

const isForced = (env: Env): boolean => isOn(readVariable(env, "SUBPROCESS_ENV_SCRUB"))

/** Variables that change how bash reads a command: functions, options, where `cd` and globs look. */
const SHELL_STATE = /^(?:BASH_FUNC_.*|SHELLOPTS|BASHOPTS|CDPATH|GLOBIGNORE|EXECIGNORE)$/

const isScrubbed = (name: string, env: Env, { enabled, keep }: EnvironmentScrub): boolean =>
  (enabled || isForced(env)) && SECRET_NAME.test(name) && !keep.includes(name)

/** Whether a variable of the session is kept from commands. */
const isWithheld = (name: string, env: Env, scrub: EnvironmentScrub): boolean =>
  WITHHELD.test(name) || SHELL_STATE.test(name) || isScrubbed(name, env, scrub)

/** Variables that a command names and does not get, because their names sound like secrets. */
export const missedVariables = (command: string, env: Env, scrub: EnvironmentScrub): ReadonlyArray<string> =>
  [...new Set(command.match(/[A-Za-z_]\w*/g) ?? [])].filter(
    (name) => env[name] !== undefined && !WITHHELD.test(name) && isScrubbed(name, env, scrub)
  )

export const scrubHint = (names: ReadonlyArray<string>): string =>
  `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} not passed to commands, because the name sounds like a ` +
  "secret. To pass it on, the user adds it to nacre.env.keep in the settings."

export const childEnv = (request: Pick<ShellRequest, "env" | "sessionId" | "projectDir" | "effort" | "scrub">): Env => ({
  ...Object.fromEntries(
    Object.entries(request.env).filter(([name]) => !isWithheld(name, request.env, request.scrub ?? DEFAULT_SCRUB))
  ),
  NACRE: "1",
  CLAUDECODE: "1",
  CLAUDE_CODE_CHILD_SESSION: "1",
  CLAUDE_CODE_SESSION_ID: request.sessionId,
  CLAUDE_PROJECT_DIR: request.projectDir,
  ...(request.effort === undefined ? {} : { CLAUDE_EFFORT: request.effort }),
  GIT_EDITOR: "true"
})

/** Variables that make git look elsewhere or run something, and those that add flags to a search. */
const DETOURS = new Set(
  (
    "GIT_EXTERNAL_DIFF GIT_DIR GIT_WORK_TREE GIT_EXEC_PATH GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_PROXY_COMMAND " +
    "RIPGREP_CONFIG_PATH GREP_OPTIONS"
  ).split(" ")
)

const GIT_OVERRIDES: ReadonlyArray<readonly [key: string, value: string]> = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["diff.autoRefreshIndex", "false"]
]

/**
 * The environment in which a command that was allowed because it only reads does no more than that. Of several values
 * for a key of git's the last one counts, so ours come last.
 */
const readingEnv = (env: Env, projectDir: string): Env => {
  const given = Number(env["GIT_CONFIG_COUNT"] ?? "0")
  const first = Number.isInteger(given) && given > 0 ? given : 0
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => !DETOURS.has(name))),
    ...Object.fromEntries(
      GIT_OVERRIDES.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${first + index}`, key],
        [`GIT_CONFIG_VALUE_${first + index}`, value]
      ])
    ),
    PATH: searchPathOutside(env["PATH"], [projectDir]),
    GIT_CONFIG_COUNT: String(first + GIT_OVERRIDES.length),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0"
  }
}

const shellName = (file: string): string => file.slice(file.lastIndexOf("/") + 1)

const TRAPPING_SHELLS = new Set(["sh", "dash", "ash", "ksh", "mksh", "zsh"])

const chosenShell = (request: Pick<ShellRequest, "env" | "defaultShell">): string =>
  readVariable(request.env, "SHELL") ?? (request.defaultShell || "bash")

/** Whether commands are run by the shell whose language the permission decision reads. */
export const runsBash = (request: Pick<ShellRequest, "env" | "defaultShell">): boolean =>
  shellName(chosenShell(request)) === "bash"

/** The wrapper gets the command as one word and decides itself how to run it. */
const wrapped = (request: ShellRequest): string => {
  const prefix = readVariable(request.env, "SHELL_PREFIX")
  return prefix === undefined ? request.command : `${prefix} ${quoteWord(request.command)}`
}

/**
 * Everything this prints goes to /dev/null, also what `set -x` or the user's own traps would add, and it cannot fail:
 * the exit code stays that of the command.
 */
const reportDirectory = (notePath: string, builtin: string): string =>
  `{ ${builtin}pwd -P >|${quoteWord(notePath)} || :; } >/dev/null 2>&1`

const NOTE_MARK = "#"

/**
 * Bash runs the file named by BASH_ENV first, so the `-c` argument stays exactly the text that was approved. The note
 * is this file: it sets the trap, and the trap overwrites it. A BASH_ENV of the user is given on to child shells.
 */
const bashNote = (notePath: string, userBashEnv: string | undefined): string =>
  [
    NOTE_MARK,
    userBashEnv === undefined ? "unset BASH_ENV" : `BASH_ENV=${quoteWord(userBashEnv)}`,
    `trap -- ${quoteWord(reportDirectory(notePath, "builtin "))} EXIT`,
    ""
  ].join("\n")

/** Words without quotes, expansions, operators or assignments: one program and its arguments. */
const PLAIN_COMMAND = /^[\w./-][\w ./:,@%+-]*$/

/** Programs of the shell itself that move it or run others in it, and those that take directories away. */
const MOVERS = new Set("cd pushd popd . source eval exec command builtin trap set shopt alias enable rm rmdir mv".split(" "))

/** One plain program that is none of the shell's own cannot move the shell, so there is nothing to report. */
const staysInPlace = (command: string): boolean => PLAIN_COMMAND.test(command) && !MOVERS.has(command.split(" ", 1)[0] ?? "")

export const shellInvocation = (request: ShellRequest): ShellInvocation => {
  const file = chosenShell(request)
  const name = shellName(file)
  const env = request.onlyReads === true ? readingEnv(childEnv(request), request.projectDir) : childEnv(request)
  const command = wrapped(request)
  const { notePath } = request
  if (name === "bash") {
    const args = ["--noprofile", "--norc", "-c", command]
    const userBashEnv = request.env["BASH_ENV"]
    if (userBashEnv === undefined && staysInPlace(command)) return { file, args, env }
    const noteText = bashNote(notePath, userBashEnv)
    return { file, args, env: { ...env, BASH_ENV: notePath }, noteText }
  }
  if (!TRAPPING_SHELLS.has(name)) return { file, args: ["-c", command], env }
  const trap = `trap -- ${quoteWord(reportDirectory(notePath, "command "))} EXIT`
  return { file, args: ["-c", `${trap}; ${command}`], env, noteText: NOTE_MARK }
}

/** The last directory from a note: null when the shell did not report, empty when its directory is gone. */
export const directoryFromNote = (note: string | null): string | null => {
  if (note === null || note.startsWith(NOTE_MARK)) return null
  return note.endsWith("\n") ? note.slice(0, -1) : note
}
