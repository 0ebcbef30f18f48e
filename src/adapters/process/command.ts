/** Shell commands: one output file each, counted while it grows, ended as a group. */
import { closeSync, openSync, readSync, unlinkSync, writeFileSync } from "node:fs"
import { Deferred, Effect } from "effect"
import { decodeWindow } from "../../core/tools/bash/decode.ts"
import { type CommandExit, type CommandSpec, ProcessFailure, type RunningCommand } from "../../core/ports/Process.ts"
import { beginEnd, endGroup, type Group } from "./group.ts"
import { launchInGroup } from "./launch.ts"
import { BACKGROUND_ROTATION, openOutputFile, type OutputFile } from "./output-file.ts"
import { moveOutput, readOutput, removeLater } from "./output-read.ts"
import type { LeasedPipe, PipePool } from "./pipe-pool.ts"
import { inPrivateDirectory } from "./private-directory.ts"
import type { Registry } from "./registry.ts"

/** A note is a path; the longest one the system knows is half of this. */
const NOTE_BYTES = 8_192

const takeNote = (path: string): string | null => {
  try {
    const fd = openSync(path, "r")
    const buffer = Buffer.allocUnsafe(NOTE_BYTES)
    const length = readSync(fd, buffer, 0, NOTE_BYTES, 0)
    closeSync(fd)
    removeLater(path)
    return buffer.toString("utf8", 0, length)
  } catch {
    return null
  }
}

const removeQuietly = (path: string): void => {
  try {
    unlinkSync(path)
  } catch {
    // Already gone.
  }
}

interface Prepared {
  readonly output: OutputFile
  readonly pipe: LeasedPipe
}

const fileFailure =
  (path: string) =>
  (cause: unknown): ProcessFailure =>
    new ProcessFailure({
      reason: "output",
      message: `Could not create ${path} for the command: ${cause instanceof Error ? cause.message : String(cause)}`
    })

const writeNote = (note: NonNullable<CommandSpec["note"]>): Effect.Effect<void, ProcessFailure> =>
  Effect.try({
    try: () => inPrivateDirectory(note.path, () => writeFileSync(note.path, note.text, { flag: "wx", mode: 0o600 })),
    catch: fileFailure(note.path)
  })

const prepare = Effect.fnUntraced(function* (pool: PipePool, spec: CommandSpec, onPassed: () => void) {
  const output = yield* Effect.try({
    try: () => openOutputFile(spec.outputPath, { bytes: spec.outputLimitBytes, onPassed }),
    catch: fileFailure(spec.outputPath)
  })
  const undo = Effect.sync(() => {
    output.seal()
    removeQuietly(spec.outputPath)
  })
  if (spec.note !== undefined) yield* Effect.onError(writeNote(spec.note), () => undo)
  const pipe = yield* Effect.onError(pool.lease(output.write), () => undo)
  return { output, pipe } satisfies Prepared
})

const abandon = ({ output, pipe }: Prepared, spec: CommandSpec): void => {
  pipe.finish()
  output.seal()
  removeQuietly(spec.outputPath)
  if (spec.note !== undefined) removeQuietly(spec.note.path)
}

interface Started {
  readonly spec: CommandSpec
  readonly group: Group
  readonly output: OutputFile
  readonly exit: Deferred.Deferred<CommandExit>
}

const handleOf = ({ spec, group, output, exit }: Started): RunningCommand => ({
  pid: group.id,
  outputPath: spec.outputPath,
  exit: Deferred.await(exit),
  snapshot: Effect.sync(output.snapshot),
  readHead: (maxBytes) =>
    Effect.suspend(() => {
      const held = output.held()
      return held === undefined || held.length > maxBytes
        ? readOutput(spec.outputPath, "head", maxBytes)
        : Effect.succeed(decodeWindow(held, { cutBefore: false, cutAfter: false }))
    }),
  readTail: (maxBytes) => readOutput(spec.outputPath, "tail", maxBytes),
  beginCancel: Effect.asVoid(beginEnd(group)),
  cancel: endGroup(group),
  toBackground: Effect.sync(() => output.rotateAt(BACKGROUND_ROTATION)),
  keepOutput: (path, maxBytes) =>
    Effect.suspend(() => {
      output.seal()
      const { totalBytes } = output.snapshot()
      return moveOutput({ from: spec.outputPath, to: path, maxBytes, totalBytes })
    }),
  discardOutput: Effect.sync(() => {
    output.seal()
    removeLater(spec.outputPath)
  })
})

export interface CommandParts {
  readonly registry: Registry
  readonly pool: PipePool
}

/** Uninterruptible, because between the spawn and the handle nobody could end the command. */
export const startCommand = (parts: CommandParts, spec: CommandSpec): Effect.Effect<RunningCommand, ProcessFailure> =>
  Effect.uninterruptible(
    Effect.gen(function* () {
      let group: Group | undefined
      const endForOverflow = (): void => {
        if (group !== undefined) Effect.runFork(beginEnd(group))
      }
      const prepared = yield* Effect.onError(prepare(parts.pool, spec, endForOverflow), () =>
        Effect.sync(() => spec.confinement?.onEnd())
      )
      const { output, pipe } = prepared
      const exit = Deferred.makeUnsafe<CommandExit>()
      const launched = yield* launchInGroup(parts.registry, {
        ...spec,
        stdio: ["ignore", pipe.writeFd, pipe.writeFd],
        say: (line) => output.write(Buffer.from(`${line}\n`)),
        onExit: (code, signal) => {
          pipe.finish()
          const note = spec.note === undefined ? null : takeNote(spec.note.path)
          Deferred.doneUnsafe(exit, Effect.succeed({ code, signal, note }))
        }
      }).pipe(Effect.onError(() => Effect.sync(() => abandon(prepared, spec))))
      group = launched.group
      return handleOf({ spec, group, output, exit })
    })
  )
