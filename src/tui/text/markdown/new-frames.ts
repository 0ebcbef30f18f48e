/** Quotes and list items that begin on a line. */
import type { Frame } from "./frame.ts"
import { dropColumns, indentOf } from "./indent.ts"
import { BLANK, ITEM, QUOTE, RULE, TASK } from "./marks.ts"
import type { Cursor } from "./open-leaf.ts"

/** Only a list that looks like one may stand right under a line of text. */
const mayInterrupt = (mark: string, after: string): boolean => !BLANK.test(after) && (/^\D/.test(mark) || /^1\D/.test(mark))

/** Opens a list item if the cursor stands at its mark. */
const takeItem = (cursor: Cursor, inParagraph: boolean): Frame | undefined => {
  const found = ITEM.exec(cursor.rest)
  if (found?.[2] === undefined || RULE.test(cursor.rest)) return undefined
  const lead = found[1]?.length ?? 0
  const mark = found[2]
  const after = cursor.rest.slice(found[0].length)
  if (inParagraph && !mayInterrupt(mark, after)) return undefined
  const blanks = BLANK.test(after) ? 0 : indentOf(after)
  const dropped = blanks === 0 ? after.length : dropColumns(after, blanks > 4 ? 1 : blanks)
  const indent = lead + mark.length + (blanks === 0 || blanks > 4 ? 1 : blanks)
  const start = cursor.at + lead
  cursor.at += found[0].length + dropped
  cursor.rest = after.slice(dropped)
  const task = TASK.exec(cursor.rest)
  if (task === null) return { kind: "item", start, indent, mark }
  const at = cursor.at
  cursor.at += task[0].length + 1
  cursor.rest = cursor.rest.slice(task[0].length + 1)
  return { kind: "item", start, indent, mark, task: { at, done: task[1] !== " " } }
}

/** Consumes the marks of quotes and items that begin on this line. */
export const newFrames = (cursor: Cursor, inParagraph: boolean): ReadonlyArray<Frame> => {
  const frames: Array<Frame> = []
  for (;;) {
    const interrupting = inParagraph && frames.length === 0
    if (indentOf(cursor.rest) >= 4) return frames
    const quote = QUOTE.exec(cursor.rest)
    if (quote !== null) {
      frames.push({ kind: "quote", start: cursor.at })
      cursor.at += quote[0].length
      cursor.rest = cursor.rest.slice(quote[0].length)
      continue
    }
    const item = takeItem(cursor, interrupting)
    if (item === undefined) return frames
    frames.push(item)
  }
}
