import { LIMITS } from "../../domain/limits.ts"
import { linesOf } from "../../domain/text/line-ending.ts"
import type { ChangeWindow } from "./change-windows.ts"

/** Text as the model sees it: `<line number>` TAB `<line>`. */
export const numberLines = (lines: ReadonlyArray<string>, firstLine: number): string =>
  lines.map((line, index) => `${firstLine + index}\t${line}`).join("\n")

const BETWEEN = "\n...\n"

/** The new state around each change, numbered, within the limit for confirmations. */
export const numberedSnippet = (windows: ReadonlyArray<ChangeWindow>): string => {
  const parts: Array<string> = []
  let chars = 0
  for (const [index, window] of windows.entries()) {
    const part = numberLines(linesOf(window.newText), window.newStartLine)
    if (chars + part.length > LIMITS.editSnippetChars) {
      parts.push(index === 0 ? cutAtLine(part) : `... (${windows.length - index} more places changed)`)
      break
    }
    parts.push(part)
    chars += part.length + BETWEEN.length
  }
  return parts.join(BETWEEN)
}

const cutAtLine = (part: string): string => {
  const room = part.slice(0, LIMITS.editSnippetChars)
  const end = room.lastIndexOf("\n")
  return `${end > 0 ? room.slice(0, end) : room}\n... (the rest of the change is not shown)`
}
