/** A plan as mounts over a file system that can only be read. Of the mounts around a path the inmost one counts. */
import { componentsOf, isInside } from "../domain/path/path-components.ts"
import type { SandboxPlan } from "./plan.ts"

export interface Mount {
  readonly path: string
  readonly kind: "file" | "directory"
  readonly access: "write" | "read" | "none"
  /** Nothing is there yet: something that cannot be written must stand in its place. */
  readonly missing: boolean
}

const STRICTNESS: Readonly<Record<Mount["access"], number>> = { write: 0, read: 1, none: 2 }

const mount = (path: string, access: Mount["access"], kind: Mount["kind"] = "directory"): Mount => ({
  path,
  kind,
  access,
  missing: false
})

/** Outer mounts first. Two for the same path become the stricter one. */
export const mountsOf = (plan: SandboxPlan): ReadonlyArray<Mount> => {
  const all = [
    ...plan.writable.map((path) => mount(path, "write")),
    ...plan.pinned.map((path) => mount(path, "write")),
    ...plan.shown.map(({ path, kind }) => mount(path, "read", kind)),
    ...plan.masked.map((path): Mount => ({ ...mount(path, "read"), missing: true })),
    ...plan.holes.map(({ path, kind }) => mount(path, "read", kind)),
    ...plan.hidden.map(({ path, kind }) => mount(path, "none", kind))
  ]
  const strictest = new Map<string, Mount>()
  for (const one of all) {
    const known = strictest.get(one.path)
    if (known === undefined || STRICTNESS[known.access] <= STRICTNESS[one.access]) strictest.set(one.path, one)
  }
  return [...strictest.values()].toSorted(
    (left, right) => componentsOf(left.path).length - componentsOf(right.path).length || (left.path < right.path ? -1 : 1)
  )
}

/** What a confined command may do with a path. */
export const accessTo = (mounts: ReadonlyArray<Mount>, path: string): Mount["access"] =>
  mounts.findLast((one) => isInside(one.path, path))?.access ?? "read"
