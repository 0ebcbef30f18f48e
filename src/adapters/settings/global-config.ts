import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect, Layer, Result } from "effect"
import { GlobalConfig, GlobalConfigError } from "../../core/ports/GlobalConfig.ts"
import { isRaw, type JsonObject } from "../../core/domain/json/json-object.ts"
import { locationFrom, readJson } from "../../core/domain/json/positioned-json.ts"
import { type Edit, patchText } from "../../core/domain/json/patch.ts"
import { describeBreak } from "../../core/domain/json/syntax-error.ts"
import { withLock } from "./lock.ts"
import { READ_AGAIN, isBeingWritten, whenQuiet } from "./quiet-file.ts"
import { codeOf } from "../system/error-code.ts"
import { linkTarget, OWNER_ONLY, replaceFile } from "../system/replace-file.ts"

export interface GlobalConfigOptions {
  readonly path: string
  /** Where earlier versions of the file are kept. */
  readonly backups: string
}

const KEPT_BACKUPS = 5

const ownersOnly = { mode: 0o600, flag: "wx" } as const

const textAt = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return ""
    throw error
  }
}

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "")

/** Names with a time behind them, the newest first. */
const timed = (directory: string, prefix: string): ReadonlyArray<string> =>
  readdirSync(directory)
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .toSorted((left, right) => Number(right.slice(prefix.length)) - Number(left.slice(prefix.length)))

/** Two copies of one millisecond get different names. */
const writeNew = (prefix: string, text: string, at: number): string => {
  try {
    writeFileSync(`${prefix}${at}`, text, ownersOnly)
    return `${prefix}${at}`
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error
    return writeNew(prefix, text, at + 1)
  }
}

/** Keeps a copy unless the newest one is the same; gives its path. */
const keepCopy = ({ backups }: GlobalConfigOptions, kind: "backup" | "corrupted", text: string): string => {
  mkdirSync(backups, { recursive: true, mode: 0o700 })
  const prefix = `.claude.json.${kind}.`
  const [newest] = timed(backups, prefix)
  if (newest !== undefined && textAt(join(backups, newest)) === text) return join(backups, newest)
  const path = writeNew(join(backups, prefix), text, Date.now())
  const surplus = kind === "backup" ? timed(backups, prefix).slice(KEPT_BACKUPS) : []
  for (const old of surplus) rmSync(join(backups, old), { force: true })
  return path
}

const copyNote = (options: GlobalConfigOptions, text: string): string => {
  try {
    return `; a copy is in ${keepCopy(options, "corrupted", text)}`
  } catch {
    return ""
  }
}

const broken = (options: GlobalConfigOptions, text: string): GlobalConfigError => {
  const reading = readJson(text)
  const { at, message: why } =
    reading._tag === "Broken" ? describeBreak(text, reading) : { at: 0, message: "it holds no JSON object" }
  const { line, column } = locationFrom(text, at)
  const fix = `correct it there, or remove it to begin anew${copyNote(options, text)}`
  return new GlobalConfigError({ message: `global config (${options.path}:${line}:${column}) — ${why}. Fix: ${fix}` })
}

const parse = (options: GlobalConfigOptions, text: string): JsonObject => {
  if (withoutMark(text).trim() === "") return {}
  let value: unknown
  try {
    value = JSON.parse(withoutMark(text))
  } catch {
    throw broken(options, text)
  }
  if (!isRaw(value)) throw broken(options, text)
  return value
}

/** Nothing, or not the whole of something. */
const isHalf = (text: string): boolean => readJson(text)._tag === "Broken"

const asError = (path: string, what: string, error: unknown): GlobalConfigError => {
  if (error instanceof GlobalConfigError) return error
  const why = error instanceof Error ? error.message : String(error)
  const message = `global config (${path}) — it cannot be ${what}: ${why}. Fix: make it accessible`
  return new GlobalConfigError({ message })
}

/** Another program may have written since it was read, so it is read again when nobody else writes. */
const change = async (options: GlobalConfigOptions, edits: ReadonlyArray<Edit>): Promise<void> => {
  const target = linkTarget(options.path)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  await withLock(target, () =>
    whenQuiet(target, (isUnchanged) => {
      const before = textAt(target)
      if (isHalf(before) && isBeingWritten(target)) return READ_AGAIN
      parse(options, before)
      const after = patchText(before, edits)
      if (Result.isFailure(after)) throw broken(options, before)
      if (after.success === before) return undefined
      if (before !== "") keepCopy(options, "backup", before)
      replaceFile({ path: target, content: after.success, newMode: OWNER_ONLY, isUnchanged })
      return undefined
    })
  )
}

/** A file that another program is about to write is not taken for one that is broken. */
const read = (options: GlobalConfigOptions): Effect.Effect<JsonObject, GlobalConfigError> =>
  Effect.suspend(() => {
    const look = (): JsonObject | typeof READ_AGAIN => {
      const text = textAt(options.path)
      return isHalf(text) && text.trim() !== "" && isBeingWritten(options.path) ? READ_AGAIN : parse(options, text)
    }
    const failed = (error: unknown): GlobalConfigError => asError(options.path, "read", error)
    return Effect.try({ try: look, catch: failed }).pipe(
      Effect.flatMap((first) =>
        first === READ_AGAIN
          ? Effect.tryPromise({ try: () => whenQuiet(options.path, look), catch: failed })
          : Effect.succeed(first)
      )
    )
  })

export const layer = (options: GlobalConfigOptions): Layer.Layer<GlobalConfig> =>
  Layer.succeed(GlobalConfig, {
    read: read(options),
    patch: (patches) =>
      Effect.tryPromise({
        try: () => change(options, patches),
        catch: (error) => asError(options.path, "written", error)
      })
  })
