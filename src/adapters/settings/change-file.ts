import { chmodSync, lstatSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { Result } from "effect"
import { type SettingsPlace, SettingsWriteError, type SettingsWritten } from "../../core/ports/Settings.ts"
import { withLock } from "./lock.ts"
import { READ_AGAIN, isBeingWritten, whenQuiet } from "./quiet-file.ts"
import { readSettingsFile } from "./read-file.ts"
import { AS_MASKED, linkTarget, OWNER_ONLY, replaceFile } from "../system/replace-file.ts"
import { isStandIn } from "./repository-root.ts"

/** Changes one settings file under its lock: the present text is read, edited and replaced. */
export type EditText = (text: string) => Result.Result<string, string>

const refuse = (place: SettingsPlace, message: string): never => {
  throw new SettingsWriteError({ path: place.path, message })
}

/** Links in a workspace may lead anywhere; a repository must not choose which file is written. */
const refuseLinks = (place: SettingsPlace): void => {
  for (const path of [dirname(place.path), place.path]) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      refuse(place, `${path} is a link and is not written through. Fix: replace the link by a directory or file`)
    }
  }
}

const WRITABLE: ReadonlySet<SettingsPlace["kind"]> = new Set(["own", "workspace"])

/** Programs that honour no lock may write in between; then the change is made again on top of theirs. */
const changeLocked = (place: SettingsPlace, target: string, edit: EditText): Promise<SettingsWritten> =>
  whenQuiet(target, (isUnchanged) => {
    const found = readSettingsFile(place)
    if (found._tag === "Unreadable")
      return refuse(place, `${place.path} was not written: ${found.reason}. Fix: ${found.fix}`)
    const before = found._tag === "Found" ? found.text : ""
    const edited = edit(before)
    // What we wrote instead of an emptied file would be all that is left.
    if ((Result.isFailure(edited) || before.trim() === "") && isBeingWritten(target)) return READ_AGAIN
    if (Result.isFailure(edited)) return refuse(place, `${place.path} was not written: ${edited.failure}`)
    const after = edited.success
    if (after === before) return { path: place.path, before, after, notices: [] }
    const notice = replaceFile({
      path: target,
      content: after,
      newMode: place.kind === "own" ? OWNER_ONLY : AS_MASKED,
      isUnchanged
    })
    return { path: place.path, before, after, notices: notice === undefined ? [] : [notice] }
  })

const OPENED_MODE = 0o755

/**
 * While sandboxed commands run in a project without settings, an empty directory that cannot be written stands in their
 * place. It becomes the real one here: inside the sandboxes it stays closed, and nobody removes it as a stand-in.
 */
const openStandIn = (directory: string): void => {
  if (isStandIn(directory, statSync(directory))) chmodSync(directory, OPENED_MODE)
}

const makeDirectory = (directory: string, isOwn: boolean): void => {
  mkdirSync(directory, { recursive: true, mode: isOwn ? 0o700 : 0o777 })
  if (!isOwn) openStandIn(directory)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

export const changeSettingsFile = async (
  place: SettingsPlace,
  edit: EditText,
  onWritten: (written: SettingsWritten) => void
): Promise<SettingsWritten> => {
  if (!WRITABLE.has(place.kind)) return refuse(place, `${place.path} is not ours to change`)
  try {
    const isOwn = place.kind === "own"
    if (!isOwn) refuseLinks(place)
    const target = isOwn ? linkTarget(place.path) : place.path
    makeDirectory(dirname(target), isOwn)
    return await withLock(target, async () => {
      if (!isOwn) refuseLinks(place)
      const written = await changeLocked(place, target, edit)
      onWritten(written)
      return written
    })
  } catch (error) {
    if (error instanceof SettingsWriteError) throw error
    const message = `${place.path} was not written (${messageOf(error)}). Fix: make it writable`
    throw new SettingsWriteError({ path: place.path, message })
  }
}
