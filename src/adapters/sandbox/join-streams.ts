import type { Duplex } from "node:stream"

/** Carries both ways. Both ends go when one of them fails or closes, and no failure is left without a listener. */
export const joinStreams = (left: Duplex, right: Duplex): void => {
  const end = (): void => {
    left.destroy()
    right.destroy()
  }
  left.on("error", end).on("close", end).pipe(right)
  right.on("error", end).on("close", end).pipe(left)
}
