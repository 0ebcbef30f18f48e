/** What the sandbox refused, told after the output of a failed command so that nobody has to guess. */
import { isInside, resolvePath } from "../permission/path-scope.ts"
import type { HostContact } from "../ports/Sandbox.ts"
import { accessTo, layersOf } from "./mounts.ts"
import type { SandboxPlan } from "./plan.ts"

export interface ViolationQuestion {
  readonly plan: SandboxPlan
  readonly command: string
  readonly cwd: string
  readonly output: string
  readonly contacts: ReadonlyArray<HostContact>
  readonly ignored: Readonly<Record<string, ReadonlyArray<string>>>
}

const REFUSALS =
  /Read-only file system|resource busy|Permission denied|Is a directory|File exists|EROFS|EBUSY|EACCES|EISDIR|EEXIST/i
const LONGEST_LINE = 2_000
const MOST_VIOLATIONS = 20

/** Paths a line of an error message names: in quotes, or between colons. */
const pathsIn = (line: string): ReadonlyArray<string> => {
  const inQuotes = [...line.matchAll(/['"‘`]([^'"’`]+)['"’`]/g)].map((match) => match[1] ?? "")
  const candidates = inQuotes.length > 0 ? inQuotes : line.split(": ").slice(1, -1)
  return candidates.map((text) => text.trim()).filter((text) => text !== "" && !/^line \d+$/.test(text))
}

const closedPath = (plan: SandboxPlan, path: string, line: string): string | undefined => {
  const layers = layersOf(plan)
  const access = accessTo(layers, path)
  if (access === "none") return `read ${path}: it is hidden from commands`
  const closed = [...plan.holes.map((hole) => hole.path), ...plan.masked].some((hole) => isInside(hole, path))
  if (closed) return `write ${path}: it is protected, because tools act on it`
  return access === "read" && /read-only file system|EROFS/i.test(line)
    ? `write ${path}: it is outside the directories that commands may write`
    : undefined
}

const pathViolations = ({ plan, cwd, output }: ViolationQuestion): ReadonlyArray<string> =>
  output
    .split("\n")
    .filter((line) => line.length <= LONGEST_LINE && REFUSALS.test(line))
    .flatMap((line) => pathsIn(line).map((path) => closedPath(plan, resolvePath(cwd, path), line)))
    .filter((violation) => violation !== undefined)

const UNREACHED = /(?:Could not resolve host:|ENOTFOUND|EAI_AGAIN|unable to resolve host address) *['"‘]?([\w.-]+)/gi
const NO_NETWORK = /Network is unreachable|ENETUNREACH|Temporary failure in name resolution|Name or service not known/i

/** Without a proxy the words of the program are all there is. */
const networkViolations = ({ plan, output, contacts }: ViolationQuestion): ReadonlyArray<string> => {
  const refused = contacts.flatMap(({ host, port, refused: why }) =>
    why === undefined ? [] : [`network ${host}:${port}: ${why}`]
  )
  if (refused.length > 0 || plan.network.allowed.length > 0) return refused
  const hosts = [...output.matchAll(UNREACHED)].map((match) => `network ${match[1] ?? ""}: no domain is allowed`)
  return hosts.length === 0 && NO_NETWORK.test(output) ? ["network: no domain is allowed"] : hosts
}

const isIgnored = ({ command, ignored }: ViolationQuestion, violation: string): boolean =>
  Object.entries(ignored).some(
    ([part, texts]) => (part === "*" || command.includes(part)) && texts.some((text) => violation.includes(text))
  )

/** One line each, without repetition. */
export const violationsOf = (question: ViolationQuestion): ReadonlyArray<string> =>
  [...new Set([...pathViolations(question), ...networkViolations(question)])]
    .filter((violation) => !isIgnored(question, violation))
    .slice(0, MOST_VIOLATIONS)

/** The block for the model; undefined when nothing was refused. */
export const violationBlock = (violations: ReadonlyArray<string>): string | undefined =>
  violations.length === 0 ? undefined : ["<sandbox_violations>", ...violations, "</sandbox_violations>"].join("\n")
