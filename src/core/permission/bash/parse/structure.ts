import type { Draft, Enclosure } from "./command-builder.ts"
import type { SimpleCommand, Statement } from "../program.ts"

/** The text as a row of commands, operators and brackets; bash's own precedence puts it together. */
export type Token =
  | { readonly kind: "command"; readonly command: Draft }
  | { readonly kind: "operator"; readonly operator: string }
  | OpenToken
  | { readonly kind: "close"; readonly end: number }

export interface OpenToken {
  readonly kind: "open"
  readonly shape: "group" | "subshell" | "if" | "opaque"
  readonly construct: string
  readonly start: number
}

interface Placed {
  readonly statement: Statement
  readonly start: number
  readonly end: number
}

interface GrowingList {
  readonly start: number
  end: number
  operator: "&&" | "||" | undefined
  parts: Array<Statement>
}

/** Statements of one bracket in the making: sequences of lists of pipelines. */
interface Level {
  readonly open: OpenToken | undefined
  /** How many commands came before the bracket. */
  readonly before: number
  readonly done: Array<Statement>
  list: GrowingList | undefined
  operator: "&&" | "||"
  pipeline: Array<Placed>
  negated: boolean
  /** A command ended and no operator came yet. */
  complete: boolean
}

const newLevel = (open: OpenToken | undefined, before: number): Level => ({
  open,
  before,
  done: [],
  list: undefined,
  operator: "&&",
  pipeline: [],
  negated: false,
  complete: false
})

const asStatement = ({ operator, parts }: GrowingList): Statement => {
  const [first] = parts
  return operator === undefined && first !== undefined ? first : { kind: "list", operator: operator ?? ";", parts }
}

const addToList = (level: Level, { statement, start, end }: Placed): void => {
  const { list, operator } = level
  if (list === undefined) {
    level.list = { start, end, operator: undefined, parts: [statement] }
    return
  }
  if (list.operator !== undefined && list.operator !== operator) list.parts = [asStatement(list)]
  list.operator = operator
  list.parts.push(statement)
  list.end = end
}

const endPipeline = (level: Level, enclosures: Array<Enclosure>): void => {
  const { pipeline, negated } = level
  level.pipeline = []
  level.complete = false
  level.negated = false
  const [first] = pipeline
  const last = pipeline.at(-1)
  if (first === undefined || last === undefined) return
  const { start } = first
  const { end } = last
  if (pipeline.length > 1) enclosures.push({ kind: "pipeline", start, end })
  const whole: Statement =
    pipeline.length > 1 ? { kind: "pipeline", parts: pipeline.map(({ statement }) => statement) } : first.statement
  addToList(level, { statement: negated ? { kind: "negation", parts: [whole] } : whole, start, end })
}

const endList = (level: Level, enclosures: Array<Enclosure>, inBackground: boolean): void => {
  endPipeline(level, enclosures)
  const { list } = level
  level.list = undefined
  if (list === undefined) return
  const statement = asStatement(list)
  if (inBackground) enclosures.push({ kind: "background", start: list.start, end: list.end })
  level.done.push(inBackground ? { kind: "list", operator: "&", parts: [statement] } : statement)
}

const add = (level: Level, placed: Placed, enclosures: Array<Enclosure>): void => {
  if (level.complete) endList(level, enclosures, false)
  level.pipeline.push(placed)
  level.complete = true
}

const operate = (level: Level, operator: string, enclosures: Array<Enclosure>): void => {
  if (operator === "|" || operator === "|&") level.complete = false
  else if (operator === "&&" || operator === "||") {
    endPipeline(level, enclosures)
    level.operator = operator
  } else if (operator === "!") {
    if (level.complete) endList(level, enclosures, false)
    level.negated = true
  } else endList(level, enclosures, operator === "&")
}

const closed = ({ open, done, before }: Level, commands: ReadonlyArray<SimpleCommand>): Statement =>
  open === undefined || open.shape === "opaque"
    ? { kind: "opaque", construct: open?.construct ?? "", commands: commands.slice(before) }
    : { kind: open.shape, parts: done }

export interface Structure {
  readonly body: ReadonlyArray<Statement>
  readonly enclosures: ReadonlyArray<Enclosure>
}

export const structure = (tokens: ReadonlyArray<Token>): Structure => {
  const enclosures: Array<Enclosure> = []
  const outer: Array<Level> = []
  const commands: Array<SimpleCommand> = []
  let level = newLevel(undefined, 0)
  for (const token of tokens) {
    if (token.kind === "command") {
      const { command } = token
      commands.push(command)
      add(level, { statement: { kind: "command", command }, start: command.start, end: command.end }, enclosures)
    } else if (token.kind === "operator") operate(level, token.operator, enclosures)
    else if (token.kind === "open") {
      outer.push(level)
      level = newLevel(token, commands.length)
    } else {
      const around = outer.pop()
      if (around === undefined) continue
      endList(level, enclosures, false)
      const start = level.open?.start ?? 0
      enclosures.push({ kind: level.open?.construct === "function" ? "function" : "group", start, end: token.end })
      add(around, { statement: closed(level, commands), start, end: token.end }, enclosures)
      level = around
    }
  }
  endList(level, enclosures, false)
  return { body: level.done, enclosures }
}
