/**
 * Refuses what the real Messages API refuses, with a message that names the place. Fake endpoints that accept anything
 * let broken conversations pass every test. Returns the first violation, or undefined.
 */
export interface Json {
  readonly [key: string]: unknown
}

const TOP_LEVEL = new Set([
  "model",
  "max_tokens",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "stream",
  "thinking",
  "output_config",
  "temperature",
  "top_p",
  "top_k",
  "stop_sequences",
  "metadata",
  "service_tier",
  "cache_control",
  "context_management",
  "container",
  "mcp_servers",
  "speed"
])
const EFFORTS = new Set<unknown>(["low", "medium", "high", "xhigh", "max"])
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const CALL_ID = /^[a-zA-Z0-9_-]+$/
const MAX_CACHE_MARKS = 4
const MIN_THINKING_TOKENS = 1024

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isWhole = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value)

const objects = (value: unknown): ReadonlyArray<Json> => (Array.isArray(value) ? value.filter(isObject) : [])

const firstOf = (checks: Iterable<() => string | undefined>): string | undefined => {
  for (const check of checks) {
    const violation = check()
    if (violation !== undefined) return violation
  }
  return undefined
}

const checkScalars = (body: Json, countOnly: boolean): string | undefined => {
  const extra = Object.keys(body).find((key) => !TOP_LEVEL.has(key))
  if (extra !== undefined) return `${extra}: this field is not known`
  if (typeof body["model"] !== "string" || body["model"] === "") return "model: a model name is required"
  if (countOnly) return undefined
  if (!isWhole(body["max_tokens"]) || body["max_tokens"] < 1) return "max_tokens: a whole number above 0 is required"
  return undefined
}

const checkThinking = (body: Json): string | undefined => {
  const thinking = body["thinking"]
  if (thinking === undefined) return undefined
  if (!isObject(thinking)) return "thinking: an object is required"
  const on = thinking["type"] === "enabled" || thinking["type"] === "adaptive"
  if (on && body["temperature"] !== undefined && body["temperature"] !== 1) {
    return "temperature: only 1 is accepted while thinking is on"
  }
  if (thinking["type"] !== "enabled") return undefined
  const budget = thinking["budget_tokens"]
  if (!isWhole(budget) || budget < MIN_THINKING_TOKENS) {
    return `thinking.budget_tokens: at least ${MIN_THINKING_TOKENS} is required`
  }
  return isWhole(body["max_tokens"]) && body["max_tokens"] <= budget
    ? "`max_tokens` must be greater than `thinking.budget_tokens`"
    : undefined
}

const checkOptions = (body: Json): string | undefined => {
  const config = body["output_config"]
  const effort = isObject(config) ? config["effort"] : undefined
  if (effort !== undefined && !EFFORTS.has(effort)) {
    return `output_config.effort: ${JSON.stringify(effort)} is not a level`
  }
  const metadata = body["metadata"]
  const extra = isObject(metadata) ? Object.keys(metadata).find((key) => key !== "user_id") : undefined
  return extra === undefined ? undefined : `metadata.${extra}: this field is not known`
}

const checkTools = (body: Json): string | undefined => {
  const seen = new Set<unknown>()
  return firstOf(
    objects(body["tools"]).map((tool, index) => () => {
      const name = tool["name"]
      if (typeof name !== "string" || !TOOL_NAME.test(name)) return `tools.${index}.name: not a valid name`
      if (seen.has(name)) return `tools.${index}.name: ${name} is already taken, tool names must be unique`
      seen.add(name)
      const schema = tool["input_schema"]
      const custom = tool["type"] === undefined || tool["type"] === "custom"
      if (custom && !(isObject(schema) && schema["type"] === "object")) {
        return `tools.${index}.input_schema.type: "object" is required`
      }
      return undefined
    })
  )
}

/** Every block in wire order with its place, those inside tool results too. */
const placedBlocks = (blocks: ReadonlyArray<Json>, place: string): ReadonlyArray<readonly [string, Json]> =>
  blocks.flatMap((block, index) => {
    const here = `${place}.${index}`
    const inner = block["type"] === "tool_result" ? placedBlocks(objects(block["content"]), `${here}.content`) : []
    return [[here, block] as const, ...inner]
  })

const allBlocks = (body: Json): ReadonlyArray<readonly [string, Json]> => [
  ...placedBlocks(objects(body["tools"]), "tools"),
  ...placedBlocks(objects(body["system"]), "system"),
  ...objects(body["messages"]).flatMap((message, index) =>
    placedBlocks(objects(message["content"]), `messages.${index}.content`)
  )
]

const checkBlocks = (body: Json): string | undefined =>
  firstOf(
    allBlocks(body).map(([place, block]) => () => {
      if (place.startsWith("tools.")) return undefined
      const { cache_control: mark, text, type } = block
      if (typeof type !== "string") return `${place}.type: a type is required`
      if (type === "text" && (typeof text !== "string" || text.trim() === "")) {
        return `${place}: text blocks must not be empty`
      }
      const thinks = type === "thinking" || type === "redacted_thinking"
      if (thinks && mark !== undefined) return `${place}.cache_control: not allowed on a ${type} block`
      if (type === "thinking" && typeof block["signature"] !== "string") return `${place}.signature: required`
      return undefined
    })
  )

const checkCacheMarks = (body: Json): string | undefined => {
  const marks = allBlocks(body).flatMap(([place, { cache_control: mark }]) =>
    isObject(mark) ? [{ place, ttl: mark["ttl"] }] : []
  )
  if (marks.length > MAX_CACHE_MARKS) {
    return `at most ${MAX_CACHE_MARKS} blocks may carry cache_control, found ${marks.length}`
  }
  const firstShort = marks.findIndex(({ ttl }) => ttl !== "1h")
  const late = marks.find(({ ttl }, index) => ttl === "1h" && firstShort !== -1 && index > firstShort)
  return late === undefined ? undefined : `${late.place}.cache_control.ttl: 1h may not come after 5m`
}

const checkRoles = (messages: ReadonlyArray<unknown>): string | undefined =>
  firstOf(
    messages.map((message, index) => () => {
      if (!isObject(message)) return `messages.${index}: an object is required`
      const expected = index % 2 === 0 ? "user" : "assistant"
      if (message["role"] !== expected) {
        return index === 0
          ? "messages.0.role: the first message must be from the user"
          : `messages.${index}.role: roles must alternate, expected ${expected}`
      }
      const content = message["content"]
      const filled = typeof content === "string" ? content.trim() !== "" : Array.isArray(content) && content.length > 0
      return filled ? undefined : `messages.${index}.content: must not be empty`
    })
  )

/** Ids of the blocks of one kind; an id that is not text counts as the empty one, which matches nothing. */
const idsOf = (message: Json | undefined, type: string, key: string): ReadonlyArray<string> =>
  objects(message?.["content"])
    .filter((block) => block["type"] === type)
    .map((block) => (typeof block[key] === "string" ? block[key] : ""))

const checkAnswers = (messages: ReadonlyArray<Json>, index: number): string | undefined => {
  const asked = idsOf(messages[index - 1], "tool_use", "id")
  const content = objects(messages[index]?.["content"])
  const answered = idsOf(messages[index], "tool_result", "tool_use_id")
  const orphan = answered.find((id) => !asked.includes(id))
  if (orphan !== undefined) return `messages.${index}: tool_result ${orphan} answers no tool_use of the message before`
  const open = asked.find((id) => !answered.includes(id))
  if (open !== undefined) return `messages.${index}: tool_use ${open} has no tool_result in the message after it`
  if (new Set(answered).size !== answered.length) return `messages.${index}: a tool_use is answered twice`
  const firstOther = content.findIndex((block) => block["type"] !== "tool_result")
  const late = content.findLastIndex((block) => block["type"] === "tool_result")
  return firstOther !== -1 && late > firstOther ? `messages.${index}: tool_result blocks must come first` : undefined
}

const checkCalls = (messages: ReadonlyArray<Json>): string | undefined => {
  const seen = new Set<unknown>()
  return firstOf(
    messages.map((message, index) => () => {
      const ids = idsOf(message, "tool_use", "id")
      if (message["role"] === "user" && ids.length > 0) return `messages.${index}: tool_use comes from the assistant`
      if (message["role"] === "user") return checkAnswers(messages, index)
      const results = idsOf(message, "tool_result", "tool_use_id")
      if (results.length > 0) return `messages.${index}: tool_result blocks come from the user`
      const content = objects(message["content"])
      const bad = content.findIndex(({ input, type }) => type === "tool_use" && !isObject(input))
      if (bad !== -1) return `messages.${index}.content.${bad}.input: an object is required`
      for (const id of ids) {
        if (!CALL_ID.test(id) || seen.has(id)) return `messages.${index}: tool_use id ${id} is not valid or not unique`
        seen.add(id)
      }
      const last = content.at(-1)?.["type"]
      return last === "thinking" || last === "redacted_thinking"
        ? `messages.${index}: an assistant message must not end with ${last}`
        : undefined
    })
  )
}

const checkEnd = (messages: ReadonlyArray<Json>): string | undefined =>
  messages.at(-1)?.["role"] === "user" ? undefined : "messages: the last message must be from the user"

export const violationOf = (body: unknown, countOnly = false): string | undefined => {
  if (!isObject(body)) return "the body must be a JSON object"
  const messages = body["messages"]
  if (!Array.isArray(messages) || messages.length === 0) return "messages: at least one message is required"
  const typed = objects(messages)
  return firstOf([
    () => checkScalars(body, countOnly),
    () => checkThinking(body),
    () => checkOptions(body),
    () => checkTools(body),
    () => checkRoles(messages),
    () => checkBlocks(body),
    () => checkCacheMarks(body),
    () => checkCalls(typed),
    () => checkEnd(typed)
  ])
}
