import * as fc from "fast-check"
import type { AssistantMessage, Message } from "../../../src/core/domain/message.ts"
import { emptyChain, recordMessages, type ChainState } from "../../../src/core/session/transcript/chain.ts"
import { context, Maker } from "./build.ts"

/** Random conversations as a loop would record them: parallel calls, notes between results, compactions, branches. */
interface Answer {
  readonly thinks: boolean
  readonly says: boolean
  readonly calls: number
  /** Order in which results are written, as ranks of the calls. */
  readonly order: ReadonlyArray<number>
  /** A hook's note behind the n-th result. */
  readonly noteAfter: number | null
}

type Act =
  | { readonly _tag: "Turn"; readonly prompt: string; readonly answers: ReadonlyArray<Answer>; readonly note: boolean }
  | { readonly _tag: "Compact"; readonly keepTurns: number; readonly form: "none" | "segment" | "uuids" }
  | { readonly _tag: "Rewind"; readonly turns: number }

const PLAIN_UNITS = ["a", "Z", "7", "/", "-", "<", '"', "\\"]
const ODD_UNITS = ["\n", "\r", "\0", "\u2028", "\ufeff", "ä", "🌳", "\ud800"]

/** Text with the characters that files and JSON are fond of breaking at. */
export const anyText = (maxLength = 12): fc.Arbitrary<string> =>
  fc.string({
    minLength: 1,
    maxLength,
    unit: fc.constantFrom(...PLAIN_UNITS, ...ODD_UNITS)
  })

const answer: fc.Arbitrary<Answer> = fc.record({
  thinks: fc.boolean(),
  says: fc.boolean(),
  calls: fc.nat(3),
  order: fc.shuffledSubarray([0, 1, 2], { minLength: 3, maxLength: 3 }),
  noteAfter: fc.option(fc.nat(2))
})

const turn: fc.Arbitrary<Act> = fc.record({
  _tag: fc.constant("Turn" as const),
  prompt: anyText(),
  answers: fc.array(answer, { maxLength: 3 }),
  note: fc.boolean()
})
const compact: fc.Arbitrary<Act> = fc.record({
  _tag: fc.constant("Compact" as const),
  keepTurns: fc.nat(2),
  form: fc.constantFrom("none" as const, "segment" as const, "uuids" as const)
})
const rewind: fc.Arbitrary<Act> = fc.record({
  _tag: fc.constant("Rewind" as const),
  turns: fc.integer({ min: 1, max: 3 })
})

/** Mostly turns. */
const act = (branches: boolean): fc.Arbitrary<Act> =>
  fc.oneof(
    { weight: 5, arbitrary: turn },
    { weight: 1, arbitrary: compact },
    ...(branches ? [{ weight: 1, arbitrary: rewind }] : [])
  )

export interface History {
  readonly acts: ReadonlyArray<Act>
  /** Hand over the whole conversation each time, or only what is new. */
  readonly whole: boolean
}

export const histories = ({ branches }: { readonly branches: boolean }): fc.Arbitrary<History> =>
  fc.record({
    acts: fc.array(act(branches), { minLength: 1, maxLength: 8 }),
    whole: fc.boolean()
  })

interface Conversation {
  readonly messages: ReadonlyArray<Message>
  /** Where each turn begins, counted from the last boundary's own and kept messages on. */
  readonly turns: ReadonlyArray<number>
}

const answered = (maker: Maker, plan: Answer, name: string): ReadonlyArray<Message> => {
  const fragments: Array<AssistantMessage> = []
  if (plan.thinks) fragments.push(maker.fragment(name, { type: "thinking", thinking: "hm", signature: "s" }))
  if (plan.says || plan.calls === 0) fragments.push(maker.says(name, "words"))
  const callers = Array.from({ length: plan.calls }, (_, index) => maker.calls(name, `${name}-${index}`))
  const order = plan.order.filter((index) => index < callers.length)
  const results = order.flatMap((index, at): ReadonlyArray<Message> => {
    const caller = callers[index]
    if (caller === undefined) return []
    const note = plan.noteAfter === at ? [maker.attachment("hook_success")] : []
    return [maker.result(caller, `${name}-${index}`), ...note]
  })
  return [...fragments, ...callers, ...results]
}

type Turn = Extract<Act, { _tag: "Turn" }>
type Compact = Extract<Act, { _tag: "Compact" }>

const afterTurn = (maker: Maker, { messages, turns }: Conversation, act: Turn): Conversation => {
  const prompt = maker.prompt(act.prompt)
  const said = act.answers.flatMap((plan, index) => answered(maker, plan, `msg-${prompt.uuid}-${index}`))
  const note = act.note ? [maker.system("turn_duration", { durationMs: 5 })] : []
  return { messages: [...messages, prompt, ...said, ...note], turns: [...turns, messages.length] }
}

const afterCompact = (maker: Maker, { messages, turns }: Conversation, act: Compact): Conversation => {
  const from = act.form === "none" ? messages.length : (turns.at(-act.keepTurns) ?? messages.length)
  const kept = act.keepTurns === 0 ? [] : messages.slice(from)
  const first = kept[0]
  const last = kept.at(-1)
  const summary = maker.prompt("Summary.", { isCompactSummary: true, isVisibleInTranscriptOnly: true })
  const uuids = kept.map((message) => message.uuid)
  const preserved =
    first === undefined || last === undefined
      ? {}
      : act.form === "segment"
        ? { preservedSegment: { headUuid: first.uuid, anchorUuid: summary.uuid, tailUuid: last.uuid } }
        : { preservedMessages: { anchorUuid: summary.uuid, uuids, allUuids: uuids } }
  const boundary = maker.system("compact_boundary", {
    content: "Compacted",
    compactMetadata: { trigger: "auto", preTokens: 9, ...preserved }
  })
  return { messages: [boundary, summary, ...kept], turns: [] }
}

/** Plays a history: the conversation in memory at the end and every line that was written on the way. */
export const play = ({ acts, whole }: History) => {
  const maker = new Maker()
  let conversation: Conversation = { messages: [], turns: [] }
  let state: ChainState = emptyChain
  const lines: Array<{ readonly uuid: string }> = []
  const record = (messages: ReadonlyArray<Message>, parent?: null): void => {
    const recorded = recordMessages(state, messages, { context, parent })
    state = recorded.state
    lines.push(...recorded.lines)
  }
  let rewound = false
  for (const act of [...acts, { _tag: "Turn", prompt: "last", answers: [], note: false } as const]) {
    if (act._tag === "Rewind") {
      const from = conversation.turns.at(-act.turns)
      if (from === undefined) continue
      conversation = { messages: conversation.messages.slice(0, from), turns: conversation.turns.slice(0, -act.turns) }
      rewound = true
      continue
    }
    if (act._tag === "Compact" && (conversation.messages.length === 0 || rewound)) continue
    const known = conversation.messages.length
    conversation = act._tag === "Turn" ? afterTurn(maker, conversation, act) : afterCompact(maker, conversation, act)
    const news = whole || rewound || act._tag === "Compact" ? conversation.messages : conversation.messages.slice(known)
    record(news, rewound && known === 0 ? null : undefined)
    rewound = false
  }
  return { messages: conversation.messages, lines, state }
}
