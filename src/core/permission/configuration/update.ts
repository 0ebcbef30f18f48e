import { Result, Schema } from "effect"
import { addDirectories, removeDirectories, type PermissionContext, type WorkingDir } from "../context.ts"
import { inputField } from "../rules/match-tool.ts"
import { changeMode } from "../mode.ts"
import { parseRule } from "../rules/parse.ts"
import { escapePath } from "../../domain/path/glob.ts"
import { componentsAsSpelled, locationOf, parentOf, resolvePath } from "../../domain/path/path-components.ts"
import { hostSpecifier, presentName, printRule, sameRule, type Rule, type RuleText } from "../rule.ts"
import { definesBehaviour } from "../rules/sensitive-paths.ts"
import { PERMISSION_MODES, type Decision } from "../verdict.ts"

/** Changes of the permission context in the shape hosts send them: applying them and proposing them. */
const Destination = Schema.Literals(["userSettings", "projectSettings", "localSettings", "session", "cliArg", "command"])

const RuleValue = Schema.Struct({ toolName: Schema.String, ruleContent: Schema.optionalKey(Schema.String) })

const rulesUpdate = <T extends string>(type: T) =>
  Schema.Struct({
    type: Schema.Literal(type),
    rules: Schema.Array(RuleValue),
    behavior: Schema.Literals(["allow", "deny", "ask"]),
    destination: Destination
  })

const directoriesUpdate = <T extends string>(type: T) =>
  Schema.Struct({ type: Schema.Literal(type), directories: Schema.Array(Schema.String), destination: Destination })

export const PermissionUpdate = Schema.Union([
  rulesUpdate("addRules"),
  rulesUpdate("replaceRules"),
  rulesUpdate("removeRules"),
  Schema.Struct({ type: Schema.Literal("setMode"), mode: Schema.Literals(PERMISSION_MODES), destination: Destination }),
  directoriesUpdate("addDirectories"),
  directoriesUpdate("removeDirectories")
])
export type PermissionUpdate = typeof PermissionUpdate.Type

type RulesUpdate = Extract<PermissionUpdate, { readonly rules: unknown }>

const isUpdate = Schema.is(PermissionUpdate)
const isManual = Schema.is(Schema.Struct({ type: Schema.Literal("setMode"), mode: Schema.Literal("manual") }))

/** The default mode has two names. */
const presentMode = (value: unknown): unknown => (isManual(value) ? { ...value, mode: "default" } : value)

/** The updates of a host's answer that are understood; others are left out, they never loosen anything. */
export const decodePermissionUpdates = (value: unknown): ReadonlyArray<PermissionUpdate> =>
  Array.isArray(value) ? value.map(presentMode).filter(isUpdate) : []

const ruleText = ({ toolName, ruleContent }: typeof RuleValue.Type): RuleText => ({
  tool: presentName(toolName),
  ...(ruleContent === undefined ? {} : { specifier: ruleContent })
})

/** The rules of an update; what cannot be understood is left out. */
const namedRules = ({ rules, behavior, destination }: RulesUpdate): ReadonlyArray<Rule> =>
  rules
    .map((value) => parseRule(printRule(ruleText(value)), behavior))
    .filter(Result.isSuccess)
    .map(({ success }) => ({ ...success, behavior, source: destination }))

const isSame = (left: Rule, right: Rule): boolean =>
  sameRule(left, right) && left.behavior === right.behavior && left.source === right.source

const rulesAfter = (rules: ReadonlyArray<Rule>, update: RulesUpdate): ReadonlyArray<Rule> => {
  const named = namedRules(update)
  const isNamed = (rule: Rule) => named.some((other) => isSame(rule, other))
  switch (update.type) {
    case "addRules":
      return [...rules.filter((rule) => !isNamed(rule)), ...named]
    case "removeRules":
      return rules.filter((rule) => !isNamed(rule))
    case "replaceRules": {
      const isReplaced = (rule: Rule) => rule.behavior === update.behavior && rule.source === update.destination
      return [...rules.filter((rule) => !isReplaced(rule)), ...named]
    }
  }
}

const addedDirectory = (path: string): WorkingDir => ({ ...locationOf(path), unseen: true })

/**
 * The context after one update. Every destination counts for the running session; writing it to a file is the
 * shell's task. Bypass stays out of reach unless the session was started with it.
 */
export const applyUpdate = (context: PermissionContext, update: PermissionUpdate): PermissionContext => {
  switch (update.type) {
    case "addRules":
    case "replaceRules":
    case "removeRules":
      return { ...context, rules: rulesAfter(context.rules, update) }
    case "setMode":
      return Result.getOrElse(changeMode(context, update.mode), () => context)
    case "addDirectories":
      return addDirectories(
        context,
        update.directories.map((path) => addedDirectory(resolvePath(context.cwd.path, path)))
      )
    case "removeDirectories":
      return removeDirectories(
        context,
        update.directories.map((path) => resolvePath(context.cwd.path, path))
      )
  }
}

export const applyUpdates = (context: PermissionContext, updates: ReadonlyArray<PermissionUpdate>): PermissionContext =>
  updates.reduce(applyUpdate, context)

const ruleNames = ({ rules }: RulesUpdate): string => rules.map((value) => printRule(ruleText(value))).join(", ")

/** One line that says what accepting the update would mean. */
export const describeUpdate = (update: PermissionUpdate): string => {
  switch (update.type) {
    case "addRules":
      return `${update.behavior} ${ruleNames(update)}`
    case "replaceRules":
      return `${update.behavior} only ${ruleNames(update)}`
    case "removeRules":
      return `no longer ${update.behavior} ${ruleNames(update)}`
    case "setMode":
      return `switch to ${update.mode} mode`
    case "addDirectories":
      return `work in ${update.directories.join(", ")}`
    case "removeDirectories":
      return `no longer work in ${update.directories.join(", ")}`
  }
}

/** What an "always" answer would save: never more than the question was about, and never what would not help. */
export interface SuggestionRequest {
  readonly context: PermissionContext
  readonly tool: string
  readonly decision: Decision
  readonly input: unknown
}

const allowRules = (rules: ReadonlyArray<RuleText>, destination: "session" | "localSettings"): PermissionUpdate => ({
  type: "addRules",
  rules: rules.map(({ tool, specifier }) => ({
    toolName: tool,
    ...(specifier === undefined ? {} : { ruleContent: specifier })
  })),
  behavior: "allow",
  destination
})

const allowRule = (
  tool: string,
  specifier: string | undefined,
  destination: "session" | "localSettings"
): PermissionUpdate => allowRules([{ tool, ...(specifier === undefined ? {} : { specifier }) }], destination)

const leavesDirectories = ({ reason }: Decision): boolean => reason.type === "workingDir"

const exactly = (path: string): string => `/${escapePath(path)}`

/** The directory or file itself and what is in it; never the whole disk. */
const everythingBelow = (path: string): string => (path === "/" ? exactly(path) : `${exactly(path)}/**`)

/** Everything beside the file and below; of a file right under the root only the file itself. */
const wholeDirectory = (path: string): string => (parentOf(path) === "/" ? exactly(path) : everythingBelow(parentOf(path)))

const ACCEPT_EDITS: PermissionUpdate = { type: "setMode", mode: "acceptEdits", destination: "session" }

/** The question about files below `.claude` that do not say what may run is lifted for a session. */
const ownSettings = (path: string): ReadonlyArray<PermissionUpdate> => {
  const at = componentsAsSpelled(path).lastIndexOf(".claude")
  if (at < 0 || definesBehaviour(path)) return []
  return [
    allowRule(
      "Edit",
      `//${componentsAsSpelled(path)
        .slice(0, at + 1)
        .map(escapePath)
        .join("/")}/**`,
      "session"
    )
  ]
}

/** At most this many rules at once: what a dialog cannot show is not offered. */
const OFFERED_RULES = 5
const SHOWN_CHARS = 500

/** Rules about commands are kept for the project, those about files for the session. */
const offered = (rules: ReadonlyArray<RuleText>): ReadonlyArray<PermissionUpdate> => {
  const isShown = rules.every((rule) => printRule(rule).length <= SHOWN_CHARS && !/[\n\r]/.test(printRule(rule)))
  if (rules.length > OFFERED_RULES || !isShown) return []
  const [files, commands] = [rules.filter(isAboutFiles), rules.filter((rule) => !isAboutFiles(rule))]
  return [
    ...(commands.length === 0 ? [] : [allowRules(commands, "localSettings")]),
    ...(files.length === 0 ? [] : [allowRules(files, "session")])
  ]
}

const isAboutFiles = ({ tool }: RuleText): boolean => tool === "Read" || tool === "Edit"

/** What starts something later or elsewhere is allowed for a session at most. */
const FOR_SESSION: ReadonlySet<string> = new Set(["CronCreate", "ScheduleWakeup", "EnterWorktree", "SendMessage"])

/** The skill, the server of a resource, or the tool as a whole. */
const forTool = (tool: string, input: unknown): PermissionUpdate => {
  const skill = tool === "Skill" ? inputField(input, "skill") : undefined
  if (skill !== undefined) return allowRule(tool, skill, "localSettings")
  const server = tool === "ReadMcpResource" ? inputField(input, "server") : undefined
  if (server !== undefined) return allowRule(`mcp__${server}`, undefined, "localSettings")
  return allowRule(tool, undefined, FOR_SESSION.has(tool) ? "session" : "localSettings")
}

export const suggestionsFor = ({ tool, decision, input }: SuggestionRequest): ReadonlyArray<PermissionUpdate> => {
  const { about, reason } = decision
  if (reason.type === "protectedPath" && decision.blockedPath !== undefined) return ownSettings(decision.blockedPath)
  const isFinal = decision.immune === true || reason.type === "rule" || reason.type === "plan"
  if (about === undefined || isFinal) return []
  switch (about.kind) {
    case "read": {
      const scope = about.below === true ? everythingBelow : wholeDirectory
      return [allowRule("Read", leavesDirectories(decision) ? scope(about.path) : exactly(about.path), "session")]
    }
    case "edit":
      return leavesDirectories(decision) ? [allowRule("Edit", wholeDirectory(about.path), "session")] : [ACCEPT_EDITS]
    case "shell":
      return offered(decision.offers ?? [])
    case "fetch":
      return [allowRule("WebFetch", hostSpecifier(about.host), "localSettings")]
    case "other":
      return [forTool(tool, input)]
    case "nothing":
    case "interaction":
      return []
  }
}
