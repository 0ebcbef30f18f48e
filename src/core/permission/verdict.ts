import type { RuleSource } from "../domain/settings-source.ts"
import type { Need } from "./need.ts"
import type { RuleText } from "./rule.ts"

/** The lattice of answers: the strictest wins. */
export type Verdict = "allow" | "ask" | "deny"

const RANK: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 }

export const strictest = (left: Verdict, right: Verdict): Verdict => (RANK[left] >= RANK[right] ? left : right)

/** At least as strict. */
export const isAsStrict = (verdict: Verdict, than: Verdict): boolean => RANK[verdict] >= RANK[than]

/** Every mode; of these `auto` and `bypassPermissions` are not always available. */
export const PERMISSION_MODES = ["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"] as const
export type PermissionMode = (typeof PERMISSION_MODES)[number]

/** Kinds of reasons that are shown by their sentence alone. */
export type PlainReason =
  | "subcommands"
  | "hook"
  | "permissionPromptTool"
  | "sandboxOverride"
  | "classifier"
  | "workingDir"
  | "protectedPath"
  | "criticalPath"
  | "unsafePath"
  | "secretFile"
  | "parse"
  | "analysisLimit"
  | "possibleDeny"
  | "readOnly"
  | "internalPath"
  | "requiresInteraction"
  | "asyncAgent"
  | "nonInteractive"
  | "plan"
  | "other"

/** Why a decision came out as it did. The sentence names the place a rule was written at. */
export type DecisionReason =
  | { readonly type: "rule"; readonly rule: string; readonly source: RuleSource; readonly sentence: string }
  | { readonly type: "mode"; readonly mode: PermissionMode; readonly sentence: string }
  | { readonly type: PlainReason; readonly sentence: string }

/** A rule in the shape hosts know it, and where it was written. */
export interface MatchedRule {
  readonly toolName: string
  readonly ruleContent?: string
  readonly behavior: Verdict
  readonly source: RuleSource
  readonly file?: string
  readonly line?: number
}

/** One step of the decision: the first that hits ends it. */
export interface TraceStep {
  readonly step: string
  readonly result: "pass" | "hit"
  readonly detail: string
}

/** What became of one part of a command. */
export interface SubcommandVerdict {
  readonly text: string
  readonly verdict: Verdict
  readonly sentence: string
}

export interface Decision {
  readonly verdict: Verdict
  readonly reason: DecisionReason
  /** An ask that no mode and no rule may turn into allow. */
  readonly immune?: boolean
  /** A classifier may answer in place of the user. */
  readonly classifierApprovable?: boolean
  readonly blockedPath?: string
  /** The rule that decided, when one did. */
  readonly matchedRule?: MatchedRule
  /** The need the question is about, with an absolute path. */
  readonly about?: Need
  /** Rules that would allow the parts of a command that need approval, narrow enough to be kept. */
  readonly offers?: ReadonlyArray<RuleText>
  /** What would be lost for good if the command ran. */
  readonly loss?: string
  /** What the user could do so that the call runs next time. */
  readonly remedy?: string
  /** The parts of a command, each with its own answer. */
  readonly subcommands?: ReadonlyArray<SubcommandVerdict>
  readonly trace?: ReadonlyArray<TraceStep>
}

/** Asks that Enter alone must not grant: what no rule may allow, protected places, and losses for good. */
export const needsDeliberation = ({ immune, reason, loss }: Decision): boolean =>
  immune === true || reason.type === "protectedPath" || reason.type === "secretFile" || loss !== undefined
