import { similarNames } from "../domain/text/similar-names.ts"
import type { Verdict } from "./verdict.ts"
import type { RuleSource } from "../domain/settings-source.ts"

/** A permission rule as data: `Tool` or `Tool(specifier)`, what it decides, and where it was written. */
export interface RuleText {
  /** Name of the tool under its present name, or a pattern with `*`. */
  readonly tool: string
  /** Absent for a rule about the whole tool. */
  readonly specifier?: string
}

export interface Rule extends RuleText {
  readonly behavior: Verdict
  readonly source: RuleSource
  /** What a path that begins with one slash is relative to; absent: the directory the session was started in. */
  readonly anchorDir?: string
  readonly file?: string
  readonly line?: number
}

const PRESENT_NAMES: Readonly<Record<string, string>> = {
  Task: "Agent",
  KillShell: "TaskStop",
  BashOutput: "TaskOutput"
}

/** Tools that were renamed are known under both names. */
export const presentName = (tool: string): string =>
  Object.hasOwn(PRESENT_NAMES, tool) ? (PRESENT_NAMES[tool] ?? tool) : tool

const SPECIAL = /[\\()]/

const escaped = (specifier: string): string =>
  SPECIAL.test(specifier) ? specifier.replaceAll(/[\\()]/g, String.raw`\$&`) : specifier

/** The text a parser reads back to the same rule. */
export const printRule = ({ tool, specifier }: RuleText): string =>
  specifier === undefined ? tool : `${tool}(${escaped(specifier)})`

export const sameRule = (left: RuleText, right: RuleText): boolean =>
  left.tool === right.tool && left.specifier === right.specifier

/** What a WebFetch rule says about one host; addresses with colons need their brackets again. */
export const hostSpecifier = (host: string): string => `domain:${host.includes(":") ? `[${host}]` : host}`

const SOURCE_LABELS: Record<RuleSource, string> = {
  userSettings: "user settings",
  projectSettings: "shared project settings",
  localSettings: "project local settings",
  flagSettings: "command line arguments",
  policySettings: "enterprise managed settings",
  cliArg: "CLI argument",
  command: "command configuration",
  session: "current session"
}

export const sourceLabel = (source: RuleSource): string => SOURCE_LABELS[source]

/** Every source, in the order in which a rule is named when several match. */
export const RULE_SOURCES: ReadonlyArray<RuleSource> = [
  "userSettings",
  "projectSettings",
  "localSettings",
  "flagSettings",
  "policySettings",
  "cliArg",
  "command",
  "session"
]

/** What the specifier of a tool's rules means. */
export type SpecifierFamily = "command" | "path" | "domain" | "name" | "unused" | "parameter" | "none"

const FAMILIES: Readonly<Record<string, SpecifierFamily>> = {
  Bash: "command",
  Monitor: "command",
  Read: "path",
  Edit: "path",
  WebFetch: "domain",
  Cd: "path",
  Agent: "name",
  Skill: "name",
  Write: "unused",
  NotebookEdit: "unused",
  MultiEdit: "unused",
  Glob: "unused",
  Grep: "unused",
  LSP: "unused",
  WebSearch: "none"
}

export const specifierFamily = (tool: string): SpecifierFamily =>
  Object.hasOwn(FAMILIES, tool) ? (FAMILIES[tool] ?? "parameter") : "parameter"

/** The rule name that is consulted instead of a path rule nobody reads (`Write(p)` is `Edit(p)`). */
export const consultedInstead = (tool: string): "Read" | "Edit" =>
  tool === "Glob" || tool === "Grep" || tool === "LSP" ? "Read" : "Edit"

/** Every tool that rules may name, those of other versions included: a name outside is probably a slip. */
const KNOWN_TOOLS: ReadonlyArray<string> = (
  "Bash PowerShell Monitor Read Edit Write NotebookEdit MultiEdit Glob Grep LSP Cd WebFetch WebSearch Agent Skill " +
  "TodoWrite TaskCreate TaskGet TaskList TaskUpdate TaskStop TaskOutput AskUserQuestion EnterPlanMode ExitPlanMode " +
  "EnterWorktree ExitWorktree ToolSearch StructuredOutput SendMessage CronCreate CronDelete CronList ScheduleWakeup " +
  "ListMcpResources ReadMcpResource SlashCommand Sleep"
).split(" ")

export const isKnownTool = (tool: string): boolean => KNOWN_TOOLS.includes(tool)

/** The tool that was probably meant by a name that is none. */
export const nearestTool = (tool: string): string | undefined => similarNames(tool, KNOWN_TOOLS, 1)[0]
