import { statSync } from "node:fs"
import { resolve } from "node:path"
import { Effect } from "effect"
import { approveImports, refuseImports } from "../../core/context/instructions/approved-imports.ts"
import { GlobalConfig } from "../../core/ports/GlobalConfig.ts"
import type { TrustDecision } from "../../core/settings/trust/decide.ts"
import { recordsIn, recordOf, type TrustRecord, withdrawalPatches } from "../../core/settings/trust/record.ts"
import { type CapabilityRequest, wantsOf } from "../../core/settings/trust/requested-capabilities.ts"
import { visibleText } from "../../tui/text/sanitize.ts"
import { trustLines, wantsLines } from "../../tui/model/dialogs/trust-lines.ts"
import { trustLayer } from "../layers/ports.ts"
import { configHome, trustOptions } from "../plan/environment.ts"
import { acceptFolder, type FolderTrust, inspectFolder } from "../trust/folder-trust.ts"
import { realOr } from "../trust/read-folder.ts"
import type { CommandIo } from "./io/command-io.ts"
import type { CommandInvocation } from "../cli/options.ts"

/** `nacre trust add|imports|remove|list [path]`: the store of trusted folders. Nothing of a folder is started. */

const shown = (text: string): string => visibleText(text, "command")

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

const folderAt = (path: string | undefined, io: CommandIo): string => realOr(resolve(io.cwd, path ?? "."))

const look = (folder: string, io: CommandIo) => {
  const at = { startDir: folder, home: realOr(io.home), configHome: realOr(resolve(configHome(io.env))) }
  return isDirectory(folder)
    ? inspectFolder(at, false).pipe(Effect.mapError(({ message }) => message))
    : Effect.fail(`${shown(folder)} is not a directory. Fix: name an existing folder`)
}

const wantJson = ({ file, capability, text }: CapabilityRequest) => ({ file, capability, text })

const say = (io: CommandIo, isJson: boolean, value: unknown, lines: ReadonlyArray<string>): void =>
  io.out(isJson ? `${JSON.stringify(value, null, 2)}\n` : lines.map((line) => `${line}\n`).join(""))

const HOME_ONLY = "it holds the home directory, which is trusted for a session only. Fix: start there with --trust"
const WANTS_NOTHING = "Its settings hold nothing that needs trust."

const add = Effect.fnUntraced(function* (folder: string, io: CommandIo, isJson: boolean) {
  const trust = yield* look(folder, io)
  const { place, files } = trust.reading
  if (place.kind === "home") return yield* Effect.fail(`${shown(place.key)} was not trusted: ${HOME_ONLY}`)
  const { problem } = yield* acceptFolder(trust, new Date())
  if (problem !== undefined) return yield* Effect.fail(problem)
  const wants = wantsOf(files)
  say(io, isJson, { path: place.key, entries: wants.map(wantJson) }, [
    `Trusted: ${shown(place.key)}`,
    ...(wants.length === 0 ? [WANTS_NOTHING] : wantsLines(wants))
  ])
  return 0
})

const NO_IMPORTS = "Its instructions import nothing from outside of it."

/** Approves what is imported now, and nothing else any more. */
const imports = Effect.fnUntraced(function* (folder: string, io: CommandIo, isJson: boolean) {
  const { gate, decision } = yield* look(folder, io)
  const { openSettings } = yield* Effect.promise(() => import("../settings/open-settings.ts"))
  const { outsideImports } = yield* Effect.promise(() => import("../instructions/read-instructions.ts"))
  const places = { env: io.env, home: io.home, configHome: resolve(configHome(io.env)) }
  const settings = openSettings({ ...places, startDir: folder }, () => gate)
  const isUnaccepted = decision.question !== undefined || decision.ignores
  if (isUnaccepted && !settings.isTrusted()) {
    return yield* Effect.fail(`${shown(folder)} is not trusted. Fix: nacre trust add, then this again`)
  }
  const plan = { ...places, cwd: folder, settings, additionalDirs: [], isUnaccepted, start: { settings: {} } }
  const paths = yield* outsideImports(plan)
  const edits = paths.length === 0 ? refuseImports(folder) : approveImports(folder, paths)
  yield* (yield* GlobalConfig).patch(edits)
  const heading = `Instructions of ${shown(folder)} may import:`
  say(io, isJson, { path: folder, imports: paths }, paths.length === 0 ? [NO_IMPORTS] : [heading, ...paths.map(shown)])
  return 0
})

const remove = Effect.fnUntraced(function* (folder: string, io: CommandIo, isJson: boolean) {
  const config = yield* GlobalConfig
  const stored = yield* config.read
  // A folder that is gone can still be removed, by the path it had.
  const key = isDirectory(folder) ? (yield* look(folder, io)).reading.place.key : folder
  if (recordOf(stored, key) === undefined) {
    return yield* Effect.fail(`${shown(key)} was not trusted. Fix: see nacre trust list`)
  }
  yield* config.patch([...withdrawalPatches(key), ...refuseImports(key)])
  say(io, isJson, { path: key }, [`No longer trusted: ${shown(key)}`])
  return 0
})

type Status = "trusted" | "moved" | "missing"

const statusOf = ({ path, own }: TrustRecord): Status => {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined) return "missing"
  const isSame = own === undefined || (String(stat.dev) === own.identity.dev && String(stat.ino) === own.identity.ino)
  return isSame ? "trusted" : "moved"
}

const NOTES: Readonly<Record<Status, string>> = {
  trusted: "",
  moved: " (another folder is there now: not trusted)",
  missing: " (does not exist)"
}

const listAll = Effect.fnUntraced(function* (io: CommandIo, isJson: boolean) {
  const records = recordsIn(yield* (yield* GlobalConfig).read).map((record) => ({ record, status: statusOf(record) }))
  const rows = records.map(({ record: { path, own }, status }) => ({
    path,
    status,
    ...(own === undefined ? {} : { at: own.at, entries: own.approval.size })
  }))
  const lines = rows.map(({ path, status }) => `${shown(path)}${NOTES[status]}`)
  say(io, isJson, rows, lines.length === 0 ? ["No folder is trusted."] : lines)
  return 0
})

const standingOf = ({ standing, question }: TrustDecision): string => {
  if (standing._tag === "Restricted") return "not trusted"
  return question === undefined ? "trusted" : "trusted, with entries that were not accepted yet"
}

const listLines = ({ reading: { place, files }, decision }: FolderTrust): ReadonlyArray<string> => {
  if (decision.question !== undefined) return trustLines(decision.question)
  const wants = wantsOf(files)
  return [shown(place.key), ...(wants.length === 0 ? [WANTS_NOTHING] : wantsLines(wants))]
}

const listOne = Effect.fnUntraced(function* (folder: string, io: CommandIo, isJson: boolean) {
  const trust = yield* look(folder, io)
  const { place, files } = trust.reading
  const standing = standingOf(trust.decision)
  const entries = wantsOf(files).map(wantJson)
  say(io, isJson, { path: place.key, standing, entries }, [`State: ${standing}`, ...listLines(trust)])
  return 0
})

const chosen = ({ sub, operands: [path], flags }: CommandInvocation, io: CommandIo) => {
  const isJson = flags["json"] === true
  switch (sub) {
    case "add":
      return add(folderAt(path, io), io, isJson)
    case "imports":
      return imports(folderAt(path, io), io, isJson)
    case "remove":
      return remove(folderAt(path, io), io, isJson)
    default:
      return path === undefined ? listAll(io, isJson) : listOne(folderAt(path, io), io, isJson)
  }
}

export const runTrust = (invocation: CommandInvocation, io: CommandIo): Promise<number> =>
  chosen(invocation, io).pipe(
    Effect.catch((failure) =>
      Effect.sync(() => {
        io.err(`nacre: ${typeof failure === "string" ? failure : failure.message}\n`)
        return 1
      })
    ),
    Effect.provide(trustLayer(trustOptions(io.env, io.home))),
    Effect.runPromise
  )
