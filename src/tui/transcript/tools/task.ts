/** Calls about tasks: the list that several sessions share, and what runs in the background. */
import { plain } from "../../text/ansi/ansi.ts"
import type { ToolBlock } from "../block.ts"
import { mark } from "../rows/compose.ts"
import { OUTPUT_FOLD } from "../rows/fold.ts"
import { outputRows } from "./output-rows.ts"
import { fieldsOf, textField } from "../fields.ts"
import { body, callArgument, dataOf, inputOf, limitOf, makeRenderer, outcomeText } from "./make-renderer.ts"
import type { Body, Head, ToolRenderer, ToolView } from "./renderer.ts"

const taskLine = (block: ToolBlock): string => {
  const input = inputOf(block)
  const id = textField(input, "taskId", "task_id", "shell_id", "bash_id", "id")
  return [id === "" ? "" : `#${id}`, textField(input, "subject", "description"), textField(input, "status")]
    .filter((part) => part !== "")
    .join(" ")
}

/** Task lists say in one line what happened. */
export const taskRenderer: ToolRenderer = makeRenderer({ call: taskLine })

const taskId = (block: ToolBlock): string => textField(inputOf(block), "task_id", "shell_id", "bash_id", "agentId")

const taskOutput = (block: ToolBlock): string => {
  const task = fieldsOf(dataOf(block)["task"])
  return typeof task["output"] === "string" ? task["output"] : outcomeText(block)
}

const head = (view: ToolView): Head => {
  const task = fieldsOf(dataOf(view.block)["task"])
  const status = textField(task, "status")
  return { argument: callArgument(view), marks: status === "" ? [] : [mark(status)] }
}

const result = (view: ToolView): Body => {
  const rows = outputRows(taskOutput(view.block), view)
  return body(view, rows, { ...OUTPUT_FOLD, limit: limitOf(view, OUTPUT_FOLD.limit) })
}

export const backgroundRenderer: ToolRenderer = makeRenderer({
  call: taskId,
  outcome: (block) => ({ result: plain(taskOutput(block)) }),
  head,
  result
})
