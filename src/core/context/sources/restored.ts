import { escapeReminders, oneLine } from "../../model/request/fence.ts"
import type { ContextSource, RestoredFile } from "./source.ts"

const numbered = (lines: ReadonlyArray<string>): string => lines.map((line, index) => `${index + 1}\t${line}`).join("\n")

const wordsOf = ({ path, lines, totalLines }: RestoredFile): string => {
  const part = lines.length < totalLines ? ` (its first ${lines.length} lines of ${totalLines})` : ""
  return `A file that you read earlier, as it is now${part}: ${oneLine(path)}\n\n${escapeReminders(numbered(lines))}`
}

/** Files that were read before a summary took their text away. Each is an attachment as readers of transcripts know it. */
export const restored: ContextSource<"restored"> = {
  wants: ({ lost }) => (lost.length === 0 ? undefined : { about: { paths: lost } }),
  isStanding: false,
  isSaidApart: true,
  say: ([item]) => {
    if (item === undefined) return undefined
    const { path, lines, totalLines } = item.value
    const file = { filePath: path, content: lines.join("\n"), numLines: lines.length, startLine: 1, totalLines }
    return {
      type: "file",
      fields: { filename: path, displayPath: path, content: { type: "text", file } },
      words: wordsOf(item.value)
    }
  }
}
