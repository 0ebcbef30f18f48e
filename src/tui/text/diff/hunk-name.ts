import type { DiffHunk, FileDiff } from "./diff-source.ts"

/** A hunk by what it says: it keeps its name when others come and go. */
export const hunkName = ({ path }: Pick<FileDiff, "path">, { lines }: DiffHunk): string => [path, ...lines].join("\n")
