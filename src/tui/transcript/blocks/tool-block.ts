/** Makes and changes the block of a call, and keeps its source in step with what is known of it. */
import type { CallOutcome, CallState, Part, ToolBlock } from "../block.ts"
import { fieldsOf } from "../fields.ts"
import { countLines, linesOf } from "../line-count.ts"
import { rendererOf } from "../tools/registry.ts"
import type { CallText } from "../tools/renderer.ts"
import { unknownRenderer } from "../tools/unknown.ts"

const callText = (block: ToolBlock): CallText => {
  try {
    return rendererOf(block.tool).source(block)
  } catch {
    return unknownRenderer.source(block)
  }
}

const moved = (part: Part, by: number): Part => ({
  ...part,
  start: part.start + by,
  end: part.end + by,
  ...(part.inner === undefined ? {} : { inner: { start: part.inner.start + by, end: part.inner.end + by } })
})

/** Of a call that has its result: before that the lines change with every word. A result never goes away again. */
const countedLines = ({ outcome }: ToolBlock, call: string, result: string): { readonly lines?: number } =>
  outcome === undefined ? {} : { lines: countLines(call) + (result === "" ? 0 : countLines(result)) }

const withSource = (block: ToolBlock): ToolBlock => {
  const { call, result, parts = [] } = callText(block)
  const start = result === "" ? call.length : call.length + 1
  return {
    ...block,
    ...countedLines(block, call, result),
    source: result === "" ? call : `${call}\n${result}`,
    parts: [
      { name: "call", start: 0, end: call.length },
      { name: "result", start, end: start + result.length },
      ...parts.map((part) => moved(part, start))
    ]
  }
}

export const newCall = (call: Pick<ToolBlock, "callId" | "tool" | "input" | "partial">): ToolBlock =>
  withSource({
    id: call.callId,
    kind: "tool",
    revision: 1,
    source: "",
    callId: call.callId,
    tool: call.tool,
    state: "queued",
    input: call.input,
    partial: call.partial
  })

type Change = Partial<Omit<ToolBlock, "id" | "kind" | "callId" | "revision" | "source" | "lines" | "parts">>

/** The block after a change. The source is only made anew when something that it holds has changed. */
export const changeCall = (block: ToolBlock, change: Change): ToolBlock => {
  const changed: ToolBlock = { ...block, ...change, revision: block.revision + 1 }
  return "input" in change || "progress" in change || "outcome" in change || "tool" in change ? withSource(changed) : changed
}

/** Two settled calls, or runs of them, as one block that holds the source of both. */
export const joinCalls = (first: ToolBlock, second: ToolBlock): ToolBlock => {
  const start = first.source.length + 1
  return {
    ...first,
    lines: linesOf(first) + linesOf(second),
    revision: first.revision + second.revision,
    source: `${first.source}\n${second.source}`,
    parts: [...(first.parts ?? []), ...(second.parts ?? []).map((part) => moved(part, start))],
    members: [...(first.members ?? [first]), ...(second.members ?? [second])]
  }
}

const INTERRUPTED_END = /\[Interrupted before it finished\.\]\s*$/
const CANCELLED = /^(?:Cancelled:|\[Request interrupted by user|\[Tool call interrupted)/
/** How other programs record that the user said no. */
const REFUSED_DATA = /^(?:Error: )?(?:User rejected tool use|The user doesn't want to)/

/** Ended from outside, with what it had printed by then. */
const isInterrupted = ({ data, text }: CallOutcome): boolean =>
  fieldsOf(data)["interrupted"] === true && INTERRUPTED_END.test(text)

export const settledState = (outcome: CallOutcome, denial: string | undefined): CallState => {
  if (denial !== undefined) return "denied"
  if (!outcome.isError) return "ok"
  if (CANCELLED.test(outcome.text) || isInterrupted(outcome)) return "cancelled"
  return typeof outcome.data === "string" && REFUSED_DATA.test(outcome.data) ? "denied" : "failed"
}
