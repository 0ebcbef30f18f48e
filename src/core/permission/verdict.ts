import type { Need } from "./need.ts"

/** The lattice of answers: the strictest wins. */
export type Verdict = "allow" | "ask" | "deny"

const RANK: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 }

export const strictest = (left: Verdict, right: Verdict): Verdict => (RANK[left] >= RANK[right] ? left : right)

export type RuleSource =
  | "userSettings"
  | "projectSettings"
  | "localSettings"
  | "flagSettings"
  | "policySettings"
  | "cliArg"
  | "command"
  | "session"

/** Why a decision came out as it did; `type` is what stream-json calls decision_reason_type. */
export type DecisionReason =
  | { readonly type: "rule"; readonly rule: string; readonly source: RuleSource; readonly sentence: string }
  | { readonly type: "mode"; readonly mode: PermissionMode; readonly sentence: string }
  | { readonly type: "workingDir"; readonly sentence: string }
  | { readonly type: "safetyCheck"; readonly check?: SafetyCheck; readonly sentence: string }
  | { readonly type: "readOnly"; readonly sentence: string }
  | { readonly type: "interaction"; readonly sentence: string }
  | { readonly type: "hook"; readonly sentence: string }
  | { readonly type: "other"; readonly sentence: string }

/** Which safety check spoke. */
export type SafetyCheck = "protectedPath" | "secretFile" | "criticalPath" | "unsafePath" | "possibleDeny"

/** A rule in the shape hosts know it. */
export interface MatchedRule {
  readonly toolName: string
  readonly ruleContent?: string
  readonly behavior: Verdict
  readonly source: RuleSource
}

/** One step of the decision: the first that hits ends it. */
export interface TraceStep {
  readonly step: string
  readonly result: "pass" | "hit"
}

export interface Decision {
  readonly verdict: Verdict
  readonly reason: DecisionReason
  /** An ask that no mode and no rule may turn into allow. */
  readonly immune?: boolean
  readonly blockedPath?: string
  /** The rule that decided, when one did. */
  readonly matchedRule?: MatchedRule
  /** The need the question is about, with an absolute path. */
  readonly about?: Need
  /** What the user could do so that the call runs next time. */
  readonly remedy?: string
  readonly trace?: ReadonlyArray<TraceStep>
}

export type PermissionMode = "default" | "acceptEdits" | "plan" | "dontAsk" | "bypassPermissions"

export const PERMISSION_MODES: ReadonlyArray<PermissionMode> = [
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypassPermissions"
]
