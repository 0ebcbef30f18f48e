/** Orders of search results. Both are total, so that a second search gives the same list. */
export interface DatedPath {
  readonly path: string
  readonly mtimeMs: number
}

/** Lower than every character, so that a directory's contents come before names that continue its own. */
const asSortKey = (path: string): string => path.replaceAll("/", "\u0000")

const compareText = (left: string, right: string): number => {
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** By components, the order in which a sorted walk meets the files. */
export const comparePaths = (left: string, right: string): number => compareText(asSortKey(left), asSortKey(right))

export const newestFirst = (files: ReadonlyArray<DatedPath>): ReadonlyArray<string> =>
  files
    .toSorted((left, right) => right.mtimeMs - left.mtimeMs || comparePaths(left.path, right.path))
    .map((file) => file.path)
