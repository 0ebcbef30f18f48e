/** A plan as layers over a file system that can only be read. Of the layers around a path the inmost one counts. */
import { componentsOf, isInside } from "../domain/path/path-components.ts"
import type { SandboxPlan } from "./plan.ts"

export interface Layer {
  readonly path: string
  readonly kind: "file" | "directory"
  readonly access: "write" | "read" | "none"
  /** Nothing is there yet: something that cannot be written must stand in its place. */
  readonly missing: boolean
}

const STRICTNESS: Readonly<Record<Layer["access"], number>> = { write: 0, read: 1, none: 2 }

const layer = (path: string, access: Layer["access"], kind: Layer["kind"] = "directory"): Layer => ({
  path,
  kind,
  access,
  missing: false
})

/** Outer layers first. Two for the same path become the stricter one. */
export const layersOf = (plan: SandboxPlan): ReadonlyArray<Layer> => {
  const all = [
    ...plan.writable.map((path) => layer(path, "write")),
    ...plan.pinned.map((path) => layer(path, "write")),
    ...plan.shown.map(({ path, kind }) => layer(path, "read", kind)),
    ...plan.masked.map((path): Layer => ({ ...layer(path, "read"), missing: true })),
    ...plan.holes.map(({ path, kind }) => layer(path, "read", kind)),
    ...plan.hidden.map(({ path, kind }) => layer(path, "none", kind))
  ]
  const strictest = new Map<string, Layer>()
  for (const one of all) {
    const known = strictest.get(one.path)
    if (known === undefined || STRICTNESS[known.access] <= STRICTNESS[one.access]) strictest.set(one.path, one)
  }
  return [...strictest.values()].toSorted(
    (left, right) => componentsOf(left.path).length - componentsOf(right.path).length || (left.path < right.path ? -1 : 1)
  )
}

/** What a confined command may do with a path. */
export const accessTo = (layers: ReadonlyArray<Layer>, path: string): Layer["access"] =>
  layers.findLast((one) => isInside(one.path, path))?.access ?? "read"
