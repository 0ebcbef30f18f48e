import { Schema } from "effect"
import { isRaw } from "../domain/json/json-object.ts"
import { similarNames } from "../domain/text/similar-names.ts"
import { conditionProblem } from "./condition.ts"
import type { Handler, HookOrigin } from "./handler.ts"
import { HOOK_EVENT_NAMES, type HandlerType, type HookEvent, isHookEvent, specOf } from "./hook-event.ts"
import { readMatcher } from "./matcher.ts"

/** Handlers from the value of `hooks` in a settings file. What cannot be used is reported and left out alone. */

export interface HookProblem {
  readonly from: HookOrigin
  readonly text: string
}

export interface HooksRead {
  readonly handlers: ReadonlyArray<Handler>
  readonly problems: ReadonlyArray<HookProblem>
}

/** A matcher with its handlers, as it stands in a file. */
export interface HookGroup {
  readonly event: string
  readonly value: unknown
  readonly from: HookOrigin
}

const flag = Schema.optionalKey(Schema.Boolean)
const texts = Schema.optionalKey(Schema.Array(Schema.String))

const Common = {
  if: Schema.optionalKey(Schema.String),
  timeout: Schema.optionalKey(Schema.Number),
  statusMessage: Schema.optionalKey(Schema.String),
  onTimeout: Schema.optionalKey(Schema.Literals(["block", "allow"]))
}

const Command = Schema.Struct({
  ...Common,
  command: Schema.NonEmptyString,
  args: texts,
  shell: Schema.optionalKey(Schema.Literals(["bash", "powershell"])),
  async: flag,
  asyncRewake: flag
})
const Http = Schema.Struct({
  ...Common,
  url: Schema.NonEmptyString,
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  allowedEnvVars: texts
})
const ServerTool = Schema.Struct({
  ...Common,
  server: Schema.NonEmptyString,
  tool: Schema.NonEmptyString,
  input: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
const AskModel = Schema.Struct({
  ...Common,
  prompt: Schema.NonEmptyString,
  model: Schema.optionalKey(Schema.String),
  continueOnBlock: flag
})

const isCommand = Schema.is(Command)
const isHttp = Schema.is(Http)
const isServerTool = Schema.is(ServerTool)
const isAskModel = Schema.is(AskModel)

type Base = Pick<Handler, "event" | "matcher" | "pattern" | "from">

const MS = 1_000

const commonOf = (base: Base, raw: Pick<typeof Command.Type, keyof typeof Common>) => ({
  ...base,
  ...(raw.if === undefined ? {} : { condition: raw.if }),
  ...(raw.timeout === undefined || raw.timeout <= 0 ? {} : { timeoutMs: raw.timeout * MS }),
  ...(raw.statusMessage === undefined ? {} : { statusMessage: raw.statusMessage }),
  ...(raw.onTimeout === undefined ? {} : { onTimeout: raw.onTimeout })
})

const optional = <K extends string, V>(key: K, value: V | undefined): { readonly [k in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [k in K]?: V })

/** The handler, or undefined where a field that is needed is missing or has the wrong type. */
const READERS: Readonly<Record<Exclude<HandlerType, "callback">, (base: Base, raw: unknown) => Handler | undefined>> = {
  command: (base, raw) =>
    isCommand(raw)
      ? {
          ...commonOf(base, raw),
          type: "command",
          command: raw.command,
          ...optional("args", raw.args),
          ...optional("shell", raw.shell),
          isAsync: raw.async === true || raw.asyncRewake === true,
          rewakes: raw.asyncRewake === true
        }
      : undefined,
  http: (base, raw) =>
    isHttp(raw)
      ? {
          ...commonOf(base, raw),
          type: "http",
          url: raw.url,
          headers: raw.headers ?? {},
          allowedEnvVars: raw.allowedEnvVars ?? []
        }
      : undefined,
  mcp_tool: (base, raw) =>
    isServerTool(raw)
      ? { ...commonOf(base, raw), type: "mcp_tool", server: raw.server, tool: raw.tool, input: raw.input ?? {} }
      : undefined,
  prompt: (base, raw) => readModelHandler("prompt", base, raw),
  agent: (base, raw) => readModelHandler("agent", base, raw)
}

const readModelHandler = (type: "prompt" | "agent", base: Base, raw: unknown): Handler | undefined =>
  isAskModel(raw)
    ? {
        ...commonOf(base, raw),
        type,
        prompt: raw.prompt,
        ...optional("model", raw.model),
        continueOnBlock: raw.continueOnBlock === true
      }
    : undefined

const TYPES = Object.keys(READERS).join(", ")

const isType = (type: unknown): type is keyof typeof READERS => typeof type === "string" && Object.hasOwn(READERS, type)

/** Types of handlers that this version runs. */
const RUNS: ReadonlySet<HandlerType> = new Set(["command", "callback"])

const conditionObstacle = (event: HookEvent, condition: string): string | undefined => {
  if (specOf(event).aboutCall !== true)
    return `"if" means something only for events about a call, so on ${event} it never runs`
  const why = conditionProblem(condition)
  return why === undefined ? undefined : `its "if" is not a permission rule: ${why}`
}

/** What keeps a handler from running. */
const obstacleOf = (handler: Handler): string | undefined => {
  const { event, type, condition, pattern } = handler
  if (!specOf(event).handlers.includes(type)) return `${event} takes no handlers of the type ${type}`
  if (!RUNS.has(type)) return `handlers of the type ${type} do not run in this version`
  if (pattern._tag === "Unusable") return `its matcher ${JSON.stringify(handler.matcher)} matches nothing: ${pattern.why}`
  return condition === undefined ? undefined : conditionObstacle(event, condition)
}

const readHandler = (base: Base, raw: unknown): Handler | string => {
  const type = isRaw(raw) ? raw["type"] : undefined
  if (!isType(type)) return `${JSON.stringify(type ?? null)} is not a type of handler; there are ${TYPES}`
  const handler = READERS[type](base, raw)
  return handler ?? `a field of this ${type} handler is missing or has the wrong type`
}

const nearestEvent = (name: string): string => {
  const [nearest] = similarNames(name, HOOK_EVENT_NAMES, 1)
  return nearest === undefined ? "" : `; did you mean ${nearest}?`
}

const readGroup = ({ event, value, from }: HookGroup): HooksRead => {
  const problem = (text: string): HookProblem => ({ from, text: `${event} hook: ${text}` })
  if (!isHookEvent(event))
    return { handlers: [], problems: [{ from, text: `there is no hook event ${event}${nearestEvent(event)}` }] }
  const raws = isRaw(value) ? value["hooks"] : undefined
  if (!isRaw(value) || !Array.isArray(raws))
    return { handlers: [], problems: [problem('it has no list "hooks" of handlers')] }
  const matcher = typeof value["matcher"] === "string" ? value["matcher"] : undefined
  const base: Base = { event, matcher, pattern: readMatcher(event, matcher), from }
  const read = raws.map((raw) => readHandler(base, raw))
  const handlers = read.filter((one) => typeof one !== "string")
  const obstacles = handlers.flatMap((handler) => obstacleOf(handler) ?? [])
  return {
    handlers: handlers.filter((handler) => obstacleOf(handler) === undefined),
    problems: [...read.filter((one) => typeof one === "string"), ...new Set(obstacles)].map(problem)
  }
}

export const readHooks = (groups: ReadonlyArray<HookGroup>): HooksRead => {
  const read = groups.map(readGroup)
  return { handlers: read.flatMap(({ handlers }) => handlers), problems: read.flatMap(({ problems }) => problems) }
}
