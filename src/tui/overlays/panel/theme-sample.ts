import type { AppModel } from "../../model/app-model.ts"
import { diffRows } from "../../text/diff/diff-rows.ts"
import { fileDiff } from "../../text/diff/diff-source.ts"
import type { Row } from "../../screen/style/row.ts"
import { EMPTY_ROW, lineRow } from "../../text/line-rows.ts"

/** What a theme looks like: a prompt, an answer with code and a diff. */

const BEFORE = 'export const greet = (name: string) =>\n  "Hello " + name // once\n'
const AFTER = "export const greet = (name: string) =>\n  `Hello, ${name}!` // once\n"

/** Below this the list has the room. */
const LEAST_ROWS = 22

export const themeSample = ({ options, size }: AppModel, width: number): ReadonlyArray<Row> => {
  const { glyphs, highlight, tabWidth } = options
  const diff = diffRows(fileDiff("greet.ts", BEFORE, AFTER), {
    width,
    glyphs,
    highlight,
    tabWidth,
    codeWrap: true,
    scroll: 0
  })
  const states = [
    { text: "success ", look: { role: "success" } },
    { text: "warning ", look: { role: "warning" } },
    { text: "error ", look: { role: "error" } },
    { text: "link ", look: { role: "link" } },
    { text: "quiet", look: { role: "subtle" } }
  ] as const
  if (size.rows < LEAST_ROWS) return [lineRow(states, width)]
  return [lineRow([{ text: "say hello", look: { role: "text" } }], width), lineRow(states, width), EMPTY_ROW, ...diff]
}
