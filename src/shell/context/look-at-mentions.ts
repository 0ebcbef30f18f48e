import { Effect, Result } from "effect"
import type { ContentBlock } from "../../core/domain/block.ts"
import { type FileMention, type Mention, mentionKey, mentionsIn } from "../../core/context/mentions/parse.ts"
import type { AskedLines, Items, MentionValue } from "../../core/context/sources/source.ts"
import { rawOf } from "../../core/domain/json/json-object.ts"
import type { Presence } from "../../core/domain/path/presence.ts"
import { resolveFrom } from "../../core/domain/path/path-text.ts"
import { oneLine } from "../../core/model/request/fence.ts"
import { estimateBlocks, estimateText } from "../../core/model/tokens/estimate.ts"
import type { PermissionContext } from "../../core/permission/context.ts"
import type { PathFact } from "../../core/domain/path/path-components.ts"
import { Files } from "../../core/ports/Files.ts"
import type { FactPorts } from "../facts/gather-facts.ts"
import type { ToolContext, ToolOutput } from "../tools/contract/executor.ts"
import { readExecutor } from "../tools/files/read.ts"
import { readTokens } from "../tools/files/read-text.ts"
import { FileState } from "../tools/services/file-state.ts"
import { readingRule } from "./reading-rules.ts"

/**
 * Reads what a prompt names with `@`, with the code of the Read tool and under its rules. A name that leads nowhere is
 * only a word; whatever else is left out, the user is told why.
 */
export interface MentionLook {
  readonly prompt: { readonly uuid: string; readonly text: string }
  readonly permission: PermissionContext
  /** As for a call of the Read tool. */
  readonly call: Omit<ToolContext, "callId" | "pathFacts">
  readonly tell: (remark: string) => void
}

/** A pasted text may hold any number of such words. */
const MOST_MENTIONS = 100
const MOST_NAMES = 200
const BYTES_PER_TOKEN = 4
/** All mentions of a prompt together, as so many whole files. */
const MOST_FILES = 4

/** Left out, with the reason for the user. */
interface Left {
  readonly reason: string
}

type Found = MentionValue | Left | undefined

const left = (reason: string): Left => ({ reason })

/** What is there, and where it leads. */
interface Place {
  readonly fact: PathFact
  readonly presence: Presence
}

const rangeOf = ({ lines }: FileMention): AskedLines | undefined =>
  lines === undefined ? undefined : { offset: lines.first, limit: lines.last - lines.first + 1 }

const fileData = (output: ToolOutput) => {
  const data = rawOf(output.data)
  return { type: data?.["type"], file: rawOf(data?.["file"]) }
}

const tokensOf = (content: string | ReadonlyArray<ContentBlock>): number =>
  typeof content === "string" ? estimateText(content) : estimateBlocks(content)

/** The first sentence of a refusal, without its kind. */
const reasonIn = (message: string): string => /^(?:\w+: )?(.*?)\.(?:\s|$)/s.exec(message)?.[1] ?? message

interface Room {
  /** Tokens of all mentions that are still to come. */
  readonly left: number
}

/** Why what was read is too much; undefined when it is not. */
const excess = (output: ToolOutput, { size }: Presence, limit: number, room: Room): string | undefined => {
  const { type, file } = fileData(output)
  if (file?.["truncatedByTokenCap"] === true || (type === "text" && size > limit * BYTES_PER_TOKEN)) {
    return `it is longer than ${limit} tokens; name a part of it, as in #L1-200`
  }
  return tokensOf(output.content) > room.left ? "the files that the prompt names are too long together" : undefined
}

/**
 * The model has seen the file afterwards. That is not noted as a result of the Read tool: when a prompt is given back
 * to the user its attachments go with it, and then the next mention must show the file again.
 */
const readFile = Effect.fnUntraced(function* (mention: FileMention, place: Place, { call }: MentionLook, room: Room) {
  const state = yield* FileState
  const { path } = place.fact
  const before = yield* state.get(path)
  const range = rangeOf(mention)
  const read = readExecutor.run(
    { file_path: path, ...range },
    { ...call, callId: `mention-${crypto.randomUUID()}`, pathFacts: [place.fact] }
  )
  const result = yield* Effect.result(read)
  if (Result.isFailure(result)) return left(reasonIn(result.failure.message))
  const output = result.success
  const { type, file } = fileData(output)
  if (type === "file_unchanged") return undefined
  const size = range === undefined ? place.presence.size : 0
  const tooMuch = excess(output, { ...place.presence, size }, readTokens(call.env), room)
  if (tooMuch !== undefined) {
    yield* before === undefined ? state.forget(path) : state.record(before)
    return left(tooMuch)
  }
  const after = yield* state.get(path)
  if (after !== undefined && after !== before) yield* state.record({ ...after, source: "seeded" })
  const value: MentionValue = {
    kind: "file",
    path,
    name: mention.path,
    content: output.content,
    ...(range === undefined ? {} : { range }),
    ...(type === "text" && file !== null ? { record: file } : {})
  }
  return value
})

const readDirectory = Effect.fnUntraced(function* ({ path: name }: Mention, { fact: { path, realPath } }: Place) {
  const files = yield* Files
  const listed = yield* Effect.result(files.list(path, { approvedRealPath: realPath }))
  if (Result.isFailure(listed)) return left(listed.failure.message)
  const entries = listed.success
  const names = entries.map((entry) => (entry.kind === "directory" ? `${oneLine(entry.name)}/` : oneLine(entry.name)))
  const more = names.length - MOST_NAMES
  const content = [...names.slice(0, MOST_NAMES), ...(more > 0 ? [`... and ${more} more`] : [])].join("\n")
  const value: MentionValue = { kind: "directory", path, name, content: content === "" ? "(empty)" : content }
  return value
})

const lookAt = Effect.fnUntraced(function* (
  mention: Mention,
  look: MentionLook,
  room: Room
): Effect.fn.Return<Found, never, FactPorts | FileState> {
  const files = yield* Files
  const path = resolveFrom(look.call.cwd, mention.path.replace(/^~(?=\/|$)/, look.permission.home.path))
  const [presence] = yield* files.present([path])
  if (presence === undefined) {
    return mention.kind === "agent" ? { kind: "agent", name: mention.name, promptUuid: look.prompt.uuid } : undefined
  }
  const { fact, decision } = yield* readingRule(path, { permission: look.permission, cwd: look.call.cwd })
  // Whoever names a file approves of reading it, wherever it is; what rules protect stays protected.
  const isApproved = decision.verdict === "allow" || decision.reason.type === "workingDir"
  if (fact === undefined || !isApproved) return left(decision.reason.sentence)
  const place = { fact, presence }
  const file: FileMention = mention.kind === "file" ? mention : { kind: "file", path: mention.path }
  return yield* presence.kind === "directory" ? readDirectory(file, place) : readFile(file, place, look, room)
})

const idOf = (mention: Mention, value: MentionValue): string =>
  value.kind === "agent" ? mentionKey(mention) : mentionKey({ ...mention, path: value.path })

export const lookAtMentions = Effect.fnUntraced(function* (
  look: MentionLook
): Effect.fn.Return<Items<"mentions">, never, FactPorts | FileState> {
  const found = new Map<string, MentionValue>()
  let room = MOST_FILES * readTokens(look.call.env)
  for (const mention of mentionsIn(look.prompt.text).slice(0, MOST_MENTIONS)) {
    const value = yield* lookAt(mention, look, { left: room })
    if (value === undefined) continue
    if ("reason" in value) {
      look.tell(`@${mention.path} was not attached: ${value.reason}`)
      continue
    }
    if (value.kind !== "agent") room -= tokensOf(value.content)
    found.set(idOf(mention, value), value)
  }
  return [...found].map(([id, value]) => ({ id, value }))
})
