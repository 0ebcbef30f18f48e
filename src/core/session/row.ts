import type { Message } from "../domain/message.ts"
import { messageOf } from "./transcript/message-line.ts"
import type { MetaRecord } from "./transcript/meta-record.ts"
import { rawOf, type JsonObject } from "../domain/json/json-object.ts"
import { readLine } from "./transcript/record.ts"
import { commandLine, speakerOf } from "./speaker.ts"
import { displayTitle, noOpening, openingTitle, openingWith, titlesOf } from "./title.ts"

/** One session in a list, made of its file's first and last lines only. */
export interface SessionFile {
  readonly path: string
  readonly sessionId: string
  readonly size: number
  readonly modifiedMs: number
}

export interface SessionRow extends SessionFile {
  /** Display title; null when nothing in the file says anything. */
  readonly summary: string | null
  readonly customTitle: string | null
  readonly aiTitle: string | null
  readonly firstPrompt: string | null
  readonly lastPrompt: string | null
  /** Timestamp of the first line. */
  readonly createdAt: string | null
  /** Directory of the first line, and of the last. */
  readonly cwd: string | null
  readonly lastCwd: string | null
  readonly gitBranch: string | null
  readonly tag: string | null
  readonly entrypoint: string | null
  readonly kind: "interactive" | "headless" | "bg"
  readonly costUsd: number | null
  readonly prLinks: ReadonlyArray<string>
  readonly forkedFrom: string | null
  readonly isSidechain: boolean
  /** The session was started by a repeating command and goes on by itself. */
  readonly isLoop: boolean
  /** Nobody answered what was said last. */
  readonly isInterrupted: boolean
  readonly hasMessages: boolean
}

export interface Glimpse {
  /** Parsed lines of the beginning. */
  readonly head: ReadonlyArray<unknown>
  /** Parsed lines of the end; empty when the beginning is the whole file. */
  readonly tail: ReadonlyArray<unknown>
  /** Whether head and tail together are every line. */
  readonly whole: boolean
}

const textIn = (raws: ReadonlyArray<JsonObject>, field: string): string | null => {
  for (const raw of raws) {
    const value = raw[field]
    if (typeof value === "string" && value !== "") return value
  }
  return null
}

const kindOf = (entrypoint: string | null, sessionKind: string | null): SessionRow["kind"] => {
  if (sessionKind === "bg") return "bg"
  return entrypoint?.startsWith("sdk") === true ? "headless" : "interactive"
}

const isLoop = (messages: ReadonlyArray<Message>): boolean => {
  const first = messages.find((message) => message.type === "user" && ["prompt", "command"].includes(speakerOf(message)))
  return first?.type === "user" && speakerOf(first) === "command" && /^\/loop\b/.test(commandLine(first))
}

/** A prompt or the result of a call waits for the agent; commands and notes do not. */
const isInterrupted = (messages: ReadonlyArray<Message>): boolean => {
  const last = messages.findLast((message) => {
    if (message.type === "assistant") return true
    return message.type === "user" && ["prompt", "result"].includes(speakerOf(message))
  })
  return last?.type === "user"
}

const latest = <T extends MetaRecord["type"]>(records: ReadonlyArray<MetaRecord>, type: T) =>
  records.findLast((record): record is Extract<MetaRecord, { type: T }> => record.type === type)

export const rowOf = (file: SessionFile, glimpse: Glimpse): SessionRow => {
  const lines = [...glimpse.head, ...glimpse.tail].map((value) => readLine(value)).filter((line) => line !== null)
  const chain = lines.flatMap((line) => (line._tag === "Chain" ? [line] : []))
  const records = lines.flatMap((line) => (line._tag === "Meta" ? [line.record] : []))
  const raws = chain.map((line) => line.raw)
  const newest = raws.toReversed()
  const messages = raws.map(messageOf).filter((message) => message !== null)
  const uuids = new Set(chain.map((line) => line.links.uuid))
  const titles = titlesOf(records, (uuid) => uuids.has(uuid))
  const users = messages.filter((message) => message.type === "user")
  const firstPrompt = openingTitle(users.reduce(openingWith, noOpening))
  const lastPrompt = latest(records, "last-prompt")?.lastPrompt ?? null
  const entrypoint = textIn(raws, "entrypoint")
  return {
    ...file,
    summary: displayTitle(titles, firstPrompt) ?? lastPrompt,
    customTitle: titles.customTitle,
    aiTitle: titles.aiTitle,
    firstPrompt,
    lastPrompt,
    createdAt: textIn(raws, "timestamp"),
    cwd: textIn(raws, "cwd"),
    lastCwd: latest(records, "relocated")?.relocatedCwd ?? textIn(newest, "cwd"),
    gitBranch: textIn(newest, "gitBranch"),
    tag: latest(records, "tag")?.tag || null,
    entrypoint,
    kind: kindOf(entrypoint, textIn(raws, "sessionKind")),
    costUsd: latest(records, "cost-state")?.totalCostUSD ?? null,
    prLinks: [...new Set(records.flatMap((record) => (record.type === "pr-link" ? [record.prUrl] : [])))],
    forkedFrom: textIn(
      raws.map((raw) => rawOf(raw["forkedFrom"]) ?? {}),
      "sessionId"
    ),
    isSidechain: chain[0]?.links.isSidechain === true,
    isLoop: isLoop(messages),
    isInterrupted: isInterrupted(messages),
    hasMessages: !glimpse.whole || chain.some((line) => line.links.type === "user" || line.links.type === "assistant")
  }
}

/** Whether `--continue` may take up a session. Headless runs also continue headless sessions. */
export const isContinuable = (row: SessionRow, headless: boolean): boolean =>
  row.hasMessages && !row.isSidechain && !row.isLoop && (row.kind === "interactive" || (headless && row.kind === "headless"))
