import { NO_FACTS } from "../../src/core/permission/facts.ts"
import { step } from "../../src/core/loop/step.ts"
import { loopState, PROJECT_DIR } from "../../test/support/loop-fixture.ts"
import { Maker } from "../../test/support/session/build.ts"

/**
 * The core with a scripted world around it. The world answers the commands once and the events are kept; equal events
 * give equal states, so the same list can then be stepped again and again and only that be timed.
 */
const FILE = `${PROJECT_DIR}/src/main.ts`
const WORDS = "some words of an answer "
const RESULT = WORDS.repeat(20)

/** A conversation of so many messages: prompt, call, result, answer, and again. */
export const conversation = (size) => {
  const maker = new Maker()
  const turn = (number) => {
    const input = { file_path: FILE }
    const call = maker.fragment(`m${number}`, { type: "tool_use", id: `c${number}`, name: "Read", input })
    return [
      maker.prompt(`prompt ${number}: ${WORDS.repeat(4)}`),
      call,
      maker.result(call, `c${number}`, RESULT),
      maker.says(`e${number}`, WORDS.repeat(10))
    ]
  }
  return Array.from({ length: size / 4 }, (_, number) => turn(number)).flat()
}

/** The state in which a session with these messages is picked up. The window is never full. */
export const stateOf = (messages) =>
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
  ...Array.from({ length: deltas }, () => ({
    type: "content_block_delta",
    index,
    delta: { type: "text_delta", text: WORDS }
  })),
  { type: "content_block_stop", index }
]

const callBlock = (index, id) => [
  { type: "content_block_start", index, content_block: { type: "tool_use", id, name: "Read", input: {} } },
  ...['{"file_path":', `${JSON.stringify(FILE)}}`].map((partial_json) => ({
    type: "content_block_delta",
    index,
    delta: { type: "input_json_delta", partial_json }
  })),
  { type: "content_block_stop", index }
]

const responseTo = (requestId, withCall, deltas) => {
  const usage = { input_tokens: 1_000, output_tokens: 100 }
  const said = [
    { type: "message_start", message: { id: `msg-${requestId}`, model: "offline", usage } },
    ...textBlock(0, deltas),
    ...(withCall ? callBlock(1, `call-${requestId}`) : []),
    { type: "message_delta", delta: { stop_reason: withCall ? "tool_use" : "end_turn" }, usage },
    { type: "message_stop" }
  ]
  return [
    { _tag: "StreamOpened", requestId, apiRequestId: undefined },
    ...said.map((event) => ({ _tag: "ModelSaid", requestId, event })),
    { _tag: "StreamEnded", requestId }
  ]
}

/** What the world does about a command. A prompt is answered with a call, its result with words alone. */
const reactionTo = (command, deltas) => {
  const { _tag, callId } = command
  switch (_tag) {
    case "Persist":
      return command.ack === undefined ? [] : [{ _tag: "Persisted", ack: command.ack }]
    case "StartRequest":
      return responseTo(command.requestId, command.request.messages.at(-1).content.at(-1).type === "text", deltas)
    case "PrepareCall":
      return [
        { _tag: "CallPrepared", callId, facts: { ...NO_FACTS, paths: [{ path: FILE, realPath: FILE, exists: true }] } }
      ]
    case "StartCall":
      return [{ _tag: "CallSettled", callId, outcome: { _tag: "Returned", content: RESULT, data: {}, isError: false } }]
    default:
      return []
  }
}

const promptNumber = (number) => ({
  _tag: "PromptSubmitted",
  uuid: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
  content: WORDS,
  priority: "next",
  origin: "human",
  appendOnly: false
})

/** Plays prompts to their ends: the events, which of them led to a request, and the last request. */
export const play = (initial, { prompts, deltas }) => {
  const events = []
  const requesting = []
  let state = initial
  let request
  const advance = (occurrence) => {
    const event = { ...occurrence, at: events.length + 1 }
    const [next, commands] = step(state, event)
    const started = commands.find(({ _tag }) => _tag === "StartRequest")
    state = next
    request = started?.request ?? request
    events.push(event)
    requesting.push(started !== undefined)
    return commands.flatMap((command) => reactionTo(command, deltas))
  }
  for (let number = 0; number < prompts; number++) {
    const mailbox = [promptNumber(number)]
    while (mailbox.length > 0) mailbox.push(...advance(mailbox.shift()))
    if (state.run._tag !== "Done") throw new Error(`prompt ${number} ended in ${state.run._tag}`)
  }
  return { events, requesting, request }
}
