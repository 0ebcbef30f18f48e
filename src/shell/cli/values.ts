import { locationFrom, readJson } from "../../core/domain/json/positioned-json.ts"
import { describeBreak } from "../../core/domain/json/syntax-error.ts"
import type { Arguments } from "./arguments.ts"
import type { CommandFlag } from "./tables/commands.ts"
import type { FlagName, FlagValue } from "./tables/flags.ts"
import { nearestOrCompletion } from "./nearest.ts"
import { splitRules, splitWords } from "./split-list.ts"
import { printableArgument, UsageError } from "./usage-error.ts"

/** Checks the values of flags against their kinds and hands them out by name. Of a repeated scalar the last counts. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const wrong = (flag: CommandFlag, value: string, why: string, fix: string): UsageError =>
  new UsageError({ what: `${flag.name} does not accept "${printableArgument(value)}"`, why, fix })

const checkJson = (flag: CommandFlag, value: string): UsageError | undefined => {
  const reading = readJson(value)
  if (reading._tag === "Broken") {
    const { at, message, suggestion } = describeBreak(value, reading)
    return new UsageError({
      what: `${flag.name} cannot be read`,
      place: { name: flag.name, ...locationFrom(value, at) },
      why: message,
      fix: `${suggestion}; in a shell put the JSON in single quotes`
    })
  }
  const isObject = reading.node.kind === "object"
  return isObject ? undefined : wrong(flag, value, "the JSON must be an object", `${flag.name} '{...}'`)
}

type Form = "uuid" | "json" | "jsonOrPath" | undefined

const checkForm = (flag: CommandFlag, value: string, form: Form): UsageError | undefined => {
  switch (form) {
    case "uuid":
      return UUID.test(value) ? undefined : wrong(flag, value, "it is not a UUID", "give 8-4-4-4-12 hexadecimal digits")
    case "json":
      return checkJson(flag, value)
    case "jsonOrPath":
      return value.trimStart().startsWith("{") ? checkJson(flag, value) : undefined
    case undefined:
      return undefined
  }
}

const checkNumber = (flag: CommandFlag, value: string, kind: FlagValue & { kind: "number" }): UsageError | undefined => {
  const parsed = Number(value)
  const isNumber = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) && Number.isFinite(parsed)
  const inRange = kind.exclusive === true ? parsed > kind.min : parsed >= kind.min
  if (isNumber && inRange && (!kind.integer || Number.isSafeInteger(parsed))) return undefined
  const bound = `${kind.exclusive === true ? "greater than" : "of at least"} ${kind.min}`
  const why = `it must be a ${kind.integer ? "whole number" : "number"} ${bound}`
  return wrong(flag, value, why, `${flag.name} <${kind.label}>`)
}

const checkChoice = (flag: CommandFlag, value: string, kind: FlagValue & { kind: "choice" }): UsageError | undefined => {
  if ([...kind.choices, ...(kind.hiddenChoices ?? [])].includes(value)) return undefined
  const meant = nearestOrCompletion(value, kind.choices) ?? kind.choices[0] ?? ""
  return wrong(flag, value, `accepted: ${kind.choices.join(", ")}`, `${flag.name} ${meant}`)
}

const checkText = (flag: CommandFlag, value: string): UsageError | undefined =>
  value.trim() === "" && !flag.name.includes("system-prompt")
    ? wrong(flag, value, "the value is empty", `${flag.name} <value>`)
    : undefined

const checkValue = (flag: CommandFlag, value: string): UsageError | undefined => {
  const kind = flag.value
  switch (kind.kind) {
    case "none":
      return undefined
    case "text":
      return checkText(flag, value) ?? checkForm(flag, value, kind.form)
    case "optional":
      return checkText(flag, value)
    case "list":
      return kind.split === "whole" ? (checkText(flag, value) ?? checkForm(flag, value, kind.form)) : undefined
    case "number":
      return checkNumber(flag, value, kind)
    case "choice":
      return checkChoice(flag, value, kind)
  }
}

export const checkValues = (args: Arguments): UsageError | undefined => {
  for (const { flag, values } of args.given) {
    for (const value of values) {
      const error = checkValue(flag, value)
      if (error !== undefined) return error
    }
  }
  return undefined
}

export interface Values {
  readonly has: (name: FlagName) => boolean
  readonly text: (name: FlagName) => string | undefined
  readonly number: (name: FlagName) => number | undefined
  /** Undefined when the flag was not given; an empty list when it was given as an empty text. */
  readonly list: (name: FlagName) => ReadonlyArray<string> | undefined
}

const splitAs = (value: FlagValue, text: string): ReadonlyArray<string> => {
  if (value.kind !== "list" || value.split === "whole") return [text]
  return value.split === "rules" ? splitRules(text) : splitWords(text)
}

export const valuesOf = (args: Arguments): Values => {
  const all = (name: FlagName) => args.given.filter(({ flag }) => flag.name === name)
  const text = (name: FlagName) => all(name).at(-1)?.values.at(-1)
  return {
    has: (name) => all(name).length > 0,
    text,
    number: (name) => {
      const value = text(name)
      return value === undefined ? undefined : Number(value)
    },
    list: (name) => {
      const given = all(name)
      return given.length === 0
        ? undefined
        : given.flatMap(({ flag, values }) => values.flatMap((value) => splitAs(flag.value, value)))
    }
  }
}
