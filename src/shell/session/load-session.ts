import { Data, Effect } from "effect"
import type { CallId, Uuid } from "../../core/domain/id.ts"
import { Records, type RecordsFailure } from "../../core/ports/Records.ts"
import type { Message } from "../../core/domain/message.ts"
import { type EarlierPage, messagesOfLines, pagesOf } from "../../core/session/load/earlier-pages.ts"
import { emptyLedger, addLine, reloadMessage, type Entry } from "../../core/session/load/transcript-index.ts"
import { messagesOf, replacementsOf, restore, type Restored } from "../../core/session/load/restore.ts"
import { pairCalls } from "../../core/session/load/pairing.ts"
import { selectConversation } from "../../core/session/load/conversation-lines.ts"

/** Reads a transcript back into a conversation. */
export class MessageNotFound extends Data.TaggedError("MessageNotFound")<{
  readonly uuid: Uuid
  readonly message: string
}> {}

const notFound = (uuid: Uuid): MessageNotFound =>
  new MessageNotFound({ uuid, message: `This session has no message with the id ${uuid}` })

export interface LoadOptions {
  /** Message to continue from as a second branch; the newest one when absent. */
  readonly at?: Uuid
  /** The file is an agent's own transcript. */
  readonly sidechain?: boolean
  /** What lies further back than any model with this window takes is not loaded. */
  readonly windowTokens?: number
}

/** Of the models we know. */
const WIDEST_WINDOW_TOKENS = 1_000_000

export interface LoadedSession extends Restored {
  readonly path: string
  /** What lies before the part that was loaded, to be read when somebody asks for it. */
  readonly earlier: ReadonlyArray<EarlierPage>
}

/** Lines that are read again at once. What they say is kept and the lines are not, so few of them are in memory. */
const LINES_AT_ONCE = 200
const BYTES_AT_ONCE = 256 * 1024

const batchesOf = (lines: ReadonlyArray<Entry>): ReadonlyArray<ReadonlyArray<Entry>> => {
  const batches: Array<Array<Entry>> = []
  let bytes = 0
  for (const entry of lines) {
    const batch = batches.at(-1)
    bytes += entry.length
    if (batch !== undefined && batch.length < LINES_AT_ONCE && bytes <= BYTES_AT_ONCE) batch.push(entry)
    else {
      batches.push([entry])
      bytes = entry.length
    }
  }
  return batches
}

/** Reads lines again that the ledger did not keep. */
const refillLines = Effect.fnUntraced(function* (
  path: string,
  lines: ReadonlyArray<Entry>
): Effect.fn.Return<void, RecordsFailure, Records> {
  const records = yield* Records
  for (const batch of batchesOf(lines.filter((entry) => entry.raw === null))) {
    const values = yield* records.readSpans(path, batch)
    batch.forEach((entry, index) => reloadMessage(entry, values[index]))
  }
})

export const loadSession = Effect.fnUntraced(function* (
  path: string,
  { at, sidechain = false, windowTokens = WIDEST_WINDOW_TOKENS }: LoadOptions = {}
): Effect.fn.Return<LoadedSession, RecordsFailure | MessageNotFound, Records> {
  const records = yield* Records
  const ledger = emptyLedger(sidechain)
  const scan = yield* records.scan(path, (value, span) => addLine(ledger, value, span))
  if (at !== undefined && !ledger.entries.has(at)) {
    return yield* notFound(at)
  }
  const view = selectConversation(ledger, { at, windowTokens })
  yield* refillLines(path, view.lines)
  return { ...restore(ledger, view, scan), path, earlier: pagesOf(view.earlier) }
})

/** The conversation that ended at a line, as its messages were written. */
export const loadWindow = Effect.fnUntraced(function* (
  path: string,
  at: Uuid
): Effect.fn.Return<
  { readonly messages: ReadonlyArray<Message>; readonly replacements: ReadonlyArray<readonly [CallId, string]> },
  RecordsFailure | MessageNotFound,
  Records
> {
  const records = yield* Records
  const ledger = emptyLedger()
  yield* records.scan(path, (value, span) => addLine(ledger, value, span))
  if (!ledger.entries.has(at)) return yield* notFound(at)
  const { lines } = selectConversation(ledger, { at, windowTokens: WIDEST_WINDOW_TOKENS })
  yield* refillLines(path, lines)
  const replacements = replacementsOf(ledger.records).map(({ toolUseId, replacement }) => [toolUseId, replacement] as const)
  return { messages: pairCalls(messagesOf(lines).messages), replacements }
})

/** The pages of all that was said before a record. */
export const pagesBefore = Effect.fnUntraced(function* (
  path: string,
  uuid: Uuid
): Effect.fn.Return<ReadonlyArray<EarlierPage>, RecordsFailure | MessageNotFound, Records> {
  const records = yield* Records
  const ledger = emptyLedger()
  yield* records.scan(path, (value, span) => addLine(ledger, value, span))
  if (!ledger.entries.has(uuid)) return yield* notFound(uuid)
  const { earlier, lines } = selectConversation(ledger, { at: uuid })
  const end = lines.findIndex(({ links }) => links.uuid === uuid)
  return pagesOf([...earlier, ...lines.slice(0, end)])
})

/** One page of what was said before the part that was loaded. */
export const readEarlier = Effect.fnUntraced(function* (
  path: string,
  page: EarlierPage
): Effect.fn.Return<ReadonlyArray<Message>, RecordsFailure, Records> {
  const records = yield* Records
  return messagesOfLines(yield* records.readSpans(path, page))
})
