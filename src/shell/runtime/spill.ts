import { Effect } from "effect"
import {
  cutContent,
  decideSpill,
  type ResultContent,
  spillBody,
  spilledContent,
  spillPath
} from "../../core/tools/contract/result-size.ts"
import { Files } from "../../core/ports/Files.ts"

export interface SpillRequest {
  readonly tool: string
  readonly callId: string
  readonly content: ResultContent
  readonly limitChars: number
  readonly sessionDir: string
}

/** Writes the full text of a result beside the transcript; a file that is there already is the same text. */
export const writeSpill = (path: string, value: string) =>
  Effect.flatMap(Files, (files) =>
    files.write({ path, bytes: new TextEncoder().encode(spillBody(value)), expectedHash: null, onlyForOwner: true }).pipe(
      Effect.asVoid,
      Effect.catchIf(
        (error) => error.kind === "stale",
        () => Effect.void
      )
    )
  )

/** What the model sees of a result: all of it, a preview with the place of the rest, or its two ends. */
export const boundResult = Effect.fnUntraced(function* (request: SpillRequest) {
  const decision = decideSpill(request)
  if (decision.kind === "inline") return decision.content
  const path = spillPath(request.sessionDir, request.callId, decision.extension)
  return yield* writeSpill(path, decision.text).pipe(
    Effect.map((): ResultContent => spilledContent(decision, path)),
    Effect.catch((error) => Effect.succeed(cutContent(decision, request.limitChars, error.message)))
  )
})
