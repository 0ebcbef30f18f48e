/** Plain programs (git and the like): no shell, both outputs in memory up to a bound, ended as a group. */
import type { ChildProcess } from "node:child_process"
import type { Readable } from "node:stream"
import { Deferred, Effect, Option } from "effect"
import { type ProcessFailure, type RunResult, type RunSpec } from "../../core/ports/Process.ts"
import { decodeWindow } from "../../core/tools/bash/decode.ts"
import { beginEnd, endGroup } from "./group.ts"
import { launchInGroup } from "./launch.ts"
import type { Registry } from "./registry.ts"

/** A daemon that the program left behind may hold its pipes; what it writes is not waited for. */
const CLOSE_MS = 250

interface Collected {
  readonly text: () => string
  readonly isFull: () => boolean
}

interface Bounds {
  readonly maxBytes: number
  readonly keepBytes: number
  readonly onFull: () => void
}

const collect = (stream: Readable | null, { maxBytes, keepBytes, onFull }: Bounds): Collected => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  stream?.on("data", (chunk: Buffer) => {
    if (bytes > maxBytes) return
    if (bytes < keepBytes) chunks.push(chunk.subarray(0, keepBytes - bytes))
    bytes += chunk.length
    if (bytes > maxBytes) onFull()
  })
  stream?.on("error", () => undefined)
  return {
    text: () => decodeWindow(Buffer.concat(chunks), { cutBefore: false, cutAfter: bytes > keepBytes }),
    isFull: () => bytes > keepBytes
  }
}

const MOST_LINE_BYTES = 64 * 1_024

const hearFirstLine = (stream: Readable | null, onFirstLine: (line: string) => void): void => {
  let line = Buffer.alloc(0)
  const hear = (chunk: Buffer): void => {
    line = Buffer.concat([line, chunk])
    const end = line.indexOf("\n")
    if (end < 0 && line.length < MOST_LINE_BYTES) return
    stream?.off("data", hear)
    if (end >= 0) onFirstLine(line.subarray(0, end).toString("utf8"))
  }
  stream?.on("data", hear)
}

const feed = (child: ChildProcess, text: string | undefined): void => {
  if (text === undefined) return
  // A program that ends without reading its input closes the pipe early; that is its right.
  child.stdin?.on("error", () => undefined)
  child.stdin?.end(text)
}

interface Ending {
  readonly code: number | null
  readonly signal: string | null
}

export const runProgram = (registry: Registry, spec: RunSpec): Effect.Effect<RunResult, ProcessFailure> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const ended = Deferred.makeUnsafe<Ending>()
      const closed = Deferred.makeUnsafe<void>()
      const { child, group } = yield* launchInGroup(registry, {
        ...spec,
        stdio: [spec.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
        onExit: (code, signal) => Deferred.doneUnsafe(ended, Effect.succeed({ code, signal }))
      })
      child.once("close", () => Deferred.doneUnsafe(closed, Effect.void))
      const stop = (): void => void Effect.runFork(beginEnd(group))
      const maxBytes = spec.maxOutputBytes
      const bounds = { maxBytes, keepBytes: spec.keepBytes ?? maxBytes, onFull: stop }
      const stdout = collect(child.stdout, bounds)
      const stderr = collect(child.stderr, bounds)
      if (spec.onFirstLine !== undefined) hearFirstLine(child.stdout, spec.onFirstLine)
      feed(child, spec.stdin)
      const inTime = yield* restore(Effect.timeoutOption(Deferred.await(ended), spec.timeoutMs)).pipe(
        Effect.onInterrupt(() => beginEnd(group))
      )
      if (Option.isNone(inTime)) yield* endGroup(group)
      const end = yield* Effect.timeoutOption(Deferred.await(ended), CLOSE_MS)
      yield* Effect.timeoutOption(Deferred.await(closed), CLOSE_MS)
      child.stdout?.destroy()
      child.stderr?.destroy()
      return {
        ...Option.getOrElse(end, (): Ending => ({ code: null, signal: "SIGKILL" })),
        stdout: stdout.text(),
        stderr: stderr.text(),
        truncated: stdout.isFull() || stderr.isFull(),
        timedOut: Option.isNone(inTime)
      }
    })
  )
