/** What the sandbox refused, reported after the output of a command so that nobody has to guess. */
import { isInside, resolvePath } from "../domain/path/path-components.ts"
import type { HostContact } from "./network.ts"
import { readCommand } from "../permission/bash/parse/command-segments.ts"
import { refusedHosts, unreachedHosts } from "./host-violations.ts"
import { accessTo, mountsOf } from "./mounts.ts"
import type { SandboxPlan } from "./plan.ts"

export interface ViolationQuestion {
  readonly plan: SandboxPlan
  readonly command: string
  readonly cwd: string
  readonly home: string
  readonly output: string
  readonly failed: boolean
  readonly contacts: ReadonlyArray<HostContact>
  readonly ignored: Readonly<Record<string, ReadonlyArray<string>>>
}

const REFUSALS =
  /Read-only file system|resource busy|Permission denied|Is a directory|File exists|cross-device link|EROFS|EBUSY|EACCES|EISDIR|EEXIST|EXDEV/i
/** What an emptied directory looks like from inside. */
const MISSING = /No such file|ENOENT/i
const LONGEST_LINE = 2_000
const MOST_VIOLATIONS = 20

/** Paths a line of an error message names: in quotes, or between colons. */
const pathsIn = (line: string): ReadonlyArray<string> => {
  const inQuotes = [...line.matchAll(/['"‘`]([^'"’`]+)['"’`]/g)].map((match) => match[1] ?? "")
  const candidates = inQuotes.length > 0 ? inQuotes : line.split(": ").slice(1, -1)
  return candidates.map((text) => text.trim()).filter((text) => text !== "" && !/^line \d+$/.test(text))
}

const hidden = (path: string): string => `read ${path}: it is hidden from commands`

const ACROSS = /cross-device link|EXDEV/i
const BUSY = /resource busy|EBUSY/i

/** A directory above something closed is a mount of its own: it does not move, and nothing is renamed across its edge. */
const heldPath = ({ pinned }: SandboxPlan, path: string, line: string): string | undefined => {
  const [held] = pinned
    .filter((directory) => isInside(directory, path))
    .toSorted((left, right) => right.length - left.length)
  if (BUSY.test(line) && held === path) return `move ${path}: it holds something protected and stays where it is`
  return ACROSS.test(line) && held !== undefined
    ? `rename ${path}: ${held} holds something protected, so files go in and out only by copying them`
    : undefined
}

const closedPath = (plan: SandboxPlan, path: string, line: string): string | undefined => {
  const mounts = mountsOf(plan)
  const access = accessTo(mounts, path)
  if (access === "none") return hidden(path)
  const closed = [...plan.holes.map((hole) => hole.path), ...plan.masked].some((hole) => isInside(hole, path))
  if (MISSING.test(line)) return undefined
  if (closed) return `write ${path}: it is protected, because tools act on it`
  return access === "read" && /read-only file system|EROFS/i.test(line)
    ? `write ${path}: it is outside the directories that commands may write`
    : heldPath(plan, path, line)
}

const pathViolations = ({ plan, cwd, output }: ViolationQuestion): ReadonlyArray<string> =>
  output
    .split("\n")
    .filter((line) => line.length <= LONGEST_LINE && (REFUSALS.test(line) || MISSING.test(line)))
    .flatMap((line) => pathsIn(line).map((path) => closedPath(plan, resolvePath(cwd, path), line)))
    .filter((violation) => violation !== undefined)

/** Words of the command that lead into something hidden. It looks empty or missing, and no error says why. */
const hiddenNames = ({ plan, command, cwd, home }: ViolationQuestion): ReadonlyArray<string> => {
  const mounts = mountsOf(plan)
  return readCommand(command)
    .segments.flatMap(({ words }) => words)
    .map((word) => resolvePath(cwd, word.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, home)))
    .filter((path) => accessTo(mounts, path) === "none")
    .map(hidden)
}

const SOCKET = /unix:\/\/(\/[^\s:'"]+)|(\/[^\s:'"]+\.sock)\b/
const NOT_PERMITTED = /operation not permitted|EPERM|permission denied/i

const socketViolations = ({ plan, output }: ViolationQuestion): ReadonlyArray<string> =>
  plan.unixSockets
    ? []
    : output
        .split("\n")
        .filter((line) => line.length <= LONGEST_LINE && NOT_PERMITTED.test(line))
        .flatMap((line) => {
          const match = SOCKET.exec(line)
          return match === null ? [] : [`connect ${match[1] ?? match[2] ?? ""}: sockets with a path are closed to commands`]
        })

const isIgnored = ({ command, ignored }: ViolationQuestion, violation: string): boolean =>
  Object.entries(ignored).some(
    ([part, texts]) => (part === "*" || command.includes(part)) && texts.some((text) => violation.includes(text))
  )

/** What is certain: it is reported for commands that succeeded too, because what they read or fetched is not what it seems. */
const certain = (question: ViolationQuestion): ReadonlyArray<string> => [...hiddenNames(question), ...refusedHosts(question)]

/** What the errors of a failed command point to. */
const likely = (question: ViolationQuestion): ReadonlyArray<string> => [
  ...pathViolations(question),
  ...socketViolations(question),
  ...unreachedHosts({ ...question, network: question.plan.network })
]

/** One line each, without repetition. */
export const violationsOf = (question: ViolationQuestion): ReadonlyArray<string> =>
  [...new Set([...certain(question), ...(question.failed ? likely(question) : [])])]
    .filter((violation) => !isIgnored(question, violation))
    .slice(0, MOST_VIOLATIONS)

/** The block for the model; undefined when nothing was refused. */
export const violationBlock = (violations: ReadonlyArray<string>): string | undefined =>
  violations.length === 0 ? undefined : ["<sandbox_violations>", ...violations, "</sandbox_violations>"].join("\n")
