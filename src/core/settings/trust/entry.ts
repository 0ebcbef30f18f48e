import { isRaw, type JsonObject } from "../../domain/json/json-object.ts"

/** The parts of a value of which each can be approved alone. */
export interface Entry {
  /** What it is about, within its key: a rule, a variable, a server. */
  readonly subject: string
  readonly value: unknown
  /** What a user reads, verbatim. */
  readonly text: string
}

/** How a value falls apart. A value of another form counts as one entry: it is shown whole and withheld whole. */
export type Shape = "whole" | "list" | "record" | "hooks" | "servers"

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const PLAIN_WORD = /^[\w@%+=:,./-]+$/

/** A word as it could be typed; what a shell would read in another way is quoted. */
const word = (text: string): string => (PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`)

const withRest = (text: string, rest: JsonObject): string =>
  Object.keys(rest).length === 0 ? text : `${text} ${JSON.stringify(rest)}`

/** The command line or address of a server first, everything else about it behind. */
const serverText = (name: string, server: unknown): string => {
  if (!isRaw(server)) return `${name}: ${shown(server)}`
  const { command, args, url, type, ...rest } = server
  if (typeof command === "string" && (args === undefined || Array.isArray(args))) {
    return withRest(`${name}: ${[command, ...(args ?? [])].map((each) => word(shown(each))).join(" ")}`, rest)
  }
  if (typeof url !== "string" || args !== undefined) return `${name}: ${JSON.stringify(server)}`
  const transport = typeof type === "string" ? `${type} ` : ""
  return withRest(`${name}: ${transport}${url}`, { ...(command === undefined ? {} : { command }), ...rest })
}

const hookText = (event: string, matcher: unknown, hook: unknown): string => {
  const when = matcher === undefined || matcher === "" ? event : `${event} (${shown(matcher)})`
  if (!isRaw(hook)) return `${when}: ${shown(hook)}`
  const { type, command, ...rest } = hook
  return typeof command === "string" && type === "command"
    ? withRest(`${when}: ${command}`, rest)
    : `${when}: ${JSON.stringify(hook)}`
}

const whole = (value: unknown): ReadonlyArray<Entry> => [{ subject: "", value, text: shown(value) }]

const hookEntry = (event: string, matcher: unknown, hook: unknown): Entry => ({
  subject: hookText(event, matcher, hook),
  value: [event, matcher ?? "", hook],
  text: hookText(event, matcher, hook)
})

interface HookGroup extends JsonObject {
  readonly hooks: ReadonlyArray<unknown>
}

const isGroup = (group: unknown): group is HookGroup => isRaw(group) && Array.isArray(group["hooks"])

const isHooks = (value: unknown): value is Readonly<Record<string, ReadonlyArray<HookGroup>>> =>
  isRaw(value) && Object.values(value).every((groups) => Array.isArray(groups) && groups.every(isGroup))

const hookEntries = (value: unknown): ReadonlyArray<Entry> =>
  isHooks(value)
    ? Object.entries(value).flatMap(([event, groups]) =>
        groups.flatMap(({ matcher, hooks }) => hooks.map((hook) => hookEntry(event, matcher, hook)))
      )
    : whole(value)

export const entriesIn = (shape: Shape, value: unknown): ReadonlyArray<Entry> => {
  switch (shape) {
    case "whole":
      return whole(value)
    case "list":
      return Array.isArray(value)
        ? value.map((item: unknown) => ({ subject: JSON.stringify(item), value: item, text: shown(item) }))
        : whole(value)
    case "record":
      return isRaw(value)
        ? Object.entries(value).map(([name, item]) => ({ subject: name, value: item, text: `${name}=${shown(item)}` }))
        : whole(value)
    case "servers":
      return isRaw(value)
        ? Object.entries(value).map(([name, item]) => ({ subject: name, value: item, text: serverText(name, item) }))
        : whole(value)
    case "hooks":
      return hookEntries(value)
  }
}

type Keeps = (entry: Entry) => boolean

const keptHooks = (value: unknown, keeps: Keeps): unknown => {
  if (!isHooks(value)) return whole(value).every(keeps) ? value : undefined
  if (hookEntries(value).length === 0) return value
  const events = Object.entries(value).flatMap(([event, groups]) => {
    const keptIn = ({ matcher, hooks }: HookGroup) => hooks.filter((hook) => keeps(hookEntry(event, matcher, hook)))
    const kept = groups.map((group) => ({ ...group, hooks: keptIn(group) })).filter(({ hooks }) => hooks.length > 0)
    return kept.length === 0 ? [] : [[event, kept] as const]
  })
  return events.length === 0 ? undefined : Object.fromEntries(events)
}

/** The value without the entries that are not kept; undefined when nothing of it stays. */
export const keepApproved = (shape: Shape, value: unknown, keeps: Keeps): unknown => {
  if (shape === "hooks") return keptHooks(value, keeps)
  const entries = entriesIn(shape, value)
  const kept = entries.filter(keeps)
  if (kept.length === entries.length) return value
  if (kept.length === 0) return undefined
  if (shape === "list" && Array.isArray(value)) return kept.map((entry) => entry.value)
  if ((shape === "record" || shape === "servers") && isRaw(value)) {
    return Object.fromEntries(kept.map((entry) => [entry.subject, entry.value]))
  }
  return value
}
