import { sourceLabel } from "../../../core/permission/rule.ts"
import type { Json } from "../../../core/domain/json/positioned-json.ts"
import { settingsSchema } from "../../../core/settings/keys/json-schema.ts"
import { parsePath, printPath, withoutSecrets } from "../../../core/settings/keys/key-path.ts"
import { isGroup, keyAt, namesIn } from "../../../core/settings/keys/known-keys.ts"
import {
  excerptLines,
  fixOf,
  type Origin,
  placeText,
  problemText,
  type SettingsProblem
} from "../../../core/settings/origin.ts"
import type { SettingsSource } from "../../../core/domain/settings-source.ts"
import { type Explanation, explainSetting, type PlacedValue, settingsInForce } from "../../../core/settings/snapshot.ts"
import type { SettingsHub } from "../../settings/settings-hub.ts"
import type { LoadedSettings } from "../../settings/load-settings.ts"
import type { CommandIo } from "../io/command-io.ts"
import type { CommandInvocation } from "../../cli/options.ts"

/** The reading half of `nacre config`. Values are printed without secrets. */

const SOURCES: Readonly<Record<string, SettingsSource>> = {
  user: "userSettings",
  project: "projectSettings",
  local: "localSettings"
}

export const sourceFlag = ({ flags }: CommandInvocation): SettingsSource | undefined =>
  typeof flags["source"] === "string" ? SOURCES[flags["source"]] : undefined

const wantsJson = ({ flags }: CommandInvocation): boolean => flags["json"] === true

const printJson = (io: CommandIo, value: unknown): void => io.out(`${JSON.stringify(value, null, 2)}\n`)

const complainOf = (problems: ReadonlyArray<SettingsProblem>, io: CommandIo): void => {
  for (const problem of problems) {
    if (problem.level !== "remark") io.err(`nacre: ${problemText(problem)}\n${excerptLines(problem)}`)
  }
}

const complainAll = (hub: SettingsHub, io: CommandIo): void => complainOf(hub.current().problems, io)

export const keyOf = (text: string, io: CommandIo): ReadonlyArray<string> | undefined => {
  const path = parsePath(text)
  if (path !== undefined) return path
  io.err(`nacre: "${text}" is not a key. Fix: write names with dots between them, such as permissions.allow\n`)
  return undefined
}

const placeOf = ({ file, line }: Origin): string => `${file}:${line}`

const shown = (path: ReadonlyArray<string>, { value, origin }: PlacedValue) => ({
  value: withoutSecrets(path, value),
  source: origin.source,
  file: origin.file,
  line: origin.line
})

/** Keys that nobody knows are worth a word here, where somebody looks at the files. */
const complainOfUnknown = (hub: SettingsHub, io: CommandIo): void => {
  for (const problem of hub.current().problems) {
    if (problem.level === "remark") io.err(`nacre: ${problemText(problem)}\n`)
  }
}

export const list = (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo): number => {
  const { snapshot } = hub.current()
  const source = sourceFlag(invocation)
  const values = settingsInForce(snapshot).filter(({ origin }) => source === undefined || origin.source === source)
  complainAll(hub, io)
  complainOfUnknown(hub, io)
  if (wantsJson(invocation)) {
    const all = values.map((value) => {
      const shadowed = explainSetting(snapshot, value.path).shadowed.map((each) => shown(value.path, each))
      return [printPath(value.path), { ...shown(value.path, value), shadowed }]
    })
    printJson(io, Object.fromEntries(all))
    return 0
  }
  for (const { path, value, origin } of values) {
    const line = `${printPath(path)} = ${JSON.stringify(withoutSecrets(path, value))}`
    io.out(`${line}  # ${origin.source} ${placeOf(origin)}\n`)
  }
  return 0
}

const ofSource = (hub: SettingsHub, path: ReadonlyArray<string>, source: SettingsSource | undefined) => {
  const { effective, shadowed } = explainSetting(hub.current().snapshot, path)
  const all = effective === undefined ? shadowed : [effective, ...shadowed]
  return source === undefined ? effective : all.find(({ origin }) => origin.source === source)
}

const plainText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2))

export const get = (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo): number => {
  const path = keyOf(invocation.operands[0] ?? "", io)
  if (path === undefined) return 1
  complainAll(hub, io)
  const found = ofSource(hub, path, sourceFlag(invocation))
  if (found === undefined) {
    io.err(`nacre: ${printPath(path)} is not set. Fix: nacre config explain ${printPath(path)} says why\n`)
    return 1
  }
  if (wantsJson(invocation)) {
    const { shadowed } = explainSetting(hub.current().snapshot, path)
    printJson(io, { ...shown(path, found), shadowed: shadowed.map((each) => shown(path, each)) })
  } else {
    io.out(`${plainText(withoutSecrets(path, found.value))}\n`)
  }
  return 0
}

const described = (path: ReadonlyArray<string>, { value, origin }: PlacedValue): string =>
  `${JSON.stringify(withoutSecrets(path, value))} of ${sourceLabel(origin.source)} (${placeOf(origin)})`

const aboutKey = (path: ReadonlyArray<string>): ReadonlyArray<string> => {
  const rule = keyAt(path)?.rule
  const name = path.join(".")
  if (rule === undefined && isGroup(name))
    return [
      `  holds ${namesIn(name)
        .map((each) => `${name}.${each}`)
        .join(", ")}`
    ]
  if (rule === undefined) return ["  unknown to this version; it is kept and not used"]
  return [
    `  ${rule.help}; expected ${rule.shape.expected}`,
    ...(rule.unused === true ? ["  recognised, not used in this version"] : []),
    ...(rule.atStart === true ? ["  a change counts from the next session on"] : [])
  ]
}

/** What of the key, or of something in it, could not be used at all; what a file may not say is explained anyway. */
const faultsOf = ({ snapshot, problems }: LoadedSettings, path: ReadonlyArray<string>): ReadonlyArray<SettingsProblem> => {
  const name = path.join(".")
  const explained = new Set(explainSetting(snapshot, path).ignored.map(({ origin }) => placeText(origin)))
  return problems.filter(
    (problem) =>
      problem.path !== "" &&
      (problem.path === name || problem.path.startsWith(`${name}.`) || name.startsWith(`${problem.path}.`)) &&
      !explained.has(placeText(problem))
  )
}

const faultLine = (problem: SettingsProblem): string =>
  problem.sentence === undefined
    ? `  ${problem.path} (${placeText(problem)}): ${problem.message}. Fix: ${fixOf(problem)}`
    : `  ${problem.sentence}`

const explainLines = (
  path: ReadonlyArray<string>,
  explanation: Explanation,
  faults: ReadonlyArray<SettingsProblem>
): ReadonlyArray<string> => {
  const { effective, shadowed, ignored } = explanation
  const name = printPath(path)
  const head =
    effective === undefined
      ? [`${name} is not set`]
      : [
          `${name} = ${JSON.stringify(withoutSecrets(path, effective.value))}`,
          `  from ${sourceLabel(effective.origin.source)} (${placeOf(effective.origin)})`
        ]
  return [
    ...head,
    ...shadowed.map((value) => `  over ${described(path, value)}`),
    ...ignored.map((value) => `  ignored ${described(path, value)}: ${value.why}`),
    ...faults.map(faultLine),
    ...aboutKey(path)
  ]
}

export const explain = (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo): number => {
  const path = keyOf(invocation.operands[0] ?? "", io)
  if (path === undefined) return 1
  const loaded = hub.current()
  const explanation = explainSetting(loaded.snapshot, path)
  const faults = faultsOf(loaded, path)
  // Of other keys nobody asked; a file that cannot be used may have held this one.
  complainOf(
    loaded.problems.filter((problem) => problem.path === ""),
    io
  )
  if (wantsJson(invocation)) {
    const { effective, shadowed, ignored } = explanation
    printJson(io, {
      key: printPath(path),
      ...(effective === undefined ? {} : shown(path, effective)),
      shadowed: shadowed.map((value) => shown(path, value)),
      ignored: ignored.map((value) => ({ ...shown(path, value), why: value.why })),
      faults: faults.map((problem) => ({
        path: problem.path,
        source: problem.source,
        file: problem.file,
        line: problem.line,
        message: problem.message,
        fix: fixOf(problem)
      }))
    })
  } else {
    io.out(`${explainLines(path, explanation, faults).join("\n")}\n`)
  }
  return 0
}

export const schema: (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo) => number = (_, __, io) => {
  printJson(io, settingsSchema())
  return 0
}

export const path = (hub: SettingsHub, invocation: CommandInvocation, io: CommandIo): number => {
  const source = sourceFlag(invocation)
  const places = hub.current().places.filter((place) => source === undefined || place.source === source)
  if (wantsJson(invocation))
    printJson(
      io,
      places.map((place) => ({ source: place.source, path: place.path }))
    )
  else if (source === undefined) io.out(places.map((place) => `${place.source} ${place.path}\n`).join(""))
  // The last one is the file that is written.
  else io.out(`${places.at(-1)?.path ?? ""}\n`)
  return 0
}
