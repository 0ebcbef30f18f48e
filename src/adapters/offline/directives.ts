/**
 * Directive lines. A directive belongs to the response that is open. `@next` opens a new one, and so does text, thought
 * or a call that follows a call, except calls after `@parallel`, which share one response.
 */
import { Result } from "effect"
import type { Entry, PlannedCall } from "./entry.ts"
import { parseFault } from "./faults.ts"
import { matcherOf } from "./expectation.ts"

const DIRECTIVE = /^[ \t]*@(say|think|tool|parallel|next|fault|stop|delay|tokens|expect)(?:[ \t]+(.*))?$/

export interface Directives {
  readonly entries: ReadonlyArray<Entry>
  /** No entry says anything: they modify, one by one, the responses to the rest of the prompt. */
  readonly modifies: boolean
  /** Lines that are not directives. */
  readonly rest: string
  readonly lines: number
}

interface Draft {
  readonly done: ReadonlyArray<Entry>
  readonly open: Entry
  readonly parallel: boolean
}

type Parsed = Result.Result<Draft, string>

/** Whether an entry only changes how a response is delivered. */
const saysNothing = (entry: Entry): boolean =>
  entry.text === undefined && entry.think === undefined && entry.tools === undefined

const isEmpty = (entry: Entry): boolean => Object.keys(entry).length === 0

const closed = (draft: Draft): Draft => ({ done: [...draft.done, draft.open], open: {}, parallel: false })

const beforeContent = (draft: Draft): Draft => (draft.open.tools === undefined ? draft : closed(draft))

const withOpen = (draft: Draft, change: Partial<Entry>): Draft => ({ ...draft, open: { ...draft.open, ...change } })

const joined = (before: string | undefined, line: string): string => (before === undefined ? line : `${before}\n${line}`)

const CALL = /^(\S+)(?:[ \t]+(.+))?$/

const parseCall = (argument: string): Result.Result<PlannedCall, string> => {
  const [, name, json = "{}"] = CALL.exec(argument.trim()) ?? []
  if (name === undefined) return Result.fail('@tool needs a name, for example @tool Read {"file_path": "README.md"}')
  return Result.try({
    try: (): PlannedCall => ({ name, input: JSON.parse(json) }),
    catch: (cause) => `the input of @tool ${name} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`
  })
}

const withCall = (draft: Draft, call: PlannedCall): Draft => {
  const target = draft.parallel ? draft : beforeContent(draft)
  return withOpen(target, { tools: [...(target.open.tools ?? []), call] })
}

const natural = (word: string | undefined): number | undefined =>
  word !== undefined && /^\d{1,9}$/.test(word) ? Number(word) : undefined

const withTokens = (draft: Draft, argument: string): Parsed => {
  const [first, second, ...surplus] = argument.trim().split(/\s+/)
  const input = natural(first)
  const output = natural(second)
  if (input === undefined || surplus.length > 0 || (second !== undefined && output === undefined)) {
    return Result.fail("@tokens needs one or two numbers: input tokens, output tokens")
  }
  return Result.succeed(withOpen(draft, { tokens: { input, ...(output === undefined ? {} : { output }) } }))
}

const withDelay = (draft: Draft, argument: string): Parsed => {
  const delayMs = natural(argument.trim())
  return delayMs === undefined
    ? Result.fail("@delay needs a number of milliseconds")
    : Result.succeed(withOpen(draft, { delayMs }))
}

const withStop = (draft: Draft, argument: string): Parsed =>
  argument.trim() === ""
    ? Result.fail("@stop needs a reason, for example @stop max_tokens")
    : Result.succeed(withOpen(draft, { stop: argument.trim() }))

const withExpectation = (draft: Draft, argument: string): Parsed => {
  const text = argument.trim()
  if (text === "") return Result.fail("@expect needs a text or a /regular expression/")
  const target = beforeContent(draft)
  return Result.map(matcherOf(text), () =>
    withOpen(target, { expect: [...(target.open.expect ?? []), { where: "latest", text }] })
  )
}

const apply = (draft: Draft, name: string, argument: string): Parsed => {
  switch (name) {
    case "say": {
      const target = beforeContent(draft)
      return Result.succeed(withOpen(target, { text: joined(target.open.text, argument) }))
    }
    case "think": {
      const target = beforeContent(draft)
      return Result.succeed(withOpen(target, { think: joined(target.open.think, argument) }))
    }
    case "tool":
      return Result.map(parseCall(argument), (call) => withCall(draft, call))
    case "parallel":
      return Result.succeed({ ...beforeContent(draft), parallel: true })
    case "next":
      return Result.succeed(closed(draft))
    case "fault":
      return Result.map(parseFault(argument), (fault) => withOpen(draft, { faults: [...(draft.open.faults ?? []), fault] }))
    case "stop":
      return withStop(draft, argument)
    case "delay":
      return withDelay(draft, argument)
    case "tokens":
      return withTokens(draft, argument)
    default:
      return withExpectation(draft, argument)
  }
}

/** Entries in the order of their responses; the failure names the line. */
export const parseDirectives = (text: string): Result.Result<Directives, string> =>
  Result.gen(function* () {
    let draft: Draft = { done: [], open: {}, parallel: false }
    const rest: Array<string> = []
    let lines = 0
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const [, name, argument = ""] = DIRECTIVE.exec(line) ?? []
      if (name === undefined) {
        rest.push(line)
        continue
      }
      lines += 1
      draft = yield* Result.mapError(apply(draft, name, argument), (reason) => `line ${index + 1}: ${reason}`)
    }
    const entries = closed(draft).done
    const modifies = entries.every(saysNothing)
    return {
      entries: modifies ? entries : entries.filter((entry) => !isEmpty(entry)),
      modifies,
      rest: rest.join("\n").trim(),
      lines
    }
  })
