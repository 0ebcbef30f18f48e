/** `im am`: the path or mention under the caret, such as `@src/main.ts#10-20`. */
import type { TextObject } from "./object.ts"

const MENTION = /@?"[^"]+"|[^\s"'`()[\]{}<>,;]+/g
const TRAILING = /[.:!?]+$/

export const mentionObject: TextObject = (lines, { line, column }, { around }) => {
  const text = lines.at(line)
  for (const match of text.matchAll(MENTION)) {
    const found = match[0].replace(TRAILING, "")
    const start = match.index
    const end = start + found.length
    if (column < start || column >= start + match[0].length || found === "") continue
    const blanks = around ? (/^[ \t]+/.exec(text.slice(end))?.[0].length ?? 0) : 0
    return { start: { line, column: start }, end: { line, column: end + blanks - 1 }, extent: "inclusive" }
  }
  return undefined
}
