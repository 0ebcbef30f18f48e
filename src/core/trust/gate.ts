import { isRaw, type Raw } from "../session/raw.ts"
import { type Approval, type Hash, isApproved } from "./approval.ts"
import { capabilityNamed, SETTINGS_CAPABILITIES } from "./capability.ts"
import { type Entry, keptOf } from "./entry.ts"
import { isHarmless, valueAt, wantId } from "./wants.ts"

/** How far the folder of a session is trusted. */
export type Standing =
  /** Nothing of the folder's configuration holds, except what forbids or asks. */
  | { readonly _tag: "Restricted" }
  /** For this run, by the person who started it. */
  | { readonly _tag: "Trusted"; readonly approved: "everything" }
  /** Everything but wants that nobody has accepted. What stands in the person's own files needs no acceptance. */
  | { readonly _tag: "Trusted"; readonly approved: Approval; readonly ownFiles: ReadonlyArray<string> }

export const RESTRICTED: Standing = { _tag: "Restricted" }

export interface Gate {
  readonly standing: Standing
  readonly hash: Hash
}

/** What somebody is about to use of the folder's configuration. */
export interface Use {
  readonly capability: string
  /** As in `FolderFile`. */
  readonly file: string
  readonly entry: Entry
}

export type TrustVerdict = { readonly allowed: true } | { readonly allowed: false; readonly why: string }

const ALLOWED: TrustVerdict = { allowed: true }

const refused = (why: string): TrustVerdict => ({ allowed: false, why })

/** The one gate: whatever a folder's configuration could run, redirect or loosen passes here before it takes effect. */
export const requireTrust = ({ standing, hash }: Gate, { capability, file, entry }: Use): TrustVerdict => {
  if (capabilityNamed(capability) === undefined) return refused(`${capability} is not known to the trust gate`)
  if (standing._tag === "Restricted") return refused(`${capability} of ${file} needs a trusted folder`)
  if (standing.approved === "everything" || standing.ownFiles.includes(file)) return ALLOWED
  const want = { id: wantId(file, capability, entry), capability, value: entry.value }
  return isApproved(standing.approved, want, hash) ? ALLOWED : refused(`${capability} of ${file} is new and was not accepted`)
}

const withValue = (settings: Raw, [key = "", ...rest]: ReadonlyArray<string>, value: unknown): Raw => {
  const { [key]: inside, ...others } = settings
  if (rest.length > 0) return { ...settings, [key]: withValue(isRaw(inside) ? inside : {}, rest, value) }
  return value === undefined ? others : { ...settings, [key]: value }
}

const TIGHTENING = ["permissions.deny", "permissions.ask"] as const

const onlyTightening = (settings: Raw): Raw =>
  TIGHTENING.reduce<Raw>((kept, name) => {
    const value = valueAt(settings, name)
    return value === undefined ? kept : withValue(kept, name.split("."), value)
  }, {})

/** The part of a folder's settings file that may take effect. `deny` and `ask` always do. */
export const gateSettings = (gate: Gate, file: string, settings: Raw): Raw => {
  if (gate.standing._tag === "Restricted") return onlyTightening(settings)
  return SETTINGS_CAPABILITIES.reduce<Raw>((kept, capability) => {
    const value = valueAt(settings, capability.name)
    if (isHarmless(capability, value)) return kept
    const passes = (entry: Entry): boolean => requireTrust(gate, { capability: capability.name, file, entry }).allowed
    const left = keptOf(capability.shape, value, passes)
    return withValue(kept, capability.name.split("."), left)
  }, settings)
}
