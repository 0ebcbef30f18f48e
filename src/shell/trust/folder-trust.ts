import { createHash } from "node:crypto"
import { Effect } from "effect"
import { GlobalConfig } from "../../core/ports/GlobalConfig.ts"
import { approvedNow, NOTHING_APPROVED } from "../../core/settings/trust/approval.ts"
import { decideTrust, type TrustDecision } from "../../core/settings/trust/decide.ts"
import type { Gate, TrustLevel } from "../../core/settings/trust/gate.ts"
import { acceptancePatches, recordOf } from "../../core/settings/trust/record.ts"
import { wantsOf } from "../../core/settings/trust/requested-capabilities.ts"
import { type FolderAt, type FolderReading, readFolder } from "./read-folder.ts"

export const hash = (text: string): string => createHash("sha256").update(text).digest("hex")

/** What was found out about a folder, and what holds until somebody answers. */
export interface FolderTrust {
  readonly reading: FolderReading
  readonly decision: TrustDecision
  readonly gate: Gate
}

const gateWith = ({ nameOf, isOwn }: FolderReading, standing: TrustLevel): Gate => ({ standing, hash, nameOf, isOwn })

/**
 * Reading and deciding start nothing, so this may happen before anybody is asked. `willChange`: the folder may have
 * configuration in a moment, so it matters now whether it is trusted.
 */
export const inspectFolder = Effect.fnUntraced(function* (at: FolderAt, trustedForRun: boolean, willChange = false) {
  const reading = yield* readFolder(at)
  const { place, identity, files } = reading
  // A folder without configuration is the same, trusted or not; the shared file can be large.
  const isEmpty = !willChange && files.every(({ value }) => Object.keys(value).length === 0)
  const config = isEmpty || trustedForRun ? {} : yield* (yield* GlobalConfig).read
  const record = recordOf(config, place.key)
  const decision = decideTrust({ place, identity, record, files, wants: wantsOf(files), trustedForRun }, hash)
  const trust: FolderTrust = { reading, decision, gate: gateWith(reading, decision.standing) }
  return trust
})

export interface Acceptance {
  readonly gate: Gate
  /** Why the acceptance could not be kept, when it was meant to last. */
  readonly problem?: string
}

/** The user trusts the folder with everything that was shown. */
export const acceptFolder = Effect.fnUntraced(function* ({ reading, decision }: FolderTrust, now: Date) {
  const { place, identity, files } = reading
  const held = decision.standing
  const before = held._tag === "Trusted" && held.approved !== "everything" ? held.approved : NOTHING_APPROVED
  const approval = approvedNow(before, wantsOf(files), { files: files.map(({ path }) => path), hash })
  const accepted: Acceptance = { gate: gateWith(reading, { _tag: "Trusted", approved: approval }) }
  if (place.kind === "home") return accepted
  const patches = acceptancePatches(place.key, { identity, approval, at: now.toISOString(), hash })
  return yield* (yield* GlobalConfig).patch(patches).pipe(
    Effect.as(accepted),
    Effect.catchTag("GlobalConfigError", ({ message }) => Effect.succeed<Acceptance>({ ...accepted, problem: message }))
  )
})
