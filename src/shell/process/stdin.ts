import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Stream } from "effect"
import { LIMITS } from "../../core/domain/limits.ts"
import { type InputLine, makeLineCutter } from "./line-cutter.ts"

const chunks = NodeStream.fromReadable<Uint8Array, unknown>({
  evaluate: () => process.stdin,
  onError: (error) => error
})

export type StdinPrompt =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "Unreadable"; readonly why: string }
  /** Stdin is open, but nobody says anything. */
  | { readonly _tag: "Silent" }

/** How long a run that has its prompt already waits for a first byte on stdin. */
export const STDIN_SILENCE_MS = 3_000

/**
 * The piped part of a prompt, whole. Reading stops as soon as the limit is passed. A run that can do without does not
 * wait for a parent that keeps its end open and never writes.
 */
export const readPromptFromStdin = (canDoWithout: boolean): Effect.Effect<StdinPrompt> =>
  Effect.suspend(() => {
    const parts: Array<Uint8Array> = []
    let bytes = 0
    const silence = Effect.suspend(() =>
      canDoWithout && bytes === 0 ? Effect.succeed<StdinPrompt>({ _tag: "Silent" }) : Effect.never
    )
    const whole = chunks.pipe(
      Stream.takeWhile((chunk) => {
        bytes += chunk.length
        parts.push(chunk)
        return bytes <= LIMITS.stdinPromptBytes
      }),
      Stream.runDrain,
      Effect.match({
        onFailure: (error): StdinPrompt => ({ _tag: "Unreadable", why: String(error) }),
        onSuccess: (): StdinPrompt =>
          bytes > LIMITS.stdinPromptBytes
            ? { _tag: "TooLarge" }
            : { _tag: "Text", text: Buffer.concat(parts).toString("utf8") }
      })
    )
    return Effect.raceFirst(whole, Effect.delay(silence, STDIN_SILENCE_MS))
  })

/** Lines of the host as they come; ends when the host closes its end. */
export const readHostLines = <E>(onLine: (line: InputLine) => Effect.Effect<void, E>): Effect.Effect<void, E> =>
  Effect.suspend(() => {
    const cutter = makeLineCutter()
    const deliver = (lines: ReadonlyArray<InputLine>) => Effect.forEach(lines, onLine, { discard: true })
    return chunks.pipe(
      Stream.decodeText(),
      Stream.catch(() => Stream.empty),
      Stream.runForEach((text) => deliver(cutter.push(text))),
      Effect.andThen(Effect.suspend(() => deliver(cutter.end())))
    )
  })
