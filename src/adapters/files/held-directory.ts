import path from "node:path"
import type { PathFact } from "../../core/domain/path/path-components.ts"
import { codeOf } from "./failure.ts"
import { linkChanged, requireSamePlace } from "./link-change.ts"
import type { FileOps } from "./ops.ts"

/**
 * A directory that is held open. Names in it are used through the handle: whoever puts a link in the place of a
 * directory above, at whatever moment, leads no call elsewhere. Where the system has no such handles, names are used
 * by the path of the directory, and the checks before and after are all there is.
 */
export interface HeldDirectory {
  /** Its real path. */
  readonly path: string
  /** What to call a name in it; no name means the directory itself. */
  readonly at: (name: string) => string
  readonly release: () => void
}

/** File systems that ignore case answer with the name as it was made, not as it was given. */
const fold = (text: string): string => text.normalize("NFC").toLowerCase()

const isSamePath = (left: string, right: string): boolean => left === right || fold(left) === fold(right)

const byPath = async (ops: FileOps, directory: string): Promise<HeldDirectory> => {
  const stat = await ops.lstat(directory)
  if (!stat.isDirectory()) throw Object.assign(new Error(`${directory} is not a directory`), { code: "ENOTDIR" })
  return { path: directory, at: (name) => path.join(directory, name), release: () => {} }
}

/** Holds what is called `name` in the file system, if that is the directory whose real path is `real`. */
const hold = async (ops: FileOps, name: string, real: string): Promise<HeldDirectory> => {
  const handle = ops.hold(name)
  if (handle === undefined) return byPath(ops, real)
  const release = (): void => ops.release(handle)
  try {
    const now = ops.heldPath(handle)
    if (!isSamePath(now, real)) throw linkChanged(real, real, now)
    return { path: real, at: (inner) => `/proc/self/fd/${handle}/${inner === "" ? "." : inner}`, release }
  } catch (error) {
    release()
    throw error
  }
}

/** Holds a directory, given as a real path. A link in its place is reported with both ends. */
export const holdDirectory = async (ops: FileOps, directory: string): Promise<HeldDirectory> => {
  try {
    return await hold(ops, directory, directory)
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") {
      requireSamePlace(ops, { path: directory, realPath: directory, exists: true })
    }
    throw error
  }
}

/** Runs `use` with the directory of a resolved file held. */
export const withDirectoryOf = async <A>(
  ops: FileOps,
  { realPath }: PathFact,
  use: (held: HeldDirectory) => Promise<A>
): Promise<A> => {
  const held = await holdDirectory(ops, path.dirname(realPath))
  try {
    return await use(held)
  } finally {
    held.release()
  }
}

/** A directory held in `parent`, made first; the answer says whether it was there already. */
const enter = async (ops: FileOps, parent: HeldDirectory, name: string, mode: number) => {
  const isNew = await ops.mkdir(parent.at(name), mode).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "EEXIST") return false
      throw error
    }
  )
  return { isNew, held: await hold(ops, parent.at(name), path.join(parent.path, name)) }
}

/** The nearest directory upwards that is there, and the names that are missing below it. */
const nearest = async (ops: FileOps, directory: string): Promise<[HeldDirectory, ReadonlyArray<string>]> => {
  const missing: Array<string> = []
  for (let at = directory; ; at = path.dirname(at)) {
    try {
      return [await holdDirectory(ops, at), missing]
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || at === "/") throw error
      missing.unshift(path.basename(at))
    }
  }
}

/**
 * Runs `use` with a directory held, after making what is missing of it name by name. When `use` fails, empty
 * directories that were made for it go away again.
 */
export const withMadeDirectory = async <A>(
  ops: FileOps,
  request: { readonly directory: string; readonly mode: number },
  use: (held: HeldDirectory) => Promise<A>
): Promise<A> => {
  const [first, missing] = await nearest(ops, request.directory)
  const chain = [first]
  const made: Array<string> = []
  try {
    for (const name of missing) {
      const { isNew, held } = await enter(ops, chain.at(-1) ?? first, name, request.mode)
      chain.push(held)
      if (isNew) made.push((chain.at(-2) ?? first).at(name))
    }
    return await use(chain.at(-1) ?? first)
  } catch (error) {
    await made.reduceRight((before, name) => before.then(() => ops.rmdir(name)), Promise.resolve()).catch(() => undefined)
    throw error
  } finally {
    for (const held of chain) held.release()
  }
}
