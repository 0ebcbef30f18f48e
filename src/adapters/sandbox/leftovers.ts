import { lstatSync, type Stats } from "node:fs"
import { join } from "node:path"
import { readLedgers } from "./ledger.ts"
import { isPlaceholder, removePlaceholder } from "./placeholders.ts"

/** Where the processes of a user say what they hold. */
export const ledgerDirectory = (configHome: string): string => join(configHome, "nacre-sandbox")

/** What stands in the place of missing files although nobody holds it any more. */
export interface Leftovers {
  readonly places: ReadonlyArray<string>
  readonly remove: () => void
}

const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

const stillStands = (path: string): boolean => {
  const stats = statOf(path)
  return stats !== undefined && isPlaceholder(path, stats)
}

export const leftoversIn = (configHome: string): Leftovers => {
  const directory = ledgerDirectory(configHome)
  if (statOf(directory) === undefined) return { places: [], remove: () => undefined }
  const { needed, orphans, forgetDead } = readLedgers(directory)
  const places = [...new Set(orphans)].filter((path) => !needed.has(path) && stillStands(path))
  return {
    places,
    remove: () => {
      for (const path of places) removePlaceholder(path)
      forgetDead()
    }
  }
}
