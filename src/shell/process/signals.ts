import { releaseDeadTerminals } from "./release-dead-terminal.ts"

export interface SignalHandlers {
  /** Ctrl-C. False when there is nothing left to interrupt; then the program ends at once. */
  readonly interrupt: () => boolean
  /** Somebody wants the program gone; the exit code names the signal. */
  readonly terminate: (code: number) => void
}

const INTERRUPTED = 130
/** The terminal is gone. */
export const HANG_UP = 129

/** Signals that end the program, with the exit codes that name them. Left to the system, commands would outlive it. */
const FATAL = [
  ["SIGHUP", HANG_UP],
  ["SIGQUIT", 131],
  ["SIGTERM", 143]
] as const

/** Connects the process's signals; the returned function disconnects them. */
export const onTerminationSignals = (handlers: SignalHandlers): (() => void) => {
  const onInterrupt = (): void => {
    if (!handlers.interrupt()) process.exit(INTERRUPTED)
  }
  const listeners = FATAL.map(([signal, code]) => [signal, (): void => handlers.terminate(code)] as const)
  process.once("exit", releaseDeadTerminals)
  process.on("SIGINT", onInterrupt)
  for (const [signal, listener] of listeners) process.on(signal, listener)
  return () => {
    process.off("SIGINT", onInterrupt)
    for (const [signal, listener] of listeners) process.off(signal, listener)
  }
}
