import { isText, isThinking, isToolResult, isToolUse } from "../domain/block.ts"
import { blocksOf, type Message } from "../domain/message.ts"
import { commandLine, speakerOf, spokenText } from "./speaker.ts"

/** Searching the text of messages: words and "phrases" that must all be there, and -words that must not. */
export interface TextQuery {
  readonly all: ReadonlyArray<string>
  readonly none: ReadonlyArray<string>
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase()

export const parseTextQuery = (text: string): TextQuery => {
  const parts = [...text.matchAll(/(-?)(?:"([^"]*)"|(\S+))/g)].map(([, minus, phrase, word]) => ({
    isUnwanted: minus === "-",
    text: folded(phrase ?? word ?? "")
  }))
  const present = parts.filter((part) => part.text !== "")
  return {
    all: present.filter(({ isUnwanted }) => !isUnwanted).map((part) => part.text),
    none: present.filter(({ isUnwanted }) => isUnwanted).map((part) => part.text)
  }
}

export const matchesQuery = (query: TextQuery, text: string): boolean => {
  if (query.all.length === 0) return false
  const plain = folded(text)
  return query.all.every((word) => plain.includes(word)) && !query.none.some((word) => plain.includes(word))
}

const BEFORE = 30
const SNIPPET = 120

/** What stands around the first word that was found, on one line. */
export const snippetOf = (query: TextQuery, text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim()
  const plain = folded(line)
  const at = Math.max(
    0,
    Math.min(...query.all.map((word) => plain.indexOf(word)).filter((place) => place >= 0), line.length)
  )
  const from = Math.max(0, at - BEFORE)
  const cut = line.slice(from, from + SNIPPET)
  return `${from > 0 ? "…" : ""}${cut}${from + SNIPPET < line.length ? "…" : ""}`
}

export interface SpokenPart {
  readonly role: "you" | "agent" | "call" | "result"
  readonly text: string
}

const resultText = (content: unknown): string => {
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return ""
  return content
    .flatMap((block: unknown) => {
      const text = typeof block === "object" && block !== null && "text" in block ? block.text : ""
      return typeof text === "string" ? [text] : []
    })
    .join("\n")
}

/** Everything in a message that somebody may look for, part by part. */
export const partsOf = (message: Message): ReadonlyArray<SpokenPart> => {
  if (message.type === "assistant") {
    return blocksOf(message.message.content).flatMap((block): ReadonlyArray<SpokenPart> => {
      if (isText(block)) return [{ role: "agent", text: block.text }]
      if (isThinking(block)) return "thinking" in block ? [{ role: "agent", text: block.thinking }] : []
      return isToolUse(block) ? [{ role: "call", text: `${block.name} ${JSON.stringify(block.input)}` }] : []
    })
  }
  if (message.type !== "user") return []
  switch (speakerOf(message)) {
    case "prompt":
      return [{ role: "you", text: spokenText(message) }]
    case "command":
      return [{ role: "you", text: commandLine(message) }]
    case "result":
      return blocksOf(message.message.content)
        .filter(isToolResult)
        .map((block) => ({ role: "result", text: resultText(block.content) }))
    default:
      return []
  }
}
