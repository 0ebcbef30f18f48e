import { visible } from "../../domain/text/visible-text.ts"
import { allowsAnyCommand } from "../rules/set-aside.ts"
import { escapePath } from "../../domain/path/glob.ts"
import type { Location } from "../../domain/path/path-components.ts"
import { hostSpecifier, printRule, sourceLabel, type Rule, type RuleText } from "../rule.ts"
import type { Subject } from "./request-subjects.ts"
import type { Decision, DecisionReason, PermissionMode, Verdict } from "../verdict.ts"

/** Decisions in words: why, how to allow it, and what the model is told. */
const RULE_VERBS: Record<Verdict, string> = { deny: "Denied", ask: "Needs approval", allow: "Allowed" }

export const ruleSentence = (rule: Rule): string => {
  const place = rule.file === undefined ? "" : ` (${rule.file}${rule.line === undefined ? "" : `:${rule.line}`})`
  return `${RULE_VERBS[rule.behavior]} by ${printRule(rule)} in ${sourceLabel(rule.source)}${place}`
}

export const subjectText = (subject: Subject, toolName: string): string => {
  switch (subject.kind) {
    case "read":
      return `Reading ${visible(subject.place.path)}`
    case "edit":
      return `Writing ${visible(subject.place.path)}`
    case "shell":
      return `The command \`${visible(subject.command)}\``
    case "fetch":
      return `Fetching from ${visible(subject.host)}`
    case "nothing":
    case "interaction":
    case "other":
      return toolName
  }
}

const MODE_SENTENCES: Record<PermissionMode, string> = {
  default: "default mode asks before anything but reading inside the working directories",
  acceptEdits: "acceptEdits mode lets files inside the working directories be written",
  plan: "plan mode changes nothing until the plan is approved",
  auto: "auto mode lets files inside the working directories be written and a classifier answer the rest",
  dontAsk: "dontAsk mode denies what would ask",
  bypassPermissions: "bypassPermissions mode asks nothing"
}

export const modeSentence = (mode: PermissionMode): string => MODE_SENTENCES[mode]

export const possibleDenySentence = (word: string, rule: Rule): string =>
  `${visible(word)} is only known at run time and could match ${printRule(rule)}`

export const holdsSentence = (directory: string, path: string, rule: Rule): string =>
  `${visible(directory)} holds ${visible(path)}, which ${printRule(rule)} names`

export const mayHoldSentence = (directory: string, rule: Rule): string =>
  `${visible(directory)} is too large to be looked through and could hold what ${printRule(rule)} names`

export const protectedSentence = (path: string, kind: string): string =>
  `${visible(path)} can change how tools behave (${kind})`

export const readOnlySentence = (programs: ReadonlyArray<string>): string =>
  `Every part only reads: ${[...new Set(programs)].map(visible).join(", ")}`

export const subcommandsSentence = (needing: ReadonlyArray<string>, total: number): string =>
  `${needing.length} of ${total} parts need approval: ${needing.map(visible).join(", ")}`

export const outsideSentence = (place: Location, directories: ReadonlyArray<Location>): string => {
  const target = place.realPath === place.path ? "" : ` (leads to ${visible(place.realPath)})`
  return `${visible(place.path)}${target} is outside ${directories.map(({ path }) => path).join(", ")}`
}

/** A word for a shell: quoted so that it can be pasted. */
const quoted = (text: string): string =>
  /["$`\\!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`

/** The narrowest rule that allows this need; undefined when no rule can. */
const allowingRule = (subject: Subject, toolName: string): RuleText | undefined => {
  switch (subject.kind) {
    case "read":
      return { tool: "Read", specifier: `/${escapePath(subject.place.path)}` }
    case "edit":
      return { tool: "Edit", specifier: `/${escapePath(subject.place.path)}` }
    case "shell":
      return exactCommandRule(subject.command)
    case "fetch":
      return { tool: "WebFetch", specifier: hostSpecifier(subject.host) }
    case "other":
      return { tool: toolName }
    case "nothing":
    case "interaction":
      return undefined
  }
}

/** A star in the command would be read as a pattern, which only ever covers plain words. */
const exactCommandRule = (command: string): RuleText =>
  /[\n*]/.test(command) ? { tool: "Bash" } : { tool: "Bash", specifier: command.trim() }

export const PLAN_REMEDY = "leave plan mode"

export const ruleRemedy = (rule: Rule): string => `remove the rule ${printRule(rule)} from ${sourceLabel(rule.source)}`

/** Reasons that an allow rule for the need does away with. */
const LIFTABLE = new Set<DecisionReason["type"]>(["other", "workingDir", "subcommands", "secretFile"])

interface Remedied {
  readonly tool: string
  readonly mode: PermissionMode
}

/** What the user could do so that the call runs next time; undefined when nothing on the command line helps. */
export const needRemedy = ({ reason }: Decision, subject: Subject, { tool, mode }: Remedied): string | undefined => {
  if (reason.type === "plan") return PLAN_REMEDY
  if (!LIFTABLE.has(reason.type) || (reason.type === "secretFile" && subject.kind !== "read")) return undefined
  const rule = allowingRule(subject, tool)
  const isOfUse = rule !== undefined && !(mode === "auto" && allowsAnyCommand(rule))
  return isOfUse ? `run with --allowedTools ${quoted(printRule(rule))}` : undefined
}

const WITHOUT_DETOUR =
  "Go on with work that does not depend on it. The goal may be reached with other ordinary tools, but do not try to " +
  "get around the denial. If it is essential, stop and explain."

const notRun = (toolName: string, decision: Decision): string =>
  `Permission denied: ${toolName} was not run. ${decision.reason.sentence}.`

const change = ({ remedy }: Decision): string => (remedy === undefined ? "" : ` The user can change this: ${remedy}.`)

/** The result of a call that a rule, a mode or a hook denied. */
export const denialText = (toolName: string, decision: Decision): string =>
  `${notRun(toolName, decision)}${change(decision)} ${WITHOUT_DETOUR}`

/** The result of a call that needed an approval nobody could give. */
export const headlessDenial = (toolName: string, decision: Decision): string =>
  `${notRun(toolName, decision)} Nobody is there to approve it.${change(decision)} ${WITHOUT_DETOUR}`

/** A question that nobody is there to answer is a denial. */
export const withoutPrompt = (decision: Decision): Decision =>
  decision.verdict === "ask"
    ? {
        ...decision,
        verdict: "deny",
        reason: { type: "nonInteractive", sentence: `${decision.reason.sentence}; nobody is there to approve it` }
      }
    : decision

/** The result of a call that the user refused. */
export const rejectionText = (toolName: string, feedback = ""): string =>
  feedback.trim() === ""
    ? `Rejected: ${toolName} was not run, the user refused it. Stop and wait for instructions.`
    : `Rejected: ${toolName} was not run, the user refused it and said: ${feedback.trim()}`

/** What hosts call the kinds of reasons: a closed list of theirs. */
const WIRE_NAMES: Readonly<Partial<Record<DecisionReason["type"], string>>> = {
  rule: "rule",
  mode: "mode",
  plan: "mode",
  subcommands: "subcommandResults",
  hook: "hook",
  permissionPromptTool: "permissionPromptTool",
  sandboxOverride: "sandboxOverride",
  classifier: "classifier",
  workingDir: "workingDir",
  protectedPath: "safetyCheck",
  criticalPath: "safetyCheck",
  unsafePath: "safetyCheck",
  secretFile: "safetyCheck",
  possibleDeny: "safetyCheck",
  asyncAgent: "asyncAgent"
}

export const wireReasonType = ({ type }: DecisionReason): string => WIRE_NAMES[type] ?? "other"
