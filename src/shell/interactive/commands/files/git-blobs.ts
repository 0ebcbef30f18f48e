import type { GitCall } from "../../../system/run-git.ts"
import { runGit } from "../../../system/run-git.ts"

/** Contents of git objects as they are stored, many with one process. */

const LINE_FEED = 0x0a
const HEAD = /^([0-9a-f]{40,64}) blob (\d+)$/

interface Sized {
  readonly id: string
  readonly bytes: number
}

const sizesOf = (output: Buffer): ReadonlyArray<Sized> =>
  output
    .toString("latin1")
    .split("\n")
    .flatMap((line) => {
      const [, id, size] = HEAD.exec(line) ?? []
      return id === undefined ? [] : [{ id, bytes: Number(size) }]
    })

const contentsOf = (output: Buffer): ReadonlyMap<string, Buffer> => {
  const contents = new Map<string, Buffer>()
  let at = 0
  while (at < output.length) {
    const end = output.indexOf(LINE_FEED, at)
    const [, id, size] = HEAD.exec(output.toString("latin1", at, end < 0 ? output.length : end)) ?? []
    if (end < 0) break
    at = end + 1
    if (id === undefined) continue
    contents.set(id, output.subarray(at, at + Number(size)))
    at += Number(size) + 1
  }
  return contents
}

export interface BlobBounds {
  readonly eachBytes: number
  readonly allBytes: number
}

/** Those that fit the bounds; the first ones first. */
export const readBlobs = async (
  git: Pick<GitCall, "directory" | "env">,
  ids: ReadonlyArray<string>,
  { eachBytes, allBytes }: BlobBounds
): Promise<ReadonlyMap<string, Buffer>> => {
  if (ids.length === 0) return new Map()
  const sized = sizesOf(await runGit({ ...git, args: ["cat-file", "--batch-check"], stdin: `${ids.join("\n")}\n` }))
  let left = allBytes
  const wanted = sized.filter(({ bytes }) => {
    if (bytes > eachBytes || bytes > left) return false
    left -= bytes
    return true
  })
  if (wanted.length === 0) return new Map()
  const stdin = `${wanted.map(({ id }) => id).join("\n")}\n`
  return contentsOf(await runGit({ ...git, args: ["cat-file", "--batch"], stdin }))
}
