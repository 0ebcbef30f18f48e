import { readIndex } from "./index-entries.ts"

/** Other repositories that an index names. git looks into them, and then obeys their configuration too. */
const GITLINK = 0o160000
const GITLINK_BYTES = Buffer.from([0, 0, GITLINK >> 8, 0])

/** Paths of the repositories below; undefined when the index cannot be read completely. */
export const gitlinksIn = (index: Buffer, hashBytes: number): ReadonlyArray<string> | undefined => {
  // Almost every index names none, and a search for the bytes of one is quick.
  if (!index.includes(GITLINK_BYTES) && !index.includes("link")) return []
  const found: Array<string> = []
  const isWhole = readIndex(index, hashBytes, ({ mode, path }) => {
    if (mode === GITLINK) found.push(path.toString("utf8"))
  })
  return isWhole ? found : undefined
}
