/** The compaction answer: nine sections filled with what the conversation itself says. Nothing is made up. */
import type { ApiMessage, ModelRequest } from "../../core/model/request/model-request.ts"
import { isText } from "../../core/domain/block.ts"
import { LABEL } from "./answer.ts"
import { humanPrompts, type PastResponse, responsesOf, type SettledCall } from "./conversation.ts"
import { clip, firstLine } from "./words.ts"

/** The last text of the last message is the instruction to summarise; it is not part of the conversation. */
const withoutInstruction = (messages: ReadonlyArray<ApiMessage>): ReadonlyArray<ApiMessage> => {
  const last = messages.at(-1)
  if (last?.role !== "user") return messages
  const instruction = last.content.findLastIndex(isText)
  return [...messages.slice(0, -1), { ...last, content: last.content.filter((_, index) => index !== instruction) }]
}

const oneLine = (text: string, chars: number): string => clip(text.replaceAll(/\s+/g, " ").trim(), chars)

const bullets = (items: ReadonlyArray<string>): string =>
  items.length === 0 ? "   - none" : items.map((item) => `   - ${item}`).join("\n")

const FILE_FIELDS = ["file_path", "notebook_path"]

const fileOf = (call: SettledCall): string | undefined =>
  FILE_FIELDS.map((field) => call.input[field]).find((value): value is string => typeof value === "string")

const filesTouched = (calls: ReadonlyArray<SettledCall>): ReadonlyArray<string> => {
  const byFile = new Map<string, Set<string>>()
  for (const call of calls) {
    const file = fileOf(call)
    if (file !== undefined) byFile.set(file, (byFile.get(file) ?? new Set()).add(call.name))
  }
  return [...byFile].map(([file, tools]) => `${file} (${[...tools].join(", ")})`)
}

const OPEN = new Set(["pending", "in_progress"])

const todosOf = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  (Array.isArray(value) ? value : []).map((item: unknown) =>
    typeof item === "object" && item !== null ? Object.fromEntries(Object.entries(item)) : {}
  )

/** Open entries of the newest todo list, and tasks that were created. */
const openTasks = (calls: ReadonlyArray<SettledCall>): ReadonlyArray<string> => {
  const newest = calls.findLast((call) => call.name === "TodoWrite")
  const todos = todosOf(newest?.input["todos"]).filter((todo) => OPEN.has(String(todo["status"])))
  const created = calls.filter((call) => call.name === "TaskCreate")
  return [
    ...todos.map((todo) => String(todo["content"])),
    ...created.map((call) => `task created: ${String(call.input["subject"])}`)
  ]
}

const described = (call: SettledCall): string => {
  const about = fileOf(call) ?? call.input["command"] ?? call.input["pattern"] ?? call.input["url"]
  return typeof about === "string" ? `${call.name} ${firstLine(about)}` : call.name
}

interface Material {
  readonly prompts: ReadonlyArray<string>
  readonly responses: ReadonlyArray<PastResponse>
  readonly calls: ReadonlyArray<SettledCall>
}

/** How much may be copied: characters of one excerpt and entries of one list. */
interface Room {
  readonly chars: number
  readonly entries: number
}

const roomFor = (totalChars: number): Room => ({
  chars: Math.max(60, Math.floor(totalChars / 40)),
  entries: Math.max(3, Math.min(40, Math.floor(totalChars / 200)))
})

const currentWork = ({ calls, responses }: Material, { chars }: Room): ReadonlyArray<string> => {
  const said = responses.findLast((response) => response.text.trim() !== "")?.text
  return [
    ...calls.slice(-3).map((call) => oneLine(`${described(call)}: ${call.outcome}`, chars)),
    ...(said === undefined ? [] : [oneLine(said, chars)])
  ]
}

type Section = readonly [title: string, items: ReadonlyArray<string>]

const sections = (material: Material, room: Room): ReadonlyArray<Section> => {
  const { calls, prompts, responses } = material
  const newestOf = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => items.slice(-room.entries)
  const quoted = (prompt: string): string => `"${oneLine(prompt, room.chars)}"`
  const tools = [...new Set(calls.map((call) => call.name))].join(", ")
  const errors = calls.filter((call) => call.outcome === "failed" || call.outcome === "denied")
  const work = `${calls.length} calls in ${responses.length} responses, ${errors.length} without success`
  const trouble = (call: SettledCall) => oneLine(`${described(call)}: ${call.outcome}: ${call.result}`, room.chars)
  return [
    ["Primary request and intent", [...prompts.slice(0, 1), ...prompts.slice(-1)].map(quoted)],
    ["Key technical concepts", tools === "" ? [] : [`tools used: ${tools}`]],
    ["Files and code", newestOf(filesTouched(calls))],
    ["Errors and fixes", newestOf(errors).map(trouble)],
    ["Problem solving", [work]],
    ["All user messages", newestOf(prompts).map(quoted)],
    ["Pending tasks", newestOf(openTasks(calls)).map((task) => oneLine(task, room.chars))],
    ["Current work", currentWork(material, room)],
    ["Next step", prompts.slice(-1).map((prompt) => `go on with ${quoted(prompt)}`)]
  ]
}

const CHARS_AT_MOST = 16_000

/** A summary that fits: half of the output limit, and a small part of a small window. */
export const summarise = (request: ModelRequest, windowTokens: number): string => {
  const messages = withoutInstruction(request.messages)
  const responses = responsesOf(messages)
  const material = {
    prompts: humanPrompts(messages).flatMap(({ text }) => (text === "" ? [] : [text])),
    responses,
    calls: responses.flatMap((response) => response.calls)
  }
  const room = roomFor(Math.min(request.max_tokens * 2, windowTokens / 5, CHARS_AT_MOST))
  const body = sections(material, room)
    .map(([title, items], index) => `${index + 1}. ${title}:\n${bullets([...new Set(items)])}`)
    .join("\n\n")
  return `<analysis>
The ${LABEL} copies from the conversation; it does not understand it.
</analysis>

<summary>
Made by the ${LABEL} out of the conversation's own words.

${body}
</summary>`
}
