import { isRaw, type JsonObject } from "../../domain/json/json-object.ts"
import { type Approval, type Hash, isApproved } from "./approval.ts"
import { capabilityNamed, SETTINGS_CAPABILITIES } from "./capability.ts"
import { type Entry, keepApproved } from "./entry.ts"
import { isHarmless, valueAt, wantId } from "./requested-capabilities.ts"

/** How far the folder of a session is trusted. */
export type TrustLevel =
  /** Nothing of the folder's configuration holds, except what forbids or asks. */
  | { readonly _tag: "Restricted" }
  /** For this run, by the user who started it. */
  | { readonly _tag: "Trusted"; readonly approved: "everything" }
  /** Everything but wants that nobody has accepted. */
  | { readonly _tag: "Trusted"; readonly approved: Approval }

export const RESTRICTED: TrustLevel = { _tag: "Restricted" }

/** For this run, by the user who started it. */
export const TRUSTED_FOR_RUN: TrustLevel = { _tag: "Trusted", approved: "everything" }

export interface Gate {
  readonly standing: TrustLevel
  readonly hash: Hash
  /** The name of a file (an absolute path) as approvals know it. */
  readonly nameOf: (file: string) => string
  /** Whether a file is the user's own local one, which did not come with the folder; it needs no acceptance. */
  readonly isOwn: (file: string) => boolean
}

/** Until somebody decided, nothing of a folder holds. */
export const CLOSED_GATE: Gate = {
  standing: RESTRICTED,
  hash: (text) => text,
  nameOf: (file) => file,
  isOwn: () => false
}

/** Where there is no folder to trust: everything passes. */
export const OPEN_GATE: Gate = { ...CLOSED_GATE, standing: TRUSTED_FOR_RUN }

/** What somebody is about to use of the folder's configuration. */
export interface Use {
  readonly capability: string
  /** An absolute path. */
  readonly file: string
  readonly entry: Entry
}

export type TrustVerdict = { readonly allowed: true } | { readonly allowed: false; readonly why: string }

const ALLOWED: TrustVerdict = { allowed: true }

const refused = (why: string): TrustVerdict => ({ allowed: false, why })

/** The one gate: whatever a folder's configuration could run, redirect or loosen passes here before it takes effect. */
export const requireTrust = (gate: Gate, { capability, file, entry }: Use): TrustVerdict => {
  const { standing } = gate
  if (capabilityNamed(capability) === undefined) return refused(`${capability} is not known to the trust gate`)
  if (standing._tag === "Restricted") return refused(`${capability} of ${file} needs a trusted folder`)
  if (standing.approved === "everything") return ALLOWED
  const want = { id: wantId(gate.nameOf(file), capability, entry), capability, value: entry.value }
  return isApproved(standing.approved, want, gate.hash) || gate.isOwn(file)
    ? ALLOWED
    : refused(`${capability} of ${file} is new and was not accepted`)
}

const withValue = (settings: JsonObject, [key = "", ...rest]: ReadonlyArray<string>, value: unknown): JsonObject => {
  const { [key]: inside, ...others } = settings
  if (rest.length > 0) return { ...settings, [key]: withValue(isRaw(inside) ? inside : {}, rest, value) }
  return value === undefined ? others : { ...settings, [key]: value }
}

/** What holds from every folder. */
export const TIGHTENING: ReadonlyArray<string> = ["permissions.deny", "permissions.ask"]

const onlyTightening = (settings: JsonObject): JsonObject =>
  TIGHTENING.reduce<JsonObject>((kept, name) => {
    const value = valueAt(settings, name)
    return value === undefined ? kept : withValue(kept, name.split("."), value)
  }, {})

/** The part of a folder's settings file that may take effect. `deny` and `ask` always do. */
export const gateSettings = (gate: Gate, file: string, settings: JsonObject): JsonObject => {
  if (gate.standing._tag === "Restricted") return onlyTightening(settings)
  // To find out whose the file is may take a while, so it is asked once and only if it matters.
  let own: boolean | undefined
  const asked: Gate = { ...gate, isOwn: () => (own ??= gate.isOwn(file)) }
  return SETTINGS_CAPABILITIES.reduce<JsonObject>((kept, capability) => {
    const value = valueAt(settings, capability.name)
    if (isHarmless(capability, value)) return kept
    const passes = (entry: Entry): boolean => requireTrust(asked, { capability: capability.name, file, entry }).allowed
    const left = keepApproved(capability.shape, value, passes)
    return withValue(kept, capability.name.split("."), left)
  }, settings)
}
