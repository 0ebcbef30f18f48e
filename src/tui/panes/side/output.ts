import { withoutCommands, notify } from "../../model/update-result.ts"
import { onItem, type ListHandlers } from "../list/focused-list.ts"
import { entryOf, goToEntry } from "../../model/conversation/go-to-entry.ts"
import type { SessionModel } from "../../model/session-model.ts"
import { EMPTY_ROW, lineRow } from "../../text/line-rows.ts"
import * as Vector from "../../transcript/vector.ts"
import type { Entry } from "../../transcript/block.ts"
import type { Row } from "../../screen/style/row.ts"
import { plainRows } from "../../text/rows.ts"
import { sanitize } from "../../text/sanitize.ts"
import { occurrences } from "../list/list-search.ts"
import { type Item, NEW_LIST, rowItem } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"

/** The whole of one call or text, line by line; or the messages in which a pattern stands, one line each. */

const sourceOf = (entry: Entry | undefined): string => entry?.blocks.map(({ source }) => source).join("\n") ?? ""

/** Letters that take one column each: how many there are says whether they fit. */
const PLAIN = /^[ -~]*$/

const lineItem = (line: string, index: number, width: number): Item => {
  const rows = (): ReadonlyArray<Row> => plainRows(line, { kind: "output", width })
  const id = String(index)
  return line.length <= width && PLAIN.test(line)
    ? rowItem({ id, text: line }, { row: () => rows()[0] ?? EMPTY_ROW, source: () => line })
    : { id, rows: rows(), source: line }
}

/** A text of many lines is laid out once for each width. */
const known = new WeakMap<object, { readonly width: number; readonly items: ReadonlyArray<Item> }>()

const lineItems = (of: object, text: () => string, width: number): ReadonlyArray<Item> => {
  const kept = known.get(of)
  if (kept?.width === width) return kept.items
  const items = text()
    .split("\n")
    .map((line, index) => lineItem(line, index, width))
  known.set(of, { width, items })
  return items
}

const MATCH = "entry:"

/** The message that an item of a list of matches stands for. */
export const entryOfItem = ({ id }: Item): string | undefined => (id.startsWith(MATCH) ? id.slice(MATCH.length) : undefined)

const matchItems = ({ session, width }: PaneScene, pattern: string): ReadonlyArray<Item> =>
  Vector.toArray(session.transcript.entries).flatMap((entry) => {
    const source = sourceOf(entry)
    const line = source.split("\n").find((each) => occurrences({ ...NEW_LIST, pattern, highlighted: true }, each).length > 0)
    if (line === undefined) return []
    return [
      {
        id: `${MATCH}${entry.id}`,
        rows: [lineRow(sanitize(`${entry.kind}  ${line.trim()}`, "output"), width)],
        source: line
      }
    ]
  })

export const outputItems = (scene: PaneScene): ReadonlyArray<Item> => {
  const { session, width } = scene
  const { outputOf } = session
  switch (outputOf?._tag) {
    case undefined:
      return []
    case "Entry": {
      const entry = entryOf(session, outputOf.id)
      return lineItems(entry ?? outputOf, () => sourceOf(entry), width)
    }
    case "Text":
      return lineItems(outputOf, () => outputOf.text, width)
    case "Matches":
      return matchItems(scene, outputOf.pattern)
  }
}

export const outputTitle = ({ outputOf }: SessionModel): string => {
  if (outputOf?._tag === "Text") return `output: ${outputOf.title}`
  return outputOf?._tag === "Matches" ? `messages with ${outputOf.pattern}` : "output"
}

const goToMatch = onItem(({ model, item }) => {
  const match = entryOfItem(item)
  return match === undefined ? undefined : withoutCommands(goToEntry(model, match))
})

export const OUTPUT_HANDLERS: ListHandlers = {
  "pane:open": goToMatch,
  "list:openFull": goToMatch,
  "pane:goToCall": onItem((at) => {
    const { model, session } = at
    const found = entryOfItem(at.item) ?? (session.outputOf?._tag === "Entry" ? session.outputOf.id : undefined)
    return withoutCommands(found === undefined ? notify(model, "this text came from no call") : goToEntry(model, found))
  })
}
