import { isText } from "../../../../core/domain/block.ts"
import { toArray } from "../../../../core/domain/append-list.ts"
import type { AgentState } from "../../../../core/loop/machine/state.ts"

/** The last answer under the prompt in the user's editor, to be read there and taken away again. */

const MARK = "# --- The last answer, to read. Everything from this line on is left out. ---"

/** The text of the newest answer. */
export const lastAnswer = ({ conversation: { messages } }: AgentState): string => {
  const answers = toArray(messages).flatMap((message) => {
    if (message.type !== "assistant") return []
    const text = message.message.content
      .filter(isText)
      .map((block) => block.text)
      .join("\n\n")
      .trim()
    return text === "" ? [] : [text]
  })
  return answers.at(-1) ?? ""
}

const commented = (answer: string): ReadonlyArray<string> => [
  MARK,
  ...answer.split("\n").map((line) => (line === "" ? "#" : `# ${line}`))
]

export const withAnswer = (text: string, answer: string): string =>
  answer === "" ? text : `${text}\n\n${commented(answer).join("\n")}\n`

/** Headings of the user begin with the same sign and stay: only what was added goes. */
export const withoutAnswer = (text: string, answer: string): string => {
  if (answer === "") return text
  const lines = text.split("\n")
  const mark = lines.indexOf(MARK)
  const added = new Set(commented(answer))
  const end = mark >= 0 ? mark : lines.findLastIndex((line) => line !== "" && !added.has(line)) + 1
  return lines.slice(0, end).join("\n").replace(/\n$/, "")
}
