import { isRaw } from "../../domain/json/json-object.ts"
import type { CapabilityRequest } from "./requested-capabilities.ts"

/** A hash of a text in hexadecimal; the core has none of its own. */
export type Hash = (text: string) => string

/** Wants that a user has seen and accepted: the id of each, and the hash of what it said. */
export type Approval = ReadonlyMap<string, string>

export const NOTHING_APPROVED: Approval = new Map()

/** JSON with sorted keys, so that only content counts and not its order in the file. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!isRaw(value)) return JSON.stringify(value) ?? "null"
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
  return `{${fields.join(",")}}`
}

const hashOf = (want: Pick<CapabilityRequest, "capability" | "value">, hash: Hash): string =>
  hash(canonicalJson([want.capability, want.value]))

export const approvalOf = (wants: ReadonlyArray<CapabilityRequest>, hash: Hash): Approval =>
  new Map(wants.map((want) => [want.id, hashOf(want, hash)]))

/** One hash for all of an approval, whatever its order. */
export const digestOf = (approval: Approval, hash: Hash): string =>
  hash(canonicalJson([...approval].toSorted(([left], [right]) => (left < right ? -1 : 1))))

export const isApproved = (
  approval: Approval,
  want: Pick<CapabilityRequest, "id" | "capability" | "value">,
  hash: Hash
): boolean => approval.get(want.id) === hashOf(want, hash)

export interface WantDiff {
  readonly added: ReadonlyArray<CapabilityRequest>
  readonly changed: ReadonlyArray<CapabilityRequest>
  /** Ids of what was approved and is not wanted any more. */
  readonly removed: ReadonlyArray<string>
}

/** What became of the approved wants. Only files that were read now can have lost some. */
export const diffWants = (
  approval: Approval,
  wants: ReadonlyArray<CapabilityRequest>,
  options: { readonly files: ReadonlyArray<string>; readonly hash: Hash }
): WantDiff => {
  const wanted = new Set(wants.map(({ id }) => id))
  const isOfFiles = (id: string): boolean => options.files.some((file) => id.startsWith(`${file} `))
  return {
    added: wants.filter(({ id }) => !approval.has(id)),
    changed: wants.filter((want) => approval.has(want.id) && !isApproved(approval, want, options.hash)),
    removed: [...approval.keys()].filter((id) => !wanted.has(id) && isOfFiles(id))
  }
}

/** Nothing that was not accepted. What went away is no reason to ask. */
export const isCovered = ({ added, changed }: WantDiff): boolean => added.length === 0 && changed.length === 0

/** What is approved after the user accepted: these wants, and those of files that were not read this time. */
export const approvedNow = (
  approval: Approval,
  wants: ReadonlyArray<CapabilityRequest>,
  options: { readonly files: ReadonlyArray<string>; readonly hash: Hash }
): Approval => {
  const elsewhere = [...approval].filter(([id]) => !options.files.some((file) => id.startsWith(`${file} `)))
  return new Map([...elsewhere, ...approvalOf(wants, options.hash)])
}
