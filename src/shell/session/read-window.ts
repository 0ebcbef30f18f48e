import { Effect } from "effect"
import type { Uuid } from "../../core/domain/id.ts"
import type { Occurrence } from "../../core/loop/machine/event.ts"
import type { Records } from "../../core/ports/Records.ts"
import { loadWindow } from "./load-session.ts"

type Read = Extract<Occurrence, { readonly _tag: "WindowRead" }>["window"]

const NO_TRANSCRIPT: Read = { cause: "this session is not kept on the disk" }

/** An earlier window of the conversation that is written to this file, as it was. */
export const readWindow = (path: string | null, at: Uuid): Effect.Effect<Read, never, Records> =>
  path === null
    ? Effect.succeed(NO_TRANSCRIPT)
    : Effect.match(loadWindow(path, at), {
        onSuccess: (window): Read => window,
        onFailure: ({ message }): Read => ({ cause: message })
      })
