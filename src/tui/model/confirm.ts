import type { Confirm, ConfirmAction, Overlay } from "./overlay.ts"

/** Actions that ask before they happen. */

type Words = Pick<Confirm, "question" | "yes" | "no">

export const confirmOverlay = (action: ConfirmAction, words: Words, back?: Overlay): Confirm => ({
  _tag: "Confirm",
  action,
  ...words,
  selected: 0,
  back
})

export const stopCallOverlay = (
  session: string,
  { callId, tool }: { readonly callId: string; readonly tool: string }
): Confirm =>
  confirmOverlay(
    { _tag: "StopCall", session, callId },
    {
      question: `Stop this call of ${tool}? The turn goes on without it; Esc in the prompt stops the turn.`,
      yes: "Stop the call",
      no: "Let it run"
    }
  )
