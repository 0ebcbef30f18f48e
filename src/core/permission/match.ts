import { Result } from "effect"
import { coverage } from "./command-proof.ts"
import { commandPattern, matchesCommand } from "./command-pattern.ts"
import { mightRun } from "./command-reach.ts"
import type { PermissionContext } from "./context.ts"
import { readParameter } from "./parse.ts"
import { matchesPathPattern, namesParticularFile, parsePathPattern, type PathPattern } from "./path-pattern.ts"
import { formsOf, isWithin, type Location } from "./path-scope.ts"
import { presentName, specifierFamily, type Rule } from "./rule.ts"
import { isSecretPath } from "./sensitive-paths.ts"
import type { DecidedTool, PermissionRequest, Subject, TouchedPlace } from "./subject.ts"
import { matchesStars } from "./wildcard.ts"

/**
 * Whether a rule speaks about a call. Deny and ask rules fire when the call might do what they name; an allow rule
 * counts only when it covers the need completely.
 */
const namesOf = (tool: DecidedTool): ReadonlyArray<string> => [tool.name, ...tool.aliases].map(presentName)

/** `mcp__server`, `mcp__server__` and `mcp__server__*` all mean every tool of the server. */
const coversServer = (pattern: string, name: string): boolean => {
  const server = /^mcp__((?:(?!__).)+)(?:__)?$/.exec(pattern)?.[1]
  return server !== undefined && name.startsWith(`mcp__${server}__`)
}

export const matchesTool = (rule: Rule, tool: DecidedTool): boolean => {
  const isPlain = !rule.tool.includes("*") && !rule.tool.startsWith("mcp__")
  return namesOf(tool).some((name) =>
    isPlain ? rule.tool === name : coversServer(rule.tool, name) || matchesStars(rule.tool, name)
  )
}

export const anchorsOf = (pattern: PathPattern, rule: Rule, context: PermissionContext): ReadonlyArray<string> => {
  switch (pattern.anchor) {
    case "root":
      return ["/"]
    case "home":
      return formsOf(context.home)
    case "source":
      return rule.anchorDir === undefined ? formsOf(context.cwd) : [rule.anchorDir]
    case "cwd":
      return formsOf(context.cwd)
  }
}

/** Deny and ask match on any form of the path, allow needs every form. */
const matchesPlace = (rule: Rule, place: Location, context: PermissionContext): boolean => {
  const parsed = parsePathPattern(rule.specifier ?? "")
  if (Result.isFailure(parsed)) return false
  const anchors = anchorsOf(parsed.success, rule, context)
  const matches = (path: string) => matchesPathPattern(parsed.success, { path, behavior: rule.behavior, anchors })
  return rule.behavior === "allow" ? formsOf(place).every(matches) : formsOf(place).some(matches)
}

const asciiHost = (host: string): string => {
  const lower = host.trim().toLowerCase().replace(/\.$/, "")
  if (/^\p{ASCII}*$/u.test(lower)) return lower
  return URL.canParse(`https://${lower}/`) ? new URL(`https://${lower}/`).hostname : lower
}

/** `*.h` is every sub-domain of h at any depth, `*` every host; any other star stays inside one label. */
export const matchesHost = (specifier: string, host: string): boolean => {
  const pattern = asciiHost(specifier.replace(/^domain:/, ""))
  const asked = asciiHost(host)
  if (pattern === "*") return true
  if (pattern.startsWith("*.") && !pattern.slice(2).includes("*")) return asked.endsWith(pattern.slice(1))
  const labels = asked.split(".")
  const patterns = pattern.split(".")
  return labels.length === patterns.length && patterns.every((label, index) => matchesStars(label, labels[index] ?? ""))
}

const field = (input: unknown, name: string): string | undefined => {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, name)) return undefined
  const value: unknown = Object.entries(input).find(([key]) => key === name)?.[1]
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : undefined
}

const NAME_FIELDS: Readonly<Record<string, string>> = { Agent: "subagent_type", Skill: "skill" }

const matchesName = (rule: Rule, input: unknown): boolean => {
  const value = field(input, NAME_FIELDS[rule.tool] ?? "")
  return value !== undefined && matchesCommand(commandPattern(rule.specifier ?? ""), value)
}

const matchesParameter = (rule: Rule, input: unknown): boolean => {
  const parameter = readParameter(rule.specifier ?? "")
  const value = parameter === undefined ? undefined : field(input, parameter.name)
  return parameter !== undefined && value !== undefined && matchesStars(parameter.value, value)
}

/** Touches a Read or Edit rule is about. A path that must not be read must not be written either. */
const touchApplies = (rule: Rule, touch: TouchedPlace): boolean => {
  if (rule.tool === "Read") return rule.specifier !== undefined || touch.access === "read"
  return touch.access === "write" || (rule.specifier !== undefined && touch.access === "maybe")
}

const pathRestricts = (rule: Rule, subject: Subject, context: PermissionContext): boolean => {
  const hits = (place: Location) => rule.specifier === undefined || matchesPlace(rule, place, context)
  if (subject.kind === "shell") return subject.touches.some((touch) => touchApplies(rule, touch) && hits(touch.place))
  if (subject.kind === "read") return rule.tool === "Read" && hits(subject.place)
  if (subject.kind !== "edit") return false
  const blocksReading = rule.tool === "Read" && rule.behavior === "deny" && rule.specifier !== undefined
  return (rule.tool === "Edit" || blocksReading) && hits(subject.place)
}

/** Whether a deny or ask rule fires for the call. */
export const restricts = (rule: Rule, request: PermissionRequest, subjects: ReadonlyArray<Subject>): boolean => {
  const isPathRule = rule.tool === "Read" || rule.tool === "Edit"
  if (isPathRule && subjects.some((subject) => pathRestricts(rule, subject, request.context))) return true
  const isOfTool = matchesTool(rule, request.tool)
  const isShellRule = rule.tool === "Bash" || (isOfTool && specifierFamily(rule.tool) === "command")
  const commands = isShellRule ? subjects.filter((subject) => subject.kind === "shell") : []
  if (rule.specifier === undefined) return isOfTool || commands.length > 0
  const { specifier } = rule
  switch (specifierFamily(rule.tool)) {
    case "command":
      return commands.some(({ reach }) => mightRun(reach, commandPattern(specifier, true)))
    case "domain":
      return subjects.some((subject) => subject.kind === "fetch" && matchesHost(specifier, subject.host))
    case "name":
      return isOfTool && (matchesName(rule, request.input) || matchesParameter(rule, request.input))
    case "parameter":
      return isOfTool && matchesParameter(rule, request.input)
    case "path":
    case "unused":
    case "none":
      return false
  }
}

export const isSecretPlace = (place: Location, context: PermissionContext): boolean =>
  formsOf(place).some((path) => isSecretPath(path, context))

/** A Read rule that names the file, not merely everything in a place, also uncovers a secret. */
const uncovers = (rule: Rule, place: Location, context: PermissionContext): boolean => {
  if (rule.behavior !== "allow" || rule.tool !== "Read" || rule.specifier === undefined) return false
  const parsed = parsePathPattern(rule.specifier)
  return Result.isSuccess(parsed) && namesParticularFile(parsed.success) && matchesPlace(rule, place, context)
}

const readPlaces = (subject: Subject): ReadonlyArray<Location> => {
  if (subject.kind === "read") return [subject.place]
  return subject.kind === "shell" ? subject.touches.map(({ place }) => place) : []
}

/** A secret the need would read and that no rule uncovers. */
export const coveredSecret = (subject: Subject, context: PermissionContext): Location | undefined => {
  return readPlaces(subject).find(
    (place) => isSecretPlace(place, context) && !context.rules.some((rule) => uncovers(rule, place, context))
  )
}

type ShellSubject = Subject & { readonly kind: "shell" }

const commandPermits = (specifier: string, subject: ShellSubject, context: PermissionContext): boolean => {
  const covered = coverage(specifier, subject.command)
  if (covered !== "pattern") return covered === "exact"
  return subject.touches.every(({ explicit, place }) => !explicit || isWithin(context.workingDirs, place))
}

const specifierPermits = (rule: Rule, subject: Subject, context: PermissionContext): boolean => {
  const specifier = rule.specifier ?? ""
  switch (subject.kind) {
    case "read":
      return rule.tool === "Read" && matchesPlace(rule, subject.place, context)
    case "edit":
      return rule.tool === "Edit" && matchesPlace(rule, subject.place, context)
    case "shell":
      return specifierFamily(rule.tool) === "command" && commandPermits(specifier, subject, context)
    case "fetch":
      return specifierFamily(rule.tool) === "domain" && matchesHost(specifier, subject.host)
    case "other":
    case "nothing":
    case "interaction":
      return false
  }
}

const speaksFor = (rule: Rule, subject: Subject, request: PermissionRequest): boolean => {
  const isAbout =
    matchesTool(rule, request.tool) ||
    (rule.tool === "Read" && subject.kind === "read") ||
    (rule.tool === "Edit" && subject.kind === "edit") ||
    (rule.tool === "Bash" && subject.kind === "shell")
  if (!isAbout) return false
  if (rule.specifier === undefined) return true
  if (specifierFamily(rule.tool) === "name") return subject.kind === "other" && matchesName(rule, request.input)
  return specifierPermits(rule, subject, request.context)
}

/** Whether an allow rule covers one need of the call completely. */
export const permits = (rule: Rule, subject: Subject, request: PermissionRequest): boolean => {
  const isUnknownPath = (subject.kind === "read" || subject.kind === "edit") && !subject.known
  if (isUnknownPath || !speaksFor(rule, subject, request)) return false
  return coveredSecret(subject, request.context) === undefined
}
