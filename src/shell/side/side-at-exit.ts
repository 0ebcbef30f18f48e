import { Effect } from "effect"
import { exitWaitMs } from "../../core/loop/side/on-side.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import type { Witness } from "../runtime/driver.ts"

/** Lets what is being written to the memory come to its end when the program ends, for a while. */
export interface SideAtExit {
  readonly witness: Witness
  readonly wait: (state: () => AgentState) => Effect.Effect<void>
}

export const makeSideAtExit = (): SideAtExit => {
  let onIdle: (() => void) | undefined
  return {
    witness: (_event, state) => {
      if (onIdle !== undefined && exitWaitMs(state) === 0) onIdle()
    },
    wait: (state) =>
      Effect.suspend(() => {
        const ms = exitWaitMs(state())
        if (ms === 0) return Effect.void
        const idle = Effect.callback<void>((resume) => {
          onIdle = () => resume(Effect.void)
        })
        return Effect.asVoid(Effect.timeoutOption(idle, ms))
      })
  }
}
