import { isText, type ContentBlock } from "../../domain/block.ts"
import type { JsonObject } from "../../domain/json/json-object.ts"
import { quoteWord } from "../../tools/bash/invocation.ts"
import { escapeReminders, oneLine } from "../../model/request/fence.ts"
import { mentionsIn } from "../mentions/parse.ts"
import type { ContextSource, Said, SourceValues } from "./source.ts"

/** What a prompt names with `@`, shown as if the model had asked for it. */
type Mention = SourceValues["mentions"]
type Shown = Extract<Mention, { readonly kind: "file" | "directory" }>

const called = (tool: string, input: object): string =>
  `Called the ${tool} tool with the following input: ${escapeReminders(JSON.stringify(input))}`

const resultOf = (tool: string, text: string): string => `Result of calling the ${tool} tool:\n${escapeReminders(text)}`

/** Texts among pictures are a result too; the blocks keep their order. */
const resultParts = (tool: string, content: Shown["content"]): ReadonlyArray<string | ContentBlock> =>
  typeof content === "string"
    ? [resultOf(tool, content)]
    : content.map((block) => (isText(block) ? resultOf(tool, block.text) : block))

/** What is not text stands in the rendered blocks alone; readers of transcripts expect a record all the same. */
const noText = (filePath: string): JsonObject => ({ filePath, content: "", numLines: 0, startLine: 1, totalLines: 0 })

const sayFile = ({ path, name, range, content, record }: Extract<Mention, { readonly kind: "file" }>): Said => ({
  type: "file",
  fields: { filename: path, displayPath: name, content: { type: "text", file: record ?? noText(path) } },
  words: [called("Read", { file_path: path, ...range }), ...resultParts("Read", content)]
})

const sayDirectory = ({ path, name, content }: Extract<Mention, { readonly kind: "directory" }>): Said => ({
  type: "directory",
  fields: { path, displayPath: name, content: "" },
  words: [called("Bash", { command: `ls ${quoteWord(path)}` }), ...resultParts("Bash", content)]
})

const sayAgent = (name: string): Said => ({
  type: "agent_mention",
  fields: { agentType: name },
  words:
    `The user wants the agent ${JSON.stringify(oneLine(name))} to work on this. Start it with what it needs to know. ` +
    "If no such agent is offered, say so and do the work yourself."
})

export const mentions: ContextSource<"mentions"> = {
  wants: ({ prompt }) =>
    prompt === undefined || mentionsIn(prompt.text).length === 0 ? undefined : { about: { ...prompt } },
  isStanding: false,
  isSaidApart: true,
  say: ([item]) => {
    if (item === undefined) return undefined
    const { value } = item
    if (value.kind === "agent") return sayAgent(value.name)
    return value.kind === "file" ? sayFile(value) : sayDirectory(value)
  }
}
