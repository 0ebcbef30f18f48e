import { isRaw, type JsonObject } from "../../domain/json/json-object.ts"
import type { Edit } from "../../domain/json/patch.ts"
import { type Approval, digestOf, type Hash, NOTHING_APPROVED } from "./approval.ts"

/** Which directory a path led to when it was trusted; another one at the same path is not the same folder. */
export interface Identity {
  readonly dev: string
  readonly ino: string
}

/** What is remembered about one trusted folder. */
export interface TrustRecord {
  readonly path: string
  /** Absent when another tool wrote the entry: the folder counts as trusted, but what it wants was never seen here. */
  readonly own?: { readonly identity: Identity; readonly approval: Approval; readonly at: string }
}

/** Field names of the shared file. */
const ACCEPTED = "hasTrustDialogAccepted"
const OWN = "nacreTrust"

const approvalIn = (value: unknown): Approval =>
  isRaw(value)
    ? new Map(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === "string"))
    : NOTHING_APPROVED

/** Undefined for an entry that is not understood: then nothing of it is believed. */
const ownIn = (value: unknown): TrustRecord["own"] => {
  if (!isRaw(value)) return undefined
  const { dev, ino, entries, at } = value
  if (typeof dev !== "string" || typeof ino !== "string") return undefined
  return { identity: { dev, ino }, approval: approvalIn(entries), at: typeof at === "string" ? at : "" }
}

const recordIn = (path: string, project: unknown): TrustRecord | undefined => {
  if (!isRaw(project) || project[ACCEPTED] !== true) return undefined
  if (project[OWN] === undefined) return { path }
  const own = ownIn(project[OWN])
  return own === undefined ? undefined : { path, own }
}

const projectsIn = (config: JsonObject): JsonObject => (isRaw(config["projects"]) ? config["projects"] : {})

export const recordOf = (config: JsonObject, path: string): TrustRecord | undefined => {
  const projects = projectsIn(config)
  return Object.hasOwn(projects, path) ? recordIn(path, projects[path]) : undefined
}

export const recordsIn = (config: JsonObject): ReadonlyArray<TrustRecord> =>
  Object.entries(projectsIn(config)).flatMap(([path, project]) => recordIn(path, project) ?? [])

export interface Accepted {
  readonly identity: Identity
  readonly approval: Approval
  readonly at: string
  readonly hash: Hash
}

export const acceptancePatches = (path: string, { identity, approval, at, hash }: Accepted): ReadonlyArray<Edit> => [
  { path: ["projects", path, ACCEPTED], value: true },
  {
    path: ["projects", path, OWN],
    value: { ...identity, digest: digestOf(approval, hash), at, entries: Object.fromEntries(approval) }
  }
]

export const withdrawalPatches = (path: string): ReadonlyArray<Edit> => [
  { path: ["projects", path, ACCEPTED], value: false },
  { path: ["projects", path, OWN], value: undefined }
]
