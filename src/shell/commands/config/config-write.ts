import { Result } from "effect"
import { sourceLabel } from "../../../core/permission/rule.ts"
import { permissionProblems } from "../../../core/permission/configuration/from-settings.ts"
import { isListKey, objectionsTo } from "../../../core/settings/check-value.ts"
import { isList, type Json } from "../../../core/domain/json/positioned-json.ts"
import { printPath, withoutSecrets } from "../../../core/settings/keys/key-path.ts"
import { keyAt } from "../../../core/settings/keys/known-keys.ts"
import { placeText, type SettingsProblem } from "../../../core/settings/origin.ts"
import type { SettingsSource } from "../../../core/domain/settings-source.ts"
import { patchList, patchText, valueInText } from "../../../core/domain/json/patch.ts"
import { explainSetting } from "../../../core/settings/snapshot.ts"
import type { SettingsHub } from "../../settings/settings-hub.ts"
import type { CommandIo } from "../io/command-io.ts"
import type { CommandInvocation } from "../../cli/options.ts"
import { keyOf, sourceFlag } from "./config-read.ts"

/** The writing half of `nacre config`. A value is checked before anything is written. */

const parseValue = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** `model 4` may mean the text as well as the number: what fits is meant. */
const fittingValue = (text: string, objection: (value: Json) => string | undefined): Json => {
  const parsed = parseValue(text)
  return objection(parsed) !== undefined && objection(text) === undefined ? text : parsed
}

interface Target {
  readonly hub: SettingsHub
  readonly io: CommandIo
  readonly source: SettingsSource
  readonly path: ReadonlyArray<string>
}

const targetOf = (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo): Target | undefined => {
  const path = keyOf(invocation.operands[0] ?? "", io)
  return path === undefined ? undefined : { hub, io, source: sourceFlag(invocation) ?? "userSettings", path }
}

const refuse = (io: CommandIo, text: string): number => {
  io.err(`nacre: ${text}\n`)
  return 1
}

/** A managed value of a key that does not unite with others cannot be overruled. */
const lockOn = ({ hub, path }: Target): string | undefined => {
  const { effective } = explainSetting(hub.current().snapshot, path)
  if (effective?.origin.source !== "policySettings" || isListKey(path)) return undefined
  const who = `${sourceLabel("policySettings")} (${placeText(effective.origin)})`
  return `${printPath(path)} is locked by ${who}. Fix: ask whoever manages this computer`
}

/** What helps whoever types a value, which is not always what helps in a file. */
const fixFor = ({ path }: Target, value: Json, first: SettingsProblem): string => {
  if (isListKey(path) && typeof value === "string") return `nacre config add ${printPath(path)} ${JSON.stringify(value)}`
  const isUnknown = first.level === "remark" && first.suggestion?.startsWith("write ") !== true
  if (isUnknown) return "nacre config schema lists the keys"
  return first.suggestion ?? (first.expected === undefined ? "see nacre config schema" : `use ${first.expected}`)
}

const objection = (target: Target, value: Json): string | undefined => {
  const { source, path } = target
  const [first] = objectionsTo({ source, path, value }, [permissionProblems])
  if (first === undefined) return undefined
  const fix = fixFor(target, value, first)
  const why = first.message.replace(/; it is (?:ignored|kept and not used)$/, "")
  return `${printPath(path)} is not written — ${why}. Fix: ${fix}`
}

const inWords = ({ path }: Target, value: Json | undefined): string =>
  value === undefined ? "not set" : JSON.stringify(withoutSecrets(path, value))

type EditText = (text: string) => Result.Result<string, string>

const write = async (target: Target, edit: EditText): Promise<number> => {
  const { hub, io, source, path } = target
  const written = await hub.editText(source, edit)
  if (Result.isFailure(written)) return refuse(io, written.failure)
  const { before, after, path: file, notices } = written.success
  const [old, now] = [before, after].map((text) => inWords(target, valueInText(text, path)))
  io.out(`${printPath(path)}: ${old} -> ${now} (${file})\n`)
  for (const notice of notices) io.err(`nacre: ${notice}\n`)
  const { effective, ignored } = explainSetting(hub.current().snapshot, path)
  const held = ignored.find(({ origin }) => origin.file === file)
  const stronger = effective !== undefined && effective.origin.file !== file ? effective.origin : undefined
  if (held !== undefined) {
    io.err(`nacre: written, but not in force: ${held.why}\n`)
  } else if (stronger !== undefined && !isListKey(path)) {
    io.err(`nacre: ${sourceLabel(stronger.source)} (${placeText(stronger)}) is stronger and holds\n`)
  }
  return 0
}

export const set = async (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  const target = targetOf(hub, invocation, io)
  if (target === undefined) return 1
  const value = fittingValue(invocation.operands[1] ?? "", (each) => objection(target, each))
  const problem = objection(target, value) ?? lockOn(target)
  return problem === undefined
    ? write(target, (text) => patchText(text, [{ path: target.path, value }]))
    : refuse(io, problem)
}

export const unset = async (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  const target = targetOf(hub, invocation, io)
  return target === undefined ? 1 : write(target, (text) => patchText(text, [{ path: target.path, value: undefined }]))
}

const same = (left: Json, right: Json): boolean => JSON.stringify(left) === JSON.stringify(right)

/** A list key and the item that was given. */
const itemTarget = (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo) => {
  const target = targetOf(hub, invocation, io)
  if (target === undefined) return undefined
  const name = printPath(target.path)
  if (!isListKey(target.path)) {
    const why = keyAt(target.path) === undefined ? "is unknown" : "holds no list"
    refuse(io, `${name} ${why}. Fix: nacre config set ${name} <value>`)
    return undefined
  }
  const item = fittingValue(invocation.operands[1] ?? "", (each) => objection(target, [each]))
  return { target, item, problem: objection(target, [item]) }
}

export const addItem = async (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  const found = itemTarget(hub, invocation, io)
  if (found === undefined) return 1
  const { target, item, problem } = found
  if (problem !== undefined) return refuse(io, problem)
  return write(target, (text) =>
    patchList(text, target.path, (items) => (items.some((each) => same(each, item)) ? items : [...items, item]))
  )
}

/** What could not be added may still be removed. */
export const removeItem = async (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo): Promise<number> => {
  const found = itemTarget(hub, invocation, io)
  if (found === undefined) return 1
  const { target, item } = found
  return write(target, (text) => {
    const present = valueInText(text, target.path)
    const isThere = present !== undefined && isList(present) && present.some((each) => same(each, item))
    return isThere
      ? patchList(text, target.path, (items) => items.filter((each) => !same(each, item)))
      : Result.fail(
          `${JSON.stringify(item)} is not in ${printPath(target.path)} there. Fix: nacre config list shows what is`
        )
  })
}
