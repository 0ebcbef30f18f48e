/**
 * The ways in which agents are answered: Messages, Responses and Chat Completions. An answer becomes the events of its
 * stream, or one value.
 *
 * @typedef {object} Answer
 * @property {string} id
 * @property {string} model
 * @property {ReadonlyArray<string>} pieces
 * @property {number} inputTokens
 * @property {{ name: string, input: unknown }} [call] Instead of the pieces; Messages only.
 *
 * @typedef {{ readonly text: string, readonly isPiece: boolean }} WireEvent
 */
const named = (event) => ({ text: `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`, isPiece: false })
const plain = (event) => ({ text: `data: ${JSON.stringify(event)}\n\n`, isPiece: false })
const asPiece = (event) => ({ ...event, isPiece: true })
/** About four characters are a token. */
const tokensOf = (pieces) => Math.ceil(pieces.join("").length / 4)

const message = ({ id, model, inputTokens }, rest) => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: inputTokens, output_tokens: 1 },
  ...rest
})

const toolUse = ({ id, call }) => ({ type: "tool_use", id: `toolu_${id}`, name: call.name, input: {} })

/** The one block of the message: how it begins, and what it grows by. */
const blockOf = (answer) =>
  answer.call === undefined
    ? { begin: { type: "text", text: "" }, deltas: answer.pieces.map((text) => ({ type: "text_delta", text })) }
    : { begin: toolUse(answer), deltas: [{ type: "input_json_delta", partial_json: JSON.stringify(answer.call.input) }] }

const messages = {
  events: (answer) => [
    named({ type: "message_start", message: message(answer) }),
    named({ type: "content_block_start", index: 0, content_block: blockOf(answer).begin }),
    ...blockOf(answer).deltas.map((delta) => asPiece(named({ type: "content_block_delta", index: 0, delta }))),
    named({ type: "content_block_stop", index: 0 }),
    named({
      type: "message_delta",
      delta: { stop_reason: answer.call === undefined ? "end_turn" : "tool_use", stop_sequence: null },
      usage: { output_tokens: tokensOf(answer.pieces) }
    }),
    named({ type: "message_stop" })
  ],
  whole: (answer) => message(answer, { content: [{ type: "text", text: answer.pieces.join("") }], stop_reason: "end_turn" })
}

const responseOf = ({ id, model, pieces, inputTokens }, status, output) => ({
  id: `resp_${id}`,
  object: "response",
  created_at: 0,
  status,
  model,
  output,
  usage:
    status === "completed"
      ? {
          input_tokens: inputTokens,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: tokensOf(pieces),
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: inputTokens + tokensOf(pieces)
        }
      : null
})

const responses = {
  events: (answer) => {
    const item = (status, content) => ({ id: `item_${answer.id}`, type: "message", role: "assistant", status, content })
    const place = { item_id: `item_${answer.id}`, output_index: 0, content_index: 0 }
    const part = (text) => ({ type: "output_text", text, annotations: [] })
    const text = answer.pieces.join("")
    const done = item("completed", [part(text)])
    return [
      named({ type: "response.created", response: responseOf(answer, "in_progress", []) }),
      named({ type: "response.output_item.added", output_index: 0, item: item("in_progress", []) }),
      named({ type: "response.content_part.added", ...place, part: part("") }),
      ...answer.pieces.map((delta) => asPiece(named({ type: "response.output_text.delta", ...place, delta }))),
      named({ type: "response.output_text.done", ...place, text }),
      named({ type: "response.content_part.done", ...place, part: part(text) }),
      named({ type: "response.output_item.done", output_index: 0, item: done }),
      named({ type: "response.completed", response: responseOf(answer, "completed", [done]) })
    ]
  },
  whole: (answer) =>
    responseOf(answer, "completed", [
      {
        id: `item_${answer.id}`,
        type: "message",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: answer.pieces.join(""), annotations: [] }]
      }
    ])
}

const chunk = ({ id, model }, delta, rest = {}) =>
  plain({
    id: `chatcmpl-${id}`,
    object: "chat.completion.chunk",
    created: 0,
    model,
    choices: [{ index: 0, delta, finish_reason: null }],
    ...rest
  })

const usageOf = ({ pieces, inputTokens }) => ({
  prompt_tokens: inputTokens,
  completion_tokens: tokensOf(pieces),
  total_tokens: inputTokens + tokensOf(pieces)
})

const chat = {
  events: (answer) => [
    chunk(answer, { role: "assistant", content: "" }),
    ...answer.pieces.map((content) => asPiece(chunk(answer, { content }))),
    chunk(answer, {}, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: usageOf(answer) }),
    { text: "data: [DONE]\n\n", isPiece: false }
  ],
  whole: (answer) => ({
    id: `chatcmpl-${answer.id}`,
    object: "chat.completion",
    created: 0,
    model: answer.model,
    choices: [{ index: 0, message: { role: "assistant", content: answer.pieces.join("") }, finish_reason: "stop" }],
    usage: usageOf(answer)
  })
}

const WIRES = [
  [/\/v1\/messages(\?|$)/, messages],
  [/\/responses(\?|$)/, responses],
  [/\/chat\/completions(\?|$)/, chat]
]

/** How to answer at a path; undefined where nobody answers. */
export const wireOf = (url) => WIRES.find(([path]) => path.test(url))?.[1]
