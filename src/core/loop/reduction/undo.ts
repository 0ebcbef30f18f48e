import { isUndoLine, SET_ASIDE, setAsideBy } from "../../context/reduction/undo-line.ts"
import { copied, renamed } from "../../session/transcript/window-copy.ts"
import * as Log from "../../domain/append-list.ts"
import type { Uuid } from "../../domain/id.ts"
import { addId } from "../../domain/id-set.ts"
import type { Message, SystemMessage, UserMessage } from "../../domain/message.ts"
import type { LoopEvent } from "../machine/event.ts"
import { inNewWindow } from "../machine/context-state.ts"
import { patchConversation, setPhase, setTurn } from "../machine/patch-state.ts"
import type { AgentState, CompactionWish, Conversation, RunningState } from "../machine/state.ts"
import { andThen, emit, freshName, freshUuid, informational, isIn, notice, type Step, stay } from "../machine/transition.ts"
import { costState, finish } from "../turn/finish.ts"
import { resumedCount } from "../turn/resumed-count.ts"
import { usedTokens } from "../turn/send-request.ts"
import { allWithReplacements } from "../turn/start-turn.ts"
import { historyWith, newestCompaction } from "./view.ts"

/** A compaction is undone, done again, or said in other words: another window takes the place of the current one. */

const refuse = (state: RunningState, words: string): Step =>
  andThen([setTurn(state, { stopText: words }), [notice("warning", words)]], (next) => finish(next, "completed"))

const lineNamed = (message: Message | undefined, field: string): Uuid | undefined => {
  const named = message?.type === "system" ? message[field] : undefined
  return typeof named === "string" ? named : undefined
}

/** The end of the conversation to go back to. */
const endOf = ({ conversation }: AgentState, change: "Undo" | "Redo"): Uuid | undefined => {
  if (change === "Redo") return setAsideBy(Log.get(conversation.messages, conversation.messages.length - 1))
  return lineNamed(newestCompaction(conversation)?.boundary, "logicalParentUuid")
}

const NOTHING_TO = {
  Undo: "There is no compaction in this conversation that could be undone.",
  Redo: "No compaction was undone just now: there is nothing to do again."
}

const reread = (state: RunningState, change: "Undo" | "Redo"): Step => {
  const at = endOf(state, change)
  if (at === undefined) return refuse(state, NOTHING_TO[change])
  const [readId, named] = freshName(state, "reread")
  return [setPhase(named, { _tag: "Rereading", readId, change }), [{ _tag: "ReadWindow", readId, at }]]
}

export const changeWindow = (state: RunningState, change: CompactionWish): Step =>
  change._tag === "Reword" ? reword(state, change.text) : reread(state, change._tag)

interface Window extends Pick<Conversation, "replacements"> {
  readonly messages: ReadonlyArray<Message>
}

/** The window under other names. The file has the old lines already, and memory goes on with their names. */
const copyOf = (state: RunningState, messages: ReadonlyArray<Message>): readonly [ReadonlyArray<Message>, RunningState] => {
  let drawn = state
  const names = new Map(
    messages.map(({ uuid }) => {
      const [name, next] = freshUuid(drawn)
      drawn = next
      return [uuid, name] as const
    })
  )
  return [messages.map((message) => copied(message, names)), drawn]
}

/**
 * Puts a window in place of the current one. All of it is written in one go, its last line being of now: until that is
 * in the file, readers find the conversation as it was. What was spent stands before it, for the lines bear their
 * usage a second time.
 */
const putWindow = (state: RunningState, { messages, replacements }: Window, line: SystemMessage): Step => {
  const { conversation } = state
  const [copies, drawn] = copyOf(state, messages)
  const shown = allWithReplacements(messages, replacements)
  const next = patchConversation(drawn, {
    messages: Log.fromArray([...messages, line]),
    replacements,
    strippedMedia: {},
    history: historyWith(conversation, messages, replacements),
    context: inNewWindow(conversation.context, shown),
    count: resumedCount(shown),
    tip: line.uuid,
    promptIds: messages.reduce((ids, { uuid }) => addId(ids, uuid), conversation.promptIds),
    compaction: {
      ...conversation.compaction,
      iterationsSince: undefined,
      rapidRefills: 0,
      isUndone: isUndoLine(line)
    }
  })
  const counted = patchConversation(next, {
    compaction: { ...next.conversation.compaction, clearedAtTokens: usedTokens(next) }
  })
  const notes = [costState(state)]
  return andThen(
    [
      setTurn(counted, { stopText: line.content }),
      [
        { _tag: "Persist", messages: [...copies, line], parentUuid: null, notes },
        emit({ _tag: "MessageAdded", message: line })
      ]
    ],
    (done) => finish(done, "completed")
  )
}

const isSaid = (message: Message): boolean =>
  message.type === "assistant" || (message.type === "user" && message.isCompactSummary !== true)

/** How much was said since the compaction that goes with it. */
const setAsideWords = ({ conversation: { messages } }: AgentState, known: ReadonlySet<Uuid>): string => {
  const said = Log.toArray(messages).filter((message) => isSaid(message) && !known.has(message.uuid)).length
  return said === 0 ? "" : ` What was said since (messages: ${said}) is set aside with it.`
}

const undone = (state: RunningState, window: Window): Step => {
  const known = new Set(window.messages.map(({ uuid }) => uuid))
  const words = `The compaction was undone: the conversation is as it was before.${setAsideWords(state, known)} /compact redo brings the summary back`
  const [line, drawn] = informational(state, words)
  return putWindow(drawn, window, { ...line, [SET_ASIDE]: state.conversation.tip })
}

const redone = (state: RunningState, window: Window): Step => {
  const [line, drawn] = informational(state, "The compaction was done again: the summary stands in for the older part")
  return putWindow(drawn, window, line)
}

export const onWindowRead = (
  state: RunningState,
  { readId, window }: Pick<Extract<LoopEvent, { readonly _tag: "WindowRead" }>, "readId" | "window">
): Step => {
  if (!isIn(state, "Rereading") || state.run.phase.readId !== readId) return stay(state)
  if ("cause" in window) return refuse(state, `The earlier conversation cannot be read: ${window.cause}`)
  if (window.messages.length === 0) return refuse(state, "The earlier conversation is no longer in the transcript.")
  const read = { messages: window.messages, replacements: new Map(window.replacements) }
  return state.run.phase.change === "Undo" ? undone(state, read) : redone(state, read)
}

const withWords = (summary: UserMessage, uuid: Uuid, content: string): UserMessage => ({
  ...summary,
  uuid,
  message: { role: "user", content }
})

/** The same reduction with another text. */
const reword = (state: RunningState, text: string): Step => {
  const { conversation } = state
  const found = newestCompaction(conversation)
  if (found === undefined) return refuse(state, "There is no summary in this conversation that could be edited.")
  if (text.trim() === "") return refuse(state, "The summary was not changed: a summary needs words.")
  const [boundaryUuid, s1] = freshUuid(state)
  const [summaryUuid, drawn] = freshUuid(s1)
  const names = new Map([
    [found.boundary.uuid, boundaryUuid],
    [found.summary.uuid, summaryUuid]
  ])
  const words = withWords(found.summary, summaryUuid, text)
  const messages = Log.toArray(conversation.messages, found.at).map((message) =>
    message.uuid === found.summary.uuid ? words : renamed(message, names)
  )
  const [line, told] = informational(drawn, "The summary was edited: it is what the model sees of the older part")
  const [boundary] = messages
  const announced: Step<RunningState["run"]> = [
    told,
    boundary === undefined ? [] : [emit({ _tag: "MessageAdded", message: boundary })]
  ]
  return andThen(announced, (next) => putWindow(next, { messages, replacements: conversation.replacements }, line))
}
