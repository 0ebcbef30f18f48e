import { type Approval, diffWants, type Hash, isCovered, NOTHING_APPROVED, type WantDiff } from "./approval.ts"
import { RESTRICTED, type TrustLevel, TRUSTED_FOR_RUN } from "./gate.ts"
import type { TrustPlace } from "./trusted-folder.ts"
import type { Identity, TrustRecord } from "./record.ts"
import type { FolderFile, CapabilityRequest } from "./requested-capabilities.ts"

/** Everything the decision at the start depends on. */
export interface TrustFacts {
  readonly place: TrustPlace
  readonly identity: Identity
  readonly record: TrustRecord | undefined
  readonly files: ReadonlyArray<FolderFile>
  readonly wants: ReadonlyArray<CapabilityRequest>
  /** `--trust`, or NACRE_TRUST in the environment the program was started with. */
  readonly trustedForRun: boolean
}

/** What a user is asked: for the first time, or because the folder wants something it did not want before. */
export interface TrustQuestion {
  readonly place: TrustPlace
  readonly reason: "new" | "moved" | "changed"
  /** A session is open already: there is nothing to exit from. */
  readonly isLate?: true
  readonly wants: ReadonlyArray<CapabilityRequest>
  readonly diff: WantDiff
}

export interface TrustDecision {
  /** What holds as long as nobody answers. */
  readonly standing: TrustLevel
  /** Absent when there is nothing to ask. */
  readonly question?: TrustQuestion
  /** The folder has configuration that does not hold. */
  readonly ignores: boolean
}

const isSame = (left: Identity, right: Identity): boolean => left.dev === right.dev && left.ino === right.ino

/** What was accepted before, as far as the record still speaks about this very folder. */
const approvalFor = ({ place, record, identity }: TrustFacts): Approval | undefined => {
  if (record === undefined || place.kind === "home") return undefined
  if (record.own === undefined) return NOTHING_APPROVED
  return isSame(record.own.identity, identity) ? record.own.approval : undefined
}

/** More than what only forbids or asks, which holds anyway. */
const holdsMoreThanRules = ({ kind, value }: FolderFile): boolean => {
  if (kind === "mcp") return Object.keys(value).length > 0
  const { permissions, $schema: _, ...rest } = value
  if (Object.keys(rest).length > 0) return true
  return permissions !== undefined && Object.keys(permissions ?? {}).some((key) => key !== "deny" && key !== "ask")
}

/** Whether the folder is trusted, and what to ask about it. Nobody is asked about a folder that wants nothing. */
export const decideTrust = (facts: TrustFacts, hash: Hash): TrustDecision => {
  if (facts.trustedForRun) return { standing: TRUSTED_FOR_RUN, ignores: false }
  const { place, wants, record } = facts
  const files = facts.files.map(({ path }) => path)
  const approval = approvalFor(facts)
  if (approval === undefined) {
    const reason = record?.own === undefined ? "new" : "moved"
    const diff = diffWants(NOTHING_APPROVED, wants, { files, hash })
    return {
      standing: RESTRICTED,
      ...(wants.length === 0 ? {} : { question: { place, reason, wants, diff } }),
      ignores: facts.files.some(holdsMoreThanRules)
    }
  }
  const own = new Set(facts.files.filter(({ isOwn }) => isOwn).map(({ path }) => path))
  const foreign = wants.filter(({ file }) => !own.has(file))
  const diff = diffWants(approval, foreign, { files, hash })
  const standing: TrustLevel = { _tag: "Trusted", approved: approval }
  return isCovered(diff)
    ? { standing, ignores: false }
    : { standing, question: { place, reason: "changed", wants, diff }, ignores: true }
}

/** Exit is what happens when nobody chooses. */
export type TrustAnswer = "trust" | "restricted" | "exit"
