import { codeSpans, type TextRange } from "./code-spans.ts"

/** What a prompt names with `@`: files, folders and agents, in the order in which they stand there. */
export interface LineSpan {
  /** Counted from 1, the last one included. */
  readonly first: number
  readonly last: number
}

export interface FileMention {
  readonly kind: "file"
  /** As it was written, without quotes and range. */
  readonly path: string
  readonly lines?: LineSpan
}

/** `@agent-NAME`. A file may have such a name as well: whoever reads it looks first. */
export interface AgentMention {
  readonly kind: "agent"
  /** As it was written. */
  readonly path: string
  readonly name: string
}

/** Resources of servers will be others. */
export type Mention = FileMention | AgentMention

/** At the beginning or after a blank. Only quotes let a path hold blanks. */
const MENTION = /(?<=^|\s)@(?:"(?<quoted>[^"\n]+)"|(?<word>[^\s"]\S*))/g
/** What a sentence puts behind a path. */
const PUNCTUATION = new Set(".,;:!?)]}>'\"`")
const AGENT = /^agent-([\w:-]+)$/
const RANGE = /#L?(\d{1,9})(?:-L?(\d{1,9}))?$/

const withoutPunctuation = (word: string): string => {
  let end = word.length
  while (end > 0 && PUNCTUATION.has(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

/** In the order of the file, whichever is written first. */
const spanOf = (one: number, other: number): LineSpan => {
  const first = Math.max(1, Math.min(one, other))
  return { first, last: Math.max(first, one, other) }
}

const mentionOf = (written: string): Mention | undefined => {
  const name = AGENT.exec(written)?.[1]
  return name === undefined ? fileMention(written) : { kind: "agent", path: written, name }
}

const fileMention = (written: string): FileMention | undefined => {
  const range = RANGE.exec(written)
  const path = range === null ? written : written.slice(0, range.index)
  if (path.trim() === "") return undefined
  if (range === null) return { kind: "file", path }
  const first = Number(range[1])
  return { kind: "file", path, lines: spanOf(first, Number(range[2] ?? first)) }
}

/** Says for places in ascending order whether they stand in one of the ranges. */
const within = (ranges: ReadonlyArray<TextRange>): ((at: number) => boolean) => {
  let index = 0
  return (at) => {
    while ((ranges[index]?.end ?? Infinity) <= at) index += 1
    return (ranges[index]?.start ?? Infinity) <= at
  }
}

/** Each mention once. Code is quoted, not meant: nothing in it counts. */
export const mentionsIn = (text: string): ReadonlyArray<Mention> => {
  if (!text.includes("@")) return []
  const isCode = within(codeSpans(text))
  const mentions = new Map<string, Mention>()
  for (const match of text.matchAll(MENTION)) {
    const { quoted, word = "" } = match.groups ?? {}
    const mention = isCode(match.index) ? undefined : mentionOf(quoted ?? withoutPunctuation(word))
    if (mention !== undefined) mentions.set(mentionKey(mention), mention)
  }
  return [...mentions.values()]
}

/** Equal for mentions of the same lines of the same path. */
export const mentionKey = (mention: Mention): string => {
  const lines = mention.kind === "file" ? mention.lines : undefined
  return `${mention.kind}:${mention.path}${lines === undefined ? "" : `#L${lines.first}-${lines.last}`}`
}
