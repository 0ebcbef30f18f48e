import { step } from "../../src/core/loop/step.ts"
import { loopState, PROJECT_DIR } from "../../test/support/loop-fixture.ts"
import { Maker } from "../../test/support/session/build.ts"

/**
 * The core alone. A short driver answers the commands once and keeps the events; because equal events give equal
 * states, the same list is then stepped again and again and only that is timed. Prints samples as JSON.
 */
const SIZES = [100, 1_000, 10_000]
const PROMPTS = 40
const DELTAS = 50
const ROUNDS = 15
const WARMUPS = 3
const MANY_DELTAS = 100_000
const FILE = `${PROJECT_DIR}/src/main.ts`
const WORDS = "some words of an answer "

/** A conversation of so many messages: prompt, call, result, answer, and again. */
const conversation = (size) => {
  const maker = new Maker()
  const turn = (number) => {
    const call = maker.fragment(`m${number}`, { type: "tool_use", id: `c${number}`, name: "Read", input: { file_path: FILE } })
    return [
      maker.prompt(`prompt ${number}: ${WORDS.repeat(4)}`),
      call,
      maker.result(call, `c${number}`, WORDS.repeat(20)),
      maker.says(`e${number}`, WORDS.repeat(10))
    ]
  }
  return Array.from({ length: size / 4 }, (_, number) => turn(number)).flat()
}

const stateOf = (messages) =>
  loopState({
    config: { autoCompact: false, windowTokens: 1_000_000_000 },
    restored: {
      messages,
      replacements: new Map(),
      totals: { models: {}, costUsd: 0, apiMs: 0 },
      tip: messages.at(-1).uuid,
      queue: []
    }
  })

const textBlock = (index, deltas) => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  ...Array.from({ length: deltas }, () => ({ type: "content_block_delta", index, delta: { type: "text_delta", text: WORDS } })),
  { type: "content_block_stop", index }
]

const callBlock = (index, id) => [
  { type: "content_block_start", index, content_block: { type: "tool_use", id, name: "Read", input: {} } },
  { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: '{"file_path":' } },
  { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: `${JSON.stringify(FILE)}}` } },
  { type: "content_block_stop", index }
]

/** One response: words, and on every first request of a turn a call. */
const responseTo = (requestId, withCall, deltas) => {
  const usage = { input_tokens: 1_000, output_tokens: 100 }
  const blocks = [...textBlock(0, deltas), ...(withCall ? callBlock(1, `call-${requestId}`) : [])]
  const said = [
    { type: "message_start", message: { id: `msg-${requestId}`, model: "offline", usage } },
    ...blocks,
    { type: "message_delta", delta: { stop_reason: withCall ? "tool_use" : "end_turn" }, usage },
    { type: "message_stop" }
  ]
  return [
    { _tag: "StreamOpened", requestId, apiRequestId: undefined },
    ...said.map((event) => ({ _tag: "ModelSaid", requestId, event })),
    { _tag: "StreamEnded", requestId }
  ]
}

/** What the world does about a command. */
const reactionTo = (command, deltas) => {
  switch (command._tag) {
    case "Persist":
      return command.ack === undefined ? [] : [{ _tag: "Persisted", ack: command.ack }]
    case "StartRequest":
      return responseTo(command.requestId, command.request.messages.at(-1).content.at(-1).type === "text", deltas)
    case "PrepareCall":
      return [{ _tag: "CallPrepared", callId: command.callId, facts: [{ path: FILE, realPath: FILE, exists: true }] }]
    case "StartCall":
      return [{ _tag: "CallSettled", callId: command.callId, outcome: { _tag: "Returned", content: WORDS.repeat(20), data: {}, isError: false } }]
    default:
      return []
  }
}

/** Plays prompts to their ends and returns the events, the request each led to, if any, and the last request. */
const play = (initial, prompts, deltas) => {
  const events = []
  const requesting = []
  const mailbox = []
  let state = initial
  let request
  for (let number = 0; number < prompts; number++) {
    const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`
    mailbox.push({ _tag: "PromptSubmitted", uuid, content: WORDS, priority: "next", origin: "human", appendOnly: false })
    for (let occurrence = mailbox.shift(); occurrence !== undefined; occurrence = mailbox.shift()) {
      const event = { ...occurrence, at: events.length + 1 }
      const [next, commands] = step(state, event)
      state = next
      const started = commands.find(({ _tag }) => _tag === "StartRequest")
      request = started?.request ?? request
      events.push(event)
      requesting.push(started !== undefined)
      for (const command of commands) mailbox.push(...reactionTo(command, deltas))
    }
    if (state.phase._tag !== "Done") throw new Error(`prompt ${number} ended in ${state.phase._tag}`)
  }
  return { events, requesting, request }
}

/** Steps through the events and keeps the time of those that build a request apart from the rest. */
const replay = (initial, { events, requesting }, advance) => {
  let state = initial
  let plainMs = 0
  let requestMs = 0
  let from = performance.now()
  for (let index = 0; index < events.length; index++) {
    if (!requesting[index]) {
      state = advance(state, events[index])[0]
      continue
    }
    const before = performance.now()
    state = advance(state, events[index])[0]
    const after = performance.now()
    plainMs += before - from
    requestMs += after - before
    from = after
  }
  return { plainMs: plainMs + performance.now() - from, requestMs }
}

/** The least any reducer over immutable records does: one copy. */
const copyOnly = (state, event) => [{ ...state, now: event.at }, []]

const sampleSize = (prepared) => {
  const { messages, played } = prepared
  const requests = played.requesting.filter(Boolean).length
  const plainEvents = played.events.length - requests
  const { plainMs, requestMs } = replay(stateOf(messages), played, step)
  const copied = replay(stateOf(messages), played, copyOnly)
  const from = performance.now()
  JSON.stringify(played.request)
  return {
    nsPerEvent: (plainMs * 1e6) / plainEvents,
    nsPerCopy: (copied.plainMs * 1e6) / plainEvents,
    usPerRequest: (requestMs * 1e3) / requests,
    usPerStringify: (performance.now() - from) * 1e3,
    usPerPrompt: ((plainMs + requestMs) * 1e3) / PROMPTS
  }
}

const prepared = SIZES.map((size) => {
  const messages = conversation(size)
  return { size, messages, played: play(stateOf(messages), PROMPTS, DELTAS), samples: [] }
})
const short = stateOf(conversation(100))
const long = { few: play(short, 1, MANY_DELTAS / 20), many: play(short, 1, MANY_DELTAS / 2), samples: [] }

for (let round = -WARMUPS; round < ROUNDS; round++) {
  for (const entry of prepared) {
    const sample = sampleSize(entry)
    if (round >= 0) entry.samples.push(sample)
  }
  const timeOf = ({ plainMs, requestMs }) => plainMs + requestMs
  let few = 0
  for (let time = 0; time < 10; time++) few += timeOf(replay(stateOf(conversation(100)), long.few, step))
  const many = timeOf(replay(stateOf(conversation(100)), long.many, step))
  if (round >= 0) long.samples.push({ tenTimesFewMs: few, manyMs: many })
}

process.stdout.write(JSON.stringify({ sizes: prepared.map(({ size, samples }) => ({ size, samples })), deltas: long.samples }))
