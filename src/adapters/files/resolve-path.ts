import type { BigIntStats } from "node:fs"
import path from "node:path"
import type { PathFact } from "../../core/domain/path/path-components.ts"
import { codeOf, fileError } from "./failure.ts"
import type { FileOps } from "./ops.ts"

const MAX_LINKS = 40

/** Absolute, without empty names, dots and a slash at the end. */
const IS_RESOLVED = /^(?:\/(?!\.{0,2}(?:\/|$))[^/]*)+$/

const partsOf = (text: string): Array<string> => text.split("/").filter((part) => part !== "" && part !== ".")

const lstatOrNothing = (ops: FileOps, target: string): BigIntStats | undefined => {
  try {
    return ops.lstatIfAny(target)
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") return undefined
    throw error
  }
}

/** Nothing is there yet, and the directory that it would be in is reached without links. */
const isNewIn = (ops: FileOps, start: string): boolean =>
  ops.isPlain(path.dirname(start)) && lstatOrNothing(ops, start) === undefined

/**
 * Most paths lead through no link. Any other is followed component by component, so that links are resolved also in
 * front of a part that does not exist yet. The missing part is kept as it is. Every place that a link on the way led to
 * is kept too.
 */
export const resolvePath = (ops: FileOps, given: string): PathFact => {
  const start = IS_RESOLVED.test(given) ? given : path.resolve("/", given)
  if (ops.isPlain(start)) return { path: start, realPath: start, exists: true }
  if (isNewIn(ops, start)) return { path: start, realPath: start, exists: false }
  const pending = partsOf(start)
  const via = new Set<string>()
  let real = "/"
  let links = 0
  let exists = true
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    const next = part === ".." ? path.dirname(real) : path.join(real, part)
    const stat = lstatOrNothing(ops, next)
    if (stat === undefined) {
      exists = false
      real = path.join(next, pending.join("/"))
      break
    }
    if (stat.isSymbolicLink() !== true) {
      real = next
      continue
    }
    links += 1
    if (links > MAX_LINKS) throw fileError("other", start, `${start} leads through more than ${MAX_LINKS} links`)
    const target = ops.readlink(next)
    if (path.isAbsolute(target)) real = "/"
    pending.unshift(...partsOf(target))
    via.add(path.join(real, pending.join("/")))
  }
  via.delete(start)
  via.delete(real)
  return { path: start, realPath: real, exists, ...(via.size === 0 ? {} : { via: [...via] }) }
}
