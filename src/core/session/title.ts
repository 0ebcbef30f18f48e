import type { UserMessage } from "../domain/message.ts"
import type { MetaRecord } from "./transcript/meta-record.ts"
import { commandLine, speakerOf, spokenText } from "./speaker.ts"

/** What a session is called: the name given, the name generated, or the first thing that was asked. */
const TITLE_CHARS = 200
/** How much more text is looked at than shown: blanks shrink, and a pasted file is not worth reading whole. */
const SPARE = 20

/** One line without control characters, cut at a whole character. */
export const oneLine = (text: string, chars = TITLE_CHARS): string => {
  const plain = text
    .trimStart()
    .slice(0, chars * SPARE)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
  const points = Array.from(plain)
  return points.length <= chars
    ? plain
    : `${points
        .slice(0, chars - 1)
        .join("")
        .trimEnd()}…`
}

/** How a session began: its first real prompt and its first command. */
export interface Opening {
  readonly prompt: string | null
  readonly command: string | null
}

export const noOpening: Opening = { prompt: null, command: null }

export const openingWith = (opening: Opening, message: UserMessage): Opening => {
  if (opening.prompt !== null) return opening
  const speech = speakerOf(message)
  if (speech === "prompt") return { ...opening, prompt: oneLine(spokenText(message)) || null }
  if (speech !== "command" || opening.command !== null) return opening
  return { ...opening, command: oneLine(commandLine(message)) || null }
}

/** A session is called after its first prompt; one of commands only after its first command. */
export const openingTitle = ({ prompt, command }: Opening): string | null => prompt ?? command

export interface Titles {
  readonly customTitle: string | null
  readonly aiTitle: string | null
  /** Latest summary of a branch that is part of the conversation. */
  readonly summary: string | null
}

/** The latest titles among bookkeeping records; later ones win. */
export const titlesOf = (records: Iterable<MetaRecord>, onChain: (uuid: string) => boolean): Titles => {
  let titles: Titles = { customTitle: null, aiTitle: null, summary: null }
  for (const record of records) {
    if (record.type === "custom-title") titles = { ...titles, customTitle: oneLine(record.customTitle) || null }
    if (record.type === "ai-title") titles = { ...titles, aiTitle: oneLine(record.aiTitle) || null }
    if (record.type === "summary" && onChain(record.leafUuid)) {
      titles = { ...titles, summary: oneLine(record.summary) || null }
    }
  }
  return titles
}

export const displayTitle = (titles: Titles, firstPrompt: string | null): string | null =>
  titles.customTitle ?? titles.aiTitle ?? titles.summary ?? firstPrompt
