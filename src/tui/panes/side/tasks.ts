import type { BackgroundTask } from "../../model/msg.ts"
import { glyphsOf, stateGlyph } from "../../transcript/rows/glyphs.ts"
import { todosOf } from "../../transcript/entries/select.ts"
import type { CallState } from "../../transcript/block.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import { rowsOfLine } from "../../text/rows.ts"
import { lineRow } from "../../text/line-rows.ts"
import type { Item } from "../../model/list-state.ts"
import type { PaneScene } from "../../model/windows/pane-context.ts"
import { sizeText } from "../list/size-text.ts"

/** The todo list, then what runs in the background. */

const LOOKS: Readonly<Record<"pending" | "in_progress" | "completed", Look>> = {
  pending: { role: "text" },
  in_progress: { role: "claude", bold: true },
  completed: { role: "inactive", strike: true }
}
const TEXT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }

const SHELLS: Readonly<Record<BackgroundTask["status"], { readonly state: CallState; readonly look: Look }>> = {
  running: { state: "running", look: { role: "claude" } },
  completed: { state: "ok", look: { role: "success" } },
  failed: { state: "failed", look: { role: "error" } },
  killed: { state: "cancelled", look: { role: "inactive" } }
}

const todoItems = ({ session, options, width }: PaneScene): ReadonlyArray<Item> =>
  todosOf(session.transcript).map((todo, index) => {
    const look = LOOKS[todo.status]
    const text = todo.status === "in_progress" ? todo.activeForm : todo.content
    const margin = {
      first: [{ text: `${glyphsOf(options).todo[todo.status]} `, look: { role: look.role } as const }],
      rest: [{ text: "  ", look }]
    }
    return {
      id: `todo:${index}`,
      rows: rowsOfLine(sanitize(text, "prose", { look }), { start: 0, end: 0 }, { width, margin }),
      source: todo.content
    }
  })

const shellRow = (task: BackgroundTask, { options, spinner, width }: PaneScene): Row => {
  const { state, look } = SHELLS[task.status]
  const exit = task.status === "failed" ? `exit ${task.exitCode ?? "?"}` : task.status === "running" ? "" : task.status
  const right = [exit, sizeText(task.totalBytes)].filter((part) => part !== "").join(" ")
  const left = lineRow(
    [
      { text: `${stateGlyph(state, { glyphs: options.glyphs, spinner })} `, look },
      ...sanitize(task.command.split("\n", 1)[0] ?? "", "command", { look: TEXT })
    ],
    Math.max(1, width - right.length - 1)
  )
  const gap = " ".repeat(Math.max(1, width - left.width - right.length))
  return lineRow([...left.spans, { text: gap + right, look: QUIET }], width)
}

const SHELL = "shell:"

/** The background command that an item stands for. */
export const taskOfItem = ({ id }: Item): string | undefined => (id.startsWith(SHELL) ? id.slice(SHELL.length) : undefined)

export const taskItems = (scene: PaneScene): ReadonlyArray<Item> => [
  ...todoItems(scene),
  ...scene.session.tasks.map((task) => ({
    id: `${SHELL}${task.taskId}`,
    rows: [shellRow(task, scene)],
    source: task.command
  }))
]
